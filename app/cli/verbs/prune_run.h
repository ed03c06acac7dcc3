// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/data_notices.h"
#include "app/cli/verb.h"
#include "app/commands/prune_command.h"
#include "app/results/cache_input.h"
#include "model/analysis/heads/head_set_measures.h"
#include "model/analysis/heads/pruning_units.h"
#include "model/analysis/heads/pruning_validation.h"
#include "model/data/results/pruning_results.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope::cli
{

/// What is measured, with what it is made of.
struct PruneMeasure
{
    std::shared_ptr<const HeadVectors> vectors;
    std::unique_ptr<HeadSetMeasure> measure;
    std::string of;               ///< "392 labelled documents, 8 topics", for the heading
    std::string key;              ///< as --measure has it: "match5"
    std::string name;             ///< of the number: "match at 5", "probe accuracy", "recall at 10 by cosine"
    std::string_view scored;      ///< "labelled documents", "tested documents" or "queries": what is resampled
    std::string_view unit;        ///< one of them: "document" or "query"
    std::optional<double> chance; ///< what knowing nothing gets; none: not defined
    std::string chanceMeans;      ///< of which rule
    /// Of a probe, what its two chances are.
    std::optional<double> guessing{};
    std::optional<double> majority{}; ///< also of a match: what always naming the commonest label gets, at least
    std::string split;                ///< of a probe: which documents test; else empty
    bool isCertain = false; ///< nothing could be otherwise: as many nearest topics count as there are, or one occurs
    /// Of a match: which topics occur, and what is right by chance among those; empty where all do.
    std::string presence{};
    std::optional<PermutationNull> null{}; ///< of the baseline: labels shuffled among the documents
    /// Of a retrieval: documents and queries without a direction.
    std::optional<std::pair<LeftOut, LeftOut>> leftOut{};
    std::string hash;
    std::vector<std::string> notices;
};

/// @errors those of the cache and of the measures; InvalidArgument (a stage or model without such units)
[[nodiscard]] Result<PruneMeasure> pruneMeasure(const commands::PruneCommand& command, const CacheInput& input,
                                                const CommonOptions& common, JobContext& job);

/// What an order of removing or adding gave, and what all heads together give.
struct Pruned
{
    double baseline = 0;
    Interval baselineCi95;
    std::vector<PruningStep> steps;            ///< the starting point of a greedy order included
    std::vector<PairedDifference> differences; ///< of single removals, one for each step
    PruningValidation validation;              ///< empty: not asked for, or too few documents
    std::vector<BestSubset> best;              ///< of every size, where all subsets were searched
    std::optional<HeldOutGain> bestSize;       ///< of the best of them over all sizes, chosen and judged on halves
    std::optional<HeldOutGain> fewestUnits;    ///< of those with the fewest units that are as good as all
    std::uint64_t seed = 1;
    double seconds = 0;
};

[[nodiscard]] PruningUnit unitOf(const commands::PruneCommand& command);
[[nodiscard]] PruningOrder orderOf(const commands::PruneCommand& command);

/// How often the documents are halved.
[[nodiscard]] std::int64_t halvingsOf(const commands::PruneCommand& command);

/// What tables, text and figures show: without intervals, p, q and front where nothing could be otherwise
/// (PruneMeasure::isCertain). The numbers of `--json` are as they were computed, without a front; its notices say what
/// they are worth.
[[nodiscard]] Pruned shownOf(Pruned pruned, const PruneMeasure& measured);

/// @errors Cancelled, InvalidArgument (too many units for all subsets)
[[nodiscard]] Result<Pruned> runPruning(const commands::PruneCommand& command, const PruneMeasure& measured,
                                        const ModelInfo& model, const CommonOptions& common, JobContext& job);

} // namespace headscope::cli

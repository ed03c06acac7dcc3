// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/heatmap/make_heatmaps.h"
#include "model/analysis/heads/head_set_measures.h"
#include "model/analysis/topics/topics.h"
#include "model/data/head_vectors.h"
#include "model/data/results/head_results.h"
#include "model/data/results/pruning_results.h"
#include "model/data/topic_vectors.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/cache/full_vectors.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace headscope::desktop
{

/// Input of the head statistics: the vectors, and what belongs to the labels.
struct HeadAnalysisInputs
{
    std::shared_ptr<const HeadVectors> vectors;
    std::optional<LabelColumn> labels; ///< none: the cache has no labels, or no topic vectors for them
    TopicVectors topics;
    FullPair full;
    std::shared_ptr<const HeadMatch> match; ///< of sets of heads; null without topics
    std::string notice;                     ///< why there are no topics
    /// Documents that labels and match cover, ascending; empty: all. The vectors are always of all.
    std::vector<std::int64_t> documents;
    Origin origin{}; ///< of all of it
};

/// @param labels  column and where its topic vectors are; an empty column for none
/// @errors those of CacheReader and HeadMatch::create
/// @threads to be called on a worker
[[nodiscard]] Result<std::shared_ptr<const HeadAnalysisInputs>> makeHeadBase(CacheReader& reader,
                                                                             std::shared_ptr<const HeadVectors> vectors,
                                                                             const HeatmapLabels& labels,
                                                                             int numThreads, JobContext& job);

/// The same restricted to some documents: the others lose their labels, do not count in the match, and are no
/// queries.
/// @param documents  ascending, not empty
/// @errors those of HeadMatch::create
/// @threads to be called on a worker
[[nodiscard]] Result<std::shared_ptr<const HeadAnalysisInputs>>
headBaseOver(const HeadAnalysisInputs& base, std::vector<std::int64_t> documents, int numThreads, JobContext& job);

/// Statistics, answers to labels, redundancy and maps of the heads.
/// @param documents   ascending; empty: all of them
/// @param asked      how they are held against labels
/// @param known  an earlier report over all documents, whose redundancy and planes are copied; null: they are
///               computed
/// @errors Cancelled; what cannot be computed for these documents is named in the report's notice
[[nodiscard]] Result<std::shared_ptr<const HeadReport>>
describeHeads(const HeadAnalysisInputs& base, const std::vector<std::int64_t>& documents,
              const HeadAnswerOptions& asked, const HeadReport* known, int numThreads, JobContext& job);

/// Match, retrieval and savings of a set of heads, and by how much it differs from all.
/// @param retrieval  or null
/// @param seed  of the resamples
/// @errors Cancelled
/// @cost  O(N T |kept|) additions, and 1,000 resamples of N documents for each value
[[nodiscard]] Result<MaskEffects> measureMask(const HeadAnalysisInputs& base, const HeadSetMeasure* retrieval,
                                              const std::vector<bool>& kept, const ModelInfo& model, std::uint64_t seed,
                                              int numThreads, JobContext& job);

/// A probe for the label on all heads and one on those that are kept, tested on the same documents.
struct MaskProbe
{
    std::vector<std::int32_t> right; ///< [tested] by all heads: 1 or 0
    double all = 0;
    double on = 0;
    PairedDifference difference;
};
/// @param right  of all heads, from an earlier call over the same documents; empty: they are probed, too
/// @errors those of HeadTopicProbe
[[nodiscard]] Result<MaskProbe> probeOfMask(const HeadAnalysisInputs& base, const std::vector<bool>& kept,
                                            std::vector<std::int32_t> right, std::uint64_t seed, int numThreads,
                                            JobContext& job);

/// What halves of the documents say of the greedy order, and every unit removed alone: added to findings that hold
/// the order.
/// @errors Cancelled
[[nodiscard]] Result<PruningFindings> judgeOrder(const HeadAnalysisInputs& base, PruningFindings findings,
                                                 const ModelInfo& model, bool groups, std::uint64_t seed,
                                                 int numThreads, JobContext& job);

/// The retrieval measure over the documents of the base that are queries; null where no query is among them.
/// @param relevant  rows relevant to each query, by its id
/// @errors those of HeadRetrieval::create
[[nodiscard]] Result<std::shared_ptr<const HeadRetrieval>>
makeRetrievalMeasure(const HeadAnalysisInputs& base, const DocumentSet& documents,
                     const std::unordered_map<std::string, std::vector<std::int64_t>>& relevant, int numThreads,
                     JobContext& job);

} // namespace headscope::desktop

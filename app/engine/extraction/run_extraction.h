// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/attention/ablation_choices.h"
#include "app/commands/run/text_run.h"
#include "app/engine/engine_verb.h"
#include "model/base/result.h"
#include "model/data/ablation_spec.h"
#include "model/data/extraction.h"
#include "model/data/stage.h"
#include "model/io/cache/cache_info.h"
#include "model/io/hdf5/number_type.h"
#include "model/io/texts/document_reader.h"
#include "model/net/forward/backend.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headscope::engine
{

/// Everything `extract` was asked for. Values that are wrong for any data were refused before; what depends on the
/// model ("last", "auto") is still as typed.
struct ExtractionRequest
{
    std::filesystem::path model;
    std::vector<std::filesystem::path> inputs;
    std::filesystem::path output;
    bool into = false; ///< adds to the cache that `output` is
    DocumentOptions documents;
    std::vector<Stage> stages;    ///< empty, with `into`: those of the cache
    std::string layers = "last";  ///< likewise
    commands::VectorRun run;      ///< `prompt` becomes the text of the chosen one once the model is open
    std::filesystem::path topics; ///< empty: the categories of each label column
    std::string topicTemplate;    ///< text around each name, "{}" is the name; empty: none
    std::string label;            ///< the column that the topics of a plain list belong to
    commands::AblationChoices ablation;
    Backend backend;
    NumberType store = NumberType::F32;
    std::uint64_t memory = 0; ///< 0 = no limit
    std::uint64_t shardBytes = std::uint64_t{64} << 20;
    /// Only these documents of the inputs; the end is behind the last, and may lie behind the inputs' end.
    std::optional<DocumentRange> range;
    bool resume = true; ///< continue with what an interrupted run of the same kind has left
};

/// What was added to a cache.
struct AddedSummary
{
    std::int64_t documents = 0;
    std::vector<ExtractionBlock> vectors; ///< layers and stages, of all documents
    std::vector<std::string> topics;      ///< label columns with new names, or another order of them
    std::vector<std::string> droppedMaps; ///< that were of the documents before
    /// Whether there was nothing to add: the cache was left as it is.
    [[nodiscard]] bool isEmpty() const { return documents == 0 && vectors.empty() && topics.empty(); }
};

/// What an extraction did, as `--json` prints it.
struct ExtractSummary
{
    std::int64_t documents = 0;
    std::int64_t skipped = 0;             ///< of these, computed by an earlier run or for the cache before
    std::optional<AddedSummary> added;    ///< to a cache
    std::optional<DocumentSample> sample; ///< where the documents were drawn
    std::int64_t tokens = 0;
    std::int64_t empty = 0;
    std::int64_t truncated = 0;
    std::int64_t nonFinite = 0;
    double loadSeconds = 0;     ///< headers, hashes, weights
    double tokenizeSeconds = 0; ///< reading and tokenising, during the computing
    double checkSeconds = 0;    ///< of the comparison of the device with the CPU
    double computeSeconds = 0;
    double writeSeconds = 0; ///< shards (during the computing), merging, checking
    double totalSeconds = 0;
    double tokensPerSecond = 0; ///< of this run's documents, without the topic names
    ChosenHeads ablated;        ///< heads that were off
    std::string ablation;       ///< what they were set to; empty: none was off
    std::int64_t regroup = 0;   ///< KV groups; 0: those of the model
    std::string changed;        ///< all that, as ModelChanges::words; empty: nothing was
    std::string device;
    Precision precision = Precision::F32;
    std::uint64_t peakBytes = 0;
    std::string sha256; ///< of the cache
};

/// Reads, tokenises, computes, embeds the topic names, writes. The cache appears under its name
/// when it is whole; whatever ends this early leaves what was computed in the folder next to it, from
/// which the same request continues to the same bytes.
/// @errors those of all its parts; Cancelled
[[nodiscard]] Result<ExtractSummary> runExtraction(const ExtractionRequest& request, VerbContext& context);

} // namespace headscope::engine

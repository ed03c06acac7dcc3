// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/engine/encode_options.h"
#include "app/engine/verb.h"
#include "model/base/result.h"
#include "model/data/stage.h"
#include "model/io/hdf5/number_type.h"
#include "model/io/texts/document_reader.h"
#include "model/net/forward/backend.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headscope::engine
{

/// Everything `extract` was asked for. Values that are wrong for any data were refused before; what depends on the
/// model ("last", "auto") is still as typed.
struct ExtractRequest
{
    std::filesystem::path model;
    std::vector<std::filesystem::path> inputs;
    std::filesystem::path output;
    DocumentOptions documents;
    std::vector<Stage> stages;
    std::string layers = "last";
    std::string maxTokens = "auto";
    std::string pooling = "auto";
    EncodeChoices encodeChoices;
    EncodeOptions encode;
    std::string prompt;
    std::filesystem::path topics; ///< empty: the categories of each label column
    std::string label;            ///< the column that the topics of a plain list belong to
    Backend backend;
    NumberType store = NumberType::F32;
    std::uint64_t memory = 0; ///< 0 = no limit
    std::uint64_t shardBytes = std::uint64_t{64} << 20;
};

/// What an extraction did, as `--json` prints it.
struct ExtractSummary
{
    std::int64_t documents = 0;
    std::int64_t tokens = 0;
    std::int64_t empty = 0;
    std::int64_t truncated = 0;
    std::int64_t nonFinite = 0;
    double loadSeconds = 0;     ///< headers, hashes, weights
    double tokenizeSeconds = 0; ///< reading and tokenising, beside the computing
    double computeSeconds = 0;
    double writeSeconds = 0; ///< shards (beside the computing), merging, checking
    double totalSeconds = 0;
    double tokensPerSecond = 0; ///< of the documents, without the topic names
    std::string device;
    std::uint64_t peakBytes = 0;
    std::string sha256; ///< of the cache
};

/// Reads, tokenises, computes, embeds the topic names, writes. The cache appears under its name
/// when it is whole; whatever ends this early leaves nothing behind.
/// @errors those of all its parts; Cancelled
[[nodiscard]] Result<ExtractSummary> runExtraction(const ExtractRequest& request, VerbContext& context);

} // namespace headscope::engine

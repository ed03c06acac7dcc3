// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/model_info.h"
#include "model/net/config/model_files.h"
#include "model/net/config/sentence_files.h"
#include "model/net/forward/backend.h"
#include "model/net/forward/layer.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headscope
{

/// One of a model's files.
struct CardFile
{
    std::string name;
    std::uint64_t bytes = 0;
    std::string sha256; ///< "" where no hashes were asked for
};

/// Bytes an extraction takes, estimated from the headers alone.
struct MemoryEstimate
{
    std::uint64_t weights = 0; ///< float32 weights, allocated or mapped
    std::uint64_t mapped = 0;  ///< of these, what is used where it lies in the files
    std::uint64_t peak = 0;    ///< with activations, waiting vectors and the program itself
    /// The smallest limit under which the last layer's vectors can be had by streaming the layers.
    std::uint64_t streamed = 0;
};

/// Description of a model before it runs.
struct ModelCard
{
    ModelInfo info;
    std::int64_t maxPositions = 0;
    bool stretches = false; ///< texts may have more tokens than maxPositions: dynamic scaling is for these
    bool causal = true;
    std::vector<std::int64_t> windows;                         ///< [L], 0 = none
    std::string dtype;                                         ///< of most of the weights: "Q4_1"
    std::vector<std::pair<std::string, std::uint64_t>> dtypes; ///< parameters by type, most first
    std::uint64_t parameters = 0;                              ///< of the tensors that are used
    std::vector<CardFile> files;
    MemoryEstimate memory;
    SentenceSettings sentence;
    std::string adapter;               ///< LoraAdapter::words()
    std::vector<std::string> warnings; ///< of configuration, tensors and sentence files

    /// As the files say, else as the family does.
    [[nodiscard]] Pooling defaultPooling() const;
    /// The model's own max_seq_length, else 4096; never above its positions, unless these stretch.
    [[nodiscard]] std::int64_t defaultMaxTokens() const;
};

/// Bytes of memory that the program takes beside weights and activations on the CPU: libraries, vocabulary, texts;
/// measured.
[[nodiscard]] std::uint64_t programBytes(const ModelConfig& config);

struct ModelCardOptions
{
    bool hashes = false;         ///< SHA-256 of every file: reads all of them
    std::int64_t lastLayer = -1; ///< for the memory estimate; -1 = all layers
    int threads = 1;
    std::int64_t stepTokens = 512;
    std::int64_t longestDocument = 4096; ///< tokens; for the memory estimate
    std::uint64_t vectorBytes = 0;       ///< of vectors that wait to be written, for the memory estimate
};

/// Describes an opened model.
/// @errors Resource (a file cannot be read for its hash), Cancelled
[[nodiscard]] Result<ModelCard> makeModelCard(const ModelFiles& files, const ModelCardOptions& options,
                                              JobContext& job);

/// Every file that a model is read from, its tokenizer included, and every one that would be, were it there.
[[nodiscard]] std::vector<std::filesystem::path> placesOfModel(const ModelFiles& files);

/// Adds the SHA-256 of every file to a card: reads all of them.
/// @errors Resource, Cancelled
[[nodiscard]] Status addHashes(const ModelFiles& files, ModelCard& card, JobContext& job);

/// What a run of these layers takes on the CPU, with documents of usual length.
[[nodiscard]] MemoryEstimate estimateMemory(const ModelFiles& files, const ModelCardOptions& options);

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/net/config/model_files.h"

#include <cstdint>
#include <string>

namespace headscope
{

/// How much memory a run may take. 0 = no limit: all layers stay in memory.
struct MemoryLimit
{
    std::uint64_t total = 0;
    /// Of the total, what the program takes beside the model and its activations.
    std::uint64_t reserved = 0;
    /// Most tokens of a document, where they are known: then a limit that is too small for such a
    /// document is refused before the run.
    std::int64_t longestDocument = 0;
};

/// The documents that go through a layer before the next one is loaded.
struct BatchShape
{
    std::int64_t tokens = 0;
    std::int64_t documents = 0;
    std::int64_t largestStep = 0; ///< tokens of the largest step
};

/// Bytes that streaming a model layer by layer takes on the CPU.
struct StreamCosts
{
    std::uint64_t layer = 0;        ///< the largest layer as float32
    std::uint64_t fixed = 0;        ///< weights outside the layers, and buffers for reading
    std::uint64_t perToken = 0;     ///< of a batch: its place in the residual stream
    std::uint64_t perDocument = 0;  ///< of a batch: its vectors
    std::uint64_t workPerToken = 0; ///< of a worker's step: activations

    /// Bytes of a batch, with this many layers in memory and workers.
    [[nodiscard]] std::uint64_t bytes(const BatchShape& batch, int layers, int workers) const;
    /// The smallest MemoryLimit::total that will do: two layers and one step of usual documents, or
    /// one layer and the longest document, whichever takes more.
    [[nodiscard]] std::uint64_t smallest(const MemoryLimit& limit, std::int64_t stepTokens) const;
};

/// @param lastLayer          the deepest layer that is needed; -1 = all
/// @param valuesPerDocument  numbers of all vectors of a document
/// @param threads            of reading
[[nodiscard]] StreamCosts streamCosts(const ModelFiles& files, std::int64_t lastLayer, std::int64_t valuesPerDocument,
                                      int threads);

/// Bytes as `--memory` takes them, rounded up to whole mebibytes: "2291M".
[[nodiscard]] std::string mebibytesText(std::uint64_t bytes);

} // namespace headscope

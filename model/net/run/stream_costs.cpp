// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/run/stream_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace headscope
{
namespace
{

constexpr std::uint64_t kPieceBytes = std::uint64_t{4} << 20; ///< of one thread's reading: weights.cpp
constexpr std::int64_t kUsualDocument = 8;                    ///< tokens of the shortest usual document

} // namespace

std::uint64_t StreamCosts::bytes(const BatchShape& batch, int layers, int workers) const
{
    return fixed + static_cast<std::uint64_t>(layers) * layer + static_cast<std::uint64_t>(batch.tokens) * perToken +
           static_cast<std::uint64_t>(batch.documents) * perDocument +
           static_cast<std::uint64_t>(workers) * static_cast<std::uint64_t>(batch.largestStep) * workPerToken;
}

std::uint64_t StreamCosts::smallest(const MemoryLimit& limit, std::int64_t stepTokens) const
{
    const auto step = [](std::int64_t tokens, std::int64_t documents) { return BatchShape{tokens, documents, tokens}; };
    // A step takes documents until it holds stepTokens: the last one may be a long one.
    const std::int64_t usual = 1 + stepTokens / kUsualDocument;
    const std::int64_t longest = stepTokens + std::max<std::int64_t>(limit.longestDocument - 1, 0);
    return limit.reserved + std::max(bytes(step(stepTokens, usual), 2, 1), bytes(step(longest, usual), 1, 1));
}

StreamCosts streamCosts(const ModelFiles& files, std::int64_t lastLayer, std::int64_t valuesPerDocument, int threads)
{
    const ModelConfig& config = files.config;
    const std::int64_t last = lastLayer < 0 ? config.layers - 1 : lastLayer;
    StreamCosts costs;
    std::vector<std::uint64_t> layers(static_cast<std::size_t>(config.layers), 0);
    for (const auto& [key, info] : files.tensors)
    {
        const std::uint64_t bytes = info.elements() * sizeof(float);
        if (isOutsideLayers(key.role))
            costs.fixed += bytes;
        else if (!isEmbeddingTable(key.role) && key.layer <= last)
            layers[static_cast<std::size_t>(key.layer)] += bytes + 64; // parted by at most a cache line
    }
    costs.layer = *std::ranges::max_element(layers);
    costs.fixed += static_cast<std::uint64_t>(std::max(1, threads)) * std::min(kPieceBytes, costs.layer);
    // The residual stream, and the ids of the document and of its step.
    costs.perToken = static_cast<std::uint64_t>(config.modelDim) * sizeof(float) + 2 * sizeof(std::int32_t);
    costs.perDocument = static_cast<std::uint64_t>(valuesPerDocument) * sizeof(float) + 256;
    // Of one worker's step: residual, two norms, o, a copy of the residual; q k v, heads, rotary tables;
    // gate and up, their product (without a gate: one, in place); a tile of scores. Half as much again waits to be
    // used for another size, as measured. What packed weights are multiplied by is copied.
    const std::int64_t inner = (config.traits().hasGate() ? 3 : 1) * config.mlpDim;
    const std::int64_t numbers =
        5 * config.modelDim + (2 * config.heads + 2 * config.kvHeads + 2) * config.headDim + inner + 64;
    const std::int64_t copied = std::max(config.modelDim, config.mlpDim);
    costs.workPerToken = static_cast<std::uint64_t>(numbers + numbers / 2 + copied) * sizeof(float);
    return costs;
}

std::string mebibytesText(std::uint64_t bytes)
{
    constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
    return fmt::format("{}M", (bytes + kMebibyte - 1) / kMebibyte);
}

} // namespace headscope

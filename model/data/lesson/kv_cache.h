// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// The sizes of a decoder that decide how large its KV cache is.
struct KvShape
{
    std::string name;
    std::int64_t layers = 0;
    std::int64_t heads = 0;
    std::int64_t kvHeads = 0;
    std::int64_t headDim = 0;
    std::int64_t context = 0; ///< tokens that the model was trained to read; 0: not known

    bool operator==(const KvShape&) const = default;
};

/// Bytes of the KV cache of a text: 2 KV Dh values in each layer for each token.
/// @param kvHeads  KV heads of a layer; shape.heads: multi-head attention, 1: multi-query attention
/// @param tokens   of the context
/// @param bytesPerNumber  4, 2 (usual), 1
[[nodiscard]] std::int64_t kvCacheBytes(const KvShape& shape, std::int64_t kvHeads, std::int64_t tokens,
                                        std::int64_t bytesPerNumber);

/// Decoders that many people know, as their published configurations have it; the first is the demo model.
/// @source config.json of each model (num_attention_heads, num_key_value_heads, head_dim, max_position_embeddings);
///         Llama 2: Touvron et al. 2023, Falcon: Almazrouei et al. 2023, Qwen3-Embedding: its model card
[[nodiscard]] const std::vector<KvShape>& knownKvShapes();

/// One of them by its name; null: it is not among them.
[[nodiscard]] const KvShape* knownKvShape(std::string_view name);

/// Texts of this length whose KV caches fit into a memory beside each other; the weights of the model are not counted.
/// @param memory  bytes
[[nodiscard]] std::int64_t cachesThatFit(const KvShape& shape, std::int64_t tokens, std::int64_t bytesPerNumber,
                                         std::int64_t memory);

/// The shape of a model; headDim 0 where it does not say it.
[[nodiscard]] KvShape kvShapeOf(const ModelInfo& model);

/// Numbers of key and value heads into which those of a model can be averaged: divisors of its own, the largest (its
/// own) first.
[[nodiscard]] std::vector<std::int64_t> regroupings(std::int64_t kvHeads);

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headscope
{

/// The sizes of a decoder that decide how large its keys and values are.
struct KvShape
{
    std::string name;
    std::int64_t layers = 0;
    std::int64_t heads = 0;
    std::int64_t kvHeads = 0;
    std::int64_t headDim = 0;

    bool operator==(const KvShape&) const = default;
};

/// Bytes of the keys and values that a decoder keeps for a text: 2 KV Dh numbers in each layer for each token.
/// @param kvHeads  key and value heads of a layer; shape.heads: as many as query heads, 1: one for all
/// @param tokens   of the context
/// @param bytesPerNumber  4, 2 (usual), 1
[[nodiscard]] std::int64_t kvCacheBytes(const KvShape& shape, std::int64_t kvHeads, std::int64_t tokens,
                                        std::int64_t bytesPerNumber);

/// Decoders that many people know, as their published configurations have it.
[[nodiscard]] const std::vector<KvShape>& knownKvShapes();

/// The shape of a model; headDim 0 where it does not say it.
[[nodiscard]] KvShape kvShapeOf(const ModelInfo& model);

/// Numbers of key and value heads into which those of a model can be averaged: divisors of its own, the largest (its
/// own) first.
[[nodiscard]] std::vector<std::int64_t> regroupings(std::int64_t kvHeads);

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/lesson/kv_cache.h"

#include <algorithm>

namespace headscope
{

std::int64_t kvCacheBytes(const KvShape& shape, std::int64_t kvHeads, std::int64_t tokens, std::int64_t bytesPerNumber)
{
    return 2 * kvHeads * shape.headDim * bytesPerNumber * shape.layers * tokens;
}

const std::vector<KvShape>& knownKvShapes()
{
    static const std::vector<KvShape> shapes{
        {"SmolLM2-135M", 30, 9, 3, 64, 8'192},
        {"Qwen3-Embedding-0.6B", 28, 16, 8, 128, 32'768},
        {"Gemma-2B", 18, 8, 1, 256, 8'192},
        {"Llama-2-7B", 32, 32, 32, 128, 4'096},
        {"Falcon-7B", 32, 71, 1, 64, 2'048},
        {"SFR-Embedding-Mistral", 32, 32, 8, 128, 32'768},
        {"Llama-3-8B", 32, 32, 8, 128, 8'192},
        {"Llama-3.1-8B", 32, 32, 8, 128, 131'072},
        {"Qwen3-Embedding-8B", 36, 32, 8, 128, 32'768},
        {"Llama-2-70B", 80, 64, 8, 128, 4'096},
    };
    return shapes;
}

const KvShape* knownKvShape(std::string_view name)
{
    const auto found = std::ranges::find(knownKvShapes(), name, &KvShape::name);
    return found == knownKvShapes().end() ? nullptr : &*found;
}

std::int64_t cachesThatFit(const KvShape& shape, std::int64_t tokens, std::int64_t bytesPerNumber, std::int64_t memory)
{
    const std::int64_t each = kvCacheBytes(shape, shape.kvHeads, tokens, bytesPerNumber);
    return each > 0 ? memory / each : 0;
}

KvShape kvShapeOf(const ModelInfo& model)
{
    KvShape shape{model.name, model.layers, model.heads, model.kvHeads, model.headDim};
    // "SmolLM2-135M-Instruct.Q4_1" is one of those that are known.
    for (const KvShape& each : knownKvShapes())
        if (shape.name.starts_with(each.name))
            shape.context = each.context;
    return shape;
}

std::vector<std::int64_t> regroupings(std::int64_t kvHeads)
{
    std::vector<std::int64_t> all;
    for (std::int64_t groups = kvHeads; groups >= 1; --groups)
        if (kvHeads % groups == 0)
            all.push_back(groups);
    return all;
}

} // namespace headscope

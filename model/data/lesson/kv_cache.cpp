// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/lesson/kv_cache.h"

namespace headscope
{

std::int64_t kvCacheBytes(const KvShape& shape, std::int64_t kvHeads, std::int64_t tokens, std::int64_t bytesPerNumber)
{
    return 2 * kvHeads * shape.headDim * bytesPerNumber * shape.layers * tokens;
}

const std::vector<KvShape>& knownKvShapes()
{
    static const std::vector<KvShape> shapes{
        {"SmolLM2-135M", 30, 9, 3, 64},  {"Qwen3-Embedding-0.6B", 28, 16, 8, 128},
        {"Gemma-2B", 18, 8, 1, 256},     {"Llama-2-7B", 32, 32, 32, 128},
        {"Falcon-7B", 32, 71, 1, 64},    {"SFR-Embedding-Mistral", 32, 32, 8, 128},
        {"Llama-3-8B", 32, 32, 8, 128},  {"Qwen3-Embedding-8B", 36, 32, 8, 128},
        {"Llama-3-70B", 80, 64, 8, 128},
    };
    return shapes;
}

KvShape kvShapeOf(const ModelInfo& model)
{
    return {model.name, model.layers, model.heads, model.kvHeads, model.headDim};
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

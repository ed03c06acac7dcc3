// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/cpu_attention.h"

#include "model/kernels/gemm.h"
#include "model/kernels/vector_loops.h"

#include <algorithm>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::int64_t kTile = 64; ///< queries at once: tile and keys of a document stay in the cache

/// Keys [begin, end) that a query may see.
struct KeyRange
{
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

KeyRange visibleKeys(std::int64_t position, std::int64_t tokens, const AttentionShape& shape)
{
    KeyRange range{0, tokens};
    if (const auto before = shape.before())
        range.begin = std::max<std::int64_t>(0, position - *before);
    if (const auto behind = shape.behind())
        range.end = std::min(tokens, position + *behind + 1);
    return range;
}

/// scores[i] = scale * scores[i] + what the bias [2 D + 1] says of the distance first + i.
void addDistanceBias(std::span<float> scores, float scale, std::int64_t first, std::span<const float> bias)
{
    const auto farthest = static_cast<std::int64_t>(bias.size() / 2);
    for (std::size_t i = 0; i < scores.size(); ++i)
    {
        const std::int64_t distance = std::clamp(first + static_cast<std::int64_t>(i), -farthest, farthest);
        scores[i] = scale * scores[i] + bias[static_cast<std::size_t>(distance + farthest)];
    }
}

/// The softmax of the keys that a query sees.
/// @param first  the distance of the first of them
void weigh(std::span<float> scores, const AttentionShape& shape, std::int64_t first, std::span<const float> bias)
{
    float scale = shape.scale;
    if (shape.softcap > 0)
        capTanh(scores, std::exchange(scale, 1.0F), shape.softcap);
    if (!bias.empty())
        addDistanceBias(scores, std::exchange(scale, 1.0F), first, bias);
    softmax(scores, scale);
}

} // namespace

void attendDocument(const AttentionTask& task, const AttentionShape& shape, DocumentIndex document,
                    const ProbabilitySink& probabilities, std::vector<float>& scratch, const std::stop_token& stop)
{
    const std::int64_t tokens = task.k.rows();
    const std::int64_t numQueries = task.q.rows();
    const std::int64_t dims = shape.headDim;
    const std::int64_t groupSize = shape.heads / shape.kvHeads;
    const std::int64_t scoreRows = std::min(kTile, numQueries);
    scratch.resize(std::max(scratch.size(), static_cast<std::size_t>(scoreRows * tokens)));

    for (std::int64_t head = 0; head < shape.heads; ++head)
    {
        const float* keys = task.k.data() + head / groupSize * dims;   // [T, Dh], stride of k
        const float* values = task.v.data() + head / groupSize * dims; // [T, Dh], stride of v
        const std::span<const float> bias =
            task.distanceBias.data() == nullptr ? std::span<const float>() : task.distanceBias.row(head);
        for (std::int64_t first = 0; first < numQueries && !stop.stop_requested(); first += kTile)
        {
            const std::int64_t rows = std::min(kTile, numQueries - first);
            const std::int64_t position = task.firstPosition + first;
            const std::int64_t begin = visibleKeys(position, tokens, shape).begin;
            const std::int64_t end = visibleKeys(position + rows - 1, tokens, shape).end;
            float* scores = scratch.data(); // [rows, T]
            gemmNT(rows, end - begin, dims, 1.0F, task.q.data() + first * task.q.stride() + head * dims,
                   task.q.stride(), keys + begin * task.k.stride(), task.k.stride(), 0.0F, scores + begin, tokens);
            for (std::int64_t i = 0; i < rows; ++i)
            {
                float* row = scores + i * tokens;
                const KeyRange seen = visibleKeys(position + i, tokens, shape);
                weigh({row + seen.begin, row + seen.end}, shape, seen.begin - (position + i), bias);
                std::fill(row + (probabilities ? 0 : begin), row + seen.begin, 0.0F);
                std::fill(row + seen.end, row + (probabilities ? tokens : end), 0.0F);
            }
            gemmNN(rows, dims, end - begin, 1.0F, scores + begin, tokens, values + begin * task.v.stride(),
                   task.v.stride(), 0.0F, task.z.data() + first * task.z.stride() + head * dims, task.z.stride());
            if (probabilities)
                probabilities(document, HeadIndex(head), TokenIndex(first), {scores, rows, tokens});
        }
    }
}

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/cpu_attention.h"

#include "model/kernels/gemm.h"
#include "model/kernels/skinny_gemm.h"
#include "model/kernels/vector_loops.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::int64_t kTile = 64; ///< queries at once: tile and keys of a document stay in the cache
constexpr std::int64_t kStep = 16; ///< queries of a tile that are multiplied by the same keys, where these are few
/// Up to as many keys the library adds up a product in one go, as narrowProduct does: the results are equal.
constexpr std::int64_t kNarrowKeys = 384;

std::int64_t paddedCount(std::int64_t count)
{
    return (count + kNarrowColumns - 1) / kNarrowColumns * kNarrowColumns;
}

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

/// One head of a document after another, a tile of queries at a time.
///
/// The products of a tile have 64 rows and, of most texts, some hundred columns: too few for a library, which copies
/// what it multiplies. They are made without copies, from keys that are transposed once for all heads of a group, and
/// only for the keys that some of 16 queries see. Long texts are left to the library.
class HeadAttention
{
public:
    HeadAttention(const AttentionTask& task, const AttentionShape& shape, std::vector<float>& scratch)
        : m_task(task), m_shape(shape), m_stride(paddedCount(task.k.rows())),
          m_transposes(task.q.rows() >= kStep && shape.headDim % kNarrowColumns == 0)
    {
        const std::int64_t scores = std::min(kTile, task.q.rows()) * m_stride;
        const std::int64_t keys = m_transposes ? shape.headDim * m_stride : 0;
        scratch.resize(std::max(scratch.size(), static_cast<std::size_t>(scores + keys)));
        m_scores = scratch.data();
        m_keys = scratch.data() + scores;
    }

    /// Goes on with a head; they come in order.
    void take(std::int64_t head)
    {
        const std::int64_t dims = m_shape.headDim;
        const std::int64_t groupSize = m_shape.heads / m_shape.kvHeads;
        const auto columnsOf = [dims](const auto& x, std::int64_t at) {
            return std::decay_t<decltype(x)>(x.data() + at * dims, x.rows(), dims, x.stride());
        };
        m_q = columnsOf(m_task.q, head);
        m_k = columnsOf(m_task.k, head / groupSize);
        m_v = columnsOf(m_task.v, head / groupSize);
        m_z = columnsOf(m_task.z, head);
        m_bias = m_task.distanceBias.data() == nullptr ? std::span<const float>() : m_task.distanceBias.row(head);
        if (m_transposes && head % groupSize == 0)
            transposeKeys();
    }

    /// Attends with the queries [first, first + rows).
    /// @return their probabilities where `all` of them are wanted, [rows, T]
    ConstMatrixView tile(std::int64_t first, std::int64_t rows, bool all)
    {
        const std::int64_t tokens = m_k.rows();
        const KeyRange seen = seenByTile(first, rows);
        if (m_transposes && rows >= kStep && seen.end - seen.begin <= kNarrowKeys)
        {
            for (std::int64_t step = first; step < first + rows; step += kStep)
                narrowStep(step, std::min(kStep, first + rows - step), m_scores + (step - first) * m_stride, all);
        }
        else
            wholeTile(first, rows, seen, all);
        for (std::int64_t i = 1; all && i < rows; ++i) // without gaps
            std::copy_n(m_scores + i * m_stride, tokens, m_scores + i * tokens);
        return {m_scores, rows, tokens};
    }

private:
    void transposeKeys()
    {
        const std::int64_t tokens = m_k.rows();
        for (std::int64_t begin = 0; begin < m_stride; begin += kNarrowColumns)
        {
            const std::int64_t count = std::min(kNarrowColumns, tokens - begin);
            for (std::int64_t i = 0; i < m_shape.headDim; ++i)
            {
                float* to = m_keys + i * m_stride + begin;
                const float* from = m_k.data() + begin * m_k.stride() + i;
                for (std::int64_t t = 0; t < count; ++t)
                    to[t] = from[t * m_k.stride()];
                std::fill(to + count, to + kNarrowColumns, 0.0F);
            }
        }
    }

    /// Keys that some of these queries see.
    [[nodiscard]] KeyRange seenByTile(std::int64_t first, std::int64_t rows) const
    {
        const std::int64_t position = m_task.firstPosition + first;
        return {visibleKeys(position, m_k.rows(), m_shape).begin,
                visibleKeys(position + rows - 1, m_k.rows(), m_shape).end};
    }

    void narrowStep(std::int64_t first, std::int64_t rows, float* scores, bool all)
    {
        const KeyRange seen = seenByTile(first, rows);
        const std::int64_t begin = seen.begin / kNarrowColumns * kNarrowColumns;
        const std::int64_t columns = paddedCount(seen.end) - begin;
        narrowProduct(rows, columns, m_shape.headDim, m_q.row(first).data(), m_q.stride(), 1, m_keys + begin, m_stride,
                      scores + begin, m_stride);
        weighRows(first, rows, scores, seen, all);
        narrowProduct(rows, m_shape.headDim, seen.end - seen.begin, scores + seen.begin, m_stride, 1,
                      m_v.row(seen.begin).data(), m_v.stride(), m_z.row(first).data(), m_z.stride());
    }

    void wholeTile(std::int64_t first, std::int64_t rows, const KeyRange& seen, bool all)
    {
        const std::int64_t keys = seen.end - seen.begin;
        float* scores = m_scores + seen.begin; // [rows, T]
        gemmNT(rows, keys, m_shape.headDim, 1.0F, m_q.row(first).data(), m_q.stride(), m_k.row(seen.begin).data(),
               m_k.stride(), 0.0F, scores, m_stride);
        weighRows(first, rows, m_scores, seen, all);
        gemmNN(rows, m_shape.headDim, keys, 1.0F, scores, m_stride, m_v.row(seen.begin).data(), m_v.stride(), 0.0F,
               m_z.row(first).data(), m_z.stride());
    }

    /// Turns scores [rows, T] into probabilities; 0 where a query sees nothing, of all keys or of those some query
    /// sees.
    void weighRows(std::int64_t first, std::int64_t rows, float* scores, const KeyRange& some, bool all) const
    {
        for (std::int64_t i = 0; i < rows; ++i)
        {
            const std::int64_t position = m_task.firstPosition + first + i;
            float* row = scores + i * m_stride;
            const KeyRange seen = visibleKeys(position, m_k.rows(), m_shape);
            weigh({row + seen.begin, row + seen.end}, m_shape, seen.begin - position, m_bias);
            std::fill(row + (all ? 0 : some.begin), row + seen.begin, 0.0F);
            std::fill(row + seen.end, row + (all ? m_k.rows() : some.end), 0.0F);
        }
    }

    const AttentionTask& m_task;
    const AttentionShape& m_shape;
    std::int64_t m_stride; ///< of scores and transposed keys
    bool m_transposes;
    float* m_scores = nullptr; ///< [kTile, T]
    float* m_keys = nullptr;   ///< [Dh, T]
    ConstMatrixView m_q;
    ConstMatrixView m_k;
    ConstMatrixView m_v;
    MatrixView<float> m_z;
    std::span<const float> m_bias;
};

} // namespace

void attendDocument(const AttentionTask& task, const AttentionShape& shape, DocumentIndex document,
                    const ProbabilitySink& probabilities, std::vector<float>& scratch, const std::stop_token& stop)
{
    const bool all = probabilities != nullptr;
    HeadAttention attention(task, shape, scratch);
    for (std::int64_t head = 0; head < shape.heads; ++head)
    {
        attention.take(head);
        for (std::int64_t first = 0; first < task.q.rows() && !stop.stop_requested(); first += kTile)
        {
            const ConstMatrixView found = attention.tile(first, std::min(kTile, task.q.rows() - first), all);
            if (all)
                probabilities(document, HeadIndex(head), TokenIndex(first), found);
        }
    }
}

} // namespace headscope

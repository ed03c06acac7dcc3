// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/attention/attention_thumbnails.h"

#include "model/base/assert.h"

#include <algorithm>
#include <utility>

namespace headscope
{

AttentionThumbnails::AttentionThumbnails(AttentionText text, std::int64_t heads, std::int64_t side)
    : m_text(std::move(text)), m_side(sideOf(side, m_text.tokens)), m_sums(heads, m_side * m_side),
      m_counts(heads, m_side * m_side)
{}

std::int64_t AttentionThumbnails::sideOf(std::int64_t side, std::int64_t tokens)
{
    return std::min(side, tokens);
}

std::int64_t AttentionThumbnails::beginOf(std::int64_t pixel) const
{
    return pixel * m_text.tokens / m_side;
}

void AttentionThumbnails::add(HeadIndex head, TokenIndex first, ConstMatrixView rows)
{
    HEADSCOPE_ASSERT(head.value() >= 0 && head.value() < m_sums.rows() && rows.cols() == m_text.tokens &&
                     first.value() + rows.rows() <= m_text.tokens);
    const auto sums = m_sums.row(head.value());
    const auto counts = m_counts.row(head.value());
    std::int64_t down = 0; // the pixel row that the query lies in
    for (std::int64_t r = 0; r < rows.rows(); ++r)
    {
        const std::int64_t query = first.value() + r;
        while (beginOf(down + 1) <= query)
            ++down;
        const TokenRange seen = m_text.visible(query);
        const auto row = rows.row(r);
        for (std::int64_t across = 0; across < m_side; ++across)
        {
            const std::int64_t begin = std::max(beginOf(across), seen.begin);
            const std::int64_t end = std::min(beginOf(across + 1), seen.end);
            double sum = 0;
            for (std::int64_t key = begin; key < end; ++key)
                sum += static_cast<double>(row[static_cast<std::size_t>(key)]);
            const auto pixel = static_cast<std::size_t>(down * m_side + across);
            sums[pixel] += sum;
            counts[pixel] += static_cast<double>(std::max<std::int64_t>(0, end - begin));
        }
    }
}

MatrixF AttentionThumbnails::take() const
{
    MatrixF means(m_sums.rows(), m_sums.cols());
    std::ranges::transform(m_sums.values(), m_counts.values(), means.values().begin(),
                           [](double sum, double count) { return count > 0 ? static_cast<float>(sum / count) : 0.0F; });
    return means;
}

} // namespace headscope

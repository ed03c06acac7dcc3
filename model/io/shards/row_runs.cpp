// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/shards/row_runs.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace headscope
{
namespace
{

std::vector<std::size_t> allRows(std::size_t count)
{
    std::vector<std::size_t> rows(count);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return rows;
}

} // namespace

RowRuns::RowRuns(std::span<const std::int64_t> index) : RowRuns(index, allRows(index.size())) {}

RowRuns::RowRuns(std::span<const std::int64_t> index, std::vector<std::size_t> rows) : m_order(std::move(rows))
{
    std::stable_sort(m_order.begin(), m_order.end(),
                     [&index](std::size_t a, std::size_t b) { return index[a] < index[b]; });
    for (std::size_t begin = 0; begin < m_order.size();)
    {
        std::size_t end = begin + 1;
        while (end < m_order.size() && index[m_order[end]] == index[m_order[end - 1]] + 1)
            ++end;
        m_runs.push_back({index[m_order[begin]], std::span(m_order).subspan(begin, end - begin)});
        begin = end;
    }
}

std::span<const std::byte> RowRuns::gathered(const RowRun& run, std::span<const std::byte> raw, std::size_t rowBytes,
                                             std::vector<std::byte>& scratch)
{
    const auto follow = [](std::size_t a, std::size_t b) { return b != a + 1; };
    if (std::adjacent_find(run.rows.begin(), run.rows.end(), follow) == run.rows.end())
        return raw.subspan(run.rows.front() * rowBytes, run.rows.size() * rowBytes);
    scratch.clear();
    for (const std::size_t row : run.rows)
    {
        const auto bytes = raw.subspan(row * rowBytes, rowBytes);
        scratch.insert(scratch.end(), bytes.begin(), bytes.end());
    }
    return scratch;
}

void RowRuns::scatter(const RowRun& run, std::span<const std::byte> rows, std::size_t rowBytes,
                      std::span<std::byte> raw)
{
    for (std::size_t i = 0; i < run.rows.size(); ++i)
        std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(i * rowBytes), rowBytes,
                    raw.begin() + static_cast<std::ptrdiff_t>(run.rows[i] * rowBytes));
}

} // namespace headscope

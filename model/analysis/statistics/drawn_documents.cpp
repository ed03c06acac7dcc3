// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/statistics/drawn_documents.h"

#include "model/analysis/statistics/draws.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace headscope
{

std::vector<std::int64_t> drawnDocuments(const DocumentSet& documents, std::span<const std::int64_t> candidates,
                                         std::int64_t most, std::uint64_t seed)
{
    std::vector<std::int64_t> rows(candidates.begin(), candidates.end());
    if (rows.empty())
    {
        rows.resize(documents.ids.size());
        std::iota(rows.begin(), rows.end(), 0);
    }
    std::erase_if(rows, [&documents](std::int64_t row) {
        const auto at = static_cast<std::size_t>(row);
        return at >= documents.texts.size() || documents.texts[at].empty() ||
               (at < documents.flags.size() && hasFlag(documents.flags[at], DocumentFlag::Empty));
    });
    const Draws draws(seed);
    const auto count = std::ssize(rows);
    const std::int64_t taken = std::clamp<std::int64_t>(most, 0, count);
    for (std::int64_t i = 0; i < taken; ++i) // the first steps of a shuffle
    {
        const std::int64_t other = i + draws.below(static_cast<std::uint64_t>(i), count - i);
        std::swap(rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(other)]);
    }
    rows.resize(static_cast<std::size_t>(taken));
    std::ranges::sort(rows);
    return rows;
}

} // namespace headscope

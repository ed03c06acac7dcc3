// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers that the .cpp files of the head set measures share; not for other code.
#pragma once

#include "model/base/result.h"
#include "model/data/head_vectors.h"

#include <fmt/format.h>

#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

/// The heads that are kept once these were flipped, ascending.
[[nodiscard]] inline std::vector<std::int64_t> headsAfter(std::vector<bool> kept, std::span<const std::int64_t> flips)
{
    for (const std::int64_t head : flips)
        kept[static_cast<std::size_t>(head)] = !kept[static_cast<std::size_t>(head)];
    std::vector<std::int64_t> heads;
    for (std::size_t head = 0; head < kept.size(); ++head)
        if (kept[head])
            heads.push_back(static_cast<std::int64_t>(head));
    return heads;
}

[[nodiscard]] inline std::int64_t sumOf(std::span<const std::int32_t> scores)
{
    return std::accumulate(scores.begin(), scores.end(), std::int64_t{0});
}

[[nodiscard]] inline double shareOf(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

[[nodiscard]] inline Status checkSameHeads(const HeadVectors& documents, const HeadVectors& others,
                                           std::string_view what)
{
    if (documents.heads() == others.heads() && documents.dims() == others.dims())
        return {};
    return Error{ErrorCode::ShapeMismatch,
                 fmt::format("expected {} vectors of {} heads x {}, found {} x {}", what, documents.heads(),
                             documents.dims(), others.heads(), others.dims()),
                 {},
                 std::string(what)};
}

} // namespace headscope

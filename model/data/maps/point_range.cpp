// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/maps/point_range.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope
{

std::optional<std::size_t> firstOutside(std::span<const std::int32_t> indices, std::int64_t count)
{
    const auto found =
        std::ranges::find_if(indices, [count](std::int32_t index) { return index < 0 || index >= count; });
    if (found == indices.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - indices.begin());
}

Status expectPointsOf(const PointIds& points, std::int64_t documents, std::optional<std::int64_t> heads,
                      std::string_view map)
{
    std::optional<std::size_t> point = firstOutside(points.document, documents);
    if (!point && heads)
        point = firstOutside(points.head, *heads); // the full vector is of no head
    if (!point)
        return {};
    const std::string found = *point < points.head.size() ? fmt::format(", head {}", points.head[*point]) : "";
    const std::string known = heads ? fmt::format(" and {} heads", *heads) : "";
    return Error{ErrorCode::ShapeMismatch,
                 fmt::format("expected points of {} documents{}, found document {}{}", documents, known,
                             points.document[*point], found),
                 {},
                 fmt::format("map {}, point {}", map, *point)};
}

} // namespace headscope

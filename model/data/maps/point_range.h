// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/head_vectors.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace headscope
{

/// Position of the first index outside [0, count); nothing when all are inside.
[[nodiscard]] std::optional<std::size_t> firstOutside(std::span<const std::int32_t> indices, std::int64_t count);

/// Checks that every point is one of these documents and heads. Called where a map is combined with data that it is
/// shown or written with, so that its indices can be used unchecked from there on.
/// @param heads  nothing: heads are not checked
/// @param map    its name, for the error
/// @errors ShapeMismatch (with the first point that is not)
/// @cost   one look at each point
[[nodiscard]] Status expectPointsOf(const PointIds& points, std::int64_t documents, std::optional<std::int64_t> heads,
                                    std::string_view map);

} // namespace headscope

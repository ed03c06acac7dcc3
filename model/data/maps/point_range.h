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

/// The first of these that is none of `count` things counted from 0, as its place; nothing when all are.
[[nodiscard]] std::optional<std::size_t> firstOutside(std::span<const std::int32_t> indices, std::int64_t count);

/// Whether every point is one of so many documents and heads: asked where a map meets what it is shown or written
/// with, so that what follows may use its indices as they are.
/// @param heads  nothing: they index nothing here
/// @param map    its name, for the error
/// @errors ShapeMismatch (with the first point that is not)
/// @cost   one look at each point
[[nodiscard]] Status expectPointsOf(const PointIds& points, std::int64_t documents, std::optional<std::int64_t> heads,
                                    std::string_view map);

} // namespace headscope

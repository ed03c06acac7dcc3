// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace headscope
{

/// Names that a notice lists; further ones are only counted.
inline constexpr std::size_t kMostNamed = 10;

/// "d3, d7, ...": the first names.
/// @param names  all, or at least the first kMostNamed
/// @param count  how many there are
[[nodiscard]] std::string firstNames(std::span<const std::string> names, std::size_t count);

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

namespace headscope
{

/// The share of neighbours that two maps without anything in common keep: k of the P - 1 others.
[[nodiscard]] constexpr double chanceKept(std::int64_t neighbors, std::int64_t points)
{
    return points > 1 ? std::min(1.0, static_cast<double>(neighbors) / static_cast<double>(points - 1)) : 1.0;
}

/// The share that two maps keep which know nothing but the class (the head or segment) of each point: the neighbours on
/// both drawn at random among the points of the same class. Mean over points.
/// @param classes  [P] from 0
/// @return  nothing where there are fewer than two classes, or where a class has no more points than there
///          are neighbours and one: then some of them are of other classes
[[nodiscard]] std::optional<double> keptWithinClasses(std::int64_t neighbors, std::span<const std::int32_t> classes);

} // namespace headscope

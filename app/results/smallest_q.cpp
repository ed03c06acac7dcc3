// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/smallest_q.h"

#include <fmt/format.h>

namespace headscope
{

std::string smallestQText(std::int64_t rows, std::int64_t permutations)
{
    constexpr double kLevel = 0.05;
    const double smallest = static_cast<double>(rows) / static_cast<double>(permutations + 1);
    if (permutations < 1 || smallest <= kLevel)
        return {};
    return fmt::format("With {} rows and {} permutations, q cannot fall below {:.2g} if only one row differs; "
                       "--permutations {} allows smaller values.\n",
                       rows, permutations, smallest, 20 * rows - 1);
}

} // namespace headscope

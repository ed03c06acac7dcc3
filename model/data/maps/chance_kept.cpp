// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/maps/chance_kept.h"

#include <map>

namespace headscope
{

std::optional<double> keptWithinClasses(std::int64_t neighbors, std::span<const std::int32_t> classes)
{
    std::map<std::int32_t, std::int64_t> counts;
    for (const std::int32_t each : classes)
        ++counts[each];
    if (counts.size() < 2)
        return std::nullopt;
    double sum = 0;
    for (const auto& [number, count] : counts)
    {
        if (count <= neighbors)
            return std::nullopt;
        sum += static_cast<double>(count) * chanceKept(neighbors, count);
    }
    return sum / static_cast<double>(classes.size());
}

} // namespace headscope

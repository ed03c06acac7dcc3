// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/switch_off_results.h"

#include <algorithm>

namespace headscope
{

std::optional<std::size_t> SwitchOffResult::placeOf(std::int64_t row) const
{
    const auto found = std::ranges::lower_bound(documents, row);
    if (found == documents.end() || *found != row)
        return std::nullopt;
    return static_cast<std::size_t>(found - documents.begin());
}

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/first_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace headscope
{

std::string firstNames(std::span<const std::string> names, std::size_t count)
{
    return fmt::format("{}{}", fmt::join(names.first(std::min(kMostNamed, names.size())), ", "),
                       count > kMostNamed ? ", ..." : "");
}

} // namespace headscope

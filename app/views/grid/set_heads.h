// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map_set.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace headscope::desktop
{

/// The heads that a set has maps of, 0-based, ascending.
[[nodiscard]] std::vector<std::int64_t> headsOf(const HeadMapSet& set);

/// The maps of these heads and of the full vector; the set itself when it has no others.
/// @param heads  0-based, ascending
[[nodiscard]] std::shared_ptr<const HeadMapSet> withHeads(const std::shared_ptr<const HeadMapSet>& set,
                                                          const std::vector<std::int64_t>& heads);

} // namespace headscope::desktop

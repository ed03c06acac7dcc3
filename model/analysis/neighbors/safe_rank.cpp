// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/neighbors/safe_rank.h"

#include <cmath>

namespace headscope
{

std::int64_t safeRank(std::int64_t k, double share)
{
    // How many of the k nearest are in the sample follows the binomial distribution.
    const double odds = share / (1 - share);
    double chance = std::pow(1 - share, static_cast<double>(k));
    double more = 1 - chance;
    std::int64_t held = 0;
    for (; held < k && more > kMissedShare; ++held)
    {
        chance *= odds * static_cast<double>(k - held) / static_cast<double>(held + 1);
        more -= chance;
    }
    return held + 2;
}

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headscope
{

/// A two-sided interval.
struct Interval
{
    double low = 0;
    double high = 0;
};

/// Wilson's 95 % interval of a share, `hits` of `count` independent trials; [0, 1] when count is 0.
/// Unlike the normal approximation it stays inside [0, 1] and has a width at 0 and 1.
/// @source Wilson 1927, JASA 22, 209-212 (doi 10.1080/01621459.1927.10502953)
[[nodiscard]] Interval wilsonInterval(std::int64_t hits, std::int64_t count);

/// 95 % interval of a share by bootstrap over documents: quantiles of the share in `resamples`
/// draws of `count` documents with replacement.
/// @param hits   documents that count, 0..count
/// @return NaN twice when count is 0
/// @cost   resamples x count random numbers
[[nodiscard]] Interval bootstrapShare(std::int64_t hits, std::int64_t count, std::uint64_t seed = 1,
                                      int resamples = 1000);

} // namespace headscope

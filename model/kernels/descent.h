// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headscope
{

/// What one step of a t-SNE needs beside its arrays.
struct DescentRates
{
    float rate = 0;
    float momentum = 0;
    float longest = 0; ///< step of one point
};

struct DescentSums
{
    double x = 0; ///< sum of the new positions
    double y = 0;
    std::int64_t clipped = 0; ///< steps that were longer
};

/// One step of momentum descent over points [x, y, x, y, ...].
///
/// gain += 0.2 where gradient and velocity differ in sign, else x 0.8, at least 0.01;
/// velocity = momentum velocity - rate gain gradient, cut to `longest` per point; position += velocity.
/// A point whose step leaves float32 stays where it is.
/// @threads reentrant on separate points
DescentSums descend(const float* gradient, float* gain, float* velocity, float* xy, std::int64_t points,
                    const DescentRates& rates);

} // namespace headscope

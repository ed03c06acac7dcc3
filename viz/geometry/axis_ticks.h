// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace headscope::viz
{

/// Places on an axis and how to write them.
struct AxisTicks
{
    std::vector<double> values; ///< ascending, inside the range
    double step = 0;
    int decimals = 0; ///< digits after the point that the step needs

    /// The value as the axis writes it: point as decimal sign, a true minus sign, no "-0".
    [[nodiscard]] QString label(double value) const;
};

/// Round numbers (1, 2 or 5 times a power of ten apart), about `wanted` of them, inside low..high.
/// A range without extent, or one that is not finite, gives one tick or none.
[[nodiscard]] AxisTicks axisTicks(double low, double high, int wanted = 5);

} // namespace headscope::viz

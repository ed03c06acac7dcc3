// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/geometry/axis_ticks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace headscope::viz
{

QString AxisTicks::label(double value) const
{
    const double smallest = std::pow(10.0, -decimals) / 2;
    QString text = QString::number(std::abs(value) < smallest ? 0.0 : value, 'f', decimals);
    return text.replace(QLatin1Char('-'), QChar(0x2212));
}

AxisTicks axisTicks(double low, double high, int wanted)
{
    AxisTicks ticks;
    if (!std::isfinite(low) || !std::isfinite(high) || low > high || wanted < 1)
        return ticks;
    const double extent = high - low;
    if (extent <= 0 || extent < 1e-12 * std::max(std::abs(low), std::abs(high)))
    {
        ticks.values.push_back(low);
        ticks.decimals = low == std::floor(low) ? 0 : 3;
        return ticks;
    }
    const double rough = extent / wanted;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    const double share = rough / power; // 1 .. 10
    ticks.step = power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
    ticks.decimals = static_cast<int>(std::clamp(-std::floor(std::log10(ticks.step) + 1e-9), 0.0, 12.0));
    constexpr double kSlack = 1e-9; // an end that is a tick up to rounding is a tick
    const auto first = static_cast<std::int64_t>(std::ceil(low / ticks.step - kSlack));
    const auto last = static_cast<std::int64_t>(std::floor(high / ticks.step + kSlack));
    for (std::int64_t i = first; i <= last; ++i)
        ticks.values.push_back(static_cast<double>(i) * ticks.step);
    return ticks;
}

} // namespace headscope::viz

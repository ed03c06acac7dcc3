// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/color/color_scale.h"

#include "viz/color/oklab.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace headscope::viz
{
namespace
{

/// Value at a share of the sorted order, between two values where the share falls between them.
double quantile(std::vector<float>& values, double share)
{
    const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const auto nth = values.begin() + static_cast<std::ptrdiff_t>(below);
    std::nth_element(values.begin(), nth, values.end());
    const double low = *nth;
    const double high = nth + 1 == values.end() ? low : *std::min_element(nth + 1, values.end());
    return std::lerp(low, high, place - static_cast<double>(below));
}

} // namespace

std::optional<ScaleLimits> robustLimits(std::span<const float> values, double lowShare, double highShare)
{
    std::vector<float> finite;
    finite.reserve(values.size());
    std::copy_if(values.begin(), values.end(), std::back_inserter(finite), [](float v) { return std::isfinite(v); });
    if (finite.empty())
        return std::nullopt;
    const double low = quantile(finite, lowShare);
    const double high = quantile(finite, highShare);
    const double apart = std::max(1e-6, 1e-6 * std::max(std::abs(low), std::abs(high)));
    if (high - low < apart)
        return ScaleLimits{low - apart / 2, high + apart / 2};
    return ScaleLimits{low, high};
}

ScaleLimits roundedOutwards(ScaleLimits limits)
{
    const double extent = limits.high - limits.low;
    if (!std::isfinite(extent) || extent <= 0)
        return limits;
    const double unit = std::pow(10.0, std::floor(std::log10(extent)) - 1.0);
    const double step = extent / unit > 40 ? 5 * unit : unit;
    // The small slack keeps 0.8 from becoming 0.85 by its last binary digit.
    return {std::floor(limits.low / step + 1e-6) * step, std::ceil(limits.high / step - 1e-6) * step};
}

ColorScale::ColorScale(ColorMap map, ScaleLimits limits) : m_map(std::move(map)), m_limits(limits) {}

ColorScale::ColorScale(ColorMap map, ScaleLimits limits, double centre)
    : m_map(std::move(map)), m_limits(limits), m_centre(centre)
{}

double ColorScale::position(double value) const
{
    if (std::isnan(value))
        return value;
    if (m_centre)
    {
        const double arm = std::max(m_limits.high - *m_centre, *m_centre - m_limits.low);
        return arm > 0 ? std::clamp(0.5 + (value - *m_centre) / (2 * arm), 0.0, 1.0) : 0.5;
    }
    const double extent = m_limits.high - m_limits.low;
    return extent > 0 ? std::clamp((value - m_limits.low) / extent, 0.0, 1.0) : 0.5;
}

QRgb ColorScale::color(double value) const
{
    return m_map.at(position(std::clamp(value, m_limits.low, m_limits.high)));
}

ColorScale scaleOf(const ScaleChoice& choice, InkTheme theme)
{
    if (choice.kind == ScaleChoice::Kind::Sequential)
        return {sequentialMap(theme), choice.limits};
    return {divergingMap(theme), choice.limits, std::clamp(choice.centre, choice.limits.low, choice.limits.high)};
}

ColorTable::ColorTable(const ColorScale& scale, double wash, QColor towards) : m_limits(scale.limits())
{
    for (int i = 0; i < ColorMap::kSteps; ++i)
    {
        const QColor plain = QColor::fromRgb(scale.map().step(i));
        m_steps[static_cast<std::size_t>(i)] = wash > 0 ? mixed(plain, towards, wash).rgb() : plain.rgb();
    }
    if (const auto centre = scale.centre())
    {
        m_start = 0.5;
        m_origin = *centre;
        m_extent = 2 * std::max(m_limits.high - *centre, *centre - m_limits.low);
    }
    else
    {
        m_origin = m_limits.low;
        m_extent = m_limits.high - m_limits.low;
    }
    if (!(m_extent > 0)) // all values are alike: the middle
    {
        m_start = 0.5;
        m_extent = std::numeric_limits<double>::infinity();
    }
}

} // namespace headscope::viz

// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/atlas/head_dots.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr std::size_t kNamedAtAnEnd = 3;

/// The range of the dots, with room around them.
DotAxis axisOf(const HeadMeasure& measure, std::vector<double> values)
{
    DotAxis axis;
    axis.title = measureTitle(measure);
    axis.whole = measure.kind == MeasureKind::Place || measure.groups;
    axis.chance = measure.chance;
    if (values.empty())
        return axis;
    if (std::isfinite(axis.chance)) // to be seen where it is
        values.push_back(axis.chance);
    const auto [low, high] = std::ranges::minmax(values);
    constexpr double kRoom = 0.05;
    const double around = axis.whole           ? 0.7
                          : high - low > 0     ? kRoom * (high - low)
                          : std::abs(high) > 0 ? kRoom * std::abs(high)
                                               : 1.0;
    axis.low = low - around;
    axis.high = high + around;
    return axis;
}

std::vector<double> column(const std::vector<HeadDot>& dots, double HeadDot::*value)
{
    std::vector<double> values;
    for (const HeadDot& dot : dots)
        values.push_back(dot.*value);
    return values;
}

/// The first at both ends of an axis.
void addExtremes(const std::vector<HeadDot>& dots, double HeadDot::*value, std::set<std::size_t>& named)
{
    std::vector<std::size_t> order(dots.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t dot) { return dots[dot].*value; });
    for (std::size_t i = 0; i < std::min(kNamedAtAnEnd, order.size()); ++i)
    {
        named.insert(order[i]);
        named.insert(order[order.size() - 1 - i]);
    }
}

void setSizes(HeadDots& found, const HeadMeasure& measure)
{
    std::vector<float> values;
    for (const HeadDot& dot : found.dots)
        values.push_back(static_cast<float>(measure.at(dot.head.layer, dot.head.head)));
    const auto limits = robustLimits(values, 0.02, 0.98);
    if (!limits)
        return;
    found.sizeTitle = measureTitle(measure);
    found.sizeLow = limits->low;
    found.sizeHigh = limits->high;
    for (std::size_t i = 0; i < values.size(); ++i)
        found.dots[i].size = std::isfinite(values[i])
                                 ? std::clamp((values[i] - limits->low) / (limits->high - limits->low), 0.0, 1.0)
                                 : 0;
}

} // namespace

std::optional<std::size_t> HeadDots::indexOf(const HeadPlace& head) const
{
    const auto at = std::ranges::lower_bound(dots, head, {}, &HeadDot::head);
    if (at == dots.end() || at->head != head)
        return std::nullopt;
    return static_cast<std::size_t>(at - dots.begin());
}

HeadDots headDots(const HeadMeasures& measures, const AtlasChoice& choice, const ModelInfo& info,
                  const HeadPalette& palette)
{
    HeadDots found;
    found.all = measures.count();
    const HeadMeasure* const x = measures.find(choice.x);
    const HeadMeasure* const y = measures.find(choice.y);
    if (x == nullptr || y == nullptr)
        return found;
    for (std::int64_t layer = 0; layer < measures.layers; ++layer)
        for (std::int64_t head = 0; head < measures.heads; ++head)
            if (x->has(layer, head) && y->has(layer, head))
                found.dots.push_back({{layer, head},
                                      x->at(layer, head),
                                      y->at(layer, head),
                                      0.5,
                                      x->intervalAt(layer, head),
                                      y->intervalAt(layer, head)});
    found.x = axisOf(*x, column(found.dots, &HeadDot::x));
    found.y = axisOf(*y, column(found.dots, &HeadDot::y));
    if (const HeadMeasure* const size = measures.find(choice.size))
        setSizes(found, *size);
    found.colors = headColors(measures, choice.color, info, palette);
    std::set<std::size_t> named;
    if (!found.x.whole)
        addExtremes(found.dots, &HeadDot::x, named);
    if (!found.y.whole)
        addExtremes(found.dots, &HeadDot::y, named);
    found.extremes.assign(named.begin(), named.end());
    return found;
}

} // namespace headscope::viz

// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/attention/shown_weights.h"

#include "viz/color/oklab.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headscope::viz
{
namespace
{

ColorMap makeMap(InkTheme theme)
{
    std::array<QRgb, ColorMap::kSteps> steps{};
    const bool light = theme == InkTheme::Light;
    const Oklch ground = toOklch(inks(theme).background);
    for (std::size_t i = 0; i < steps.size(); ++i)
    {
        const double t = static_cast<double>(i) / (ColorMap::kSteps - 1);
        // The background, a pale teal, blue, deep violet; in the dark the same hues the other way round.
        const double lightness = std::lerp(ground.lightness, light ? 0.24 : 0.95, t);
        const double chroma = 0.12 * std::sin(3.1416 * std::pow(t, 0.75) * 0.86);
        const double hue = light ? std::lerp(172.0, 292.0, t * t) : std::lerp(230.0, 150.0, t);
        steps[i] = fromOklch({lightness, std::max(0.0, chroma), hue}).rgb();
    }
    steps[0] = inks(theme).background.rgb();
    return ColorMap(steps);
}

} // namespace

const ColorMap& attentionMap(InkTheme theme)
{
    static const ColorMap light = makeMap(InkTheme::Light);
    static const ColorMap dark = makeMap(InkTheme::Dark);
    return theme == InkTheme::Light ? light : dark;
}

double attentionPlace(double share)
{
    return share > 0 ? std::sqrt(std::min(share, 1.0)) : 0.0;
}

QRgb attentionColor(double share, InkTheme theme)
{
    return attentionMap(theme).at(attentionPlace(share));
}

QColor unwrittenColor(InkTheme theme)
{
    return mixed(inks(theme).background, inks(theme).secondary, theme == InkTheme::Light ? 0.07 : 0.16);
}

QColor takenOutColor(InkTheme theme)
{
    return mixed(inks(theme).background, inks(theme).secondary, theme == InkTheme::Light ? 0.2 : 0.38);
}

ShownWeights::ShownWeights(std::shared_ptr<const MatrixF> rows, bool causal, bool withoutFirst)
    : m_rows(std::move(rows)), m_causal(causal), m_withoutFirst(withoutFirst)
{
    m_factors.assign(static_cast<std::size_t>(count()), 1.0F);
    if (!withoutFirst)
        return;
    for (std::int64_t row = 0; row < count(); ++row)
        m_factors[static_cast<std::size_t>(row)] =
            static_cast<float>(factorWithoutFirst(std::as_const(*m_rows).row(row)));
}

} // namespace headscope::viz

// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/color/category_palette.h"

#include "viz/color/oklab.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace headscope::viz
{
namespace
{

/// Okabe and Ito's colours for all eyes, "Color Universal Design", 2008, with black softened to a
/// slate and yellow moved to the end.
constexpr std::array<QRgb, 8> kFirst = {0xff0072b2, 0xffe69f00, 0xff009e73, 0xffd55e00,
                                        0xffcc79a7, 0xff56b4e9, 0xff3b4048, 0xfff0e442};
constexpr std::size_t kMostColors = 64;

/// A colour as it looks to normal and to red-green blind eyes.
struct Sight
{
    Oklab normal;
    Oklab deuteranopic;
};

double distance(const Oklab& a, const Oklab& b)
{
    return std::hypot(a.lightness - b.lightness, a.a - b.a, a.b - b.b);
}

double distance(const Sight& a, const Sight& b)
{
    return distance(a.normal, b.normal) + 0.5 * distance(a.deuteranopic, b.deuteranopic);
}

Sight sightOf(const QColor& color)
{
    return {toOklab(color), toOklab(simulated(color, Deficiency::Deuteranopia))};
}

struct Candidate
{
    QColor color;
    Sight sight;
    double nearest = 1e9; ///< distance to the nearest colour that is taken
};

/// Colours strong enough for small dots on the theme's background.
std::vector<Candidate> candidates(Theme theme)
{
    const double lift = theme == Theme::Light ? 0.0 : 0.12;
    std::vector<Candidate> all;
    for (const double lightness : {0.36, 0.48, 0.60, 0.72, 0.82})
        for (const double chroma : {0.06, 0.12, 0.19})
            for (int hue = 0; hue < 360; hue += 15)
            {
                const QColor color = fromOklch({std::min(0.9, lightness + lift), chroma, static_cast<double>(hue)});
                all.push_back({color, sightOf(color)});
            }
    return all;
}

} // namespace

CategoryPalette::CategoryPalette(std::int64_t count, Theme theme)
    : m_count(std::max<std::int64_t>(0, count)), m_none(inks(theme).missing)
{
    const std::size_t wanted = std::min(kMostColors, static_cast<std::size_t>(m_count));
    for (const QRgb rgb : kFirst)
    {
        Oklch color = toOklch(QColor(rgb));
        if (theme == Theme::Dark)
            color.lightness = color.chroma < 0.03 ? 0.95 : 0.30 + 0.68 * color.lightness;
        m_colors.push_back(theme == Theme::Light ? QColor(rgb) : fromOklch(color));
    }
    if (wanted <= m_colors.size())
        return;
    std::vector<Candidate> pool = candidates(theme);
    const auto take = [&pool](const QColor& color) {
        const Sight taken = sightOf(color);
        for (Candidate& candidate : pool)
            candidate.nearest = std::min(candidate.nearest, distance(candidate.sight, taken));
    };
    take(m_none);
    take(inks(theme).background);
    for (const QColor& color : m_colors)
        take(color);
    while (m_colors.size() < wanted)
    {
        const auto farthest = std::max_element(
            pool.begin(), pool.end(), [](const Candidate& a, const Candidate& b) { return a.nearest < b.nearest; });
        m_colors.push_back(farthest->color);
        take(QColor(m_colors.back()));
    }
}

QColor CategoryPalette::color(std::int64_t code) const
{
    if (code < 0 || m_colors.empty())
        return m_none;
    return m_colors[static_cast<std::size_t>(code) % m_colors.size()];
}

} // namespace headscope::viz

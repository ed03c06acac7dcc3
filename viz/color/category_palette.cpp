// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/color/category_palette.h"

#include "viz/color/color_difference.h"
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
constexpr std::size_t kMaxColors = 64;
/// Each has a contrast of 4.5 or more with its ground (WCAG 2.1) and keeps its distance from the others
/// to all eyes: ink, blue, red and ochre.
constexpr std::array<QRgb, 4> kStrongOnLight = {0xff000000, 0xff1060d0, 0xffa8003c, 0xff8a7000};
constexpr std::array<QRgb, 4> kStrongOnDark = {0xffffffff, 0xff5fb0ff, 0xffff6f7f, 0xffe8c02a};
/// Lightness in OKLab; the palest is well apart from the grey of no label.
constexpr std::array<double, 4> kGreysOnLight = {0.0, 0.32, 0.50, 0.67};
constexpr std::array<double, 4> kGreysOnDark = {1.0, 0.84, 0.69, 0.55};

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
std::vector<Candidate> candidates(InkTheme theme)
{
    const double lift = theme == InkTheme::Light ? 0.0 : 0.12;
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

/// Okabe and Ito's eight, a little lighter where the ground is dark: more would bring yellow and orange
/// together to colour-blind eyes.
std::vector<QColor> firstColors(InkTheme theme)
{
    std::vector<QColor> colors;
    for (const QRgb rgb : kFirst)
    {
        Oklch color = toOklch(QColor(rgb));
        if (theme == InkTheme::Dark)
            color.lightness = color.chroma < 0.03 ? 0.95 : 0.09 + 0.904 * color.lightness;
        colors.push_back(theme == InkTheme::Light ? QColor(rgb) : fromOklch(color));
    }
    return colors;
}

std::vector<QColor> fewColors(InkTheme theme)
{
    std::vector<QColor> colors;
    if (theme.palette() == PaletteKind::HighContrast)
        for (const QRgb rgb : theme == InkTheme::Light ? kStrongOnLight : kStrongOnDark)
            colors.emplace_back(rgb);
    else
        for (const double lightness : theme == InkTheme::Light ? kGreysOnLight : kGreysOnDark)
            colors.push_back(fromOklab({lightness, 0, 0}));
    return colors;
}

} // namespace

CategoryPalette::CategoryPalette(std::int64_t count, InkTheme theme)
    : m_count(std::max<std::int64_t>(0, count)), m_none(inks(theme).missing)
{
    const PaletteKind palette = theme.palette();
    if (palette == PaletteKind::HighContrast || palette == PaletteKind::Grey)
    {
        m_colors = fewColors(theme);
    }
    else
    {
        m_colors = firstColors(theme);
        if (palette == PaletteKind::Standard)
            addFarColors(std::min(kMaxColors, static_cast<std::size_t>(m_count)), theme);
    }
    tellApart();
}

void CategoryPalette::addFarColors(std::size_t wanted, InkTheme theme)
{
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

/// Each colour gets the first shape in which nothing looks like it; the circle where it can.
void CategoryPalette::tellApart()
{
    std::vector<ThreeSights> sights;
    m_shapes.clear();
    m_sure = 0;
    bool sure = true;
    for (const QColor& color : m_colors)
    {
        const ThreeSights sight = sightsOf(color);
        std::array<double, kMarkerShapes> nearest{};
        nearest.fill(1e9);
        for (std::size_t before = 0; before < m_shapes.size(); ++before)
        {
            double& distance = nearest[static_cast<std::size_t>(m_shapes[before])];
            distance = std::min(distance, leastDeltaE(sight, sights[before]));
        }
        auto shape = std::ranges::find_if(nearest, [](double distance) { return distance >= kMinDeltaE; });
        if (shape == nearest.end())
        {
            sure = false;
            shape = std::ranges::max_element(nearest);
        }
        m_shapes.push_back(markerShape(shape - nearest.begin()));
        sights.push_back(sight);
        m_sure += sure ? 1 : 0;
    }
    // Colours that are told apart without shapes have one more round for every shape.
    if (sure && std::ranges::all_of(m_shapes, [](MarkerShape shape) { return shape == MarkerShape::Circle; }))
        m_sure = different() * kMarkerShapes;
}

QColor CategoryPalette::color(std::int64_t code) const
{
    if (code < 0 || m_colors.empty())
        return m_none;
    return m_colors[static_cast<std::size_t>(code) % m_colors.size()];
}

MarkerShape CategoryPalette::shape(std::int64_t code) const
{
    if (code < 0 || m_shapes.empty())
        return MarkerShape::Circle;
    const auto place = static_cast<std::size_t>(code);
    const auto first = static_cast<std::int64_t>(m_shapes[place % m_shapes.size()]);
    return markerShape(first + static_cast<std::int64_t>(place / m_shapes.size()));
}

bool CategoryPalette::needsShapes() const
{
    for (std::int64_t code = 0; code < m_count; ++code)
        if (shape(code) != MarkerShape::Circle)
            return true;
    return false;
}

} // namespace headscope::viz

// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/color/head_palette.h"

#include "viz/color/category_palette.h"
#include "viz/color/color_difference.h"
#include "viz/color/oklab.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace headscope::viz
{
namespace
{

/// One hue of the palette: its chroma at the middle steps, and the lightness of its darkest and
/// lightest member. Hues that a colour-blind eye confuses (brown and green, green and ochre, blue
/// and violet) differ in lightness instead. The figures maximise the smallest OKLab distance between groups of
/// one member step over normal, deuteranopic and protanopic sight, near eight hues that were
/// wanted: that distance is 0.068.
struct Anchor
{
    double hueDeg;
    double chroma;
    double darkest;
    double lightest;
};

constexpr std::array<Anchor, 8> kAnchors = {{
    {29.0, 0.188, 0.440, 0.700},  // red
    {64.0, 0.152, 0.534, 0.779},  // brown, orange
    {96.7, 0.147, 0.610, 0.868},  // ochre, yellow
    {157.1, 0.156, 0.534, 0.781}, // green
    {198.1, 0.118, 0.574, 0.841}, // teal
    {251.0, 0.130, 0.450, 0.730}, // blue
    {296.0, 0.178, 0.380, 0.660}, // violet
    {349.4, 0.188, 0.449, 0.700}, // magenta
}};

/// The hues of 1 to 8 groups. Each row keeps the order of the circle and takes the set with the
/// largest smallest distance (one and two groups: the classical blue, orange and blue).
constexpr std::array<std::array<int, 8>, 8> kChosen = {{{5},
                                                        {1, 5},
                                                        {0, 4, 6},
                                                        {0, 2, 4, 6},
                                                        {0, 2, 4, 5, 7},
                                                        {0, 1, 2, 4, 5, 7},
                                                        {0, 1, 2, 4, 5, 6, 7},
                                                        {0, 1, 2, 3, 4, 5, 6, 7}}};

/// How much lighter than its hue each of 9 to 16 groups of one head is. Hues are close there, and colour-blind eyes
/// tell them apart by lightness alone. The figures maximise the smallest Delta E 2000 between any two heads over
/// normal, deuteranopic and protanopic sight, light and dark: it is 8.3 for 12 heads and 5.2 for 16.
constexpr std::size_t kFirstTier = 9;
constexpr std::array<std::array<double, 16>, 8> kTiers = {{
    {-0.16, -0.12, -0.08, 0.1, -0.12, 0.1, 0.04, -0.08, -0.16},
    {-0.16, -0.12, -0.08, 0.1, 0.04, 0.1, 0.08, -0.16, 0, -0.16},
    {-0.16, -0.12, -0.04, 0.1, 0, 0, 0.08, 0.04, -0.04, -0.16, -0.12},
    {-0.16, -0.12, -0.08, -0.04, 0.1, -0.08, -0.16, 0.1, -0.08, 0.1, -0.16, -0.16},
    {-0.16, -0.12, -0.08, -0.04, 0.1, 0.08, -0.16, -0.16, 0.1, -0.08, 0.08, -0.16, -0.16},
    {-0.16, -0.12, -0.08, -0.04, 0.1, 0, 0.08, 0.04, 0.1, 0.04, -0.12, 0, -0.16, -0.08},
    {-0.16, -0.12, -0.08, -0.04, 0.04, 0.1, -0.04, 0.08, -0.16, 0.08, 0.04, 0, -0.16, 0, -0.04},
    {0.04, -0.16, 0.1, -0.04, 0.1, -0.16, 0.08, 0.08, -0.08, -0.16, 0, -0.12, 0, -0.16, -0.08, 0.08},
}};

/// Of a group among more groups than there are anchors.
double tierOf(std::int64_t group, std::int64_t groups, std::int64_t members)
{
    const auto row = static_cast<std::size_t>(groups) - kFirstTier;
    if (members == 1 && row < kTiers.size())
        return kTiers[row][static_cast<std::size_t>(group)];
    return 0.07 * static_cast<double>(group % 3 - 1); // up and down in three steps
}

/// Chroma of a member against its hue's: dark and light ends are quieter.
double chromaShare(double t)
{
    constexpr std::array<double, 4> kShares = {0.8, 1.0, 1.0, 0.74};
    const double place = std::clamp(t, 0.0, 1.0) * 3.0;
    const auto i = static_cast<std::size_t>(std::min(2.0, std::floor(place)));
    return std::lerp(kShares[i], kShares[i + 1], place - static_cast<double>(i));
}

/// A place on the circle of anchors, between two of them where more groups than anchors share it.
Anchor anchorOf(std::int64_t group, std::int64_t groups, std::int64_t members)
{
    constexpr std::int64_t kCount = kAnchors.size();
    if (groups <= kCount)
    {
        const auto& chosen = kChosen[static_cast<std::size_t>(groups - 1)];
        return kAnchors[static_cast<std::size_t>(chosen[static_cast<std::size_t>(group)])];
    }
    const double place = static_cast<double>(kCount * group) / static_cast<double>(groups);
    const auto i = static_cast<std::size_t>(place);
    const double share = place - static_cast<double>(i);
    const Anchor& one = kAnchors[i];
    Anchor other = kAnchors[(i + 1) % kAnchors.size()];
    if (other.hueDeg < one.hueDeg)
        other.hueDeg += 360.0;
    const double tier = tierOf(group, groups, members); // as neighbouring hues get close
    return {std::lerp(one.hueDeg, other.hueDeg, share), std::lerp(one.chroma, other.chroma, share),
            std::lerp(one.darkest, other.darkest, share) + tier, std::lerp(one.lightest, other.lightest, share) + tier};
}

/// A member's place between darkest (0) and lightest (1).
double memberPlace(std::int64_t member, std::int64_t members)
{
    if (members == 1)
        return 0.45;
    if (members == 2)
        return member == 0 ? 0.15 : 0.85;
    return static_cast<double>(member) / static_cast<double>(members - 1);
}

/// Lightness alone tells about five members apart; beyond, the hue drifts along the group.
double hueDrift(std::int64_t groups, std::int64_t members)
{
    const double room = 200.0 / static_cast<double>(groups);
    return std::min(room, 12.0 * static_cast<double>(std::max<std::int64_t>(0, members - 5)));
}

QColor memberColor(const Anchor& anchor, double t, double drift, InkTheme theme)
{
    double lightness = std::lerp(anchor.darkest, anchor.lightest, t);
    if (theme == InkTheme::Dark)
        lightness = std::lerp(anchor.darkest + 0.12, std::min(0.92, anchor.lightest + 0.06), t);
    const double hue = std::fmod(anchor.hueDeg + drift * (t - 0.5) + 360.0, 360.0);
    return fromOklch({lightness, anchor.chroma * chromaShare(t), hue});
}

/// How far the members of a group lie apart in lightness, from the darkest to the lightest: as far as groups of the
/// same shape stay apart. Lines and bars have no shapes.
constexpr double kWidestSteps = 0.32;
constexpr double kNarrowestSteps = 0.08;

/// A group's category colour at a member's place: darker first, up to the colour itself; never paler against the
/// ground where contrast is asked for, and in greys by steps that keep groups apart.
QColor steppedColor(const QColor& base, double place, double steps, InkTheme theme)
{
    constexpr double kBlackTimes = 1.5; // near black, a step in lightness is hardly seen
    const double fromGround = theme == InkTheme::Light ? -1 : 1;
    Oklch color = toOklch(base);
    switch (theme.palette())
    {
    case PaletteKind::Grey:
        color.lightness -= fromGround * steps * place;
        break;
    case PaletteKind::HighContrast:
        // Black and white have no room on their far side.
        color.lightness += (color.chroma < 0.03 ? -kBlackTimes : 1) * fromGround * steps * place;
        break;
    default:
        color.lightness = std::max(0.1, color.lightness - steps * (1 - place));
        break;
    }
    return fromOklch(color);
}

/// So few heads that each can have a grey of its own, the darkest first on a light ground.
constexpr std::int64_t kMaxGreyHeads = 12;

QColor greyOf(std::int64_t head, std::int64_t heads, InkTheme theme)
{
    const double place = heads > 1 ? static_cast<double>(head) / static_cast<double>(heads - 1) : 0;
    return fromOklab({theme == InkTheme::Light ? std::lerp(0.2, 0.8, place) : std::lerp(0.97, 0.48, place), 0, 0});
}

} // namespace

HeadPalette::HeadPalette(std::int64_t groups, std::int64_t members, InkTheme theme)
    : m_groups(std::max<std::int64_t>(1, groups)), m_members(std::max<std::int64_t>(1, members)), m_theme(theme)
{
    if (theme.palette() == PaletteKind::Standard)
        takeStandard();
    else
        takeCategories();
}

void HeadPalette::takeStandard()
{
    const double drift = hueDrift(m_groups, m_members);
    // Groups of one head need their shapes only where hues get close.
    const bool isClose = m_groups > static_cast<std::int64_t>(kAnchors.size());
    for (std::int64_t group = 0; group < m_groups; ++group)
    {
        const Anchor anchor = anchorOf(group, m_groups, m_members);
        for (std::int64_t member = 0; member < m_members; ++member)
        {
            m_colors.push_back(memberColor(anchor, memberPlace(member, m_members), drift, m_theme));
            m_shapes.push_back(markerShape(m_members > 1 ? member : isClose ? group % 3 : 0));
        }
    }
}

void HeadPalette::takeCategories()
{
    // A group of more members than there are shapes has several colours.
    const std::int64_t colorsEach = (m_members + kMarkerShapes - 1) / kMarkerShapes;
    CategoryPalette base(m_groups * colorsEach, m_theme);
    // Black has hardly any steps: it is taken last.
    const bool withoutBlack = m_theme.palette() == PaletteKind::HighContrast && m_members > 1 &&
                              base.count() < CategoryPalette(kMarkerShapes, m_theme).different();
    if (withoutBlack)
        base = CategoryPalette(base.count() + 1, m_theme);
    const auto setSteps = [&](double steps) { takeSteps(base, withoutBlack ? 1 : 0, steps); };
    setSteps(kNarrowestSteps);
    if (m_members == 1)
        return;
    // No paler than the categories themselves are, or than what reads well (WCAG 2.1).
    const double seen = m_theme.palette() == PaletteKind::HighContrast ? 4.5 : std::min(2.2, leastContrast());
    for (double steps = kWidestSteps; steps > kNarrowestSteps; steps -= 0.02)
    {
        setSteps(steps);
        if (leastContrast() >= seen && areShapesApart())
            return;
    }
    setSteps(kNarrowestSteps);
}

void HeadPalette::takeSteps(const CategoryPalette& base, std::int64_t firstCategory, double steps)
{
    const std::int64_t colorsEach = (base.count() - firstCategory) / m_groups;
    const std::int64_t shapesEach = std::min<std::int64_t>(m_members, kMarkerShapes);
    const bool isFew = m_theme.palette() == PaletteKind::Grey && m_members > 1 && heads() <= kMaxGreyHeads;
    m_colors.clear();
    m_shapes.clear();
    for (std::int64_t head = 0; head < heads(); ++head)
    {
        const std::int64_t member = head % m_members;
        const std::int64_t category = head / m_members * colorsEach + member / kMarkerShapes;
        const double place = memberPlace(member % kMarkerShapes, shapesEach);
        m_colors.push_back(isFew ? greyOf(head, heads(), m_theme)
                                 : steppedColor(base.color(firstCategory + category), place, steps, m_theme));
        m_shapes.push_back(markerShape(member % kMarkerShapes + shapesEach * (category / base.different())));
    }
}

double HeadPalette::leastContrast() const
{
    double least = std::numeric_limits<double>::infinity();
    for (const QColor& color : m_colors)
        least = std::min(least, contrastRatio(color, inks(m_theme).background));
    return least;
}

bool HeadPalette::areShapesApart() const
{
    std::vector<ThreeSights> sights;
    for (const QColor& color : m_colors)
        sights.push_back(sightsOf(color));
    for (std::size_t one = 0; one < m_colors.size(); ++one)
        for (std::size_t other = one + 1; other < m_colors.size(); ++other)
            if (m_shapes[one] == m_shapes[other] &&
                leastDeltaE(sights[one], sights[other]) < CategoryPalette::kMinDeltaE)
                return false;
    return true;
}

HeadPalette::HeadPalette(const ModelInfo& info, InkTheme theme)
    : HeadPalette(std::max<std::int64_t>(1, info.kvHeads), std::max<std::int64_t>(1, info.groupSize()), theme)
{}

QColor HeadPalette::color(HeadIndex head) const
{
    if (m_colors.empty() || head.value() < 0)
        return inks(m_theme).missing;
    return m_colors[head.index() % m_colors.size()];
}

QColor HeadPalette::color(GroupIndex group, std::int64_t member) const
{
    return color(HeadIndex(group.value() * m_members + member));
}

QColor HeadPalette::groupColor(GroupIndex group) const
{
    return color(group, (m_members - 1) / 2);
}

QColor HeadPalette::textColor(HeadIndex head) const
{
    return textColorOn(color(head));
}

QColor HeadPalette::paleColor(HeadIndex head, double strength) const
{
    // The pale end keeps 18% of the colour: weak points stay visible and keep their hue.
    const double share = 0.18 + 0.82 * std::clamp(std::isfinite(strength) ? strength : 0.0, 0.0, 1.0);
    return mixed(inks(m_theme).background, color(head), share);
}

MarkerShape HeadPalette::shape(HeadIndex head) const
{
    if (m_shapes.empty() || head.value() < 0)
        return MarkerShape::Circle;
    return m_shapes[head.index() % m_shapes.size()];
}

QString groupName(GroupIndex group, std::int64_t members)
{
    const QString number = QString::number(shownNumber(group));
    return members > 1 ? QStringLiteral("KV") % number : number;
}

} // namespace headscope::viz

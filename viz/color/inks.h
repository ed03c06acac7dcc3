// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>

#include <cstdint>

namespace headscope::viz
{

/// The sets of colours that labels and heads can be shown in.
enum class PaletteKind : std::uint8_t
{
    Standard,     ///< labels: up to 64 colours, as far apart as can be; heads: a hue per KV group
    ColorBlind,   ///< eight colours for all eyes, and a shape for every eight labels
    HighContrast, ///< four strong colours, and a shape for every four labels
    Grey,         ///< four greys, for print without colour, and a shape for every four labels
};

inline constexpr int kPaletteKinds = 4;

/// As settings and command lines write it: "standard", "colorblind", "contrast", "grey".
[[nodiscard]] QString paletteId(PaletteKind palette);
/// For people: "Colour-blind safe".
[[nodiscard]] QString paletteName(PaletteKind palette);
/// Standard for an id that is none.
[[nodiscard]] PaletteKind paletteFromId(const QString& id);

/// What a picture stands on, light or dark, and the set of colours that its labels and heads have. Figures for paper
/// are always Light.
/// @threads a value
class InkTheme
{
public:
    enum Ground : std::uint8_t
    {
        Light,
        Dark,
    };

    // NOLINTNEXTLINE(google-explicit-constructor): a ground is a theme with the standard colours
    constexpr InkTheme(Ground ground = Light, PaletteKind palette = PaletteKind::Standard)
        : m_ground(ground), m_palette(palette)
    {}

    [[nodiscard]] constexpr PaletteKind palette() const { return m_palette; }

    friend constexpr bool operator==(InkTheme, InkTheme) = default;
    /// Whether it is this ground, in whatever colours.
    friend constexpr bool operator==(InkTheme theme, Ground ground) { return theme.m_ground == ground; }

private:
    Ground m_ground;
    PaletteKind m_palette;
};

/// The greys of a picture, and the one accent. Hues belong to the data alone (viz/README.md).
struct Inks
{
    QColor background; ///< the canvas itself
    QColor card;       ///< floating legends and cards
    QColor ink;        ///< names and numbers
    QColor secondary;  ///< second lines, row labels
    QColor hairline;   ///< borders of cards, group lines
    QColor dimmed;     ///< points that are not chosen
    QColor missing;    ///< cells and points without a value
    QColor accent;     ///< marks what the user has chosen
};

/// The inks of a theme.
/// @threads reentrant
[[nodiscard]] const Inks& inks(InkTheme theme);

} // namespace headscope::viz

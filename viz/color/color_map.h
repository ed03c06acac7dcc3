// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/inks.h"

#include <QColor>

#include <array>

namespace headscope::viz
{

/// A continuous run of colours, from 0 to 1, kept as 256 steps.
/// @threads a value; reentrant
class ColorMap
{
public:
    static constexpr int kSteps = 256;

    /// All black; use sequentialMap or divergingMap.
    ColorMap() = default;
    explicit ColorMap(const std::array<QRgb, kSteps>& steps) : m_steps(steps) {}

    /// Colour at t; outside 0..1 the end's colour.
    [[nodiscard]] QRgb at(double t) const;
    [[nodiscard]] QRgb step(int i) const { return m_steps[static_cast<std::size_t>(i)]; }

private:
    std::array<QRgb, kSteps> m_steps{};
};

/// From low to high values, with even steps of lightness (dark violet, blue, teal, green, yellow). High values are
/// bright in the dark theme and dark in the light theme, so that they stand out.
[[nodiscard]] ColorMap sequentialMap(InkTheme theme = InkTheme::Light);
/// Blue, near-white (in the dark theme near-black), red; both arms equally steep. 0.5 is the centre.
[[nodiscard]] ColorMap divergingMap(InkTheme theme = InkTheme::Light);
/// The same colours reversed, for data whose low values should stand out.
[[nodiscard]] ColorMap reversed(const ColorMap& map);
/// White (or near-black) to the ink: plain density.
[[nodiscard]] ColorMap greyMap(InkTheme theme = InkTheme::Light);

} // namespace headscope::viz

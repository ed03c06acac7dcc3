// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/inks.h"
#include "viz/scatter/marker.h"

#include <QColor>

#include <cstdint>
#include <vector>

namespace headscope::viz
{

/// How the categories of a label column look, any number of them: a colour and a marker shape each.
/// The first eight colours of Standard are safe for colour-blind eyes (yellow last, as it is weak on
/// white), the others chosen one by one to be as far as possible from all before. Two labels of one
/// shape always differ by kMinDeltaE or more to normal, green-blind and red-blind eyes, as long as
/// there are no more than sure() of them.
/// @threads a value; reentrant
class CategoryPalette
{
public:
    static constexpr double kMinDeltaE = 10; ///< Delta E 2000 (color_difference.h)

    CategoryPalette() = default;
    /// @cost O(count^2) beyond the first eight; 65 categories and more repeat colours
    explicit CategoryPalette(std::int64_t count, InkTheme theme = InkTheme::Light);

    [[nodiscard]] std::int64_t count() const { return m_count; }
    /// How many colours there are before they repeat.
    [[nodiscard]] std::int64_t different() const { return static_cast<std::int64_t>(m_colors.size()); }
    /// How many categories, from the first, can be distinguished by everyone.
    [[nodiscard]] std::int64_t sure() const { return m_sure; }
    /// Colour of a category code; -1 (no label) and any other negative code give noneColor().
    [[nodiscard]] QColor color(std::int64_t code) const;
    /// Its shape; of no label, a circle.
    [[nodiscard]] MarkerShape shape(std::int64_t code) const;
    /// Whether any of the categories has another shape than the circle.
    [[nodiscard]] bool needsShapes() const;
    /// The grey of documents without a label.
    [[nodiscard]] QColor noneColor() const { return m_none; }

private:
    void addFarColors(std::size_t wanted, InkTheme theme);
    void tellApart();

    std::int64_t m_count = 0;
    std::int64_t m_sure = 0;
    QColor m_none;
    std::vector<QColor> m_colors;
    std::vector<MarkerShape> m_shapes; ///< of the first round of colours
};

} // namespace headscope::viz

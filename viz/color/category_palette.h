// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/theme.h"

#include <QColor>

#include <cstdint>
#include <vector>

namespace headscope::viz
{

/// Colours for the categories of a label column, any number of them: first eight that are safe for
/// colour-blind eyes (yellow last, as it is weak on white), then colours chosen one by one to be
/// as far as possible from all before.
/// @threads a value; reentrant
class CategoryPalette
{
public:
    CategoryPalette() = default;
    /// @cost O(count^2) beyond the first eight; 65 categories and more repeat
    explicit CategoryPalette(std::int64_t count, Theme theme = Theme::Light);

    [[nodiscard]] std::int64_t count() const { return m_count; }
    /// How many colours there are before they repeat.
    [[nodiscard]] std::int64_t different() const { return static_cast<std::int64_t>(m_colors.size()); }
    /// Colour of a category code; -1 (no label) and any other negative code give noneColor().
    [[nodiscard]] QColor color(std::int64_t code) const;
    /// The grey of documents without a label.
    [[nodiscard]] QColor noneColor() const { return m_none; }

private:
    std::int64_t m_count = 0;
    QColor m_none;
    std::vector<QColor> m_colors;
};

} // namespace headscope::viz

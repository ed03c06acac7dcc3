// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/model_info.h"
#include "viz/color/inks.h"
#include "viz/scatter/marker.h"

#include <QColor>
#include <QString>

#include <cstdint>
#include <vector>

namespace headscope::viz
{

class CategoryPalette;

/// The colours of heads: one hue per KV group, one step of lightness (and one marker shape) per
/// member of the group. The same head has the same colour in every view.
///
/// Up to eight groups take their hues from a table checked for colour-blind eyes; more groups are
/// spread around the hue circle, neighbours also differ in lightness. In a theme of other colours than the standard
/// ones a group has one of those (CategoryPalette), its members differ a little in lightness, and shapes tell apart
/// what shares a colour: any two of 32 heads in groups of at most eight that have one shape differ by
/// CategoryPalette::kMinDeltaE or more to normal, green-blind and red-blind eyes.
/// @threads a value; reentrant
class HeadPalette
{
public:
    HeadPalette() = default;
    /// @param groups   KV groups, at least 1
    /// @param members  query heads per group, at least 1
    HeadPalette(std::int64_t groups, std::int64_t members, InkTheme theme = InkTheme::Light);
    /// The palette of a model's heads. A model without KV heads on record counts as one group.
    explicit HeadPalette(const ModelInfo& info, InkTheme theme = InkTheme::Light);

    [[nodiscard]] std::int64_t groups() const { return m_groups; }
    [[nodiscard]] std::int64_t members() const { return m_members; }
    [[nodiscard]] std::int64_t heads() const { return m_groups * m_members; }
    /// Whether there are several KV groups, of several heads each.
    [[nodiscard]] bool grouped() const { return m_groups > 1 && m_members > 1; }
    [[nodiscard]] InkTheme theme() const { return m_theme; }

    /// Colour of a head; numbers beyond the model's heads start again from the first.
    [[nodiscard]] QColor color(HeadIndex head) const;
    [[nodiscard]] QColor color(GroupIndex group, std::int64_t member) const;
    /// The group as a whole: its middle step.
    [[nodiscard]] QColor groupColor(GroupIndex group) const;
    /// Black or white, readable on the head's colour.
    [[nodiscard]] QColor textColor(HeadIndex head) const;
    /// The head's colour for a strength 0 (weak: pale) .. 1 (strong: its full colour).
    [[nodiscard]] QColor paleColor(HeadIndex head, double strength) const;
    [[nodiscard]] MarkerShape shape(HeadIndex head) const;

private:
    void takeStandard();
    void takeCategories();
    /// The colours of groups from a category on, the members of each apart by steps in lightness.
    void takeSteps(const CategoryPalette& base, std::int64_t firstCategory, double steps);
    /// Of a colour with the ground.
    [[nodiscard]] double leastContrast() const;
    /// Whether heads of one shape can be told apart by all eyes.
    [[nodiscard]] bool areShapesApart() const;

    std::int64_t m_groups = 1;
    std::int64_t m_members = 1;
    InkTheme m_theme = InkTheme::Light;
    std::vector<QColor> m_colors;      ///< [groups, members]
    std::vector<MarkerShape> m_shapes; ///< [groups, members]
};

/// How a KV group is written next to its heads: "KV3". Where every head has keys and values of its
/// own there are no groups, and it is the head's number.
[[nodiscard]] QString groupName(GroupIndex group, std::int64_t members);

} // namespace headscope::viz

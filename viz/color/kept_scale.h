// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/color_scale.h"

#include <optional>

namespace headscope::viz
{

/// A scale as far from zero on both sides as the farther of two limits: white is 0.
[[nodiscard]] ScaleChoice aroundZero(ScaleLimits limits);

/// A colour scale that stays the same while other numbers of the same kind are shown, so that they can be compared.
/// The limits are those of the first numbers, or those the user has set, until reset.
/// @threads a value; reentrant
class KeptScale
{
public:
    /// @param data  limits that suit the numbers shown now
    [[nodiscard]] ScaleChoice scaleFor(ScaleLimits data);
    /// Keeps a scale that the user has changed. Around zero, moving one limit moves the other; moving the centre away
    /// from zero ends that.
    ScaleChoice moved(ScaleChoice choice);
    /// Makes 0 white and both sides symmetric. Limits that the user has moved are dropped.
    void setAroundZero(bool around);
    [[nodiscard]] bool isAroundZero() const { return m_aroundZero; }
    /// The next numbers set new limits.
    void reset();

private:
    std::optional<ScaleLimits> m_limits; ///< of the first numbers
    ScaleChoice m_last;
    ScaleChoice::Kind m_kind = ScaleChoice::Kind::Diverging;
    bool m_moved = false;
    bool m_aroundZero = false;
};

} // namespace headscope::viz

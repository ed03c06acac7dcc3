// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/color/color_scale.h"

namespace headscope::viz
{

/// A scale as far from zero on both sides as the farther of two limits: white is 0.
[[nodiscard]] ScaleChoice aroundZero(ScaleLimits limits);

/// A colour scale: its limits are those of the numbers shown, or those that the user keeps, so that other numbers of
/// the same kind can be compared. What was shown before does not matter.
/// @threads a value; reentrant
class KeptScale
{
public:
    /// @param data  limits that suit the numbers shown now
    [[nodiscard]] ScaleChoice scaleFor(ScaleLimits data);
    /// @param data  the scale that suits the numbers shown now
    [[nodiscard]] ScaleChoice scaleFor(const ScaleChoice& data);
    /// Keeps a scale that the user has changed, until reset. Around zero, moving one limit moves the other; moving the
    /// centre away from zero ends that.
    ScaleChoice moved(ScaleChoice choice);
    /// Makes 0 white and both sides symmetric. Limits that the user has moved are dropped.
    void setAroundZero(bool around);
    [[nodiscard]] bool isAroundZero() const { return m_aroundZero; }
    /// Whether the limits stay when other numbers are shown.
    [[nodiscard]] bool isKept() const { return m_isKept; }
    /// The limits follow the numbers again.
    void reset() { m_isKept = false; }

private:
    ScaleChoice m_last;
    ScaleChoice::Kind m_kind = ScaleChoice::Kind::Diverging;
    bool m_isKept = false;
    bool m_aroundZero = false;
};

} // namespace headscope::viz

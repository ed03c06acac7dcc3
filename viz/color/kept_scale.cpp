// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/color/kept_scale.h"

#include <algorithm>
#include <cmath>

namespace headscope::viz
{

ScaleChoice aroundZero(ScaleLimits limits)
{
    const double most = std::max({std::abs(limits.low), std::abs(limits.high), 1e-6});
    return {ScaleChoice::Kind::Diverging, {-most, most}, 0};
}

ScaleChoice KeptScale::scaleFor(ScaleLimits data)
{
    return scaleFor(ScaleChoice{m_kind, data, (data.low + data.high) / 2});
}

ScaleChoice KeptScale::scaleFor(const ScaleChoice& data)
{
    if (!m_isKept)
        m_last = m_aroundZero ? aroundZero(data.limits) : data;
    return m_last;
}

ScaleChoice KeptScale::moved(ScaleChoice choice)
{
    if (m_aroundZero)
    {
        const double most = choice.limits.low != m_last.limits.low ? -choice.limits.low : choice.limits.high;
        m_aroundZero = choice.kind == ScaleChoice::Kind::Diverging && choice.centre == 0 && most > 0;
        if (m_aroundZero)
            choice.limits = {-most, most};
    }
    m_kind = choice.kind;
    m_last = choice;
    m_isKept = true;
    return choice;
}

void KeptScale::setAroundZero(bool around)
{
    m_aroundZero = around;
    m_isKept = false;
    if (around)
        m_kind = ScaleChoice::Kind::Diverging;
}

} // namespace headscope::viz

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scatter/point_card.h"

namespace headscope::ui
{

HoverContent PointCard::contentOf(std::int64_t point) const
{
    HoverContent content = m_source(point);
    if (m_valueSource && content.value.isEmpty())
        content.value = m_valueSource(point);
    return content;
}

void PointCard::showPoint(std::int64_t point, QPointF place)
{
    if (hasSource())
        showAt(contentOf(point), place.toPoint());
    else
        hide();
}

} // namespace headscope::ui

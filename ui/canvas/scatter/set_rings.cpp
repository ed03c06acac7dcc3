// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scatter/set_rings.h"

#include "model/data/selection.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace headscope::ui
{
namespace
{

constexpr double kGapPx = 1.25;  ///< between a dot and its ring
constexpr double kWidthPx = 1.5; ///< of a ring

} // namespace

void SetRings::set(const std::vector<DocumentRing>& rings, const PointIds& points)
{
    m_sets.clear();
    std::vector<std::uint8_t> around(rings.size() > 1 ? points.document.size() : 0, 0);
    for (const DocumentRing& ring : rings)
    {
        const std::vector<char> wanted = flagsOf(ring.documents);
        Set set{ring.color, {}, {}};
        for (std::size_t point = 0; point < points.document.size(); ++point)
        {
            const auto document = static_cast<std::size_t>(points.document[point]);
            if (document >= wanted.size() || wanted[document] == 0)
                continue;
            set.points.push_back(static_cast<std::int64_t>(point));
            set.inner.push_back(around.empty() ? std::uint8_t{0} : around[point]++);
        }
        m_sets.push_back(std::move(set));
    }
}

SetRings::Counts SetRings::paint(QPainter& painter, const viz::ScatterData& data, const viz::ViewTransform& view,
                                 double radiusPx, std::int64_t most) const
{
    const QRectF room(QPointF(-8, -8), view.viewSize() + QSizeF(16, 16));
    struct Place
    {
        QPointF centre;
        double radius;
    };
    std::vector<std::vector<Place>> places(m_sets.size());
    Counts counts;
    for (std::size_t s = 0; s < m_sets.size(); ++s)
        for (std::size_t i = 0; i < m_sets[s].points.size(); ++i)
        {
            const auto point = static_cast<std::size_t>(m_sets[s].points[i]);
            const QPointF place(static_cast<double>(data.xy[2 * point]), static_cast<double>(data.xy[2 * point + 1]));
            if ((!data.states.empty() && data.states[point] == viz::PointState::Hidden) || !std::isfinite(place.x()) ||
                !std::isfinite(place.y()))
                continue;
            const QPointF centre = view.screenFromData(place);
            if (!room.contains(centre))
                continue;
            const double inner = (kWidthPx + 0.5) * m_sets[s].inner[i];
            places[s].push_back({centre, radiusPx + kGapPx + kWidthPx / 2 + inner});
            ++counts.all;
        }
    const std::int64_t step = std::max<std::int64_t>(1, counts.all / most + (counts.all % most != 0 ? 1 : 0));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    for (std::size_t s = 0; s < m_sets.size(); ++s)
    {
        painter.setPen(QPen(m_sets[s].color, kWidthPx));
        for (std::size_t i = 0; i < places[s].size(); i += static_cast<std::size_t>(step))
        {
            painter.drawEllipse(places[s][i].centre, places[s][i].radius, places[s][i].radius);
            ++counts.drawn;
        }
    }
    painter.restore();
    return counts;
}

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scatter/map_fit.h"

#include "ui/canvas/fit_room.h"

#include <QWidget>

#include <algorithm>
#include <utility>

namespace headscope::ui
{

MapFit::MapFit(const QWidget& canvas, const viz::PointStates& points) : m_canvas(canvas), m_points(points) {}

void MapFit::setMap(std::shared_ptr<const HeadMap> map)
{
    m_map = std::move(map);
    m_extent = {};
    if (m_map != nullptr)
        m_extent = m_points.extentOf(m_map->xy.values(), viz::PointExtent::Which::All);
}

std::optional<QRectF> MapFit::shownBounds() const
{
    if (m_map == nullptr || m_points.shownCount() == m_points.count() || m_points.shownCount() == 0)
        return m_extent.bounds;
    return m_points.extentOf(m_map->xy.values(), viz::PointExtent::Which::NotHidden).bounds;
}

std::optional<QRectF> MapFit::brightBounds() const
{
    if (m_map == nullptr)
        return std::nullopt;
    return m_points.extentOf(m_map->xy.values(), viz::PointExtent::Which::Shown).bounds;
}

std::optional<QRectF> MapFit::bounds() const
{
    const auto shown = shownBounds();
    if (!shown || !m_also)
        return shown;
    // Not QRectF::united(), which leaves out a rectangle without a height.
    return QRectF(QPointF(std::min(shown->left(), m_also->left()), std::min(shown->top(), m_also->top())),
                  QPointF(std::max(shown->right(), m_also->right()), std::max(shown->bottom(), m_also->bottom())));
}

std::vector<QRectF> MapFit::cards() const
{
    constexpr int kGap = 12 - 24; // the margin of a fit is part of the gap to a card
    std::vector<QRectF> cards;
    for (const MapFit* fit : {this, m_partner})
    {
        if (fit == nullptr || fit->m_canvas.isHidden())
            continue;
        for (const QWidget* card : fit->m_cards)
            if (!card->isHidden())
                cards.push_back(QRectF(card->geometry()).adjusted(-kGap, -kGap, kGap, kGap));
    }
    return cards;
}

viz::ViewTransform MapFit::viewOf(const QRectF& bounds) const
{
    return fitBeside(bounds, QSizeF(m_canvas.size()), cards());
}

QRectF MapFit::dataBeside(const viz::ViewTransform& view) const
{
    const auto all = bounds();
    return all ? view.dataFromScreen(fitRoom(*all, QSizeF(m_canvas.size()), cards())) : view.visibleData();
}

} // namespace headscope::ui

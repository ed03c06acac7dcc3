// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/axis/legend_painter.h"

#include "viz/axis/text.h"

#include <QLinearGradient>
#include <QPainter>
#include <QPainterPath>
#include <QPen>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kCornerRadius = 6;

} // namespace

LegendLayout::LegendLayout(Legend legend, LegendStyle style)
    : m_legend(std::move(legend)), m_style(style), m_places(placeLegend(m_legend, m_style))
{}

std::optional<LegendHit> LegendLayout::hit(QPointF place) const
{
    const auto found = std::find_if(m_places.targets.begin(), m_places.targets.end(),
                                    [place](const LegendTarget& target) { return target.box.contains(place); });
    if (found == m_places.targets.end())
        return std::nullopt;
    return found->hit;
}

std::vector<LegendHit> LegendLayout::hits() const
{
    std::vector<const LegendTarget*> order;
    for (const LegendTarget& target : m_places.targets)
        order.push_back(&target);
    // Groups come before their heads, which lie in the same row.
    std::ranges::stable_sort(order, [](const LegendTarget* a, const LegendTarget* b) {
        return std::pair(a->box.top(), a->box.left()) < std::pair(b->box.top(), b->box.left());
    });
    std::vector<LegendHit> hits;
    for (const LegendTarget* target : order)
        hits.push_back(target->hit);
    return hits;
}

std::optional<QRectF> LegendLayout::boxOf(const LegendHit& hit) const
{
    for (const LegendTarget& target : m_places.targets)
        if (target.hit == hit)
            return target.box;
    return std::nullopt;
}

std::optional<QRectF> LegendLayout::eyeOf(const LegendHit& hit) const
{
    for (const LegendItem& item : m_places.items)
        if (item.kind == LegendItem::Kind::Eye && m_places.targets[static_cast<std::size_t>(item.target)].hit == hit)
            return item.box;
    return std::nullopt;
}

std::optional<LegendHit> LegendLayout::eyeAt(QPointF place) const
{
    for (const LegendItem& item : m_places.items)
        if (item.kind == LegendItem::Kind::Eye && item.box.contains(place))
            return m_places.targets[static_cast<std::size_t>(item.target)].hit;
    return std::nullopt;
}

QString LegendLayout::elidedNameAt(QPointF place) const
{
    for (const LegendItem& item : m_places.items)
        if (item.box.contains(place) && !item.text.isEmpty() &&
            elidedMiddle(item.text, legendFont(m_style, item.kind), item.box.width()) != item.text)
            return item.text;
    return {};
}

/// An eye, open and quiet, or crossed out and plain to see.
void LegendLayout::paintEye(QPainter& painter, const QRectF& box, bool closed) const
{
    const double half = 0.46 * m_style.textPx;
    const QPointF centre = box.center();
    QPainterPath lids(centre - QPointF(half, 0));
    lids.quadTo(centre - QPointF(0, 1.15 * half), centre + QPointF(half, 0));
    lids.quadTo(centre + QPointF(0, 1.15 * half), centre - QPointF(half, 0));
    const Inks& ink = inks(m_style.theme);
    painter.setOpacity(closed ? 1.0 : 0.5);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(closed ? ink.ink : ink.secondary, 1.1, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(lids);
    if (closed)
    {
        const QPointF corner(0.85 * half, 0.75 * half);
        painter.drawLine(centre - corner, centre + corner);
        return;
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink.secondary);
    painter.drawEllipse(centre, 0.3 * half, 0.3 * half);
}

void LegendLayout::paintItem(QPainter& painter, const LegendItem& item, const QColor& letters) const
{
    const Inks& ink = inks(m_style.theme);
    switch (item.kind)
    {
    case LegendItem::Kind::Title:
    case LegendItem::Kind::Name:
        drawLine(painter, item.box, item.text, legendFont(m_style, item.kind), letters);
        break;
    case LegendItem::Kind::Label:
        drawLine(painter, item.box, item.text, legendFont(m_style, item.kind), ink.secondary);
        break;
    case LegendItem::Kind::Number:
        drawLine(painter, item.box, item.text, legendFont(m_style, item.kind), ink.secondary,
                 Qt::AlignRight | Qt::AlignVCenter);
        break;
    case LegendItem::Kind::Swatch:
        painter.setPen(Qt::NoPen);
        painter.setBrush(QColor(item.color));
        painter.drawPath(markerPath(item.shape, item.box.width() / 2).translated(item.box.center()));
        break;
    case LegendItem::Kind::Eye:
        break; // paintEye() knows its state
    case LegendItem::Kind::Ramp:
    {
        QLinearGradient gradient(item.box.topLeft(), item.box.topRight());
        const auto steps = std::max<std::size_t>(2, item.ramp.size()) - 1;
        for (std::size_t i = 0; i < item.ramp.size(); ++i)
            gradient.setColorAt(static_cast<double>(i) / static_cast<double>(steps), QColor(item.ramp[i]));
        painter.setPen(Qt::NoPen);
        painter.setBrush(gradient);
        painter.drawRoundedRect(item.box, 2, 2);
        break;
    }
    }
}

void LegendLayout::paint(QPainter& painter, QPointF place, const std::vector<LegendHit>& faded) const
{
    const Inks& ink = inks(m_style.theme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(place);
    if (m_style.card && m_style.ground)
    {
        painter.setPen(QPen(ink.hairline, 1));
        painter.setBrush(ink.card);
        painter.drawRoundedRect(QRectF(QPointF(0.5, 0.5), m_places.size - QSizeF(1, 1)), kCornerRadius, kCornerRadius);
    }
    const QRectF seen = painter.hasClipping() ? painter.clipBoundingRect() : QRectF(QPointF(0, 0), m_places.size);
    for (const LegendItem& item : m_places.items)
    {
        if (!item.box.intersects(seen)) // scrolled away, of perhaps a thousand
            continue;
        const bool fades =
            item.target >= 0 && std::find(faded.begin(), faded.end(),
                                          m_places.targets[static_cast<std::size_t>(item.target)].hit) != faded.end();
        if (item.kind == LegendItem::Kind::Eye)
        {
            paintEye(painter, item.box, fades);
            continue;
        }
        // On the screen letters stay readable: the pale swatch and the closed eye say that it is hidden.
        const bool isPale = fades && (m_style.ground || item.text.isEmpty());
        painter.setOpacity(isPale ? 0.35 : 1.0);
        paintItem(painter, item, fades ? ink.secondary : ink.ink);
    }
    painter.restore();
}

} // namespace headscope::viz

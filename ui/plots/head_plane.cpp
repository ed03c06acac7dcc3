// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/head_plane.h"

#include "ui/theme/theme.h"
#include "ui/wording.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headscope::ui
{
namespace
{

constexpr double kMargin = 28;
constexpr double kSmallest = 7;
constexpr double kLargest = 16;
constexpr double kRing = 3;
constexpr double kTurn = 360.0 * 16; // QPainter's angles

} // namespace

QPolygonF convexHull(QPolygonF points)
{
    std::sort(points.begin(), points.end(),
              [](QPointF a, QPointF b) { return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y(); });
    points.erase(std::unique(points.begin(), points.end()), points.end());
    if (points.size() < 3)
        return points;
    const auto turn = [](QPointF a, QPointF b, QPointF c) {
        return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
    };
    QPolygonF hull;
    for (int pass = 0; pass < 2; ++pass) // lower chain, then upper
    {
        const qsizetype begin = hull.size();
        for (const QPointF& point : points)
        {
            while (hull.size() >= begin + 2 && turn(hull[hull.size() - 2], hull.back(), point) <= 0)
                hull.removeLast();
            hull.append(point);
        }
        hull.removeLast();
        std::reverse(points.begin(), points.end());
    }
    return hull;
}

HeadPlane::HeadPlane(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("headPlane"));
    setAccessibleName(tr("Map of the heads"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(160, 140);
}

void HeadPlane::setPlane(std::shared_ptr<const HeadReport> report, const MatrixD& xy, const ModelInfo& info,
                         const viz::HeadPalette& palette)
{
    m_report = std::move(report);
    m_xy = xy;
    m_info = info;
    m_palette = palette;
    m_strongest = 0;
    for (const HeadStatistics& head : m_report->statistics)
        if (std::isfinite(head.meanNorm))
            m_strongest = std::max(m_strongest, head.meanNorm);
    if (std::ssize(m_kept) != m_xy.rows())
        m_kept.assign(static_cast<std::size_t>(m_xy.rows()), true);
    setAccessibleDescription(tr("%1 heads").arg(m_xy.rows()));
    update();
}

void HeadPlane::clear()
{
    m_report.reset();
    m_xy = {};
    update();
}

void HeadPlane::setKept(const std::vector<bool>& kept)
{
    m_kept = kept;
    update();
}

QPointF HeadPlane::placeOf(std::int64_t head) const
{
    QRectF bounds;
    for (std::int64_t i = 0; i < m_xy.rows(); ++i)
    {
        const QRectF one(m_xy(i, 0), m_xy(i, 1), 1e-12, 1e-12);
        bounds = i == 0 ? one : bounds.united(one);
    }
    const QRectF box = QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin);
    // One scale for both axes: distances are what is shown.
    const double scale = std::min(box.width() / bounds.width(), box.height() / bounds.height());
    const QPointF from = QPointF(m_xy(head, 0), -m_xy(head, 1)) - QPointF(bounds.center().x(), -bounds.center().y());
    return bounds.width() < 1e-9 && bounds.height() < 1e-9 ? box.center() : box.center() + from * scale;
}

double HeadPlane::radiusOf(std::int64_t head) const
{
    const double strength = m_report->statistics[static_cast<std::size_t>(head)].meanNorm;
    if (m_strongest <= 0 || !std::isfinite(strength))
        return kSmallest;
    return kSmallest + (kLargest - kSmallest) * std::sqrt(strength / m_strongest); // area says it
}

void HeadPlane::paintGlyph(QPainter& painter, std::int64_t head) const
{
    const Colors& colors = Theme::instance().colors();
    const auto h = static_cast<std::size_t>(head);
    const QPointF place = placeOf(head);
    const double radius = radiusOf(head);
    const QColor color = m_palette.color(HeadIndex(head));
    const bool on = m_kept[h];
    const QRectF disc(place.x() - radius, place.y() - radius, 2 * radius, 2 * radius);
    painter.setPen(QPen(on ? color : colors.muted, 1.2));
    painter.setBrush(colors.canvas);
    painter.drawEllipse(disc);
    const double match = m_report->answers ? m_report->answers->match[h] : 1.0;
    if (on && std::isfinite(match))
    {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawPie(disc, 90 * 16, -static_cast<int>(std::lround(match * kTurn)));
    }
    const double selectivity = m_report->answers ? m_report->answers->selectivity[h] : 0.0;
    if (on && std::isfinite(selectivity) && selectivity > 0)
    {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colors.text, 2));
        painter.drawArc(disc.adjusted(-kRing, -kRing, kRing, kRing), 90 * 16,
                        -static_cast<int>(std::lround(selectivity * kTurn)));
    }
    if (m_hovered == head)
    {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colors.accent, 2));
        painter.drawEllipse(disc.adjusted(-2 * kRing, -2 * kRing, 2 * kRing, 2 * kRing));
    }
    painter.setPen(colors.text);
    painter.setFont(Theme::cellFont());
    painter.drawText(QRectF(place.x() + radius + 2, place.y() - 20, 30, 16), Qt::AlignLeft | Qt::AlignVCenter,
                     QString::number(head + 1));
}

void HeadPlane::paintEvent(QPaintEvent*)
{
    if (m_report == nullptr || m_xy.rows() == 0)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const std::int64_t members = m_info.groupSize();
    if (members > 1 && members < m_xy.rows())
        for (std::int64_t first = 0; first < m_xy.rows(); first += members)
        {
            QPolygonF places;
            for (std::int64_t head = first; head < std::min(first + members, m_xy.rows()); ++head)
                places.append(placeOf(head));
            QColor color = m_palette.groupColor(m_info.groupOf(HeadIndex(first)));
            constexpr int kHullAlpha = 36;
            color.setAlpha(kHullAlpha);
            QPainterPath path;
            path.addPolygon(convexHull(places));
            path.closeSubpath();
            QPainterPathStroker stroker(QPen(color, 2 * kLargest, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            // Outline and inside as one shape, so that they do not add up.
            QPainterPath hull = stroker.createStroke(path);
            hull.addPath(path);
            hull.setFillRule(Qt::WindingFill);
            painter.setPen(Qt::NoPen);
            painter.setBrush(color);
            painter.drawPath(hull);
        }
    for (std::int64_t head = 0; head < m_xy.rows(); ++head)
        paintGlyph(painter, head);
}

std::optional<std::int64_t> HeadPlane::headAt(QPointF place) const
{
    std::optional<std::int64_t> nearest;
    double least = kLargest + kRing;
    for (std::int64_t head = 0; head < m_xy.rows(); ++head)
        if (const double distance = QLineF(place, placeOf(head)).length(); distance < least)
        {
            least = distance;
            nearest = head;
        }
    return nearest;
}

QString HeadPlane::textOf(std::int64_t head) const
{
    const auto h = static_cast<std::size_t>(head);
    QString text = tr("%1 · strength %2")
                       .arg(unitText(m_report->stage, HeadIndex(head)), numberText(m_report->statistics[h].meanNorm));
    if (m_report->answers)
        text += tr(" · match %1 % · selectivity %2")
                    .arg(QLocale().toString(100 * m_report->answers->match[h], 'f', 1),
                         numberText(m_report->answers->selectivity[h]));
    return text;
}

void HeadPlane::hover(std::optional<std::int64_t> head, QPoint tip)
{
    if (head == m_hovered)
        return;
    m_hovered = head;
    if (head)
        QToolTip::showText(tip, textOf(*head), this);
    else
        QToolTip::hideText();
    update();
    Q_EMIT headHovered(head);
}

void HeadPlane::mouseMoveEvent(QMouseEvent* event)
{
    hover(m_report == nullptr ? std::nullopt : headAt(event->position()), event->globalPosition().toPoint());
}

void HeadPlane::mousePressEvent(QMouseEvent* event)
{
    if (m_report == nullptr || event->button() != Qt::LeftButton)
        return;
    if (const auto head = headAt(event->position()))
        Q_EMIT headClicked(*head);
}

void HeadPlane::leaveEvent(QEvent*)
{
    hover({}, {});
}

void HeadPlane::keyPressEvent(QKeyEvent* event)
{
    if (m_report == nullptr || m_xy.rows() == 0)
        return QWidget::keyPressEvent(event);
    const bool forward = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down;
    if (forward || event->key() == Qt::Key_Left || event->key() == Qt::Key_Up)
    {
        const std::int64_t step = forward ? 1 : m_xy.rows() - 1;
        const std::int64_t next = m_hovered ? (*m_hovered + step) % m_xy.rows() : 0;
        setAccessibleDescription(textOf(next));
        return hover(next, mapToGlobal(placeOf(next).toPoint()));
    }
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Space) && m_hovered)
        return Q_EMIT headClicked(*m_hovered);
    QWidget::keyPressEvent(event);
}

void HeadPlane::setHoveredHead(std::optional<std::int64_t> head)
{
    if (m_hovered == head)
        return;
    m_hovered = head;
    update();
}

} // namespace headscope::ui

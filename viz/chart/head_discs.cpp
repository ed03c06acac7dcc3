// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/chart/head_discs.h"

#include <QFontMetricsF>
#include <QLineF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace headscope::viz
{
namespace
{

// In pixels of the window (DiscStyle::unit).
constexpr double kMargin = 30;
constexpr double kSmallest = 9;
constexpr double kLargest = 22;
constexpr double kRing = 3;
constexpr double kLabelGap = 3;
constexpr double kBetweenLabels = 5;
constexpr double kFarthest = 40; ///< a label may stand so far away, joined to its disc by a line
constexpr double kTooFar = 22;   ///< to be told whose it is without a line

constexpr double kSmallestShare = 0.45; ///< of the largest radius
constexpr double kTurn = 360.0 * 16;    ///< QPainter's angles
constexpr int kTop = 90 * 16;
constexpr int kHullAlpha = 36;

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

std::vector<HeadDisc> headDiscs(const HeadReport& report, const MatrixD& xy, std::int64_t members,
                                const std::vector<std::int64_t>& heads, const std::vector<bool>& kept)
{
    double strongest = 0;
    for (const HeadStatistics& head : report.statistics)
        if (std::isfinite(head.meanNorm))
            strongest = std::max(strongest, head.meanNorm);
    const bool grouped = members > 1 && members < xy.rows();
    std::vector<HeadDisc> discs;
    for (const std::int64_t head : heads)
    {
        const auto h = static_cast<std::size_t>(head);
        HeadDisc disc{head, {xy(head, 0), xy(head, 1)}};
        disc.strength = strongest > 0 ? report.statistics[h].meanNorm / strongest : std::nan("");
        if (report.answers)
        {
            disc.filled = report.answers->match.value[h];
            disc.ring = report.answers->selectivity.value[h];
        }
        disc.on = h >= kept.size() || kept[h];
        disc.group = grouped ? head / members : -1;
        discs.push_back(disc);
    }
    return discs;
}

HeadDiscLayout::HeadDiscLayout(std::vector<HeadDisc> discs, const QRectF& box, DiscStyle style)
    : m_discs(std::move(discs)), m_box(box), m_style(std::move(style))
{
    // Larger where there is room, so that the parts of a disc can be told.
    const double room = std::sqrt(std::max(0.0, box.width() * box.height()) /
                                  static_cast<double>(std::max<std::size_t>(1, m_discs.size())));
    m_largest = std::clamp(0.27 * room, kSmallest * m_style.unit, kLargest * m_style.unit);
    placeDiscs();
    placeLabels();
}

void HeadDiscLayout::placeDiscs()
{
    constexpr double kPoint = 1e-12;
    QRectF bounds;
    for (std::size_t i = 0; i < m_discs.size(); ++i)
    {
        const QRectF one(m_discs[i].at, QSizeF(kPoint, kPoint));
        bounds = i == 0 ? one : bounds.united(one);
    }
    constexpr double kOnePlace = 1e-9;
    const double margin = kMargin * m_style.unit;
    const QRectF box = m_box.adjusted(margin, margin, -margin, -margin);
    const double scale = std::min(box.width() / bounds.width(), box.height() / bounds.height());
    for (const HeadDisc& disc : m_discs)
    {
        const QPointF from(disc.at.x() - bounds.center().x(), bounds.center().y() - disc.at.y());
        m_places.push_back(bounds.width() < kOnePlace && bounds.height() < kOnePlace ? box.center()
                                                                                     : box.center() + from * scale);
    }
}

std::size_t HeadDiscLayout::indexOf(std::int64_t head) const
{
    return static_cast<std::size_t>(std::ranges::find(m_discs, head, &HeadDisc::head) - m_discs.begin());
}

QPointF HeadDiscLayout::placeOf(std::int64_t head) const
{
    return m_places[indexOf(head)];
}

double HeadDiscLayout::radius(std::size_t at) const
{
    const double strength = m_discs[at].strength;
    const double area = std::isfinite(strength) ? std::sqrt(std::max(0.0, strength)) : 0; // which says it
    return m_largest * (kSmallestShare + (1 - kSmallestShare) * area);
}

double HeadDiscLayout::radiusOf(std::int64_t head) const
{
    return radius(indexOf(head));
}

QRectF HeadDiscLayout::labelOf(std::int64_t head) const
{
    return m_labels[indexOf(head)];
}

QRectF HeadDiscLayout::frameOf(std::int64_t head) const
{
    const double reach = radiusOf(head) + 2 * kRing * m_style.unit;
    const QPointF at = placeOf(head);
    return {at.x() - reach, at.y() - reach, 2 * reach, 2 * reach};
}

std::optional<std::int64_t> HeadDiscLayout::headAt(QPointF place) const
{
    std::optional<std::int64_t> nearest;
    double least = m_largest + kRing * m_style.unit;
    for (std::size_t i = 0; i < m_discs.size(); ++i)
        if (const double distance = QLineF(place, m_places[i]).length(); distance < least)
        {
            least = distance;
            nearest = m_discs[i].head;
        }
    return nearest;
}

QRectF HeadDiscLayout::freeBox(std::size_t at, QPointF middle, const std::vector<QRectF>& taken) const
{
    const double unit = m_style.unit;
    const QFontMetricsF metrics(m_style.font);
    const QSizeF size(metrics.horizontalAdvance(QString::number(m_discs[at].head + 1)) + 2 * unit, metrics.height());
    const QPointF from = m_places[at];
    const double outwards = std::atan2(from.y() - middle.y(), from.x() - middle.x());
    QRectF best(from, size);
    double least = 1e18;
    constexpr int kTurns = 16;
    for (double away = radius(at) + (kRing + kLabelGap) * unit; away < kFarthest * unit + m_largest; away += 6 * unit)
        for (int turn = 0; turn < kTurns && least > 0; ++turn)
        {
            const double angle = outwards + (turn % 2 == 0 ? 1 : -1) * ((turn + 1) / 2) * (2 * M_PI / kTurns);
            const QPointF way(std::cos(angle), std::sin(angle));
            const QPointF centre =
                from + QPointF(way.x() * (away + size.width() / 2), way.y() * (away + size.height() / 2));
            const QRectF box(centre - QPointF(size.width() / 2, size.height() / 2), size);
            constexpr double kOutside = 1e6;
            double cost = m_box.contains(box) ? 0 : kOutside;
            for (const QRectF& other : taken)
            {
                const QRectF common = box.intersected(other);
                cost += common.width() * common.height();
            }
            if (cost < least)
            {
                least = cost;
                best = box;
            }
        }
    return best;
}

void HeadDiscLayout::placeLabels()
{
    std::vector<QRectF> taken;
    // Away from the middle of all first: there is the free room.
    QPointF middle;
    for (std::size_t i = 0; i < m_discs.size(); ++i)
    {
        const double reach = radius(i) + kRing * m_style.unit;
        taken.emplace_back(m_places[i].x() - reach, m_places[i].y() - reach, 2 * reach, 2 * reach);
        middle += m_places[i] / static_cast<double>(m_discs.size());
    }
    for (std::size_t i = 0; i < m_discs.size(); ++i)
    {
        m_labels.push_back(freeBox(i, middle, taken));
        // "12" beside "5" would read as one number.
        const double apart = kBetweenLabels * m_style.unit;
        taken.push_back(m_labels.back().adjusted(-apart, -m_style.unit, apart, m_style.unit));
    }
}

void HeadDiscLayout::paintHulls(QPainter& painter) const
{
    for (std::size_t first = 0; first < m_discs.size();)
    {
        const std::int64_t group = m_discs[first].group;
        QPolygonF places;
        for (; first < m_discs.size() && m_discs[first].group == group; ++first)
            places.append(m_places[first]);
        if (group < 0)
            continue;
        QColor color = m_style.palette.groupColor(GroupIndex(group));
        color.setAlpha(kHullAlpha);
        QPainterPath path;
        path.addPolygon(convexHull(places));
        path.closeSubpath();
        QPainterPathStroker stroker(
            QPen(color, 2 * (m_largest + kRing * m_style.unit), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        // Outline and inside as one shape, so that they do not add up.
        QPainterPath hull = stroker.createStroke(path);
        hull.addPath(path);
        hull.setFillRule(Qt::WindingFill);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawPath(hull);
    }
}

void HeadDiscLayout::paintDisc(QPainter& painter, std::size_t at) const
{
    const Inks& ink = inks(m_style.theme);
    const HeadDisc& disc = m_discs[at];
    const double unit = m_style.unit;
    const double reach = radius(at);
    const QColor color = m_style.palette.color(HeadIndex(disc.head));
    const QRectF box(m_places[at].x() - reach, m_places[at].y() - reach, 2 * reach, 2 * reach);
    constexpr double kOutline = 1.2;
    painter.setPen(QPen(disc.on ? color : ink.secondary, kOutline * unit));
    painter.setBrush(ink.background);
    painter.drawEllipse(box);
    if (disc.on && std::isfinite(disc.filled))
    {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawPie(box, kTop, -static_cast<int>(std::lround(disc.filled * kTurn)));
    }
    if (disc.on && std::isfinite(disc.ring) && disc.ring > 0)
    {
        const double out = kRing * unit;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(ink.ink, 2 * unit));
        painter.drawArc(box.adjusted(-out, -out, out, out), kTop, -static_cast<int>(std::lround(disc.ring * kTurn)));
    }
}

void HeadDiscLayout::paintLabel(QPainter& painter, std::size_t at) const
{
    const Inks& ink = inks(m_style.theme);
    const QRectF box = m_labels[at];
    const QLineF way(m_places[at], box.center());
    if (way.length() > radius(at) + (kRing + kTooFar) * m_style.unit)
    {
        painter.setPen(QPen(ink.secondary, m_style.unit));
        const double end = way.length() - box.height() / 2;
        painter.drawLine(way.pointAt(radius(at) / way.length()), way.pointAt(end / way.length()));
    }
    painter.setPen(ink.ink);
    painter.setFont(m_style.font);
    painter.drawText(box, Qt::AlignCenter, QString::number(m_discs[at].head + 1));
}

void HeadDiscLayout::paint(QPainter& painter) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    paintHulls(painter);
    // The larger first: a small one is never hidden behind it.
    std::vector<std::size_t> bySize(m_discs.size());
    std::iota(bySize.begin(), bySize.end(), std::size_t{0});
    std::stable_sort(bySize.begin(), bySize.end(),
                     [this](std::size_t a, std::size_t b) { return radius(a) > radius(b); });
    for (const std::size_t at : bySize)
        paintDisc(painter, at);
    for (std::size_t at = 0; at < m_labels.size(); ++at)
        paintLabel(painter, at);
    painter.restore();
}

} // namespace headscope::viz

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/heads/head_plane.h"

#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope::ui
{
namespace
{

constexpr double kMargin = 30;
constexpr double kSmallestShare = 0.45; ///< of the largest radius
constexpr double kRing = 3;
constexpr double kLabelGap = 3;
constexpr double kBetweenLabels = 5;
/// A label may stand so far away, joined to its glyph by a line.
constexpr double kFarthest = 40;
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
    setAccessibleName(tr("Map of heads or segments"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(160, 140);
}

void HeadPlane::setPlane(std::shared_ptr<const HeadReport> report, const MatrixD& xy, const ModelInfo& info,
                         const viz::HeadPalette& palette, const std::vector<std::int64_t>& heads)
{
    m_report = std::move(report);
    m_xy = xy;
    m_info = info;
    m_palette = palette;
    m_heads = heads;
    if (m_heads.empty())
    {
        m_heads.resize(static_cast<std::size_t>(m_xy.rows()));
        std::iota(m_heads.begin(), m_heads.end(), 0);
    }
    std::erase_if(m_heads, [this](std::int64_t head) { return head >= m_xy.rows(); });
    m_strongest = 0;
    for (const HeadStatistics& head : m_report->statistics)
        if (std::isfinite(head.meanNorm))
            m_strongest = std::max(m_strongest, head.meanNorm);
    if (std::ssize(m_kept) != m_xy.rows())
        m_kept.assign(static_cast<std::size_t>(m_xy.rows()), true);
    setAccessibleDescription(countText(std::ssize(m_heads), unitText(m_report->stage), unitsText(m_report->stage)));
    placeLabels();
    update();
}

void HeadPlane::clear()
{
    m_report.reset();
    m_xy = {};
    m_heads.clear();
    m_labels.clear();
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
    for (const std::int64_t i : m_heads)
    {
        const QRectF one(m_xy(i, 0), m_xy(i, 1), 1e-12, 1e-12);
        bounds = i == m_heads.front() ? one : bounds.united(one);
    }
    const QRectF box = QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin);
    // One scale for both axes: distances are what is shown.
    const double scale = std::min(box.width() / bounds.width(), box.height() / bounds.height());
    const QPointF from = QPointF(m_xy(head, 0), -m_xy(head, 1)) - QPointF(bounds.center().x(), -bounds.center().y());
    return bounds.width() < 1e-9 && bounds.height() < 1e-9 ? box.center() : box.center() + from * scale;
}

double HeadPlane::largestRadius() const
{
    // Larger where there is room, so that the parts of a glyph can be told.
    const double room = std::sqrt(static_cast<double>(width()) * height() /
                                  static_cast<double>(std::max<std::size_t>(1, m_heads.size())));
    return std::clamp(0.27 * room, 9.0, 22.0);
}

double HeadPlane::radiusOf(std::int64_t head) const
{
    const double largest = largestRadius();
    const double strength = m_report->statistics[static_cast<std::size_t>(head)].meanNorm;
    if (m_strongest <= 0 || !std::isfinite(strength))
        return kSmallestShare * largest;
    return largest * (kSmallestShare + (1 - kSmallestShare) * std::sqrt(strength / m_strongest)); // area says it
}

void HeadPlane::placeLabels()
{
    m_labels.clear();
    if (m_report == nullptr)
        return;
    std::vector<QRectF> taken;
    for (const std::int64_t head : m_heads)
    {
        const double reach = radiusOf(head) + kRing;
        const QPointF at = placeOf(head);
        taken.emplace_back(at.x() - reach, at.y() - reach, 2 * reach, 2 * reach);
    }
    const QFontMetricsF metrics(Theme::cellFont());
    const QRectF inside = rect();
    // Away from the middle of all first: there is the free room.
    QPointF middle;
    for (const std::int64_t head : m_heads)
        middle += placeOf(head) / static_cast<double>(m_heads.size());
    for (std::size_t i = 0; i < m_heads.size(); ++i)
    {
        const QPointF at = placeOf(m_heads[i]);
        const QSizeF size(metrics.horizontalAdvance(QString::number(m_heads[i] + 1)) + 2, metrics.height());
        const double outwards = std::atan2(at.y() - middle.y(), at.x() - middle.x());
        std::optional<QRectF> best;
        double least = 1e18;
        for (double away = radiusOf(m_heads[i]) + kRing + kLabelGap; away < kFarthest + largestRadius(); away += 6)
            for (int turn = 0; turn < 16 && least > 0; ++turn)
            {
                const double angle = outwards + (turn % 2 == 0 ? 1 : -1) * ((turn + 1) / 2) * (M_PI / 8);
                const QPointF way(std::cos(angle), std::sin(angle));
                const QPointF centre =
                    at + QPointF(way.x() * (away + size.width() / 2), way.y() * (away + size.height() / 2));
                const QRectF box(centre - QPointF(size.width() / 2, size.height() / 2), size);
                double cost = inside.contains(box) ? 0 : 1e6;
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
        m_labels.push_back(best.value_or(QRectF(at, size)));
        // "12" beside "5" would read as one number.
        taken.push_back(m_labels.back().adjusted(-kBetweenLabels, -1, kBetweenLabels, 1));
    }
}

QRectF HeadPlane::labelOf(std::int64_t head) const
{
    const auto found = std::find(m_heads.begin(), m_heads.end(), head);
    const auto at = static_cast<std::size_t>(found - m_heads.begin());
    return at < m_labels.size() ? m_labels[at] : QRectF();
}

void HeadPlane::paintLabel(QPainter& painter, std::size_t at) const
{
    const Colors& colors = Theme::instance().colors();
    const std::int64_t head = m_heads[at];
    const QRectF box = m_labels[at];
    const QLineF way(placeOf(head), box.center());
    const double reach = radiusOf(head) + kRing;
    if (way.length() > reach + 22) // too far to be told whose it is
    {
        painter.setPen(QPen(colors.muted, 1));
        const double end = way.length() - box.height() / 2;
        painter.drawLine(way.pointAt(radiusOf(head) / way.length()), way.pointAt(end / way.length()));
    }
    painter.setPen(colors.text);
    painter.setFont(Theme::cellFont());
    painter.drawText(box, Qt::AlignCenter, QString::number(head + 1));
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
    const double match = m_report->answers ? m_report->answers->match.value[h] : 1.0;
    if (on && std::isfinite(match))
    {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawPie(disc, 90 * 16, -static_cast<int>(std::lround(match * kTurn)));
    }
    const double selectivity = m_report->answers ? m_report->answers->selectivity.value[h] : 0.0;
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
}

void HeadPlane::paintHulls(QPainter& painter) const
{
    const std::int64_t members = m_info.groupSize();
    if (members <= 1 || members >= m_xy.rows())
        return;
    for (std::size_t first = 0; first < m_heads.size();)
    {
        const std::int64_t group = m_heads[first] / members;
        QPolygonF places;
        for (; first < m_heads.size() && m_heads[first] / members == group; ++first)
            places.append(placeOf(m_heads[first]));
        QColor color = m_palette.groupColor(GroupIndex(group));
        constexpr int kHullAlpha = 36;
        color.setAlpha(kHullAlpha);
        QPainterPath path;
        path.addPolygon(convexHull(places));
        path.closeSubpath();
        QPainterPathStroker stroker(
            QPen(color, 2 * (largestRadius() + kRing), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        // Outline and inside as one shape, so that they do not add up.
        QPainterPath hull = stroker.createStroke(path);
        hull.addPath(path);
        hull.setFillRule(Qt::WindingFill);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawPath(hull);
    }
}

void HeadPlane::paintEvent(QPaintEvent*)
{
    if (m_report == nullptr || m_heads.empty())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintHulls(painter);
    // The larger first: a small one is never hidden behind it.
    std::vector<std::int64_t> bySize = m_heads;
    std::stable_sort(bySize.begin(), bySize.end(),
                     [this](std::int64_t a, std::int64_t b) { return radiusOf(a) > radiusOf(b); });
    for (const std::int64_t head : bySize)
        paintGlyph(painter, head);
    for (std::size_t i = 0; i < m_labels.size(); ++i)
        paintLabel(painter, i);
}

void HeadPlane::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeLabels();
}

std::optional<std::int64_t> HeadPlane::headAt(QPointF place) const
{
    std::optional<std::int64_t> nearest;
    double least = largestRadius() + kRing;
    for (const std::int64_t head : m_heads)
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
                    .arg(QLocale().toString(100 * m_report->answers->match.value[h], 'f', 1),
                         numberText(m_report->answers->selectivity.value[h]));
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
    Q_EMIT headHovered(indexOf<HeadIndex>(head));
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
        Q_EMIT headClicked(HeadIndex(*head));
}

void HeadPlane::leaveEvent(QEvent*)
{
    hover({}, {});
}

void HeadPlane::keyPressEvent(QKeyEvent* event)
{
    if (m_report == nullptr || m_heads.empty())
        return QWidget::keyPressEvent(event);
    const bool forward = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down;
    if (forward || event->key() == Qt::Key_Left || event->key() == Qt::Key_Up)
    {
        const auto count = m_heads.size();
        const auto at = static_cast<std::size_t>(std::find(m_heads.begin(), m_heads.end(), m_hovered.value_or(-1)) -
                                                 m_heads.begin());
        const std::int64_t next = m_heads[at == count ? 0 : (at + (forward ? 1 : count - 1)) % count];
        setAccessibleDescription(textOf(next));
        return hover(next, mapToGlobal(placeOf(next).toPoint()));
    }
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Space) && m_hovered)
        return Q_EMIT headClicked(HeadIndex(*m_hovered));
    QWidget::keyPressEvent(event);
}

void HeadPlane::setHoveredHead(std::optional<HeadIndex> head)
{
    if (m_hovered == numberOf(head))
        return;
    m_hovered = numberOf(head);
    update();
}

} // namespace headscope::ui

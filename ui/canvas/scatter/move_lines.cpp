// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scatter/move_lines.h"

#include "ui/theme/theme.h"

#include <QPainter>
#include <QVector>

#include <utility>

namespace headscope::ui
{

MoveLines::MoveLines(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("moveLines"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    onThemeChange(this, [this] { update(); });
}

void MoveLines::setPair(std::shared_ptr<const MapPair> pair)
{
    m_pair = std::move(pair);
    m_pale.clear();
    m_strong.clear();
    update();
}

void MoveLines::setPoints(std::vector<std::int64_t> pale, std::vector<std::int64_t> strong)
{
    if (pale == m_pale && strong == m_strong)
        return;
    m_pale = std::move(pale);
    m_strong = std::move(strong);
    update();
}

void MoveLines::setBadge(const QString& badge)
{
    if (std::exchange(m_badge, badge) != badge)
        update();
}

std::vector<viz::MoveLine> MoveLines::moves() const
{
    std::vector<viz::MoveLine> moves;
    if (m_pair == nullptr)
        return moves;
    const auto at = [](const MatrixF& xy, std::int64_t point) {
        return QPointF(static_cast<double>(xy(point, 0)), static_cast<double>(xy(point, 1)));
    };
    for (const auto* points : {&m_pale, &m_strong})
        for (const std::int64_t point : *points)
            moves.push_back({at(m_pair->xyA, point), at(m_pair->xyB, point), points == &m_strong});
    return moves;
}

void MoveLines::paintEvent(QPaintEvent*)
{
    ++m_paints;
    if (m_pair == nullptr || !m_placeOf)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Colors& colors = Theme::instance().colors();
    const auto linesOf = [this](const std::vector<std::int64_t>& points) {
        QVector<QLineF> lines;
        lines.reserve(static_cast<qsizetype>(points.size()));
        for (const std::int64_t point : points)
        {
            const auto at = [point](const MatrixF& xy) {
                return QPointF(static_cast<double>(xy(point, 0)), static_cast<double>(xy(point, 1)));
            };
            lines.append(QLineF(m_placeOf(at(m_pair->xyA), false), m_placeOf(at(m_pair->xyB), true)));
        }
        return lines;
    };
    QColor pale = colors.muted;
    pale.setAlphaF(0.45F);
    painter.setPen(QPen(pale, 1));
    painter.drawLines(linesOf(m_pale));
    const QVector<QLineF> strong = linesOf(m_strong);
    painter.setPen(QPen(colors.accent, 2));
    painter.drawLines(strong);
    painter.setBrush(colors.canvas);
    constexpr double kRing = 3.5;
    for (const QLineF& line : strong)
    {
        painter.drawEllipse(line.p1(), kRing, kRing);
        painter.drawEllipse(line.p2(), kRing, kRing);
    }
    if (m_badge.isEmpty())
        return;
    painter.setFont(Theme::smallFont());
    const QRect words = painter.fontMetrics().boundingRect(m_badge);
    const QRectF box(Metrics::kPanel, height() - Metrics::kPanel - words.height() - Metrics::kRelated,
                     words.width() + 2 * Metrics::kRelated, words.height() + Metrics::kRelated);
    painter.setPen(colors.hairline);
    painter.setBrush(colors.canvas);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), Metrics::kRadius, Metrics::kRadius);
    painter.setPen(colors.muted);
    painter.drawText(box, Qt::AlignCenter, m_badge);
}

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/atlas/head_card.h"

#include "ui/canvas/card_place.h"
#include "ui/theme/theme.h"
#include "viz/axis/text.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kLine = 17;
constexpr int kTitleLine = 22;
constexpr int kPadding = 10;
constexpr int kShadow = 8;
constexpr int kBeside = 8;
constexpr int kBetweenColumns = 20;

int widthOf(const QString& text, const QFont& font)
{
    return static_cast<int>(std::ceil(QFontMetricsF(font).horizontalAdvance(text)));
}

} // namespace

HeadCard::HeadCard(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("headCard"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

int HeadCard::linesInColumn() const
{
    return (static_cast<int>(m_lines.size()) + m_columns - 1) / m_columns;
}

void HeadCard::layOut()
{
    const QFont small = Theme::smallFont();
    m_nameWidth = m_valueWidth = m_intervalWidth = 0;
    for (const CardLine& line : m_lines)
    {
        m_nameWidth = std::max(m_nameWidth, widthOf(line.name, line.heading ? Theme::smallFont(true) : small));
        if (!line.heading)
            m_valueWidth = std::max(m_valueWidth, widthOf(line.value, small));
        m_intervalWidth = std::max(m_intervalWidth, widthOf(line.heading ? line.value : line.interval, small));
    }
    const int frame = 2 * (kPadding + kShadow);
    const int column = m_nameWidth + m_valueWidth + m_intervalWidth + 2 * kBeside;
    const int room = parentWidget()->height() - frame - kTitleLine;
    m_columns = static_cast<int>(m_lines.size()) * kLine > room &&
                        2 * column + kBetweenColumns + frame <= parentWidget()->width()
                    ? 2
                    : 1;
    const int most = std::max(1, room / kLine) * m_columns;
    if (const auto left = static_cast<int>(m_lines.size()) - most; left > 0)
    {
        m_lines.resize(static_cast<std::size_t>(most - 1));
        m_lines.push_back({tr("%1 more in the table").arg(left + 1), {}, {}, true});
    }
    const int title = widthOf(m_title, Theme::bodyFont(true)) + 16 + kBeside + widthOf(m_group, small);
    const int content = m_columns * column + (m_columns - 1) * kBetweenColumns;
    resize(std::max(title, content) + frame, kTitleLine + linesInColumn() * kLine + frame);
}

void HeadCard::showAt(const HeadMeasures& measures, const HeadPlace& head, const QColor& color, const QString& group,
                      QPoint place)
{
    m_title = headPlaceText(measures.stage, head);
    m_group = group;
    m_color = color;
    m_lines = cardLines(measures, head);
    layOut();
    update();
    move(placeOfCard(place, size(), parentWidget()->size()));
    show();
    raise();
}

void HeadCard::paintEvent(QPaintEvent*)
{
    const Colors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF card = QRectF(rect()).adjusted(kShadow, kShadow - 2, -kShadow, -kShadow - 2);
    painter.setPen(Qt::NoPen);
    for (int ring = kShadow - 1; ring >= 1; --ring)
    {
        painter.setBrush(QColor(0, 0, 0, Theme::instance().isDark() ? 14 : 5));
        painter.drawRoundedRect(card.adjusted(-ring, -ring + 2, ring, ring + 2), 6 + ring, 6 + ring);
    }
    painter.setPen(colors.hairline);
    painter.setBrush(Theme::instance().isDark() ? colors.frame : colors.canvas);
    painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    const QFont small = Theme::smallFont();
    QRectF line(card.left() + kPadding, card.top() + kPadding - 2, card.width() - 2 * kPadding, kTitleLine);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_color);
    painter.drawEllipse(QPointF(line.left() + 5, line.center().y()), 5, 5);
    line.setLeft(line.left() + 16);
    viz::drawLine(painter, line, m_title, Theme::bodyFont(true), colors.text);
    viz::drawLine(painter, line, m_group, small, colors.muted, Qt::AlignRight | Qt::AlignVCenter);
    const int perColumn = linesInColumn();
    const double column = m_nameWidth + m_valueWidth + m_intervalWidth + 2 * kBeside;
    for (int i = 0; i < static_cast<int>(m_lines.size()); ++i)
    {
        const CardLine& each = m_lines[static_cast<std::size_t>(i)];
        const double left = card.left() + kPadding + (i / perColumn) * (column + kBetweenColumns);
        const double top = card.top() + kPadding - 2 + kTitleLine + (i % perColumn) * kLine;
        viz::drawLine(painter, {left, top, column, kLine}, each.name, each.heading ? Theme::smallFont(true) : small,
                      each.heading ? colors.section : colors.text);
        if (each.heading)
        {
            viz::drawLine(painter, {left, top, column, kLine}, each.value, small, colors.muted,
                          Qt::AlignRight | Qt::AlignVCenter);
            continue;
        }
        viz::drawLine(painter, {left + m_nameWidth + kBeside, top, static_cast<double>(m_valueWidth + 1), kLine},
                      each.value, small, colors.text, Qt::AlignRight | Qt::AlignVCenter);
        viz::drawLine(painter, {left + column - m_intervalWidth, top, static_cast<double>(m_intervalWidth + 1), kLine},
                      each.interval, small, colors.muted);
    }
}

} // namespace headscope::ui

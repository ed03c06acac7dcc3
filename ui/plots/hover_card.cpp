// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/hover_card.h"

#include "ui/theme/theme.h"
#include "viz/axis/text.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace headscope::ui
{
namespace
{

constexpr int kShadow = 8;
constexpr int kPadding = 10;
constexpr int kLine = 17;
constexpr int kTextWidth = 232;
constexpr int kDot = 16;
constexpr int kFromPointer = 14;
constexpr int kMaxTextLines = 3;

} // namespace

HoverCard::HoverCard(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("hoverCard"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void HoverCard::layOut()
{
    const QFontMetrics bold(Theme::bodyFont(true));
    const QFontMetrics small(Theme::smallFont());
    const int titleWidth = (m_content.color ? kDot : 0) + bold.horizontalAdvance(m_content.title) +
                           (m_content.detail.isEmpty() ? 0 : 8 + small.horizontalAdvance(m_content.detail)) +
                           (m_content.value.isEmpty() ? 0 : 16 + bold.horizontalAdvance(m_content.value));
    const int width = std::max(kTextWidth, titleWidth);
    m_lines = m_content.text.isEmpty() ? QStringList()
                                       : viz::wrappedLines(QChar(0x201C) % m_content.text % QChar(0x201D),
                                                           Theme::smallFont(), width, kMaxTextLines);
    const auto lines = 1 + (m_content.subtitle.isEmpty() ? 0 : 1) + static_cast<int>(m_lines.size());
    resize(width + 2 * (kPadding + kShadow), lines * kLine + 2 * (kPadding + kShadow) - 2);
}

void HoverCard::showAt(const HoverContent& content, QPoint place)
{
    if (!(content == m_content))
    {
        m_content = content;
        layOut();
        update();
    }
    const QSize room = parentWidget()->size();
    // To the right and below the pointer; on the other side where the view ends.
    int x = place.x() + kFromPointer - kShadow;
    if (x + width() > room.width())
        x = place.x() - kFromPointer - width() + kShadow;
    int y = place.y() + kFromPointer - kShadow;
    if (y + height() > room.height())
        y = place.y() - kFromPointer - height() + kShadow;
    move(std::max(0, x), std::max(0, y));
    if (!isVisible())
    {
        show();
        raise();
    }
}

void HoverCard::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event)
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

    QRectF line(card.left() + kPadding, card.top() + kPadding - 1, card.width() - 2 * kPadding, kLine);
    QRectF title = line;
    if (m_content.color)
    {
        painter.setPen(Qt::NoPen);
        painter.setBrush(*m_content.color);
        painter.drawEllipse(QPointF(line.left() + 5, line.center().y()), 5, 5);
        title.adjust(kDot, 0, 0, 0);
    }
    viz::drawLine(painter, title, m_content.title, Theme::bodyFont(true), colors.text);
    title.adjust(QFontMetrics(Theme::bodyFont(true)).horizontalAdvance(m_content.title) + 8, 0, 0, 0);
    viz::drawLine(painter, title, m_content.detail, Theme::smallFont(), colors.muted);
    if (!m_content.value.isEmpty())
        viz::drawLine(painter, line, m_content.value, Theme::bodyFont(true), colors.text,
                      Qt::AlignRight | Qt::AlignVCenter);
    if (!m_content.subtitle.isEmpty())
    {
        line.translate(0, kLine);
        viz::drawLine(painter, line, m_content.subtitle, Theme::smallFont(), colors.muted);
    }
    for (const QString& text : m_lines)
    {
        line.translate(0, kLine);
        viz::drawLine(painter, line, text, Theme::smallFont(), colors.text);
    }
}

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/hover_card.h"

#include "ui/canvas/card_place.h"
#include "ui/theme/theme.h"
#include "viz/axis/text.h"

#include <QFontMetrics>
#include <QPainter>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace headscope::ui
{
namespace
{

constexpr int kShadow = 8;
constexpr int kPadding = 10;
constexpr int kLine = 17;
constexpr int kTextWidth = 232;
constexpr int kWidest = 400; ///< for a topic's name; facts may take more
constexpr int kDot = 16;
constexpr int kBeside = 8; ///< between title and detail
constexpr int kFromPointer = 14;
constexpr int kMaxTextLines = 3;
constexpr int kFarInside = 70; ///< characters; a hit beyond them might not be seen
constexpr int kBeforeHit = 32; ///< characters that lead to it

/// The text in quotation marks, begun shortly before the first hit where that lies far inside.
struct Excerpt
{
    QString text;
    std::vector<std::pair<int, int>> hits;
};

Excerpt excerptOf(const HoverContent& content)
{
    const QChar open(0x201C);
    const QChar close(0x201D);
    int cut = 0;
    if (!content.hits.empty() && content.hits.front().first > kFarInside)
        cut = static_cast<int>(content.text.lastIndexOf(QLatin1Char(' '), content.hits.front().first - kBeforeHit)) + 1;
    const QString lead = cut > 0 ? QString(open) % QChar(0x2026) : QString(open);
    Excerpt excerpt{lead % content.text.mid(cut) % close, {}};
    const int shift = static_cast<int>(lead.size()) - cut;
    for (const auto& [begin, end] : content.hits)
        if (begin >= cut && begin < end && end <= content.text.size())
            excerpt.hits.emplace_back(begin + shift, end + shift);
    return excerpt;
}

/// What of the text's rest, whose last letter closes the quotation, fits into a line; it is closed there.
QString elidedQuote(const QString& rest, const QFont& font, double width)
{
    const QFontMetricsF metrics(font);
    const QString close = rest.right(1);
    return metrics.elidedText(rest.chopped(1), Qt::ElideRight, width - metrics.horizontalAdvance(close)) % close;
}

/// Without white space at the end.
QString withoutEnd(QString line)
{
    while (!line.isEmpty() && line.back().isSpace())
        line.chop(1);
    return line;
}

} // namespace

QString spokenText(const HoverContent& content)
{
    QStringList parts{content.title, content.detail, content.subtitle, content.value, content.text};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

HoverCard::HoverCard(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("hoverCard"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

std::vector<HoverCard::Line> HoverCard::wrapped(const QString& text, double width) const
{
    std::vector<Line> lines;
    const QFont font = Theme::smallFont();
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    QTextLayout layout(text, font);
    layout.setTextOption(option);
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine())
    {
        line.setLineWidth(width);
        const QString rest = text.mid(line.textStart());
        const bool goesOn = lines.size() + 1 == kMaxTextLines && rest.size() > line.textLength();
        // The space that a line breaks at has no room in it: measured with it, the line would be cut in its middle.
        lines.push_back(
            {goesOn ? elidedQuote(rest, font, width) : withoutEnd(rest.left(line.textLength())), line.textStart()});
        if (lines.size() == kMaxTextLines)
            break;
    }
    layout.endLayout();
    return lines;
}

QStringList HoverCard::markedText() const
{
    QStringList marked;
    for (const Line& line : m_lines)
        for (const auto& [begin, end] : m_hits)
            if (const int from = std::max(begin, line.start);
                from < std::min(end, line.start + static_cast<int>(line.text.size())))
                marked << line.text.mid(from - line.start, end - from);
    return marked;
}

QStringList HoverCard::textLines() const
{
    QStringList lines;
    for (const Line& line : m_lines)
        lines << line.text;
    return lines;
}

void HoverCard::layOut()
{
    // What is painted is measured as it is painted, and not in whole pixels: facts stand in full.
    const QFontMetricsF bold(Theme::bodyFont(true));
    const QFontMetricsF small(Theme::smallFont());
    const double titleWidth = (m_content.color ? kDot : 0) + bold.horizontalAdvance(m_content.title) +
                              (m_content.detail.isEmpty() ? 0 : kBeside + small.horizontalAdvance(m_content.detail)) +
                              (m_content.value.isEmpty() ? 0 : 2 * kBeside + bold.horizontalAdvance(m_content.value));
    const double subtitleWidth = std::min<double>(kWidest, small.horizontalAdvance(m_content.subtitle));
    const int width = std::max(kTextWidth, static_cast<int>(std::ceil(std::max(titleWidth, subtitleWidth))));
    m_lines.clear();
    m_hits.clear();
    if (!m_content.text.isEmpty())
    {
        Excerpt excerpt = excerptOf(m_content);
        m_lines = wrapped(excerpt.text, width);
        m_hits = std::move(excerpt.hits);
    }
    const auto lines = 1 + (m_content.subtitle.isEmpty() ? 0 : 1) + static_cast<int>(m_lines.size());
    resize(width + 2 * (kPadding + kShadow), lines * kLine + 2 * (kPadding + kShadow) - 2);
}

QPoint placeOfCard(QPoint place, QSize card, QSize room)
{
    // The shadow may lie over the place. To the right and below; on the other side where the view ends.
    constexpr int kAway = kFromPointer - kShadow;
    const auto along = [](int at, int size, int all) {
        return at + kAway + size <= all ? at + kAway : at - kAway - size;
    };
    const int x = along(place.x(), card.width(), room.width());
    const int y = along(place.y(), card.height(), room.height());
    const int lastX = std::max(0, room.width() - card.width());
    const int lastY = std::max(0, room.height() - card.height());
    // One of both keeps it off the place; the other may give way.
    if (x >= 0 || y >= 0)
        return {std::clamp(x, 0, lastX), std::clamp(y, 0, lastY)};
    return {place.x() > room.width() / 2 ? 0 : lastX, lastY};
}

void HoverCard::showAt(const HoverContent& content, QPoint place)
{
    if (!(content == m_content))
    {
        m_content = content;
        layOut();
        update();
    }
    move(placeOfCard(place, size(), parentWidget()->size()));
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
    title.adjust(QFontMetricsF(Theme::bodyFont(true)).horizontalAdvance(m_content.title) + kBeside, 0, 0, 0);
    viz::drawLine(painter, title, m_content.detail, Theme::smallFont(), colors.muted);
    if (!m_content.value.isEmpty())
        viz::drawLine(painter, line, m_content.value, Theme::bodyFont(true), colors.text,
                      Qt::AlignRight | Qt::AlignVCenter);
    if (!m_content.subtitle.isEmpty())
    {
        line.translate(0, kLine);
        viz::drawLine(painter, line, m_content.subtitle, Theme::smallFont(), colors.muted);
    }
    const QFontMetricsF metrics(Theme::smallFont());
    for (const Line& shown : m_lines)
    {
        line.translate(0, kLine);
        for (const auto& [begin, end] : m_hits)
        {
            const int from = std::max(begin, shown.start) - shown.start;
            const int to = std::min(end - shown.start, static_cast<int>(shown.text.size()));
            if (from >= to)
                continue;
            const double left = line.left() + metrics.horizontalAdvance(shown.text.left(from));
            const double right = line.left() + metrics.horizontalAdvance(shown.text.left(to));
            painter.setPen(Qt::NoPen);
            painter.setBrush(colors.accentPale);
            painter.drawRoundedRect(QRectF(left - 1, line.top() + 1, right - left + 2, kLine - 2), 2, 2);
        }
        viz::drawLine(painter, line, shown.text, Theme::smallFont(), colors.text);
    }
}

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/tokens/token_text.h"

#include "viz/axis/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::viz
{
namespace
{

constexpr double kPadding = 1;        ///< at both sides of a token, inside its background
constexpr double kActingShare = 0.66; ///< of the width: more of what comes before is of use, as it is what may be read
constexpr double kMaxOpaque = 0.75;   ///< letters stay readable on it
constexpr double kCorner = 2;

QString ellipsis()
{
    return QStringLiteral("…");
}

/// Widths of the tokens around the acting one; of texts of thousands of tokens the far ones are never asked for.
class Widths
{
public:
    Widths(const ShadedText& text, const TokenTextStyle& style) : m_text(text), m_style(style) {}

    [[nodiscard]] double of(std::int64_t token) const
    {
        return textWidth(tokenInText(m_text.tokens[static_cast<std::size_t>(token)].text), m_style.font) + 2 * kPadding;
    }

private:
    const ShadedText& m_text;
    const TokenTextStyle& m_style;
};

} // namespace

double shadeOpacity(double weight)
{
    return kMaxOpaque * std::sqrt(std::clamp(weight, 0.0, 1.0));
}

QString tokenInText(const QString& token)
{
    QString shown;
    for (const QChar c : token)
    {
        if (c == u'\n')
            shown += QChar(0x21B5); // the sign of a line end
        else if (c == u'\t' || c == u'\r')
            shown += u' ';
        else if (c.isPrint() || c.isSurrogate() || c.isMark() || c.category() == QChar::Other_Format)
            shown += c;
        else
            shown += QChar(0x25A1); // what has no picture
    }
    return shown.isEmpty() ? QString(QChar(0x2009)) : shown;
}

TokenTextLayout TokenTextLayout::line(const ShadedText& text, const TokenTextStyle& style, double width)
{
    TokenTextLayout layout;
    layout.m_height = style.lineHeight;
    const auto count = std::ssize(text.tokens);
    if (count == 0)
        return layout;
    const Widths widths(text, style);
    const double dots = textWidth(ellipsis(), style.font);
    std::int64_t first = text.acting, last = text.acting;
    double used = widths.of(text.acting);
    double before = 0;
    const auto addBefore = [&](double limit) {
        while (first > 0)
        {
            const double one = widths.of(first - 1);
            if (before + one + (first > 1 ? dots : 0) > limit || used + one + 2 * dots > width)
                return;
            before += one;
            used += one;
            --first;
        }
    };
    addBefore(kActingShare * width);
    while (last + 1 < count)
    {
        const double one = widths.of(last + 1);
        if (used + one + (first > 0 ? dots : 0) + (last + 2 < count ? dots : 0) > width)
            break;
        used += one;
        ++last;
    }
    addBefore(width); // where the text ends nearby
    double x = 0;
    if (first > 0)
    {
        layout.m_ellipses.emplace_back(0, 0, dots, style.lineHeight);
        x = dots;
    }
    for (std::int64_t token = first; token <= last; ++token)
    {
        const double one = std::min(widths.of(token), std::max(0.0, width - x));
        layout.m_places.push_back({token, QRectF(x, 0, one, style.lineHeight),
                                   tokenInText(text.tokens[static_cast<std::size_t>(token)].text)});
        x += one;
    }
    if (last + 1 < count)
        layout.m_ellipses.emplace_back(x, 0, dots, style.lineHeight);
    return layout;
}

TokenTextLayout TokenTextLayout::lines(const ShadedText& text, const TokenTextStyle& style, double width, int maxLines)
{
    TokenTextLayout layout;
    const Widths widths(text, style);
    const double dots = textWidth(ellipsis(), style.font);
    // As many tokens before the acting one as two thirds of the lines hold.
    std::int64_t first = text.acting;
    double room = kActingShare * width * maxLines;
    while (first > 0)
    {
        room -= widths.of(first - 1);
        if (room < 0)
            break;
        --first;
    }
    double x = 0, y = 0;
    if (first > 0)
    {
        layout.m_ellipses.emplace_back(0, 0, dots, style.lineHeight);
        x = dots;
    }
    for (std::int64_t token = first; token < std::ssize(text.tokens); ++token)
    {
        const QString shown = tokenInText(text.tokens[static_cast<std::size_t>(token)].text);
        const double one = std::min(widths.of(token), width);
        const bool lastLine = y + 1.5 * style.lineHeight > maxLines * style.lineHeight;
        const bool more = token + 1 < std::ssize(text.tokens);
        if (x + one + (lastLine && more ? dots : 0) > width && x > 0)
        {
            if (lastLine)
            {
                layout.m_ellipses.emplace_back(x, y, dots, style.lineHeight);
                break;
            }
            x = 0;
            y += style.lineHeight;
        }
        layout.m_places.push_back({token, QRectF(x, y, one, style.lineHeight), shown});
        x += one;
    }
    layout.m_height = y + style.lineHeight;
    return layout;
}

std::optional<std::int64_t> TokenTextLayout::tokenAt(QPointF place) const
{
    const auto found = std::ranges::find_if(m_places, [&](const Place& each) { return each.box.contains(place); });
    return found == m_places.end() ? std::nullopt : std::optional(found->token);
}

void TokenTextLayout::paint(QPainter& painter, QPointF corner, const ShadedText& text,
                            const TokenTextStyle& style) const
{
    const Inks& colors = inks(style.theme);
    const QColor ink = style.ink.isValid() ? style.ink : colors.ink;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    for (const Place& each : m_places)
    {
        const double weight = text.tokens[static_cast<std::size_t>(each.token)].weight;
        if (weight <= 0)
            continue;
        QColor shade = style.shade;
        shade.setAlphaF(static_cast<float>(shadeOpacity(weight)));
        painter.setBrush(shade);
        painter.drawRect(each.box.translated(corner).adjusted(0, 2, 0, -2));
    }
    painter.setBrush(Qt::NoBrush);
    for (const Place& each : m_places)
    {
        const QRectF box = each.box.translated(corner);
        if (each.token == text.acting)
        {
            painter.setPen(QPen(ink, 1.5));
            painter.drawRoundedRect(box.adjusted(0, 1.5, 0, -1.5), kCorner, kCorner);
        }
        drawLine(painter, box.adjusted(kPadding, 0, 4, 0), each.text, style.font, ink);
    }
    for (const QRectF& each : m_ellipses)
        drawLine(painter, each.translated(corner).adjusted(0, 0, 4, 0), ellipsis(), style.font, colors.secondary);
}

} // namespace headscope::viz

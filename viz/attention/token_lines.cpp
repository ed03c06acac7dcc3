// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/attention/token_lines.h"

#include "viz/axis/text.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kNameGap = 8;     // between a name and its lines
constexpr double kShareWidth = 36; // of the numbers beside linked names
constexpr double kMinLines = 0.26; // of the width, for the lines
constexpr double kThickest = 6.5;
constexpr double kThinnest = 0.6;
constexpr double kSpan = 300; // lines are at most this wide, and centred

} // namespace

TokenLinesLayout::TokenLinesLayout(const TokenNames& names, const QRectF& box, TokenLinesStyle style)
    : m_names(&names), m_style(std::move(style))
{
    const double line = std::ceil(lineHeight(names.font()));
    m_window = box.adjusted(0, 0, 0, m_style.headings ? -(line + 4) : 0);
    m_bottom = m_window.bottom();
    const double room = (1 - kMinLines) * box.width() / 2 - kNameGap;
    const double wanted = std::max(names.widest(), 24.0);
    // The numbers go before names are cut.
    m_share = room - kShareWidth >= std::min(wanted, 0.25 * box.width()) ? kShareWidth : 0;
    const double name = std::clamp(wanted, 24.0, std::max(24.0, room - m_share));
    const double side = name + m_share + kNameGap;
    const double span = std::clamp(box.width() - 2 * side, 24.0, kSpan);
    m_left = std::round(box.center().x() - span / 2);
    m_right = m_left + std::round(span);
    if (m_style.rowHeight <= 0)
        m_style.rowHeight = fittingRow();
    m_style.rowHeight = std::clamp(m_style.rowHeight, kMinRow, 4 * kWidestRow);
    m_style.offset = bounded(m_style.offset);
    // Few tokens end where they end, and their headings follow.
    m_bottom = std::min(m_bottom, m_window.top() + contentHeight());
}

double TokenLinesLayout::contentHeight() const
{
    return m_names == nullptr ? 0 : m_style.rowHeight * static_cast<double>(m_names->count());
}

double TokenLinesLayout::fittingRow() const
{
    const auto count = static_cast<double>(std::max<std::int64_t>(1, m_names->count()));
    return std::clamp(m_window.height() / count, kMinRow, kWidestRow);
}

double TokenLinesLayout::bounded(double offset) const
{
    return std::clamp(offset, 0.0, std::max(0.0, contentHeight() - m_window.height()));
}

TokenSpan TokenLinesLayout::inView() const
{
    return {m_style.offset / m_style.rowHeight, (m_style.offset + m_window.height()) / m_style.rowHeight};
}

double TokenLinesLayout::yOf(std::int64_t token) const
{
    return m_window.top() - m_style.offset + (static_cast<double>(token) + 0.5) * m_style.rowHeight;
}

QPointF TokenLinesLayout::endOf(LineEnd end) const
{
    return {end.side == LineEnd::Side::Reading ? m_left : m_right, yOf(end.token)};
}

std::optional<LineEnd> TokenLinesLayout::endAt(QPointF place) const
{
    if (m_names == nullptr || !m_window.contains(place))
        return {};
    const auto token =
        static_cast<std::int64_t>(std::floor((place.y() - m_window.top() + m_style.offset) / m_style.rowHeight));
    if (token < 0 || token >= m_names->count())
        return {};
    const double middle = (m_left + m_right) / 2;
    return LineEnd{place.x() < middle ? LineEnd::Side::Reading : LineEnd::Side::Read, token};
}

std::int64_t TokenLinesLayout::nameStride() const
{
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(m_names->pitch() / m_style.rowHeight)));
}

void TokenLinesLayout::paintLine(QPainter& painter, const LinePool& pool, const TokenLine& line, double pale) const
{
    const QPointF from = endOf({LineEnd::Side::Reading, line.reading});
    const QPointF to = endOf({LineEnd::Side::Read, line.read});
    const double bend = 0.45 * (m_right - m_left);
    QPainterPath path(from);
    path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
    QColor color = pool.sources()[static_cast<std::size_t>(line.source)].color;
    const double strength = attentionPlace(line.weight);
    color.setAlphaF(static_cast<float>(pale * std::lerp(0.10, 0.85, strength)));
    const double thickest = std::clamp(0.45 * m_style.rowHeight, 1.5, kThickest);
    painter.setPen(
        QPen(color, std::lerp(kThinnest, thickest, static_cast<double>(line.weight)), Qt::SolidLine, Qt::FlatCap));
    painter.drawPath(path);
}

void TokenLinesLayout::paintName(QPainter& painter, LineEnd end, const QColor& color, bool bold) const
{
    QFont font = m_names->font();
    if (bold)
        font.setWeight(QFont::DemiBold);
    const double line = std::ceil(lineHeight(font));
    const bool reads = end.side == LineEnd::Side::Reading;
    const QPointF place = endOf(end);
    const double room = reads ? m_left - m_window.left() - m_share : m_window.right() - m_right - m_share;
    const QRectF box(reads ? m_left - room : m_right + kNameGap, place.y() - line / 2, room - kNameGap, line);
    drawLine(painter, box, m_names->shown(end.token), font, color,
             (reads ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

void TokenLinesLayout::paintShares(QPainter& painter, const LinePool& pool, LineEnd::Side side,
                                   const std::vector<TokenLine>& linked) const
{
    const QFont font = textFont(m_names->font().pixelSize() - 1);
    const double line = std::ceil(lineHeight(font));
    std::map<std::int64_t, TokenLine> most; // of several heads the one that gives most, in its colour
    for (const TokenLine& each : linked)
    {
        const auto [place, isNew] = most.try_emplace(side == LineEnd::Side::Read ? each.read : each.reading, each);
        if (!isNew && each.weight > place->second.weight)
            place->second = each;
    }
    const std::int64_t stride = nameStride();
    for (const auto& [token, strongest] : most)
    {
        const float share = strongest.weight;
        constexpr float kSaid = 0.01F;
        if (share < kSaid || (stride > 1 && share < 0.1F))
            continue;
        const bool reads = side == LineEnd::Side::Reading;
        const double y = yOf(token) - line / 2;
        const QRectF box = reads ? QRectF(m_window.left(), y, kShareWidth - 4, line)
                                 : QRectF(m_window.right() - kShareWidth + 4, y, kShareWidth - 4, line);
        const QColor color = pool.sources().size() > 1
                                 ? pool.sources()[static_cast<std::size_t>(strongest.source)].color
                                 : inks(m_style.theme).secondary;
        drawLine(painter, box, QString::number(static_cast<double>(share), 'f', 2), font, color,
                 (reads ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
}

void TokenLinesLayout::paintNames(QPainter& painter, LineEnd::Side side, std::optional<LineEnd> focus,
                                  const std::vector<TokenLine>& linked, bool firstTakenOut) const
{
    const Inks& ink = inks(m_style.theme);
    const TokenSpan view = inView();
    const auto first = std::max<std::int64_t>(0, static_cast<std::int64_t>(view.first) - 1);
    const auto last = std::min(m_names->count(), static_cast<std::int64_t>(view.last) + 2);
    const std::int64_t stride = nameStride();
    const bool own = focus && focus->side == side;
    const bool far = focus && focus->side != side;
    std::map<std::int64_t, float> reached;
    for (const TokenLine& each : linked)
        reached[side == LineEnd::Side::Read ? each.read : each.reading] += each.weight;
    const double apart = static_cast<double>(stride);
    for (std::int64_t token = first; token < last; ++token)
    {
        const bool isFocus = own && focus->token == token;
        constexpr float kStrong = 0.1F;
        const bool isLinked = far && reached.contains(token) && (stride == 1 || reached[token] >= kStrong);
        if (!isFocus && !isLinked && token % stride != 0)
            continue;
        // Names of a text that is too long for all of them make room for those that matter.
        if (!isFocus && own && stride > 1 && std::abs(static_cast<double>(token - focus->token)) < apart)
            continue;
        const bool takenOut = firstTakenOut && token == 0 && side == LineEnd::Side::Read;
        const bool quiet = takenOut || (far && !isLinked) || (own && !isFocus) || (stride > 1 && !isLinked);
        paintName(painter, {side, token},
                  isFocus ? ink.accent
                  : quiet ? ink.secondary
                          : ink.ink,
                  isFocus || (isLinked && reached[token] >= kStrong));
    }
}

LineChoice TokenLinesLayout::paint(QPainter& painter, const LinePool& pool, std::optional<LineEnd> focus,
                                   std::int64_t most) const
{
    LineChoice choice;
    if (m_names == nullptr || m_names->count() == 0)
        return choice;
    painter.save();
    painter.setClipRect(m_window.adjusted(0, -2, 0, 2));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    std::vector<TokenLine> linked;
    if (focus)
        linked = focus->side == LineEnd::Side::Reading ? pool.from(focus->token) : pool.to(focus->token);
    choice = pool.strongest(inView(), most);
    constexpr double kPale = 0.16;
    for (const TokenLine& line : choice.lines)
        paintLine(painter, pool, line, focus ? kPale : 1);
    for (const TokenLine& line : linked)
        paintLine(painter, pool, line, 1);
    const bool takenOut = !pool.sources().empty() && pool.sources().front().weights.withoutFirst();
    for (const LineEnd::Side side : {LineEnd::Side::Reading, LineEnd::Side::Read})
        paintNames(painter, side, focus, linked, takenOut);
    if (focus && m_share > 0)
        paintShares(painter, pool, focus->side == LineEnd::Side::Reading ? LineEnd::Side::Read : LineEnd::Side::Reading,
                    linked);
    painter.restore();
    if (m_style.headings)
    {
        const QFont font = textFont(m_names->font().pixelSize() - 1);
        const double line = std::ceil(lineHeight(font));
        const QColor& grey = inks(m_style.theme).secondary;
        drawLine(painter, {m_window.left(), m_bottom + 4, m_left - kNameGap - m_window.left(), line},
                 m_style.readingTitle, font, grey, Qt::AlignRight | Qt::AlignVCenter);
        drawLine(painter, {m_right + kNameGap, m_bottom + 4, m_window.right() - m_right - kNameGap, line},
                 m_style.readTitle, font, grey);
    }
    return choice;
}

} // namespace headscope::viz

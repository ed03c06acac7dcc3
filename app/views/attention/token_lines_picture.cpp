// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/attention/token_lines_picture.h"

#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/axis/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

using Side = viz::LineEnd::Side;

/// So many lines are drawn in a frame: more would slow it down, and be a blot.
constexpr std::int64_t kMaxLines = 1200;
constexpr std::int64_t kMaxWhileMoving = 400;
constexpr int kMargin = 4;

} // namespace

TokenLinesPicture::TokenLinesPicture()
    : PannedPicture({.name = "attentionLines", .saying = viz::Saying::Picture, .hasGround = true, .least = {180, 150}})
{}

QString TokenLinesPicture::summary() const
{
    if (const auto end = focus(); end && m_pool != nullptr)
        return wordsOf(*end);
    return m_names == nullptr
               ? QString()
               : tr("%1; up and down go from token to token, left and right switch between query and key tokens")
                     .arg(countText(m_names->count(), tr("token"), tr("tokens")));
}

void TokenLinesPicture::setTokens(std::shared_ptr<const viz::TokenNames> names)
{
    if (m_names == names)
        return;
    m_names = std::move(names);
    m_pool.reset();
    m_kept.reset();
    m_pointed.reset();
    m_rowHeight = m_offset = 0;
    replaced();
}

void TokenLinesPicture::setLines(std::shared_ptr<const viz::LinePool> lines)
{
    m_pool = std::move(lines);
    changed();
}

void TokenLinesPicture::setKept(std::optional<viz::LineEnd> end)
{
    if (std::exchange(m_kept, end) == end)
        return;
    if (end && m_names != nullptr)
    {
        const double y = m_layout.yOf(end->token);
        const QRectF window = m_layout.window();
        if (y < window.top() || y > window.bottom())
            panBy({0, window.center().y() - y});
    }
    changed();
}

void TokenLinesPicture::setPointed(std::optional<viz::LineEnd> end)
{
    if (std::exchange(m_pointed, end) != end)
        changed();
}

QString TokenLinesPicture::wordsOf(viz::LineEnd end) const
{
    const bool reads = end.side == Side::Reading;
    std::vector<viz::TokenLine> lines = reads ? m_pool->from(end.token) : m_pool->to(end.token);
    std::reverse(lines.begin(), lines.end());
    constexpr std::size_t kMost = 5;
    lines.resize(std::min(kMost, lines.size()));
    QStringList parts;
    for (const viz::TokenLine& line : lines)
        parts << tr("“%1” %2").arg(m_names->shown(reads ? line.read : line.reading),
                                   QString::number(static_cast<double>(line.weight), 'f', 2));
    const QString name = m_names->shown(end.token);
    if (parts.isEmpty())
        return reads ? tr("“%1” attends to none of the tokens shown").arg(name)
                     : tr("none of the tokens shown attends to “%1”").arg(name);
    return reads ? tr("“%1” attends to %2").arg(name, parts.join(QStringLiteral(", ")))
                 : tr("“%1” is attended to by %2").arg(name, parts.join(QStringLiteral(", ")));
}

std::size_t TokenLinesPicture::tokens() const
{
    return m_names != nullptr ? static_cast<std::size_t>(m_names->count()) : 0;
}

viz::LineEnd TokenLinesPicture::endOf(std::size_t item) const
{
    return {item < tokens() ? Side::Reading : Side::Read, static_cast<std::int64_t>(item % tokens())};
}

std::size_t TokenLinesPicture::itemOf(viz::LineEnd end) const
{
    return static_cast<std::size_t>(end.token) + (end.side == Side::Read ? tokens() : 0);
}

std::optional<std::size_t> TokenLinesPicture::itemAt(QPointF place) const
{
    const auto end = m_pool != nullptr ? m_layout.endAt(place) : std::nullopt;
    return end ? std::optional(itemOf(*end)) : std::nullopt;
}

viz::ItemText TokenLinesPicture::textOf(std::size_t item) const
{
    const viz::LineEnd end = endOf(item);
    return {.title = m_pool != nullptr ? wordsOf(end) : m_names->shown(end.token)};
}

std::optional<std::size_t> TokenLinesPicture::next(std::optional<std::size_t> /*from*/, viz::Step step) const
{
    const QPoint way = viz::directionOf(step);
    if (way.isNull())
        return std::nullopt;
    if (!m_kept)
        return tokens() - 1;
    viz::LineEnd end = *m_kept;
    end.token = std::clamp<std::int64_t>(end.token + way.y(), 0, m_names->count() - 1);
    if (way.x() != 0)
        end.side = way.x() < 0 ? Side::Reading : Side::Read;
    return itemOf(end);
}

void TokenLinesPicture::arrange()
{
    m_layout = {};
    if (m_names == nullptr)
        return;
    viz::TokenLinesStyle style;
    style.theme = theme();
    style.rowHeight = m_rowHeight;
    style.offset = m_offset;
    style.readingTitle = tr("query token");
    style.readTitle = tr("key token");
    m_layout = viz::TokenLinesLayout(*m_names, box().adjusted(kMargin, kMargin, -kMargin, -kMargin), style);
    m_offset = m_layout.style().offset;
}

void TokenLinesPicture::showAll()
{
    m_rowHeight = m_offset = 0;
    changed();
}

void TokenLinesPicture::zoomAt(QPointF place, double factor)
{
    if (m_names == nullptr)
        return;
    const double before = m_layout.rowHeight();
    const double after = std::min(before * factor, viz::TokenLinesLayout::kWidestRow);
    if (after <= m_layout.fittingRow())
        return showAll();
    const double at = place.y() - m_layout.window().top();
    m_rowHeight = after;
    m_offset = (m_offset + at) * after / before - at;
    changed();
}

void TokenLinesPicture::panBy(QPointF pixels)
{
    m_offset = m_layout.bounded(m_offset - pixels.y());
    changed();
}

viz::PannedPicture::Wheel TokenLinesPicture::wheel() const
{
    return m_layout.contentHeight() > m_layout.window().height() ? Wheel::Scrolls : Wheel::Passes;
}

void TokenLinesPicture::paintBadge(QPainter& painter) const
{
    if (m_badge.isEmpty())
        return;
    const QFont font = Theme::smallFont();
    const double width = std::ceil(viz::textWidth(m_badge, font)) + 16;
    const double height = std::ceil(viz::lineHeight(font)) + 6;
    const QRectF ground((box().width() - width) / 2, m_layout.window().bottom() - height - 4, width, height);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Theme::instance().colors().hairline, 1));
    painter.setBrush(Theme::instance().colors().canvas);
    painter.drawRoundedRect(ground, Metrics::kRadius, Metrics::kRadius);
    viz::drawLine(painter, ground, m_badge, font, Theme::instance().colors().muted, Qt::AlignCenter);
}

void TokenLinesPicture::paint(QPainter& painter, const viz::PictureMarks& marks) const
{
    if (m_names == nullptr || m_pool == nullptr)
        return;
    const viz::LineChoice drawn = m_layout.paint(painter, *m_pool, focus(), marks.moves ? kMaxWhileMoving : kMaxLines);
    m_badge = drawn.left > 0
                  ? tr("strongest %1 of %2 lines").arg(countText(drawn.seen - drawn.left), countText(drawn.seen))
                  : QString();
    paintBadge(painter);
}

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lesson/group_scores.h"

#include "viz/attention/token_names.h"
#include "viz/axis/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope::viz
{
namespace
{

double rowHeight(const LessonStyle& style)
{
    return lineHeight(bodyFont(style)) + style.textPx * 0.35;
}

double headHeight(const LessonStyle& style)
{
    return lineHeight(boldFont(style)) + lineHeight(smallFont(style)) + style.textPx * 0.6;
}

std::int64_t headCount(const GroupScores& scores)
{
    return std::min<std::int64_t>(kMaxScoreHeads, static_cast<std::int64_t>(scores.heads.size()));
}

/// The largest weight that any head gives to a key.
double largest(const GroupScores& scores, std::size_t key)
{
    double most = 0;
    for (std::int64_t head = 0; head < headCount(scores); ++head)
        most = std::max(most, scores.weights(head, static_cast<std::int64_t>(key)));
    return most;
}

struct ScorePlaces
{
    double names = 0;  ///< width of the column of keys
    double column = 0; ///< width of a head's column
    double score = 0;  ///< of its number
    double left = 0;
};

ScorePlaces scorePlaces(const GroupScores& scores, const QRectF& box, const LessonStyle& style)
{
    ScorePlaces places;
    for (const QString& key : scores.keys)
        places.names = std::max(places.names, textWidth(shownToken(key), bodyFont(style)));
    places.names = std::min(places.names, box.width() * 0.24) + style.textPx;
    places.score = textWidth(QStringLiteral("−000.0"), bodyFont(style)) + style.textPx * 0.4;
    const auto columns = static_cast<double>(headCount(scores));
    places.column = std::min(style.textPx * 18, (box.width() - places.names) / std::max(1.0, columns));
    places.left = box.center().x() - (places.names + columns * places.column) / 2;
    return places;
}

double trackWidth(const ScorePlaces& places, const LessonStyle& style)
{
    return places.column - places.score - style.textPx * 1.4;
}

/// Before a class the numbers would leave no room for the bars, which show what the step is about.
LessonStyle drawingStyle(const GroupScores& scores, const QRectF& box, const LessonStyle& style)
{
    constexpr double kLeastTrack = 0.4; // of a column
    LessonStyle own = style;
    const double least = std::min(style.textPx, captionStyle(style).textPx);
    for (ScorePlaces places = scorePlaces(scores, box, own);
         own.textPx > least && trackWidth(places, own) < kLeastTrack * places.column;
         places = scorePlaces(scores, box, own))
        own.textPx = std::max(least, own.textPx - 1);
    return own;
}

void paintScoreRow(QPainter& painter, const GroupScores& scores, std::size_t key, const QRectF& row,
                   const ScorePlaces& places, const LessonStyle& style)
{
    const Inks& ink = inks(style.theme);
    const HeadPalette palette(scores.model, style.theme);
    drawLine(painter, {places.left, row.top(), places.names - style.textPx * 0.6, row.height()},
             shownToken(scores.keys[key]), bodyFont(style), ink.ink, Qt::AlignRight | Qt::AlignVCenter);
    for (std::int64_t head = 0; head < headCount(scores); ++head)
    {
        const double left = places.left + places.names + static_cast<double>(head) * places.column;
        const double weight = scores.weights(head, static_cast<std::int64_t>(key));
        const QColor color = palette.color(HeadIndex(scores.heads[static_cast<std::size_t>(head)]));
        drawLine(painter, {left, row.top(), places.score, row.height()},
                 fixedNumber(scores.scores(head, static_cast<std::int64_t>(key)), 1), smallFont(style), ink.secondary,
                 Qt::AlignRight | Qt::AlignVCenter);
        const QRectF track(left + places.score + style.textPx * 0.4, row.center().y() - style.textPx * 0.32,
                           trackWidth(places, style), style.textPx * 0.64);
        painter.setPen(Qt::NoPen);
        painter.setBrush(paled(ink.hairline, ink.background, 0.5));
        painter.drawRect(track);
        painter.setBrush(color);
        painter.drawRect(QRectF(track.topLeft(), QSizeF(track.width() * std::clamp(weight, 0.0, 1.0), track.height())));
    }
}

} // namespace

std::vector<std::size_t> shownKeys(const GroupScores& scores, std::size_t most)
{
    std::vector<std::size_t> keys(scores.keys.size());
    std::iota(keys.begin(), keys.end(), std::size_t{0});
    if (keys.size() <= most)
        return keys;
    std::ranges::stable_sort(
        keys, [&scores](std::size_t a, std::size_t b) { return largest(scores, a) > largest(scores, b); });
    keys.resize(most);
    std::ranges::sort(keys);
    return keys;
}

void paintGroupScores(QPainter& painter, const GroupScores& scores, const QRectF& box, const LessonStyle& large)
{
    const LessonStyle style = drawingStyle(scores, box, large);
    const Inks& ink = inks(style.theme);
    const ScorePlaces places = scorePlaces(scores, box, style);
    const double row = rowHeight(style);
    const double free = box.height() - headHeight(style);
    auto fit = static_cast<std::size_t>(std::max(1.0, std::floor(free / row)));
    if (fit < scores.keys.size() && fit > 1)
        --fit; // a line says how many are left out
    const std::vector<std::size_t> keys = shownKeys(scores, fit);
    double top = box.top() + std::max(0.0, (free - static_cast<double>(keys.size() + 1) * row) / 3);
    for (std::int64_t head = 0; head < headCount(scores); ++head)
    {
        const double left = places.left + places.names + static_cast<double>(head) * places.column;
        const auto index = scores.heads[static_cast<std::size_t>(head)];
        drawLine(painter, {left + style.textPx * 0.4, top, places.column - style.textPx, lineHeight(boldFont(style))},
                 QStringLiteral("Head %1").arg(index + 1), boldFont(style), ink.ink);
        drawLine(painter,
                 {left + style.textPx * 0.4, top + lineHeight(boldFont(style)), places.column - style.textPx,
                  lineHeight(smallFont(style))},
                 QStringLiteral("score, weight"), smallFont(style), ink.secondary);
    }
    top += headHeight(style);
    for (const std::size_t key : keys)
    {
        paintScoreRow(painter, scores, key, {places.left, top, box.right() - places.left, row}, places, style);
        top += row;
    }
    if (keys.size() < scores.keys.size())
        drawLine(painter, {places.left + places.names, top, box.right() - places.left - places.names, row},
                 QStringLiteral("the %1 of %2 keys with the largest weights").arg(keys.size()).arg(scores.keys.size()),
                 smallFont(style), ink.secondary);
}

double groupScoresHeight(const GroupScores& scores, double /*width*/, const LessonStyle& style)
{
    const auto rows = static_cast<double>(std::min<std::size_t>(scores.keys.size(), 18) + 1);
    return headHeight(style) + rows * rowHeight(style);
}

QString groupScoresWords(const GroupScores& scores)
{
    QStringList parts;
    for (std::int64_t head = 0; head < headCount(scores) && !scores.keys.empty(); ++head)
    {
        std::int64_t best = 0;
        for (std::int64_t key = 1; key < static_cast<std::int64_t>(scores.keys.size()); ++key)
            if (scores.weights(head, key) > scores.weights(head, best))
                best = key;
        parts << QStringLiteral("head %1 puts its largest weight, %3, on “%2”")
                     .arg(scores.heads[static_cast<std::size_t>(head)] + 1)
                     .arg(shownToken(scores.keys[static_cast<std::size_t>(best)]))
                     .arg(scores.weights(head, best), 0, 'f', 2);
    }
    return QStringLiteral("For the query token “%1”, the heads use the same %2 keys: %3.")
        .arg(shownToken(scores.token))
        .arg(scores.keys.size())
        .arg(parts.join(QStringLiteral("; ")));
}

} // namespace headscope::viz

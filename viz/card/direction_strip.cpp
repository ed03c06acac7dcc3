// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/card/direction_strip.h"

#include "viz/axis/text.h"
#include "viz/color/category_palette.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <vector>

namespace headscope::viz
{
namespace
{

constexpr std::size_t kBins = 40;
constexpr double kStripLine = 8; ///< of what is written below
constexpr double kBelow = 2 * kStripLine + 1;

/// How many documents of each label are in each bin, labels from -1.
std::vector<std::vector<std::int64_t>> binned(const CardDirection& direction, std::size_t labels, double low,
                                              double high)
{
    std::vector<std::vector<std::int64_t>> bins(kBins, std::vector<std::int64_t>(labels + 1));
    for (std::size_t i = 0; i < direction.scores.size(); ++i)
    {
        const double share = high > low ? (direction.scores[i] - low) / (high - low) : 0.5;
        const auto bin = std::min(kBins - 1, static_cast<std::size_t>(share * static_cast<double>(kBins)));
        const auto label = static_cast<std::size_t>(direction.codes[i] + 1);
        ++bins[bin][label <= labels ? label : 0];
    }
    return bins;
}

/// Position of the innermost document of an end.
double innermost(const CardDirection& direction, bool isHigh)
{
    std::vector<double> scores = direction.scores;
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(1, direction.endDocuments));
    const std::size_t at = isHigh ? scores.size() - std::min(count, scores.size()) : std::min(count, scores.size()) - 1;
    std::nth_element(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(at), scores.end());
    return scores[at];
}

} // namespace

void paintDirectionStrip(QPainter& painter, const QRectF& box, const CardDirection& direction, std::size_t labels,
                         InkTheme theme)
{
    if (direction.scores.empty())
        return;
    const Inks& ink = inks(theme);
    const auto [least, most] = std::ranges::minmax(direction.scores);
    const std::size_t colored = labels <= kMostStripLabels ? labels : 0;
    const auto bins = binned(direction, colored, least, most);
    std::int64_t highest = 1;
    for (const auto& bin : bins)
    {
        std::int64_t sum = 0;
        for (const std::int64_t count : bin)
            sum += count;
        highest = std::max(highest, sum);
    }
    const QRectF plot = box.adjusted(0, 0, 0, -kBelow);
    const auto placeOf = [&, low = least, high = most](double score) {
        return plot.left() + (high > low ? (score - low) / (high - low) : 0.5) * plot.width();
    };
    painter.save();
    painter.setPen(Qt::NoPen);
    QColor ground = ink.hairline;
    ground.setAlphaF(0.45F);
    const double lowEnd = placeOf(innermost(direction, false));
    const double highEnd = placeOf(innermost(direction, true));
    painter.fillRect(QRectF(plot.left(), plot.top(), std::max(1.0, lowEnd - plot.left()), plot.height()), ground);
    painter.fillRect(
        QRectF(std::min(highEnd, plot.right() - 1), plot.top(), std::max(1.0, plot.right() - highEnd), plot.height()),
        ground);
    const CategoryPalette palette(static_cast<std::int64_t>(colored), theme);
    const double width = plot.width() / static_cast<double>(kBins);
    for (std::size_t bin = 0; bin < kBins; ++bin)
    {
        double bottom = plot.bottom();
        for (std::size_t label = 0; label < bins[bin].size(); ++label)
        {
            const double height = plot.height() * static_cast<double>(bins[bin][label]) / static_cast<double>(highest);
            if (height <= 0)
                continue;
            painter.fillRect(QRectF(plot.left() + static_cast<double>(bin) * width, bottom - height, width, height),
                             label == 0 ? (colored == 0 ? ink.secondary : palette.noneColor())
                                        : palette.color(static_cast<std::int64_t>(label) - 1));
            bottom -= height;
        }
    }
    painter.setPen(QPen(ink.secondary, 0.5));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    const QFont font = textFont(6);
    const QRectF below(box.left(), plot.bottom() + 1, box.width(), kStripLine);
    drawLine(painter, below, shortNumber(least), font, ink.secondary);
    drawLine(painter, below, shortNumber(most), font, ink.secondary, Qt::AlignRight | Qt::AlignVCenter);
    drawLine(painter, below.translated(0, kStripLine),
             QStringLiteral("bars: documents, highest %1; grey: ends").arg(highest), font, ink.secondary,
             Qt::AlignCenter);
    drawLine(painter, below, QStringLiteral("position along the direction"), font, ink.secondary, Qt::AlignCenter);
    painter.restore();
}

} // namespace headscope::viz

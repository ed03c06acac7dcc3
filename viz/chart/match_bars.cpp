// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/chart/match_bars.h"

#include "viz/axis/text.h"
#include "viz/color/inks.h"

#include <QColor>
#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace headscope::viz
{
namespace
{

constexpr double kBar = 0.72; ///< of a row
constexpr double kStrip = 3;  ///< of a head's colour
constexpr double kSmallQ = 0.05;

/// Of the bar that ends at the share of level k of so many, the darkest first.
QColor levelColor(std::int64_t k, std::int64_t levels)
{
    const Inks& ink = inks(InkTheme::Light);
    return matchLevelColor(k, levels, ink.secondary, ink.background);
}

QStringList levelWords(const MatchResult& result)
{
    QStringList levels;
    for (const std::int64_t k : result.k)
        levels << (k == 1 ? QStringLiteral("the nearest")
                   : result.topics > 0 && k >= result.topics
                       ? QStringLiteral("among %1 (all %2 topics)").arg(k).arg(result.topics)
                       : QStringLiteral("among %1").arg(k));
    return levels;
}

std::vector<std::int64_t> rowsOf(const TopicMatch& match, const std::vector<std::int64_t>& heads)
{
    std::vector<std::int64_t> rows;
    for (std::int64_t row = 0; row < match.result.share.rows(); ++row)
        if (row == 0 || heads.empty() || std::binary_search(heads.begin(), heads.end(), row - 1))
            rows.push_back(row);
    return rows;
}

/// The bars of one row and their intervals.
void paintRow(QPainter& painter, const TopicMatch& match, std::int64_t row, const QRectF& box)
{
    const Inks& ink = inks(InkTheme::Light);
    const MatrixD& share = match.result.share;
    const auto xOf = [&box](double value) { return box.left() + std::clamp(value, 0.0, 1.0) * box.width(); };
    const double bar = kBar * box.height();
    const double top = box.center().y() - bar / 2;
    double from = 0;
    for (std::int64_t k = 0; k < share.cols(); ++k)
    {
        if (!std::isfinite(share(row, k)) || share(row, k) <= from)
            continue;
        painter.fillRect(QRectF(QPointF(xOf(from), top), QPointF(xOf(share(row, k)), top + bar)),
                         levelColor(k, share.cols()));
        from = share(row, k);
    }
    const double whisker = std::min(1.8, 0.3 * box.height());
    painter.setPen(QPen(ink.ink, 0.6));
    for (std::int64_t k = 0; k < match.low.cols(); ++k)
    {
        if (!std::isfinite(match.low(row, k)))
            continue;
        const double y = box.center().y();
        const double low = xOf(match.low(row, k));
        const double high = xOf(match.high(row, k));
        painter.drawLine(QPointF(low, y), QPointF(high, y));
        for (const double x : {low, high})
            painter.drawLine(QPointF(x, y - whisker), QPointF(x, y + whisker));
    }
}

} // namespace

QColor matchLevelColor(std::int64_t k, std::int64_t levels, const QColor& darkest, const QColor& ground)
{
    constexpr double kPalest = 0.8; // how far the palest bar is on the way to the ground
    const double pale = levels > 1 ? kPalest * static_cast<double>(k) / static_cast<double>(levels - 1) : 0.0;
    return QColor::fromRgbF(static_cast<float>(std::lerp(darkest.redF(), ground.redF(), pale)),
                            static_cast<float>(std::lerp(darkest.greenF(), ground.greenF(), pale)),
                            static_cast<float>(std::lerp(darkest.blueF(), ground.blueF(), pale)));
}

QString matchLevels(const MatchResult& result)
{
    return levelWords(result).join(QStringLiteral(", "));
}

QString matchTests(const TopicMatch& match)
{
    QString text =
        QStringLiteral("Lines are 95% intervals (Wilson%1), and dashed lines are chance.")
            .arg(areCentroids(match.vectorsText) ? QStringLiteral(", with the centroids as given: somewhat too narrow")
                                                 : QString());
    if (match.unequalMajority > 0)
        text += QStringLiteral(" The labels have unequal sizes: always predicting the most common label matches %1%. "
                               "Neither chance nor permuted labels account for this.")
                    .arg(QString::number(100 * match.unequalMajority, 'f', 1));
    std::int64_t tested = 0;
    std::int64_t told = 0;
    for (std::int64_t row = 1; match.q.cols() > 0 && row < match.q.rows(); ++row)
    {
        tested += std::isfinite(match.q(row, 0)) ? 1 : 0;
        told += match.q(row, 0) < kSmallQ ? 1 : 0;
    }
    if (match.headsAreChosen)
        return text + QStringLiteral(" The heads were selected with these labels on these documents: their values are "
                                     "optimistically biased and have no interval or p.");
    if (tested == 0 || match.result.null.rows() == 0)
        return text + QStringLiteral(
                          " The values are not tested here: headscope match gives p and q against permuted labels.");
    const PermutationNull& full = match.result.null(0, 0);
    return text + QStringLiteral(" Of the %1 rows other than the full vector, %2 differ from their values for labels "
                                 "permuted among the documents (true topic %3; q < 0.05 after Benjamini and Hochberg, "
                                 "%4 permutations). With permuted labels, the full row matches %5% on average.")
                      .arg(QString::number(tested), QString::number(told), levelWords(match.result).front(),
                           QString::number(full.permutations), QString::number(100 * full.mean, 'f', 1));
}

std::vector<KeyEntry> matchKey(const TopicMatch& match)
{
    std::vector<KeyEntry> key;
    const QStringList levels = levelWords(match.result);
    for (qsizetype k = 0; k < levels.size(); ++k)
        key.push_back({k == 0 ? QStringLiteral("true topic ") + levels[k] : levels[k], KeyEntry::Mark::Bar,
                       levelColor(k, levels.size())});
    key.push_back({QStringLiteral("lines: 95%"), KeyEntry::Mark::Interval, inks(InkTheme::Light).ink});
    if (match.result.topics > 0)
        key.push_back(
            {QStringLiteral("dashed: chance, k of %1 topics").arg(match.result.topics), KeyEntry::Mark::None, {}});
    if (!match.vectorsText.empty())
        key.push_back(
            {QStringLiteral("topics: ") + QString::fromStdString(match.vectorsText), KeyEntry::Mark::None, {}});
    if (!match.result.fullSource.empty())
        key.push_back(
            {QStringLiteral("full: ") + QString::fromStdString(match.result.fullSource), KeyEntry::Mark::None, {}});
    return key;
}

void paintMatchBars(QPainter& painter, const TopicMatch& match, const HeadPalette& palette,
                    const std::vector<std::int64_t>& heads, const QRectF& box, double textPt)
{
    const std::vector<std::int64_t> rows = rowsOf(match, heads);
    if (rows.empty() || match.result.share.cols() == 0)
        return;
    const Inks& ink = inks(InkTheme::Light);
    const QFont bold = textFont(textPt, QFont::DemiBold);
    const QFont small = textFont(textPt - 1);
    const double line = lineHeight(small);
    const QString title = QStringLiteral("Match, stage %1")
                              .arg(QString::fromUtf8(stageName(match.stage).data(),
                                                     static_cast<qsizetype>(stageName(match.stage).size())));
    drawLine(painter, {box.left(), box.top(), box.width(), lineHeight(bold)}, title, bold, ink.ink);
    const double names =
        std::max(textWidth(QStringLiteral("full"), small), textWidth(QStringLiteral("000"), small)) + 4;
    const double left = box.left() + names + kStrip + 3;
    const double right = box.right() - textWidth(QStringLiteral("1.0"), small) / 2;
    const QRectF plot(QPointF(left, box.top() + lineHeight(bold) + 4), QPointF(right, box.bottom() - line - 3));
    if (plot.width() <= 0 || plot.height() <= 0)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const double tick : {0.0, 0.5, 1.0})
    {
        const double x = plot.left() + tick * plot.width();
        painter.fillRect(QRectF(x - 0.25, plot.top(), 0.5, plot.height()), ink.hairline);
        drawLine(painter, {x - 12, plot.bottom() + 3, 24, line}, QString::number(tick, 'f', 1), small, ink.secondary,
                 Qt::AlignCenter);
    }
    const double pitch = plot.height() / static_cast<double>(rows.size());
    const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil(0.8 * line / pitch)));
    for (std::size_t place = 0; place < rows.size(); ++place)
    {
        const std::int64_t row = rows[place];
        const QRectF at(plot.left(), plot.top() + static_cast<double>(place) * pitch, plot.width(), pitch);
        if (row > 0)
            painter.fillRect(QRectF(plot.left() - kStrip - 2, at.center().y() - 0.4 * pitch, kStrip, 0.8 * pitch),
                             palette.color(HeadIndex(row - 1)));
        if (place % every == 0)
            drawLine(painter, {box.left(), at.center().y() - line / 2, names - 2, line},
                     row == 0 ? QStringLiteral("full") : QString::number(row), small, ink.secondary,
                     Qt::AlignRight | Qt::AlignVCenter);
        paintRow(painter, match, row, at);
    }
    painter.setPen(QPen(ink.ink, 0.5, Qt::DashLine));
    for (std::size_t k = 0; k < match.result.k.size() && match.result.topics > 0; ++k)
        if (const double chance = match.result.chance(match.result.k[k]); chance < 1)
            painter.drawLine(QPointF(plot.left() + chance * plot.width(), plot.top()),
                             QPointF(plot.left() + chance * plot.width(), plot.bottom()));
    painter.restore();
}

} // namespace headscope::viz

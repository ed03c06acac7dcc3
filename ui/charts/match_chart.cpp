// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/match_chart.h"

#include "ui/theme/theme.h"
#include "ui/words/window_text.h"
#include "ui/words/wording.h"
#include "viz/axis/text.h"
#include "viz/chart/match_bars.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr double kNames = 46; ///< room of the heads' names, left of the bars
constexpr double kBar = 0.72; ///< height of a bar in its row
constexpr double kLowest = 4; ///< a row that has room for intervals
constexpr double kBelowKey = 4;

} // namespace

MatchChart::MatchChart()
    : Picture({.name = "matchChart",
               .hasGround = true,
               .items = viz::Items::Listed,
               .room = viz::Room::Grows,
               .least = {180, 160}})
{}

QString MatchChart::summary() const
{
    return tr("How often the nearest topic vector belongs to the document’s true topic; arrow keys move between rows");
}

void MatchChart::setMatch(std::shared_ptr<const TopicMatch> match, const viz::HeadPalette& palette)
{
    m_palette = palette;
    m_match = std::move(match);
    fillRows();
}

void MatchChart::setHeads(const std::vector<std::int64_t>& heads)
{
    if (std::exchange(m_heads, heads) != heads)
        fillRows();
}

void MatchChart::fillRows()
{
    m_rows.clear();
    for (std::int64_t row = 0; m_match != nullptr && row < m_match->result.share.rows(); ++row)
        if (row == 0 || m_heads.empty() || std::ranges::binary_search(m_heads, row - 1))
            m_rows.push_back(row);
    replaced();
}

std::optional<HeadIndex> MatchChart::headOf(std::size_t item) const
{
    return m_rows[item] > 0 ? std::optional(HeadIndex(m_rows[item] - 1)) : std::nullopt;
}

QString MatchChart::title() const
{
    return m_match == nullptr ? tr("Match") : tr("Match, stage %1").arg(toQString(stageName(m_match->stage)));
}

QString MatchChart::hint() const
{
    MatchResult usual; // while none is measured
    usual.k = MatchOptions().k;
    QString text = tr("true topic %1; lines: 95% CI, dashed: chance")
                       .arg(viz::matchLevels(m_match == nullptr ? usual : m_match->result));
    if (m_match != nullptr && !m_match->vectorsText.empty())
        text += tr("\ntopics: %1").arg(toQString(m_match->vectorsText));
    return text;
}

void MatchChart::arrange()
{
    const QFont small = Theme::smallFont();
    m_plot = box().adjusted(kNames, 0, -12, -viz::lineHeight(small) - 6);
    m_plot.setTop(m_plot.top() + viz::keyHeight(key(), m_plot.width(), small.pixelSize()) + kBelowKey);
}

std::vector<viz::KeyEntry> MatchChart::key() const
{
    if (m_match == nullptr)
        return {};
    const Colors& colors = Theme::instance().colors();
    const std::vector<std::int64_t>& levels = m_match->result.k;
    std::vector<viz::KeyEntry> entries;
    for (std::size_t k = 0; k < levels.size(); ++k)
        entries.push_back(
            {tr("top %1").arg(levels[k]), viz::KeyEntry::Mark::Bar,
             viz::matchLevelColor(static_cast<std::int64_t>(k), std::ssize(levels), colors.muted, colors.canvas)});
    entries.push_back({tr("95% CI"), viz::KeyEntry::Mark::Interval, colors.text});
    entries.push_back({tr("chance"), viz::KeyEntry::Mark::Dashes, colors.text});
    return entries;
}

QRectF MatchChart::placeOf(std::size_t item) const
{
    const double pitch = m_plot.height() / static_cast<double>(count());
    return {m_plot.left(), m_plot.top() + static_cast<double>(item) * pitch, m_plot.width(), pitch};
}

std::optional<std::size_t> MatchChart::itemAt(QPointF place) const
{
    if (count() == 0 || place.y() < m_plot.top() || place.y() >= m_plot.bottom())
        return std::nullopt;
    return std::min(static_cast<std::size_t>((place.y() - m_plot.top()) / placeOf(0).height()), count() - 1);
}

std::optional<std::size_t> MatchChart::next(std::optional<std::size_t> from, viz::Step step) const
{
    return viz::directionOf(step).y() == 0 ? std::nullopt : viz::nextCell(from.value_or(0), step, count(), 1);
}

QString MatchChart::rowText(std::int64_t row) const
{
    if (m_match == nullptr || row < 0 || row >= m_match->result.share.rows())
        return {};
    const MatchResult& result = m_match->result;
    QString text = row == 0 ? tr("Full vector: %1").arg(toQString(m_match->result.fullSource))
                            : unitText(m_match->stage, HeadIndex(row - 1));
    const auto percent = [](double share) {
        return std::isfinite(share) ? QString::number(100 * share, 'f', 1) : QStringLiteral("–");
    };
    for (std::int64_t k = 0; k < result.share.cols(); ++k)
    {
        text += tr("\n%1: %2%")
                    .arg(result.k[static_cast<std::size_t>(k)] == 1
                             ? tr("nearest")
                             : amongText(result.k[static_cast<std::size_t>(k)], result.topics))
                    .arg(percent(result.share(row, k)));
        text += std::isfinite(m_match->low(row, k))
                    ? tr(" (%1 to %2)").arg(percent(m_match->low(row, k)), percent(m_match->high(row, k)))
                    : tr(", because there are no other topics");
    }
    for (std::int64_t k = 0; k < result.share.cols() && !result.null.empty(); ++k)
    {
        const PermutationNull& null = result.null(row, k);
        if (k == 0)
            text += tr("\nWith permuted labels (%1 permutations):").arg(null.permutations);
        text +=
            tr("\ntop %1: mean %2%, p %3%4")
                .arg(result.k[static_cast<std::size_t>(k)])
                .arg(percent(null.mean))
                .arg(null.p, 0, 'g', 2)
                .arg(m_match->q.empty() || row == 0 ? QString()
                                                    : tr(", q %1 over all heads").arg(m_match->q(row, k), 0, 'g', 2));
    }
    const std::int64_t measured = result.measured[static_cast<std::size_t>(row)];
    if (measured != result.documents)
        text += tr("\nmeasured on %1 of %2 documents; each of the other documents has no finite vector here, or is the "
                   "only document of its topic")
                    .arg(countText(measured), countText(result.documents));
    return text;
}

void MatchChart::paintAxis(QPainter& painter) const
{
    const Colors& colors = Theme::instance().colors();
    const QFont small = Theme::smallFont();
    constexpr double kWide = 40;
    for (const double share : {0.0, 0.5, 1.0})
    {
        painter.fillRect(QRectF(std::round(xOf(share)), m_plot.top(), 1, m_plot.height()), colors.hairline);
        viz::drawLine(painter, {xOf(share) - kWide / 2, m_plot.bottom() + 3, kWide, viz::lineHeight(small)},
                      QString::number(share, 'f', 1), small, colors.muted, Qt::AlignCenter);
    }
}

/// Shares among the first, the first few, ...: each level adds to the bar of the one before, and is paler.
void MatchChart::paintBar(QPainter& painter, std::size_t item) const
{
    const Colors& colors = Theme::instance().colors();
    const MatrixD& share = m_match->result.share;
    const QRectF row = placeOf(item);
    double reached = 0;
    for (std::int64_t k = 0; k < share.cols(); ++k)
    {
        const double own = std::isfinite(share(m_rows[item], k)) ? std::max(reached, share(m_rows[item], k)) : reached;
        painter.fillRect(QRectF(xOf(reached), row.center().y() - kBar / 2 * row.height(), xOf(own) - xOf(reached),
                                kBar * row.height()),
                         viz::matchLevelColor(k, share.cols(), colors.muted, colors.canvas));
        reached = own;
    }
}

void MatchChart::paintIntervals(QPainter& painter, std::size_t item) const
{
    const QRectF row = placeOf(item);
    const double y = row.center().y();
    const double whisker = std::min(3.0, 0.3 * row.height());
    painter.setPen(QPen(Theme::instance().colors().text, 1));
    for (std::int64_t k = 0; k < m_match->low.cols() && row.height() >= kLowest; ++k)
    {
        if (!std::isfinite(m_match->low(m_rows[item], k)))
            continue;
        const double low = xOf(m_match->low(m_rows[item], k));
        const double high = xOf(m_match->high(m_rows[item], k));
        painter.drawLine(QPointF(low, y), QPointF(high, y));
        for (const double x : {low, high})
            painter.drawLine(QPointF(x, y - whisker), QPointF(x, y + whisker));
    }
}

void MatchChart::paint(QPainter& painter, const viz::PictureMarks& /*marks*/) const
{
    if (count() == 0)
        return;
    const Colors& colors = Theme::instance().colors();
    const QFont small = Theme::smallFont();
    paintAxis(painter);
    viz::paintKey(painter, key(), QRectF(m_plot.left(), box().top(), m_plot.width(), m_plot.top() - box().top()),
                  small.pixelSize(), Theme::instance().vizTheme());
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t item = 0; item < count(); ++item)
        paintBar(painter, item);
    painter.setPen(QPen(colors.text, 1, Qt::DashLine));
    for (const std::int64_t k : m_match->result.k)
        if (const double chance = m_match->result.chance(k); m_match->result.topics > 0 && chance < 1)
            painter.drawLine(QPointF(xOf(chance), m_plot.top()), QPointF(xOf(chance), m_plot.bottom()));
    const auto every = static_cast<std::size_t>(
        std::max(1.0, std::ceil(viz::lineHeight(small) * 0.8 / std::max(1e-9, placeOf(0).height()))));
    for (std::size_t item = 0; item < count(); ++item)
    {
        const QRectF row = placeOf(item);
        const double y = row.center().y();
        const auto head = headOf(item);
        if (head)
            painter.fillRect(QRectF(row.left() - 7, y - 0.4 * row.height(), 4, std::max(1.0, 0.8 * row.height())),
                             m_palette.color(*head));
        if (item % every == 0)
            viz::drawLine(painter, {row.left() - kNames, y - 9, kNames - 11, 18},
                          head ? QString::number(shownNumber(*head)) : QObject::tr("full"), small, colors.muted,
                          Qt::AlignRight | Qt::AlignVCenter);
        paintIntervals(painter, item);
    }
}

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/ablation/importance_plot.h"

#include "app/views/ablation/importance_text.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr double kLeft = 64;
constexpr double kBottom = 40;
constexpr double kAround = 12;
constexpr double kDot = 4.5;
constexpr double kNear = 12; ///< of the pointer

} // namespace

ImportancePlot::ImportancePlot() : Picture({.name = "importancePlot", .wanted = {280, 240}, .least = {220, 200}}) {}

QString ImportancePlot::summary() const
{
    const auto apart = std::ranges::count_if(m_dots, [](const Dot& dot) { return dot.isApart; });
    return m_dots.empty() ? tr("Nothing measured yet.")
                          : tr("%1 points; for %2, the cache-only and full-model intervals do not overlap")
                                .arg(countText(std::ssize(m_dots)), countText(apart));
}

void ImportancePlot::setComparison(std::shared_ptr<const ImportanceComparison> comparison, ImportanceMeasure measure,
                                   const viz::HeadPalette& palette)
{
    m_comparison = std::move(comparison);
    m_measure = measure;
    m_dots.clear();
    const MeasureValues* inModel = m_comparison == nullptr ? nullptr : m_comparison->inModel.find(measure);
    const CacheAblation* cut = m_comparison == nullptr ? nullptr : m_comparison->cutOf(measure);
    double least = 0;
    double most = 0;
    if (inModel != nullptr && cut != nullptr)
        for (std::size_t i = 0; i < std::min(inModel->players.size(), cut->lost.size()); ++i)
        {
            Dot dot{i, cut->lost[i], inModel->players[i].leftOut, {}, false};
            if (!std::isfinite(dot.cut.value) || !std::isfinite(dot.leftOut.value))
                continue;
            const std::int64_t unit = m_comparison->inModel.players[i].unit;
            dot.color = m_comparison->inModel.groups ? palette.groupColor(GroupIndex(unit % palette.groups()))
                                                     : palette.color(HeadIndex(unit));
            dot.isApart = agreementOf(dot.cut, dot.leftOut) == EstimateAgreement::Excluded;
            for (const Estimate& each : {dot.cut, dot.leftOut})
                for (const double value : {each.value, each.ci95.low, each.ci95.high})
                    if (std::isfinite(value))
                    {
                        least = std::min(least, value);
                        most = std::max(most, value);
                    }
            m_dots.push_back(std::move(dot));
        }
    const double room = most > least ? 0.06 * (most - least) : 0.5;
    m_low = least - room;
    m_high = most + room;
    replaced();
}

QRectF ImportancePlot::plot() const
{
    return box().adjusted(kLeft, kAround, -kAround, -kBottom);
}

QPointF ImportancePlot::at(double cut, double leftOut) const
{
    const QRectF plot = this->plot();
    const auto share = [this](double value) { return (value - m_low) / (m_high - m_low); };
    return {plot.left() + share(cut) * plot.width(), plot.bottom() - share(leftOut) * plot.height()};
}

std::optional<std::size_t> ImportancePlot::dotOf(std::size_t player) const
{
    const auto found = std::ranges::find(m_dots, player, &Dot::player);
    return found == m_dots.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - m_dots.begin()));
}

QRectF ImportancePlot::placeOf(std::size_t dot) const
{
    return {at(m_dots[dot]), QSizeF(0, 0)};
}

viz::ItemText ImportancePlot::textOf(std::size_t dot) const
{
    const Dot& shown = m_dots[dot];
    return {.title = tr("%1 · cache-only drop %2 · full-model drop %3%4")
                         .arg(playerText(m_comparison->inModel, shown.player), lossText(m_measure, shown.cut),
                              lossText(m_measure, shown.leftOut),
                              shown.isApart ? tr(" · intervals do not overlap") : QString())};
}

void ImportancePlot::paintAxes(QPainter& painter) const
{
    const Colors& colors = Theme::instance().colors();
    const QRectF plot = this->plot();
    painter.setPen(QPen(colors.hairline, 1));
    painter.drawRect(plot);
    painter.setPen(QPen(colors.hairline, 1, Qt::DashLine)); // nothing lost
    painter.drawLine(at(0, m_low), at(0, m_high));
    painter.drawLine(at(m_low, 0), at(m_high, 0));
    painter.setPen(QPen(colors.muted, 1)); // both the same
    painter.drawLine(at(m_low, m_low), at(m_high, m_high));
    painter.setFont(Theme::smallFont());
    const QFontMetricsF metrics(painter.font());
    painter.setPen(colors.muted);
    for (const double value : {m_low + 0.06 / 1.12 * (m_high - m_low), 0.0, m_high - 0.06 / 1.12 * (m_high - m_low)})
    {
        const QString text = lossText(m_measure, value);
        const double width = metrics.horizontalAdvance(text);
        const QPointF foot = at(value, m_low);
        const bool crowds = value != 0 && std::abs(foot.x() - at(0, m_low).x()) < width + kAround;
        if (!crowds)
            painter.drawText(QPointF(std::clamp(foot.x() - width / 2, plot.left(), plot.right() - width),
                                     plot.bottom() + metrics.ascent() + 4),
                             text);
        const QPointF side = at(m_low, value);
        if (value == 0 || std::abs(side.y() - at(m_low, 0).y()) > metrics.height())
            painter.drawText(QPointF(plot.left() - width - 4, side.y() + metrics.ascent() / 2 - 1), text);
    }
    painter.drawText(QRectF(plot.left(), plot.bottom() + 20, plot.width(), 16), Qt::AlignCenter,
                     tr("drop, cache-only ablation"));
    painter.save();
    painter.translate(2 + metrics.ascent(), plot.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-plot.height() / 2, -metrics.ascent(), plot.height(), 16), Qt::AlignCenter,
                     tr("drop, full-model ablation"));
    painter.restore();
}

void ImportancePlot::paintDot(QPainter& painter, const Dot& dot, bool isPointed) const
{
    const Colors& colors = Theme::instance().colors();
    QColor whisker = dot.color;
    whisker.setAlphaF(0.55F);
    painter.setPen(QPen(whisker, 1));
    if (std::isfinite(dot.cut.ci95.low))
        painter.drawLine(at(dot.cut.ci95.low, dot.leftOut.value), at(dot.cut.ci95.high, dot.leftOut.value));
    if (std::isfinite(dot.leftOut.ci95.low))
        painter.drawLine(at(dot.cut.value, dot.leftOut.ci95.low), at(dot.cut.value, dot.leftOut.ci95.high));
    const QPointF place = at(dot);
    painter.setPen(QPen(colors.canvas, 1));
    painter.setBrush(dot.color);
    painter.drawEllipse(place, kDot, kDot);
    painter.setBrush(Qt::NoBrush);
    if (dot.isApart)
    {
        painter.setPen(QPen(colors.text, 1.5));
        painter.drawEllipse(place, kDot + 3, kDot + 3);
    }
    if (isPointed)
    {
        painter.setPen(QPen(colors.accent, 2));
        painter.drawEllipse(place, kDot + 6, kDot + 6);
    }
}

/// The name of the dot under the pointer or the keys, away from the edge.
void ImportancePlot::paintName(QPainter& painter, const Dot& dot) const
{
    const QString name = playerText(m_comparison->inModel, dot.player);
    painter.setFont(Theme::smallFont());
    painter.setPen(Theme::instance().colors().text);
    const double width = QFontMetricsF(painter.font()).horizontalAdvance(name);
    const QPointF place = at(dot);
    const double x = place.x() + kNear + width < plot().right() ? place.x() + kNear : place.x() - kNear - width;
    painter.drawText(QPointF(x, place.y() - kNear / 2), name);
}

void ImportancePlot::paint(QPainter& painter, const viz::PictureMarks& marks) const
{
    if (m_dots.empty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    paintAxes(painter);
    for (std::size_t i = 0; i < m_dots.size(); ++i)
        paintDot(painter, m_dots[i], marks.pointed == i);
    if (marks.pointed)
        paintName(painter, m_dots[*marks.pointed]);
}

std::optional<std::size_t> ImportancePlot::itemAt(QPointF place) const
{
    std::optional<std::size_t> nearest;
    double least = kNear;
    for (std::size_t i = 0; i < m_dots.size(); ++i)
        if (const double away = QLineF(place, at(m_dots[i])).length(); away < least)
        {
            least = away;
            nearest = i;
        }
    return nearest;
}

} // namespace headscope::ui

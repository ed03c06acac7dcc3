// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/sweep_chart.h"

#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/axis/text.h"
#include "viz/color/stage_colors.h"
#include "viz/geometry/axis_ticks.h"

#include <QLocale>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace headscope::ui
{
namespace
{

constexpr double kReach = 28; ///< pixels from the pointer to a point that it means
constexpr double kGap = 6;    ///< between the plot and its labels
constexpr double kSlack = 4;  ///< other digits are wider than 0
constexpr std::array kAllStages = {Stage::HeadOutput, Stage::ProjectedSegment, Stage::OutputSegment,
                                   Stage::Contribution};

QString percent(double share)
{
    return QLocale().toString(100 * share, 'f', 1) % QStringLiteral("%");
}

} // namespace

SweepChart::SweepChart()
    : Picture({.name = "sweepChart",
               .saying = viz::Saying::Card,
               .hasGround = true,
               .hasFrame = true,
               .items = viz::Items::Listed,
               .room = viz::Room::Grows,
               .least = {160, 130}})
{}

void SweepChart::setRows(const std::vector<ProbeRow>& rows, std::int64_t layers, const std::set<std::int64_t>& held)
{
    m_held = held;
    m_rows = rows;
    std::erase_if(m_rows, [](const ProbeRow& row) { return !row.result->layer || !row.result->stage; });
    m_layers = layers;
    replaced();
}

void SweepChart::setFinalNorm(std::optional<std::int64_t> layer)
{
    m_finalNorm = layer;
    changed();
}

void SweepChart::setFromZero(bool fromZero)
{
    m_fromZero = fromZero;
    changed();
}

void SweepChart::setShown(std::optional<Place> shown)
{
    m_shown = shown;
    marked();
}

void SweepChart::setChosen(std::optional<Place> chosen)
{
    m_chosen = chosen;
    marked();
}

bool SweepChart::isAfterFinalNorm(const ProbeResult& result) const
{
    return m_finalNorm && result.stage == Stage::OutputSegment && result.layer == m_finalNorm;
}

double SweepChart::chance() const
{
    const std::int64_t classes = m_rows.empty() ? 0 : m_rows.front().result->classes;
    return classes < 1 ? 0.0 : 1 / static_cast<double>(classes);
}

double SweepChart::leastShown() const
{
    double least = 1;
    for (const ProbeRow& row : m_rows)
    {
        least = std::min({least, row.result->accuracy, row.result->ci95Low});
        if (row.control != nullptr)
            least = std::min(least, row.control->accuracy);
    }
    // Not nearer to 1 than a tenth, so that hundredths do not look like much.
    return std::clamp(std::floor(least / 0.05 - 0.4) * 0.05, 0.0, 0.9);
}

SweepChart::Place SweepChart::pointOf(std::size_t item) const
{
    const ProbeResult& result = *m_rows[item].result;
    return {LayerIndex(*result.layer), *result.stage};
}

std::optional<std::size_t> SweepChart::itemOf(std::optional<Place> place) const
{
    for (std::size_t item = 0; place && item < m_rows.size(); ++item)
        if (pointOf(item) == place)
            return item;
    return std::nullopt;
}

std::optional<QPointF> SweepChart::pixelOf(Place place) const
{
    const auto item = itemOf(place);
    return item ? std::optional(placeOf(*item).topLeft()) : std::nullopt;
}

QRectF SweepChart::placeOf(std::size_t item) const
{
    const ProbeResult& result = *m_rows[item].result;
    return {at(static_cast<double>(*result.layer), result.accuracy), QSizeF()};
}

std::optional<std::size_t> SweepChart::itemAt(QPointF place) const
{
    std::optional<std::size_t> best;
    double least = kReach;
    for (std::size_t item = 0; item < m_rows.size(); ++item)
    {
        const QPointF away = placeOf(item).topLeft() - place;
        if (const double distance = std::hypot(away.x(), away.y()); distance < least)
        {
            least = distance;
            best = item;
        }
    }
    return best;
}

viz::ItemText SweepChart::textOf(std::size_t item) const
{
    const ProbeRow& row = m_rows[item];
    const Stage stage = *row.result->stage;
    viz::ItemText text{.color = viz::stageColor(stage, theme()),
                       .title = tr("Layer %1, stage %2").arg(*row.result->layer).arg(toQString(stageName(stage))),
                       .detail = tr("%1 – %2").arg(percent(row.result->ci95Low), percent(row.result->ci95High)),
                       .value = percent(row.result->accuracy)};
    if (row.control != nullptr)
        text.subtitle = tr("permuted labels: %1").arg(percent(row.control->accuracy));
    if (isAfterFinalNorm(*row.result))
        text.title += tr(", after the final norm");
    return text;
}

/// The nearest point ahead: on the same curve, or on another one at the same layer.
std::optional<std::size_t> SweepChart::next(std::optional<std::size_t> from, viz::Step step) const
{
    const QPoint way = viz::directionOf(step);
    const auto start = from ? from : standing();
    if (way.isNull() || m_rows.empty())
        return std::nullopt;
    if (!start)
        return 0;
    std::size_t best = *start;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t item = 0; item < m_rows.size(); ++item)
    {
        const auto along = *m_rows[item].result->layer - *m_rows[*start].result->layer;
        const auto across =
            static_cast<std::int64_t>(*m_rows[item].result->stage) - static_cast<int>(*m_rows[*start].result->stage);
        const bool isAhead = way.x() != 0 ? along * way.x() > 0 && across == 0 : across * way.y() < 0 && along == 0;
        if (isAhead && std::abs(along) + std::abs(across) < least)
        {
            least = std::abs(along) + std::abs(across);
            best = item;
        }
    }
    return best;
}

void SweepChart::arrange()
{
    const QFont small = Theme::smallFont();
    const double line = viz::lineHeight(small);
    m_plot = box().adjusted(viz::textWidth(QStringLiteral("0.00"), small) + kSlack + kGap, line / 2, -kGap,
                            -2 * line - kGap);
}

QPointF SweepChart::at(double layer, double accuracy) const
{
    const double across = (layer + 0.5) / static_cast<double>(std::max<std::int64_t>(1, m_layers));
    const double up = (accuracy - floor()) / (1 - floor());
    return {m_plot.left() + across * m_plot.width(), m_plot.bottom() - up * m_plot.height()};
}

/// Rows are in the order of the layers; a layer that is missing between two breaks the line.
std::vector<SweepChart::Run> SweepChart::runs(Stage stage, bool isControl) const
{
    std::set<std::int64_t> measured = m_held;
    for (const ProbeRow& row : m_rows)
        measured.insert(*row.result->layer);
    std::vector<Run> runs;
    for (const ProbeRow& row : m_rows)
    {
        const ProbeResult* result = isControl ? row.control.get() : row.result.get();
        if (result == nullptr || result->stage != stage || !result->layer)
            continue;
        if (runs.empty() || isAfterFinalNorm(*result) ||
            measured.upper_bound(*runs.back().back()->layer) != measured.find(*result->layer))
            runs.emplace_back();
        runs.back().push_back(result);
    }
    return runs;
}

std::size_t SweepChart::curveCount() const
{
    std::size_t count = 0;
    for (const Stage stage : kAllStages)
        count += runs(stage, true).size() + runs(stage, false).size();
    return count;
}

QString SweepChart::key() const
{
    QStringList parts;
    const auto colored = [](const QString& sign, const QColor& color, const QString& text) {
        return QStringLiteral("<span style='color:%1'>%2</span>&nbsp;%3").arg(color.name(), sign, text);
    };
    static const QString kSigns[] = {QStringLiteral("●"), QStringLiteral("■"), QStringLiteral("▲"),
                                     QStringLiteral("◆")};
    for (const Stage stage : kAllStages)
        if (std::ranges::any_of(m_rows, [&](const ProbeRow& row) { return row.result->stage == stage; }))
            parts << colored(kSigns[static_cast<std::size_t>(stage)], viz::stageColor(stage, theme()),
                             tr("stage&nbsp;%1").arg(toQString(stageName(stage))));
    const QColor muted = Theme::instance().colors().muted;
    if (chance() > 0)
        parts << colored(
            QStringLiteral("┄"), muted,
            (chance() < floor() ? tr("chance&nbsp;%1,&nbsp;below") : tr("chance&nbsp;%1")).arg(percent(chance())));
    if (std::ranges::any_of(m_rows, [](const ProbeRow& row) { return row.control != nullptr; }))
        parts << colored(QStringLiteral("╌"), muted, tr("labels&nbsp;permuted"));
    if (std::ranges::any_of(m_rows, [this](const ProbeRow& row) { return isAfterFinalNorm(*row.result); }))
        parts << colored(QStringLiteral("△"), muted, tr("after&nbsp;the&nbsp;final&nbsp;norm"));
    return parts.join(QStringLiteral(" &nbsp; "));
}

void SweepChart::paintAxes(QPainter& painter) const
{
    const Colors& colors = Theme::instance().colors();
    const QFont small = Theme::smallFont();
    const double line = viz::lineHeight(small);
    viz::AxisTicks shares = viz::axisTicks(floor(), 1);
    shares.decimals = std::max(1, shares.decimals);
    for (const double share : shares.values)
    {
        const double y = at(0, share).y();
        painter.fillRect(QRectF(m_plot.left(), std::round(y), m_plot.width(), 1), colors.hairline);
        viz::drawLine(painter, {box().left(), y - line / 2, m_plot.left() - kGap - box().left(), line},
                      shares.label(share), small, colors.muted, Qt::AlignRight | Qt::AlignVCenter);
    }
    painter.fillRect(QRectF(m_plot.left(), std::round(m_plot.bottom()), m_plot.width(), 1), colors.hairline);
    std::int64_t step = 1;
    for (const std::int64_t round : {1, 2, 5, 10, 20})
        if (step = round; m_layers / round <= 14)
            break;
    constexpr double kWide = 40;
    for (std::int64_t layer = 0; layer < m_layers; layer += step)
        viz::drawLine(painter, {at(static_cast<double>(layer), 0).x() - kWide / 2, m_plot.bottom() + 3, kWide, line},
                      QString::number(layer), small, colors.muted, Qt::AlignCenter);
    viz::drawLine(painter, {m_plot.left(), m_plot.bottom() + 3 + line, m_plot.width(), line}, tr("layer"), small,
                  colors.muted, Qt::AlignCenter);
}

void SweepChart::paintRun(QPainter& painter, const Run& run, Stage stage, bool isControl) const
{
    const QColor color = viz::stageColor(stage, theme());
    QPolygonF line;
    QPolygonF band;
    for (const ProbeResult* result : run)
    {
        const auto layer = static_cast<double>(*result->layer);
        line << at(layer, result->accuracy);
        band.prepend(at(layer, result->ci95Low));
        band.append(at(layer, result->ci95High));
    }
    if (!isControl && run.size() > 1)
    {
        QColor pale = color;
        pale.setAlphaF(0.15F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(pale);
        painter.drawPolygon(band);
    }
    painter.setPen(QPen(color, isControl ? 1 : 1.6, isControl ? Qt::DashLine : Qt::SolidLine));
    painter.drawPolyline(line);
}

void SweepChart::paintPoint(QPainter& painter, const ProbeResult& result, bool isControl) const
{
    const Colors& colors = Theme::instance().colors();
    const QColor color = viz::stageColor(*result.stage, theme());
    const bool isOpen = isControl || isAfterFinalNorm(result);
    painter.setPen(QPen(isOpen ? color : colors.canvas, isControl || !isOpen ? 0.8 : 1.2));
    painter.setBrush(isOpen ? colors.canvas : color);
    painter.drawPath(viz::markerPath(viz::stageMarker(*result.stage), isControl ? 2 : 3.2)
                         .translated(at(static_cast<double>(*result.layer), result.accuracy)));
}

void SweepChart::paint(QPainter& painter, const viz::PictureMarks& marks) const
{
    if (m_rows.empty())
        return;
    const Colors& colors = Theme::instance().colors();
    painter.setRenderHint(QPainter::Antialiasing);
    paintAxes(painter);
    for (const bool isControl : {true, false})
        for (const Stage stage : kAllStages)
            for (const Run& run : runs(stage, isControl))
                paintRun(painter, run, stage, isControl);
    if (chance() > 0 && chance() >= floor()) // else the key says it
    {
        painter.setPen(QPen(colors.muted, 1, Qt::DotLine));
        painter.drawLine(at(-0.5, chance()), at(static_cast<double>(m_layers) - 0.5, chance()));
    }
    for (const ProbeRow& row : m_rows)
    {
        if (row.control != nullptr && row.control->layer && row.control->stage)
            paintPoint(painter, *row.control, true);
        paintPoint(painter, *row.result, false);
    }
    painter.setBrush(Qt::NoBrush);
    const auto ring = [&](std::optional<std::size_t> item, double radius, double width, const QColor& color) {
        if (!item)
            return;
        painter.setPen(QPen(color, width));
        painter.drawEllipse(placeOf(*item).topLeft(), radius, radius);
    };
    ring(itemOf(m_chosen), 9, 1, colors.muted);
    ring(itemOf(m_shown), 6.5, 2, colors.accent);
    ring(marks.pointed, 6.5, 2, colors.text);
    painter.setRenderHint(QPainter::Antialiasing, false); // of the frame
}

} // namespace headscope::ui

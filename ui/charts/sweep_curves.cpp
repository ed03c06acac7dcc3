// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/sweep_curves.h"

#include "ui/charts/plain_chart.h"
#include "ui/charts/sweep_chart.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/color/stage_colors.h"
#include "viz/geometry/axis_ticks.h"

#include <QAreaSeries>
#include <QChart>
#include <QLineSeries>
#include <QLocale>
#include <QValueAxis>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::ui
{

namespace
{

constexpr std::array kAllStages = {Stage::HeadOutput, Stage::ProjectedSegment, Stage::OutputSegment,
                                   Stage::Contribution};

} // namespace

bool isAfterFinalNorm(const ProbeResult& result, std::optional<std::int64_t> finalNorm)
{
    return finalNorm && result.stage == Stage::OutputSegment && result.layer == finalNorm;
}

SweepCurves::SweepCurves(const std::vector<ProbeRow>& rows, std::int64_t layers, const std::set<std::int64_t>& held,
                         bool fromZero, std::optional<std::int64_t> finalNorm)
    : m_rows(rows), m_layers(layers), m_held(held), m_floor(fromZero ? 0.0 : leastShown()), m_finalNorm(finalNorm)
{}

double SweepCurves::chance() const
{
    const std::int64_t classes = m_rows.empty() ? 0 : m_rows.front().result->classes;
    return classes < 1 ? 0.0 : 1 / static_cast<double>(classes);
}

double SweepCurves::leastShown() const
{
    double least = 1;
    for (const ProbeRow& row : m_rows)
        for (const ProbeResult* result : {row.result.get(), row.control.get()})
            if (result != nullptr && result->layer)
                least = std::min({least, result->accuracy, result == row.result.get() ? result->ci95Low : least});
    // Not nearer to 1 than a tenth, so that hundredths do not look like much.
    return std::clamp(std::floor(least / 0.05 - 0.4) * 0.05, 0.0, 0.9);
}

void SweepCurves::fill(QChart& chart)
{
    for (const Stage stage : kAllStages)
        addCurves(chart, stage, true);
    for (const Stage stage : kAllStages)
        addCurves(chart, stage, false);
    addChance(chart);
    addAxes(chart);
}

void SweepCurves::addCurves(QChart& chart, Stage stage, bool control)
{
    // Rows are in the order of the layers; a layer that is missing between two breaks the line.
    std::set<std::int64_t> measured = m_held;
    for (const ProbeRow& row : m_rows)
        if (row.result->layer)
            measured.insert(*row.result->layer);
    std::vector<const ProbeResult*> run;
    for (const ProbeRow& row : m_rows)
    {
        const ProbeResult* result = control ? row.control.get() : row.result.get();
        if (result == nullptr || result->stage != stage || !result->layer)
            continue;
        if (!run.empty() && (measured.upper_bound(*run.back()->layer) != measured.find(*result->layer) ||
                             isAfterFinalNorm(*result, m_finalNorm)))
        {
            addRun(chart, run, stage, control);
            run.clear();
        }
        run.push_back(result);
    }
    if (!run.empty())
        addRun(chart, run, stage, control);
}

void SweepCurves::addRun(QChart& chart, const std::vector<const ProbeResult*>& run, Stage stage, bool control)
{
    const QColor color = viz::stageColor(stage, Theme::instance().vizTheme());
    auto* line = new QLineSeries(&chart);
    auto* low = new QLineSeries(&chart);
    auto* high = new QLineSeries(&chart);
    for (const ProbeResult* result : run)
    {
        const auto x = static_cast<double>(*result->layer);
        line->append(x, result->accuracy);
        low->append(x, result->ci95Low);
        high->append(x, result->ci95High);
    }
    if (!control && run.size() > 1)
    {
        auto* band = new QAreaSeries(high, low);
        QColor pale = color;
        pale.setAlphaF(0.15F);
        band->setBrush(pale);
        band->setPen(Qt::NoPen);
        chart.addSeries(band);
    }
    line->setPen(QPen(color, control ? 1 : 1.6, control ? Qt::DashLine : Qt::SolidLine));
    chart.addSeries(line);
    ++m_count;
    if (m_anchor == nullptr)
        m_anchor = line;
}

void SweepCurves::addChance(QChart& chart)
{
    if (chance() <= 0 || chance() < m_floor) // the key says it all the same
        return;
    auto* line = new QLineSeries(&chart);
    line->append(-0.5, chance());
    line->append(static_cast<double>(m_layers) - 0.5, chance());
    line->setPen(QPen(Theme::instance().colors().muted, 1, Qt::DotLine));
    chart.addSeries(line);
}

void SweepCurves::addAxes(QChart& chart)
{
    const Colors& colors = Theme::instance().colors();
    auto* layers = new QValueAxis(&chart);
    layers->setRange(-0.5, static_cast<double>(m_layers) - 0.5);
    layers->setTickType(QValueAxis::TicksDynamic);
    layers->setTickAnchor(0);
    double interval = 1;
    for (const double round : {1.0, 2.0, 5.0, 10.0, 20.0})
        if (interval = round; static_cast<double>(m_layers) / round <= 14)
            break;
    layers->setTickInterval(interval);
    layers->setLabelFormat(QStringLiteral("%d"));
    layers->setGridLineVisible(false);
    layers->setTitleText(SweepChart::tr("layer"));
    auto* share = new QValueAxis(&chart);
    share->setRange(m_floor, 1);
    const viz::AxisTicks ticks = viz::axisTicks(m_floor, 1);
    share->setTickType(QValueAxis::TicksDynamic);
    share->setTickAnchor(0);
    share->setTickInterval(std::max(ticks.step, 1e-3));
    share->setLabelFormat(QStringLiteral("%.%1f").arg(std::max(1, ticks.decimals)));
    share->setGridLineColor(colors.hairline);
    share->setLineVisible(false);
    for (QValueAxis* axis : {layers, share})
    {
        dressAxis(*axis);
        axis->setTitleFont(Theme::smallFont());
        axis->setTitleBrush(colors.muted);
        axis->setLinePen(QPen(colors.hairline));
    }
    chart.addAxis(layers, Qt::AlignBottom);
    chart.addAxis(share, Qt::AlignLeft);
    const auto all = chart.series();
    for (QAbstractSeries* series : all)
    {
        series->attachAxis(layers);
        series->attachAxis(share);
    }
}

QString SweepCurves::key() const
{
    QStringList parts;
    const auto colored = [](const QString& sign, const QColor& color, const QString& text) {
        return QStringLiteral("<span style='color:%1'>%2</span>&nbsp;%3").arg(color.name(), sign, text);
    };
    static const QString kSigns[] = {QStringLiteral("●"), QStringLiteral("■"), QStringLiteral("▲"),
                                     QStringLiteral("◆")};
    for (const Stage stage : kAllStages)
        if (std::any_of(m_rows.begin(), m_rows.end(), [&](const ProbeRow& row) { return row.result->stage == stage; }))
            parts << colored(kSigns[static_cast<std::size_t>(stage)],
                             viz::stageColor(stage, Theme::instance().vizTheme()),
                             SweepChart::tr("stage&nbsp;%1").arg(toQString(stageName(stage))));
    const QColor muted = Theme::instance().colors().muted;
    if (chance() > 0)
        parts << colored(
            QStringLiteral("┄"), muted,
            (chance() < m_floor ? SweepChart::tr("chance&nbsp;%1,&nbsp;below") : SweepChart::tr("chance&nbsp;%1"))
                .arg(QLocale().toString(100 * chance(), 'f', 1) % QStringLiteral(" %")));
    if (std::any_of(m_rows.begin(), m_rows.end(), [](const ProbeRow& row) { return row.control != nullptr; }))
        parts << colored(QStringLiteral("╌"), muted, SweepChart::tr("permuted&nbsp;labels"));
    if (std::any_of(m_rows.begin(), m_rows.end(),
                    [this](const ProbeRow& row) { return isAfterFinalNorm(*row.result, m_finalNorm); }))
        parts << colored(QStringLiteral("△"), muted, SweepChart::tr("after&nbsp;the&nbsp;final&nbsp;norm"));
    return parts.join(QStringLiteral(" &nbsp; "));
}

} // namespace headscope::ui

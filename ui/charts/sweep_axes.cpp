// SPDX-License-Identifier: GPL-3.0-or-later
// Axes, chance and key of the layer sweep.
#include "ui/charts/sweep_chart.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/color/stage_colors.h"
#include "viz/geometry/axis_ticks.h"

#include <QChart>
#include <QLabel>
#include <QLineSeries>
#include <QLocale>
#include <QValueAxis>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::ui
{

void SweepChart::setFromZero(bool fromZero)
{
    m_fromZero = fromZero;
    rebuild();
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
        for (const ProbeResult* result : {row.result.get(), row.control.get()})
            if (result != nullptr && result->layer)
                least = std::min({least, result->accuracy, result == row.result.get() ? result->ci95Low : least});
    // Not nearer to 1 than a tenth, so that hundredths do not look like much.
    return std::clamp(std::floor(least / 0.05 - 0.4) * 0.05, 0.0, 0.9);
}

void SweepChart::addChance(QChart& chart)
{
    if (chance() <= 0 || chance() < m_floor) // the key says it all the same
        return;
    auto* line = new QLineSeries(&chart);
    line->append(-0.5, chance());
    line->append(static_cast<double>(m_layers) - 0.5, chance());
    line->setPen(QPen(Theme::instance().colors().muted, 1, Qt::DotLine));
    chart.addSeries(line);
}

void SweepChart::addAxes(QChart& chart)
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
    layers->setTitleText(tr("layer"));
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
        axis->setTruncateLabels(false); // to "..." where the chart is low, though they have the room
        axis->setLabelsColor(colors.muted);
        axis->setLabelsFont(Theme::smallFont());
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

void SweepChart::writeKey()
{
    QStringList parts;
    const auto colored = [](const QString& sign, const QColor& color, const QString& text) {
        return QStringLiteral("<span style='color:%1'>%2</span>&nbsp;%3").arg(color.name(), sign, text);
    };
    static const QString kSigns[] = {QStringLiteral("●"), QStringLiteral("■"), QStringLiteral("▲"),
                                     QStringLiteral("◆")};
    for (const Stage stage : {Stage::HeadOutput, Stage::ProjectedSegment, Stage::OutputSegment, Stage::Contribution})
        if (std::any_of(m_rows.begin(), m_rows.end(), [&](const ProbeRow& row) { return row.result->stage == stage; }))
            parts << colored(kSigns[static_cast<std::size_t>(stage)],
                             viz::stageColor(stage, Theme::instance().vizTheme()),
                             tr("stage&nbsp;%1").arg(toQString(stageName(stage))));
    const QColor muted = Theme::instance().colors().muted;
    if (chance() > 0)
        parts << colored(QStringLiteral("┄"), muted,
                         (chance() < m_floor ? tr("chance&nbsp;%1,&nbsp;below") : tr("chance&nbsp;%1"))
                             .arg(QLocale().toString(100 * chance(), 'f', 1) % QStringLiteral(" %")));
    if (std::any_of(m_rows.begin(), m_rows.end(), [](const ProbeRow& row) { return row.control != nullptr; }))
        parts << colored(QStringLiteral("╌"), muted, tr("labels&nbsp;shuffled"));
    m_key->setFont(Theme::smallFont());
    m_key->setText(parts.join(QStringLiteral(" &nbsp; ")));
}

} // namespace headscope::ui

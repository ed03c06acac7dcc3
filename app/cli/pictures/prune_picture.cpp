// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/pictures/prune_picture.h"

#include "model/analysis/heads/pruning.h"
#include "model/data/frame/method_names.h"
#include "viz/export/figure_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::cli
{
namespace
{

QString words(const std::string& text)
{
    return QString::fromStdString(text);
}

viz::PruningLine lineOfSteps(const Pruned& pruned, bool adds, std::int64_t count)
{
    viz::PruningLine line;
    line.name = adds ? QStringLiteral("added one after another") : QStringLiteral("removed one after another");
    for (const PruningStep& step : pruned.steps)
        if (step.removed < count) // without any unit there is nothing to measure
            line.points.push_back({step.removed, step.value, step.onFront});
    line.gains = pruned.validation.byKept;
    return line;
}

viz::PruningLine lineOfSubsets(const Pruned& pruned)
{
    viz::PruningLine line;
    line.name = QStringLiteral("the best subset of each size");
    const std::int64_t count = std::ssize(pruned.best);
    double most = 0; // of those with fewer units
    for (const BestSubset& subset : pruned.best)
    {
        line.points.push_back({count - std::ssize(subset.units), subset.value, subset.value > most});
        most = std::max(most, subset.value);
        if (subset.held)
            line.gains.push_back(*subset.held);
    }
    if (std::ssize(line.gains) + 1 == count) // all units gain nothing over themselves
        line.gains.push_back({static_cast<double>(count), 0, {0, 0}, 0, {0, 0}});
    if (std::ssize(line.gains) != count)
        line.gains.clear();
    return line;
}

/// Of the interval of the measure with all heads.
QString methodOfAll(const HeadSetMeasure& measure)
{
    if (measure.fullScore() == 1)
        return viz::wordsOf(kWilson);
    return measure.findsItself() ? QStringLiteral("jackknife over documents, each left out as query and as result")
                                 : QStringLiteral("bootstrap over queries, with the documents fixed");
}

} // namespace

viz::PruningFigure pruningFigure(const Pruned& found, const PruneMeasure& measured,
                                 const commands::PruneCommand& command, const ModelInfo& model)
{
    const Pruned pruned = shownOf(found, measured);
    viz::PruningFigure figure;
    figure.stage = measured.vectors->stage();
    figure.layer = measured.vectors->layer();
    figure.groups = command.units == "groups";
    figure.of = words(measured.of);
    if (measured.isCertain)
        figure.of +=
            QStringLiteral("; the match cannot change for any selection of heads, so there is nothing to test");
    viz::PruningChart& chart = figure.chart;
    chart.measure = words(measured.name);
    chart.units = figure.groups ? QStringLiteral("KV groups") : words(std::string(unitName(figure.stage)) + "s");
    chart.count = pruningUnits(*measured.measure, model, unitOf(command));
    chart.all = pruned.baseline;
    chart.allCi95 = pruned.baselineCi95;
    figure.allMethod = methodOfAll(*measured.measure);
    if (measured.chance)
        chart.chance = *measured.chance;
    chart.halvings = halvingsOf(command);
    figure.null = measured.null;
    const bool adds = command.order == "forward";
    if (!pruned.best.empty())
    {
        figure.how = QStringLiteral("in the best of all subsets of each size");
        chart.line = lineOfSubsets(pruned);
    }
    else if (!pruned.differences.empty())
    {
        for (const PruningStep& step : pruned.steps)
            if (step.unit >= 0)
                figure.alone.push_back(step.unit);
        figure.differences = pruned.differences;
        figure.method = measured.measure->fullScore() == 1 ? QStringLiteral("bootstrap over documents")
                                                           : methodOfAll(*measured.measure);
    }
    else
    {
        figure.how = adds ? QStringLiteral("added one after another, each time the one with the largest gain")
                          : QStringLiteral("removed one after another, each time the one with the smallest loss");
        chart.line = lineOfSteps(pruned, adds, chart.count);
    }
    const auto byOff = [](const viz::PruningLine::Point& a, const viz::PruningLine::Point& b) { return a.off < b.off; };
    // Halves of a handful of documents have no quantiles, and their means say little.
    if (std::ranges::none_of(chart.line.gains,
                             [](const HeldOutGain& gain) { return std::isfinite(gain.elsewhereCi95.low); }))
        chart.line.gains.clear();
    std::stable_sort(chart.line.points.begin(), chart.line.points.end(), byOff);
    return figure;
}

} // namespace headscope::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/heads/running/importance_table.h"

#include "ui/views/heads/running/importance_text.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"

#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::ui
{
namespace
{

/// Sorted below all numbers where there is none.
double sortable(double value)
{
    return std::isfinite(value) ? value : std::numeric_limits<double>::lowest();
}

RankCell lossCell(ImportanceMeasure measure, const Estimate& estimate)
{
    return {lossText(measure, estimate), sortable(estimate.value)};
}

QString roleTip(ImportanceMeasure measure)
{
    const QString what =
        measure == ImportanceMeasure::Match
            ? tr("Helps, harms: with it, models with half of the others off match on average more, or less.")
            : tr("Nearer, farther: with it, models with half of the others off are on average nearer to the whole "
                 "model, or farther from it: not better or worse.");
    return what % u' ' %
           tr("Shown where the 95 % interval of the coefficient excludes 0. Of heads without any effect one in twenty "
              "has a role by chance: see q.");
}

std::vector<RankColumn> columnsOf(const ImportanceComparison& comparison, ImportanceMeasure measure)
{
    const QString points = measure == ImportanceMeasure::Match ? tr(", in per cent points") : QString();
    std::vector<RankColumn> columns = {
        {comparison.inModel.groups ? tr("KV group") : tr("Head"), tr("What is switched off")}};
    if (comparison.cutOf(measure) != nullptr)
        columns.push_back({tr("Lost by the cut"),
                           tr("What is lost when its block is taken out of the cached stage-1 vectors; the model is "
                              "not run%1. In brackets 95 %, bootstrap over documents")
                               .arg(points)});
    columns.push_back({tr("Lost in the model"),
                       tr("What is lost when the model runs without it, all others staying%1. In brackets 95 %, "
                          "bootstrap over documents")
                           .arg(points)});
    if (comparison.cutOf(measure) != nullptr)
        columns.push_back({tr("Both"), tr("“apart” where the two intervals exclude each other: the cut of the cache "
                                          "does not tell what the model loses")});
    columns.push_back({tr("Gained alone"),
                       tr("What is gained when it alone is on, against none of them%1. Large alone and small when left "
                          "out: others do the same")
                           .arg(points)});
    columns.push_back(
        {tr("Coefficient"),
         tr("Its share in models with random sets of heads on, by least squares: the mean of what it "
            "adds%1. In brackets 95 % by Student’s t, over %2")
             .arg(points, comparison.inModel.exhaustive ? tr("documents") : tr("documents and random sets"))});
    columns.push_back({tr("±"), tr("Standard error of the coefficient, over the random sets alone")});
    columns.push_back({tr("q"), tr("p of the coefficient (Student’s t) after Benjamini–Hochberg over the rows of this "
                                   "table: the expected share of false ones among rows as small or smaller")});
    columns.push_back({tr("Role"), roleTip(measure)});
    return columns;
}

} // namespace

ImportanceTable importanceTable(const ImportanceComparison& comparison, ImportanceMeasure measure)
{
    ImportanceTable table;
    const MeasureValues* values = comparison.inModel.find(measure);
    if (values == nullptr)
        return table;
    const CacheAblation* cut = comparison.cutOf(measure);
    table.columns = columnsOf(comparison, measure);
    for (std::size_t i = 0; i < values->players.size(); ++i)
    {
        const UnitEffect& player = values->players[i];
        const std::int64_t unit = comparison.inModel.players[i].unit;
        std::vector<RankCell> row = {{countText(unit + 1), static_cast<double>(unit)}};
        if (cut != nullptr)
            row.push_back(lossCell(measure, cut->lost[i]));
        row.push_back(lossCell(measure, player.leftOut));
        if (cut != nullptr)
        {
            const EstimateAgreement agreement = agreementOf(cut->lost[i], player.leftOut);
            row.push_back({agreementText(agreement), static_cast<double>(agreement)});
        }
        row.push_back(lossCell(measure, player.alone));
        row.push_back(lossCell(measure, player.coefficient));
        const double error = player.standardError;
        row.push_back(
            {std::isfinite(error) ? lossText(measure, error).remove(u'+') : QStringLiteral("–"), sortable(error)});
        row.push_back({std::isfinite(player.q) ? probabilityText(player.q) : QStringLiteral("–"), sortable(player.q)});
        row.push_back({roleText(player.role, measure), static_cast<double>(player.role)});
        table.rows.push_back(std::move(row));
        table.keys.push_back(static_cast<std::int64_t>(i));
    }
    return table;
}

QString importanceOfText(const ImportanceComparison& comparison)
{
    const ImportanceResult& result = comparison.inModel;
    QStringList facts = {
        tr("%1 of %2")
            .arg(countText(result.documents), countText(result.allDocuments, tr("document"), tr("documents")))};
    if (!result.players.empty())
        facts << tr("layer %1").arg(result.players.front().layer);
    facts << (result.ablation == "mean"
                  ? tr("set to their mean over %1").arg(toQString(result.reference).section(u',', 0, 1))
                  : tr("set to zero"));
    facts << (result.exhaustive ? tr("all %1 sets").arg(countText(result.masks))
                                : tr("%1 random sets").arg(countText(result.masks)));
    return facts.join(QStringLiteral(" · "));
}

QString importanceLegend(const ImportanceComparison& comparison, ImportanceMeasure measure)
{
    const MeasureValues* values = comparison.inModel.find(measure);
    if (values == nullptr)
        return {};
    QStringList sentences;
    const QString name = measure == ImportanceMeasure::Match ? tr("Match at 1") : tr("Mean cosine to the whole model");
    sentences << tr("%1: %2 with all, %3 with none of them, over %4%5.")
                     .arg(name, measuredText(measure, values->all.value), measuredText(measure, values->none.value),
                          countText(values->documents, tr("document"), tr("documents")),
                          measure == ImportanceMeasure::Match && comparison.inModel.topics > 0
                              ? tr("; chance: 1 of %1").arg(comparison.inModel.topics)
                              : QString());
    if (measure == ImportanceMeasure::Match && comparison.inModel.topics > 0 &&
        comparison.inModel.hasUnequalLabels(1 / static_cast<double>(comparison.inModel.topics)))
        sentences << tr("Labels of unequal size: always naming the commonest matches %1; what favours it facilitates "
                        "without telling topics apart.")
                         .arg(percentText(comparison.inModel.majority));
    if (!std::isfinite(values->r2))
        sentences << tr("No set of heads changes the measure: there is no R².");
    else
        sentences << tr("R² of the least squares %1%2.")
                         .arg(QLocale().toString(values->r2, 'f', 2),
                              values->r2 < 0.5
                                  ? tr(": they depend on each other, and no list of single numbers will do")
                                  : QString());
    if (const CacheAblation* cut = comparison.cutOf(measure); cut != nullptr)
    {
        std::int64_t apart = 0;
        for (std::size_t i = 0; i < values->players.size(); ++i)
            apart += agreementOf(cut->lost[i], values->players[i].leftOut) == EstimateAgreement::Excluded ? 1 : 0;
        sentences << tr("The intervals of cut and model exclude each other for %1 of %2, each at 95 %: of many some "
                        "may by chance alone.")
                         .arg(countText(apart), countText(std::ssize(values->players)));
        if (measure == ImportanceMeasure::Cosine)
            sentences << tr("The cut’s cosine is that of the layer’s heads one after another, the model’s that of the "
                            "full vector.");
    }
    else if (!comparison.cutMissing.empty())
        sentences << toQString(comparison.cutMissing);
    sentences << tr("No interval: fewer than 10 documents change.");
    for (const std::string& notice : comparison.notices)
        sentences << toQString(notice);
    return sentences.join(u' ');
}

} // namespace headscope::ui

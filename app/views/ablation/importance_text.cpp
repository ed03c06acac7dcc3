// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/ablation/importance_text.h"

#include "ui/models/frame_model.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"

#include <QLocale>
#include <QStringList>

#include <cmath>

namespace headscope::ui
{
namespace
{

/// A value of a measure: a per cent, or a cosine.
QString measuredText(ImportanceMeasure measure, double value)
{
    return measure == ImportanceMeasure::Match ? percentText(value) : fixedText(value);
}

} // namespace

QString lossText(ImportanceMeasure measure, double value)
{
    return measure == ImportanceMeasure::Match ? pointsText(value) : fixedText(value);
}

QString lossText(ImportanceMeasure measure, const Estimate& estimate)
{
    if (measure == ImportanceMeasure::Match)
        return pointsText(estimate.value, estimate.ci95);
    if (!std::isfinite(estimate.ci95.low))
        return tr("%1 (no interval)").arg(fixedText(estimate.value));
    return tr("%1 (%2 to %3)")
        .arg(fixedText(estimate.value), fixedText(estimate.ci95.low), fixedText(estimate.ci95.high));
}

QString playerText(const ImportanceResult& result, std::size_t player)
{
    const auto number = QString::number(result.players[player].unit + 1);
    return result.groups ? tr("KV group %1").arg(number) : tr("Head %1").arg(number);
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
                  ? tr("mean ablation over %1").arg(toQString(result.reference).section(u',', 0, 1))
                  : tr("zero ablation"));
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
    const QString name = measure == ImportanceMeasure::Match ? tr("Match at 1") : tr("Mean cosine with the full model");
    sentences << tr("%1: %2 with all heads, %3 with no heads, over %4%5.")
                     .arg(name, measuredText(measure, values->all.value), measuredText(measure, values->none.value),
                          countText(values->documents, tr("document"), tr("documents")),
                          measure == ImportanceMeasure::Match && comparison.inModel.topics > 0
                              ? tr("; chance: 1 in %1").arg(comparison.inModel.topics)
                              : QString());
    if (measure == ImportanceMeasure::Match && comparison.inModel.topics > 0 &&
        comparison.inModel.hasUnequalLabels(1 / static_cast<double>(comparison.inModel.topics)))
        sentences << tr("Labels differ in size: always predicting the largest label gives a match of %1. A head that "
                        "favours this label counts as facilitating even if it does not distinguish topics.")
                         .arg(percentText(comparison.inModel.majority));
    if (!std::isfinite(values->r2))
        sentences << tr("The measure has the same value for every set of heads, so R² is undefined.");
    else
        sentences << tr("R² of the least-squares fit: %1%2.")
                         .arg(QLocale().toString(values->r2, 'f', 2),
                              values->r2 < 0.5
                                  ? tr(". The heads interact, so a single value per head describes them poorly")
                                  : QString());
    if (const CacheAblation* cut = comparison.cutOf(measure); cut != nullptr)
    {
        std::int64_t apart = 0;
        for (std::size_t i = 0; i < values->players.size(); ++i)
            apart += agreementOf(cut->lost[i], values->players[i].leftOut) == EstimateAgreement::Excluded ? 1 : 0;
        sentences << tr("For %1 of the %2 rows, the intervals of cache-only and full-model ablation do not overlap. "
                        "Each interval is a 95% CI, so some rows may differ by chance.")
                         .arg(countText(apart), countText(std::ssize(values->players)));
        if (measure == ImportanceMeasure::Cosine)
            sentences << tr("Cache-only cosines compare the concatenated heads of the layer; full-model cosines "
                            "compare the full vector.");
    }
    else if (!comparison.cutMissing.empty())
        sentences << toQString(comparison.cutMissing);
    sentences << (comparison.inModel.exhaustive
                      ? tr("Intervals of the coefficient: Student’s t over documents.")
                      : tr("Intervals of the coefficient: Student’s t over documents and random sets."));
    if (measure == ImportanceMeasure::Cosine)
        sentences << tr(
            "“Nearer” and “farther” refer to the distance from the full model. They do not mean better or worse.");
    for (const std::string& notice : comparison.notices)
        sentences << toQString(notice);
    return sentences.join(u' ');
}

} // namespace headscope::ui

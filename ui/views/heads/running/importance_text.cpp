// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/heads/running/importance_text.h"

#include "ui/words/translate.h"
#include "ui/words/wording.h"

#include <QLocale>

#include <cmath>

namespace headscope::ui
{
namespace
{

QString cosineText(double value)
{
    constexpr int kDecimals = 4;
    if (!std::isfinite(value))
        return QStringLiteral("–");
    QString text = QLocale().toString(std::abs(value), 'f', kDecimals);
    const bool isZero = text == QLocale().toString(0.0, 'f', kDecimals);
    return value < 0 && !isZero ? QStringLiteral("−") % text : text;
}

} // namespace

QString lossText(ImportanceMeasure measure, double value)
{
    return measure == ImportanceMeasure::Match ? pointsText(value) : cosineText(value);
}

QString lossText(ImportanceMeasure measure, const Estimate& estimate)
{
    if (measure == ImportanceMeasure::Match)
        return pointsText(estimate.value, estimate.ci95);
    if (!std::isfinite(estimate.ci95.low))
        return tr("%1 (no interval)").arg(cosineText(estimate.value));
    return tr("%1 (%2 to %3)")
        .arg(cosineText(estimate.value), cosineText(estimate.ci95.low), cosineText(estimate.ci95.high));
}

QString measuredText(ImportanceMeasure measure, double value)
{
    return measure == ImportanceMeasure::Match ? percentText(value) : cosineText(value);
}

QString playerText(const ImportanceResult& result, std::size_t player)
{
    const auto number = QString::number(result.players[player].unit + 1);
    return result.groups ? tr("KV group %1").arg(number) : tr("Head %1").arg(number);
}

QString roleText(PlayerRole role, ImportanceMeasure measure)
{
    const bool isCosine = measure == ImportanceMeasure::Cosine;
    switch (role)
    {
    case PlayerRole::Facilitating:
        return isCosine ? tr("nearer") : tr("helps");
    case PlayerRole::Interfering:
        return isCosine ? tr("farther") : tr("harms");
    case PlayerRole::Undecided:
        break;
    }
    return tr("undecided");
}

QString agreementText(EstimateAgreement agreement)
{
    switch (agreement)
    {
    case EstimateAgreement::Excluded:
        return tr("apart");
    case EstimateAgreement::Overlap:
        return tr("overlap");
    case EstimateAgreement::Unknown:
        break;
    }
    return QStringLiteral("–");
}

} // namespace headscope::ui

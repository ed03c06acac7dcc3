// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/importance_results.h"

#include <QString>

namespace headscope::ui
{

/// A difference of a measure: per cent points of a match, a number of a cosine.
[[nodiscard]] QString lossText(ImportanceMeasure measure, double value);
/// The same with its interval.
[[nodiscard]] QString lossText(ImportanceMeasure measure, const Estimate& estimate);
/// A value of a measure: a per cent, or a cosine.
[[nodiscard]] QString measuredText(ImportanceMeasure measure, double value);
/// "Head 3", "KV group 2".
[[nodiscard]] QString playerText(const ImportanceResult& result, std::size_t player);
/// "helps", "harms", "undecided" of a match; of the cosine, which says how much changes and not whether for the worse,
/// "nearer", "farther".
[[nodiscard]] QString roleText(PlayerRole role, ImportanceMeasure measure);
/// "apart" where the intervals exclude each other, "–" where one is missing.
[[nodiscard]] QString agreementText(EstimateAgreement agreement);

} // namespace headscope::ui

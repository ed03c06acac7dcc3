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
/// "Head 3", "KV group 2".
[[nodiscard]] QString playerText(const ImportanceResult& result, std::size_t player);
/// What was measured over what: "100 of 192 documents · layer 29 · heads set to zero · 90 random sets".
[[nodiscard]] QString importanceOfText(const ImportanceComparison& comparison);

/// What the columns mean, and how many heads both measures disagree about.
[[nodiscard]] QString importanceLegend(const ImportanceComparison& comparison, ImportanceMeasure measure);

} // namespace headscope::ui

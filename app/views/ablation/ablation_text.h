// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/switch_off_results.h"

#include <QString>

namespace headscope::ui
{

/// "Heads 1-3 of layer 29".
[[nodiscard]] QString headsOffText(const SwitchOffResult& result);
/// What was switched off over what: "Heads 1-3 of layer 29 set to zero · 100 of 192 documents".
[[nodiscard]] QString switchOffOfText(const SwitchOffResult& result);
/// What is compared, and what the map shows.
[[nodiscard]] QString switchOffLegend(const SwitchOffResult& result);
/// Documents whose nearest one is another, of all: "17 of 100".
[[nodiscard]] QString otherNearestText(const VectorChange& change);

} // namespace headscope::ui

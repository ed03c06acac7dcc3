// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/head_measures.h"

#include <QString>

#include <vector>

namespace headscope::ui
{

/// "Layer 29, head 4".
[[nodiscard]] QString headPlaceText(Stage stage, const HeadPlace& head);
/// A number as the measure has it: whole for layers, heads and groups; "–" where there is none.
[[nodiscard]] QString measureText(const HeadMeasure& measure, double value);
/// "0.31 to 0.45"; "" where there is none.
[[nodiscard]] QString intervalText(const HeadMeasure& measure, const HeadPlace& head);
/// "192 documents", "100 of 4,000 documents", "16 random texts"; "" where nothing was counted.
[[nodiscard]] QString countedText(const HeadMeasure& measure);
/// "Strength: what it is. n = 192 documents; 95%: normal approximation over documents; chance 0.08."
[[nodiscard]] QString definitionText(const HeadMeasure& measure);

/// A line of the card of a head.
struct CardLine
{
    QString name;
    QString value;
    QString interval;
    bool heading = false; ///< a kind of measure: the name, and how many were looked at
};
/// Everything that is known of a head, by kind.
[[nodiscard]] std::vector<CardLine> cardLines(const HeadMeasures& measures, const HeadPlace& head);
/// The same in words, for screen readers.
[[nodiscard]] QString cardText(const HeadMeasures& measures, const HeadPlace& head);

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/results/interval.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// How the sentences of a card write numbers.
namespace headscope::card_words
{

/// "14.1%"
[[nodiscard]] std::string percent(double share);
/// "1 document", "1,615 words"
[[nodiscard]] std::string counted(std::int64_t count, std::string_view one);
/// " (95% 0.10 to 0.20)"; "" where there is none.
[[nodiscard]] std::string interval(const Interval& ci95, int decimals);
/// " (95% 10.0% to 20.0%)"; of a share, so that it ends at 0% and 100%.
[[nodiscard]] std::string percentInterval(const Interval& ci95);
/// "q = 0.003", "q < 0.001"
[[nodiscard]] std::string chanceText(std::string_view name, double value);
/// "head 4 of layer 12"
[[nodiscard]] std::string headText(HeadIndex head, LayerIndex layer);
/// "a", "a and b", "a, b and c"
[[nodiscard]] std::string listText(const std::vector<std::string>& items);
/// Adds what is to be said of statistics over so few documents; nothing where they are enough.
/// @param what  "These statistics are"
void addCaution(std::string_view what, std::int64_t documents, std::vector<std::string>& notes);

} // namespace headscope::card_words

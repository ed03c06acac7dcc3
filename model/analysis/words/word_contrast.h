// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/words/word_counts.h"
#include "model/data/results/measures/direction_results.h"

#include <cstdint>
#include <span>

namespace headscope
{

/// The words that separate two sets of texts. The prior of each word is its share of all texts' words; z = delta /
/// sqrt(variance) compares words of different frequency. Words of one text come together, so that z is somewhat too
/// large.
/// @param high, low  texts (rows of the counts), without one in common
/// @param prior      alpha_0, above 0; 0: a tenth of the words of both sides
/// @return  without words where a side has none
/// @cost    the words of these texts, and W log W
/// @source  Monroe, Colaresi & Quinn 2008, doi 10.1093/pan/mpn018
[[nodiscard]] WordContrast contrastWords(const WordCounts& counts, std::span<const std::int64_t> high,
                                         std::span<const std::int64_t> low, double prior = 0);

} // namespace headscope

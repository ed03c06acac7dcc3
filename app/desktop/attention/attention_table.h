// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/result_table.h"
#include "model/base/result.h"
#include "model/data/attention/attention_run.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace headscope::desktop
{

/// Heads whose weights are given out, the chosen one first.
using ShownHeads = std::vector<std::pair<LayerIndex, HeadIndex>>;

/// The weights of the heads that the run holds as a table: a row for each head and query, a column for each key.
[[nodiscard]] ResultTable attentionTable(const AttentionRun& run, const ShownHeads& heads);

/// The same as a .csv file, written row by row. A text of 4,096 tokens makes some 100 MB.
/// @errors InvalidArgument (no weights of these heads), Resource
[[nodiscard]] Status writeAttentionCsv(const AttentionRun& run, const ShownHeads& heads,
                                       const std::filesystem::path& target);

} // namespace headscope::desktop

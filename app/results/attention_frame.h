// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/attention/attention_run.h"
#include "model/data/frame/frame.h"

#include <filesystem>
#include <utility>
#include <vector>

namespace headscope
{

/// Heads whose weights are given out, the chosen one first.
using ShownHeads = std::vector<std::pair<LayerIndex, HeadIndex>>;

/// The weights of the heads that the run holds as a table: a row for each head and query, a column for each key.
/// Layers from 0, heads from 1, as all tables have them; tokens from 0.
extern const FrameInfo kAttentionFrame;
[[nodiscard]] Frame attentionFrame(const AttentionRun& run, const ShownHeads& heads);

/// The same as a .csv file, written row by row. A text of 4,096 tokens makes some 100 MB.
/// @errors InvalidArgument (no weights of these heads), Resource
[[nodiscard]] Status writeAttentionCsv(const AttentionRun& run, const ShownHeads& heads,
                                       const std::filesystem::path& target);

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/engine/attention/attention_job.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace headscope::engine
{

/// {"tokens", "layers", "heads", "truncated", "ablated", "ablation", "regroup"}, and where they were asked for
/// "statistics": {"layers", NAME: [Ls][H],
/// ..., "span_even"} and "paths": {"token", "rollout", "rollout_without_first", "flow", "distances"}.
[[nodiscard]] nlohmann::ordered_json attentionJson(const AttentionJob& job, const ModelConfig& config,
                                                   const AttentionFindings& found);

/// The ends of the intervals of statistics over documents: {NAME: [Ls][H][low, high]}, null where there is none.
[[nodiscard]] nlohmann::ordered_json intervalsJson(const std::vector<AttentionTable>& low,
                                                   const std::vector<AttentionTable>& high);

/// The statistics as a table, a row a head; the paths as another, a row a token.
[[nodiscard]] std::string attentionText(const AttentionJob& job, const ModelConfig& config,
                                        const AttentionFindings& found);

} // namespace headscope::engine

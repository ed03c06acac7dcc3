// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/result_table.h"
#include "model/data/model_info.h"
#include "model/data/results/head_results.h"

#include <cstdint>
#include <span>
#include <string>

namespace headscope::results
{

/// The statistics of the heads (or segments) of one layer and stage.
struct HeadRows
{
    Stage stage = Stage::HeadOutput;
    std::span<const HeadStatistics> statistics; ///< [H]
    const HeadAnswers* answers = nullptr;       ///< null without labels or topic vectors: NaN
    std::span<const std::string> topTopic;      ///< [H] names; "" for none
};

/// A row for each of these heads (0-based) that exists.
/// @param groups  false: "-" in place of the KV group's number
[[nodiscard]] ResultTable headsTable(const HeadRows& rows, const ModelInfo& model, std::span<const std::int64_t> heads,
                                     bool groups = true);

} // namespace headscope::results

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/frame.h"
#include "model/data/model_info.h"
#include "model/data/results/head_results.h"

#include <cstdint>
#include <span>
#include <string>

namespace headscope
{

/// The statistics of the heads (or segments) of one layer and stage.
struct HeadRows
{
    Stage stage = Stage::HeadOutput;
    std::span<const HeadStatistics> statistics;   ///< [H]
    const HeadTopicStatistics* answers = nullptr; ///< null without labels or topic vectors: NaN
    std::span<const std::string> topTopic;        ///< [H] names; "" for none
};
/// Those of a report, which has to outlive them.
[[nodiscard]] HeadRows headRowsOf(const HeadReport& report);

/// The heads of a layer and stage: a row for each.
extern const FrameInfo kHeadsFrame;

/// A row for each of these heads (0-based) that exists, with every number and its interval, null, p and q.
[[nodiscard]] Frame headsFrame(const HeadRows& rows, const ModelInfo& model, std::span<const std::int64_t> heads);

} // namespace headscope

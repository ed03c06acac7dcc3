// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map.h"
#include "model/data/model_info.h"
#include "model/data/results/probe_result.h"
#include "model/data/results/topic_results.h"

#include <cstdint>

namespace headscope::test
{

/// A model of this many heads and KV groups.
[[nodiscard]] ModelInfo sampleModel(std::int64_t heads, std::int64_t kvHeads);
/// A map of `documents` x heads points in round clusters, one per head; the same every time.
[[nodiscard]] HeadMap sampleMap(std::int64_t documents, std::int64_t heads);
/// A heatmap of full + heads rows with topics of this many documents.
[[nodiscard]] Heatmap sampleHeatmap(std::int64_t heads, std::int64_t topics, std::int64_t perTopic);
/// A probe that confuses some heads, mostly inside their group.
[[nodiscard]] ProbeResult sampleProbe(std::int64_t heads, std::int64_t kvHeads, Stage stage);

} // namespace headscope::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/head_vectors.h"
#include "model/data/maps/head_map.h"
#include "model/data/maps/map_trust.h"

namespace headscope::colorings
{

/// How far every point of a map can be trusted (model/analysis/maps/measure_map.h), with the map's own
/// perplexities and metric.
/// @param vectors  of the map's layer and stage
/// @return [P] in the order of the map's points; NaN for points that have no place
/// @errors ShapeMismatch (points outside the vectors), those of measureMap
/// @threads to be called on a worker; result independent of numThreads
[[nodiscard]] Result<PointTrust> measureTrust(const HeadVectors& vectors, const HeadMap& map, int numThreads,
                                              JobContext& job);

} // namespace headscope::colorings

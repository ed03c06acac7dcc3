// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/layer_results.h"
#include "model/data/model_info.h"
#include "model/io/cache_reader.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace headscope::desktop
{

using LayerList = std::vector<std::shared_ptr<const LayerMeasures>>;

/// Which stages of which layers to measure, and how.
struct LayersRequest
{
    std::vector<std::pair<LayerIndex, Stage>> places; ///< in the order in which they are measured
    std::vector<std::int64_t> heads;                  ///< 0-based, ascending
    std::vector<std::int64_t> documents;              ///< ascending; empty: all
    std::vector<std::int32_t> labels;                 ///< [N] code of each document, -1 = none; empty: no labels
    LayerOptions options;
    LayerList known; ///< measures of these heads and documents with other labels: their probes and likenesses are kept
    int numThreads = 1;
};

/// What became of a request so far.
struct LayersMeasured
{
    LayerList measures;          ///< in the order of the request
    std::vector<Error> failures; ///< one for each stage that could not be measured at all
    bool stopped = false;
};

/// Measures stages of layers one after the other, with the heads and documents of the request, as `headscope
/// layers` does. One that fails is noted and the others go on.
/// @param publish  after every stage, with all there are so far
/// @return what was measured, also when the job was stopped on the way
/// @errors the first failure when all fail, InvalidArgument (no place), Cancelled (before the first)
/// @threads a worker's business; publish is called on it
[[nodiscard]] Result<LayersMeasured> measureLayers(CacheReader& reader, const LayersRequest& request,
                                                   const std::function<void(const LayersMeasured&)>& publish,
                                                   JobContext& job);

/// How long the request takes, roughly: from the work of each measure and a rate that a core of today keeps.
/// @param documents  that are measured
/// @return seconds; what is known already counts with its purity alone
[[nodiscard]] double estimatedSeconds(const LayersRequest& request, const ModelInfo& model, std::int64_t documents);

/// All stages of all layers, so that the shape of the whole shows early: one layer first, then the ends,
/// then the middles between those there are.
[[nodiscard]] std::vector<std::pair<LayerIndex, Stage>>
coarseToFine(const std::map<LayerIndex, std::vector<Stage>>& stages, LayerIndex first);

} // namespace headscope::desktop

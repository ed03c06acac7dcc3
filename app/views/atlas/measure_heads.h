// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/heads/describe_heads.h"
#include "app/views/heatmap/make_heatmaps.h"
#include "model/data/model_info.h"
#include "model/data/results/head_measures.h"
#include "model/io/cache/cache_reader.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace headscope::desktop
{

/// Which layers of a cache to measure, and how: the numbers are those of the Heads tab.
struct AtlasRequest
{
    std::vector<LayerIndex> layers; ///< in the order in which they are measured
    Stage stage = Stage::HeadOutput;
    HeatmapLabels labels;                ///< an empty column: none
    std::vector<std::int64_t> documents; ///< ascending; empty: all
    HeadAnswerOptions answers;           ///< of what is held against labels
    int neighbors = 10;                  ///< of the purity
    int numThreads = 1;
    /// Seconds that a run may take which the user did not start: it ends after the layer at which asksAgain() is
    /// true. 0: no limit.
    double limit = 0;
};

/// What is known of the heads of one layer. Never changed once it is handed out.
struct AtlasLayer
{
    LayerIndex layer;
    std::shared_ptr<const HeadReport> report;
    std::vector<double> purity; ///< [H]; empty without labels, as all of the following
    std::vector<Interval> purityCi95;
    std::vector<double> purityP;
    std::int64_t purityDocuments = 0; ///< labelled, with a direction
    double purityChance = std::numeric_limits<double>::quiet_NaN();
    std::vector<PairedDifference> leftOut; ///< [H] match at 1 without the head - with all; empty without topics
};
using AtlasLayers = std::vector<std::shared_ptr<const AtlasLayer>>;

/// What became of a request so far.
struct AtlasMeasured
{
    AtlasLayers layers;          ///< in the order of the request
    std::vector<Error> failures; ///< one for each layer that could not be measured at all
    bool stopped = false;
    bool tooLong = false; ///< ended by the limit of the request
    double seconds = 0;   ///< that passed so far
};

/// Measures layers one after the other. One that fails is noted and the others continue.
/// @param publish  after every layer, with all there are so far
/// @return what was measured, also when the job was stopped on the way
/// @errors the first failure when all fail, InvalidArgument (no layer), Cancelled (before the first)
/// @threads to be called on a worker; publish is called on it
[[nodiscard]] Result<AtlasMeasured> measureHeads(CacheReader& reader, const AtlasRequest& request,
                                                 const std::function<void(const AtlasMeasured&)>& publish,
                                                 JobContext& job);

/// What was measured as measures of all heads, with q over all of them; those that no layer has are left out.
[[nodiscard]] std::vector<HeadMeasure> measuresOf(const AtlasLayers& layers, const ModelInfo& model, Stage stage,
                                                  const Origin& origin);

/// How well a probe of each head alone tells the label, as `headscope label-probe` measures it.
/// @param splits  of the documents
/// @param publish  after every layer, the measure so far
/// @errors InvalidArgument (no labels, fewer than two), Cancelled
/// @threads to be called on a worker; publish is called on it
[[nodiscard]] Result<HeadMeasure> probeHeads(CacheReader& reader, const AtlasRequest& request, int splits,
                                             const std::function<void(const HeadMeasure&)>& publish, JobContext& job);

/// p after Benjamini-Hochberg over all heads that have one.
[[nodiscard]] MatrixD qOf(const MatrixD& p);

} // namespace headscope::desktop

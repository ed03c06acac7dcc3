// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/model_info.h"
#include "model/data/results/layer_results.h"
#include "model/data/results/probe_result.h"
#include "viz/chart/confusion_painter.h"
#include "viz/export/figure_export.h"

#include <memory>
#include <span>
#include <vector>

namespace headscope::viz
{

/// Probes of stages and layers, as a figure shows them.
struct ProbeFigure
{
    std::vector<std::shared_ptr<const ProbeResult>> results;
    std::vector<std::shared_ptr<const ProbeResult>> controls; ///< with shuffled labels; may be none
    std::shared_ptr<const ProbeResult> shown;                 ///< whose confusion matrix is drawn; null: the first
    ConfusionStyle confusion;                                 ///< what the matrix says and how it is shaded
};

/// Of one layer: the table, and each confusion matrix (as figureOfProbe). Of several: the curves over the
/// layers, and the table, confusion matrix and bars of the layer that is shown.
/// @errors InvalidArgument (no result)
[[nodiscard]] Figure figureOfProbes(ProbeFigure figure, ModelInfo info);

/// "Layers of MODEL: ...": what a caption of the layers must say.
/// @param purityQ  of each, over all of them; empty: not known, and the purities are judged by none
[[nodiscard]] QString layersCaption(std::span<const std::shared_ptr<const LayerMeasures>> measures,
                                    std::span<const double> purityQ, const ModelInfo& info);

/// The bands of the layers: probe accuracy, topic purity and redundancy of heads.
/// @param purityQ  as of layersCaption
/// @errors InvalidArgument (nothing measured)
[[nodiscard]] Figure figureOfLayers(LayerList measures, std::vector<double> purityQ, ModelInfo info);

} // namespace headscope::viz

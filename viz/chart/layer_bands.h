// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/frame.h"
#include "model/data/model_info.h"
#include "model/data/results/layer_results.h"
#include "model/data/results/probe_result.h"
#include "viz/chart/layer_curves.h"

#include <QString>

#include <memory>
#include <span>
#include <vector>

namespace headscope::viz
{

/// Which numbers of LayerMeasures a band shows, in the order of the bands.
enum class LayerMeasure
{
    Probe,
    Purity,
    Redundancy,
};

/// "Probe accuracy", "Topic purity", "Redundancy of heads".
[[nodiscard]] QString measureTitle(LayerMeasure measure);
/// What its table says of it.
[[nodiscard]] const ColumnInfo& columnOf(LayerMeasure measure);
/// The number of a measure, with its interval where it has one; NaN where it was not taken.
[[nodiscard]] LayerPoint pointOf(const LayerMeasures& measures, LayerMeasure measure);

/// The three bands of the layers, one curve per stage, in any order of the measures given.
[[nodiscard]] std::vector<LayerBand> layerBands(std::span<const std::shared_ptr<const LayerMeasures>> measures,
                                                InkTheme theme);

/// Accuracy of probes over the layers, one curve per stage, and dashed ones of the controls.
/// @param results   probes of stages and layers
/// @param controls  the same with shuffled labels; may be fewer, or none
/// @param model     tells which point is after the final norm; without a family none does
[[nodiscard]] LayerBand probeBand(std::span<const std::shared_ptr<const ProbeResult>> results,
                                  std::span<const std::shared_ptr<const ProbeResult>> controls, InkTheme theme,
                                  const ModelInfo& model = {});

} // namespace headscope::viz

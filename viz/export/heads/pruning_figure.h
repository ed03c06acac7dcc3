// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/model_info.h"
#include "model/data/results/pruning_results.h"
#include "model/data/stage.h"
#include "viz/chart/pruning_chart.h"
#include "viz/export/figure_export.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::viz
{

/// What units removed do to a measure, each alone or one after another.
struct PruningFigure
{
    Stage stage = Stage::HeadOutput;
    LayerIndex layer;
    bool groups = false; ///< units are KV groups
    QString of;          ///< "192 labelled documents, 8 topics"
    QString how;         ///< of a chart: "taken away one after another, at each step the one whose absence costs least"
    PruningChart chart;  ///< measure, count and value of all; its line where units go one after another
    std::vector<std::int64_t> alone;           ///< units that each went alone, 0-based; empty: one after another
    std::vector<PairedDifference> differences; ///< of `alone`
    QString method;                            ///< of their intervals: "bootstrap over documents"
    QString allMethod{};                       ///< of the interval of all: "Wilson"
    std::optional<PermutationNull> null{};     ///< of the value of all, where labels are shuffled
};

[[nodiscard]] QString pruningCaption(const PruningFigure& figure, const ModelInfo& info);

/// A row for each unit that went alone, or the curve over those that went one after another.
/// @errors InvalidArgument (no unit)
[[nodiscard]] Figure figureOfPruning(PruningFigure figure, ModelInfo info);

} // namespace headscope::viz

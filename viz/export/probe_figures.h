// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/model_info.h"
#include "model/data/results/probe_result.h"
#include "viz/chart/confusion_painter.h"
#include "viz/export/figure_export.h"
#include "viz/export/part_figures.h"

#include <QString>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace headscope::viz
{

/// What is probed and by which options, what bars and lines mean, and what limits the numbers; the values are in the
/// tables.
[[nodiscard]] QString probeCaption(std::span<const ProbeResult> results, const ModelInfo& info);

/// The probe table as a part of a figure.
[[nodiscard]] FigurePart probeTablePart(std::span<const ProbeResult> results, const ModelInfo& info);
/// What the accuracies are compared with (baselineTable), where there is something.
[[nodiscard]] std::optional<FigurePart> baselinesPart(std::span<const ProbeResult> results);
/// A probe's confusion matrix and the bars of its heads: as one part, or as two that may be side by side.
/// @param figureWidth  of its content, in points: where the matrix can have numbers in it, it asks for as much as they
/// need
[[nodiscard]] std::vector<FigurePart> probeParts(const std::shared_ptr<const ProbeResult>& result,
                                                 const ModelInfo& info, const ConfusionStyle& style,
                                                 const QString& title, bool together, double figureWidth);

/// The probe table, the baselines, and for each result its confusion matrix and its bars.
/// @param confusion  what the matrices say and how they are shaded
/// @errors InvalidArgument (no result)
[[nodiscard]] Figure figureOfProbe(std::vector<ProbeResult> results, ModelInfo info, ConfusionStyle confusion = {});

} // namespace headscope::viz

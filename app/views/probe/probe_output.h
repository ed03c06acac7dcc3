// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/frame/frame.h"
#include "model/data/model_info.h"
#include "ui/models/probe_table_model.h"
#include "ui/window/cache_overview.h"
#include "viz/export/layer_figures.h"

#include <QString>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headscope::desktop
{

/// The table of the verb `probe`, with the controls where any was run.
[[nodiscard]] Frame probeRowsFrame(const std::vector<ui::ProbeRow>& rows, bool withBaselines = true);

/// Writes the table of probes as .csv or .tex.
/// @param documents  that they were trained and tested on; empty: all
/// @errors those of writeFrameFile
/// @threads to be called on a worker
[[nodiscard]] Status writeProbeRows(const std::vector<ui::ProbeRow>& rows, const ModelInfo& model,
                                    const std::string& cache, const std::vector<std::int64_t>& documents,
                                    const std::filesystem::path& target);

/// The table with curves and confusion matrices.
/// @param shown      the probe whose confusion matrix a figure of many shows
/// @param confusion  what the matrix says and how it is shaded
[[nodiscard]] viz::ProbeFigure probeFigure(const std::vector<ui::ProbeRow>& rows,
                                           const std::optional<ui::ProbeTableModel::Place>& shown,
                                           const viz::ConfusionStyle& confusion);

/// The `headscope probe` lines that train these probes: one for all layers of the cache, or one a layer;
/// and the same with --control where controls were run.
[[nodiscard]] QString probeCommand(const std::vector<ui::ProbeRow>& rows, const QString& cache,
                                   const std::vector<std::int64_t>& heads, const std::vector<std::int64_t>& documents,
                                   const ui::CacheOverview& overview);

} // namespace headscope::desktop

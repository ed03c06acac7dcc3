// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/frame/frame.h"
#include "model/data/model_info.h"
#include "ui/models/probe_table_model.h"
#include "ui/window/cache_overview.h"
#include "viz/chart/confusion_painter.h"
#include "viz/export/figure_export.h"

#include <QString>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headscope::desktop
{

/// The table of the verb `probe`, with the controls where any was run.
[[nodiscard]] Frame probeRowsFrame(const std::vector<ui::ProbeRow>& rows, bool withBaselines = true);

/// Writes probes by the file's ending: the table as .csv or .tex, the table with curves and
/// confusion matrices as .png, .pdf or .svg.
/// @param documents  that they were trained and tested on; empty: all
/// @param shown      the probe whose confusion matrix a figure of many shows
/// @param confusion  what the matrix says and how it is shaded
/// @param options    of a figure
/// @errors those of writeFrameFile and viz::exportProbe
/// @threads to be called on a worker
[[nodiscard]] Status writeProbeRows(const std::vector<ui::ProbeRow>& rows,
                                    const std::optional<ui::ProbeTableModel::Place>& shown, const ModelInfo& model,
                                    const std::string& cache, const std::vector<std::int64_t>& documents,
                                    const viz::ConfusionStyle& confusion, const viz::FigureOptions& options,
                                    const std::filesystem::path& target);

/// The `headscope probe` lines that train these probes: one for all layers of the cache, or one a layer;
/// and the same with --control where controls were run.
[[nodiscard]] QString probeCommand(const std::vector<ui::ProbeRow>& rows, const QString& cache,
                                   const std::vector<std::int64_t>& heads, const std::vector<std::int64_t>& documents,
                                   const ui::CacheOverview& overview);

} // namespace headscope::desktop

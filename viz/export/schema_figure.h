// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/chart/layer_schema.h"
#include "viz/export/figure_export.h"

#include <filesystem>

namespace headscope::viz
{

/// The schema of a layer. An empty caption in `options` is filled with schemaCaption.
/// @errors as exportDrawing
[[nodiscard]] Status exportSchema(const LayerSchema& schema, const std::filesystem::path& path,
                                  FigureOptions options = {});

} // namespace headscope::viz

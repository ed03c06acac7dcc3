// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/layers/measure_layers.h"

#include <QJsonObject>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headscope
{
class RecordFields;
struct ModelInfo;

void fields(RecordFields& record, LayerMeasures& one);
} // namespace headscope

namespace headscope::desktop
{

/// Measures of layers, and what they are of.
struct MeasuredLayers
{
    std::vector<std::int64_t> heads;
    std::vector<std::int64_t> documents; ///< empty: all
    std::string labels;                  ///< digest of the column that the purity is of
    LayerList measures;
};

/// What a work file has of them.
[[nodiscard]] QJsonObject layersJson(const MeasuredLayers& measured, const Origin& origin);

/// The same again; nothing where they are of another cache, or no such thing.
/// @param documents  of the cache
[[nodiscard]] std::optional<MeasuredLayers> layersOf(const QJsonObject& object, const Origin& origin,
                                                     const ModelInfo& model, std::int64_t documents);

} // namespace headscope::desktop

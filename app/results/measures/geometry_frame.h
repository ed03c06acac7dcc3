// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/frame/frame.h"
#include "model/data/results/measures/geometry_results.h"
#include "model/data/stage.h"

#include <string>
#include <vector>

namespace headscope
{

/// The shapes of a stage of a layer.
struct PlacedGeometry
{
    LayerIndex layer;
    Stage stage = Stage::HeadOutput;
    bool isUncut = false; ///< the stage has one vector a document, which is no head's
    bool afterFinalNorm = false;
    LayerGeometry geometry;
};

/// The shapes of vectors: of every place all heads together ("full"), then each head.
extern const FrameInfo kGeometryFrame;

[[nodiscard]] Frame geometryFrame(const std::vector<PlacedGeometry>& places);

/// The rows that are printed: all where there are few, else those of all heads together.
[[nodiscard]] Frame shownGeometry(const Frame& all);

/// What the columns of the table mean; several lines.
[[nodiscard]] std::string geometryLegend(const std::vector<PlacedGeometry>& places);

} // namespace headscope

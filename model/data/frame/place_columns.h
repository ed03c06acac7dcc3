// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/frame.h"

namespace headscope
{

/// Columns that say where in the model the vectors of a row were taken, alike in all tables.
inline constexpr ColumnInfo kLayerColumn = {"layer", "Layer", "", "Index of the layer (from 0)", "", Shown::Index};
inline constexpr ColumnInfo kStageColumn = {
    "stage",
    "Stage",
    "",
    "Where in the layer the vectors are taken. 1: head outputs; 2: segments after the output projection; 3: segments "
    "of the layer's output; contribution: what each head adds to stage 2",
    "",
    Shown::Stage};

} // namespace headscope

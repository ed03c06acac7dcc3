// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_family.h"
#include "model/data/model_info.h"
#include "viz/color/head_palette.h"
#include "viz/color/inks.h"

#include <QRectF>
#include <QString>

#include <array>
#include <optional>
#include <vector>

class QPainter;

namespace headscope::viz
{

/// A layer of a model, with what is read where: drawn for this model's sizes.
struct LayerSchema
{
    /// What a row of cells is.
    enum class Cells
    {
        None,
        Queries,  ///< a cell a query head, in its colour
        Keys,     ///< a cell a KV head, as wide as the queries of its group
        Heads,    ///< a cell a head: stage 1
        Segments, ///< a cell a slice of the model's numbers, without colour
    };

    /// One row of the drawing, from input to output.
    struct Row
    {
        QString title;
        QString detail; ///< sizes: "9 x 64 numbers"
        Cells cells = Cells::None;
        int stage = 0; ///< 1 to 3: read here
        bool sum = false;
    };

    ModelInfo info;
    std::int64_t layer = 0;
    const FamilyTraits* traits = nullptr; ///< null: the cache names no family that is known: norms are not drawn
    std::vector<Row> rows;
    std::array<QString, 3> taps; ///< what stage 1, 2 and 3 hold here
};

/// The schema of a layer. What the model does not say (size of a head, model size) is left out of the texts.
/// @param layer  from 0
/// @pre info.heads >= 1
[[nodiscard]] LayerSchema layerSchema(const ModelInfo& info, std::int64_t layer);

struct SchemaStyle
{
    InkTheme theme = InkTheme::Light;
    double textPx = 8;
};

/// How high the schema is at this width, in the units of its text.
[[nodiscard]] double schemaHeight(const LayerSchema& schema, double width, const SchemaStyle& style);

/// Rows in the middle, the residual stream on the left, stages 1 to 3 on the right with what they hold; in a narrow
/// box under the rows. No text leaves the box.
/// Needs a QGuiApplication (fonts).
/// @param box  as high as schemaHeight() says
void paintSchema(QPainter& painter, const LayerSchema& schema, const QRectF& box, const SchemaStyle& style);

/// What the drawing shows, in words: for captions and those who do not see it.
[[nodiscard]] QString schemaCaption(const LayerSchema& schema);

} // namespace headscope::viz

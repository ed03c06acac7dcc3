// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/schema_figure.h"

#include "viz/export/figure_text.h"

#include <QPainter>
#include <QRectF>

#include <utility>

namespace headscope::viz
{

Status exportSchema(const LayerSchema& schema, const std::filesystem::path& path, FigureOptions options)
{
    const SchemaStyle style{InkTheme::Light, kFigureTextPt};
    fillIn(
        options, schemaCaption(schema),
        {{QStringLiteral("model"), modelName(schema.info)}, {QStringLiteral("layer"), QString::number(schema.layer)}});
    followContent(options, schemaHeight(schema, contentWidth(options), style));
    return exportDrawing(
        [&](QPainter& painter, const QRectF& box, double) { paintSchema(painter, schema, box, style); }, path, options);
}

} // namespace headscope::viz

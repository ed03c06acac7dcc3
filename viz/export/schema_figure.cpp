// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/schema_figure.h"

#include "viz/export/figure_export.h"
#include "viz/export/figure_text.h"

#include <QPainter>
#include <QRectF>

#include <utility>

namespace headscope::viz
{

Figure figureOfSchema(LayerSchema schema)
{
    return [schema = std::move(schema)](FigureOptions options) -> Result<FigureSpec> {
        const SchemaStyle style{InkTheme::Light, kFigureTextPt};
        fillIn(options, schemaCaption(schema),
               {{QStringLiteral("model"), modelName(schema.info)},
                {QStringLiteral("layer"), QString::number(schema.layer)}});
        followContent(options, schemaHeight(schema, contentWidth(options), style));
        return FigureSpec{
            [schema, style](QPainter& painter, const QRectF& box, double) { paintSchema(painter, schema, box, style); },
            std::move(options)};
    };
}

} // namespace headscope::viz

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heatmap/bind_heatmap.h"

#include "app/views/heatmap/heatmap_widget.h"
#include "ui/state/bind_canvas.h"
#include "ui/state/json_values.h"

#include <QJsonObject>

#include <algorithm>
#include <optional>

namespace headscope::ui
{
namespace
{

constexpr double kMaxScale = 1e9;
constexpr double kFar = 1e12; ///< more columns and rows than there are

QJsonObject windowJson(const viz::HeatmapWindow& window)
{
    return {{QStringLiteral("zoom"), window.zoom},
            {QStringLiteral("firstColumn"), window.firstColumn},
            {QStringLiteral("rowZoom"), window.rowZoom},
            {QStringLiteral("firstRow"), window.firstRow}};
}

std::optional<viz::HeatmapWindow> windowOf(const QJsonObject& object)
{
    const auto zoom = state::number(object, QStringLiteral("zoom"), 1, kMaxScale);
    const auto column = state::number(object, QStringLiteral("firstColumn"), 0, kFar);
    const auto rowZoom = state::number(object, QStringLiteral("rowZoom"), 1, kMaxScale);
    const auto row = state::number(object, QStringLiteral("firstRow"), 0, kFar);
    if (!zoom || !column || !rowZoom || !row)
        return std::nullopt;
    return viz::HeatmapWindow{*zoom, *column, *rowZoom, *row};
}

} // namespace

void bind(ViewState& state, const QString& key, HeatmapWidget& canvas)
{
    bindPlace(
        state, StatePart::Zooms, key,
        [&canvas] {
            return canvas.panels().empty() || canvas.window() == viz::HeatmapWindow()
                       ? QJsonValue(QJsonValue::Undefined)
                       : QJsonValue(windowJson(canvas.window()));
        },
        [&canvas] { return !canvas.panels().empty(); },
        [&canvas](const QJsonValue& value) {
            if (const auto window = windowOf(value.toObject()))
                canvas.setWindow(*window);
        },
        [&canvas] {
            if (canvas.window() != viz::HeatmapWindow())
                canvas.setWindow({});
        });
}

} // namespace headscope::ui

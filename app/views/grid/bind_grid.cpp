// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/grid/bind_grid.h"

#include "app/views/grid/map_grid.h"
#include "ui/state/bind_canvas.h"
#include "ui/state/json_values.h"

#include <QJsonArray>

#include <algorithm>
#include <optional>

namespace headscope::ui
{
namespace
{

/// The zoom of every cell, or of one where they move alike.
QJsonArray gridJson(const MapGrid& grid)
{
    QJsonArray cells;
    const std::size_t count = grid.linked() ? 1 : grid.contents().cells.size();
    for (std::size_t cell = 0; cell < count; ++cell)
        cells.append(zoomJson(grid.view(cell)));
    return cells;
}

void setGridZoom(MapGrid& grid, const QJsonArray& cells)
{
    const std::size_t count = std::min(static_cast<std::size_t>(cells.size()), grid.contents().cells.size());
    for (std::size_t cell = 0; cell < count; ++cell)
        if (const auto zoom = zoomOf(cells.at(static_cast<qsizetype>(cell)).toObject(), grid.view(cell).viewSize()))
            grid.setView(cell, *zoom);
}

} // namespace

void bind(ViewState& state, const QString& key, MapGrid& grid)
{
    bindPlace(
        state, StatePart::Zooms, key,
        [&grid] {
            return grid.set() == nullptr || !grid.moved() ? QJsonValue(QJsonValue::Undefined)
                                                          : QJsonValue(gridJson(grid));
        },
        [&grid] { return grid.set() != nullptr; },
        [&grid](const QJsonValue& value) { setGridZoom(grid, value.toArray()); },
        [&grid] {
            if (grid.moved())
                grid.fit();
        });
}

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map.h"
#include "model/data/maps/point_set.h"
#include "model/data/selection.h"
#include "ui/canvas/scatter/scatter_tools.h"
#include "ui/canvas/selection_gesture.h"
#include "ui/jobs/job_runner.h"
#include "viz/geometry/spatial_grid.h"
#include "viz/geometry/view_transform.h"
#include "viz/scatter/point_states.h"

#include <QObject>
#include <QPointF>
#include <QRectF>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui
{

/// Finds the points of a map at a place, inside a gesture or in the direction of an arrow key. The points are sorted
/// by place at the first query; for a large map a worker does that and evaluates gestures, and until it is done no
/// point is found.
/// @threads GUI thread
class PointPicker : public QObject
{
    Q_OBJECT

public:
    /// Another map; null: none. A gesture over other points is cancelled.
    void setMap(std::shared_ptr<const HeadMap> map);
    /// Maps of more points are left to a worker.
    void setMostAtOnce(std::int64_t points) { m_mostAtOnce = points; }
    [[nodiscard]] bool busy() const { return m_gridRunner.running() || m_pickRunner.running(); }

    /// The shown point under the pointer.
    [[nodiscard]] std::optional<std::int64_t> at(QPointF place, const viz::ViewTransform& view,
                                                 const viz::PointStates& points);
    /// The pickable point that an arrow key leads to: the nearest in the quarter of the screen it points to.
    /// @param from       where the keys are; nothing, or a point that cannot be picked: the one nearest to the middle
    /// @param direction  of the screen: (1, 0) is right, (0, 1) down
    /// @param extent     of all points, data units
    [[nodiscard]] std::optional<std::int64_t> toward(std::optional<std::int64_t> from, QPointF direction,
                                                     const viz::ViewTransform& view, const viz::PointStates& points,
                                                     const QRectF& extent);

    // The gesture.
    void begin(SelectionGesture::Shape shape, QPointF place);
    void moveTo(QPointF place) { m_gesture.moveTo(place); }
    void cancel() { m_gesture.cancel(); }
    void scaleBrush(double factor) { m_gesture.setBrushRadius(m_gesture.brushRadius() * factor); }
    [[nodiscard]] const SelectionGesture& gesture() const { return m_gesture; }
    /// Ends the gesture and emits what it holds, now or later.
    void end(const viz::ViewTransform& view, const viz::PointStates& points, ScatterPicks picks,
             SetOperation operation);
    /// Adds a point to the choice, or removes it where it is chosen.
    void toggle(std::int64_t point, const viz::PointStates& points, ScatterPicks picks);

Q_SIGNALS:
    /// Ascending; perhaps none.
    void documentsPicked(const std::vector<std::int64_t>& documents, headscope::SetOperation operation);
    void pointsPicked(const headscope::PointSet& points, headscope::SetOperation operation);

private:
    using Grid = std::shared_ptr<const viz::SpatialGrid>;
    /// What a gesture holds: documents, or points by themselves.
    struct Caught
    {
        std::vector<std::int64_t> documents; ///< ascending
        PointSet points;
    };
    [[nodiscard]] static Caught caughtIn(const SelectionGesture& gesture, const viz::SpatialGrid& grid,
                                         const viz::ViewTransform& view, const PointIds& ids,
                                         std::span<const viz::PointState> pickable, ScatterPicks picks);
    [[nodiscard]] bool isLarge() const { return m_map->xy.rows() > m_mostAtOnce; }
    [[nodiscard]] bool isReady();
    void buildGrid();
    void putGrid(Grid grid, const std::shared_ptr<const HeadMap>& map);
    void tell(const Caught& caught, ScatterPicks picks, SetOperation operation);

    std::shared_ptr<const HeadMap> m_map;
    std::int64_t m_mostAtOnce = 0;
    Grid m_grid;
    std::shared_ptr<const HeadMap> m_gridMap;    ///< the map m_grid was built for; it must outlive the grid
    std::shared_ptr<const HeadMap> m_gridWanted; ///< the map a worker builds a grid for
    SelectionGesture m_gesture;
    // Last: their destructors wait for the workers.
    JobRunner m_gridRunner;
    JobRunner m_pickRunner;
};

} // namespace headscope::ui

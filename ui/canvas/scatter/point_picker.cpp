// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scatter/point_picker.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr double kPickRadiusPx = 8;
constexpr double kMinStepPx = 1; ///< a step that nobody could see is none

/// The accepted point nearest to a place. Widening circles, so that in a crowd few points are looked at; `roomPx` and
/// no farther.
std::optional<std::int64_t> nearestWithin(const viz::SpatialGrid& grid, QPointF data, double roomPx,
                                          const viz::ViewTransform& view, const viz::SpatialGrid::Accept& accept)
{
    constexpr double kFirstPx = 16;
    constexpr double kWiden = 4;
    for (double radius = kFirstPx;; radius *= kWiden)
        if (const auto found = grid.nearest(data, radius / view.scale(), accept); found || !(radius < roomPx))
            return found;
}

} // namespace

void PointPicker::setMap(std::shared_ptr<const HeadMap> map)
{
    const bool samePoints = m_map != nullptr && map != nullptr && m_map->points == map->points;
    m_map = std::move(map);
    if (samePoints)
        return;
    m_gesture.cancel();
    m_pickRunner.cancel();
}

void PointPicker::putGrid(Grid grid, const std::shared_ptr<const HeadMap>& map)
{
    if (map != m_map)
        return;
    m_grid = std::move(grid);
    m_gridMap = map;
}

void PointPicker::buildGrid()
{
    if (m_gridMap == m_map)
        return;
    m_gridRunner.cancel();
    putGrid(std::make_shared<const viz::SpatialGrid>(m_map->xy.values()), m_map);
}

bool PointPicker::isReady()
{
    if (m_map == nullptr)
        return false;
    if (m_gridMap == m_map)
        return true;
    if (!isLarge())
    {
        buildGrid();
        return true;
    }
    if (m_gridRunner.running() && m_gridWanted == m_map)
        return false;
    m_gridWanted = m_map;
    m_gridRunner.start<Grid>(
        [map = m_map](JobContext&) -> Result<Grid> {
            return std::make_shared<const viz::SpatialGrid>(map->xy.values());
        },
        [this, map = m_map](Result<Grid> grid) {
            if (grid)
                putGrid(std::move(*grid), map);
        });
    return false;
}

std::optional<std::int64_t> PointPicker::at(QPointF place, const viz::ViewTransform& view,
                                            const viz::PointStates& points)
{
    if (view.scale() <= 0 || !isReady())
        return std::nullopt;
    return m_grid->nearest(view.dataFromScreen(place), kPickRadiusPx / view.scale(),
                           [&points](std::int64_t point) { return points.stateOf(point) == viz::PointState::Shown; });
}

std::optional<std::int64_t> PointPicker::toward(std::optional<std::int64_t> from, QPointF direction,
                                                const viz::ViewTransform& view, const viz::PointStates& points,
                                                const QRectF& extent)
{
    if (view.scale() <= 0 || !isReady())
        return std::nullopt;
    const MatrixF& xy = m_map->xy;
    const auto placeOf = [&](std::int64_t point) { return view.screenFromData(QPointF(xy(point, 0), xy(point, 1))); };
    // What is pale because its document is not chosen can be reached: to be chosen too.
    const auto reachable = [&points](std::int64_t point) { return points.isPickable(point); };
    const QRectF all =
        QRectF(view.screenFromData(extent.topLeft()), view.screenFromData(extent.bottomRight())).normalized();
    if (!from || !reachable(*from) || !std::isfinite(xy(*from, 0)) || !std::isfinite(xy(*from, 1)))
    {
        const QRectF canvas(QPointF(), view.viewSize());
        const QRectF both = all.united(canvas);
        return nearestWithin(*m_grid, view.dataFromScreen(canvas.center()), std::hypot(both.width(), both.height()),
                             view, reachable);
    }
    const QPointF start = placeOf(*from);
    // In the quarter of the plane that the arrow points to.
    const auto ahead = [&](std::int64_t point) {
        if (point == *from || !reachable(point))
            return false;
        const QPointF way = placeOf(point) - start;
        const double along = QPointF::dotProduct(way, direction);
        const double aside = std::abs(way.x() * direction.y() - way.y() * direction.x());
        return along >= kMinStepPx && aside <= along;
    };
    const QPointF end = direction.x() + direction.y() > 0 ? all.bottomRight() : all.topLeft();
    const double room = QPointF::dotProduct(end - start, direction);
    // Twice as far: the corner of the quarter.
    return nearestWithin(*m_grid, QPointF(xy(*from, 0), xy(*from, 1)), 2 * room, view, ahead);
}

void PointPicker::begin(SelectionGesture::Shape shape, QPointF place)
{
    if (m_map == nullptr)
        return;
    m_gesture.begin(shape, place);
    static_cast<void>(isReady()); // large ones are on their way until the gesture ends
}

PointPicker::Caught PointPicker::caughtIn(const SelectionGesture& gesture, const viz::SpatialGrid& grid,
                                          const viz::ViewTransform& view, const PointIds& ids,
                                          std::span<const viz::PointState> pickable, ScatterPicks picks)
{
    // A dot that the legend or the head picker took away cannot be picked, nor one whose head is pale because
    // others are lit; one that is only pale because its document is not chosen can.
    std::vector<std::int64_t> points = gesture.points(grid, view);
    if (!pickable.empty())
        std::erase_if(points, [pickable](std::int64_t point) {
            return pickable[static_cast<std::size_t>(point)] != viz::PointState::Shown;
        });
    Caught caught;
    if (picks == ScatterPicks::Points)
    {
        caught.points = PointSet::of(ids, points);
        return caught;
    }
    std::vector<char> picked;
    for (const std::int64_t point : points)
    {
        const auto document = static_cast<std::size_t>(ids.document[static_cast<std::size_t>(point)]);
        if (document >= picked.size())
            picked.resize(document + 1, 0);
        picked[document] = 1;
    }
    for (std::size_t document = 0; document < picked.size(); ++document)
        if (picked[document] != 0)
            caught.documents.push_back(static_cast<std::int64_t>(document));
    return caught;
}

void PointPicker::tell(const Caught& caught, ScatterPicks picks, SetOperation operation)
{
    if (picks == ScatterPicks::Points)
        Q_EMIT pointsPicked(caught.points, operation);
    else
        Q_EMIT documentsPicked(caught.documents, operation);
}

void PointPicker::end(const viz::ViewTransform& view, const viz::PointStates& points, ScatterPicks picks,
                      SetOperation operation)
{
    const SelectionGesture gesture = m_gesture;
    m_gesture.cancel();
    if (m_map == nullptr)
        return;
    if (!isLarge())
    {
        buildGrid();
        return tell(caughtIn(gesture, *m_grid, view, *m_map->points, *points.pickable(), picks), picks, operation);
    }
    struct Picked
    {
        Grid grid;
        Caught caught;
    };
    m_gridRunner.cancel(); // it would do the same work again
    m_pickRunner.start<Picked>(
        [grid = m_gridMap == m_map ? m_grid : Grid(), map = m_map, gesture, view, pickable = points.pickable(),
         picks](JobContext&) -> Result<Picked> {
            Picked picked{grid ? grid : std::make_shared<const viz::SpatialGrid>(map->xy.values()), {}};
            picked.caught = caughtIn(gesture, *picked.grid, view, *map->points, *pickable, picks);
            return picked;
        },
        [this, map = m_map, picks, operation](Result<Picked> picked) {
            if (!picked || m_map == nullptr || m_map->points != map->points)
                return;
            putGrid(std::move(picked->grid), map);
            tell(picked->caught, picks, operation);
        });
}

void PointPicker::toggle(std::int64_t point, const viz::PointStates& points, ScatterPicks picks)
{
    const DocumentIndex document = m_map->points->documentOf(point);
    const bool documents = picks == ScatterPicks::Documents;
    const bool chosen = documents ? points.isDocumentChosen(document) : points.isChosen(point);
    const SetOperation operation = chosen ? SetOperation::Remove : SetOperation::Add;
    if (documents)
        Q_EMIT documentsPicked({document.value()}, operation);
    else
        Q_EMIT pointsPicked(PointSet({document.value()}, {m_map->points->headOf(point).value()}), operation);
}

} // namespace headscope::ui

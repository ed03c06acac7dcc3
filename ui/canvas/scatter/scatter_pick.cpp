// SPDX-License-Identifier: GPL-3.0-or-later
// What of the map a place or a gesture holds: the point under the pointer, documents, points.
#include "ui/canvas/scatter/scatter_widget.h"

#include "ui/state/selection_hub.h"

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr double kPickRadiusPx = 8;

SelectionGesture::Shape shapeOf(ScatterWidget::Tool tool)
{
    if (tool == ScatterWidget::Tool::Rectangle)
        return SelectionGesture::Shape::Rectangle;
    return tool == ScatterWidget::Tool::Lasso ? SelectionGesture::Shape::Lasso : SelectionGesture::Shape::Brush;
}

/// What a gesture holds: documents, or points by themselves.
struct Caught
{
    std::vector<std::int64_t> documents; ///< ascending
    PointSet points;
};

Caught caughtIn(const SelectionGesture& gesture, const viz::SpatialGrid& grid, const viz::ViewTransform& view,
                const PointIds& ids, std::span<const viz::PointState> filtered, ScatterWidget::Picks picks)
{
    // A dot that the legend or the head picker took away cannot be picked, nor one whose head is pale because
    // others are lit; one that is only pale because its document is not chosen can.
    std::vector<std::int64_t> points = gesture.points(grid, view);
    std::erase_if(points, [filtered](std::int64_t point) {
        return filtered[static_cast<std::size_t>(point)] != viz::PointState::Shown;
    });
    Caught caught;
    if (picks == ScatterWidget::Picks::Points)
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

} // namespace

void ScatterWidget::buildGrid()
{
    if (m_gridMap == m_map)
        return;
    m_gridRunner.cancel();
    m_grid = std::make_shared<const viz::SpatialGrid>(m_map->xy.values());
    m_gridMap = m_map;
}

bool ScatterWidget::gridReady()
{
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
    using Grid = std::shared_ptr<const viz::SpatialGrid>;
    m_gridRunner.start<Grid>(
        [map = m_map](JobContext&) -> Result<Grid> {
            return std::make_shared<const viz::SpatialGrid>(map->xy.values());
        },
        [this, map = m_map](Result<Grid> grid) {
            if (!grid || map != m_map)
                return;
            m_grid = std::move(*grid);
            m_gridMap = map;
        });
    return false;
}

std::optional<std::int64_t> ScatterWidget::pointAt(QPointF place)
{
    if (m_map == nullptr || m_view.scale() <= 0 || !gridReady())
        return std::nullopt;
    return m_grid->nearest(m_view.dataFromScreen(place), kPickRadiusPx / m_view.scale(), [this](std::int64_t point) {
        return m_states[static_cast<std::size_t>(point)] == viz::PointState::Shown;
    });
}

void ScatterWidget::setPicks(Picks picks)
{
    if (picks == m_picks || (picks == Picks::Points && !m_pointsOffered))
        return;
    m_picks = picks;
    refreshTools();
    Q_EMIT toolChanged();
}

void ScatterWidget::setPointsOffered(bool offered)
{
    m_pointsOffered = offered;
    if (!offered)
        m_picks = Picks::Documents;
    refreshTools();
}

std::vector<std::int64_t> ScatterWidget::headsShown() const
{
    std::vector<std::int64_t> heads;
    for (std::int64_t head = 0; head <= m_lastHead; ++head)
        if (m_allHeads || m_shownHeads.contains(head))
            heads.push_back(head);
    return heads;
}

void ScatterWidget::beginGesture()
{
    if (!picksPoints() || m_map == nullptr)
        return;
    m_gesture.begin(shapeOf(m_tool), m_press);
    static_cast<void>(gridReady()); // large ones are on their way until the gesture ends
}

void ScatterWidget::endGesture(Qt::KeyboardModifiers keys)
{
    if (m_map == nullptr)
        return m_gesture.cancel();
    const SetOperation operation = pickOperation(keys);
    const auto tell = [this, operation, picks = m_picks](const Caught& caught) {
        if (picks == Picks::Points)
            Q_EMIT pointsPicked(caught.points, operation, headsShown());
        else
            Q_EMIT documentsPicked(caught.documents, operation);
    };
    if (!isLarge())
    {
        buildGrid();
        const Caught caught = caughtIn(m_gesture, *m_grid, m_view, *m_map->points, pickable(), m_picks);
        m_gesture.cancel();
        update();
        return tell(caught);
    }
    using Grid = std::shared_ptr<const viz::SpatialGrid>;
    struct Picked
    {
        Grid grid;
        Caught caught;
    };
    m_gridRunner.cancel(); // it would do the same work again
    m_pickRunner.start<Picked>(
        [grid = m_gridMap == m_map ? m_grid : Grid(), map = m_map, gesture = m_gesture, view = m_view,
         filtered = pickable(), picks = m_picks](JobContext&) -> Result<Picked> {
            Picked picked{grid ? grid : std::make_shared<const viz::SpatialGrid>(map->xy.values()), {}};
            picked.caught = caughtIn(gesture, *picked.grid, view, *map->points, filtered, picks);
            return picked;
        },
        [this, map = m_map, tell](Result<Picked> picked) {
            if (!picked || m_map == nullptr || m_map->points != map->points)
                return;
            if (map == m_map)
            {
                m_grid = std::move(picked->grid);
                m_gridMap = map;
            }
            tell(picked->caught);
        });
    m_gesture.cancel();
    update();
}

void ScatterWidget::pickPoint(std::int64_t point)
{
    const auto at = static_cast<std::size_t>(point);
    const std::int64_t document = m_map->points->document[at];
    const std::int64_t head = m_map->points->head[at];
    const auto row = static_cast<std::size_t>(document);
    const bool inChoice = row < m_chosen.size() && m_chosen[row] != 0;
    if (m_picks == Picks::Documents)
        return Q_EMIT documentsPicked({document}, inChoice ? SetOperation::Remove : SetOperation::Add);
    const bool chosen = inChoice && (m_chosenPoints == nullptr || m_chosenPoints->contains(document, head));
    Q_EMIT pointsPicked(PointSet({document}, {head}), chosen ? SetOperation::Remove : SetOperation::Add, headsShown());
}

} // namespace headscope::ui

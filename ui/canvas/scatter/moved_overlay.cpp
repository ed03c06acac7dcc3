// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/scatter/moved_overlay.h"

#include "ui/canvas/scatter/move_lines.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/words/wording.h"

#include <QEvent>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

/// What the lines take: where the points are, and where they would be.
std::shared_ptr<const MapPair> pairOf(const MovedPoints& moved)
{
    auto pair = std::make_shared<MapPair>();
    auto ids = std::make_shared<PointIds>();
    const auto count = std::ssize(moved.points);
    pair->xyA = MatrixF(count, 2);
    pair->xyB = moved.places;
    for (std::int64_t i = 0; i < count; ++i)
    {
        const std::int64_t point = moved.points[static_cast<std::size_t>(i)];
        for (std::int64_t axis = 0; axis < 2; ++axis)
            pair->xyA(i, axis) = moved.map->xy(point, axis);
        ids->document.push_back(static_cast<std::int32_t>(moved.map->points->documentOf(point).value()));
        ids->head.push_back(static_cast<std::int32_t>(moved.map->points->headOf(point).value()));
    }
    pair->a = pair->b = moved.map;
    pair->points = std::move(ids);
    return pair;
}

} // namespace

MovedOverlay::MovedOverlay(ScatterWidget& canvas, QObject* parent) : QObject(parent), m_canvas(canvas)
{
    m_lines = new MoveLines(&canvas);
    m_lines->setObjectName(QStringLiteral("movedLines"));
    m_lines->setPlaces([&canvas](QPointF place, bool /*inB*/) { return canvas.view().screenFromData(place); });
    m_lines->lower(); // under the legend and the tools
    m_lines->hide();
    canvas.installEventFilter(this);
    connect(&canvas, &ScatterWidget::viewChanged, m_lines, qOverload<>(&QWidget::update));
    connect(&canvas, &ScatterWidget::mapChanged, this, &MovedOverlay::refresh);
    connect(&canvas, &ScatterWidget::shownChanged, this, &MovedOverlay::refresh);
    place();
}

void MovedOverlay::setMoved(std::shared_ptr<const MovedPoints> moved, const QString& what)
{
    m_moved = std::move(moved);
    m_what = what;
    m_lines->setPair(m_moved == nullptr ? nullptr : pairOf(*m_moved));
    refresh();
}

void MovedOverlay::setShown(bool shown)
{
    m_shown = shown;
    refresh();
}

void MovedOverlay::setMarked(std::optional<DocumentIndex> document)
{
    if (std::exchange(m_marked, document) != document)
        refresh();
}

void MovedOverlay::refresh()
{
    const bool visible = m_shown && m_moved != nullptr && m_canvas.map() == m_moved->map;
    m_lines->setVisible(visible);
    if (!visible)
        return;
    std::vector<std::int64_t> pale;
    std::vector<std::int64_t> strong;
    const auto states = m_canvas.points().states();
    for (std::int64_t i = 0; i < std::ssize(m_moved->points); ++i)
    {
        const std::int64_t point = m_moved->points[static_cast<std::size_t>(i)];
        if (point < std::ssize(states) && states[static_cast<std::size_t>(point)] == viz::PointState::Hidden)
            continue;
        const bool marked = m_marked && m_moved->map->points->documentOf(point) == *m_marked;
        (marked ? strong : pale).push_back(i);
    }
    const auto all = std::ssize(pale) + std::ssize(strong);
    if (const auto count = std::ssize(pale); count > kMaxLines)
    {
        std::vector<std::int64_t> some;
        for (std::int64_t i = 0; i < kMaxLines; ++i)
            some.push_back(pale[static_cast<std::size_t>(i * count / kMaxLines)]);
        pale = std::move(some);
    }
    const auto drawn = std::ssize(pale) + std::ssize(strong);
    QString badge = tr("%1 in the model · map not recomputed · %2")
                        .arg(m_what, drawn < all ? tr("%1 of %2 lines").arg(countText(drawn), countText(all))
                                                 : countText(all, tr("line"), tr("lines")));
    m_lines->setBadge(badge);
    m_lines->setPoints(std::move(pale), std::move(strong));
}

void MovedOverlay::place()
{
    m_lines->setGeometry(m_canvas.rect());
}

bool MovedOverlay::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show)
        place();
    return QObject::eventFilter(watched, event);
}

} // namespace headscope::ui

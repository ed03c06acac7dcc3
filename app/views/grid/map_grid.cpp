// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/grid/map_grid.h"

#include "model/data/selection.h"
#include "ui/canvas/canvas_summary.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"
#include "viz/grid/grid_frame.h"
#include "viz/grid/grid_views.h"

#include <QElapsedTimer>
#include <QPaintEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr double kFocusWidth = 2;

std::optional<std::uint16_t> entryOf(const std::optional<viz::PointColoring>& coloring, std::size_t document)
{
    if (!coloring || document >= coloring->index.size())
        return std::nullopt;
    return coloring->index[document];
}

} // namespace

MapGrid::MapGrid(QWidget* parent) : QWidget(parent), m_views(this)
{
    setObjectName(QStringLiteral("mapGrid"));
    setAccessibleName(tr("Grid of maps"));
    setCanvasSummary(this, [this] { return accessibleDescription(); });
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_card = new HoverCard(this);
    connect(&m_views, &CellViews::glided, this, &MapGrid::dropPicture);
    onThemeChange(this, [this] {
        dropFrame();
        dropPicture();
    });
}

MapGrid::~MapGrid() = default;

void MapGrid::setCardSource(std::function<HoverContent(const HeadMap&, std::int64_t)> source)
{
    m_cardSource = std::move(source);
}

void MapGrid::setSet(std::shared_ptr<const HeadMapSet> set)
{
    const auto before = m_points.set();
    const bool sameMaps = before != nullptr && set != nullptr && before->maps.size() == set->maps.size() &&
                          std::equal(before->maps.begin(), before->maps.end(), set->maps.begin(),
                                     [](const MapOfSet& a, const MapOfSet& b) { return a.map.name == b.map.name; });
    m_points.setSet(set);
    m_contents = set == nullptr ? viz::GridContents() : viz::gridContents(*set, m_palette);
    if (!sameMaps)
    {
        m_views.restart();
        m_hovered.reset();
        m_hoveredCell.reset();
        m_current.reset();
        m_pressCell.reset();
        m_drag.end();
        m_card->hide();
        if (!m_contents.cells.empty())
            m_current = 0;
        refreshStates();
        layOut();
    }
    else
    {
        if (m_card->isVisible())
            m_card->hide(); // the point has moved from under the pointer
        refreshFit();
    }
    describe();
    dropFrame();
    dropPicture();
}

void MapGrid::describe()
{
    if (set() == nullptr)
        return setAccessibleDescription(tr("empty"));
    QString text =
        tr("%1, %2").arg(countText(static_cast<std::int64_t>(m_contents.cells.size()), tr("map"), tr("maps")),
                         countText(m_points.documents(), tr("document"), tr("documents")));
    if (m_current)
    {
        const MapOfSet& each = set()->maps[m_contents.cells[*m_current].map];
        text += tr("; current: %1, %2").arg(viz::mapTitle(each.map), m_contents.cells[*m_current].numbers);
    }
    if (const auto chosen = std::ranges::count(m_chosen, char{1}); chosen > 0)
        text += tr("; %1 selected").arg(countText(chosen, tr("document"), tr("documents")));
    setAccessibleDescription(text);
}

void MapGrid::setPalette(const viz::HeadPalette& palette)
{
    m_palette = palette;
    m_points.setPalette(palette);
    if (set() != nullptr)
        m_contents = viz::gridContents(*set(), palette);
    dropFrame();
    dropPicture();
}

void MapGrid::setColoring(std::optional<viz::PointColoring> coloring)
{
    m_points.setColoring(std::move(coloring));
    m_isolated.reset();
    refreshStates();
}

void MapGrid::setMapColorings(std::vector<std::optional<viz::PointColoring>> own)
{
    m_points.setMapColorings(std::move(own));
    dropPicture();
}

void MapGrid::setChosen(const std::vector<std::int64_t>& documents)
{
    m_chosen = flagsOf(documents);
    refreshStates();
}

void MapGrid::setShownOnly(const std::vector<std::int64_t>& documents)
{
    std::vector<char> shown = flagsOf(documents);
    if (shown == m_shownDocuments)
        return;
    m_shownDocuments = std::move(shown);
    refreshStates();
    describe();
}

void MapGrid::setIsolated(std::optional<std::uint16_t> entry)
{
    m_isolated = entry;
    refreshStates();
}

void MapGrid::refreshStates()
{
    std::vector<viz::PointState> states;
    if ((!m_chosen.empty() || !m_shownDocuments.empty() || m_isolated) && set() != nullptr)
    {
        std::int32_t most = -1;
        for (const MapOfSet& each : set()->maps)
            for (const std::int32_t document : each.map.points->document)
                most = std::max(most, document);
        states.assign(static_cast<std::size_t>(most + 1), viz::PointState::Shown);
        for (std::size_t document = 0; document < states.size(); ++document)
        {
            if (!m_chosen.empty() && (document >= m_chosen.size() || m_chosen[document] == 0))
                states[document] = viz::PointState::Dimmed;
            if (m_isolated && entryOf(m_points.coloring(), document) != m_isolated)
                states[document] = viz::PointState::Dimmed;
            if (!m_shownDocuments.empty() && (document >= m_shownDocuments.size() || m_shownDocuments[document] == 0))
                states[document] = viz::PointState::Hidden;
        }
    }
    m_points.setStates(std::move(states));
    dropPicture();
}

void MapGrid::setPrimary(std::optional<DocumentIndex> document)
{
    if (std::exchange(m_primary, document) != document)
        update();
}

void MapGrid::setHovered(std::optional<DocumentIndex> document)
{
    if (std::exchange(m_hovered, document) == document)
        return;
    if (!document)
        m_card->hide();
    update();
}

void MapGrid::setRoom(QSize room)
{
    if (std::exchange(m_room, room) == room)
        return;
    layOut();
}

void MapGrid::layOut()
{
    const QSize room = m_room.isEmpty() ? size() : m_room;
    m_layout = viz::GridLayout(m_contents, QSizeF(room));
    const int tall = std::max(room.height(), static_cast<int>(std::ceil(m_layout.contentSize().height())));
    setMinimumHeight(m_room.isEmpty() ? 0 : tall);
    m_views.resize(m_contents.cells.size(), m_layout.plotSize());
    refreshFit();
    dropFrame();
    dropPicture();
}

QSize MapGrid::sizeHint() const
{
    return m_layout.count() == 0 ? QSize(640, 480) : m_layout.contentSize().toSize();
}

void MapGrid::refreshFit()
{
    const QSizeF plot = m_layout.plotSize();
    if (set() == nullptr || plot.isEmpty())
        m_views.dropFits(m_contents.cells.size());
    else
        m_views.setFits(viz::fittedViews(*set(), m_contents, plot));
}

void MapGrid::fit()
{
    m_views.restart();
    std::vector<viz::ViewTransform> from = m_views.all();
    refreshFit();
    m_views.glideFrom(std::move(from));
    dropPicture();
    Q_EMIT viewChanged();
}

void MapGrid::setLinked(bool linked)
{
    if (linked == m_views.linked())
        return;
    m_views.setLinked(linked);
    if (linked && moved() && !m_views.all().empty())
    {
        // The current cell leads.
        const std::size_t lead = m_current.value_or(0);
        changeView(lead, viz::ViewTransform(view(lead)));
    }
    dropPicture();
}

void MapGrid::setCurrentCell(std::size_t cell)
{
    if (cell >= m_contents.cells.size() || m_current == cell)
        return;
    m_current = cell;
    describe();
    update();
    Q_EMIT currentCellChanged();
}

void MapGrid::changeView(std::size_t cell, const viz::ViewTransform& view)
{
    m_card->hide();
    m_views.change(cell, view);
    dropPicture();
    Q_EMIT viewChanged();
}

void MapGrid::dropPicture()
{
    m_picture = QImage();
    update();
}

void MapGrid::dropFrame()
{
    m_frame = QImage();
    update();
}

void MapGrid::paintPicture(const QRect& wanted)
{
    QElapsedTimer clock;
    clock.start();
    const QRect seen = visibleRegion().boundingRect().united(wanted); // a hidden grid may be grabbed
    std::vector<viz::PaintedCell> cells;
    for (std::size_t i = 0; i < m_contents.cells.size(); ++i)
        if (m_layout.plot(i).intersects(QRectF(seen)))
            cells.push_back({m_layout.plot(i), m_points.data(m_contents.cells[i].map), view(i),
                             std::max(1.0, view(i).scale() / fittedView(i).scale())});
    viz::ScatterStyle style;
    style.theme = Theme::instance().vizTheme();
    m_picture = QImage();
    const viz::ScatterCounts counts = m_painter.paint(m_picture, size(), devicePixelRatioF(), cells, style, m_threads);
    m_radiusPx = counts.radiusPx;
    m_pictureArea = seen;
    m_pictureMs = static_cast<double>(clock.nsecsElapsed()) / 1e6;
}

void MapGrid::paintMarks(QPainter& painter)
{
    viz::ScatterStyle style;
    style.theme = Theme::instance().vizTheme();
    for (std::size_t i = 0; i < m_contents.cells.size(); ++i)
    {
        const QRectF plot = m_layout.plot(i);
        viz::ScatterData marks = m_points.data(m_contents.cells[i].map);
        std::vector<std::int64_t> marked;
        if (m_primary)
            if (const auto point = m_points.pointOf(m_contents.cells[i].map, *m_primary))
                marked.push_back(*point);
        if (m_hovered)
            marks.focus = m_points.pointOf(m_contents.cells[i].map, *m_hovered);
        if (marked.empty() && !marks.focus)
            continue;
        marks.marked = marked;
        painter.save();
        painter.setClipRect(plot);
        painter.translate(plot.topLeft());
        viz::paintMarks(painter, marks, style, view(i), m_radiusPx);
        painter.restore();
    }
}

void MapGrid::paintEvent(QPaintEvent* event)
{
    ++m_paints;
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    if (m_contents.cells.empty())
    {
        painter.fillRect(event->rect(), theme.colors().canvas);
        return;
    }
    if (m_picture.isNull() || !m_pictureArea.contains(event->rect()))
        paintPicture(event->rect());
    const QImage& dots = m_picture;
    painter.drawImage(QPointF(0, 0), dots);
    if (m_frame.isNull())
    {
        m_frame = QImage(dots.size(), QImage::Format_ARGB32_Premultiplied);
        m_frame.setDevicePixelRatio(devicePixelRatioF());
        m_frame.fill(Qt::transparent);
        QPainter frame(&m_frame);
        viz::paintGridFrame(frame, m_contents, m_layout, {theme.vizTheme()});
    }
    painter.drawImage(QPointF(0, 0), m_frame);
    if (m_primary || m_hovered)
        paintMarks(painter);
    painter.setBrush(Qt::NoBrush);
    if (m_hoveredCell && m_hoveredCell != m_current)
    {
        painter.setPen(QPen(theme.colors().muted, 1));
        painter.drawRect(m_layout.plot(*m_hoveredCell).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (m_current && hasFocus())
    {
        const double inset = kFocusWidth / 2;
        painter.setPen(QPen(theme.colors().accent, kFocusWidth));
        const double edge = m_contents.cells[*m_current].edge ? viz::kGridEdge : 0; // stays in sight
        painter.drawRect(m_layout.plot(*m_current).adjusted(edge + inset, inset, -inset, -inset));
    }
}

void MapGrid::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_views.stop();
    if (m_room.isEmpty())
        layOut();
    dropFrame();
    dropPicture();
}

} // namespace headscope::ui

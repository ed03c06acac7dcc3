// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas of a map: its parts joined, and painted.
#include "ui/canvas/scatter/scatter_widget.h"

#include "ui/canvas/canvas_summary.h"
#include "ui/canvas/scatter/minimap.h"
#include "ui/canvas/scatter/scatter_text.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kMargin = MapLegend::kMargin;

} // namespace

ScatterWidget::ScatterWidget(QWidget* parent) : QWidget(parent), m_fit(*this, m_points), m_zoom(this), m_layers(m_zoom)
{
    setObjectName(QStringLiteral("scatter"));
    setAccessibleName(tr("Map"));
    setCanvasSummary(this, [this] { return accessibleDescription(); });
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(240, 200);
    m_tools = new ScatterTools(this);
    m_legend = new MapLegend(this, m_colors, m_points);
    m_minimap = new Minimap(this);
    for (QWidget* above : std::initializer_list<QWidget*>{m_tools, m_tools->units(), m_legend, m_minimap})
        above->installEventFilter(this); // what lies under them is not hovered
    m_card = new PointCard(this);
    m_fit.setCards({m_legend, m_tools});
    setMostAtOnce(MapPicture::kMaxAtOnce);
    connectParts();
    connectLegend();
    onThemeChange(this, [this] {
        layOutLegend();
        m_layers.drop();
    });
}

ScatterWidget::~ScatterWidget() = default;

void ScatterWidget::connectParts()
{
    connect(m_tools, &ScatterTools::changed, this, &ScatterWidget::toolChanged);
    connect(m_tools, &ScatterTools::placed, this, [this] { m_names.drop(); });
    connect(m_tools, &ScatterTools::fitRequested, this, &ScatterWidget::fit);
    connect(m_tools, &ScatterTools::backRequested, this, &ScatterWidget::back);
    connect(m_tools, &ScatterTools::forwardRequested, this, &ScatterWidget::forward);
    connect(&m_zoom, &PanZoom::viewChanged, this, &ScatterWidget::takeView);
    connect(&m_zoom, &PanZoom::aboutToMove, m_card, &QWidget::hide);
    connect(&m_zoom, &PanZoom::historyChanged, m_tools,
            [this] { m_tools->setHistory(m_zoom.canGoBack(), m_zoom.canGoForward()); });
    connect(&m_picker, &PointPicker::documentsPicked, this, &ScatterWidget::documentsPicked);
    connect(&m_picker, &PointPicker::pointsPicked, this, [this](const PointSet& points, SetOperation operation) {
        Q_EMIT pointsPicked(points, operation, m_points.headsShown());
    });
    m_layers.setShotSource([this] { return shot(); });
    connect(&m_layers, &PointLayers::changed, this, qOverload<>(&QWidget::update));
    connect(&m_layers, &PointLayers::rested, this, [this] {
        m_minimap->refresh();
        layOutMinimap();
    });
    m_minimap->setSource([this] {
        viz::ScatterData points = scatterData();
        points.marked = {};
        points.focus.reset();
        return points;
    });
    connect(m_minimap, &Minimap::centreRequested, &m_zoom, [this](QPointF place) {
        m_zoom.moveTo(viz::ViewTransform(place, view().scale(), view().viewSize()), PanZoom::Step::Later);
    });
    connect(m_minimap, &Minimap::moved, &m_zoom, &PanZoom::remember);
}

void ScatterWidget::connectLegend()
{
    connect(m_legend, &LegendWidget::sizeChanged, this, &ScatterWidget::layOutLegend);
    connect(&m_colors, &MapColors::rowsMoved, this, &ScatterWidget::layOutLegend);
    connect(&m_colors, &MapColors::orderChanged, this, &ScatterWidget::orderChanged);
    connect(&m_colors, &MapColors::lightAllRequested, this, &ScatterWidget::litCleared);
    connect(&m_colors, &MapColors::headsRequested, this, &ScatterWidget::headsClicked);
    connect(&m_colors, &MapColors::labelsChanged, this, [this] {
        m_points.setColors(m_colors.states());
        takeFilter();
        Q_EMIT labelsChanged();
    });
    connect(&m_colors, &MapColors::changed, this, [this] {
        m_points.setColors(m_colors.states());
        takeFilter();
        layOutLegend();
        describe();
        Q_EMIT colorsChanged();
    });
}

void ScatterWidget::setThreads(int threads)
{
    m_threads = threads;
    m_points.setThreads(threads);
    m_minimap->setThreads(threads);
}

void ScatterWidget::setMostAtOnce(std::int64_t points)
{
    m_colors.setMostAtOnce(points);
    m_picker.setMostAtOnce(points);
    m_layers.picture().setMostAtOnce(points);
    m_minimap->setMostAtOnce(points);
}

void ScatterWidget::setMap(std::shared_ptr<const HeadMap> map)
{
    const bool samePoints = m_map != nullptr && map != nullptr && m_map->points == map->points;
    m_map = std::move(map);
    m_fit.setMap(m_map);
    m_colors.setMap(m_map);
    m_picker.setMap(m_map);
    if (samePoints)
    {
        m_layers.takeFrameOfRun();
        m_minimap->markStale();
        setRegions({}); // they lay where the points were
    }
    else
    {
        takeOtherPoints();
    }
    if (m_zoom.follows())
        m_zoom.follow(m_fit.view());
    if (hoveredPoint() && m_card->isVisible())
        m_card->hide(); // the point has moved from under the pointer
    describe();
    layOutMinimap();
    update();
    Q_EMIT mapChanged(samePoints);
}

void ScatterWidget::takeOtherPoints()
{
    const std::shared_ptr<const PointIds> points = m_map == nullptr ? nullptr : m_map->points;
    m_drag.end();
    m_names.set({});
    m_byKeys = false;
    m_card->hide();
    m_zoom.restart();
    m_layers.setPoints(points);
    m_bounds.reset();
    m_points.setPoints(points);
    takeFilter();
    layOutLegend();
}

void ScatterWidget::setShownHeads(const std::vector<std::int64_t>& heads)
{
    m_points.setShownHeads(heads, m_colors.states());
    takeFilter();
    fitAgain();
}

void ScatterWidget::setShownOnly(const std::vector<std::int64_t>& documents)
{
    if (!m_points.setShownDocuments(documents, m_colors.states()))
        return;
    takeFilter();
    fitAgain();
}

void ScatterWidget::setChosen(const std::vector<std::int64_t>& documents, std::shared_ptr<const PointSet> points)
{
    m_points.setChosen(documents, std::move(points));
    takeChoice();
}

void ScatterWidget::setLitHeads(const std::vector<std::int64_t>& heads)
{
    if (m_points.setLitHeads(heads))
        takeFilter();
}

void ScatterWidget::setPrimary(std::optional<DocumentIndex> document, std::optional<HeadIndex> head)
{
    if (m_points.setPrimary(document, head))
        update();
}

void ScatterWidget::setHovered(std::optional<DocumentIndex> document)
{
    if (m_points.setHoveredDocument(document))
        update();
}

void ScatterWidget::takeFilter()
{
    takeChoice();
    m_legend->refreshFaded();
}

void ScatterWidget::takeChoice()
{
    m_layers.dropPoints();
    m_minimap->dropPicture();
    describe();
    Q_EMIT shownChanged();
}

void ScatterWidget::takeView()
{
    m_names.drop();
    m_layers.startMoving();
    layOutMinimap();
    m_layers.drop();
    Q_EMIT viewChanged();
}

void ScatterWidget::setMode(viz::ScatterMode mode)
{
    if (std::exchange(m_mode, mode) == mode)
        return;
    m_layers.forgetFrames();
    layOutLegend();
}

void ScatterWidget::setRegions(std::vector<viz::Region> regions)
{
    m_names.set(std::move(regions));
    if (m_names.shown())
        update();
}

void ScatterWidget::setRegionsShown(bool shown)
{
    if (m_names.setShown(shown))
        update();
}

const std::vector<viz::RegionLabel>& ScatterWidget::regionLabels()
{
    return m_names.labels(view(), [this] {
        std::vector<QRectF> avoid;
        for (const QWidget* widget :
             std::initializer_list<const QWidget*>{m_legend, m_minimap, m_tools, m_tools->units()})
            if (!widget->isHidden())
                avoid.emplace_back(widget->geometry());
        return avoid;
    });
}

void ScatterWidget::setJoined(bool joined)
{
    if (std::exchange(m_joined, joined) != joined)
        update();
}

void ScatterWidget::setLegendShown(bool shown)
{
    m_legend->setWanted(shown);
    layOutLegend();
}

void ScatterWidget::setMinimapShown(bool shown)
{
    m_minimapShown = shown;
    layOutMinimap();
}

void ScatterWidget::layOutLegend()
{
    const QRectF before = legendRect();
    m_legend->layOut(m_mode);
    m_names.drop();
    if (legendRect() != before)
    {
        if (m_map != nullptr && m_zoom.follows() && !m_zoom.isGliding())
            m_zoom.follow(m_fit.view());
        Q_EMIT cardsChanged();
    }
    update();
}

void ScatterWidget::layOutMinimap()
{
    if (!moving() || m_map == nullptr)
        m_bounds = m_fit.shownBounds();
    m_minimap->setBounds(m_bounds);
    m_minimap->setView(view());
    // In a small canvas it would hide what it explains.
    const bool room = width() >= 4 * Minimap::kSize.width() && height() >= 3 * Minimap::kSize.height();
    // A view that follows the map leaves none of it out, whatever was measured of a run before.
    const bool wanted = m_minimapShown && room && m_map != nullptr && m_points.shownCount() > 0 && !m_zoom.follows() &&
                        m_minimap->isNeeded();
    m_minimap->move(kMargin, height() - kMargin - m_minimap->height());
    if (wanted == !m_minimap->isHidden())
        return;
    m_minimap->setVisible(wanted);
    m_names.drop();
    update();
}

void ScatterWidget::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_zoom.stop();
    layOutLegend(); // before the map, which stands beside it
    if (m_map != nullptr && m_zoom.follows())
        m_zoom.follow(m_fit.view());
    else
        m_zoom.resize(QSizeF(size()));
    layOutMinimap();
    m_layers.drop();
}

void ScatterWidget::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event)
    ++m_paints;
    QPainter painter(this);
    if (m_map == nullptr)
        return painter.fillRect(rect(), Theme::instance().colors().canvas);
    const viz::ScatterStyle style = styleNow();
    const viz::ScatterData points = scatterData();
    m_layers.paint(painter, {points, style, size(), devicePixelRatioF(), m_threads});
    viz::paintRegionLabels(painter, regionLabels(), style.theme);
    if (m_joined)
        paintJoined(painter, points, style.theme, view());
    viz::paintMarks(painter, points, style, view(), picture().counts().radiusPx);
    if (const QString badge = badgeText(); !badge.isEmpty())
        paintBadge(painter, size(), badge);
    paintDrag(painter, m_drag, gesture(), tool() == Tool::Brush && underMouse());
}

viz::ScatterStyle ScatterWidget::styleNow() const
{
    viz::ScatterStyle style;
    style.theme = Theme::instance().vizTheme();
    style.mode = m_mode;
    if (m_bounds && !view().viewSize().isEmpty())
        style.scaleGain = std::max(1.0, view().scale() / viz::ViewTransform::fit(*m_bounds, view().viewSize()).scale());
    return style;
}

viz::ScatterData ScatterWidget::scatterData() const
{
    if (m_map == nullptr)
        return {};
    return scatterDataOf(m_map->xy, coloring(), m_points.states(), m_points.marked(), m_points.focus());
}

MapSnapshot ScatterWidget::shot() const
{
    MapSnapshot shot;
    shot.map = m_map;
    shot.coloring = m_colors.sharedColoring();
    shot.states = m_points.stateBlock();
    shot.marked = m_points.marked();
    shot.focus = m_points.focus();
    shot.joined = m_joined;
    shot.rings = m_layers.rings();
    shot.style = styleNow();
    shot.view = view();
    shot.legend = m_legend->isWanted() && !m_legend->isFolded();
    shot.faded = m_colors.faded(m_points);
    shot.legendPlace = legendRect().topLeft();
    shot.legendHeight = m_legend->maximumLegendHeight();
    shot.threads = m_threads;
    if (m_names.shown())
        shot.regions = m_names.placed();
    return shot;
}

QRectF ScatterWidget::dataInView() const
{
    return m_zoom.follows() ? m_fit.dataBeside(view()) : view().visibleData();
}

void ScatterWidget::fitAgain()
{
    if (m_zoom.follows() && m_map != nullptr)
        m_zoom.glideTo(m_fit.view());
}

void ScatterWidget::fitChosen()
{
    if (m_points.chosenCount() == 0)
        return fit();
    if (const auto bounds = m_fit.brightBounds())
        m_zoom.goTo(m_fit.viewOf(*bounds));
}

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map.h"
#include "model/data/maps/point_set.h"
#include "model/data/selection.h"
#include "ui/canvas/hover_card.h"
#include "ui/canvas/scatter/point_extent.h"
#include "ui/canvas/scatter/scatter_overlays.h"
#include "ui/canvas/scatter/set_rings.h"
#include "ui/canvas/selection_gesture.h"
#include "ui/jobs/job_runner.h"
#include "ui/views/map/map_picture.h"
#include "viz/axis/legend_painter.h"
#include "viz/geometry/spatial_grid.h"
#include "viz/geometry/view_transform.h"
#include "viz/geometry/zoom_stack.h"
#include "viz/scatter/point_coloring.h"
#include "viz/scatter/region_labels.h"
#include "viz/scatter/scatter_painter.h"

#include <QTimer>
#include <QVariantAnimation>
#include <QWidget>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

class QFrame;
class QToolButton;

namespace headscope::ui
{

class LegendWidget;
class Minimap;

/// The map: input events to view state; viz paints.
///
/// Wheel and pinch zoom at the pointer, drag pans (middle button always), box zoom with its tool or
/// Shift, double click fits, Alt+Left and Alt+Right go through the zoom history. The view follows a
/// map that grows until the user moves it. With rectangle, lasso and brush a drag picks documents, or the
/// points inside alone; Shift adds them, Ctrl takes them away, Alt keeps what both have. Arrow keys step from
/// point to point, with Shift they move the view; Return is a click, Space chooses. While the view moves, a map whose
/// frames take longer than MapPicture::kFrameBudgetMs shows a part of its points and says so; at rest
/// it always shows all of them. Nothing is painted while nothing changes.
class ScatterWidget : public QWidget
{
    Q_OBJECT

public:
    enum class Tool
    {
        Pan,
        BoxZoom,
        Rectangle,
        Lasso,
        Brush,
    };
    /// What rectangle, lasso and brush choose.
    enum class Picks
    {
        Documents, ///< each that has a dot inside, with all its dots
        Points,    ///< the dots inside
    };

    explicit ScatterWidget(QWidget* parent = nullptr);
    ~ScatterWidget() override;

    /// Shows a map; null empties the canvas. A map of the same points as the one before (a run going
    /// on) keeps colours and states.
    void setMap(std::shared_ptr<const HeadMap> map);
    void setColoring(viz::PointColoring coloring);
    /// Colours the points of a map; holds all it needs and may run on any thread, once or more.
    using ColoringTask = std::function<viz::PointColoring()>;
    /// Who colours the points, for the screen and for paper, with the order of labels that the user has
    /// put them in (orderOf). recolor() asks it again; of a map of more than mostAtOnce() points a
    /// worker gets the task, and the newest wins.
    using ColoringSource = std::function<ColoringTask(const std::shared_ptr<const HeadMap>& map, viz::Theme theme)>;
    void setColoringSource(ColoringSource source) { m_coloringSource = std::move(source); }
    void recolor();
    /// Gives the colours of the map as it is shown, for another theme; never empty.
    [[nodiscard]] ColoringTask coloringFor(viz::Theme theme) const;
    /// What takes longer than the window may be silent (colours, the order of places, what a lasso
    /// holds, the whole picture at rest) is left to workers for maps of more points than this.
    [[nodiscard]] std::int64_t mostAtOnce() const { return m_picture.mostAtOnce(); }
    /// For tests.
    void setMostAtOnce(std::int64_t points);
    /// Whether a worker still finds something out about what is shown.
    [[nodiscard]] bool catchingUp() const;
    void forgetOrders() { m_orders.clear(); }
    /// Codes of the labels, or KV groups, that come first in the legend of this title; empty: labels by
    /// frequency, groups by number.
    [[nodiscard]] std::vector<std::int32_t> orderOf(const QString& title) const;
    /// Points of other heads are hidden.
    void setShownHeads(const std::vector<std::int64_t>& heads);
    /// Points of other documents are hidden. Ascending; empty: none is.
    void setShownOnly(const std::vector<std::int64_t>& documents);
    void setThreads(int threads);
    /// What the card beside a point says; called on hover.
    void setCardSource(std::function<HoverContent(std::int64_t point)> source) { m_cardSource = std::move(source); }
    /// What a point's colour stands for, at the right of its card; may be empty.
    void setValueSource(std::function<QString(std::int64_t point)> source) { m_valueSource = std::move(source); }

    /// The document whose points are ringed, and the head among them that stands out.
    void setPrimary(std::optional<std::int64_t> document, std::optional<std::int64_t> head);
    /// The document under the pointer of another view.
    void setHovered(std::optional<std::int64_t> document);
    /// The chosen documents, ascending, or of them some points: all others turn pale. Empty: none is pale.
    void setChosen(const std::vector<std::int64_t>& documents, std::shared_ptr<const PointSet> points = nullptr);

    /// Rings around the dots of documents, whatever else colours them.
    void setRings(std::vector<DocumentRing> rings);

    /// Heads that stand out while all others are pale; empty: none is.
    void setLitHeads(const std::vector<std::int64_t>& heads);
    /// Names of places on the map, for setRegionsShown().
    void setRegions(std::vector<viz::Region> regions);
    void setRegionsShown(bool shown);
    [[nodiscard]] bool regionsShown() const { return m_regionsShown; }
    /// Whether lines join the dots of the primary document, and of the one under the pointer.
    void setJoined(bool joined);
    [[nodiscard]] bool joined() const { return m_joined; }

    /// Dots, or one of the pictures of density.
    void setMode(viz::ScatterMode mode);
    [[nodiscard]] viz::ScatterMode mode() const { return m_mode; }

    void setTool(Tool tool);
    [[nodiscard]] Tool tool() const { return m_tool; }
    void setPicks(Picks picks);
    [[nodiscard]] Picks picks() const { return m_picks; }
    /// Whether points can be chosen by themselves: not where a document has but one.
    void setPointsOffered(bool offered);
    /// The heads of the map whose points are shown.
    [[nodiscard]] std::vector<std::int64_t> headsShown() const;
    /// Whether setShownHeads() has left none.
    [[nodiscard]] bool noHeadShown() const { return !m_allHeads && m_shownHeads.empty(); }
    void setLegendShown(bool shown);
    void setToolsShown(bool shown);
    /// Whether an overview of the whole map comes up where the view leaves out a part of it.
    void setMinimapShown(bool shown);

    /// All shown points in view and beside the legend and the tools, again following a map that grows.
    void fit();
    /// How this part of the data would be fitted.
    [[nodiscard]] viz::ViewTransform viewOf(const QRectF& bounds) const;
    /// Another canvas of this size that shows the same part: what floats over it counts for both.
    void setFitPartner(const ScatterWidget* partner) { m_fitPartner = partner; }
    /// A part of the data that fit() shows too: where the points go, or come from.
    void setAlsoFitted(std::optional<QRectF> bounds) { m_alsoFitted = bounds; }
    /// The data in view; after fit() without the strips that lie under legend and tools.
    [[nodiscard]] QRectF dataInView() const;
    /// The chosen documents' shown points in view; without any, as fit().
    void fitChosen();
    void back();
    void forward();
    [[nodiscard]] bool canGoBack() const { return m_history.canGoBack(); }
    [[nodiscard]] bool canGoForward() const { return m_history.canGoForward(); }
    /// Without animation, as part of the history.
    void setView(const viz::ViewTransform& view);

    /// The canvas as it is now, to be painted at any scale and on any thread.
    [[nodiscard]] MapShot shot() const;
    /// The same at once: `scale` pixels for each of the screen's.
    [[nodiscard]] QImage renderAt(double scale) const { return shot().render(scale); }

    [[nodiscard]] const viz::ViewTransform& view() const { return m_view; }
    [[nodiscard]] std::shared_ptr<const HeadMap> map() const { return m_map; }
    [[nodiscard]] std::span<const viz::PointState> states() const { return m_states; }
    [[nodiscard]] const viz::PointColoring& coloring() const { return m_coloring; }
    [[nodiscard]] std::int64_t pointCount() const;
    [[nodiscard]] std::int64_t shownCount() const { return m_shown; }
    /// How many of the shown points are chosen.
    [[nodiscard]] std::int64_t chosenCount() const { return m_chosenShown; }
    [[nodiscard]] std::int64_t chosenDocuments() const;
    /// Points that are chosen by themselves; null while documents are.
    [[nodiscard]] const std::shared_ptr<const PointSet>& chosenPoints() const { return m_chosenPoints; }
    /// The point that keys have stepped on, in words; empty while there is none.
    [[nodiscard]] QString pointText() const;
    /// How many points have no place, because a coordinate is not finite.
    [[nodiscard]] std::int64_t notFiniteCount() const { return m_extent.notFinite; }
    /// Whether the view moves, or has only just come to rest.
    [[nodiscard]] bool moving() const { return m_still.isActive(); }
    /// "only head 2 is lit" while heads that are shown stand out from others; else empty.
    [[nodiscard]] QString litText() const;
    /// What the badge says now; empty while all points are shown and lit.
    [[nodiscard]] QString badgeText() const;
    [[nodiscard]] MapPicture& picture() { return m_picture; }
    [[nodiscard]] LegendWidget* legend() const { return m_legend; }
    [[nodiscard]] Minimap* minimap() const { return m_minimap; }
    /// Names of regions as they stand on the canvas.
    [[nodiscard]] const std::vector<viz::RegionLabel>& regionLabels();
    [[nodiscard]] const SelectionGesture& gesture() const { return m_gesture; }
    [[nodiscard]] std::optional<std::int64_t> hoveredPoint() const { return m_hoveredPoint; }
    [[nodiscard]] const std::vector<std::int64_t>& markedPoints() const { return m_marked; }
    [[nodiscard]] HoverCard* hoverCard() const { return m_card; }
    [[nodiscard]] QRectF legendRect() const;
    /// How often the canvas was painted: stands still while nothing changes.
    [[nodiscard]] std::int64_t paintCount() const { return m_paints; }

Q_SIGNALS:
    void documentClicked(std::int64_t document, std::int64_t head);
    void backgroundClicked();
    /// A gesture ended around these documents (ascending; perhaps none).
    void documentsPicked(const std::vector<std::int64_t>& documents, headscope::SetOperation operation);
    /// The same while points are picked by themselves; `heads` are those of the points shown.
    void pointsPicked(const headscope::PointSet& points, headscope::SetOperation operation,
                      const std::vector<std::int64_t>& heads);
    /// The heads that stand out are to do so no more.
    void litCleared();
    /// Escape: nothing chosen any more.
    void choiceCleared();
    void documentHovered(std::optional<std::int64_t> document);
    /// A head or group in the legend was clicked: these alone.
    void headsClicked(const std::vector<std::int64_t>& heads);
    void viewChanged();
    void shownChanged();
    void toolChanged();
    /// The legend has another size: what is fitted stands elsewhere.
    void cardsChanged();
    /// Another map: other points, or the same ones at other places.
    void mapChanged(bool samePoints);
    /// Labels were put in another order, which the colouring source has been asked for.
    void orderChanged(const QString& title);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildTools();
    void refreshTools();
    void refreshToolIcons();
    void buildLegend();
    void buildMinimap();
    void forgetMap();
    void describe();
    void leavePoint();
    void leaveKeys();
    void layOutLegend();
    void layOutMinimap();
    [[nodiscard]] viz::ScatterData scatterData() const;
    [[nodiscard]] viz::ScatterStyle styleNow() const;
    [[nodiscard]] std::optional<std::int64_t> pointAt(QPointF place);
    [[nodiscard]] std::optional<QRectF> shownBounds() const;
    [[nodiscard]] PointExtent extentOf(PointExtent::Which which) const;
    void paintWhole();
    void dropWhole();
    [[nodiscard]] bool paintsElsewhere() const;
    [[nodiscard]] viz::ViewTransform fittedView() const;
    [[nodiscard]] std::vector<QRectF> cards() const;
    [[nodiscard]] std::optional<QRectF> fittedBounds() const;
    void followAgain();
    void refreshStates();
    void refreshMarks();
    void refreshRings();
    void paintRings(QPainter& painter);
    void dropPicture();
    void dropPoints();
    void startMoving();
    void comeToRest();
    void applyView(const viz::ViewTransform& view);
    void animateTo(const viz::ViewTransform& view);
    void userMovedView();
    void rememberView();
    void hoverAt(QPointF place);
    [[nodiscard]] HoverContent cardOf(std::int64_t point) const;
    void clickAt(QPointF place);
    void clickPoint(std::int64_t point);
    void standOn(std::optional<std::int64_t> point);
    [[nodiscard]] std::optional<std::int64_t> pointToward(std::optional<std::int64_t> from, QPointF direction);
    void step(QPointF direction);
    [[nodiscard]] bool viewKey(int key, Qt::KeyboardModifiers keys);
    void escape();
    void isolate(const viz::LegendHit& hit);
    void toggleShown(const viz::LegendHit& hit);
    void showAllOfLegend();
    void moveInLegend(std::int64_t code, int place);
    void resetLegendOrder();
    void takeLegendOrder();
    void sortLegend(viz::Legend& legend) const;
    [[nodiscard]] std::vector<std::int64_t> headsOf(const viz::LegendHit& hit) const;
    [[nodiscard]] std::vector<std::int64_t> legendHeads() const;
    [[nodiscard]] std::vector<viz::LegendHit> fadedHits() const;
    [[nodiscard]] std::vector<viz::PointState> statesByColor() const;
    void refreshCursor();
    [[nodiscard]] bool gridReady();
    void buildGrid();
    void beginGesture();
    void endGesture(Qt::KeyboardModifiers keys);
    void pickPoint(std::int64_t point);
    void buildUnits();
    void placeUnits();
    [[nodiscard]] bool isLarge() const { return pointCount() > mostAtOnce(); }
    void refreshChoice();
    void refreshLit();
    [[nodiscard]] bool isLit(std::int64_t head) const;
    /// What a gesture may pick: shown by head picker and legend, and lit. [P]
    [[nodiscard]] std::vector<viz::PointState> pickable() const;
    [[nodiscard]] bool picksPoints() const { return m_tool != Tool::Pan && m_tool != Tool::BoxZoom; }

    std::shared_ptr<const HeadMap> m_map;
    viz::PointColoring m_coloring;
    ColoringSource m_coloringSource;
    std::vector<viz::PointState> m_filtered; ///< by the head picker and the legend alone
    std::vector<viz::PointState> m_states;   ///< and by the choice of documents
    std::set<std::int64_t> m_shownHeads;
    bool m_allHeads = true;
    std::vector<char> m_shownDocuments;                    ///< by document; empty = all are shown
    std::optional<std::int64_t> m_isolated;                ///< category code of the legend
    std::set<std::int64_t> m_hiddenCodes;                  ///< category codes of the legend
    std::map<QString, std::vector<std::int32_t>> m_orders; ///< by title of the legend
    std::vector<char> m_litHeads;                          ///< by head, as asked for; empty = none is lit
    std::vector<char> m_litShown; ///< by head: those that stand out from other shown ones; empty = none is pale
    std::vector<char> m_chosen;   ///< by document; empty = none is chosen
    std::shared_ptr<const PointSet> m_chosenPoints; ///< null: all points of chosen documents
    PointExtent m_extent;                           ///< of all points
    std::int32_t m_lastHead = -1;
    std::optional<QRectF> m_bounds; ///< of the shown points, as they lay when the view last rested
    std::int64_t m_shown = 0;
    std::int64_t m_chosenShown = 0;

    MapPicture m_picture; ///< of the points, without marks
    viz::ScatterMode m_mode = viz::ScatterMode::Dots;
    int m_threads = 1;
    bool m_live = false;                ///< a run moves the points
    std::uint64_t m_pictureVersion = 0; ///< of what the picture shows
    QTimer m_still;                     ///< runs while the view moves and a moment longer
    std::vector<viz::Region> m_regions;
    std::vector<viz::RegionLabel> m_regionLabels;
    bool m_regionLabelsStale = true;
    bool m_regionsShown = false;
    bool m_joined = false;
    std::vector<DocumentRing> m_ringsOf;
    SetRings m_rings;
    SetRings::Counts m_ringCounts;
    QImage m_ringLayer; ///< null: to be painted

    viz::ViewTransform m_view;
    viz::ZoomStack m_history;
    bool m_follow = true; ///< fit the view to the map as it grows
    QVariantAnimation m_animation;
    viz::ViewTransform m_animationStart;
    viz::ViewTransform m_animationEnd;
    QTimer m_settle; ///< a burst of wheel steps is one step of the history

    std::shared_ptr<const viz::SpatialGrid> m_grid;
    std::shared_ptr<const HeadMap> m_gridWanted; ///< the map a worker builds a grid for
    std::shared_ptr<const HeadMap> m_gridMap;    ///< the map m_grid was built for; it must outlive the grid

    Tool m_tool = Tool::Pan;
    Picks m_picks = Picks::Documents;
    bool m_pointsOffered = true;
    QPointF m_press;
    QPointF m_last;
    enum class Drag
    {
        None,
        Pressed,
        Pan,
        Box,
        Pick,
    } m_drag = Drag::None;
    SelectionGesture m_gesture;

    LegendWidget* m_legend = nullptr;
    Minimap* m_minimap = nullptr;
    bool m_legendShown = true;
    bool m_minimapShown = true;
    bool m_toolsShown = true;
    QFrame* m_tools = nullptr;
    QToolButton* m_panButton = nullptr;
    QToolButton* m_boxButton = nullptr;
    QToolButton* m_rectangleButton = nullptr;
    QToolButton* m_lassoButton = nullptr;
    QToolButton* m_brushButton = nullptr;
    QFrame* m_units = nullptr; ///< beside them: what they choose
    QToolButton* m_documentsButton = nullptr;
    QToolButton* m_pointsButton = nullptr;
    QToolButton* m_fitButton = nullptr;
    QToolButton* m_backButton = nullptr;
    QToolButton* m_forwardButton = nullptr;
    HoverCard* m_card = nullptr;

    std::function<HoverContent(std::int64_t)> m_cardSource;
    std::function<QString(std::int64_t)> m_valueSource;
    std::optional<std::int64_t> m_hoveredPoint;
    bool m_byKeys = false; ///< keys have stepped on it
    std::optional<std::int64_t> m_hoveredDocument;
    std::optional<std::int64_t> m_primary;
    std::optional<std::int64_t> m_primaryHead;
    std::vector<std::int64_t> m_marked;
    bool m_byDocument = false; ///< points come in the order of their documents: found without a search
    std::optional<std::int64_t> m_focusPoint;
    std::int64_t m_paints = 0;
    const ScatterWidget* m_fitPartner = nullptr;
    std::optional<QRectF> m_alsoFitted;
    // Last: their destructors wait for the workers.
    JobRunner m_gridRunner;
    JobRunner m_colorRunner;
    JobRunner m_pickRunner;
    JobRunner m_paintRunner;
};

} // namespace headscope::ui

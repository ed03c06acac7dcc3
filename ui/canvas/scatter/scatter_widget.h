// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map.h"
#include "model/data/maps/point_set.h"
#include "model/data/selection.h"
#include "ui/canvas/pan_zoom.h"
#include "ui/canvas/scatter/map_colors.h"
#include "ui/canvas/scatter/map_fit.h"
#include "ui/canvas/scatter/map_legend.h"
#include "ui/canvas/scatter/point_card.h"
#include "ui/canvas/scatter/point_layers.h"
#include "ui/canvas/scatter/point_picker.h"
#include "ui/canvas/scatter/scatter_tools.h"
#include "ui/view/head_source.h"
#include "viz/scatter/point_states.h"
#include "viz/scatter/region_names.h"

#include <QWidget>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui
{

class Minimap;

/// The canvas of a map: takes events and paints.
///
/// The rest is delegated: viz::PointStates knows which points are shown, chosen and marked, MapColors their colours
/// and what the user made of the legend, PanZoom the view, PointPicker what a place or a gesture holds, ScatterTools
/// the tool.
///
/// Wheel and pinch zoom at the pointer, drag pans (middle button always), box zoom with its tool or
/// Shift, double click fits, Alt+Left and Alt+Right go through the zoom history. The view follows a
/// map that grows until the user moves it. With rectangle, lasso and brush a drag picks documents, or the
/// points inside alone; Shift adds them, Ctrl takes them away, Alt keeps what both have. Arrow keys step from
/// point to point, with Shift they move the view; Return is a click, Space chooses. While the view moves, a map whose
/// frames take longer than MapPicture::kFrameBudgetMs shows a part of its points and says so; at rest
/// it always shows all of them. Nothing is painted while nothing changes.
class ScatterWidget : public QWidget, public HeadSource
{
    Q_OBJECT

public:
    using Tool = ScatterTool;
    using Picks = ScatterPicks;
    using ColoringTask = MapColors::Task;

    explicit ScatterWidget(QWidget* parent = nullptr);
    ~ScatterWidget() override;

    /// Shows a map; null empties the canvas. A map of the same points as the one before (a run going
    /// on) keeps colours and states.
    void setMap(std::shared_ptr<const HeadMap> map);
    [[nodiscard]] std::shared_ptr<const HeadMap> map() const { return m_map; }
    void setThreads(int threads);
    /// For maps of more points, what would block the window (colours, sorting by place, evaluating a lasso, the whole
    /// picture at rest) is left to workers.
    void setMostAtOnce(std::int64_t points);
    /// Whether a worker still computes something for what is shown, or the overview of a large map is to be painted.
    [[nodiscard]] bool catchingUp() const;

    void setColoring(viz::PointColoring coloring) { m_colors.setColoring(std::move(coloring)); }
    [[nodiscard]] const viz::PointColoring& coloring() const { return m_colors.coloring(); }
    void setColoringSource(MapColors::Source source) { m_colors.setSource(std::move(source)); }
    void recolor() { m_colors.recolor(); }
    [[nodiscard]] ColoringTask coloringFor(viz::InkTheme theme) const { return m_colors.taskFor(theme); }
    [[nodiscard]] std::vector<std::int32_t> orderOf(const QString& title) const { return m_colors.orderOf(title); }
    void forgetOrders() { m_colors.forgetOrders(); }
    /// Which labels the legend shows, as the user chose.
    [[nodiscard]] LabelsShown labelsShown() const { return m_colors.labelsShown(); }
    void setLabelsShown(const LabelsShown& labels) { m_colors.setLabelsShown(labels); }
    void setLegendShown(bool shown);
    [[nodiscard]] LegendWidget* legend() const { return m_legend; }
    [[nodiscard]] QRectF legendRect() const { return m_legend->place(); }

    /// Which are shown, chosen and marked.
    [[nodiscard]] const viz::PointStates& points() const { return m_points; }
    [[nodiscard]] std::int64_t pointCount() const { return m_points.count(); }
    [[nodiscard]] std::optional<std::int64_t> hoveredPoint() const { return m_points.hoveredPoint(); }
    /// Of the point under the pointer or the keys; points of segments and of whole vectors are of no head.
    [[nodiscard]] std::optional<viz::ItemHead> headMeant() const override;
    void setShownHeads(const std::vector<std::int64_t>& heads);
    void setShownOnly(const std::vector<std::int64_t>& documents);
    void setChosen(const std::vector<std::int64_t>& documents, std::shared_ptr<const PointSet> points = nullptr);
    void setLitHeads(const std::vector<std::int64_t>& heads);
    void setPrimary(std::optional<DocumentIndex> document, std::optional<HeadIndex> head);
    /// The document under the pointer of another view.
    void setHovered(std::optional<DocumentIndex> document);
    /// How many points have no place, because a coordinate is not finite.
    [[nodiscard]] std::int64_t notFiniteCount() const { return m_fit.extent().notFinite; }

    /// Dots, or one of the pictures of density.
    void setMode(viz::ScatterMode mode);
    /// Rings around the dots of documents, whatever else colours them.
    void setRings(std::vector<DocumentRing> rings) { m_layers.setRings(std::move(rings)); }
    /// Names of places on the map, for setRegionsShown().
    void setRegions(std::vector<viz::Region> regions);
    void setRegionsShown(bool shown);
    [[nodiscard]] bool regionsShown() const { return m_names.shown(); }
    /// Names of regions as they are on the canvas.
    [[nodiscard]] const std::vector<viz::RegionLabel>& regionLabels();
    /// Whether lines join the dots of the primary document, and of the one under the pointer.
    void setJoined(bool joined);
    [[nodiscard]] bool joined() const { return m_joined; }
    /// Whether an overview of the whole map is shown where the view leaves out a part of it.
    void setMinimapShown(bool shown);
    [[nodiscard]] Minimap* minimap() const { return m_minimap; }
    [[nodiscard]] MapPicture& picture() { return m_layers.picture(); }
    /// The canvas as it is now, to be painted at any scale and on any thread.
    [[nodiscard]] MapSnapshot shot() const;
    /// How often it was painted: does not change while nothing changes.
    [[nodiscard]] std::int64_t paintCount() const { return m_paints; }

    [[nodiscard]] ScatterTools* tools() const { return m_tools; }
    void setToolsShown(bool shown) { m_tools->setShown(shown); }
    void setTool(Tool tool) { m_tools->setTool(tool); }
    [[nodiscard]] Tool tool() const { return m_tools->tool(); }
    [[nodiscard]] const SelectionGesture& gesture() const { return m_picker.gesture(); }

    [[nodiscard]] const viz::ViewTransform& view() const { return m_zoom.view(); }
    /// Whether the view still follows what is shown: the user has not moved it, or has fitted it since.
    [[nodiscard]] bool follows() const { return m_zoom.follows(); }
    /// Whether the view moves, or has only just come to rest.
    [[nodiscard]] bool moving() const { return m_layers.isMoving(); }
    /// Without animation, as part of the history.
    void setView(const viz::ViewTransform& view) { m_zoom.moveTo(view, PanZoom::Step::Now); }
    /// All shown points in view and next to the legend and the tools, again following a map that grows.
    void fit() { m_zoom.fit(m_fit.view()); }
    /// The chosen documents' shown points in view; without any, as fit().
    void fitChosen();
    void back() { m_zoom.back(); }
    void forward() { m_zoom.forward(); }
    [[nodiscard]] bool canGoBack() const { return m_zoom.canGoBack(); }
    [[nodiscard]] bool canGoForward() const { return m_zoom.canGoForward(); }
    /// How this part of the data would be fitted.
    [[nodiscard]] viz::ViewTransform viewOf(const QRectF& bounds) const { return m_fit.viewOf(bounds); }
    /// Another canvas of the same size that shows the same part: cards over either are avoided by both.
    void setFitPartner(const ScatterWidget* partner) { m_fit.setPartner(&partner->m_fit); }
    /// A further part of the data that fit() shows: where the points move to, or come from.
    void setAlsoFitted(std::optional<QRectF> bounds) { m_fit.setAlso(bounds); }
    /// The data in view; after fit() without the strips that lie under legend and tools.
    [[nodiscard]] QRectF dataInView() const;

    /// What the card next to a point says; called on hover.
    void setCardSource(std::function<HoverContent(std::int64_t point)> source) { m_card->setSource(std::move(source)); }
    /// What a point's colour stands for, on the right of its card; may be empty.
    void setValueSource(std::function<QString(std::int64_t point)> source)
    {
        m_card->setValueSource(std::move(source));
    }
    [[nodiscard]] HoverCard* hoverCard() const { return m_card; }
    /// The point that keys have stepped on, in words; empty while there is none.
    [[nodiscard]] QString pointText() const;
    /// "only head 2 is lit" while heads that are shown stand out from others; else empty.
    [[nodiscard]] QString litText() const;
    /// What the badge says now; empty while all points are shown and lit.
    [[nodiscard]] QString badgeText() const;

Q_SIGNALS:
    void documentClicked(headscope::DocumentIndex document, headscope::HeadIndex head);
    void backgroundClicked();
    /// A gesture ended around these documents (ascending; perhaps none).
    void documentsPicked(const std::vector<std::int64_t>& documents, headscope::SetOperation operation);
    /// The same while points are picked individually; `heads` are those of the points shown.
    void pointsPicked(const headscope::PointSet& points, headscope::SetOperation operation,
                      const std::vector<std::int64_t>& heads);
    /// The marked heads are to be unmarked.
    void litCleared();
    /// Escape: nothing chosen any more.
    void choiceCleared();
    void documentHovered(std::optional<headscope::DocumentIndex> document);
    /// A head or group in the legend was clicked: these alone.
    void headsClicked(const std::vector<std::int64_t>& heads);
    /// Other labels of the legend are hidden or alone, by a hand or setLabelsShown().
    void labelsChanged();
    /// Other colours, with the legend that belongs to them.
    void colorsChanged();
    void viewChanged();
    void shownChanged();
    void toolChanged();
    /// The legend has another size, so that fit() gives another view.
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
    void connectParts();
    void connectLegend();
    void takeOtherPoints();
    void takeView();
    void takeFilter();
    void takeChoice();
    void describe();
    void layOutLegend();
    void layOutMinimap();
    [[nodiscard]] viz::ScatterData scatterData() const;
    [[nodiscard]] viz::ScatterStyle styleNow() const;
    void fitAgain();

    void hoverAt(QPointF place);
    void standOn(std::optional<std::int64_t> point);
    void leavePoint();
    void leaveKeys();
    void clickPoint(std::int64_t point);
    void startDrag(Qt::KeyboardModifiers keys);
    void step(QPointF direction);
    void arrowKey(int key, QPointF direction, Qt::KeyboardModifiers keys);
    void escape();

    std::shared_ptr<const HeadMap> m_map;
    viz::PointStates m_points;
    MapColors m_colors;
    MapFit m_fit;                   ///< after m_points
    std::optional<QRectF> m_bounds; ///< of the shown points, as they lay when the view last rested
    viz::RegionNames m_names;
    viz::ScatterMode m_mode = viz::ScatterMode::Dots;
    bool m_joined = false;
    int m_threads = 1;

    ScatterTools* m_tools = nullptr;
    MapLegend* m_legend = nullptr;
    Minimap* m_minimap = nullptr;
    bool m_minimapShown = true;
    PointCard* m_card = nullptr;

    PointerDrag m_drag;
    bool m_byKeys = false; ///< keys have stepped on the hovered point
    std::int64_t m_paints = 0;

    PanZoom m_zoom;
    PointPicker m_picker;
    PointLayers m_layers; ///< after m_zoom, whose view it paints
};

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/head_map.h"
#include "model/data/selection.h"
#include "ui/plots/hover_card.h"
#include "ui/plots/selection_gesture.h"
#include "viz/axis/legend_painter.h"
#include "viz/geometry/spatial_grid.h"
#include "viz/geometry/view_transform.h"
#include "viz/geometry/zoom_stack.h"
#include "viz/scatter/point_coloring.h"
#include "viz/scatter/scatter_painter.h"

#include <QImage>
#include <QTimer>
#include <QVariantAnimation>
#include <QWidget>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

class QFrame;
class QRubberBand;
class QToolButton;

namespace headscope::ui
{

/// The map: input events to view state; viz paints.
///
/// Wheel and pinch zoom at the pointer, drag pans (middle button always), box zoom with its tool or
/// Shift, double click fits, Alt+Left and Alt+Right go through the zoom history. The view follows a
/// map that grows until the user moves it. With rectangle, lasso and brush a drag picks documents;
/// Shift adds them, Ctrl takes them away, Alt keeps what both have. Nothing is painted while nothing
/// changes.
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

    explicit ScatterWidget(QWidget* parent = nullptr);
    ~ScatterWidget() override;

    /// Shows a map; null empties the canvas. A map of the same points as the one before (a run going
    /// on) keeps colours and states.
    void setMap(std::shared_ptr<const HeadMap> map);
    void setColoring(viz::PointColoring coloring);
    /// Points of other heads are hidden.
    void setShownHeads(const std::vector<std::int64_t>& heads);
    void setThreads(int threads) { m_threads = threads; }
    /// What the card beside a point says; called on hover.
    void setCardSource(std::function<HoverContent(std::int64_t point)> source) { m_cardSource = std::move(source); }

    /// The document whose points are ringed, and the head among them that stands out.
    void setPrimary(std::optional<std::int64_t> document, std::optional<std::int64_t> head);
    /// The document under the pointer of another view.
    void setHovered(std::optional<std::int64_t> document);
    /// The chosen documents, ascending: all others turn pale. Empty: none is chosen, none is pale.
    void setChosen(const std::vector<std::int64_t>& documents);

    /// Dots, or one of the pictures of density.
    void setMode(viz::ScatterMode mode);
    [[nodiscard]] viz::ScatterMode mode() const { return m_mode; }

    void setTool(Tool tool);
    [[nodiscard]] Tool tool() const { return m_tool; }
    void setLegendShown(bool shown);
    void setToolsShown(bool shown);

    /// All shown points in view, again following a map that grows.
    void fit();
    /// The chosen documents' shown points in view; without any, as fit().
    void fitChosen();
    void back();
    void forward();
    [[nodiscard]] bool canGoBack() const { return m_history.canGoBack(); }
    [[nodiscard]] bool canGoForward() const { return m_history.canGoForward(); }
    /// Without animation, as part of the history.
    void setView(const viz::ViewTransform& view);

    [[nodiscard]] const viz::ViewTransform& view() const { return m_view; }
    [[nodiscard]] std::shared_ptr<const HeadMap> map() const { return m_map; }
    [[nodiscard]] std::span<const viz::PointState> states() const { return m_states; }
    [[nodiscard]] const viz::PointColoring& coloring() const { return m_coloring; }
    [[nodiscard]] std::int64_t pointCount() const;
    [[nodiscard]] std::int64_t shownCount() const { return m_shown; }
    /// How many of the shown points belong to chosen documents.
    [[nodiscard]] std::int64_t chosenCount() const { return m_chosenShown; }
    [[nodiscard]] std::int64_t chosenDocuments() const;
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
    /// Escape: nothing chosen any more.
    void choiceCleared();
    void documentHovered(std::optional<std::int64_t> document);
    /// A head or group in the legend was clicked: these alone.
    void headsClicked(const std::vector<std::int64_t>& heads);
    void viewChanged();
    void shownChanged();
    void toolChanged();

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
    bool event(QEvent* event) override;

private:
    void buildTools();
    void refreshTools();
    void layOutLegend();
    [[nodiscard]] viz::ScatterData scatterData() const;
    [[nodiscard]] std::optional<std::int64_t> pointAt(QPointF place);
    [[nodiscard]] std::optional<QRectF> shownBounds() const;
    [[nodiscard]] viz::ViewTransform fittedView() const;
    void refreshStates();
    void refreshMarks();
    void dropPicture();
    void applyView(const viz::ViewTransform& view);
    void animateTo(const viz::ViewTransform& view);
    void userMovedView();
    void rememberView();
    void hoverAt(QPointF place);
    void clickAt(QPointF place);
    void clickLegend(const viz::LegendHit& hit);
    void refreshCursor();
    void buildGrid();
    void endGesture(Qt::KeyboardModifiers keys);
    void refreshChoice();
    [[nodiscard]] bool picksPoints() const { return m_tool != Tool::Pan && m_tool != Tool::BoxZoom; }

    std::shared_ptr<const HeadMap> m_map;
    viz::PointColoring m_coloring;
    std::vector<viz::PointState> m_filtered; ///< by the head picker and the legend alone
    std::vector<viz::PointState> m_states;   ///< and by the choice of documents
    std::set<std::int64_t> m_shownHeads;
    bool m_allHeads = true;
    std::optional<std::int64_t> m_isolated; ///< category code of the legend
    std::vector<char> m_chosen;             ///< by document; empty = none is chosen
    std::int64_t m_shown = 0;
    std::int64_t m_chosenShown = 0;

    viz::ScatterPainter m_painter;
    viz::ScatterMode m_mode = viz::ScatterMode::Dots;
    viz::ScatterCounts m_counts;
    QImage m_picture; ///< of all points, without marks; null = to be painted
    int m_threads = 1;

    viz::ViewTransform m_view;
    viz::ZoomStack m_history;
    bool m_follow = true; ///< fit the view to the map as it grows
    QVariantAnimation m_animation;
    viz::ViewTransform m_animationStart;
    viz::ViewTransform m_animationEnd;
    QTimer m_settle; ///< a burst of wheel steps is one step of the history

    viz::SpatialGrid m_grid;
    std::shared_ptr<const HeadMap> m_gridMap; ///< the map m_grid was built for; it must outlive the grid

    Tool m_tool = Tool::Pan;
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

    viz::LegendLayout m_legend;
    bool m_legendShown = true;
    QFrame* m_tools = nullptr;
    QToolButton* m_panButton = nullptr;
    QToolButton* m_boxButton = nullptr;
    QToolButton* m_rectangleButton = nullptr;
    QToolButton* m_lassoButton = nullptr;
    QToolButton* m_brushButton = nullptr;
    QToolButton* m_fitButton = nullptr;
    QToolButton* m_backButton = nullptr;
    QToolButton* m_forwardButton = nullptr;
    HoverCard* m_card = nullptr;

    std::function<HoverContent(std::int64_t)> m_cardSource;
    std::optional<std::int64_t> m_hoveredPoint;
    std::optional<std::int64_t> m_hoveredDocument;
    std::optional<std::int64_t> m_primary;
    std::optional<std::int64_t> m_primaryHead;
    std::vector<std::int64_t> m_marked;
    std::optional<std::int64_t> m_focusPoint;
    std::int64_t m_paints = 0;
};

} // namespace headscope::ui

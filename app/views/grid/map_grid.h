// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/grid/cell_views.h"
#include "model/data/maps/head_map_set.h"
#include "ui/canvas/hover_card.h"
#include "ui/canvas/pan_zoom.h"
#include "ui/view/head_source.h"
#include "viz/color/head_palette.h"
#include "viz/geometry/spatial_grid.h"
#include "viz/geometry/view_transform.h"
#include "viz/grid/cell_painter.h"
#include "viz/grid/grid_contents.h"
#include "viz/grid/grid_layout.h"
#include "viz/grid/grid_points.h"

#include <QImage>
#include <QWidget>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui
{

/// Small multiples: every map of a set in a cell of its own, the same documents in all of them.
///
/// Wheel and pinch zoom at the pointer, drag pans: all cells together, or the one under the pointer
/// when they are not linked. The document under the pointer is ringed in every cell. A click opens the
/// cell, and takes the document under the pointer; with Shift it only takes the document. Arrow keys
/// move between cells, Return opens one. The views follow a set that grows until the user moves them.
/// Nothing is painted while nothing changes.
class MapGrid : public QWidget, public HeadSource
{
    Q_OBJECT

public:
    explicit MapGrid(QWidget* parent = nullptr);
    ~MapGrid() override;

    /// Shows a set; null empties the grid. A set of the same maps (a run in progress) keeps views.
    void setSet(std::shared_ptr<const HeadMapSet> set);
    [[nodiscard]] const std::shared_ptr<const HeadMapSet>& set() const { return m_points.set(); }
    void setPalette(const viz::HeadPalette& palette);
    /// index[d] is the colour of document d; nothing: each map in the colour of its head.
    void setColoring(std::optional<viz::PointColoring> coloring);
    /// Each map's own colours (GridPoints::setMapColorings), until another coloring.
    void setMapColorings(std::vector<std::optional<viz::PointColoring>> own);
    void setThreads(int threads) { m_threads = threads; }
    /// What the card next to a point says; called on hover.
    void setCardSource(std::function<HoverContent(const HeadMap& map, std::int64_t point)> source);

    /// The chosen documents, ascending: all others turn pale. Empty: none is.
    void setChosen(const std::vector<std::int64_t>& documents);
    /// All other documents are hidden; ascending, empty: none is.
    void setShownOnly(const std::vector<std::int64_t>& documents);
    /// The document that is ringed in all cells, and the one under the pointer of another view.
    void setPrimary(std::optional<DocumentIndex> document);
    void setHovered(std::optional<DocumentIndex> document);
    /// Documents of another colour of the coloring turn pale; nothing: none does.
    void setIsolated(std::optional<std::uint16_t> entry);

    void setLinked(bool linked);
    [[nodiscard]] bool linked() const { return m_views.linked(); }
    /// As if a hand had moved it: linked cells move alike.
    void setView(std::size_t cell, const viz::ViewTransform& view) { changeView(cell, view); }
    /// Every map whole in its cell.
    void fit();
    /// The visible size, which the grid fills before it grows taller.
    void setRoom(QSize room);

    [[nodiscard]] std::optional<std::size_t> currentCell() const { return m_current; }
    void setCurrentCell(std::size_t cell);
    /// Of the cell under the pointer, else of the one that keys have reached; maps of segments and of whole vectors are
    /// of no head.
    [[nodiscard]] std::optional<viz::ItemHead> headMeant() const override;
    [[nodiscard]] std::optional<viz::ItemHead> headOf(std::size_t cell) const;
    [[nodiscard]] const viz::GridContents& contents() const { return m_contents; }
    [[nodiscard]] const viz::GridLayout& gridLayout() const { return m_layout; }
    [[nodiscard]] const viz::GridPoints& points() const { return m_points; }
    [[nodiscard]] const viz::ViewTransform& view(std::size_t cell) const { return m_views.view(cell); }
    /// The one that shows the whole map.
    [[nodiscard]] const viz::ViewTransform& fittedView(std::size_t cell) const { return m_views.fit(cell); }
    /// Whether the user has moved the views away from the fitted ones.
    [[nodiscard]] bool moved() const { return !m_views.follow(); }
    [[nodiscard]] std::optional<DocumentIndex> hoveredDocument() const { return m_hovered; }
    [[nodiscard]] HoverCard* hoverCard() const { return m_card; }
    /// How often the grid was painted: does not change while nothing changes.
    [[nodiscard]] std::int64_t paintCount() const { return m_paints; }

Q_SIGNALS:
    void documentClicked(headscope::DocumentIndex document, std::optional<headscope::HeadIndex> head);
    void documentHovered(std::optional<headscope::DocumentIndex> document);
    void choiceCleared();
    /// A cell is to grow into the full view.
    void cellOpened(std::size_t cell);
    void currentCellChanged();
    void viewChanged();

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
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    struct Place
    {
        std::size_t cell = 0;
        std::int64_t point = 0;
    };

    void layOut();
    void refreshFit();
    void refreshStates();
    void describe();
    void dropPicture();
    void dropFrame();
    void paintPicture(const QRect& wanted);
    void paintMarks(QPainter& painter);
    [[nodiscard]] std::optional<Place> pointAt(QPointF place);
    void hoverAt(QPointF place);
    void clickAt(QPointF place, Qt::KeyboardModifiers modifiers);
    void changeView(std::size_t cell, const viz::ViewTransform& view);
    void moveTo(int dx, int dy);
    void zoomCurrent(double factor);

    viz::GridPoints m_points;
    viz::GridContents m_contents;
    viz::GridLayout m_layout;
    viz::HeadPalette m_palette;
    QSize m_room;
    int m_threads = 1;

    CellViews m_views;

    viz::CellPainter m_painter;
    QImage m_picture;      ///< all dots; null = to be painted
    QRect m_pictureArea;   ///< the part of it that was painted
    QImage m_frame;        ///< captions and edges over it; null = to be painted
    double m_radiusPx = 1; ///< of the dots
    double m_pictureMs = 0;

    std::vector<char> m_chosen;              ///< by document; empty = none is
    std::vector<char> m_shownDocuments;      ///< by document; empty = all are
    std::optional<std::uint16_t> m_isolated; ///< index into the colouring: colours may repeat
    std::optional<DocumentIndex> m_primary;
    std::optional<DocumentIndex> m_hovered;
    std::optional<std::size_t> m_hoveredCell;
    std::optional<std::size_t> m_current;

    std::vector<viz::SpatialGrid> m_finders;       ///< of each map, made when first asked
    std::shared_ptr<const HeadMapSet> m_finderSet; ///< the set they were made for

    PointerDrag m_drag;
    std::optional<std::size_t> m_pressCell; ///< where it began
    HoverCard* m_card = nullptr;
    std::function<HoverContent(const HeadMap&, std::int64_t)> m_cardSource;
    std::int64_t m_paints = 0;
};

} // namespace headscope::ui

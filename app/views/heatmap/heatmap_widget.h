// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/heatmap/heatmap_input.h"
#include "app/views/heatmap/heatmap_marks.h"
#include "app/views/heatmap/heatmap_stack.h"
#include "model/data/model_info.h"
#include "model/data/results/heatmap_panel.h"
#include "model/data/selection.h"
#include "ui/canvas/hover_card.h"

#include <QImage>
#include <QWidget>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QMenu;

namespace headscope::ui
{

/// Heatmaps of one or more stages, one under the other, their columns locked: zooming and moving one
/// zooms and moves all. The picture is painted once and kept until something changes.
///
/// Wheel: zoom into the columns at the pointer (Ctrl: into the rows; Shift: move sideways). Drag: while all
/// is shown, the columns to zoom to; zoomed in, move. Click a cell: its document and head; with Shift, Ctrl
/// or Alt it joins, leaves or cuts the chosen ones. Click a row's colour: that head; a bracket: its group; a
/// letter: the topic's documents; a title: its stage. Keys: arrows move the crosshair, Return clicks, + and - zoom
/// (with Ctrl the rows), Page up and down move, Home shows all.
class HeatmapWidget : public QWidget
{
    Q_OBJECT

public:
    explicit HeatmapWidget(QWidget* parent = nullptr);

    using Panels = HeatmapStack::Panels;
    /// The window is kept where the columns are the same documents.
    void setPanels(Panels panels, const ModelInfo& info);
    [[nodiscard]] const Panels& panels() const { return m_stack.panels(); }
    /// Which of the documents shown are not pale, by column; empty: none is pale.
    [[nodiscard]] std::vector<std::uint8_t> litDocuments() const { return m_stack.lit(m_chosen); }
    void setRows(HeatmapRows rows);
    [[nodiscard]] HeatmapRows rows() const { return m_stack.rows; }
    /// Heads that have a row, 0-based, ascending; empty: all. The full row always stands.
    void setHeads(const std::vector<std::int64_t>& heads);
    void setScale(const viz::ScaleChoice& choice);
    void setPooling(viz::CellPooling pooling);
    [[nodiscard]] viz::CellPooling pooling() const { return m_stack.pooling; }
    void setThreads(int threads) { m_stack.threads = threads; }
    /// Sets the source of the card's content: the widget knows neither the topic nor the text of a document.
    void setCardSource(std::function<HoverContent(const Heatmap& heatmap, viz::HeatmapCell cell)> source);

    /// The document that is chosen, framed in every stage.
    void setPrimary(std::optional<DocumentIndex> document, std::optional<HeadIndex> head);
    void setHovered(std::optional<DocumentIndex> document);
    void setHoveredHead(std::optional<HeadIndex> head);
    /// Marked heads (SelectionHub::litHeads), marked next to their rows; empty: none.
    void setLitHeads(const std::vector<std::int64_t>& heads);
    /// Chosen documents, ascending: their columns are marked, the others pale. Empty: none is pale.
    void setChosen(const std::vector<std::int64_t>& documents);

    [[nodiscard]] const viz::HeatmapWindow& window() const { return m_stack.window(); }
    void setWindow(const viz::HeatmapWindow& window);
    void showAll() { setWindow({}); }
    void zoomToTopic(std::int64_t topic);
    /// Share of the columns before the part shown, and how much of them is shown.
    [[nodiscard]] std::pair<double, double> visibleShare() const { return m_stack.visibleShare(); }
    void moveTo(double share) { setWindow(m_stack.windowFrom(share)); }

    [[nodiscard]] HoverCard* hoverCard() const { return m_card; }
    /// Shows the card of a cell; hides it at none, and without a card source.
    void showCard(const std::optional<HeatmapPlace>& place, QPoint at);
    /// The cell under pointer or keys, in words; empty while there is none.
    [[nodiscard]] QString cellText() const;
    [[nodiscard]] const viz::HeatmapLayout& layoutOf(std::size_t heatmap) const { return m_stack.layout(heatmap); }
    /// Documents of a topic shown, ascending.
    [[nodiscard]] std::vector<std::int64_t> documentsOf(std::int64_t topic) const { return m_stack.documentsOf(topic); }
    /// What must be said under the picture (several documents in a pixel), or "".
    [[nodiscard]] QString note() const { return m_stack.note(devicePixelRatioF()); }
    [[nodiscard]] std::int64_t paintCount() const { return m_paints; }
    /// The heatmaps without the pointer's marks, as they are.
    [[nodiscard]] QImage picture();

Q_SIGNALS:
    void documentClicked(headscope::DocumentIndex document, std::optional<headscope::HeadIndex> head);
    void documentHovered(std::optional<headscope::DocumentIndex> document);
    void headHovered(std::optional<headscope::HeadIndex> head);
    /// The value under the pointer, if any.
    void valueHovered(std::optional<double> value);
    void documentsPicked(const std::vector<std::int64_t>& documents, headscope::SetOperation operation);
    void headsClicked(const std::vector<std::int64_t>& heads);
    /// The columns are to be sorted.
    void sortRequested(const headscope::ColumnOrder& order);
    /// A stage's title was clicked.
    void stageClicked(headscope::Stage stage);
    /// Another part is shown.
    void windowChanged();
    /// Its menu is about to be shown: others may add to it.
    void menuMade(QMenu* menu);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void layOut();
    void dropPicture();
    void paintPicture();

    HeatmapStack m_stack;
    HeatmapMarks m_marks;
    HeatmapInput m_input;
    std::vector<std::int64_t> m_chosen;
    QImage m_picture;
    HoverCard* m_card = nullptr;
    std::function<HoverContent(const Heatmap&, viz::HeatmapCell)> m_cardSource;
    std::int64_t m_paints = 0;
};

/// What a row of a heatmap is taken from: the full row is not of the heatmap's own stage.
[[nodiscard]] QString rowSource(const Heatmap& heatmap, std::int64_t row);

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/heatmap/heatmap_places.h"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace headscope::viz
{

/// Which part of a heatmap fills its place. The full row always stays.
struct HeatmapWindow
{
    double zoom = 1;        ///< of the columns, from 1
    double firstColumn = 0; ///< at the left edge
    double rowZoom = 1;     ///< of the heads, from 1
    double firstRow = 0;    ///< head row at the upper edge
    bool operator==(const HeatmapWindow&) const = default;
};

/// A cell under the pointer.
struct HeatmapCell
{
    std::int64_t row = 0; ///< 0 = full, 1 + h = head h
    std::int64_t column = 0;
    bool operator==(const HeatmapCell&) const = default;
};

/// Places of a heatmap in a rectangle: rows full, then KV groups; columns by topic with white gaps.
/// Measure once, paint (HeatmapPainter) and hit-test often. Needs a QGuiApplication (fonts).
class HeatmapLayout
{
public:
    HeatmapLayout() = default;
    /// @param heatmap  must outlive the layout
    /// @param box      in the painter's units; text keeps its size, the cells take what is left
    HeatmapLayout(const Heatmap& heatmap, const ModelInfo& info, const QRectF& box, const HeatmapStyle& style);

    /// Shows a part; kept inside what there is.
    /// @return the resulting window
    HeatmapWindow setWindow(const HeatmapWindow& window);
    [[nodiscard]] const HeatmapWindow& window() const { return m_window; }
    /// The window after zooming columns by a factor around a place, which stays where it is.
    [[nodiscard]] HeatmapWindow zoomedAt(double x, double factor) const;
    [[nodiscard]] HeatmapWindow rowsZoomedAt(double y, double factor) const;
    /// The window after moving the picture by this many units.
    [[nodiscard]] HeatmapWindow movedBy(double dx, double dy) const;
    /// Columns at least partly to be seen, [first, last).
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> visibleColumns() const;
    /// Share of the whole width at which the part begins, and how much of it is shown: 0 and 1 when all is.
    [[nodiscard]] std::pair<double, double> visibleShare() const;

    [[nodiscard]] QRectF box() const { return m_at.box; }
    [[nodiscard]] QRectF plot() const { return m_at.plot; }
    [[nodiscard]] const ColorScale& scale() const { return m_scale; }
    /// Places of topics, rows (0 = full, 1 + h = head h) and cells; they leave the plot where only a part
    /// is shown. Heads without a row here have an empty one.
    [[nodiscard]] QRectF topicRect(std::int64_t topic) const;
    [[nodiscard]] QRectF rowRect(std::int64_t row) const;
    [[nodiscard]] QRectF cellRect(HeatmapCell cell) const;
    [[nodiscard]] std::optional<HeatmapCell> cellAt(QPointF place) const;
    /// The row whose name, colour or tree is there.
    [[nodiscard]] std::optional<std::int64_t> rowNameAt(QPointF place) const;
    /// The heads of the bracket whose name is there; empty: none.
    [[nodiscard]] std::vector<std::int64_t> groupNameAt(QPointF place) const;
    /// Whether the title is there.
    [[nodiscard]] bool titleAt(QPointF place) const { return m_at.title.contains(place); }
    /// The topic whose letter is there.
    [[nodiscard]] std::optional<std::int64_t> letterAt(QPointF place) const;
    /// The topic of a column.
    [[nodiscard]] std::int64_t topicOf(std::int64_t column) const;
    /// Heads that have a row here: all of them, or those that the style names.
    [[nodiscard]] std::int64_t headsShown() const { return static_cast<std::int64_t>(m_at.order.size()); }
    /// The row at place i from the top of the heads, 0..headsShown()-1.
    [[nodiscard]] std::int64_t rowAtPlace(std::int64_t i) const { return m_at.order[static_cast<std::size_t>(i)]; }
    /// Its place from the top; -1 for the full row and for heads without a row.
    [[nodiscard]] std::int64_t placeOfRow(std::int64_t row) const { return m_at.place[static_cast<std::size_t>(row)]; }
    /// How many columns share one pixel at this device pixel ratio; above 1 the picture shows means.
    [[nodiscard]] double columnsPerPixel(double dpr) const;
    /// What must be said under the picture: "each pixel is the mean of 3 documents"; empty when
    /// every document has pixels of its own.
    [[nodiscard]] QString note(double dpr) const;

    /// What it was made of, and where its parts are.
    /// @pre there is a heatmap
    [[nodiscard]] const Heatmap& heatmap() const { return *m_heatmap; }
    [[nodiscard]] bool isEmpty() const { return m_heatmap == nullptr || m_at.plot.isEmpty(); }
    [[nodiscard]] const ModelInfo& info() const { return m_info; }
    /// The model as rows of this stage fall into groups.
    [[nodiscard]] const ModelInfo& grouped() const { return m_grouped; }
    [[nodiscard]] const HeatmapStyle& style() const { return m_style; }
    [[nodiscard]] const HeatmapPlaces& places() const { return m_at; }
    /// Places of the topics, widths of columns and heights of heads, as they are zoomed.
    [[nodiscard]] const std::vector<QRectF>& topics() const { return m_topics; }
    [[nodiscard]] double columnWidth() const { return m_columnWidth; }
    [[nodiscard]] double rowHeight() const { return m_rowHeight; }

private:
    void placeColumns();
    [[nodiscard]] double baseColumnWidth() const;
    [[nodiscard]] double columnX(double column, std::size_t topic) const;

    const Heatmap* m_heatmap = nullptr;
    ModelInfo m_info;
    ModelInfo m_grouped;
    HeatmapStyle m_style;
    ColorScale m_scale;
    HeatmapPlaces m_at;
    HeatmapWindow m_window;
    double m_gap = 0;             ///< between topics
    double m_columnWidth = 0;     ///< at this zoom
    double m_offset = 0;          ///< of the plot's left edge in the whole width
    double m_rowHeight = 0;       ///< of a head at this zoom
    std::vector<QRectF> m_topics; ///< columns of each topic
};

} // namespace headscope::viz

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/results/topic_results.h"
#include "viz/color/color_scale.h"
#include "viz/color/theme.h"
#include "viz/heatmap/heatmap_cells.h"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

class QPainter;

namespace headscope::viz
{

struct HeatmapStyle
{
    Theme theme = Theme::Light;
    double textPx = 11;
    std::optional<ScaleLimits> limits; ///< empty: heatmapLimits of the values
    std::optional<ColorScale> scale;   ///< wins over limits
    bool title = true;                 ///< the stage's sentence above
    bool key = true;                   ///< letters and names of the topics below
    bool letters = false;              ///< the letters alone, for windows with a key of their own
    bool colorBar = true;
    bool colorBarRoom = true; ///< without a bar, keep its place free all the same: for maps under each other
    bool marks = false;       ///< room above the columns for marks of chosen documents
    CellPooling pooling = CellPooling::Mean;
    std::vector<std::int64_t> rows;    ///< heads' rows (1 + head) from the top, or some; empty: all, by index
    const ClusterTree* tree = nullptr; ///< of the heads, drawn at the right where rows stand in its order
    bool columnTrees = true;           ///< drawn above the columns where they stand by clusters
    bool treeRoom = false;             ///< keep its place free: for maps under each other
    /// Decides whether rows are high enough for numbers, in place of the box's height: maps under each
    /// other must decide alike, or their columns would not stand under each other.
    std::optional<double> commonHeight;
    /// The cells begin no nearer to the box's left edge, for the same reason: names of groups are wider
    /// than those of segments, which are in none.
    double leastLeft = 0;
    int numThreads = 1;
};

/// Which part of a heatmap fills its place. The full row always stays.
struct HeatmapWindow
{
    double zoom = 1;        ///< of the columns, from 1
    double firstColumn = 0; ///< at the left edge
    double rowZoom = 1;     ///< of the heads, from 1
    double firstRow = 0;    ///< head row at the upper edge
    bool operator==(const HeatmapWindow&) const = default;
};

/// Limits that show the values well: rounded outwards from the 1st and 99th percentile.
[[nodiscard]] ScaleLimits heatmapLimits(const Heatmap& heatmap);
/// Blue to red, near-white in the middle of the limits: cosines with a topic are mostly positive, and
/// a centre at zero would leave one arm of the colours unused. The colour bar names the middle.
[[nodiscard]] ColorScale heatmapScale(ScaleLimits limits, Theme theme);
/// What the colours of a heatmap stand for.
[[nodiscard]] const QString& heatmapScaleTitle();
/// The number in the middle of the colours: white, where they diverge.
[[nodiscard]] double scaleMiddle(const ColorScale& scale);
/// "A".."Z", "AA", "AB" ...: how topic number i is called in a figure.
[[nodiscard]] QString topicLetter(std::int64_t i);

/// A cell under the pointer.
struct HeatmapCell
{
    std::int64_t row = 0; ///< 0 = full, 1 + h = head h
    std::int64_t column = 0;
    bool operator==(const HeatmapCell&) const = default;
};

/// Places of a heatmap in a rectangle: rows full, then KV groups; columns by topic with white gaps.
/// Measure once, paint and hit-test often. Needs a QGuiApplication (fonts).
class HeatmapLayout
{
public:
    HeatmapLayout() = default;
    /// @param heatmap  must outlive the layout
    /// @param box      in the painter's units; text keeps its size, the cells take what is left
    /// @param cells    of heatmap.values, kept for many layouts; null: made when first painted
    HeatmapLayout(const Heatmap& heatmap, const ModelInfo& info, const QRectF& box, const HeatmapStyle& style,
                  std::shared_ptr<const HeatmapCells> cells = nullptr);

    /// Shows a part; kept inside what there is.
    /// @return the window that came of it
    HeatmapWindow setWindow(const HeatmapWindow& window);
    [[nodiscard]] const HeatmapWindow& window() const { return m_window; }
    /// The window after zooming columns by a factor around a place, which stays where it is.
    [[nodiscard]] HeatmapWindow zoomedAt(double x, double factor) const;
    [[nodiscard]] HeatmapWindow rowsZoomedAt(double y, double factor) const;
    /// The window after the picture was moved by so many units.
    [[nodiscard]] HeatmapWindow movedBy(double dx, double dy) const;
    /// Columns at least partly to be seen, [first, last).
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> visibleColumns() const;
    /// Share of the whole width at which the part begins, and how much of it is shown: 0 and 1 when all is.
    [[nodiscard]] std::pair<double, double> visibleShare() const;

    /// Documents that are lit, [M]; the others are pale, and lit ones get a mark where there is room for
    /// marks. Empty: none is pale.
    void setLit(std::vector<std::uint8_t> lit) { m_lit = std::move(lit); }

    [[nodiscard]] QRectF box() const { return m_box; }
    [[nodiscard]] QRectF plot() const { return m_plot; }
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
    [[nodiscard]] bool titleAt(QPointF place) const { return m_titleBox.contains(place); }
    /// The topic whose letter is there.
    [[nodiscard]] std::optional<std::int64_t> letterAt(QPointF place) const;
    /// The topic of a column.
    [[nodiscard]] std::int64_t topicOf(std::int64_t column) const;
    /// Heads that have a row here: all of them, or those that the style names.
    [[nodiscard]] std::int64_t headsShown() const { return static_cast<std::int64_t>(m_order.size()); }
    /// The row at place i from the top of the heads, 0..headsShown()-1.
    [[nodiscard]] std::int64_t rowAtPlace(std::int64_t i) const { return m_order[static_cast<std::size_t>(i)]; }
    /// Its place from the top; -1 for the full row and for heads without a row.
    [[nodiscard]] std::int64_t placeOfRow(std::int64_t row) const { return m_place[static_cast<std::size_t>(row)]; }
    /// How many columns share one pixel at this device pixel ratio; above 1 the picture shows means.
    [[nodiscard]] double columnsPerPixel(double dpr) const;
    /// What must be said under the picture: "each pixel is the mean of 3 documents"; empty when
    /// every document has pixels of its own.
    [[nodiscard]] QString note(double dpr) const;

    /// @param dpr  device pixels per unit of the painter, so that cells fall on whole pixels
    void paint(QPainter& painter, double dpr) const;
    /// A frame around a cell, or around the row of one topic.
    void paintFrame(QPainter& painter, const QRectF& cell) const;

private:
    /// Heads of one KV group that stand together.
    struct Bracket
    {
        std::int64_t group = 0;
        std::int64_t begin = 0; ///< place from the top
        std::int64_t end = 0;
    };
    void orderRows();
    void placeColumns();
    void placeBands(double& top, double& right);
    [[nodiscard]] double baseColumnWidth() const;
    [[nodiscard]] double columnX(double column, std::size_t topic) const;
    [[nodiscard]] QRectF headsArea() const;
    void paintBlock(QPainter& painter, std::size_t topic, const QRectF& area, std::span<const std::int64_t> rows,
                    double rowBegin, double rowEnd, double dpr) const;
    void paintBrackets(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintColumnTrees(QPainter& painter) const;
    void paintHeadTree(QPainter& painter) const;
    void placeKey(double left, double width);
    /// Of the key's names, with the gap to the next column.
    [[nodiscard]] double widestName() const;
    [[nodiscard]] QString titleText() const;
    void paintTitle(QPainter& painter, double dpr) const;
    void paintCells(QPainter& painter, double dpr) const;
    void paintRowNames(QPainter& painter) const;
    void paintLetters(QPainter& painter) const;
    void paintKey(QPainter& painter) const;
    void paintColorBar(QPainter& painter) const;
    [[nodiscard]] std::int64_t numHeads() const;

    const Heatmap* m_heatmap = nullptr;
    mutable std::shared_ptr<const HeatmapCells> m_cells; ///< made when first painted, if not given
    HeatmapWindow m_window;
    std::vector<std::int64_t> m_order; ///< row at each place from the top
    std::vector<std::int64_t> m_place; ///< [1 + H] place of each row; of the full one, and of those not shown, -1
    std::vector<Bracket> m_brackets;
    std::vector<std::uint8_t> m_lit;
    ModelInfo m_info;
    ModelInfo m_grouped; ///< as rows of this stage fall into groups
    HeatmapStyle m_style;
    ColorScale m_scale;
    QRectF m_box;
    QRectF m_plot;
    QRectF m_bar;
    QRectF m_titleBox;
    QRectF m_letterBox;
    QRectF m_marks;                 ///< band of the marks
    QRectF m_columnTree;            ///< band of the columns' trees
    QRectF m_headTree;              ///< band of the heads' tree
    double m_gap = 0;               ///< between topics
    double m_columnWidth = 0;       ///< at this zoom
    double m_offset = 0;            ///< of the plot's left edge in the whole width
    double m_rowHeight = 0;         ///< of a head at this zoom
    double m_numberWidth = 0;       ///< of heads' numbers beside the strip; 0: there is no room
    double m_fullHeight = 0;        ///< of the full row
    double m_fullGap = 0;           ///< between the full row and the heads
    double m_stripWidth = 0;        ///< of the head colours
    std::vector<QRectF> m_topics;   ///< columns of each topic
    std::vector<QRectF> m_keyBoxes; ///< one per topic, empty when there is no key
};

} // namespace headscope::viz

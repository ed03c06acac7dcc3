// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/model_info.h"
#include "viz/color/head_palette.h"
#include "viz/color/inks.h"

#include <QPointF>
#include <QRectF>
#include <QSize>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

class QPainter;

namespace headscope::viz
{

/// A cell of the grid: a place in AttentionRun::layers, and a head.
struct ThumbnailCell
{
    std::int64_t row = 0;
    HeadIndex head;
    bool operator==(const ThumbnailCell&) const = default;
};

/// Small pictures of all heads: a row a layer, a column a head, under the colours of their KV groups.
struct ThumbnailGridStyle
{
    InkTheme theme = InkTheme::Light;
    double textPx = 11;
    /// Size of a cell, without its gap; an empty one: as large as fits, and no smaller than kMinCell.
    QSize cell;
    QPointF offset; ///< how far the cells are moved to the left and up, under their locked headings
};

/// Where everything of the grid lies. Cells and gaps are whole units, so that pictures fall on pixels.
/// @threads a value; reentrant. Needs a QGuiApplication (fonts).
class ThumbnailGridLayout
{
public:
    static constexpr int kMinCell = 8;
    static constexpr int kLargestCell = 64;

    ThumbnailGridLayout() = default;
    /// @param layers  rows; `model` gives heads and groups
    ThumbnailGridLayout(std::vector<LayerIndex> layers, const ModelInfo& model, const QRectF& box,
                        ThumbnailGridStyle style);

    [[nodiscard]] const ThumbnailGridStyle& style() const { return m_style; }
    [[nodiscard]] QSize cellSize() const { return m_cell; }
    [[nodiscard]] const std::vector<LayerIndex>& layers() const { return m_layers; }
    [[nodiscard]] std::int64_t heads() const { return m_heads; }
    [[nodiscard]] std::int64_t groupSize() const { return m_members; }
    /// What the cells are seen through: right of the layers, under the heads.
    [[nodiscard]] QRectF window() const { return m_window; }
    /// All cells, as large as they are.
    [[nodiscard]] QSizeF contentSize() const;
    /// The part of the window that they fill.
    [[nodiscard]] QRectF filled() const;
    /// The nearest offset at which no room is left free while cells are hidden.
    [[nodiscard]] QPointF bounded(QPointF offset) const;
    [[nodiscard]] QRectF cellRect(ThumbnailCell cell) const;
    [[nodiscard]] std::optional<ThumbnailCell> cellAt(QPointF place) const;
    /// The row of a layer's number.
    [[nodiscard]] std::optional<std::int64_t> layerAt(QPointF place) const;
    /// Rows and heads of which something is seen: [first, last).
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> rowsInView() const;
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> headsInView() const;

    /// Numbers of layers and heads, and the groups' colours; what is chosen stands out.
    void paintHeadings(QPainter& painter, const HeadPalette& palette, std::optional<ThumbnailCell> chosen) const;

private:
    [[nodiscard]] double xOf(std::int64_t head) const;

    std::vector<LayerIndex> m_layers;
    std::int64_t m_heads = 0;
    std::int64_t m_members = 1; ///< of a group; 1: there are none
    ThumbnailGridStyle m_style;
    QRectF m_window;
    QSize m_cell{kMinCell, kMinCell};
    int m_gap = 2; ///< between cells
};

/// Marks over the cells.
struct ThumbnailMarks
{
    std::optional<ThumbnailCell> chosen;
    std::vector<ThumbnailCell> pinned;
    std::optional<ThumbnailCell> hovered;
    std::vector<ThumbnailCell> off = {}; ///< heads that are switched off: pale, and struck through
};
void paintThumbnailMarks(QPainter& painter, const ThumbnailGridLayout& layout, const ThumbnailMarks& marks);

} // namespace headscope::viz

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/heatmap/heatmap_cells.h"
#include "viz/heatmap/heatmap_layout.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

class QPainter;

namespace headscope::viz
{

/// Paints a heatmap where its layout says.
class HeatmapPainter
{
public:
    /// @param layout  must outlive the painter
    /// @param cells   of the heatmap's values, reused for many pictures; null: made when painted
    /// @param lit     documents that are lit, [M]; the others are pale, and lit ones get a mark where there is room
    ///                for marks. Empty: none is pale.
    explicit HeatmapPainter(const HeatmapLayout& layout, std::shared_ptr<const HeatmapCells> cells = nullptr,
                            std::span<const std::uint8_t> lit = {})
        : m_layout(layout), m_at(layout.places()), m_cells(std::move(cells)), m_lit(lit)
    {}

    /// @param dpr  device pixels per unit of the painter, so that cells fall on whole pixels
    void paint(QPainter& painter, double dpr);

private:
    void paintBlock(QPainter& painter, std::size_t topic, const QRectF& area, std::span<const std::int64_t> rows,
                    double rowBegin, double rowEnd, double dpr) const;
    void paintBrackets(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintColumnTrees(QPainter& painter) const;
    void paintHeadTree(QPainter& painter) const;
    void paintTitle(QPainter& painter, double dpr) const;
    void paintCells(QPainter& painter, double dpr) const;
    void paintRowNames(QPainter& painter) const;
    void paintLetters(QPainter& painter) const;
    void paintKey(QPainter& painter) const;
    void paintColorBar(QPainter& painter) const;

    const HeatmapLayout& m_layout;
    const HeatmapPlaces& m_at;
    std::shared_ptr<const HeatmapCells> m_cells;
    std::span<const std::uint8_t> m_lit;
};

/// A frame around a cell, or around the row of one topic.
void paintCellFrame(QPainter& painter, InkTheme theme, const QRectF& cell);

} // namespace headscope::viz

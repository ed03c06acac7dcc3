// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/results/probe_result.h"
#include "viz/chart/chart_style.h"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

class QFont;
class QPainter;

namespace headscope::viz
{

/// What a cell of a confusion matrix says.
enum class ConfusionValues
{
    RowShares, ///< of the true head's test rows
    Counts,    ///< test rows
};

/// How shades go with the values.
enum class ShadeScale
{
    Linear,
    Root, ///< a few per cent of confusion can be seen next to a full diagonal
    Log,  ///< every single mistake can be seen
};

struct ConfusionStyle
{
    ChartStyle chart;
    ConfusionValues values = ConfusionValues::RowShares;
    ShadeScale scale = ShadeScale::Root;
    double leastNumber = 0; ///< numbers grow smaller, down to this, before they go; 0: they have one size
};

/// A confusion matrix of heads, true ones downwards, predicted ones across, in the order of the heads and
/// so of their KV groups: groups are ruled off and their blocks on the diagonal framed, the heads' colours are shown
/// along both sides, and cells that are large enough show their number.
class ConfusionLayout
{
public:
    /// (true class, predicted class): places among the probe's heads, from 0.
    using Cell = std::pair<std::int64_t, std::int64_t>;

    ConfusionLayout() = default;
    /// @param result  must outlive the layout
    ConfusionLayout(const ProbeResult& result, const ModelInfo& info, const QRectF& box, const ConfusionStyle& style);

    [[nodiscard]] QRectF plot() const { return m_plot; }
    /// How wide the box must be, where it is as high as wide, for cells with numbers of the least size.
    [[nodiscard]] double widthWithNumbers() const;
    /// Where the picture with its labels ends; the box may continue.
    [[nodiscard]] double bottom() const { return m_bottom; }
    [[nodiscard]] std::int64_t classes() const;
    /// The head of a class.
    [[nodiscard]] HeadIndex headOf(std::int64_t number) const;
    /// The cell under a place.
    [[nodiscard]] std::optional<Cell> cellAt(QPointF place) const;
    [[nodiscard]] QRectF cellRect(Cell cell) const;
    /// Share of the true head's rows; 0 for a head without rows.
    [[nodiscard]] double shareOf(Cell cell) const;
    /// @param dpr  device pixels per unit of the painter
    void paint(QPainter& painter, double dpr) const;
    /// Draws a frame around a cell.
    void paintFrame(QPainter& painter, Cell cell) const;

private:
    /// Classes begin..end-1 whose heads share keys and values.
    struct Block
    {
        std::int64_t begin = 0;
        std::int64_t end = 0;
        GroupIndex group;
    };

    [[nodiscard]] double shade(Cell cell) const;
    [[nodiscard]] double shadeOf(double value) const;
    [[nodiscard]] QString cellText(Cell cell) const;
    [[nodiscard]] std::vector<std::pair<double, QString>> barTicks() const;
    [[nodiscard]] QFont smallFont() const;
    [[nodiscard]] QString widestNumber() const;
    [[nodiscard]] double leastNumber() const;
    void paintCells(QPainter& painter, double dpr) const;
    void paintNumbers(QPainter& painter) const;
    void paintRules(QPainter& painter) const;
    void paintColors(QPainter& painter) const;
    void paintLabels(QPainter& painter) const;
    void paintBar(QPainter& painter) const;

    const ProbeResult* m_result = nullptr;
    ModelInfo m_info;
    ModelInfo m_grouped; ///< as classes of this stage fall into groups
    ConfusionStyle m_style;
    std::vector<Block> m_blocks;
    std::vector<std::int64_t> m_rowTotals;
    double m_most = 1;  ///< the largest value there can be: 1, or the largest count
    double m_least = 1; ///< the smallest above 0 there can be
    QRectF m_box;
    QRectF m_plot;
    QRectF m_bar;
    double m_cell = 0;
    double m_bottom = 0;
    double m_strip = 0;     ///< width of the head colours at both sides
    double m_headNames = 0; ///< width of the column of head numbers; 0: not shown
};

} // namespace headscope::viz

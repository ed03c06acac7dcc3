// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"
#include "viz/heatmap/matrix_painter.h"
#include "viz/picture/picture.h"

#include <QStringList>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace headscope::viz
{

/// Small tables of colours side by side, of one scale and with the same rows: similarities of topics, means of heads.
/// Its items are the cells of all tables, and behind them the names of rows and columns.
class MatrixTables : public Picture
{
public:
    MatrixTables();

    struct Table
    {
        std::shared_ptr<const MatrixD> values;
        QStringList rowNames;
        QStringList columnNames;
        MatrixStyle style; ///< theme and scale are the picture's
    };
    /// What an item is: a cell has a row and a column, a name one of them.
    struct Part
    {
        std::size_t table = 0;
        std::optional<std::int64_t> row;
        std::optional<std::int64_t> column;
    };
    using CardSource = std::function<ItemText(std::size_t table, HeatmapCell cell)>;

    void setTables(std::vector<Table> tables);
    [[nodiscard]] const std::vector<Table>& tables() const { return m_tables; }
    void setScale(const ScaleChoice& choice);
    [[nodiscard]] const ScaleChoice& scale() const { return m_scale; }
    /// Places on the diagonal of the first table that are framed.
    void setBlocks(std::vector<std::pair<std::int64_t, std::int64_t>> blocks);
    /// What is said of a cell; without it nothing is.
    void setCardSource(CardSource source) { m_cardSource = std::move(source); }
    void setClickable(bool clickable) { m_clickable = clickable; }
    [[nodiscard]] const MatrixLayout& layoutOf(std::size_t table) const { return m_layouts[table]; }
    [[nodiscard]] Part partOf(std::size_t item) const;

    void paint(QPainter& painter, const PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override { return m_first.empty() ? 0 : m_first.back(); }
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override;
    /// Of a cell; of a name nothing.
    [[nodiscard]] QRectF placeOf(std::size_t item) const override;
    [[nodiscard]] ItemText textOf(std::size_t item) const override;
    [[nodiscard]] bool isClickable(std::size_t /*item*/) const override { return m_clickable; }
    [[nodiscard]] std::optional<std::size_t> next(std::optional<std::size_t> from, Step step) const override;

protected:
    void arrange() override;

private:
    [[nodiscard]] std::optional<std::size_t> cellAt(QPointF place) const;

    std::vector<Table> m_tables;
    std::vector<MatrixLayout> m_layouts;
    std::vector<std::size_t> m_first; ///< item of each table, and behind the last
    ScaleChoice m_scale{ScaleChoice::Kind::Diverging, {0, 1}, 0.5};
    CardSource m_cardSource;
    bool m_clickable = false;
};

} // namespace headscope::viz

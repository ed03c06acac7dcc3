// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/picture/picture.h"

#include <QColor>
#include <QString>

#include <utility>
#include <vector>

namespace headscope::ui
{

/// Shares as bars with their names and numbers, in blocks with a heading each. Its items are the rows of all blocks.
class ShareBars : public viz::Picture
{
public:
    ShareBars();

    struct Row
    {
        QString name;
        QString value;    ///< as it is written
        double share = 0; ///< 0..1 of the bar's length; not a number: no bar
        QString tip;
        bool operator==(const Row&) const = default;
    };
    struct Block
    {
        QString title; ///< "": none
        QString note;  ///< grey, on the right of the title
        QColor color;
        std::vector<Row> rows;
        bool operator==(const Block&) const = default;
    };

    void setBlocks(std::vector<Block> blocks);
    [[nodiscard]] const std::vector<Block>& blocks() const { return m_blocks; }

    void paint(QPainter& painter, const viz::PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override { return m_rows.size(); }
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override;
    [[nodiscard]] QRectF placeOf(std::size_t row) const override;
    [[nodiscard]] viz::ItemText textOf(std::size_t row) const override { return {.title = m_rows[row].first->tip}; }
    /// All of it in words.
    [[nodiscard]] QString summary() const override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    std::vector<Block> m_blocks;
    std::vector<std::pair<const Row*, int>> m_rows; ///< of all blocks, and where they begin
};

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/circuits/circuit_result.h"
#include "viz/picture/picture.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headscope::viz
{

/// What the heads of a layer say in tokens: a column for each head, those of a KV group side by side, whose values are
/// the same and whose W_O are not. Its items are the tokens.
class LensTable : public Picture
{
public:
    explicit LensTable(double textPx = 11);

    /// @param layer  none: the last that was decoded
    /// @param read   of weights the token that is read; empty: the first
    void setResult(CircuitResultPtr result, std::optional<std::int64_t> layer = {}, const std::string& read = {});
    [[nodiscard]] std::int64_t layer() const { return m_layer; }
    [[nodiscard]] const std::string& read() const { return m_read; }
    /// Layers that were decoded, ascending; tokens that are read.
    [[nodiscard]] std::vector<std::int64_t> layers() const;
    [[nodiscard]] std::vector<std::string> reads() const;
    /// The head of a token's column, from 0.
    [[nodiscard]] std::int64_t headOf(std::size_t item) const;
    [[nodiscard]] double heightWanted(double width) const;

    void paint(QPainter& painter, const PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override { return m_items.size(); }
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override;
    [[nodiscard]] QRectF placeOf(std::size_t item) const override { return m_items[item].place; }
    [[nodiscard]] std::optional<ItemHead> itemHead(std::size_t item) const override
    {
        return ItemHead{LayerIndex(m_layer), HeadIndex(headOf(item))};
    }
    [[nodiscard]] ItemText textOf(std::size_t item) const override;
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString summary() const override;
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void arrange() override;

private:
    struct Item
    {
        std::size_t column = 0;
        const char* list = ""; ///< "highest", ...
        const LensWord* word = nullptr;
        double share = 0; ///< of the largest size in its list over all heads
        QRectF place;
    };
    struct Block
    {
        QString title;
        const char* list = "";
        std::vector<LensWord> LensWords::*words = nullptr;
        std::size_t rows = 0;
    };
    struct Line
    {
        std::size_t first = 0; ///< column
        std::size_t count = 0;
        double top = 0;
    };
    [[nodiscard]] const LensTables* tables() const;
    [[nodiscard]] std::vector<Block> blocks() const;
    [[nodiscard]] std::size_t perLine(double width) const;
    [[nodiscard]] double lineHeight() const;
    /// The names of groups and heads above a line, and those of its lists.
    void paintNames(QPainter& painter, const Line& line) const;

    double m_textPx;
    CircuitResultPtr m_result;
    std::int64_t m_layer = 0;
    std::string m_read;
    std::vector<const LensWords*> m_columns;
    std::vector<Item> m_items;
    std::vector<Line> m_lines;
    double m_column = 0;
    double m_row = 0;
};

} // namespace headscope::viz

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/circuits/circuit_result.h"
#include "viz/color/color_scale.h"
#include "viz/picture/picture.h"

#include <QStringList>

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace headscope::viz
{

/// Composition of all pairs of heads, folded: the highest score of each pair of layers, and beside it the heads of one
/// pair of layers. Its items are the pairs of layers, then the pairs of heads.
class CompositionMatrix : public Picture
{
public:
    explicit CompositionMatrix(double textPx = 11);

    void setResult(CircuitResultPtr result, CompositionKind kind);
    /// @param layers  earlier, later; none: those of the highest score
    void setLayers(std::optional<std::pair<std::int64_t, std::int64_t>> layers);
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> layers() const { return m_layers; }
    [[nodiscard]] CompositionKind kind() const { return m_kind; }
    [[nodiscard]] bool isHeads(std::size_t item) const { return item >= m_folded.size(); }
    /// The two numbers of an item: layers, or heads from 0; earlier, later.
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> pairOf(std::size_t item) const;
    [[nodiscard]] double heightWanted(double width) const;

    void paint(QPainter& painter, const PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override;
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override;
    [[nodiscard]] QRectF placeOf(std::size_t item) const override;
    /// Of a cell of heads the one that writes.
    [[nodiscard]] std::optional<ItemHead> itemHead(std::size_t item) const override;
    [[nodiscard]] ItemText textOf(std::size_t item) const override;
    /// Unfolds a pair of layers.
    void choose(std::size_t item) override;
    [[nodiscard]] std::optional<std::size_t> next(std::optional<std::size_t> from, Step step) const override;
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString summary() const override;

protected:
    void arrange() override;

private:
    [[nodiscard]] const CompositionScores* scores() const;
    /// Without the baseline.
    [[nodiscard]] double scoreOf(std::int64_t from, std::int64_t to) const;
    /// What is written above the cells: a title in bold, then what rows and columns are.
    struct Heading
    {
        QStringList title;
        QStringList axes;
    };
    /// In lines that fit above cells of this width, layers first; a text that is too wide has two.
    [[nodiscard]] std::array<Heading, 2> headingsAbove(double cells) const;
    /// Height of the headings and of the numbers of the columns.
    [[nodiscard]] double heightAbove(double cells) const;
    void paintNames(QPainter& painter, const QRectF& cells, std::int64_t count, std::int64_t first) const;
    void paintHeadings(QPainter& painter) const;

    double m_textPx;
    CircuitResultPtr m_result;
    CompositionKind m_kind = CompositionKind::V;
    std::vector<double> m_folded; ///< [L, L] highest scores; 0 unless the second layer is later
    std::pair<std::int64_t, std::int64_t> m_layers{0, 0};
    ScaleLimits m_limits;
    QRectF m_left;  ///< cells of layers
    QRectF m_right; ///< cells of heads
};

} // namespace headscope::viz

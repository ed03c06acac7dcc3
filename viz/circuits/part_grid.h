// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/circuits/circuit_result.h"
#include "model/data/matrix.h"
#include "viz/color/color_scale.h"
#include "viz/picture/picture.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace headscope::viz
{

/// What every head adds to the vectors of documents, or to the cosine of two: layers x heads in colours, and beside
/// each layer the sums of its heads and what its MLP adds. Its items are the heads.
class PartGridPicture : public Picture
{
public:
    explicit PartGridPicture(double textPx = 11);

    /// @param centred  of a corpus: shares without the means over the documents
    void setResult(CircuitResultPtr result, bool centred = true);
    void setMarked(std::optional<std::pair<std::int64_t, std::int64_t>> head);
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> headOf(std::size_t item) const;
    [[nodiscard]] bool isCentred() const { return m_centred; }
    [[nodiscard]] double heightWanted(double width) const;
    /// The strongest heads by size, the strongest first.
    [[nodiscard]] std::vector<std::size_t> strongest(std::size_t most) const;
    [[nodiscard]] double valueOf(std::size_t item) const { return m_values.values()[item]; }

    void paint(QPainter& painter, const PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override { return m_values.values().size(); }
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override;
    [[nodiscard]] QRectF placeOf(std::size_t item) const override;
    [[nodiscard]] std::optional<ItemHead> itemHead(std::size_t item) const override
    {
        const auto [layer, head] = headOf(item);
        return ItemHead{LayerIndex(layer), HeadIndex(head)};
    }
    [[nodiscard]] ItemText textOf(std::size_t item) const override;
    [[nodiscard]] std::optional<std::size_t> next(std::optional<std::size_t> from, Step step) const override;
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString summary() const override;
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void arrange() override;
    void take(const ContributionsResult& found);

private:
    void paintNames(QPainter& painter) const;
    void paintSums(QPainter& painter) const;
    [[nodiscard]] double numberWidth() const;
    [[nodiscard]] double rowHeight(double width) const;
    [[nodiscard]] double cellWidth(double width) const;

    double m_textPx;
    CircuitResultPtr m_result;
    bool m_centred = true;
    MatrixD m_values;                                                  ///< [L, H]
    std::vector<std::optional<std::pair<double, double>>> m_intervals; ///< [L H] or empty
    std::vector<double> m_mlp;                                         ///< [L]
    double m_other = 0;                                                ///< tokens and biases
    ScaleLimits m_limits;
    std::optional<std::pair<std::int64_t, std::int64_t>> m_marked;
    QRectF m_cells;
    double m_row = 0;
    double m_cell = 0;
};

} // namespace headscope::viz

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/circuits/circuit_result.h"
#include "viz/circuits/waterfall_rows.h"
#include "viz/picture/picture.h"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace headscope::viz
{

/// Why two documents are similar: what token, heads and MLPs add to their cosine, layer after layer. Its items are the
/// lines; a layer's line unfolds into its parts.
class WaterfallPicture : public Picture
{
public:
    explicit WaterfallPicture(double textPx = 11);

    /// @param result  with a pair; null: nothing
    /// @param layer   that is unfolded; none: the one whose heads add most
    void setPair(CircuitResultPtr result, std::optional<std::int64_t> layer = {});
    void setUnfolded(std::set<std::int64_t> layers);
    [[nodiscard]] const std::set<std::int64_t>& unfolded() const { return m_unfolded; }
    [[nodiscard]] const std::vector<WaterfallRow>& rows() const { return m_rows; }
    /// Of all lines, in the units of the text.
    [[nodiscard]] double heightWanted() const;

    void paint(QPainter& painter, const PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override { return m_rows.size(); }
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override;
    [[nodiscard]] QRectF placeOf(std::size_t row) const override;
    [[nodiscard]] std::optional<ItemHead> itemHead(std::size_t row) const override;
    [[nodiscard]] ItemText textOf(std::size_t row) const override;
    [[nodiscard]] bool isClickable(std::size_t row) const override;
    /// Folds a layer, or unfolds it.
    void choose(std::size_t row) override;
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString summary() const override;
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void arrange() override;

private:
    [[nodiscard]] const PairContribution* pair() const;
    [[nodiscard]] double xOf(double sum) const;
    [[nodiscard]] QString nameOf(const WaterfallRow& row) const;
    void paintRow(QPainter& painter, std::size_t row) const;
    void paintFold(QPainter& painter, const WaterfallRow& row, const QRectF& place) const;
    void paintBars(QPainter& painter, const WaterfallRow& row, const QRectF& place) const;
    void paintHeader(QPainter& painter) const;

    double m_textPx;
    CircuitResultPtr m_result;
    std::set<std::int64_t> m_unfolded;
    std::vector<WaterfallRow> m_rows;
    double m_low = 0; ///< of the axis
    double m_high = 1;
    QRectF m_chart; ///< between the names and the numbers
    double m_numberWidth = 0;
    double m_rowHeight = 0;
};

} // namespace headscope::viz

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/circuits/circuit_result.h"
#include "viz/picture/picture.h"

#include <QPainterPath>

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::viz
{

/// The strongest pairs of heads as lines between layers, which are columns. Its items are the lines, the strongest
/// first.
class CompositionGraph : public Picture
{
public:
    explicit CompositionGraph(double textPx = 11);

    /// More lines cannot be told apart.
    static constexpr std::size_t kMostLines = 60;

    /// @param kinds  that are drawn
    /// @param most   lines, at most kMostLines
    void setResult(CircuitResultPtr result, const std::vector<CompositionKind>& kinds, std::size_t most);
    [[nodiscard]] const std::vector<CompositionEdge>& edges() const { return m_edges; }
    [[nodiscard]] double heightWanted(double width) const;
    /// A line's kind in the legend.
    struct Key
    {
        CompositionKind kind;
        QRectF place;
    };
    [[nodiscard]] const std::vector<Key>& legend() const { return m_keys; }

    void paint(QPainter& painter, const PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override { return m_edges.size(); }
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override;
    [[nodiscard]] QRectF placeOf(std::size_t item) const override;
    /// The one that writes.
    [[nodiscard]] std::optional<ItemHead> itemHead(std::size_t item) const override
    {
        return ItemHead{LayerIndex(m_edges[item].fromLayer), HeadIndex(m_edges[item].fromHead)};
    }
    [[nodiscard]] ItemText textOf(std::size_t item) const override;
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString summary() const override;

protected:
    void arrange() override;

private:
    [[nodiscard]] const CompositionScores* scores() const;
    /// The points of heads, with the legend below.
    [[nodiscard]] QRectF gridIn(const QRectF& all) const;
    [[nodiscard]] QRectF axisNameBelow(const QRectF& grid) const;
    [[nodiscard]] std::vector<Key> keysBelow(const QRectF& grid) const;
    [[nodiscard]] QPointF placeOfHead(std::int64_t layer, std::int64_t head) const;
    [[nodiscard]] QString countText() const;
    void paintHeads(QPainter& painter) const;
    void paintEdges(QPainter& painter, std::optional<std::size_t> pointed) const;
    void paintKinds(QPainter& painter) const;
    [[nodiscard]] QPainterPath pathOf(const CompositionEdge& edge) const;

    double m_textPx;
    CircuitResultPtr m_result;
    std::int64_t m_scores = 0;                 ///< of the kinds that are drawn
    std::vector<CompositionEdge> m_edges;      ///< the strongest first
    std::vector<std::vector<QPointF>> m_paths; ///< of each edge, for the pointer
    QRectF m_grid;
    std::vector<Key> m_keys;
};

} // namespace headscope::viz

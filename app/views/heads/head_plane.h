// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/results/head_results.h"
#include "viz/chart/head_discs.h"
#include "viz/color/head_palette.h"
#include "viz/picture/picture.h"

#include <QCoreApplication>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui
{

/// The map of heads: similar heads lie together, the heads of a KV group inside a hull. A head's glyph: its size is
/// the strength, the filled part the match, the ring around it the selectivity. Its items are the heads shown.
class HeadPlane : public viz::Picture
{
    Q_DECLARE_TR_FUNCTIONS(HeadPlane)

public:
    HeadPlane();

    /// @param xy     [H, 2] of report's planes
    /// @param heads  those that are shown, 0-based, ascending; empty: all
    void setPlane(std::shared_ptr<const HeadReport> report, const MatrixD& xy, const ModelInfo& info,
                  const viz::HeadPalette& palette, const std::vector<std::int64_t>& heads = {});
    void clear();
    void setHoveredHead(std::optional<HeadIndex> head);
    /// Heads that are off are drawn as outlines.
    void setKept(const std::vector<bool>& kept);
    [[nodiscard]] const std::vector<bool>& kept() const { return m_kept; }
    [[nodiscard]] HeadIndex headOf(std::size_t item) const { return HeadIndex(m_heads[item]); }
    [[nodiscard]] QRectF labelOf(std::int64_t head) const { return m_layout.labelOf(head); }

    void paint(QPainter& painter, const viz::PictureMarks& marks) const override;
    [[nodiscard]] std::size_t count() const override { return m_heads.size(); }
    [[nodiscard]] std::optional<std::size_t> itemAt(QPointF place) const override;
    [[nodiscard]] QRectF placeOf(std::size_t item) const override;
    [[nodiscard]] std::optional<viz::ItemHead> itemHead(std::size_t item) const override
    {
        return viz::ItemHead{.head = headOf(item)};
    }
    [[nodiscard]] viz::ItemText textOf(std::size_t item) const override;
    [[nodiscard]] std::optional<std::size_t> standing() const override { return itemOf(numberOf(m_hoveredHead)); }
    [[nodiscard]] QString summary() const override;

protected:
    void arrange() override;

private:
    [[nodiscard]] std::optional<std::size_t> itemOf(std::optional<std::int64_t> head) const;

    std::shared_ptr<const HeadReport> m_report;
    MatrixD m_xy;                      ///< of all heads
    std::vector<std::int64_t> m_heads; ///< shown
    ModelInfo m_info;
    viz::HeadPalette m_palette;
    std::vector<bool> m_kept;
    viz::HeadDiscLayout m_layout;
    std::optional<HeadIndex> m_hoveredHead; ///< somewhere else
};

} // namespace headscope::ui

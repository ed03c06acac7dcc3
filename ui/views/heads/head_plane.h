// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/results/head_results.h"
#include "viz/chart/head_discs.h"
#include "viz/color/head_palette.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui
{

/// The map of heads: similar heads lie together, the heads of a KV group inside a hull. A head's glyph: its size is
/// the strength, the filled part the match, the ring around it the selectivity. A click chooses the head; arrow keys
/// go from head to head.
class HeadPlane : public QWidget
{
    Q_OBJECT

public:
    explicit HeadPlane(QWidget* parent = nullptr);

    /// @param xy     [H, 2] of report's planes
    /// @param heads  those that are shown, 0-based, ascending; empty: all
    void setPlane(std::shared_ptr<const HeadReport> report, const MatrixD& xy, const ModelInfo& info,
                  const viz::HeadPalette& palette, const std::vector<std::int64_t>& heads = {});
    void clear();
    void setHoveredHead(std::optional<HeadIndex> head);
    /// Heads that are off are drawn as outlines.
    void setKept(const std::vector<bool>& kept);
    [[nodiscard]] const std::vector<bool>& kept() const { return m_kept; }
    [[nodiscard]] QPointF placeOf(std::int64_t head) const { return m_layout.placeOf(head); }
    [[nodiscard]] QRectF labelOf(std::int64_t head) const { return m_layout.labelOf(head); }
    [[nodiscard]] QString textOf(std::int64_t head) const;
    [[nodiscard]] QSize sizeHint() const override { return {260, 240}; }

Q_SIGNALS:
    void headClicked(headscope::HeadIndex head);
    void headHovered(std::optional<headscope::HeadIndex> head);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void layOut();
    void hover(std::optional<std::int64_t> head, QPoint tip);

    std::shared_ptr<const HeadReport> m_report;
    MatrixD m_xy;                      ///< of all heads
    std::vector<std::int64_t> m_heads; ///< shown
    ModelInfo m_info;
    viz::HeadPalette m_palette;
    std::vector<bool> m_kept;
    viz::HeadDiscLayout m_layout;
    std::optional<std::int64_t> m_hovered;
};

} // namespace headscope::ui

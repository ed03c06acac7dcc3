// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"
#include "model/data/model_info.h"
#include "model/data/stage.h"
#include "viz/color/head_palette.h"

#include <QImage>
#include <QWidget>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace headscope::ui
{

/// How similar the heads are, as a square of cells with the KV groups framed and its colour scale from 0 to 1 beside
/// it; what lies below 0 has the colour of 0. Hover says the value; a click chooses the two heads. Arrow keys move,
/// Return chooses.
class LikenessMatrix : public QWidget
{
    Q_OBJECT

public:
    explicit LikenessMatrix(QWidget* parent = nullptr);

    /// @param likeness  [H, H], at most 1 where it is known; not a number is left blank
    /// @param name      what a value is, for the tip: "CKA"
    /// @param heads     those that are shown, 0-based, ascending; empty: all
    /// @param grouped   the model as rows of the stage fall into groups (groupedAt)
    void setLikeness(const MatrixD& likeness, const QString& name, Stage stage, const ModelInfo& grouped,
                     const viz::HeadPalette& palette, const std::vector<std::int64_t>& heads = {});
    /// Of the likeness that was set last, [H, H]; said where the value is said.
    void setIntervals(const MatrixD& low, const MatrixD& high);
    void clear();
    /// A head under the pointer of another view.
    void setHoveredHead(std::optional<HeadIndex> head);
    /// Of two places among the heads shown.
    [[nodiscard]] QRectF cellRect(std::int64_t row, std::int64_t column) const;
    [[nodiscard]] QString textOf(std::int64_t row, std::int64_t column) const;
    [[nodiscard]] QSize sizeHint() const override { return {240, 240}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override { return width; }

Q_SIGNALS:
    void pairClicked(std::int64_t first, std::int64_t second);
    void headHovered(std::optional<headscope::HeadIndex> head);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    [[nodiscard]] QRectF square() const;
    void paintScale(QPainter& painter) const;
    [[nodiscard]] std::optional<std::pair<std::int64_t, std::int64_t>> cellAt(QPointF place) const;

    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(m_heads.size()); }
    [[nodiscard]] std::int64_t headAt(std::int64_t place) const { return m_heads[static_cast<std::size_t>(place)]; }
    [[nodiscard]] std::int64_t groupAt(std::int64_t place) const;

    MatrixD m_likeness; ///< of all heads
    MatrixD m_low;      ///< intervals of it; empty: none
    MatrixD m_high;
    std::vector<std::int64_t> m_heads; ///< shown
    QString m_name;
    Stage m_stage = Stage::HeadOutput;
    ModelInfo m_info;
    viz::HeadPalette m_palette;
    QImage m_cells; ///< one pixel a cell
    std::optional<std::pair<std::int64_t, std::int64_t>> m_hovered;
    std::pair<std::int64_t, std::int64_t> m_cursor{0, 0}; ///< of the keyboard
    std::optional<HeadIndex> m_hoveredHead;
};

} // namespace headscope::ui

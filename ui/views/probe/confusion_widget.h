// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/results/probe_result.h"
#include "model/data/selection.h"
#include "viz/chart/confusion_painter.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>

namespace headscope::ui
{

class HoverCard;

/// The confusion matrix of one probe. Hover and arrow keys say what a cell holds, click and Enter choose
/// it; Shift adds its documents to those that are chosen.
class ConfusionWidget : public QWidget
{
    Q_OBJECT

public:
    using Cell = viz::ConfusionLayout::Cell;

    explicit ConfusionWidget(QWidget* parent = nullptr);

    /// Null shows nothing.
    void setResult(std::shared_ptr<const ProbeResult> result, const ModelInfo& info);
    [[nodiscard]] const std::shared_ptr<const ProbeResult>& result() const { return m_result; }
    void setValues(viz::ConfusionValues values);
    [[nodiscard]] const viz::ConfusionStyle& confusionStyle() const { return m_style; }
    void setShades(viz::ShadeScale scale);
    /// A head that another view points at: its row and column are lit.
    void setHoveredHead(std::optional<HeadIndex> head);

    [[nodiscard]] const viz::ConfusionLayout& matrix() const { return m_layout; }
    /// The cell under the pointer or the keys.
    [[nodiscard]] std::optional<Cell> cell() const { return m_cell; }
    [[nodiscard]] HoverCard* hoverCard() const { return m_card; }
    /// "head 3 taken for head 5", "head 3 recognised".
    [[nodiscard]] QString cellTitle(Cell cell) const;

    [[nodiscard]] QSize sizeHint() const override { return {420, 400}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {150, 140}; }

Q_SIGNALS:
    void cellChosen(std::int64_t truth, std::int64_t predicted, headscope::SetOperation operation);
    /// The true head of the cell under the pointer, 0-based.
    void headHovered(std::optional<headscope::HeadIndex> head);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void layOut();
    void moveTo(std::optional<Cell> cell, QPoint cardPlace);
    void choose(Cell cell, Qt::KeyboardModifiers modifiers);
    void showCard(Cell cell, QPoint place);

    std::shared_ptr<const ProbeResult> m_result;
    ModelInfo m_info;
    viz::ConfusionStyle m_style;
    viz::ConfusionLayout m_layout;
    std::optional<Cell> m_cell;
    std::optional<Cell> m_chosen;
    std::optional<HeadIndex> m_hoveredHead;
    HoverCard* m_card = nullptr;
};

} // namespace headscope::ui

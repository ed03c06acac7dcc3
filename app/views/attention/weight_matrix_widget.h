// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/pan_zoom.h"
#include "viz/attention/token_names.h"
#include "viz/attention/weight_matrix.h"
#include "viz/attention/weight_pyramid.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace headscope::ui
{

class HoverCard;

/// The weights of a head as a table. The wheel zooms, a drag moves; a click, or the arrows, choose a cell.
class WeightMatrixWidget : public QWidget
{
    Q_OBJECT

public:
    explicit WeightMatrixWidget(QWidget* parent = nullptr);

    /// Another text shows all of its cells again, another head of the same keeps zoom and place.
    void setTokens(std::shared_ptr<const viz::TokenNames> names);
    void setWeights(std::shared_ptr<const viz::WeightPyramid> weights);
    void setChosen(std::optional<viz::WeightCell> cell);
    [[nodiscard]] std::optional<viz::WeightCell> chosen() const { return m_chosen; }
    [[nodiscard]] std::optional<viz::WeightCell> hovered() const { return m_hovered; }
    [[nodiscard]] const viz::WeightMatrixLayout& table() const { return m_layout; }
    [[nodiscard]] HoverCard* hoverCard() const { return m_card; }
    void fitAll();
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, 140}; }

Q_SIGNALS:
    void cellPointed(std::optional<headscope::viz::WeightCell> cell);
    void cellChosen(std::optional<headscope::viz::WeightCell> cell);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void layOut();
    void show(const viz::MatrixWindow& window);
    void hover(std::optional<viz::WeightCell> cell, QPoint at);
    void moveChosen(int rows, int columns);

    std::shared_ptr<const viz::TokenNames> m_names;
    std::shared_ptr<const viz::WeightPyramid> m_weights;
    viz::WeightMatrixLayout m_layout;
    viz::MatrixWindow m_window; ///< its cell is 0 while everything is shown
    std::optional<viz::WeightCell> m_chosen;
    std::optional<viz::WeightCell> m_hovered;
    PointerDrag m_drag;
    HoverCard* m_card = nullptr;
};

} // namespace headscope::ui

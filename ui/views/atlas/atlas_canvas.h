// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/head_measures.h"
#include "viz/atlas/head_grid.h"
#include "viz/atlas/head_scatter.h"

#include <QPolygonF>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui
{

class HeadCard;

/// All heads of the model, as dots over two axes or as a grid of layers and heads. Hover shows a head's numbers; a
/// click chooses it; a drag picks the heads inside a lasso. Arrow keys go from head to head, Return chooses, Escape
/// unmarks.
class AtlasCanvas : public QWidget
{
    Q_OBJECT

public:
    enum class Form
    {
        Dots,
        Grid,
    };

    explicit AtlasCanvas(QWidget* parent = nullptr);

    /// Null: nothing.
    void setMeasures(std::shared_ptr<const HeadMeasures> measures);
    void setDots(viz::HeadDots dots);
    void setGrid(viz::HeadGrid grid);
    void setForm(Form form);
    [[nodiscard]] Form form() const { return m_form; }
    void setMarks(const viz::HeadMarks& marks);
    [[nodiscard]] const viz::HeadMarks& marks() const { return m_marks; }
    /// A head under the pointer somewhere else: of the layer that the window shows.
    void setHovered(std::optional<HeadPlace> head);
    /// KV group of a head for its card: "KV3"; of the dots' colours where there are any.
    void setGroupNames(std::vector<QString> names) { m_groupNames = std::move(names); }

    [[nodiscard]] const viz::HeadScatterLayout& scatter() const { return m_scatter; }
    [[nodiscard]] const viz::HeadGridLayout& grid() const { return m_grid; }
    [[nodiscard]] HeadCard* card() const { return m_card; }
    [[nodiscard]] std::optional<HeadPlace> headAt(QPointF place) const;
    [[nodiscard]] QSize minimumSizeHint() const override { return {320, 240}; }

Q_SIGNALS:
    void headClicked(const headscope::HeadPlace& head);
    void headHovered(const std::optional<headscope::HeadPlace>& head);
    /// Ascending; may be empty.
    void headsPicked(const std::vector<headscope::HeadPlace>& heads, Qt::KeyboardModifiers keys);
    void unmarkRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void layOut();
    void hover(const std::optional<HeadPlace>& head, QPoint at, bool card);
    [[nodiscard]] QPointF placeOf(const HeadPlace& head) const;
    [[nodiscard]] std::vector<HeadPlace> inside(const QPolygonF& outline) const;
    [[nodiscard]] std::optional<HeadPlace> beside(int columns, int rows) const;
    [[nodiscard]] bool empty() const;

    std::shared_ptr<const HeadMeasures> m_measures;
    viz::HeadDots m_dots;
    viz::HeadGrid m_cells;
    viz::HeadScatterLayout m_scatter;
    viz::HeadGridLayout m_grid;
    viz::HeadMarks m_marks;
    Form m_form = Form::Dots;
    HeadCard* m_card = nullptr;
    std::vector<QString> m_groupNames;
    QPolygonF m_path; ///< of a drag
    bool m_dragging = false;
};

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/heatmap/heatmap_marks.h"

#include <QPoint>
#include <QPointF>

#include <cstdint>
#include <optional>

class QContextMenuEvent;
class QHelpEvent;
class QKeyEvent;
class QMenu;
class QMouseEvent;
class QWheelEvent;

namespace headscope::ui
{

class HeatmapWidget;

/// What pointer and keys do to a HeatmapWidget: it moves the part shown, sets the marks, shows the card, and says by
/// the widget's signals what was clicked. Handlers return whether the event was theirs.
class HeatmapInput
{
public:
    /// All of them must outlive the input.
    HeatmapInput(HeatmapWidget& widget, const HeatmapStack& stack, HeatmapMarks& marks)
        : m_widget(widget), m_stack(stack), m_marks(marks)
    {}

    void move(const QMouseEvent& event);
    [[nodiscard]] bool press(const QMouseEvent& event);
    [[nodiscard]] bool release(const QMouseEvent& event);
    [[nodiscard]] bool doubleClick(const QMouseEvent& event);
    [[nodiscard]] bool turn(QWheelEvent& event);
    [[nodiscard]] bool key(const QKeyEvent& event);
    /// Names next to and under the cells say what a click does.
    [[nodiscard]] bool toolTip(const QHelpEvent& event);
    void contextMenu(const QContextMenuEvent& event);
    void leave();

    /// The pointer is at a cell, or at none.
    /// @param at  in the widget
    void hover(std::optional<HeatmapPlace> place, QPoint at);
    /// Cancels a drag: other heatmaps are shown.
    void letGo();

private:
    void drag(const QMouseEvent& event);
    void hoverAround(QPointF place);
    void click(QPointF at, Qt::KeyboardModifiers keys);
    void clickCell(const HeatmapPlace& place, Qt::KeyboardModifiers keys);
    void moveCrosshair(std::int64_t columns, std::int64_t rows);
    [[nodiscard]] bool moveKey(int key);
    void zoom(double factor, bool rows);
    void fillMenu(QMenu* menu, QPointF at);
    void addRowActions(QMenu* menu, const Heatmap& heatmap, std::int64_t row);
    void addTopicActions(QMenu* menu, const Heatmap& heatmap, std::int64_t topic);
    [[nodiscard]] QString tipAt(QPointF at) const;

    HeatmapWidget& m_widget;
    const HeatmapStack& m_stack;
    HeatmapMarks& m_marks;
    std::optional<QPointF> m_press;
    bool m_dragged = false;
};

} // namespace headscope::ui

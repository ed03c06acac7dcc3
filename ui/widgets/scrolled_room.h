// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QScrollArea;

namespace headscope::ui
{

/// Holds a widget in a scroll area, and asks for no more than the widget needs at least: a scroll area would give one
/// whose texts wrap the height that it would like to have.
class ScrolledRoom : public QWidget
{
    Q_OBJECT

public:
    /// @param inside  has a layout; is owned from now on
    explicit ScrolledRoom(QWidget* inside);

    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override { return minimumSizeHint(); }

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* m_inside;
};

/// A scroll area without a frame or a ground of its own around a widget, which is owned from now on: where the widget
/// has less than it needs at least, it scrolls, and nothing is cut off.
[[nodiscard]] QScrollArea* makeScrolled(QWidget* inside, QWidget* parent);

} // namespace headscope::ui

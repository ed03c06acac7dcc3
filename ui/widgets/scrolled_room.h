// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QDialog;
class QScrollArea;

namespace headscope::ui
{

/// Holds a widget in a scroll area, and requests only the widget's minimum size: a plain scroll area would give a
/// widget with wrapping texts its preferred height.
class ScrolledRoom : public QWidget
{
    Q_OBJECT

public:
    /// @param inside  has a layout; is owned from now on
    ScrolledRoom(QWidget* inside, QWidget* parent);

    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override { return minimumSizeHint(); }

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* m_inside;
};

/// A scroll area around a widget, without frame or background, which takes ownership: it scrolls where there is less
/// room than the widget's minimum size.
[[nodiscard]] QScrollArea* makeScrolled(QWidget* inside, QWidget* parent);

/// Up, Down, Page Up, Page Down, Home and End scroll an area wherever in its dialog the keyboard is: of one that shows
/// a picture, and has nothing to act on.
void scrollByKeys(QDialog* dialog, QScrollArea* area);

} // namespace headscope::ui

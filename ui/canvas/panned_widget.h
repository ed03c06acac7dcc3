// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/pan_zoom.h"
#include "ui/canvas/picture_widget.h"

#include <memory>

namespace headscope::ui
{

/// Shows a picture that moves: the wheel and + and - zoom, a drag moves it, Home, 0 and a double click next to the
/// items show all of it. An item is chosen when the pointer is released, and reached by arrow keys.
/// @threads GUI thread
class PannedWidget : public PictureWidget
{
    Q_OBJECT

public:
    PannedWidget(std::unique_ptr<viz::PannedPicture> picture, QWidget* parent)
        : PictureWidget(std::move(picture), parent)
    {}

Q_SIGNALS:
    /// Keys have led to an item, which may be where they were.
    void itemReached(std::size_t item);
    /// A click on no item.
    void groundClicked();

protected:
    void reach(std::size_t item, Qt::KeyboardModifiers keys) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] viz::PannedPicture& panned() const { return static_cast<viz::PannedPicture&>(shown()); }

    PointerDrag m_drag;
};

/// The widget of one kind of picture that moves.
template <class P>
class PannedOf : public PannedWidget
{
public:
    explicit PannedOf(QWidget* parent = nullptr) : PannedWidget(std::make_unique<P>(), parent) {}

    [[nodiscard]] P& picture() const { return static_cast<P&>(shown()); }
};

} // namespace headscope::ui

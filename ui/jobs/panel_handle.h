// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace headscope::ui
{

/// The edge above a panel at the window's bottom: dragged, or moved by the arrow keys, it makes the
/// panel higher or lower.
class PanelHandle : public QWidget
{
    Q_OBJECT

public:
    explicit PanelHandle(QWidget* parent = nullptr);

Q_SIGNALS:
    /// The edge is to move up by this many pixels.
    void moved(int up);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    int m_pressedAt = 0;
};

} // namespace headscope::ui

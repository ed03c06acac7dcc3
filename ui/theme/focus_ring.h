// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QRect>

class QWidget;

namespace headscope::ui
{

/// A ring in the accent colour around whatever has the keyboard, whichever kind of control it is: of a
/// row of tabs around the chosen tab. It comes with the keys (Tab, F6, a shortcut) and not with the
/// mouse, whose user knows where he has clicked. What takes no focus by itself (a page that was given the
/// keyboard for want of a control) wears none.
/// @threads GUI thread
class FocusRing : public QObject
{
    Q_OBJECT

public:
    /// A property of a widget: so many pixels at its left (names of what is beside them) stay outside the ring.
    static constexpr const char* kLeftProperty = "focusRingLeft";

    /// Watches every event of the application.
    explicit FocusRing(QObject* application);
    ~FocusRing() override;

    /// The widget that wears the ring; null when none does.
    [[nodiscard]] QWidget* target() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void show(QWidget* target);
    void hide();
    void place();

    QPointer<QWidget> m_ring;   ///< a child of the target, and gone with it
    QPointer<QWidget> m_target; ///< null: no ring
    bool m_byKeys = false;      ///< the last that the user touched was a key
};

} // namespace headscope::ui

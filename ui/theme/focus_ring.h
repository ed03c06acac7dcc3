// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QRect>

class QWidget;

namespace headscope::ui
{

/// A ring in the accent colour around the control that has the focus; in a row of tabs around the current tab. It
/// appears when the focus moved by keys (Tab, F6, a shortcut), not by the mouse. A widget that does not accept focus
/// itself (a page that got it because it has no control) has no ring.
/// @threads GUI thread
class FocusRing : public QObject
{
    Q_OBJECT

public:
    /// A property of a widget: this many pixels at its left (which hold names) stay outside the ring.
    static constexpr const char* kLeftProperty = "focusRingLeft";

    /// Watches every event of the application.
    explicit FocusRing(QObject* application);
    ~FocusRing() override;

    /// The widget with the ring; null: none.
    [[nodiscard]] QWidget* target() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void show(QWidget* target);
    void hide();
    void place();

    QPointer<QWidget> m_ring;   ///< a child of the target, and gone with it
    QPointer<QWidget> m_target; ///< null: no ring
    bool m_byKeys = false;      ///< the last input was a key
};

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QKeyEvent;

namespace headscope::ui
{

/// Whether a key belongs to a field of text while one has the focus: letters, the cursor, deleting, the clipboard,
/// undo and "all".
[[nodiscard]] bool isKeyOfFields(const QKeyEvent& press);

/// Brings the keys of the window's actions to the window although a field has the focus. A field claims every key that
/// its platform knows for editing; on X11 these are also the Emacs-like ones (Ctrl+E is the end of the line, Ctrl+K
/// deletes it), and an action with such a key would do nothing there. Shift+F10 opens the menu of what has the focus.
/// @threads GUI thread
class WindowKeys : public QObject
{
    Q_OBJECT

public:
    /// Watches what is claimed in the whole application.
    explicit WindowKeys(QObject* application);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace headscope::ui
{

/// Return and Enter press the focused button, as Space does. In a dialog they press its default button, which Qt does;
/// buttons that cannot be default are pressed there, too.
/// @threads GUI thread
class ButtonKeys : public QObject
{
    Q_OBJECT

public:
    /// Watches the buttons of the whole application.
    explicit ButtonKeys(QObject* application);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/view_stack.h"

#include <QObject>

namespace headscope::desktop
{

/// One area of the window: its view, its actions and the jobs behind them.
/// @threads GUI thread
class Controller : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// Asks its jobs to stop; what they still deliver is dropped.
    virtual void stop() = 0;
    /// Another cache takes the place of the open one: what it holds and shows of that goes, and its runs end. Jobs of
    /// Study::run have been asked to stop already; files that are being written are finished.
    virtual void leave() {}
    /// Whether a job runs that closing the window would end.
    [[nodiscard]] virtual bool busy() const = 0;

Q_SIGNALS:
    /// The view shows what was wanted of it: a result came to rest on the screen.
    void shown(headscope::ui::View view);
    /// A file was written.
    void saved(const QString& path);
};

} // namespace headscope::desktop

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/view_id.h"

#include <QObject>

namespace headscope
{
struct KeptWork;
} // namespace headscope

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
    /// What stopping its jobs would lose, in a sentence; "": nothing that is worth one.
    [[nodiscard]] virtual QString lossOfStopping() const { return {}; }

    /// Adds what would be lost with the window to the work that is kept beside the cache; of what is under way,
    /// how it looks now.
    virtual void addWork(KeptWork& /*work*/) const {}
    /// Ends what is under way as it is, so that addWork() has it: another cache takes the place of this one.
    virtual void settleWork() {}
    /// Takes what addWork() adds out of the window. It is brought back by the controller when a cache opens
    /// (OpenedCache::work).
    virtual void forgetWork() {}

Q_SIGNALS:
    /// The view shows what was wanted of it: a result came to rest on the screen.
    void shown(headscope::ui::ViewId view);
    /// A file was written.
    void saved(const QString& path);
    /// addWork() would add something else now. What changes many times a second is not told.
    void workChanged();
};

} // namespace headscope::desktop

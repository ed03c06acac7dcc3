// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/view_id.h"

#include <QJsonObject>
#include <QObject>

namespace headscope
{
struct ResultStore;
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
    /// Another cache replaces the open one: drops everything that belongs to the old cache and ends its runs. Jobs of
    /// Study::run have been asked to stop already; files that are being written are finished.
    virtual void leave() {}
    /// Whether a job runs that closing the window would end.
    [[nodiscard]] virtual bool busy() const = 0;
    /// Whether anything of it runs, also what closing the window would end without a question.
    [[nodiscard]] virtual bool works() const { return busy(); }
    /// What stopping its jobs would lose, in a sentence; "": nothing worth asking about.
    [[nodiscard]] virtual QString lossOfStopping() const { return {}; }

    /// Adds its unsaved results to the work that is kept next to the cache; of a run its current state.
    virtual void addWork(ResultStore& /*work*/) const {}
    /// Ends its runs as they are, so that addWork() includes them, before another cache replaces this one.
    virtual void settleWork() {}
    /// Removes from the window what addWork() adds. Controllers restore it when a cache opens (OpenedCache::work).
    virtual void forgetWork() {}

    /// Adds, under names of its own, what a work file is to know of it besides what every view has (choices, selection,
    /// named controls, zoom: app/desktop/work). Small values: results are computed again, or kept elsewhere.
    virtual void saveState(QJsonObject& /*state*/) const {}
    /// Puts back what saveState() added: when the cache of the work is open and its vectors are there. The values come
    /// from a file that anyone may have written: what does not fit is left out.
    virtual void restoreState(const QJsonObject& /*state*/) {}

Q_SIGNALS:
    /// A requested result is complete and on the screen.
    void shown(headscope::ui::ViewId view);
    /// A file was written.
    void saved(const QString& path);
    /// What addWork() adds has changed. Not emitted for what changes many times a second.
    void workChanged();
};

} // namespace headscope::desktop

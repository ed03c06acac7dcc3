// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/keep_work.h"
#include "app/desktop/shell/study.h"
#include "ui/jobs/job_runner.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QAction;

namespace headscope::desktop
{

class Controller;

/// Keeps the work that is in no file of its own (named sets, maps that are not stored, grids, probes, the list of
/// figures) in a file next to the cache: within a second of a change, every ten seconds while something runs, and
/// before another cache opens or the window closes. What cannot be kept is asked about then.
/// @threads GUI thread; files are written on a worker
class Autosave : public QObject
{
    Q_OBJECT

public:
    /// @param controllers  that have work; must outlive the keeper
    Autosave(Study& study, std::vector<Controller*> controllers, QObject* parent = nullptr);
    /// Writes what is not written yet, however long it takes.
    ~Autosave() override;

    /// Off: nothing is kept or restored, as for a screenshot. On by default.
    void setEnabled(bool enabled);
    /// What is kept of a cache is shown, but nothing is written, as for a figure that is made from the shell.
    void setReadOnly() { m_readOnly = true; }
    /// Whether something is not written yet.
    [[nodiscard]] bool unsaved() const;
    /// Writes what is not written yet, then continues; where it cannot be written it asks, and continues only if the
    /// work may be lost.
    /// @param leaving  text of the answer that discards the work: "Close without it"
    /// @param stay     instead of goOn, when the answer is to leave things as they are (may be empty)
    void keepBefore(const QString& leaving, std::function<void()> goOn, std::function<void()> stay = {});
    /// What is kept of the open cache: "3 named sets and 2 maps"; "": nothing.
    [[nodiscard]] QString keptText() const;
    /// Asks, then takes all of it away: from the window and from the disk.
    void askToForget();

Q_SIGNALS:
    /// The work is in this file now; empty: there is none to keep.
    void kept(const QString& file);
    void keepFailed(const headscope::Error& error);

private:
    /// One state of the work on one cache, to be written.
    struct Request
    {
        std::shared_ptr<CacheReader> reader;
        ResultStore work;
        WorkPlaces places;
        std::shared_ptr<WorkBook> book; ///< of the worker, while it writes
    };
    struct Written;

    void leaveCache(OpenedCache& next);
    void onCacheOpened();
    void noteChange();
    void watchRuns();
    [[nodiscard]] std::optional<WorkPlaces> placesOf(const QString& path) const;
    [[nodiscard]] Request request() const;
    void write();
    void writeAgain();
    void writeNext();
    /// @threads to be called on a worker
    [[nodiscard]] static Written writeWork(const Request& request);
    void finishWrite(Written written);
    void tellPlace(const std::filesystem::path& file, const std::optional<Error>& besideFailed, const Request& request);
    void tellFailure(const Error& error, const Request& request);
    /// Under what name its failures are among the notices.
    [[nodiscard]] static QString jobOf(const Request& request);
    void settle();
    void askWhatToDo();
    void askWhere(const Request& lost, const std::function<void()>& goOn);

    Study& m_study;
    std::vector<Controller*> m_controllers;
    QAction* m_forget = nullptr;
    bool m_enabled = true;
    bool m_readOnly = false;
    bool m_dirty = false;             ///< changed since it was gathered last
    bool m_writing = false;           ///< the first of m_waiting
    bool m_letGo = false;             ///< by the user: the work on the open cache may be lost
    bool m_toldPlace = false;         ///< the user was told that this cache's work is kept elsewhere
    std::shared_ptr<WorkBook> m_book; ///< of the open cache
    std::deque<Request> m_waiting;    ///< the first is being written while m_writer runs
    std::deque<Request> m_failed;     ///< of caches that were open before
    QString m_failure;                ///< of the last attempt; "" it went well
    std::function<void()> m_goOn;     ///< called when everything is written
    std::function<void()> m_stay;     ///< called instead when the user decides to stay
    QString m_leaving;
    QTimer m_soon;  ///< after a change
    QTimer m_runs;  ///< while something runs
    QTimer m_again; ///< after a failure
    QElapsedTimer m_sinceWrite;
    qint64 m_writeMs = 0; ///< what the last write took
    std::unique_ptr<ui::JobRunner> m_writer;
};

/// "3 named sets, 2 maps and 6 probes"; "" without any.
[[nodiscard]] QString workText(const ResultStore& work);
/// Whether it is a single set, map, grid or probe: sentences about it speak of one.
[[nodiscard]] bool isOneThing(const ResultStore& work);

} // namespace headscope::desktop

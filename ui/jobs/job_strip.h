// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "ui/models/job_list_model.h"

#include <QFrame>
#include <QHash>
#include <QString>

#include <cstdint>

class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace headscope::ui
{

class ElidedLabel;
class JobPanel;

/// One running job: what it does, how far it is, how long it still takes, and its buttons. Everything set on a row is
/// also kept in the list of jobs, which the panel shows.
class JobRow : public QWidget
{
    Q_OBJECT

public:
    /// @param jobs  the list that keeps the job; must outlive the row
    JobRow(JobListModel& jobs, const QString& title, bool canPause, QWidget* parent = nullptr);

    void setProgress(const Progress& progress);
    void setPaused(bool paused);
    /// The `headscope VERB …` that does the same; the panel offers to copy it.
    void setCommandLine(const QString& commandLine);
    /// Lines of this job, for its own log.
    void addLog(const QString& lines);
    /// Why the job failed; to be set before its end.
    void setError(const QString& sentence);
    /// What the job has made, in a few words; to be set before its end.
    void setResult(const QString& result);

    /// As the buttons do.
    void requestCancel();
    void requestPause(bool pause);

    [[nodiscard]] std::uint64_t id() const { return m_id; }
    [[nodiscard]] bool cancelWasRequested() const { return m_cancelRequested; }
    [[nodiscard]] const QString& error() const { return m_error; }

Q_SIGNALS:
    void cancelRequested();
    void pauseRequested(bool pause);

private:
    JobListModel& m_jobs;
    std::uint64_t m_id = 0;
    QString m_error;
    ElidedLabel* m_title = nullptr;
    QProgressBar* m_bar = nullptr;
    ElidedLabel* m_numbers = nullptr;
    QPushButton* m_pause = nullptr;
    QPushButton* m_cancel = nullptr;
    bool m_paused = false;
    bool m_cancelRequested = false;
};

/// The running jobs, and the panel with every job of this session and the log. The newest running job is a row that the
/// window shows in its status line, which has its height always: a job that begins or ends moves nothing.
class JobStrip : public QFrame
{
    Q_OBJECT

public:
    /// Value of afterMs for begin(): the job is listed in the panel only, because its view shows the progress.
    static constexpr int kPanelOnly = -1;

    explicit JobStrip(QWidget* parent = nullptr);

    /// Shows a job. `key` names it; a second begin of the same key replaces the row.
    /// @param afterMs  the row appears after so long, so that short jobs do not flicker
    JobRow* begin(const QString& key, const QString& title, bool canPause = false, int afterMs = 0);
    /// The row of a running job, or null.
    [[nodiscard]] JobRow* row(const QString& key) const;
    /// The job has ended: failed if an error was set, cancelled if that was asked for, else done.
    void end(const QString& key);
    void end(const QString& key, JobState state);
    [[nodiscard]] qsizetype runningCount() const { return m_rows.size(); }

    /// As the button of the job's row; nothing happens for one that has ended.
    void cancel(std::uint64_t id);
    /// Every job of this session.
    [[nodiscard]] JobListModel& jobs() { return *m_jobs; }
    [[nodiscard]] JobPanel& panel() { return *m_panel; }
    /// The row of the newest running job and how many more there are; the window puts it where it has a place of its
    /// own. Hidden while nothing runs, and while the panel, which lists the jobs, is shown.
    [[nodiscard]] QWidget* running() { return m_running; }
    void setPanelShown(bool shown);
    [[nodiscard]] bool panelShown() const;

    /// Adds lines to the log; the newest 2,000 are kept.
    void addLog(const QString& lines);
    [[nodiscard]] QString logText() const;
    /// Shows the panel with the log of all jobs.
    void setLogShown(bool shown);
    [[nodiscard]] bool logShown() const;

Q_SIGNALS:
    void panelShownChanged(bool shown);
    /// running() has appeared or gone.
    void runningShownChanged();

private:
    void refresh();
    [[nodiscard]] JobRow* rowOf(std::uint64_t id) const;

    QWidget* m_running = nullptr;
    QToolButton* m_others = nullptr; ///< how many jobs run besides the one of the row
    JobListModel* m_jobs = nullptr;
    JobPanel* m_panel = nullptr;
    QHash<QString, JobRow*> m_rows;
};

} // namespace headscope::ui

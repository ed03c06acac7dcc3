// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"

#include <QAbstractTableModel>
#include <QDateTime>
#include <QElapsedTimer>
#include <QMetaType>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <vector>

namespace headscope::ui
{

/// Where a job is in its life.
enum class JobState
{
    Running,
    Paused,
    Stopping, ///< asked to stop, and still at work
    Done,
    Cancelled,
    Failed,
};

/// "Running", "Failed", ... for people.
[[nodiscard]] QString jobStateText(JobState state);
/// Whether the job still holds a worker.
[[nodiscard]] constexpr bool isActive(JobState state)
{
    return state == JobState::Running || state == JobState::Paused || state == JobState::Stopping;
}

/// One job of this session.
struct JobRecord
{
    std::uint64_t id = 0; ///< given by the model, never used twice
    QString title;
    JobState state = JobState::Running;
    bool canPause = false;
    Progress progress;
    QString commandLine;     ///< the `headscope VERB …` that does the same; may be empty
    QString error;           ///< the sentence of a failed job
    QString result;          ///< what a job that is done has made; may be empty
    QStringList log;         ///< its own lines, the newest 500
    std::int64_t logged = 0; ///< how many lines it ever wrote
    QElapsedTimer clock;     ///< since it began
    QDateTime began;         ///< local time
    QDateTime ended;
    double seconds = 0; ///< how long it ran, once it has ended
};

/// Every running and finished job of this session, the newest first.
///
/// Changes come from the JobStrip; the model only keeps and words them. Of finished jobs the newest
/// 200 are kept.
/// @threads GUI thread
class JobListModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        Title,
        State,
        Done, ///< share done as a bar, numbers as text; of a job that is done what it made
        Rate,
        TimeLeft,
        Elapsed,
        Columns,
    };
    enum Role
    {
        StateRole = Qt::UserRole, ///< JobState as int
        ShareRole,                ///< done / total, 0 to 1; negative when not known
    };

    explicit JobListModel(QObject* parent = nullptr);

    /// Puts a job on top and starts its clock.
    /// @return  the job's id, which the other functions take
    std::uint64_t begin(const QString& title, bool canPause = false);
    void setProgress(std::uint64_t id, const Progress& progress);
    /// Running, Paused or Stopping; a job that has ended stays ended.
    void setState(std::uint64_t id, JobState state);
    void setCommandLine(std::uint64_t id, const QString& commandLine);
    void addLog(std::uint64_t id, const QString& lines);
    /// What the job has made: "4,000 documents"; it is where its progress stood.
    void setResult(std::uint64_t id, const QString& result);
    /// The job has ended as Done, Cancelled or Failed; stops its clock.
    void end(std::uint64_t id, JobState state, const QString& error = {});

    /// Forgets every job that has ended.
    void clearEnded();
    /// Refreshes the times of running jobs.
    void tick();

    /// Null for an unknown id; valid until the model changes.
    [[nodiscard]] const JobRecord* job(std::uint64_t id) const;
    /// The job of a row; the index must be valid.
    [[nodiscard]] const JobRecord& job(const QModelIndex& index) const;
    /// Of the newest job that failed with this error; "" where none did.
    [[nodiscard]] QString titleOfFailure(const QString& error) const;
    [[nodiscard]] QModelIndex indexOf(std::uint64_t id) const;
    [[nodiscard]] int activeCount() const;
    [[nodiscard]] int endedCount() const { return rowCount() - activeCount(); }
    /// Seconds since the job began, or how long it ran.
    [[nodiscard]] static double elapsed(const JobRecord& job);
    /// "Done · began 14:03:20 · ended 14:03:22 · took 1.8 s · 4,000 documents".
    [[nodiscard]] static QString summary(const JobRecord& job);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

Q_SIGNALS:
    /// A job ended just now.
    void ended(const headscope::ui::JobRecord& job);

private:
    [[nodiscard]] JobRecord* find(std::uint64_t id);
    [[nodiscard]] QString text(const JobRecord& job, int column) const;
    void changed(std::uint64_t id);
    void forgetOldest();

    std::vector<JobRecord> m_jobs; ///< newest first
    std::uint64_t m_nextId = 1;
};

} // namespace headscope::ui

Q_DECLARE_METATYPE(headscope::ui::JobRecord)

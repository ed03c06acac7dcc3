// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/job_list_model.h"

#include "model/base/assert.h"
#include "ui/words/wording.h"

#include <QLocale>

#include <algorithm>

namespace headscope::ui
{
namespace
{

constexpr qsizetype kLogLines = 500;
constexpr int kEndedJobs = 200;
constexpr double kMsPerSecond = 1000;

/// Short times to the tenth: most jobs take no longer.
QString tookText(double seconds)
{
    constexpr double kShort = 10;
    constexpr double kLeast = 0.05;
    if (seconds < kLeast)
        return JobListModel::tr("< 0.1 s");
    return seconds < kShort ? JobListModel::tr("%1 s").arg(QLocale().toString(seconds, 'f', 1)) : durationText(seconds);
}

QString doneText(const Progress& progress)
{
    if (progress.total == 0 && progress.done == 0)
        return toQString(progress.stage);
    QString text = countText(static_cast<std::int64_t>(progress.done));
    if (progress.total > 0)
        text += QStringLiteral(" / ") % countText(static_cast<std::int64_t>(progress.total));
    if (!progress.unit.empty())
        text += QChar(u' ') % toQString(progress.unit);
    return text;
}

} // namespace

QString jobStateText(JobState state)
{
    switch (state)
    {
    case JobState::Running:
        return JobListModel::tr("Running");
    case JobState::Paused:
        return JobListModel::tr("Paused");
    case JobState::Stopping:
        return JobListModel::tr("Stopping");
    case JobState::Done:
        return JobListModel::tr("Done");
    case JobState::Cancelled:
        return JobListModel::tr("Cancelled");
    case JobState::Failed:
        return JobListModel::tr("Failed");
    }
    return {};
}

JobListModel::JobListModel(QObject* parent) : QAbstractTableModel(parent) {}

std::uint64_t JobListModel::begin(const QString& title, bool canPause)
{
    JobRecord job;
    job.id = m_nextId++;
    job.title = title;
    job.canPause = canPause;
    job.clock.start();
    job.began = QDateTime::currentDateTime();
    beginInsertRows({}, 0, 0);
    m_jobs.insert(m_jobs.begin(), std::move(job));
    endInsertRows();
    return m_jobs.front().id;
}

void JobListModel::setProgress(std::uint64_t id, const Progress& progress)
{
    JobRecord* job = find(id);
    if (job == nullptr || !isActive(job->state))
        return;
    // Its stages are the log that every job has.
    const bool otherStage = !progress.stage.empty() && progress.stage != job->progress.stage;
    job->progress = progress;
    if (otherStage)
        return addLog(id, toQString(progress.stage));
    changed(id);
}

void JobListModel::setState(std::uint64_t id, JobState state)
{
    HEADSCOPE_ASSERT(isActive(state));
    JobRecord* job = find(id);
    if (job == nullptr || !isActive(job->state) || job->state == state)
        return;
    job->state = state;
    changed(id);
}

void JobListModel::setCommandLine(std::uint64_t id, const QString& commandLine)
{
    if (JobRecord* job = find(id))
    {
        job->commandLine = commandLine;
        changed(id);
    }
}

void JobListModel::addLog(std::uint64_t id, const QString& lines)
{
    JobRecord* job = find(id);
    if (job == nullptr)
        return;
    const QStringList more = lines.split(u'\n');
    job->log << more;
    job->logged += more.size();
    if (job->log.size() > kLogLines)
        job->log.remove(0, job->log.size() - kLogLines);
    changed(id);
}

void JobListModel::setResult(std::uint64_t id, const QString& result)
{
    if (JobRecord* job = find(id))
    {
        job->result = result;
        changed(id);
    }
}

void JobListModel::end(std::uint64_t id, JobState state, const QString& error)
{
    HEADSCOPE_ASSERT(!isActive(state));
    JobRecord* job = find(id);
    if (job == nullptr || !isActive(job->state))
        return;
    job->seconds = elapsed(*job);
    job->ended = QDateTime::currentDateTime();
    job->state = state;
    job->error = error;
    changed(id);
    const JobRecord ended = *job; // who hears of it may change the list
    forgetOldest();
    Q_EMIT this->ended(ended);
}

void JobListModel::clearEnded()
{
    for (int row = rowCount() - 1; row >= 0; --row)
    {
        if (isActive(m_jobs[static_cast<std::size_t>(row)].state))
            continue;
        beginRemoveRows({}, row, row);
        m_jobs.erase(m_jobs.begin() + row);
        endRemoveRows();
    }
}

void JobListModel::forgetOldest()
{
    int surplus = endedCount() - kEndedJobs;
    for (int row = rowCount() - 1; row >= 0 && surplus > 0; --row)
    {
        if (isActive(m_jobs[static_cast<std::size_t>(row)].state))
            continue;
        beginRemoveRows({}, row, row);
        m_jobs.erase(m_jobs.begin() + row);
        endRemoveRows();
        --surplus;
    }
}

void JobListModel::tick()
{
    for (int row = 0; row < rowCount(); ++row)
        if (isActive(m_jobs[static_cast<std::size_t>(row)].state))
            Q_EMIT dataChanged(index(row, Elapsed), index(row, Elapsed), {Qt::DisplayRole});
}

const JobRecord* JobListModel::job(std::uint64_t id) const
{
    const auto found = std::ranges::find(m_jobs, id, &JobRecord::id);
    return found == m_jobs.end() ? nullptr : &*found;
}

const JobRecord& JobListModel::job(const QModelIndex& index) const
{
    HEADSCOPE_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    return m_jobs[static_cast<std::size_t>(index.row())];
}

JobRecord* JobListModel::find(std::uint64_t id)
{
    const auto found = std::ranges::find(m_jobs, id, &JobRecord::id);
    return found == m_jobs.end() ? nullptr : &*found;
}

QString JobListModel::titleOfFailure(const QString& error) const
{
    const auto failed = std::ranges::find_if(
        m_jobs, [&error](const JobRecord& job) { return job.state == JobState::Failed && job.error == error; });
    return failed == m_jobs.end() ? QString() : failed->title;
}

QModelIndex JobListModel::indexOf(std::uint64_t id) const
{
    const auto found = std::ranges::find(m_jobs, id, &JobRecord::id);
    return found == m_jobs.end() ? QModelIndex() : index(static_cast<int>(found - m_jobs.begin()), Title);
}

int JobListModel::activeCount() const
{
    return static_cast<int>(std::ranges::count_if(m_jobs, [](const JobRecord& job) { return isActive(job.state); }));
}

double JobListModel::elapsed(const JobRecord& job)
{
    return isActive(job.state) ? static_cast<double>(job.clock.elapsed()) / kMsPerSecond : job.seconds;
}

QString JobListModel::summary(const JobRecord& job)
{
    const auto timeOf = [](const QDateTime& time) { return time.toString(QStringLiteral("HH:mm:ss")); };
    QStringList parts{jobStateText(job.state), tr("started %1").arg(timeOf(job.began))};
    if (!isActive(job.state))
        parts << tr("finished %1").arg(timeOf(job.ended)) << tr("took %1").arg(tookText(job.seconds));
    if (job.state == JobState::Done && !job.result.isEmpty())
        parts << job.result;
    return parts.join(QStringLiteral(" · "));
}

int JobListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_jobs.size());
}

int JobListModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : Columns;
}

QString JobListModel::text(const JobRecord& job, int column) const
{
    const bool running = job.state == JobState::Running;
    switch (column)
    {
    case Title:
        return job.title;
    case State:
        return jobStateText(job.state);
    case Done:
        // Where it stood last says nothing of what is done: phases count anew.
        return job.state == JobState::Done ? job.result : doneText(job.progress);
    case Rate:
        return running && job.progress.done > 0 ? rateText(job.progress.rate, QString()) : QString();
    case TimeLeft:
        return running && job.progress.done < job.progress.total ? durationText(job.progress.eta) : QString();
    case Elapsed:
        return isActive(job.state) ? durationText(elapsed(job)) : tookText(job.seconds);
    default:
        return {};
    }
}

QVariant JobListModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const JobRecord& record = job(index);
    const bool isNumber = index.column() == Rate || index.column() == TimeLeft || index.column() == Elapsed;
    switch (role)
    {
    case Qt::DisplayRole:
        return text(record, index.column());
    case Qt::ToolTipRole:
        return record.error.isEmpty() ? record.title : record.error;
    case Qt::AccessibleTextRole:
        return QString(headerData(index.column(), Qt::Horizontal).toString() % QStringLiteral(": ") %
                       text(record, index.column()));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    case StateRole:
        return static_cast<int>(record.state);
    case ShareRole:
        if (record.state == JobState::Done)
            return 1.0;
        if (record.progress.total == 0)
            return -1.0;
        return static_cast<double>(std::min(record.progress.done, record.progress.total)) /
               static_cast<double>(record.progress.total);
    default:
        return {};
    }
}

QVariant JobListModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment((section >= Rate ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    switch (section)
    {
    case Title:
        return tr("Job");
    case State:
        return tr("State");
    case Done:
        return tr("Progress");
    case Rate:
        return tr("Rate");
    case TimeLeft:
        return tr("Time left");
    case Elapsed:
        return tr("Elapsed");
    default:
        return {};
    }
}

void JobListModel::changed(std::uint64_t id)
{
    const QModelIndex first = indexOf(id);
    Q_EMIT dataChanged(first, index(first.row(), Columns - 1));
}

} // namespace headscope::ui

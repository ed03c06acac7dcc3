// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/job_runner.h"

namespace headscope::ui
{

JobRunner::JobRunner(QObject* parent) : QObject(parent) {}

JobRunner::~JobRunner()
{
    m_stop.request_stop();
    ++m_generation;
}

void JobRunner::cancel()
{
    if (!m_current)
        return;
    supersede();
    m_current = false;
    Q_EMIT cancelled();
}

void JobRunner::requestStop()
{
    m_stop.request_stop();
}

void JobRunner::supersede()
{
    m_stop.request_stop();
    ++m_generation;
}

Error JobRunner::noThread()
{
    return {ErrorCode::Resource,
            "no thread could be started: too many threads are running, or memory is low; close other programs and try "
            "again",
            {},
            {}};
}

bool JobRunner::enqueue(std::uint64_t id, std::function<void(JobContext&)> work)
{
    m_stop = std::stop_source{};
    m_current = true;
    ++m_unfinished;
    const bool begun = m_thread.start([this, id, stop = m_stop.get_token(), work = std::move(work)]() mutable {
        {
            JobContext context(stop, [this, id](const Progress& progress) { publish(id, progress); });
            work(context);
        }
        work = nullptr;
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (--m_unfinished == 0)
                    Q_EMIT idle();
            },
            Qt::QueuedConnection);
    });
    Q_EMIT started();
    if (!begun)
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (--m_unfinished == 0)
                    Q_EMIT idle();
            },
            Qt::QueuedConnection);
    return begun;
}

void JobRunner::post(std::uint64_t id, std::function<void()> deliver)
{
    QMetaObject::invokeMethod(
        this,
        [this, id, deliver = std::move(deliver)] {
            if (id != m_generation)
                return;
            m_current = false;
            deliver();
            // onDone may have started the next job.
            if (id == m_generation)
                Q_EMIT finished();
        },
        Qt::QueuedConnection);
}

void JobRunner::publish(std::uint64_t id, const Progress& progress)
{
    {
        const std::lock_guard lock(m_progressMutex);
        m_progress = progress;
        m_progressOwner = id;
        if (std::exchange(m_progressPending, true))
            return;
    }
    QMetaObject::invokeMethod(
        this, [this] { takeProgress(); }, Qt::QueuedConnection);
}

void JobRunner::takeProgress()
{
    Progress progress;
    std::uint64_t owner = 0;
    {
        const std::lock_guard lock(m_progressMutex);
        progress = m_progress;
        owner = m_progressOwner;
        m_progressPending = false;
    }
    if (m_current && owner == m_generation)
        Q_EMIT progressed(progress);
}

} // namespace headscope::ui

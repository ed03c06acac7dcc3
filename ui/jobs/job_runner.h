// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/base/thrown_error.h"
#include "ui/jobs/worker_thread.h"

#include <QObject>

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>

namespace headscope::ui
{

/// Runs `job(context)` and turns whatever it throws into an Error: no exception may pass through Qt.
template <class T, class Job>
[[nodiscard]] Result<T> runGuarded(Job& job, JobContext& context) noexcept
{
    try
    {
        return job(context);
    }
    catch (...)
    {
        return thrownError();
    }
}

/// Runs one background job at a time; the newest request wins.
///
/// Jobs run on one thread of their own that is kept for the runner's life (OpenMP keeps a team of
/// workers per calling thread). start() asks the running job to stop and queues the new one;
/// results, progress and errors of a superseded or cancelled job vanish. Where the system gives no
/// thread the job ends with an error (Resource). The destructor asks the job to stop and waits for it.
/// @threads all members on the GUI thread; the job on the runner's own thread; onDone on the GUI
///          thread
class JobRunner : public QObject
{
    Q_OBJECT

public:
    explicit JobRunner(QObject* parent = nullptr);
    ~JobRunner() override;

    /// Runs `job(JobContext&) -> Result<T>` and hands its result to `onDone(Result<T>)`.
    template <class T, class Job, class OnDone>
    requires std::invocable<Job&, JobContext&> && std::invocable<OnDone&, Result<T>>
    void start(Job job, OnDone onDone)
    {
        supersede();
        const std::uint64_t id = m_generation;
        auto shared = std::make_shared<Job>(std::move(job));
        auto done = std::make_shared<OnDone>(std::move(onDone));
        const bool begun = enqueue(id, [this, id, shared, done](JobContext& context) mutable {
            auto result = std::make_shared<Result<T>>(runGuarded<T>(*shared, context));
            shared.reset(); // what the job holds is released on its own thread
            post(id, [this, result, done] {
                if (!*result)
                    Q_EMIT failed(result->error());
                (*done)(std::move(*result));
            });
        });
        if (!begun)
            post(id, [this, done] {
                Q_EMIT failed(noThread());
                (*done)(noThread());
            });
    }

    /// Asks the job to stop and drops whatever it still delivers. cancelled() follows when it ran.
    void cancel();
    /// Asks the job to stop; its result (a part of the work, or Cancelled) is still delivered.
    void requestStop();

    /// Whether a job is wanted: started, and neither done nor cancelled.
    [[nodiscard]] bool running() const { return m_current; }
    /// Whether the thread still works, be it on a cancelled job that has not yet noticed.
    [[nodiscard]] bool busy() const { return m_unfinished > 0; }

Q_SIGNALS:
    void started();
    /// The newest progress of the running job; never of a cancelled one.
    void progressed(const headscope::Progress& progress);
    /// The running job delivers an error (before onDone); of a job stopped by requestStop() perhaps
    /// Cancelled.
    void failed(const headscope::Error& error);
    /// The running job delivered its result (after onDone).
    void finished();
    /// The running job was cancelled by cancel().
    void cancelled();
    /// The thread has nothing left to do.
    void idle();

private:
    void supersede();
    /// false: the system gives no thread
    [[nodiscard]] bool enqueue(std::uint64_t id, std::function<void(JobContext&)> work);
    [[nodiscard]] static Error noThread();
    void post(std::uint64_t id, std::function<void()> deliver);
    void publish(std::uint64_t id, const Progress& progress);
    void takeProgress();

    std::stop_source m_stop;
    std::uint64_t m_generation = 0;
    int m_unfinished = 0;
    bool m_current = false;

    std::mutex m_progressMutex;
    Progress m_progress;               ///< guarded by m_progressMutex
    std::uint64_t m_progressOwner = 0; ///< guarded by m_progressMutex
    bool m_progressPending = false;    ///< guarded by m_progressMutex

    WorkerThread m_thread; ///< last: it ends before what its tasks use
};

} // namespace headscope::ui

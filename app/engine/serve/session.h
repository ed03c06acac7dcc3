// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/engine/serve/replies.h"
#include "model/base/job_context.h"
#include "model/base/result.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace headscope::engine
{

/// What a job brings besides its result.
struct JobOutcome
{
    Result<std::string> result; ///< JSON
    std::vector<std::string> notices = {};
};

/// Work behind a request. The context's progress goes to the request's id.
using JobWork = std::function<JobOutcome(JobContext& job)>;

/// The jobs of `serve`, one after another on a thread of their own, and what happens when there are none for long.
/// @threads all functions but the destructor from any; both callbacks come from the thread of the jobs
class Session
{
public:
    /// Requests that may wait; more are refused.
    static constexpr std::size_t kMaxWaiting = 64;

    /// @param idleAfter  without a job
    /// @param onIdle     once then
    /// @param onRest     whenever no job is left
    Session(Replies& replies, std::chrono::milliseconds idleAfter, std::function<void()> onIdle,
            std::function<void()> onRest);
    /// Stops all jobs and waits for the one that runs.
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// @param id  as JSON
    /// @errors WrongUse (an id that is not answered yet), Resource (busy: too many wait)
    [[nodiscard]] Status submit(const std::string& id, JobWork work);
    /// Asks a job to stop: it is answered by an error of code Cancelled.
    /// @return  "running" or "waiting", which it was
    /// @errors InvalidArgument (no such job, or it is answered)
    [[nodiscard]] Result<std::string> cancel(const std::string& id);
    /// The same of every job.
    void cancelAll();
    [[nodiscard]] bool rests();

private:
    struct Job
    {
        std::string id;
        JobWork work;
        std::stop_source stop;
    };

    void work();
    [[nodiscard]] JobOutcome runJob(Job& job);
    Job* takeNext();
    void answerCancelled(const std::list<Job>& jobs);

    Replies& m_replies;
    std::chrono::milliseconds m_idleAfter;
    std::function<void()> m_onIdle;
    std::function<void()> m_onRest;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::list<Job> m_jobs; ///< the first one runs, where m_running
    bool m_running = false;
    bool m_ending = false;
    std::thread m_thread;
};

} // namespace headscope::engine

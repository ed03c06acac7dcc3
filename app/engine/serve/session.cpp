// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/serve/session.h"

#include "model/base/thrown_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace headscope::engine
{

Session::Session(Replies& replies, std::chrono::milliseconds idleAfter, std::function<void()> onIdle,
                 std::function<void()> onRest)
    : m_replies(replies), m_idleAfter(idleAfter), m_onIdle(std::move(onIdle)), m_onRest(std::move(onRest)),
      m_thread([this] { work(); })
{}

Session::~Session()
{
    cancelAll();
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

Status Session::submit(const std::string& id, JobWork work)
{
    {
        const std::lock_guard lock(m_mutex);
        if (std::any_of(m_jobs.begin(), m_jobs.end(), [&](const Job& job) { return job.id == id; }))
            return Error{
                ErrorCode::WrongUse,
                fmt::format("expected a new id, found {}, the id of a request that has not been answered yet", id),
                {},
                "id"};
        if (m_jobs.size() > kMaxWaiting)
            return Error{
                ErrorCode::Resource, fmt::format("busy: {} requests are waiting already", kMaxWaiting), {}, {}};
        m_jobs.push_back({id, std::move(work), {}});
    }
    m_changed.notify_all();
    return {};
}

Result<std::string> Session::cancel(const std::string& id)
{
    std::list<Job> ended;
    {
        const std::lock_guard lock(m_mutex);
        const auto job = std::find_if(m_jobs.begin(), m_jobs.end(), [&](const Job& each) { return each.id == id; });
        if (job == m_jobs.end())
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected the id of a request that has not been answered yet, found {}", id),
                         {},
                         "params.request"};
        job->stop.request_stop();
        if (m_running && job == m_jobs.begin())
            return std::string("running");
        ended.splice(ended.end(), m_jobs, job);
    }
    answerCancelled(ended);
    return std::string("waiting");
}

void Session::cancelAll()
{
    std::list<Job> ended;
    {
        const std::lock_guard lock(m_mutex);
        auto waiting = m_jobs.begin();
        if (m_running)
        {
            waiting->stop.request_stop();
            ++waiting;
        }
        ended.splice(ended.end(), m_jobs, waiting, m_jobs.end());
    }
    answerCancelled(ended);
}

void Session::answerCancelled(const std::list<Job>& jobs)
{
    for (const Job& job : jobs)
        m_replies.error(job.id, JobContext::cancelled());
}

bool Session::rests()
{
    const std::lock_guard lock(m_mutex);
    return m_jobs.empty();
}

JobOutcome Session::runJob(Job& job)
{
    JobContext context(job.stop.get_token(),
                       [this, &job](const Progress& progress) { m_replies.progress(job.id, progress); });
    JobOutcome outcome{JobContext::cancelled()};
    if (!context.stopRequested())
    {
        try
        {
            outcome = job.work(context);
        }
        catch (...)
        {
            outcome = {thrownError("unexpected failure: ")};
        }
    }
    // Once a stop was asked for, whatever went wrong went wrong because of it.
    if (!outcome.result && context.stopRequested() && outcome.result.error().code != ErrorCode::Internal)
        outcome.result = JobContext::cancelled();
    return outcome;
}

Session::Job* Session::takeNext()
{
    std::unique_lock lock(m_mutex);
    const auto wanted = [this] { return m_ending || !m_jobs.empty(); };
    if (!m_changed.wait_for(lock, m_idleAfter, wanted))
    {
        lock.unlock();
        m_onIdle();
        lock.lock();
        m_changed.wait(lock, wanted);
    }
    m_running = !m_jobs.empty();
    return m_running ? &m_jobs.front() : nullptr;
}

void Session::work()
{
    while (Job* const job = takeNext())
    {
        const JobOutcome outcome = runJob(*job);
        std::list<Job> ended; // its id is free before its answer is read
        {
            const std::lock_guard lock(m_mutex);
            ended.splice(ended.end(), m_jobs, m_jobs.begin());
            m_running = false;
        }
        if (outcome.result)
            m_replies.result(ended.front().id, *outcome.result, outcome.notices);
        else
            m_replies.error(ended.front().id, outcome.result.error(), outcome.notices);
        if (rests())
            m_onRest();
    }
}

} // namespace headscope::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>

namespace headscope
{

/// How far a job is. `total` 0 means not known; then only `done` counts up.
struct Progress
{
    std::string stage; ///< what is being done, for people: "reading weights"
    std::uint64_t done = 0;
    std::uint64_t total = 0;
    std::string unit;   ///< what done and total count: "documents", "iterations"
    double rate = 0;    ///< units per second in this stage
    double seconds = 0; ///< since the job began
    double eta = -1;    ///< seconds left in this stage; negative when not known
};

using ProgressSink = std::function<void(const Progress&)>;

/// What every long function takes last: a question (should I stop?) and a place to report to.
///
/// Workers poll stopRequested() at least every 50 ms of work and return cancelled(). Reports that
/// change the share done by less than 0.1% are dropped, unless the stage changes or ends.
/// @threads stopRequested() from any thread; report() from one at a time
class JobContext
{
public:
    /// A job that reports nothing and is never stopped.
    JobContext() = default;
    /// @param heard  set once the work was told that it shall stop: whoever waits for its end knows that it comes
    explicit JobContext(std::stop_token stop, ProgressSink sink = {}, std::atomic<bool>* heard = nullptr);
    JobContext(const JobContext&) = delete;
    JobContext& operator=(const JobContext&) = delete;

    [[nodiscard]] bool stopRequested() const
    {
        if (!m_stop.stop_requested())
            return false;
        if (m_heard != nullptr)
            m_heard->store(true, std::memory_order_relaxed);
        return true;
    }
    [[nodiscard]] std::stop_token stopToken() const { return m_stop; }
    /// The error a stopped function returns.
    [[nodiscard]] static Error cancelled();
    /// cancelled() when a stop was requested, else success.
    [[nodiscard]] Status checkStop() const;

    void report(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit = {});

private:
    using Clock = std::chrono::steady_clock;

    std::stop_token m_stop;
    ProgressSink m_sink;
    std::atomic<bool>* m_heard = nullptr;
    std::mutex m_mutex;
    Progress m_last;
    Clock::time_point m_start = Clock::now();
    Clock::time_point m_stageStart = m_start;
};

} // namespace headscope

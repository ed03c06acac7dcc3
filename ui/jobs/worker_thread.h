// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace headscope::ui
{

/// One thread that does tasks in the order they come, started by the first of them and kept until the end. QThreadPool
/// would do but for one thing: where the system gives it no thread it believes to have one, and waits for it for ever.
/// @threads start() and the destructor on one thread
class WorkerThread
{
public:
    WorkerThread() = default;
    WorkerThread(const WorkerThread&) = delete;
    WorkerThread& operator=(const WorkerThread&) = delete;
    /// Does what is still queued, and waits for it.
    ~WorkerThread();

    /// @param task  throws nothing
    /// @return false where the system gives no thread or no memory: the task is dropped, and a later one may try again
    [[nodiscard]] bool start(std::function<void()> task);

private:
    void work();

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<std::function<void()>> m_tasks; ///< guarded by m_mutex
    bool m_ending = false;                     ///< guarded by m_mutex
    std::thread m_thread;
};

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/worker_thread.h"

#include <new>
#include <system_error>
#include <utility>

namespace headscope::ui
{

WorkerThread::~WorkerThread()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
    }
    m_changed.notify_one();
    if (m_thread.joinable())
        m_thread.join();
}

bool WorkerThread::start(std::function<void()> task)
{
    try
    {
        if (!m_thread.joinable())
            m_thread = std::thread([this] { work(); });
        const std::lock_guard lock(m_mutex);
        m_tasks.push_back(std::move(task));
    }
    catch (const std::system_error&)
    {
        return false;
    }
    catch (const std::bad_alloc&)
    {
        return false;
    }
    m_changed.notify_one();
    return true;
}

void WorkerThread::work()
{
    std::unique_lock lock(m_mutex);
    for (;;)
    {
        m_changed.wait(lock, [this] { return m_ending || !m_tasks.empty(); });
        if (m_tasks.empty())
            return;
        std::function<void()> task = std::move(m_tasks.front());
        m_tasks.pop_front();
        lock.unlock();
        task();
        task = nullptr; // what it holds is released before the next begins
        lock.lock();
    }
}

} // namespace headscope::ui

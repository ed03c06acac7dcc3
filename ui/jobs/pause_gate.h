// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace headscope::ui
{

/// A gate that a worker passes between two steps, and that a user may close.
/// @threads safe
class PauseGate
{
public:
    void setPaused(bool paused)
    {
        {
            const std::lock_guard lock(m_mutex);
            m_paused = paused;
        }
        m_changed.notify_all();
    }

    [[nodiscard]] bool paused() const
    {
        const std::lock_guard lock(m_mutex);
        return m_paused;
    }

    /// Returns at once while the gate is open; else when it opens or a stop is requested.
    void wait(const std::stop_token& stop)
    {
        std::unique_lock lock(m_mutex);
        ++m_waiting;
        m_changed.wait(lock, stop, [this] { return !m_paused; });
        --m_waiting;
    }

    /// Whether a worker has come to the closed gate and waits there.
    [[nodiscard]] bool holds() const
    {
        const std::lock_guard lock(m_mutex);
        return m_paused && m_waiting > 0;
    }

private:
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    bool m_paused = false;
    int m_waiting = 0;
};

} // namespace headscope::ui

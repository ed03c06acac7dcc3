// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace headscope
{

/// Hands the newest of a stream of immutable values from a worker to a viewer, and drops the rest.
///
/// publish() is cheap to call at any rate: at most one wake-up is pending, and wake-ups are at
/// least `interval` apart, so that a viewer is never flooded and a worker never waits. Ask
/// wanted() before building a costly value. The last value of a stream goes through
/// publishFinal(), which is never dropped.
/// @threads one publisher, one taker, on any threads; wake is called on the publisher's thread
template <class T>
class LatestValue
{
public:
    using Clock = std::chrono::steady_clock;

    explicit LatestValue(std::function<void()> wake, Clock::duration interval = std::chrono::milliseconds(40))
        : m_wake(std::move(wake)), m_interval(interval)
    {}

    /// Whether a value published now would be shown: the viewer took the last one, and the time
    /// between two is over.
    [[nodiscard]] bool wanted() const
    {
        const std::lock_guard lock(m_mutex);
        return !m_pending && (!m_lastWake || Clock::now() - *m_lastWake >= m_interval);
    }

    void publish(std::shared_ptr<const T> value)
    {
        if (wanted())
            publishFinal(std::move(value));
    }

    void publishFinal(std::shared_ptr<const T> value)
    {
        {
            const std::lock_guard lock(m_mutex);
            m_value = std::move(value);
            if (std::exchange(m_pending, true))
                return;
            m_lastWake = Clock::now();
        }
        m_wake();
    }

    /// The newest value, or null when there is none since the last call.
    [[nodiscard]] std::shared_ptr<const T> take()
    {
        const std::lock_guard lock(m_mutex);
        m_pending = false;
        return std::exchange(m_value, nullptr);
    }

private:
    mutable std::mutex m_mutex;
    std::shared_ptr<const T> m_value;
    bool m_pending = false;
    std::optional<Clock::time_point> m_lastWake;
    std::function<void()> m_wake;
    Clock::duration m_interval;
};

} // namespace headscope

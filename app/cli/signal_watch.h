// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace headscope::cli
{

/// While it lives, SIGINT and SIGTERM ask a job to stop instead of ending the process; a thread of
/// its own waits for them, so that no handler has to be careful. The masks are put back at the end.
class SignalWatch
{
public:
    SignalWatch();
    ~SignalWatch();
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;

    [[nodiscard]] std::stop_token stopToken() const { return m_stop.get_token(); }
    /// The signal that came, or 0.
    [[nodiscard]] int signal() const { return m_signal; }

private:
    std::stop_source m_stop;
    std::atomic<int> m_signal = 0;
    sigset_t m_before = {};
    std::jthread m_thread;
};

} // namespace headscope::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/signal_mask.h"

#include <csignal>
#include <optional>
#include <stop_token>
#include <thread>

namespace headscope::cli
{

/// While it lives, SIGINT and SIGTERM ask a job to stop instead of ending the process. The handler
/// only notes the signal; a thread of its own looks every 20 ms and passes it on. One at a time.
class SignalWatch
{
public:
    SignalWatch();
    ~SignalWatch();
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;

    [[nodiscard]] std::stop_token stopToken() const { return m_stop.get_token(); }
    /// The signal that came, or 0.
    [[nodiscard]] int signal() const;

private:
    std::stop_source m_stop;
    struct sigaction m_interrupt = {}; ///< what stood before
    struct sigaction m_terminate = {};
    std::jthread m_thread;
    std::optional<StopSignalMask> m_mask; ///< of the working threads
};

} // namespace headscope::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/threads/signal_mask.h"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <optional>
#include <stop_token>
#include <thread>

namespace headscope::shell
{

/// While it lives, SIGINT, SIGTERM and SIGHUP (a terminal that was closed; unless it was ignored, as nohup does) ask a
/// job to stop instead of ending the process. A second signal ends the process at once, after part files were
/// removed; so does, where a grace is given, work that has not ended by then: it may hang in a
/// library or a read from a terminal. SIGPIPE is ignored meanwhile: a reader that went away is a write error, not the
/// end.
///
/// One at a time in a process.
class StopSignals
{
public:
    /// Times from the signal on that the work has to end by itself; none: as long as it needs.
    struct Grace
    {
        std::optional<std::chrono::milliseconds> unheard; ///< while it has not asked whether to stop
        std::optional<std::chrono::milliseconds> heard;   ///< once it has: it may have to keep its state
    };

    explicit StopSignals(Grace grace = {});
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    [[nodiscard]] std::stop_token token() const { return m_source.get_token(); }
    /// What a JobContext sets when its work hears of the stop.
    [[nodiscard]] std::atomic<bool>& heard() { return m_heard; }
    /// The first signal that came, or 0.
    [[nodiscard]] int received() const { return m_received; }

private:
    void watch();
    [[nodiscard]] int patienceMs(std::chrono::steady_clock::time_point since);
    [[noreturn]] void endProcess();

    Grace m_grace;
    std::stop_source m_source;
    std::atomic<bool> m_heard = false;
    std::atomic<int> m_received = 0;
    int m_signals = -1; ///< a pipe the handler writes to
    int m_end = -1;     ///< eventfd that ends the watcher
    std::thread m_watcher;
    std::optional<StopSignalMask> m_mask;          ///< of the working threads
    std::array<struct sigaction, 4> m_former = {}; ///< the former handlers
};

} // namespace headscope::shell

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/signal_mask.h"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace headscope::shell
{

/// While it lives, SIGINT and SIGTERM ask a job to stop instead of ending the process. A second signal ends
/// the process at once, after the clean-up that was registered; so does, where a grace is given, work that
/// has not ended by then (it may hang in a read from a terminal). SIGPIPE is ignored meanwhile: a reader
/// that went away is a write error, not the end.
///
/// One at a time in a process.
class StopSignals
{
public:
    /// @param grace  time that the work has to end by itself; none: as long as it needs
    explicit StopSignals(std::optional<std::chrono::milliseconds> grace = {});
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    [[nodiscard]] std::stop_token token() const { return m_source.get_token(); }
    /// The first signal that came, or 0.
    [[nodiscard]] int received() const { return m_received; }
    /// What to do before the process is ended by force; runs on another thread than the work.
    void setCleanUp(std::function<void()> cleanUp);

private:
    void watch();
    [[noreturn]] void endProcess();

    std::optional<std::chrono::milliseconds> m_grace;
    std::stop_source m_source;
    std::atomic<int> m_received = 0;
    int m_signals = -1; ///< a pipe the handler writes to
    int m_end = -1;     ///< eventfd that ends the watcher
    std::mutex m_mutex;
    std::function<void()> m_cleanUp;
    std::thread m_watcher;
    std::optional<StopSignalMask> m_mask;          ///< of the working threads
    std::array<struct sigaction, 3> m_former = {}; ///< the former handlers
};

} // namespace headscope::shell

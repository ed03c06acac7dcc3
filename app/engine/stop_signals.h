// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/signal_mask.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace headscope::engine
{

/// Turns SIGINT and SIGTERM into a request to stop. Work that has not ended a second later (it may
/// hang in a read from a terminal), or a second signal, ends the process after the clean-up that was
/// registered.
///
/// One at a time in a process.
class StopSignals
{
public:
    StopSignals();
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

    std::stop_source m_source;
    std::atomic<int> m_received = 0;
    int m_signals = -1; ///< a pipe the handler writes to
    int m_end = -1;     ///< eventfd: the watcher may go
    std::mutex m_mutex;
    std::function<void()> m_cleanUp;
    std::thread m_watcher;
    std::optional<StopSignalMask> m_mask; ///< of the working threads
};

} // namespace headscope::engine

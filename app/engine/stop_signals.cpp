// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/stop_signals.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <utility>

namespace headscope::engine
{

StopSignals::StopSignals()
{
    sigset_t taken;
    sigemptyset(&taken);
    sigaddset(&taken, SIGINT);
    sigaddset(&taken, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &taken, nullptr);
    std::signal(SIGPIPE, SIG_IGN); // a reader that went away is a write error, not the end
    m_signals = signalfd(-1, &taken, SFD_CLOEXEC);
    m_end = eventfd(0, EFD_CLOEXEC);
    m_watcher = std::thread([this] { watch(); });
}

StopSignals::~StopSignals()
{
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = write(m_end, &one, sizeof one);
    m_watcher.join();
    close(m_signals);
    close(m_end);
}

void StopSignals::setCleanUp(std::function<void()> cleanUp)
{
    const std::lock_guard lock(m_mutex);
    m_cleanUp = std::move(cleanUp);
}

void StopSignals::watch()
{
    constexpr int kGraceMs = 1000;
    while (true)
    {
        std::array<pollfd, 2> events = {pollfd{m_signals, POLLIN, 0}, pollfd{m_end, POLLIN, 0}};
        const int ready = poll(events.data(), events.size(), m_received != 0 ? kGraceMs : -1);
        if (ready == 0)
            endProcess();
        if (ready < 0)
            continue;
        if (events[1].revents != 0)
            return;
        signalfd_siginfo info{};
        if (read(m_signals, &info, sizeof info) != sizeof info)
            continue;
        if (m_received != 0)
            endProcess();
        m_received = static_cast<int>(info.ssi_signo);
        m_source.request_stop();
    }
}

void StopSignals::endProcess()
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_cleanUp)
            m_cleanUp();
    }
    _exit(128 + m_received);
}

} // namespace headscope::engine

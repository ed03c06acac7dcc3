// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/stop_signals.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <utility>

namespace headscope::engine
{
namespace
{

/// Where the handler writes.
int pipeEnd = -1;

void passOn(int signal)
{
    const int former = errno;
    const auto number = static_cast<std::uint8_t>(signal);
    [[maybe_unused]] const auto written = write(pipeEnd, &number, sizeof number);
    errno = former;
}

} // namespace

StopSignals::StopSignals()
{
    std::array<int, 2> ends = {-1, -1};
    [[maybe_unused]] const int made = pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK);
    m_signals = ends[0];
    pipeEnd = ends[1];
    m_end = eventfd(0, EFD_CLOEXEC);
    m_watcher = std::thread([this] { watch(); });
    m_mask.emplace(); // all but the watcher
    struct sigaction action = {};
    action.sa_handler = passOn;
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN); // a reader that went away is a write error, not the end
}

StopSignals::~StopSignals()
{
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    m_mask.reset();
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = write(m_end, &one, sizeof one);
    m_watcher.join();
    close(std::exchange(pipeEnd, -1));
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
        std::uint8_t number = 0;
        if (read(m_signals, &number, sizeof number) != sizeof number)
            continue;
        if (m_received != 0)
            endProcess();
        m_received = number;
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/stop_signals.h"

#include "model/base/output/temporary_path.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <utility>

namespace headscope::shell
{
namespace
{

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

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

StopSignals::StopSignals(Grace grace) : m_grace(grace)
{
    std::array<int, 2> ends = {-1, -1};
    [[maybe_unused]] const int made = pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK);
    m_signals = ends[0];
    pipeEnd = ends[1];
    m_end = eventfd(0, EFD_CLOEXEC);
    m_watcher = std::thread([this] { watch(); });
    m_mask.emplace(); // all but the watcher
    for (std::size_t i = 0; i < kSignals.size(); ++i)
    {
        struct sigaction action = {};
        action.sa_handler = kSignals[i] == SIGPIPE ? SIG_IGN : passOn;
        action.sa_flags = SA_RESTART;
        sigaction(kSignals[i], &action, &m_former[i]);
        if (kSignals[i] == SIGHUP && m_former[i].sa_handler == SIG_IGN)
            sigaction(SIGHUP, &m_former[i], nullptr);
    }
}

StopSignals::~StopSignals()
{
    for (std::size_t i = 0; i < kSignals.size(); ++i)
        sigaction(kSignals[i], &m_former[i], nullptr);
    m_mask.reset();
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = write(m_end, &one, sizeof one);
    m_watcher.join();
    close(std::exchange(pipeEnd, -1));
    close(m_signals);
    close(m_end);
}

/// How long the next look may wait: -1 for ever, 0 not at all.
int StopSignals::patienceMs(std::chrono::steady_clock::time_point since)
{
    constexpr std::chrono::milliseconds kLook(50); // whether it was heard
    if (m_received == 0)
        return -1;
    const bool heard = m_heard;
    const auto& grace = heard ? m_grace.heard : m_grace.unheard;
    if (!grace)
        return heard || !m_grace.heard ? -1 : static_cast<int>(kLook.count());
    const auto left =
        *grace - std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - since);
    return static_cast<int>(std::clamp(left, std::chrono::milliseconds(0), kLook).count());
}

void StopSignals::watch()
{
    std::chrono::steady_clock::time_point since;
    while (true)
    {
        std::array<pollfd, 2> events = {pollfd{m_signals, POLLIN, 0}, pollfd{m_end, POLLIN, 0}};
        const int patience = patienceMs(since);
        const int ready = poll(events.data(), events.size(), patience);
        if (ready == 0 && patience == 0)
            endProcess();
        if (ready <= 0)
            continue;
        if (events[1].revents != 0)
            return;
        std::uint8_t number = 0;
        if (read(m_signals, &number, sizeof number) != sizeof number)
            continue;
        if (m_received != 0)
            endProcess();
        m_received = number;
        since = std::chrono::steady_clock::now();
        m_source.request_stop();
    }
}

void StopSignals::endProcess()
{
    removeTemporaryPaths();
    _exit(128 + m_received);
}

} // namespace headscope::shell

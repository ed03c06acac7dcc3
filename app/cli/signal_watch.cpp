// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/signal_watch.h"

#include <atomic>
#include <chrono>

namespace headscope::cli
{
namespace
{

std::atomic<int> lastSignal = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may touch nothing else");

void noteSignal(int number)
{
    lastSignal = number;
}

} // namespace

SignalWatch::SignalWatch()
{
    lastSignal = 0;
    struct sigaction action = {};
    action.sa_handler = noteSignal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &m_interrupt);
    sigaction(SIGTERM, &action, &m_terminate);
    m_thread = std::jthread([this](const std::stop_token& ended) {
        while (!ended.stop_requested())
        {
            if (lastSignal != 0)
                m_stop.request_stop();
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    });
    m_mask.emplace(); // all but the watching thread
}

SignalWatch::~SignalWatch()
{
    m_mask.reset();
    m_thread.request_stop();
    m_thread.join();
    sigaction(SIGINT, &m_interrupt, nullptr);
    sigaction(SIGTERM, &m_terminate, nullptr);
}

int SignalWatch::signal() const
{
    return lastSignal;
}

} // namespace headscope::cli

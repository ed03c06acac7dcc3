// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/signal_watch.h"

#include <ctime>

namespace headscope::cli
{

SignalWatch::SignalWatch()
{
    sigset_t watched;
    sigemptyset(&watched);
    sigaddset(&watched, SIGINT);
    sigaddset(&watched, SIGTERM);
    // Threads that are started later inherit the mask, so the signals come to the watching thread.
    pthread_sigmask(SIG_BLOCK, &watched, &m_before);
    m_thread = std::jthread([this, watched](const std::stop_token& ended) {
        const timespec pause = {0, 50'000'000};
        while (!ended.stop_requested())
        {
            const int number = sigtimedwait(&watched, nullptr, &pause);
            if (number <= 0)
                continue;
            m_signal = number;
            m_stop.request_stop();
        }
    });
}

SignalWatch::~SignalWatch()
{
    m_thread.request_stop();
    m_thread.join();
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

} // namespace headscope::cli

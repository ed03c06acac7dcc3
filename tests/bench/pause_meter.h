// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <execinfo.h>
#include <pthread.h>
#include <string>
#include <thread>
#include <vector>

namespace headscope::bench
{

inline constexpr int kMaxFrames = 48;
inline std::array<void*, kMaxFrames> g_frames;
inline std::atomic<int> g_depth{-1}; ///< of g_frames; -1: no sample is there

inline void takeStack(int)
{
    g_depth = backtrace(g_frames.data(), kMaxFrames);
}

/// Looks at the thread that made it whenever its event loop stands still.
class StackSampler
{
public:
    explicit StackSampler(int limitMs)
    {
        if (limitMs <= 0)
            return;
        std::array<void*, 1> once{}; // loads what backtrace() needs, outside a signal
        static_cast<void>(backtrace(once.data(), 1));
        std::signal(SIGUSR1, takeStack);
        m_thread = std::jthread([this, limitMs, who = pthread_self()](const std::stop_token& stop) {
            using namespace std::chrono_literals;
            std::vector<std::vector<void*>> samples;
            std::uint64_t last = 0;
            auto since = std::chrono::steady_clock::now();
            while (!stop.stop_requested())
            {
                std::this_thread::sleep_for(10ms);
                const auto now = std::chrono::steady_clock::now();
                if (const std::uint64_t ticks = m_ticks; ticks != last)
                {
                    const auto stood = std::chrono::duration_cast<std::chrono::milliseconds>(now - since).count();
                    if (stood > limitMs)
                        print(stood, samples);
                    samples.clear();
                    last = ticks;
                    since = now;
                    continue;
                }
                g_depth = -1;
                pthread_kill(who, SIGUSR1);
                while (g_depth < 0 && !stop.stop_requested())
                    std::this_thread::sleep_for(1ms);
                if (const int depth = g_depth; depth > 0)
                    samples.emplace_back(g_frames.begin(), g_frames.begin() + depth);
            }
        });
    }

    void tick() { ++m_ticks; }

private:
    static void print(std::int64_t stoodMs, const std::vector<std::vector<void*>>& samples)
    {
        fmt::print(stderr, "stood for {} ms\n", stoodMs);
        for (const std::vector<void*>& sample : samples)
        {
            fmt::print(stderr, " sample\n");
            backtrace_symbols_fd(sample.data(), static_cast<int>(sample.size()), 2);
        }
    }

    std::atomic<std::uint64_t> m_ticks{0};
    std::jthread m_thread;
};

/// Runs the event loop for so long, or until `done()`, as a program does. QTest::qWait() sleeps for up to 10 ms between
/// two looks at the events, which counts as a pause.
/// @return whether it is done
template <class Done>
bool runLoop(int ms, const Done& done)
{
    QEventLoop loop;
    const QDeadlineTimer end(ms, Qt::PreciseTimer);
    QTimer ask;
    ask.setTimerType(Qt::PreciseTimer);
    QObject::connect(&ask, &QTimer::timeout, &loop, [&] {
        if (done() || end.hasExpired())
            loop.quit();
    });
    ask.start(1);
    loop.exec();
    return done();
}

inline void runLoop(int ms)
{
    static_cast<void>(runLoop(ms, [] { return false; }));
}

/// Gaps between the ticks of a timer, one JSON line a case.
class PauseMeter
{
public:
    explicit PauseMeter(int stacksMs) : m_sampler(stacksMs)
    {
        constexpr int kTickMs = 5;
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.setInterval(kTickMs);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] {
            m_gaps.push_back(static_cast<double>(m_clock.nsecsElapsed()) / 1e6);
            m_clock.restart();
            const double worked = workedMs();
            m_longestWork = std::max(m_longestWork, worked - m_worked);
            m_worked = worked;
            m_sampler.tick();
        });
    }

    void start()
    {
        m_gaps.clear();
        m_longestWork = 0;
        m_worked = workedMs();
        m_clock.start();
        m_timer.start();
    }

    void print(const char* name, double seconds, const std::string& more)
    {
        m_timer.stop();
        m_gaps.push_back(static_cast<double>(m_clock.nsecsElapsed()) / 1e6); // the one that goes on
        std::sort(m_gaps.begin(), m_gaps.end());
        const auto share = [this](double part) {
            return m_gaps[static_cast<std::size_t>(part * static_cast<double>(m_gaps.size() - 1))];
        };
        fmt::print(
            "{{\"case\": \"event_loop_{}\", \"value\": {:.1f}, \"unit\": \"ms longest pause\", \"p999\": {:.1f}, "
            "\"p99\": {:.1f}, \"median\": {:.1f}, \"own_work\": {:.1f}, \"ticks\": {}, \"seconds\": {:.1f}{}}}\n",
            name, m_gaps.back(), share(0.999), share(0.99), share(0.5), m_longestWork, m_gaps.size(), seconds, more);
        std::fflush(stdout);
    }

private:
    /// What this thread has computed so far: unlike the pauses, it does not grow with what else runs.
    static double workedMs()
    {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return 1e3 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e6;
    }

    double m_worked = 0;
    double m_longestWork = 0;
    QTimer m_timer;
    QElapsedTimer m_clock;
    std::vector<double> m_gaps;
    StackSampler m_sampler;
};

} // namespace headscope::bench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/threads/loop_workers.h"

#include "model/base/assert.h"
#include "model/base/clock.h"
#include "model/base/parallel.h"
#include "model/base/threads/signal_mask.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

namespace headscope
{
namespace
{

using Work = std::function<void(int worker)>;

/// How long a waiting thread looks before it sleeps.
constexpr Clock::duration kLooking = std::chrono::microseconds(30);
/// A look that lasts so long was interrupted by another process.
constexpr Clock::duration kStopped = std::chrono::microseconds(200);
/// For so long an interruption says that the machine is busy.
constexpr Clock::duration kBusyFor = std::chrono::milliseconds(20);

/// Until when waiting threads sleep at once, because the machine has other work for their processors.
std::atomic<Clock::rep> busyUntil = 0;

void pauseOnce()
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/// Waits until the state is not `from`.
/// @param mayLook  every thread of the loop can have a core of its own
void waitWhile(const std::atomic<int>& state, int from, bool mayLook)
{
    constexpr int kLooksPerTime = 16;
    const Clock::time_point begin = Clock::now();
    if (mayLook && begin.time_since_epoch().count() >= busyUntil.load(std::memory_order_relaxed))
    {
        for (Clock::time_point last = begin; last - begin < kLooking;)
        {
            for (int i = 0; i < kLooksPerTime; ++i)
            {
                if (state.load(std::memory_order_acquire) != from)
                    return;
                pauseOnce();
            }
            const Clock::time_point now = Clock::now();
            if (now - last > kStopped)
                busyUntil.store((now + kBusyFor).time_since_epoch().count(), std::memory_order_relaxed);
            last = now;
        }
    }
    state.wait(from, std::memory_order_acquire);
}

/// A thread that waits for loops. Who took it from the idle ones has it alone, until he gives it back.
class Worker
{
public:
    /// Starts the thread. @errors std::system_error, std::bad_alloc
    static Worker* start()
    {
        auto worker = std::make_unique<Worker>();
        const StopSignalMask mask; // the thread inherits it
        std::thread([each = worker.get()] { each->live(); }).detach();
        return worker.release(); // as long as the process
    }

    void offer(const Work& work, int number, bool mayLook)
    {
        m_work = &work;
        m_number = number;
        m_mayLook = mayLook;
        m_state.store(Offered, std::memory_order_release);
        m_state.notify_one();
    }

    /// Takes the offer back. @return false when the worker has begun
    [[nodiscard]] bool withdraw()
    {
        int offered = Offered;
        return m_state.compare_exchange_strong(offered, Idle, std::memory_order_acq_rel, std::memory_order_acquire);
    }

    void waitForEnd() const
    {
        while (m_state.load(std::memory_order_acquire) == Begun)
            waitWhile(m_state, Begun, m_mayLook);
    }

    Worker* next = nullptr; ///< of the idle ones, or of a loop's

private:
    enum State : int
    {
        Idle,
        Offered,
        Begun,
    };

    [[noreturn]] void live()
    {
        ::pthread_setname_np(::pthread_self(), "loop worker");
        bool mayLook = true;
        for (;;)
        {
            waitWhile(m_state, Idle, mayLook);
            int offered = Offered;
            if (!m_state.compare_exchange_strong(offered, Begun, std::memory_order_acq_rel, std::memory_order_acquire))
                continue; // withdrawn
            mayLook = m_mayLook;
            (*m_work)(m_number);
            m_state.store(Idle, std::memory_order_release);
            m_state.notify_one();
        }
    }

    std::atomic<int> m_state = Idle;
    const Work* m_work = nullptr;
    int m_number = 0;
    bool m_mayLook = true;
};

/// The workers that nobody has. The one that was given back last is taken first: it still looks.
class IdleWorkers
{
public:
    /// Null where the system gives no further thread.
    [[nodiscard]] Worker* take()
    {
        {
            const std::lock_guard lock(m_mutex);
            if (m_first != nullptr)
                return std::exchange(m_first, m_first->next);
        }
        try
        {
            return Worker::start();
        }
        catch (const std::system_error&)
        {
            return nullptr;
        }
        catch (const std::bad_alloc&)
        {
            return nullptr;
        }
    }

    void giveBack(Worker& worker)
    {
        const std::lock_guard lock(m_mutex);
        worker.next = std::exchange(m_first, &worker);
    }

private:
    std::mutex m_mutex;
    Worker* m_first = nullptr;
};

/// Never destroyed: its threads wait until the process ends.
IdleWorkers& idleWorkers()
{
    static auto* const idle = new IdleWorkers;
    return *idle;
}

} // namespace

void runTeam(int numThreads, const Work& work)
{
    HEADSCOPE_ASSERT(numThreads >= 1);
    static const int cores = availableCores();
    const bool mayLook = numThreads <= cores;
    Worker* team = nullptr;
    for (int number = numThreads - 1; number > 0; --number)
    {
        Worker* const worker = idleWorkers().take();
        if (worker == nullptr)
            break;
        worker->next = std::exchange(team, worker);
        worker->offer(work, number, mayLook);
    }
    work(0);
    while (team != nullptr)
    {
        Worker& worker = *std::exchange(team, team->next);
        if (!worker.withdraw())
            worker.waitForEnd();
        idleWorkers().giveBack(worker);
    }
}

} // namespace headscope

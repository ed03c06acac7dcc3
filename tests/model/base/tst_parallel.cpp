// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/threads/loop_workers.h"
#include "model/base/parallel.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <array>
#include <atomic>
#include <new>
#include <numeric>
#include <thread>
#include <vector>

using namespace headscope;

namespace
{

/// A sum whose last bits depend on the order of its terms: per block, then in block order.
float blockedSum(int numThreads)
{
    constexpr std::int64_t kCount = 100'003;
    constexpr std::int64_t kBlock = 1'000;
    std::vector<float> partial(static_cast<std::size_t>(blockCount(kCount, kBlock)));
    parallelForBlocks(numThreads, kCount, kBlock, [&partial](const Block& block, int) {
        float sum = 0;
        for (std::int64_t i = block.begin; i < block.end; ++i)
            sum += 1.0F / static_cast<float>(i + 1);
        partial[static_cast<std::size_t>(block.index)] = sum;
    });
    return std::accumulate(partial.begin(), partial.end(), 0.0F);
}

/// Far longer than a worker looks before it sleeps.
float someWork()
{
    return blockedSum(1);
}

} // namespace

class TestParallel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyItemOnce_data()
    {
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("blockSize");
        QTest::newRow("none") << 2 << 0 << 4;
        QTest::newRow("one") << 3 << 1 << 4;
        QTest::newRow("ragged end") << 2 << 10 << 4;
        QTest::newRow("more threads than blocks") << 8 << 5 << 4;
        QTest::newRow("one thread") << 1 << 1000 << 7;
        QTest::newRow("more threads than cores") << 16 << 1000 << 7;
    }

    void throwsWhatABodyThrows_data()
    {
        QTest::addColumn<int>("threads");
        QTest::newRow("this thread") << 1;
        QTest::newRow("two") << 2;
        QTest::newRow("sixteen") << 16;
    }

    /// An allocation that fails on a worker must end as a sentence, not the program.
    void throwsWhatABodyThrows()
    {
        QFETCH(int, threads);
        std::atomic<int> visits = 0;
        const auto failing = [&](const Block& block, int) {
            ++visits;
            if (block.index >= 3)
                throw std::bad_alloc();
        };
        QVERIFY_EXCEPTION_THROWN(parallelForBlocks(threads, 1'000, 1, failing), std::bad_alloc);
        QVERIFY(visits >= 4 && visits <= 3 + threads);
        // The next loop is not disturbed, and runs on threads of its own again.
        std::atomic<int> after = 0;
        parallelForBlocks(threads, 100, 1, [&](const Block&, int) { ++after; });
        QCOMPARE(after.load(), 100);
    }

    void everyItemOnce()
    {
        QFETCH(int, threads);
        QFETCH(int, count);
        QFETCH(int, blockSize);
        std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
        std::atomic<bool> workerInRange = true;
        parallelForBlocks(threads, count, blockSize, [&](const Block& block, int worker) {
            if (worker < 0 || worker >= threads || block.begin != block.index * blockSize)
                workerInRange = false;
            for (std::int64_t i = block.begin; i < block.end; ++i)
                ++visits[static_cast<std::size_t>(i)];
        });
        QVERIFY(workerInRange);
        for (const auto& number : visits)
            QCOMPARE(number.load(), 1);
    }

    void sameBitsOnAnyNumberOfThreads()
    {
        const float one = blockedSum(1);
        for (const int threads : {2, 3, 8})
            QCOMPARE(blockedSum(threads), one);
    }

    void aLoopInsideALoopRunsOnItsOwnThread()
    {
        std::atomic<int> items = 0;
        parallelFor(2, 8, 1, [&items](std::int64_t, std::int64_t) {
            parallelForBlocks(4, 10, 1, [&items](const Block&, int worker) { items += worker == 0 ? 1 : 1000; });
        });
        QCOMPARE(items.load(), 80);
    }

    /// Each worker has a number of its own, and no call is left when the loop ends.
    void workersHaveNumbers_data()
    {
        QTest::addColumn<int>("threads");
        for (const int threads : {1, 2, 5, 32})
            QTest::addRow("%d", threads) << threads;
    }

    void workersHaveNumbers()
    {
        QFETCH(int, threads);
        for (int round = 0; round < 200; ++round)
        {
            std::vector<std::atomic<int>> calls(static_cast<std::size_t>(threads));
            std::atomic<int> within = 0;
            runTeam(threads, [&](int worker) {
                ++within;
                ++calls[static_cast<std::size_t>(worker)];
                --within;
            });
            QCOMPARE(within.load(), 0);
            QCOMPARE(calls.front().load(), 1); // this thread's
            for (const auto& each : calls)
                QVERIFY(each <= 1);
        }
    }

    /// A worker that begins is waited for.
    void waitsForWhoHasBegun()
    {
        std::atomic<bool> begun = false;
        std::atomic<bool> ended = false;
        runTeam(2, [&](int worker) {
            if (worker == 0)
                return begun.wait(false);
            begun = true;
            begun.notify_one();
            ended = someWork() > 0;
        });
        QVERIFY(ended);
    }

    /// Loops of several threads at once, each with its own items; the workers are shared.
    void loopsOfSeveralThreads()
    {
        constexpr int kLoops = 300;
        std::array<std::atomic<int>, 4> items = {};
        std::vector<std::jthread> callers;
        for (auto& mine : items)
            callers.emplace_back([&mine] {
                for (int i = 0; i < kLoops; ++i)
                    parallelFor(3, 50, 1, [&mine](std::int64_t begin, std::int64_t end) {
                        mine += static_cast<int>(end - begin);
                    });
            });
        callers.clear(); // joins
        for (const auto& each : items)
            QCOMPARE(each.load(), kLoops * 50);
    }

    /// Workers that sleep are woken by the next loop.
    void wakesWhoSleeps()
    {
        for (int round = 0; round < 3; ++round)
        {
            std::atomic<int> both = 0;
            runTeam(2, [&both](int) {
                ++both;
                both.notify_all();
                for (int seen = both; seen < 2; seen = both)
                    both.wait(seen);
            });
            QCOMPARE(both.load(), 2);
            QVERIFY(someWork() > 0); // longer than a worker looks for the next loop
        }
    }

    void thereIsACore() { QVERIFY(availableCores() >= 1); }
};

HEADSCOPE_TEST_GUILESS(TestParallel)
#include "tst_parallel.moc"

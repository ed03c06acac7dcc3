// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/parallel.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <atomic>
#include <new>
#include <numeric>
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

    void thereIsACore() { QVERIFY(availableCores() >= 1); }
};

HEADSCOPE_TEST_GUILESS(TestParallel)
#include "tst_parallel.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/parallel.h"
#include "model/base/random.h"
#include "model/kernels/gemm.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <cmath>
#include <vector>

using namespace headscope;

namespace
{

std::vector<float> randomValues(std::int64_t count, std::uint64_t stream)
{
    const CounterRandom random(1, stream);
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(random.normal(i));
    return values;
}

} // namespace

class TestGemm : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalsThePlainLoops_data()
    {
        QTest::addColumn<int>("m");
        QTest::addColumn<int>("n");
        QTest::addColumn<int>("k");
        QTest::newRow("one") << 1 << 1 << 1;
        QTest::newRow("row") << 1 << 17 << 33;
        QTest::newRow("odd") << 13 << 7 << 5;
        QTest::newRow("blocks") << 65 << 130 << 64;
    }

    void equalsThePlainLoops()
    {
        QFETCH(int, m);
        QFETCH(int, n);
        QFETCH(int, k);
        const auto a = randomValues(m * k, 1);
        const auto b = randomValues(n * k, 2);
        std::vector<float> aT(a.size()); // [k, m]
        std::vector<float> bT(b.size()); // [k, n]
        for (int i = 0; i < m; ++i)
            for (int l = 0; l < k; ++l)
                aT[static_cast<std::size_t>(l * m + i)] = a[static_cast<std::size_t>(i * k + l)];
        for (int j = 0; j < n; ++j)
            for (int l = 0; l < k; ++l)
                bT[static_cast<std::size_t>(l * n + j)] = b[static_cast<std::size_t>(j * k + l)];
        std::vector<float> nt(static_cast<std::size_t>(m * n), 1.0F);
        auto nn = nt;
        auto tn = nt;
        gemmNT(m, n, k, 2.0F, a.data(), k, b.data(), k, 0.5F, nt.data(), n);
        gemmNN(m, n, k, 2.0F, a.data(), k, bT.data(), n, 0.5F, nn.data(), n);
        gemmTN(m, n, k, 2.0F, aT.data(), m, bT.data(), n, 0.5F, tn.data(), n);
        for (int i = 0; i < m; ++i)
        {
            for (int j = 0; j < n; ++j)
            {
                double sum = 0;
                for (int l = 0; l < k; ++l)
                    sum += double{a[static_cast<std::size_t>(i * k + l)]} * b[static_cast<std::size_t>(j * k + l)];
                const double expected = 2 * sum + 0.5;
                const auto place = static_cast<std::size_t>(i * n + j);
                const double bound = 1e-5 * (std::sqrt(k) + std::abs(expected));
                QVERIFY(std::abs(nt[place] - expected) <= bound);
                QVERIFY(std::abs(nn[place] - expected) <= bound);
                QVERIFY(std::abs(tn[place] - expected) <= bound);
            }
        }
    }

    void sameBitsInsideAnyNumberOfThreads()
    {
        constexpr std::int64_t kRows = 256;
        constexpr std::int64_t kCols = 200;
        constexpr std::int64_t kDepth = 128;
        const auto a = randomValues(kRows * kDepth, 3);
        const auto b = randomValues(kCols * kDepth, 4);
        std::vector<std::vector<float>> results;
        for (const int threads : {1, 2, 3})
        {
            std::vector<float> c(kRows * kCols);
            parallelFor(threads, kRows, 64, [&](std::int64_t begin, std::int64_t end) {
                gemmNT(end - begin, kCols, kDepth, 1.0F, a.data() + begin * kDepth, kDepth, b.data(), kDepth, 0.0F,
                       c.data() + begin * kCols, kCols);
            });
            results.push_back(std::move(c));
        }
        QVERIFY(results[0] == results[1]);
        QVERIFY(results[0] == results[2]);
    }
};

HEADSCOPE_TEST_GUILESS(TestGemm)
#include "tst_gemm.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/gemm_bf16.h"

#include "model/base/parallel.h"
#include "model/base/random.h"
#include "model/kernels/half.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <cmath>
#include <vector>

using namespace headscope;

namespace
{

std::vector<std::uint16_t> randomHalves(std::int64_t count, std::uint64_t stream)
{
    const CounterRandom random(1, stream);
    std::vector<std::uint16_t> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = bfloat16FromFloat(static_cast<float>(random.normal(i)));
    return values;
}

} // namespace

class TestGemmBf16 : public QObject
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

    /// With gaps between the rows of all three, and with and without what C held.
    void equalsThePlainLoops()
    {
        if (!hasBfloat16Products())
            QSKIP("this CPU multiplies no bfloat16");
        QFETCH(const int, m);
        QFETCH(const int, n);
        QFETCH(const int, k);
        const std::int64_t lda = k + 3;
        const std::int64_t ldb = k + 1;
        const std::int64_t ldc = n + 2;
        const auto a = randomHalves(m * lda, 1);
        const auto b = randomHalves(n * ldb, 2);
        for (const float beta : {0.F, 1.F})
        {
            std::vector<float> c(static_cast<std::size_t>(m * ldc), 0.5F);
            gemmBfloat16NT(m, n, k, a.data(), lda, b.data(), ldb, beta, c.data(), ldc);
            for (int i = 0; i < m; ++i)
            {
                for (int j = 0; j < n; ++j)
                {
                    double expected = beta * 0.5;
                    for (int l = 0; l < k; ++l)
                        expected += double{floatFromBfloat16(a[static_cast<std::size_t>(i * lda + l)])} *
                                    floatFromBfloat16(b[static_cast<std::size_t>(j * ldb + l)]);
                    const double found = c[static_cast<std::size_t>(i * ldc + j)];
                    QVERIFY(std::abs(found - expected) <= 1e-5 * (std::sqrt(k) + std::abs(expected)));
                }
                QCOMPARE(c[static_cast<std::size_t>(i * ldc + n)], 0.5F); // the gap
            }
        }
    }

    /// The same bits in a loop over several threads as on one.
    void sameBitsOnAnyThread()
    {
        if (!hasBfloat16Products())
            QSKIP("this CPU multiplies no bfloat16");
        constexpr std::int64_t kSize = 96;
        const auto a = randomHalves(kSize * kSize, 1);
        const auto b = randomHalves(kSize * kSize, 2);
        std::vector<std::vector<float>> results(4, std::vector<float>(kSize * kSize));
        parallelFor(3, 4, 1, [&](std::int64_t begin, std::int64_t) {
            gemmBfloat16NT(kSize, kSize, kSize, a.data(), kSize, b.data(), kSize, 0.F,
                           results[static_cast<std::size_t>(begin)].data(), kSize);
        });
        for (const auto& result : results)
            QCOMPARE(result, results.front());
    }

    void speedIsMeasuredOnce()
    {
        const double speedup = bfloat16Speedup();
        QCOMPARE(speedup > 0, hasBfloat16Products());
        QCOMPARE(bfloat16Speedup(), speedup);
    }
};

HEADSCOPE_TEST_GUILESS(TestGemmBf16)
#include "tst_gemm_bf16.moc"

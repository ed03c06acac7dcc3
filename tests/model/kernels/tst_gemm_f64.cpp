// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/random.h"
#include "model/kernels/gemm_f64.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace headscope;

class DoubleProductTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void againstPlainLoops_data();
    void againstPlainLoops();
};

void DoubleProductTest::againstPlainLoops_data()
{
    QTest::addColumn<int>("m");
    QTest::addColumn<int>("n");
    QTest::addColumn<int>("k");
    for (const int m : {1, 4, 7})
    {
        for (const int n : {1, 16, 21})
        {
            for (const int k : {1, 13, 300})
                QTest::addRow("%d x %d x %d", m, n, k) << m << n << k;
        }
    }
}

void DoubleProductTest::againstPlainLoops()
{
    QFETCH(int, m);
    QFETCH(int, n);
    QFETCH(int, k);
    const CounterRandom random(1);
    std::vector<float> a(static_cast<std::size_t>(m * k));
    std::vector<double> b(static_cast<std::size_t>(k * n));
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] = static_cast<float>(random.normal(i));
    for (std::size_t i = 0; i < b.size(); ++i)
        b[i] = random.normal(100'000 + i);
    for (const bool transposed : {false, true}) // A as it lies, [m, k], or as [k, m]
    {
        const std::int64_t rowStride = transposed ? 1 : k;
        const std::int64_t innerStride = transposed ? m : 1;
        std::vector<double> c(static_cast<std::size_t>(m * n), 0.5); // the product is added
        addProductInDouble(m, n, k, a.data(), rowStride, innerStride, b.data(), n, c.data(), n);
        for (int i = 0; i < m; ++i)
        {
            for (int j = 0; j < n; ++j)
            {
                double sum = 0.5;
                for (int p = 0; p < k; ++p)
                    sum += static_cast<double>(a[static_cast<std::size_t>(i * rowStride + p * innerStride)]) *
                           b[static_cast<std::size_t>(p * n + j)];
                QVERIFY(std::abs(c[static_cast<std::size_t>(i * n + j)] - sum) <= 1e-12 * (1 + std::abs(sum)));
            }
        }
    }
}

HEADSCOPE_TEST_GUILESS(DoubleProductTest)
#include "tst_gemm_f64.moc"

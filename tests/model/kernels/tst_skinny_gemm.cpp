// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/random.h"
#include "model/kernels/skinny_gemm.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <vector>

using namespace headscope;

namespace
{

/// Against plain loops in double: A as it lies, [m, k], and as [k, m]; C has a wider stride than n.
template <class T>
void compare(int m, int n, int k)
{
    const CounterRandom random(1);
    const std::int64_t ldc = n + 3;
    std::vector<T> a(static_cast<std::size_t>(m * k));
    std::vector<T> b(static_cast<std::size_t>(k * n));
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] = static_cast<T>(random.normal(i));
    for (std::size_t i = 0; i < b.size(); ++i)
        b[i] = static_cast<T>(random.normal(100'000 + i));
    for (const bool transposed : {false, true})
    {
        const std::int64_t rowStride = transposed ? 1 : k;
        const std::int64_t innerStride = transposed ? m : 1;
        std::vector<T> c(static_cast<std::size_t>(m * ldc), T(0.5)); // the product is added
        addNarrowProduct(m, n, k, a.data(), rowStride, innerStride, b.data(), n, c.data(), ldc);
        for (int i = 0; i < m; ++i)
        {
            for (int j = 0; j < ldc; ++j)
            {
                double sum = 0.5;
                for (int p = 0; p < k && j < n; ++p)
                    sum += static_cast<double>(a[static_cast<std::size_t>(i * rowStride + p * innerStride)]) *
                           static_cast<double>(b[static_cast<std::size_t>(p * n + j)]);
                const auto found = static_cast<double>(c[static_cast<std::size_t>(i * ldc + j)]);
                QVERIFY(std::abs(found - sum) <=
                        64 * static_cast<double>(std::numeric_limits<T>::epsilon()) * (1 + std::sqrt(k)));
            }
        }
    }
}

} // namespace

class NarrowProductTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void againstPlainLoops_data();
    void againstPlainLoops();
    void writtenAsAddedToZeros_data() { againstPlainLoops_data(); }
    void writtenAsAddedToZeros();
};

void NarrowProductTest::againstPlainLoops_data()
{
    QTest::addColumn<int>("m");
    QTest::addColumn<int>("n");
    QTest::addColumn<int>("k");
    for (const int m : {1, 8, 21})
    {
        for (const int n : {1, 16, 32, 53})
        {
            for (const int k : {1, 13, 600})
                QTest::addRow("%d x %d x %d", m, n, k) << m << n << k;
        }
    }
}

void NarrowProductTest::againstPlainLoops()
{
    QFETCH(int, m);
    QFETCH(int, n);
    QFETCH(int, k);
    compare<float>(m, n, k);
    compare<double>(m, n, k);
}

/// What C held is not read: it may be anything.
void NarrowProductTest::writtenAsAddedToZeros()
{
    QFETCH(int, m);
    QFETCH(int, n);
    QFETCH(int, k);
    const CounterRandom random(2);
    std::vector<float> a(static_cast<std::size_t>(m * k));
    std::vector<float> b(static_cast<std::size_t>(k * n));
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] = static_cast<float>(random.normal(i));
    for (std::size_t i = 0; i < b.size(); ++i)
        b[i] = static_cast<float>(random.normal(100'000 + i));
    std::vector<float> added(static_cast<std::size_t>(m * n), 0.0F);
    std::vector<float> written(added.size(), std::numeric_limits<float>::quiet_NaN());
    addNarrowProduct(m, n, k, a.data(), k, 1, b.data(), n, added.data(), n);
    narrowProduct(m, n, k, a.data(), k, 1, b.data(), n, written.data(), n);
    QVERIFY(written == added);
}

HEADSCOPE_TEST_GUILESS(NarrowProductTest)
#include "tst_skinny_gemm.moc"

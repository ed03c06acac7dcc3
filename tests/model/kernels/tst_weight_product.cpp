// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/weight_product.h"

#include "model/base/parallel.h"
#include "model/base/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <hwy/targets.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
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

/// Factors [m, k] with gaps behind the rows, and weights [n, k] in rows and packed.
struct Factors
{
    Factors(std::int64_t rows, std::int64_t columns, std::int64_t depth)
        : m(rows), n(columns), k(depth), lda(depth + 5), a(randomValues(m * lda, 1)), rowsOfW(randomValues(n * k, 2)),
          packed(rowsOfW)
    {
        packWeights(packed.data(), n, k);
    }

    [[nodiscard]] double plain(std::int64_t i, std::int64_t j, std::int64_t first, std::int64_t count) const
    {
        double sum = 0;
        for (std::int64_t p = first; p < first + count; ++p)
            sum +=
                double{a[static_cast<std::size_t>(i * lda + p)]} * double{rowsOfW[static_cast<std::size_t>(j * k + p)]};
        return sum;
    }

    std::int64_t m, n, k, lda;
    std::vector<float> a;
    std::vector<float> rowsOfW;
    std::vector<float> packed;
};

/// C [m, n] of some rows of A.
std::vector<float> productOf(const Factors& f, std::int64_t first, std::int64_t rows)
{
    std::vector<float> c(static_cast<std::size_t>(rows * f.n), std::numeric_limits<float>::quiet_NaN());
    std::vector<float> scratch;
    weightProduct(rows, f.n, f.k, f.a.data() + first * f.lda, f.lda, {f.packed.data(), f.k}, c.data(), f.n,
                  ProductOutput::Written, scratch, {});
    return c;
}

/// Chooses an instruction set, and at its end what the CPU has.
class ChosenTarget
{
public:
    explicit ChosenTarget(std::int64_t target) { hwy::GetChosenTarget().Update(target); }
    ~ChosenTarget() { hwy::GetChosenTarget().Update(hwy::SupportedTargets()); }
    ChosenTarget(const ChosenTarget&) = delete;
    ChosenTarget& operator=(const ChosenTarget&) = delete;
};

} // namespace

class TestWeightProduct : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void packedAndBack();
    void againstPlainLoops_data();
    void againstPlainLoops();
    void rowsAndColumnsOfWeights();
    void rowsDoNotDependOnEachOther();
    void sameBitsInsideAnyNumberOfThreads();
    void endsOnceAStopIsRequested();
};

void TestWeightProduct::packedAndBack()
{
    const Factors f(1, 48, 37);
    QCOMPARE(f.packed[1], f.rowsOfW[37]); // the first number of the second row
    std::vector<float> rows(f.rowsOfW.size());
    unpackWeights(f.packed.data(), f.n, f.k, rows.data());
    QVERIFY(rows == f.rowsOfW);
}

void TestWeightProduct::againstPlainLoops_data()
{
    QTest::addColumn<int>("m");
    QTest::addColumn<int>("n");
    QTest::addColumn<int>("k");
    for (int m = 1; m <= 29; ++m) // all heights of tiles
        QTest::addRow("%d rows", m) << m << 48 << 33;
    for (const int k : {1, 3, 256, 257, 600})
        QTest::addRow("%d deep", k) << 17 << 16 << k;
    QTest::addRow("blocks") << 401 << 1040 << 300;
}

/// On every instruction set of this CPU, written and added; rows of C have gaps that stay as they are.
void TestWeightProduct::againstPlainLoops()
{
    QFETCH(int, m);
    QFETCH(int, n);
    QFETCH(int, k);
    const Factors f(m, n, k);
    const std::int64_t ldc = n + 3;
    for (const std::int64_t target : {std::int64_t{HWY_AVX3}, std::int64_t{HWY_AVX2}, std::int64_t{0}})
    {
        if ((target & hwy::SupportedTargets()) != target)
            continue;
        const ChosenTarget chosen(target);
        QCOMPARE(multipliesPackedWeights(), target != 0); // plain code is the last
        for (const ProductOutput output : {ProductOutput::Written, ProductOutput::Added})
        {
            std::vector<float> c(static_cast<std::size_t>(m * ldc), 0.5F);
            std::vector<float> scratch;
            weightProduct(m, n, k, f.a.data(), f.lda, {f.packed.data(), f.k}, c.data(), ldc, output, scratch, {});
            for (int i = 0; i < m; ++i)
            {
                for (int j = 0; j < ldc; ++j)
                {
                    const double before = j >= n || output == ProductOutput::Added ? 0.5 : 0.0;
                    const double expected = before + (j < n ? f.plain(i, j, 0, k) : 0.0);
                    const auto found = static_cast<double>(c[static_cast<std::size_t>(i * ldc + j)]);
                    QVERIFY(std::abs(found - expected) <= 1e-6 * (1 + k));
                    QVERIFY(j < n || found == 0.5);
                }
            }
        }
    }
}

void TestWeightProduct::rowsAndColumnsOfWeights()
{
    const Factors f(9, 64, 40);
    std::vector<float> c(9 * 32);
    std::vector<float> scratch;
    weightProduct(9, 32, 13, f.a.data() + 7, f.lda, PackedWeights{f.packed.data(), f.k}.fromRow(16).fromColumn(7),
                  c.data(), 32, ProductOutput::Written, scratch, {});
    for (std::int64_t i = 0; i < 9; ++i)
        for (std::int64_t j = 0; j < 32; ++j)
            QVERIFY(std::abs(static_cast<double>(c[static_cast<std::size_t>(i * 32 + j)]) - f.plain(i, 16 + j, 7, 13)) <
                    1e-5);
}

/// A text's numbers do not depend on the texts beside it.
void TestWeightProduct::rowsDoNotDependOnEachOther()
{
    const Factors f(230, 80, 600);
    const auto all = productOf(f, 0, f.m);
    for (const auto& [first, rows] : {std::pair<std::int64_t, std::int64_t>{0, 1}, {229, 1}, {3, 7}, {100, 130}})
    {
        const auto some = productOf(f, first, rows);
        QVERIFY(std::ranges::equal(some, std::span(all).subspan(static_cast<std::size_t>(first * f.n), some.size())));
    }
}

void TestWeightProduct::sameBitsInsideAnyNumberOfThreads()
{
    const Factors f(200, 96, 300);
    std::vector<std::vector<float>> results;
    for (const int threads : {1, 2, 3})
    {
        std::vector<float> c(static_cast<std::size_t>(f.m * f.n));
        parallelFor(threads, f.m, 64, [&](std::int64_t begin, std::int64_t end) {
            std::ranges::copy(productOf(f, begin, end - begin), c.begin() + begin * f.n);
        });
        results.push_back(std::move(c));
    }
    QVERIFY(results[0] == results[1]);
    QVERIFY(results[0] == results[2]);
}

void TestWeightProduct::endsOnceAStopIsRequested()
{
    const Factors f(5, 16, 20);
    std::stop_source stop;
    stop.request_stop();
    std::vector<float> c(static_cast<std::size_t>(f.m * f.n), 7.0F);
    std::vector<float> scratch;
    weightProduct(f.m, f.n, f.k, f.a.data(), f.lda, {f.packed.data(), f.k}, c.data(), f.n, ProductOutput::Written,
                  scratch, stop.get_token());
    QVERIFY(std::ranges::all_of(c, [](float number) { return number == 7.0F; }));
}

HEADSCOPE_TEST_GUILESS(TestWeightProduct)
#include "tst_weight_product.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/attention/query_key_space.h"

#include "model/base/random.h"
#include "tests/support/test_program.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace headscope;

namespace
{

constexpr std::int64_t kDims = 6;

MatrixF drawn(std::int64_t rows, double spread, double offset, std::uint64_t seed)
{
    const CounterRandom random(seed);
    MatrixF matrix(rows, kDims);
    for (std::size_t i = 0; i < matrix.values().size(); ++i)
        matrix.values()[i] = static_cast<float>(offset + spread * random.normal(i));
    return matrix;
}

/// Attention weights of every query over all keys.
std::vector<double> weights(ConstMatrixView q, ConstMatrixView k)
{
    std::vector<double> all;
    for (std::int64_t i = 0; i < q.rows(); ++i)
    {
        std::vector<double> row;
        for (std::int64_t j = 0; j < k.rows(); ++j)
            row.push_back(std::inner_product(q.row(i).begin(), q.row(i).end(), k.row(j).begin(), 0.0));
        const double largest = *std::ranges::max_element(row);
        for (double& x : row)
            x = std::exp(x - largest);
        const double sum = std::accumulate(row.begin(), row.end(), 0.0);
        for (const double x : row)
            all.push_back(x / sum);
    }
    return all;
}

} // namespace

class TestQueryKeySpace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void attentionStaysWhatItIs();
    void spreadsAndMeansAreAlike();
    void noSpread();
    void rowsOfASample();
};

void TestQueryKeySpace::attentionStaysWhatItIs()
{
    const MatrixF q = drawn(40, 0.3, 0.2, 1), k = drawn(40, 2.5, -1.5, 2);
    std::vector<std::int64_t> rows(40);
    std::iota(rows.begin(), rows.end(), 0);
    const QueryKeySpace space = queryKeySpace(q.view(), k.view(), rows);
    QVERIFY(space.scale > 1.5);
    const ConstMatrixView all = space.rows.view();
    const auto before = weights(q.view(), k.view());
    const auto after = weights({all.data(), 40, kDims}, {all.data() + 40 * kDims, 40, kDims});
    for (std::size_t i = 0; i < before.size(); ++i)
        QVERIFY(std::abs(before[i] - after[i]) < 1e-5);
}

void TestQueryKeySpace::spreadsAndMeansAreAlike()
{
    const MatrixF q = drawn(100, 0.3, 0.2, 3), k = drawn(100, 2.5, -1.5, 4);
    const std::vector<std::int64_t> rows = {1, 5, 7, 20, 33, 34, 60, 61, 90, 99};
    const QueryKeySpace space = queryKeySpace(q.view(), k.view(), rows);
    QCOMPARE(space.rows.rows(), 20);
    double spread[2] = {0, 0};
    for (std::int64_t d = 0; d < kDims; ++d)
    {
        double mean[2] = {0, 0};
        for (std::int64_t i = 0; i < 20; ++i)
            mean[i / 10] += static_cast<double>(space.rows(i, d)) / 10;
        QVERIFY(std::abs(mean[0] - mean[1]) < 1e-5);
        for (std::int64_t i = 0; i < 20; ++i)
            spread[i / 10] += std::pow(static_cast<double>(space.rows(i, d)) - mean[i / 10], 2);
    }
    QVERIFY(std::abs(spread[0] / spread[1] - 1) < 1e-5);
    // The rows are those that were asked for.
    for (std::size_t i = 0; i < rows.size(); ++i)
        QCOMPARE(space.rows(static_cast<std::int64_t>(i), 2), static_cast<float>(space.scale * q(rows[i], 2)));
}

void TestQueryKeySpace::noSpread()
{
    const MatrixF q = drawn(5, 0, 1, 1), k = drawn(5, 1, 0, 2);
    const std::vector<std::int64_t> rows = {0, 1, 2, 3, 4};
    const QueryKeySpace space = queryKeySpace(q.view(), k.view(), rows);
    QCOMPARE(space.scale, 1.0);
    for (const float x : space.rows.values())
        QVERIFY(std::isfinite(x));
}

void TestQueryKeySpace::rowsOfASample()
{
    const auto few = drawnRows(1000, 50, 7);
    const auto more = drawnRows(1000, 200, 7);
    QCOMPARE(few.size(), std::size_t{50});
    QVERIFY(std::ranges::adjacent_find(few, std::greater_equal<>()) == few.end());
    QVERIFY(std::ranges::includes(more, few));
    QVERIFY(drawnRows(1000, 50, 8) != few);
    QCOMPARE(drawnRows(3, 50, 7), (std::vector<std::int64_t>{0, 1, 2}));
}

HEADSCOPE_TEST_GUILESS(TestQueryKeySpace)
#include "tst_query_key_space.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/similarity_map.h"
#include "model/analysis/topics.h"
#include "tests/support/clouds.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace headscope;

namespace
{

/// All pairs, one by one, in double.
double pairs(const MatrixF& rows, const MatrixF& columns, std::int64_t firstRow, std::int64_t endRow,
             std::int64_t firstColumn, std::int64_t endColumn, BinValue value)
{
    double sum = 0;
    double largest = -2;
    int count = 0;
    for (std::int64_t i = firstRow; i < endRow; ++i)
    {
        for (std::int64_t j = firstColumn; j < endColumn; ++j)
        {
            const double each = cosine(rows.row(i), columns.row(j));
            if (std::isnan(each))
                continue;
            sum += each;
            largest = std::max(largest, each);
            ++count;
        }
    }
    if (count == 0)
        return std::numeric_limits<double>::quiet_NaN();
    return value == BinValue::Mean ? sum / count : largest;
}

} // namespace

class SimilarityMapTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void againstAllPairs_data();
    void againstAllPairs();
    void oneBinAVector();
    void vectorsWithoutDirection();
    void sameOnAnyNumberOfThreads();
    void refusals();
};

void SimilarityMapTest::againstAllPairs_data()
{
    QTest::addColumn<bool>("largest");
    QTest::addColumn<int>("rowBins");
    QTest::addColumn<int>("columnBins");
    QTest::newRow("mean") << false << 7 << 5;
    QTest::newRow("mean, one bin") << false << 1 << 1;
    QTest::newRow("largest") << true << 7 << 5;
    QTest::newRow("largest, one bin of many blocks") << true << 1 << 3;
    QTest::newRow("largest, more bins than rows") << true << 1000 << 4;
}

void SimilarityMapTest::againstAllPairs()
{
    QFETCH(bool, largest);
    QFETCH(int, rowBins);
    QFETCH(int, columnBins);
    const MatrixF rows = test::hardCloud(300, 21);
    const MatrixF columns = test::hardCloud(1100, 21, 2);
    SimilarityMapOptions options{rowBins, columnBins, largest ? BinValue::Largest : BinValue::Mean};
    JobContext job;
    const auto map = similarityMap(rows.view(), columns.view(), options, 2, job);
    HEADSCOPE_VERIFY_OK(map);
    const std::int64_t numRows = std::min<std::int64_t>(rowBins, rows.rows());
    QCOMPARE(map->rows(), numRows);
    QCOMPARE(map->cols(), std::int64_t{columnBins});
    for (std::int64_t r = 0; r < numRows; r += 1 + numRows / 8)
    {
        for (std::int64_t c = 0; c < columnBins; ++c)
        {
            const double expected = pairs(rows, columns, r * 300 / numRows, (r + 1) * 300 / numRows,
                                          c * 1100 / columnBins, (c + 1) * 1100 / columnBins, options.value);
            QVERIFY(std::abs(static_cast<double>((*map)(r, c)) - expected) <= 1e-6);
        }
    }
}

void SimilarityMapTest::oneBinAVector()
{
    const MatrixF rows = test::hardCloud(40, 8);
    JobContext job;
    for (const BinValue value : {BinValue::Mean, BinValue::Largest})
    {
        const auto map = similarityMap(rows.view(), rows.view(), {500, 500, value}, 1, job);
        HEADSCOPE_VERIFY_OK(map);
        QCOMPARE(map->rows(), std::int64_t{40});
        for (std::int64_t i = 0; i < 40; ++i)
        {
            QVERIFY(std::abs((*map)(i, i) - 1.0F) <= 1e-6F);
            QVERIFY((*map)(i, i) <= 1.0F);
        }
    }
}

void SimilarityMapTest::vectorsWithoutDirection()
{
    MatrixF rows = test::hardCloud(12, 8);
    const MatrixF columns = test::hardCloud(12, 8, 2);
    std::fill(rows.row(1).begin(), rows.row(1).end(), 0.0F);
    rows(4, 3) = std::numeric_limits<float>::quiet_NaN();
    rows(5, 0) = std::numeric_limits<float>::infinity();
    JobContext job;
    for (const BinValue value : {BinValue::Mean, BinValue::Largest})
    {
        const auto map = similarityMap(rows.view(), columns.view(), {6, 2, value}, 2, job);
        HEADSCOPE_VERIFY_OK(map);
        QVERIFY(std::isnan((*map)(2, 0)) && std::isnan((*map)(2, 1))); // rows 4 and 5
        const double expected = pairs(rows, columns, 0, 2, 6, 12, value);
        QVERIFY(std::abs(static_cast<double>((*map)(0, 1)) - expected) <= 1e-6);
    }
}

void SimilarityMapTest::sameOnAnyNumberOfThreads()
{
    const MatrixF rows = test::hardCloud(500, 16);
    JobContext job;
    for (const BinValue value : {BinValue::Mean, BinValue::Largest})
    {
        const auto one = similarityMap(rows.view(), rows.view(), {30, 40, value}, 1, job);
        const auto three = similarityMap(rows.view(), rows.view(), {30, 40, value}, 3, job);
        QVERIFY(one->values() == three->values());
    }
}

void SimilarityMapTest::refusals()
{
    const MatrixF rows = test::hardCloud(10, 4);
    const MatrixF other = test::hardCloud(10, 5);
    JobContext job;
    HEADSCOPE_VERIFY_ERROR(similarityMap(rows.view(), other.view(), {}, 1, job), ErrorCode::ShapeMismatch, "4 and 5");
    HEADSCOPE_VERIFY_ERROR(similarityMap(rows.view(), rows.view(), {0, 3, BinValue::Mean}, 1, job), ErrorCode::WrongUse,
                           "0 by 3");
    QVERIFY(similarityMap({}, {}, {}, 1, job)->empty());
    std::stop_source stop;
    stop.request_stop();
    JobContext stopped(stop.get_token());
    QVERIFY(similarityMap(rows.view(), rows.view(), {}, 1, stopped).error().code == ErrorCode::Cancelled);
}

HEADSCOPE_TEST_GUILESS(SimilarityMapTest)
#include "tst_similarity_map.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/neighbors.h"
#include "tests/support/clouds.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace headscope;

namespace
{

NeighborOptions options(std::int64_t k, Metric metric, NeighborMethod method = NeighborMethod::Exact)
{
    NeighborOptions chosen;
    chosen.k = k;
    chosen.metric = metric;
    chosen.method = method;
    return chosen;
}

} // namespace

class NeighborsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void golden_data();
    void golden();
    void sameOnAnyNumberOfThreads();
    void approximateReachesItsRecall();
    void manyEqualRows();
    void fewPoints();
    void hugeOutlier();
    void refusals();
    void cancelled();
};

void NeighborsTest::golden_data()
{
    QTest::addColumn<QString>("group");
    QTest::addColumn<bool>("cosine");
    QTest::newRow("euclidean") << QStringLiteral("euclidean") << false;
    QTest::newRow("cosine") << QStringLiteral("cosine") << true;
}

void NeighborsTest::golden()
{
    QFETCH(QString, group);
    QFETCH(bool, cosine);
    const test::GoldenFile file(test::golden("analysis/knn.h5"));
    const auto shape = file.shape("X");
    const MatrixF rows(shape[0], shape[1], file.floats("X"));
    const std::int64_t k = file.integers("k")[0];
    JobContext job;
    const auto found = findNeighbors(rows.view(), options(k, cosine ? Metric::Cosine : Metric::Euclidean), 2, job);
    HEADSCOPE_VERIFY_OK(found);
    const auto name = group.toStdString();
    const auto indices = file.integers(name + "/indices");
    std::vector<double> distances;
    for (std::int64_t i = 0; i < rows.rows(); ++i)
    {
        for (std::int64_t j = 0; j < k; ++j)
        {
            QCOMPARE(std::int64_t{found->indices(i, j)}, indices[static_cast<std::size_t>(i * k + j)]);
            distances.push_back(found->distance(i, j));
        }
    }
    const double error = test::absmax(distances, file.doubles(name + "/distances"));
    QVERIFY2(error <= (cosine ? 1e-9 : 1e-6), qPrintable(QString::number(error)));
}

void NeighborsTest::sameOnAnyNumberOfThreads()
{
    const MatrixF rows = test::headLikeClouds(2000, 32, 8).vectors;
    JobContext job;
    for (const NeighborMethod method : {NeighborMethod::Exact, NeighborMethod::Approximate})
    {
        const auto one = findNeighbors(rows.view(), options(20, Metric::Euclidean, method), 1, job);
        HEADSCOPE_VERIFY_OK(one);
        for (const int threads : {2, 3, 8})
        {
            const auto more = findNeighbors(rows.view(), options(20, Metric::Euclidean, method), threads, job);
            HEADSCOPE_VERIFY_OK(more);
            QVERIFY(more->indices == one->indices);
            QVERIFY(more->squared == one->squared);
        }
    }
}

void NeighborsTest::approximateReachesItsRecall()
{
    const MatrixF rows = test::hardCloud(4000, 32);
    JobContext job;
    const auto exact = findNeighbors(rows.view(), options(15, Metric::Cosine), 2, job);
    const auto found = findNeighbors(rows.view(), options(15, Metric::Cosine, NeighborMethod::Approximate), 2, job);
    HEADSCOPE_VERIFY_OK(exact);
    HEADSCOPE_VERIFY_OK(found);
    QVERIFY(found->recall >= 0.99);
    std::int64_t hits = 0;
    for (std::int64_t i = 0; i < rows.rows(); ++i)
    {
        for (std::int64_t a = 0; a < 15; ++a)
            hits += found->squared(i, a) <= exact->squared(i, 14) ? 1 : 0;
    }
    QVERIFY(static_cast<double>(hits) / static_cast<double>(rows.rows() * 15) > 0.98);
}

void NeighborsTest::manyEqualRows()
{
    MatrixF rows(3000, 16); // all the same but two: more ties than any buffer holds
    for (float& value : rows.values())
        value = 0.3F;
    rows(7, 0) = 0.30001F;
    rows(2999, 3) = 5.0F;
    JobContext job;
    const auto found = findNeighbors(rows.view(), options(5, Metric::Euclidean), 2, job);
    HEADSCOPE_VERIFY_OK(found);
    for (std::int64_t i = 0; i < rows.rows(); ++i)
    {
        std::int32_t expected = 0;
        for (std::int64_t j = 0; j < 5; ++j, ++expected)
        {
            if (expected == i && i != 7)
                ++expected;
            if (expected == 7)
                ++expected;
            QCOMPARE(found->indices(i, j), expected);
        }
    }
}

void NeighborsTest::fewPoints()
{
    JobContext job;
    const MatrixF one(1, 4, {1, 2, 3, 4});
    const auto none = findNeighbors(one.view(), options(3, Metric::Cosine), 2, job);
    HEADSCOPE_VERIFY_OK(none);
    QCOMPARE(none->k(), 0);
    const MatrixF three(3, 1, {0, 1, 3});
    const auto found = findNeighbors(three.view(), options(10, Metric::Euclidean), 2, job);
    HEADSCOPE_VERIFY_OK(found);
    QCOMPARE(found->k(), 2);
    QCOMPARE(found->indices.values(), (std::vector<std::int32_t>{1, 2, 0, 2, 1, 0}));
    QCOMPARE(found->distance(2, 1), 3.0);
}

void NeighborsTest::hugeOutlier()
{
    MatrixF rows = test::headLikeClouds(600, 16, 4).vectors;
    JobContext job;
    const auto before = findNeighbors(rows.view(), options(10, Metric::Euclidean), 2, job);
    MatrixF more(rows.rows() + 1, rows.cols(), [&] {
        auto values = rows.values();
        values.insert(values.end(), static_cast<std::size_t>(rows.cols()), 1e6F);
        return values;
    }());
    const auto after = findNeighbors(more.view(), options(10, Metric::Euclidean), 2, job);
    HEADSCOPE_VERIFY_OK(before);
    HEADSCOPE_VERIFY_OK(after);
    for (std::int64_t i = 0; i < rows.rows(); ++i)
    {
        for (std::int64_t j = 0; j < 10; ++j)
            QCOMPARE(after->indices(i, j), before->indices(i, j));
    }
}

void NeighborsTest::refusals()
{
    JobContext job;
    MatrixF rows(5, 2);
    HEADSCOPE_VERIFY_ERROR(findNeighbors(rows.view(), options(0, Metric::Euclidean), 1, job),
                           ErrorCode::InvalidArgument, "at least 1 neighbour");
    rows(3, 1) = std::numeric_limits<float>::quiet_NaN();
    HEADSCOPE_VERIFY_ERROR(findNeighbors(rows.view(), options(2, Metric::Euclidean), 1, job),
                           ErrorCode::InvalidArgument, "row 3 of 5");
}

void NeighborsTest::cancelled()
{
    std::stop_source stop;
    stop.request_stop();
    JobContext job(stop.get_token());
    const MatrixF rows = test::hardCloud(500, 8);
    for (const NeighborMethod method : {NeighborMethod::Exact, NeighborMethod::Approximate})
    {
        const auto found = findNeighbors(rows.view(), options(5, Metric::Euclidean, method), 2, job);
        QVERIFY(!found);
        QVERIFY(found.error().code == ErrorCode::Cancelled);
    }
}

QTEST_GUILESS_MAIN(NeighborsTest)
#include "tst_neighbors.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/neighbors/neighbors.h"
#include "tests/support/clouds.h"
#include "tests/support/golden_file.h"
#include "tests/support/memory_limit.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

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
    void fromOnePointUp_data();
    void fromOnePointUp();
    void oddSets_data();
    void oddSets();
    void labelNumbersAnySize();
    void hugeOutlier();
    void recallIsMeasured();
    void refusals();
    void cancelled();
    void cancelledInEveryStage();
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

void NeighborsTest::fromOnePointUp_data()
{
    QTest::addColumn<int>("points");
    for (const int points : {1, 2, 3, 5, 17, 100})
        QTest::addRow("%d", points) << points;
}

void NeighborsTest::fromOnePointUp()
{
    QFETCH(int, points);
    const MatrixF rows = test::hardCloud(points, 7);
    JobContext job;
    for (const Metric metric : {Metric::Euclidean, Metric::Cosine})
    {
        const auto exact = findNeighbors(rows.view(), options(10, metric), 3, job);
        HEADSCOPE_VERIFY_OK(exact);
        QCOMPARE(exact->k(), std::min<std::int64_t>(10, points - 1));
        const auto found = findNeighbors(rows.view(), options(10, metric, NeighborMethod::Approximate), 3, job);
        HEADSCOPE_VERIFY_OK(found);
        QVERIFY(found->indices == exact->indices); // every point is in the sample
        QVERIFY(found->squared == exact->squared);
    }
}

void NeighborsTest::oddSets_data()
{
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"duplicates", "constant columns", "zero vectors", "outlier", "all equal"})
        QTest::newRow(kind) << QString::fromLatin1(kind);
}

/// Against distances in double, sorted: both methods, both metrics.
void NeighborsTest::oddSets()
{
    QFETCH(QString, kind);
    MatrixF rows = kind == QStringLiteral("duplicates") ? test::duplicatedCloud(700, 12)
                   : kind == QStringLiteral("outlier")  ? test::outlierCloud(700, 12)
                                                        : test::hardCloud(700, 12);
    for (std::int64_t i = 0; i < rows.rows(); ++i)
    {
        if (kind == QStringLiteral("constant columns"))
            rows(i, 2) = rows(i, 5) = 1234.5F;
        if (kind == QStringLiteral("all equal") || (kind == QStringLiteral("zero vectors") && i % 9 == 4))
            std::fill(rows.row(i).begin(), rows.row(i).end(), kind == QStringLiteral("all equal") ? 0.7F : 0.0F);
    }
    JobContext job;
    for (const Metric metric : {Metric::Euclidean, Metric::Cosine})
    {
        const auto scales = metric == Metric::Cosine ? unitScales(rows.view(), 1) : std::vector<double>();
        const auto exact = findNeighbors(rows.view(), options(8, metric), 2, job);
        HEADSCOPE_VERIFY_OK(exact);
        std::vector<double> squared(700);
        for (std::int64_t i = 0; i < rows.rows(); i += 7)
        {
            distancesToAll(rows.view(), scales, i, squared);
            squared[static_cast<std::size_t>(i)] = std::numeric_limits<double>::infinity();
            std::vector<std::int32_t> order(700);
            std::iota(order.begin(), order.end(), 0);
            std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
                return squared[static_cast<std::size_t>(a)] < squared[static_cast<std::size_t>(b)];
            });
            for (std::int64_t j = 0; j < 8; ++j)
            {
                QCOMPARE(exact->indices(i, j), order[static_cast<std::size_t>(j)]);
                QCOMPARE(exact->squared(i, j), squared[static_cast<std::size_t>(exact->indices(i, j))]);
            }
        }
        const auto found = findNeighbors(rows.view(), options(8, metric, NeighborMethod::Approximate), 2, job);
        HEADSCOPE_VERIFY_OK(found);
        QVERIFY(found->recall >= 0.99);
        for (std::int64_t i = 0; i < rows.rows(); ++i)
        {
            for (std::int64_t j = 0; j < 8; ++j)
                QVERIFY(found->indices(i, j) != i && std::isfinite(found->squared(i, j)));
        }
    }
}

void NeighborsTest::labelNumbersAnySize()
{
    const MatrixF rows = test::hardCloud(400, 10);
    JobContext job;
    const auto usual = findNeighbors(rows.view(), options(6, Metric::Euclidean), 2, job);
    HEADSCOPE_VERIFY_OK(usual);
    for (const float power : {0x1p-70F, 0x1p100F}) // squares leave the range of float32
    {
        MatrixF scaled = rows;
        for (float& value : scaled.values())
            value *= power;
        const auto found = findNeighbors(scaled.view(), options(6, Metric::Euclidean), 2, job);
        HEADSCOPE_VERIFY_OK(found);
        QVERIFY(found->indices == usual->indices);
    }
}

void NeighborsTest::recallIsMeasured()
{
    const MatrixF rows = test::hardCloud(900, 16);
    JobContext job;
    auto found = findNeighbors(rows.view(), options(10, Metric::Cosine), 2, job);
    HEADSCOPE_VERIFY_OK(found);
    QCOMPARE(measuredRecall(rows.view(), *found, 100, 3, 2, job).value(), 1.0);
    for (std::int64_t i = 0; i < rows.rows(); ++i) // half of each list replaced by the farthest point
    {
        std::vector<double> squared(900);
        distancesToAll(rows.view(), unitScales(rows.view(), 1), i, squared);
        const auto far = std::max_element(squared.begin(), squared.end()) - squared.begin();
        for (std::int64_t j = 5; j < 10; ++j)
            found->indices(i, j) = static_cast<std::int32_t>(far);
    }
    QCOMPARE(measuredRecall(rows.view(), *found, 50, 3, 3, job).value(), 0.5);
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
    const MatrixF many(200'000, 1);
    const test::MemoryLimit limit(500'000'000);
    HEADSCOPE_VERIFY_ERROR(findNeighbors(many.view(), options(1'000, Metric::Euclidean), 1, job),
                           ErrorCode::OutOfMemory,
                           "a search for 1000 neighbours of each of 200000 points needs about 4.07 GB of memory");
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

/// A stop that comes with the first word of any stage ends in Cancelled, whatever came before.
void NeighborsTest::cancelledInEveryStage()
{
    const MatrixF rows = test::hardCloud(6000, 8);
    for (const NeighborMethod method : {NeighborMethod::Exact, NeighborMethod::Approximate})
    {
        std::vector<std::string> stages;
        JobContext watched({}, [&](const Progress& progress) {
            if (std::find(stages.begin(), stages.end(), progress.stage) == stages.end())
                stages.push_back(progress.stage);
        });
        HEADSCOPE_VERIFY_OK(findNeighbors(rows.view(), options(5, Metric::Euclidean, method), 2, watched));
        QVERIFY(stages.size() >= (method == NeighborMethod::Exact ? 1U : 3U));
        for (const std::string& stage : stages)
        {
            std::stop_source stop;
            JobContext job(stop.get_token(), [&](const Progress& progress) {
                if (progress.stage == stage)
                    stop.request_stop();
            });
            const auto found = findNeighbors(rows.view(), options(5, Metric::Euclidean, method), 2, job);
            QVERIFY2(!found && found.error().code == ErrorCode::Cancelled, stage.c_str());
        }
    }
}

HEADSCOPE_TEST_GUILESS(NeighborsTest)
#include "tst_neighbors.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/map_quality.h"

#include "model/analysis/maps/neighborhood_quality.h"
#include "tests/support/clouds.h"
#include "tests/support/golden_tsne.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace headscope;

namespace
{

std::vector<std::int32_t> labels()
{
    const auto values = test::tsneTruth().integers("data/label");
    return {values.begin(), values.end()};
}

} // namespace

class MapQualityTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void goldenDivergence_data();
    void goldenDivergence();
    void goldenToy();
    void anyKernel();
    void goldenNeighborhoods();
    void goldenClassesAndDistances();
    void samplesAreSaidSo();
    void keptByEveryPoint();
    void cancelled();
    void refusals();
};

void MapQualityTest::goldenDivergence_data()
{
    QTest::addColumn<QString>("at");
    QTest::newRow("scale 1") << QStringLiteral("at/scale1");
    QTest::newRow("scale 20") << QStringLiteral("at/scale20");
}

void MapQualityTest::goldenDivergence()
{
    QFETCH(QString, at);
    const std::string group = at.toStdString();
    const MatrixF xy = test::tsneMatrix(group + "/Y");
    JobContext job;
    const auto columns = test::tsneTruth().integers("knn/csr_indices");
    const SparseAffinities sparse{test::tsneTruth().integers("knn/csr_indptr"),
                                  {columns.begin(), columns.end()},
                                  test::tsneTruth().doubles("knn/csr_values")};
    const auto upper = test::tsneTruth().doubles("all/P_upper");
    MatrixD dense(xy.rows(), xy.rows());
    std::size_t next = 0;
    for (std::int64_t i = 0; i < xy.rows(); ++i)
    {
        for (std::int64_t j = i + 1; j < xy.rows(); ++j)
            dense(j, i) = dense(i, j) = upper[next++];
    }
    const auto check = [&](const Result<ExactDivergence>& found, const std::string& kind) {
        HEADSCOPE_VERIFY_OK(found);
        const double kl = test::tsneTruth().doubles(group + kind + "/kl")[0];
        QVERIFY(std::abs(found->kl - kl) <= 1e-11 * kl);
        QVERIFY(std::abs(found->z / test::tsneTruth().doubles(group + "/Z")[0] - 1) <= 1e-12);
        QVERIFY(test::relmax(found->perPoint, test::tsneTruth().doubles(group + kind + "/kl_point")) <= 1e-10);
    };
    check(exactDivergence(sparse, xy.view(), 2, job), "/knn");
    check(exactDivergence(dense, xy.view(), 3, job), "/all");
}

void MapQualityTest::goldenToy()
{
    const MatrixD affinities(8, 8, test::tsneTruth().doubles("toy/P"));
    const MatrixF xy = test::tsneMatrix("toy/Y");
    JobContext job;
    const auto found = exactDivergence(affinities, xy.view(), 1, job);
    HEADSCOPE_VERIFY_OK(found);
    QVERIFY(std::abs(found->kl - test::tsneTruth().doubles("toy/kl")[0]) <= 1e-11);
    QVERIFY(test::relmax(found->perPoint, test::tsneTruth().doubles("toy/kl_point")) <= 1e-10);
}

/// The divergence by any degrees of freedom is the sum over pairs that it says it is.
void MapQualityTest::anyKernel()
{
    constexpr std::int64_t kPoints = 70;
    const MatrixF xy = test::hardCloud(kPoints, 2);
    MatrixD affinities(kPoints, kPoints);
    for (std::int64_t i = 0; i < kPoints; ++i)
        for (std::int64_t j = 0; j < kPoints; ++j)
            affinities(i, j) = i == j ? 0.0 : 1.0 / static_cast<double>(kPoints * (kPoints - 1));
    JobContext job;
    for (const double degrees : {0.3, 1.0, 2.0, 30.0})
    {
        double z = 0;
        double logs = 0; // sum of -ln k over the pairs
        for (std::int64_t i = 0; i < kPoints; ++i)
            for (std::int64_t j = 0; j < kPoints; ++j)
                if (i != j)
                {
                    const double dx = static_cast<double>(xy(i, 0)) - static_cast<double>(xy(j, 0));
                    const double dy = static_cast<double>(xy(i, 1)) - static_cast<double>(xy(j, 1));
                    const double kernel = std::pow(1 + (dx * dx + dy * dy) / degrees, -degrees);
                    z += kernel;
                    logs -= std::log(kernel);
                }
        const double p = 1.0 / static_cast<double>(kPoints * (kPoints - 1));
        const double kl = std::log(p) + p * logs + std::log(z);
        const auto found = exactDivergence(affinities, xy.view(), 2, job, degrees);
        HEADSCOPE_VERIFY_OK(found);
        QVERIFY(std::abs(found->z / z - 1) <= 1e-12);
        QVERIFY2(std::abs(found->kl - kl) <= 1e-10, qPrintable(QString::number(degrees)));
    }
}

void MapQualityTest::goldenNeighborhoods()
{
    const MatrixF rows = test::tsneMatrix("data/X");
    const MatrixF xy = test::tsneMatrix("quality/embedding");
    const auto k = test::tsneTruth().integers("quality/k");
    JobContext job;
    const auto found = neighborhoodQuality(rows.view(), xy.view(), k, 0, 1, 2, job);
    HEADSCOPE_VERIFY_OK(found);
    for (std::size_t i = 0; i < k.size(); ++i)
    {
        const NeighborhoodQuality& quality = (*found)[i];
        QVERIFY(std::abs(quality.trustworthiness - test::tsneTruth().doubles("quality/trustworthiness")[i]) <= 1e-10);
        QVERIFY(std::abs(quality.continuity - test::tsneTruth().doubles("quality/continuity")[i]) <= 1e-10);
        QVERIFY(std::abs(quality.kept - test::tsneTruth().doubles("quality/knn_kept")[i]) <= 1e-10);
        if (quality.k == 10)
            QVERIFY(test::absmax(quality.perPoint, test::tsneTruth().doubles("quality/knn10_point")) <= 1e-10);
    }
}

void MapQualityTest::goldenClassesAndDistances()
{
    const MatrixF rows = test::tsneMatrix("data/X");
    const MatrixF xy = test::tsneMatrix("quality/embedding");
    const auto k = test::tsneTruth().integers("quality/knc_k");
    for (std::size_t i = 0; i < k.size(); ++i)
    {
        const auto found = classNeighborhoodKept(rows.view(), xy.view(), labels(), k[i]);
        HEADSCOPE_VERIFY_OK(found);
        QVERIFY(std::abs(found->kept - test::tsneTruth().doubles("quality/knc")[i]) <= 1e-10);
    }
    // A map that is the data keeps all means, and hardly any other order of them does.
    const auto same = classNeighborhoodKept(xy.view(), xy.view(), labels(), k.front());
    HEADSCOPE_VERIFY_OK(same);
    QCOMPARE(same->kept, 1.0);
    QVERIFY(same->null.p <= 0.05 && same->null.mean < 1 && same->null.high <= 1);
    QCOMPARE(same->null.permutations, kDefaultPermutations);
    const double chance = static_cast<double>(k.front()) / static_cast<double>(same->classes - 1);
    QVERIFY(std::abs(same->null.mean - chance) < 0.05);
    const auto shape = test::tsneTruth().shape("quality/cpd_pairs");
    const Matrix<std::int64_t> pairs(shape[0], shape[1], test::tsneTruth().integers("quality/cpd_pairs"));
    const auto some = distanceCorrelation(rows.view(), xy.view(), pairs);
    HEADSCOPE_VERIFY_OK(some);
    QVERIFY(std::abs(*some - test::tsneTruth().doubles("quality/cpd")[0]) <= 1e-10);
    const auto all = distanceCorrelation(rows.view(), xy.view(), {});
    HEADSCOPE_VERIFY_OK(all);
    QVERIFY(std::abs(*all - test::tsneTruth().doubles("quality/cpd_all")[0]) <= 1e-10);
}

void MapQualityTest::samplesAreSaidSo()
{
    const MatrixF rows = test::hardCloud(400, 2);
    JobContext job;
    const std::vector<std::int64_t> k = {10};
    const auto itself = neighborhoodQuality(rows.view(), rows.view(), k, 50, 1, 2, job);
    HEADSCOPE_VERIFY_OK(itself);
    QCOMPARE(itself->front().sampled, 50);
    QCOMPARE(itself->front().kept, 1.0);
    QCOMPARE(itself->front().trustworthiness, 1.0);
    const MatrixF other = test::hardCloud(400, 2, 9);
    QVERIFY(neighborhoodQuality(rows.view(), other.view(), k, 50, 1, 2, job)->front().trustworthiness < 0.7);
}

void MapQualityTest::keptByEveryPoint()
{
    const MatrixF rows = test::tsneMatrix("data/X");
    const MatrixF xy = test::tsneMatrix("quality/embedding");
    JobContext job;
    NeighborOptions options;
    options.k = 10;
    const auto inMap = findNeighbors(xy.view(), options, 2, job);
    options.k = 25; // more than are compared
    const auto inData = findNeighbors(rows.view(), options, 2, job);
    HEADSCOPE_VERIFY_OK(inData);
    HEADSCOPE_VERIFY_OK(inMap);
    QVERIFY(test::absmax(neighborsKept(*inData, *inMap, 10), test::tsneTruth().doubles("quality/knn10_point")) <=
            1e-10);
}

void MapQualityTest::cancelled()
{
    std::stop_source stop;
    stop.request_stop();
    JobContext job(stop.get_token());
    const MatrixF rows = test::hardCloud(300, 2);
    const std::vector<std::int64_t> k = {10};
    const auto kept = neighborhoodQuality(rows.view(), rows.view(), k, 0, 1, 2, job);
    QVERIFY(!kept && kept.error().code == ErrorCode::Cancelled);
    const auto divergence = exactDivergence(MatrixD(300, 300), rows.view(), 2, job);
    QVERIFY(!divergence && divergence.error().code == ErrorCode::Cancelled);
}

void MapQualityTest::refusals()
{
    const MatrixF rows = test::hardCloud(20, 3);
    const MatrixF xy(20, 2);
    JobContext job;
    const std::vector<std::int64_t> large = {14};
    HEADSCOPE_VERIFY_ERROR(neighborhoodQuality(rows.view(), xy.view(), large, 0, 1, 1, job), ErrorCode::InvalidArgument,
                           "(20 points), found 14");
    HEADSCOPE_VERIFY_ERROR(neighborhoodQuality(rows.view(), rows.view(), large, 0, 1, 1, job), ErrorCode::ShapeMismatch,
                           "[20, 2]");
    const std::vector<std::int32_t> classes(20, 1);
    HEADSCOPE_VERIFY_ERROR(classNeighborhoodKept(rows.view(), xy.view(), classes, 1), ErrorCode::InvalidArgument,
                           "class means");
    HEADSCOPE_VERIFY_ERROR(distanceCorrelation(rows.view(), xy.view(), Matrix<std::int64_t>(1, 2, {0, 20})),
                           ErrorCode::InvalidArgument, "(0, 20)");
}

HEADSCOPE_TEST_GUILESS(MapQualityTest)
#include "tst_map_quality.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/measure_map.h"
#include "tests/support/clouds.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>

using namespace headscope;

class MeasureMapTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void golden();
    void cosineIsThatOfUnitRows();
    void samplesAreSaidSo();
    void refusals();
};

void MeasureMapTest::golden()
{
    const test::GoldenFile truth(test::golden("analysis/tsne.h5"));
    const MatrixF rows(600, 20, truth.floats("data/X"));
    const MatrixF xy(600, 2, truth.floats("quality/embedding"));
    const auto k = truth.integers("quality/k");
    const auto at = static_cast<std::size_t>(std::find(k.begin(), k.end(), 10) - k.begin());
    JobContext job;
    for (const int threads : {1, 3})
    {
        const auto trust = measureMap(rows.view(), xy.view(), {}, threads, job);
        HEADSCOPE_VERIFY_OK(trust);
        QVERIFY(std::abs(trust->knn10 - truth.doubles("quality/knn_kept")[at]) <= 1e-10);
        QVERIFY(std::abs(trust->trustworthiness - truth.doubles("quality/trustworthiness")[at]) <= 1e-10);
        QVERIFY(std::abs(trust->continuity - truth.doubles("quality/continuity")[at]) <= 1e-10);
        QVERIFY(std::abs(trust->spearman - truth.doubles("quality/cpd_all")[0]) <= 1e-10);
        QCOMPARE(trust->sampled, 600);
    }
    // The stored perplexity with 90 neighbours is the verb's default: 3 x 30.
    const MatrixF scale20(600, 2, truth.floats("at/scale20/Y"));
    const auto kl = measureMap(rows.view(), scale20.view(), {}, 2, job);
    HEADSCOPE_VERIFY_OK(kl);
    QCOMPARE(truth.doubles("knn/perplexity")[0], 30.0);
    const double expected = truth.doubles("at/scale20/knn/kl")[0];
    QVERIFY(std::abs(kl->klExact - expected) <= 1e-8 * expected);
}

void MeasureMapTest::cosineIsThatOfUnitRows()
{
    const MatrixF rows = test::headLikeClouds(300, 8, 4).vectors;
    const MatrixF xy = test::hardCloud(300, 2);
    MatrixF loud = rows;
    for (std::int64_t i = 0; i < loud.rows(); ++i)
    {
        for (float& value : loud.row(i))
            value *= i % 2 == 0 ? 8.0F : 0.5F;
    }
    MapTrustOptions options;
    options.metric = Metric::Cosine;
    options.perplexities = {5, 20};
    JobContext job;
    const auto one = measureMap(rows.view(), xy.view(), options, 2, job);
    const auto two = measureMap(loud.view(), xy.view(), options, 2, job);
    HEADSCOPE_VERIFY_OK(one);
    HEADSCOPE_VERIFY_OK(two);
    QCOMPARE(one->klExact, two->klExact);
    QCOMPARE(one->knn10, two->knn10);
    QCOMPARE(one->spearman, two->spearman);
}

void MeasureMapTest::samplesAreSaidSo()
{
    const MatrixF rows = test::headLikeClouds(2400, 8, 4).vectors;
    const MatrixF xy = test::hardCloud(2400, 2);
    MapTrustOptions options;
    options.sample = 100;
    JobContext job;
    const auto sampled = measureMap(rows.view(), xy.view(), options, 2, job);
    HEADSCOPE_VERIFY_OK(sampled);
    QCOMPARE(sampled->sampled, 100);
    QCOMPARE(measureMap(rows.view(), xy.view(), options, 1, job)->spearman, sampled->spearman);
}

void MeasureMapTest::refusals()
{
    const MatrixF rows = test::headLikeClouds(60, 8, 4).vectors;
    JobContext job;
    HEADSCOPE_VERIFY_ERROR(measureMap(rows.view(), MatrixF(59, 2).view(), {}, 1, job), ErrorCode::ShapeMismatch,
                           "expected a map of shape [60, 2], found [59, 2]");
    MapTrustOptions options;
    options.perplexities = {61};
    HEADSCOPE_VERIFY_ERROR(measureMap(rows.view(), MatrixF(60, 2).view(), options, 1, job), ErrorCode::InvalidArgument,
                           "perplexity");
    MatrixF broken(60, 2);
    broken(4, 1) = std::nanf("");
    HEADSCOPE_VERIFY_ERROR(measureMap(rows.view(), broken.view(), {}, 1, job), ErrorCode::InvalidArgument, "");
    std::stop_source stop;
    stop.request_stop();
    JobContext stopped(stop.get_token());
    HEADSCOPE_VERIFY_ERROR(measureMap(rows.view(), MatrixF(60, 2).view(), {}, 1, stopped), ErrorCode::Cancelled, "");
}

HEADSCOPE_TEST_GUILESS(MeasureMapTest)
#include "tst_measure_map.moc"

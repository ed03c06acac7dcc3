// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/multinomial.h"
#include "tests/support/clouds.h"
#include "tests/support/memory_limit.h"
#include "tests/support/memory_peak.h"
#include "tests/support/probe_cases.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace headscope;

namespace
{

using test::ProbeCase;

const test::GoldenFile& truth()
{
    return test::probeTruth();
}

void addCases()
{
    QTest::addColumn<QString>("group");
    for (const char* name : test::kProbeCases)
        QTest::newRow(name) << QString::fromLatin1(name);
}

} // namespace

class MultinomialTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void goldenObjective_data() { addCases(); }
    void goldenObjective();
    void goldenOptimum_data() { addCases(); }
    void goldenOptimum();
    void goldenLogits_data() { addCases(); }
    void goldenLogits();
    void coarsePhaseReachesTheSameOptimum();
    void manyColumns();
    void wideRowsThatOverlap();
    void saysWhenItDidNotConverge();
    void needsMemory();
    void takesWhatItSays_data();
    void takesWhatItSays();
};

void MultinomialTest::goldenObjective()
{
    QFETCH(QString, group);
    const std::string name = group.toStdString();
    const ProbeCase data(name);
    const MatrixF rows = data.rowsOf(data.train);
    const auto w = truth().floats(name + "/eval/W");
    const auto b = truth().doubles(name + "/eval/b");
    const MatrixD weights(data.classes, rows.cols(), {w.begin(), w.end()});
    const auto found = multinomialObjective(rows.view(), data.trainLabels(), weights, b, data.c, 2);
    const double expected = truth().doubles(name + "/eval/objective")[0];
    QVERIFY(std::abs(found.value - expected) <= 1e-12 * expected);
    QVERIFY(test::relmax(found.weightGradient.values(), truth().doubles(name + "/eval/grad_W")) <= 1e-11);
    QVERIFY(test::relmax(found.interceptGradient, truth().doubles(name + "/eval/grad_b")) <= 1e-11);
}

void MultinomialTest::goldenOptimum()
{
    QFETCH(QString, group);
    const std::string name = group.toStdString();
    const ProbeCase data(name);
    MultinomialOptions options;
    options.c = data.c;
    options.relativeGap = 1e-17; // to the floor: the stored optimum is exact
    options.maxIterations = 1000;
    JobContext job;
    const MatrixF rows = data.rowsOf(data.train);
    const auto fit = fitMultinomial(rows.view(), data.trainLabels(), data.classes, options, 2, job);
    HEADSCOPE_VERIFY_OK(fit);
    const double expected = truth().doubles(name + "/objective")[0];
    qInfo("gap %.1e, gradient %.1e, iterations %d, evaluations %d", fit->objective / expected - 1, fit->gradientNorm,
          fit->iterations, fit->evaluations);
    QVERIFY(std::abs(fit->objective - expected) <= 1e-9 * expected);
    QVERIFY(fit->objective >= expected * (1 - 1e-12));
    if (fit->gradientNorm > 1e-6 * data.c)
        return; // the README compares weights below that norm only; features of size 1e3 stay above
    QVERIFY(test::relmax(fit->weights.values(), truth().doubles(name + "/W")) <= 1e-5);
    QVERIFY(test::relmax(fit->intercepts, truth().doubles(name + "/b")) <= 1e-5);
}

void MultinomialTest::coarsePhaseReachesTheSameOptimum()
{
    // Large enough for the float32 phase; against the double solver run to its floor.
    const auto clouds = test::headLikeClouds(6400, 32, 100);
    MultinomialOptions options;
    JobContext job;
    const auto fit = fitMultinomial(clouds.vectors.view(), clouds.head, 100, options, 2, job);
    HEADSCOPE_VERIFY_OK(fit);
    QVERIFY(fit->converged);
    options.relativeGap = 1e-15;
    const auto floor = fitMultinomial(clouds.vectors.view(), clouds.head, 100, options, 2, job);
    HEADSCOPE_VERIFY_OK(floor);
    QVERIFY(std::abs(fit->objective / floor->objective - 1) <= 1e-9);
}

void MultinomialTest::goldenLogits()
{
    QFETCH(QString, group);
    const std::string name = group.toStdString();
    const ProbeCase data(name);
    const MatrixF tested = data.rowsOf(data.test);
    const MatrixD weights(data.classes, data.rows.cols(), truth().doubles(name + "/W"));
    const auto logits = multinomialLogits(tested.view(), weights, truth().doubles(name + "/b"), 2);
    QVERIFY(test::relmax(logits.values(), truth().doubles(name + "/test_logits")) <= 1e-12);
}

void MultinomialTest::manyColumns()
{
    // More columns than rows, above those whose vectors are all used.
    const auto clouds = test::headLikeClouds(160, 1100, 4);
    JobContext job;
    const auto fit = fitMultinomial(clouds.vectors.view(), clouds.head, 4, {}, 2, job);
    HEADSCOPE_VERIFY_OK(fit);
    QVERIFY(fit->converged);
}

void MultinomialTest::wideRowsThatOverlap()
{
    const auto clouds = test::overlappingClouds(1600, 320, 8);
    JobContext job;
    const auto fit = fitMultinomial(clouds.vectors.view(), clouds.head, 8, {}, 2, job);
    HEADSCOPE_VERIFY_OK(fit);
    qInfo("objective %.9f, gradient %.1e, iterations %d", fit->objective, fit->gradientNorm, fit->iterations);
    QVERIFY(fit->converged);
    const auto there = multinomialObjective(clouds.vectors.view(), clouds.head, fit->weights, fit->intercepts, 1, 2);
    QVERIFY(std::abs(there.value / fit->objective - 1) <= 1e-12);
    QVERIFY(0.5 * there.gradientNorm() * there.gradientNorm() <= 1e-9 * there.value);
    const auto alone = fitMultinomial(clouds.vectors.view(), clouds.head, 8, {}, 1, job);
    HEADSCOPE_VERIFY_OK(alone);
    QVERIFY(alone->weights == fit->weights);
}

void MultinomialTest::saysWhenItDidNotConverge()
{
    const ProbeCase data("illcond");
    MultinomialOptions options;
    options.maxIterations = 3;
    JobContext job;
    const MatrixF rows = data.rowsOf(data.train);
    const auto fit = fitMultinomial(rows.view(), data.trainLabels(), data.classes, options, 1, job);
    HEADSCOPE_VERIFY_OK(fit);
    QVERIFY(!fit->converged);
    QCOMPARE(fit->iterations, 3);
}

void MultinomialTest::needsMemory()
{
    constexpr std::int64_t kMany = 20'000;
    const MatrixF rows(kMany, 1);
    std::vector<std::int32_t> labels(kMany);
    std::iota(labels.begin(), labels.end(), 0);
    JobContext job;
    const test::MemoryLimit limit(500'000'000);
    HEADSCOPE_VERIFY_ERROR(fitMultinomial(rows.view(), labels, kMany, {}, 1, job), ErrorCode::OutOfMemory,
                           "a probe that predicts 20000 classes from 1 values, with 20000 rows, needs about 1.6");
    QVERIFY(multinomialBytes(1000, 64, 100, 2) > multinomialBytes(1000, 64, 100, 1));
    QVERIFY(multinomialBytes(1000, 64, 30'000, 1) > 90 * multinomialBytes(1000, 64, 300, 1));
}

void MultinomialTest::takesWhatItSays_data()
{
    QTest::addColumn<int>("classes");
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("rows");
    QTest::newRow("few classes") << 60 << 256 << 3'000;
    QTest::newRow("many classes") << 1'000 << 128 << 4'000;
    QTest::newRow("very many classes") << 3'000 << 16 << 6'000;
}

/// The estimate is held against what the fit takes at its peak.
void MultinomialTest::takesWhatItSays()
{
    QFETCH(int, classes);
    QFETCH(int, dims);
    QFETCH(int, rows);
    const auto clouds = test::overlappingClouds(rows, dims, classes);
    MultinomialOptions options;
    options.maxIterations = classes < 256 ? 200 : 40; // blocks are renewed on the way
    JobContext job;
    const test::MemoryPeak peak;
    HEADSCOPE_VERIFY_OK(fitMultinomial(clouds.vectors.view(), clouds.head, classes, options, 2, job));
    const auto taken = peak.bytes();
    if (!taken)
        QSKIP("the peak of this process cannot be asked for here");
    const double said = multinomialBytes(rows, dims, classes, 2);
    QVERIFY2(*taken < 1.5 * said && said < 1.5 * *taken, // wide rows may do without their largest part
             qPrintable(QStringLiteral("said %1 MB, took %2 MB").arg(said / 1e6).arg(*taken / 1e6)));
}

HEADSCOPE_TEST_GUILESS(MultinomialTest)
#include "tst_multinomial.moc"

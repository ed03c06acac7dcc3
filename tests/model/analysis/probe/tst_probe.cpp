// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/probe.h"

#include "model/base/random.h"
#include "tests/support/clouds.h"
#include "tests/support/probe_cases.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <set>
#include <utility>
#include <vector>

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

ProbeInput inputOf(const test::HeadClouds& clouds)
{
    ProbeInput input;
    input.rows = clouds.vectors.view();
    input.labels = clouds.head;
    input.documents = clouds.document;
    return input;
}

} // namespace

class ProbeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void goldenScores_data() { addCases(); }
    void goldenScores();
    void splitByDocuments();
    void splitByRows();
    void scoresAreNeverAboveOne();
    void controlFallsToChance();
    void sameOnAnyNumberOfThreads();
    void errorsInsideAndAcrossGroups();
    void refusals();
    void cancelled();
};

void ProbeTest::goldenScores()
{
    QFETCH(QString, group);
    const std::string name = group.toStdString();
    const ProbeCase data(name);
    ProbeInput input;
    input.rows = data.rows.view();
    input.labels = data.labels;
    input.classes = data.classes;
    input.testRows = data.test;
    ProbeOptions options;
    options.c = data.c;
    JobContext job;
    const auto found = runProbe(input, options, 2, job);
    HEADSCOPE_VERIFY_OK(found);
    QVERIFY(found->converged);
    const double objective = truth().doubles(name + "/objective")[0];
    qInfo("gap %.1e, iterations %d, %.3f s", found->objective / objective - 1, found->iterations, found->seconds);
    QVERIFY(std::abs(found->objective - objective) <= 1e-9 * objective);
    const auto predictions = truth().integers(name + "/test_pred");
    QVERIFY(std::equal(predictions.begin(), predictions.end(), found->predictions.begin(), found->predictions.end()));
    QCOMPARE(found->confusion.values(), truth().integers(name + "/confusion"));
    QVERIFY(std::abs(found->accuracy - truth().doubles(name + "/accuracy")[0]) <= 1e-12);
    QVERIFY(std::abs(found->macroF1 - truth().doubles(name + "/macro_f1")[0]) <= 1e-12);
    QCOMPARE(found->testIndices, data.test);
}

void ProbeTest::splitByDocuments()
{
    const auto clouds = test::headLikeClouds(800, 8, 8);
    const auto split = splitForProbe(inputOf(clouds), {});
    HEADSCOPE_VERIFY_OK(split);
    QCOMPARE(split->test.size(), std::size_t{160});
    QCOMPARE(split->train.size(), std::size_t{640});
    std::set<std::int32_t> tested;
    for (const std::int64_t row : split->test)
        tested.insert(clouds.document[static_cast<std::size_t>(row)]);
    for (const std::int64_t row : split->train)
        QVERIFY(!tested.contains(clouds.document[static_cast<std::size_t>(row)]));
    ProbeOptions few;
    few.trainRows = 100; // whole documents of 8
    QCOMPARE(splitForProbe(inputOf(clouds), few)->train.size(), std::size_t{96});
    ProbeOptions other;
    other.seed = 2;
    QVERIFY(splitForProbe(inputOf(clouds), other)->test != split->test);
}

void ProbeTest::splitByRows()
{
    const auto clouds = test::headLikeClouds(800, 8, 8);
    ProbeOptions options;
    options.split = ProbeSplit::Rows;
    options.testShare = 0.25;
    options.trainRows = 500;
    ProbeInput input = inputOf(clouds);
    input.documents = {};
    const auto split = splitForProbe(input, options);
    HEADSCOPE_VERIFY_OK(split);
    QCOMPARE(split->test.size(), std::size_t{200});
    QCOMPARE(split->train.size(), std::size_t{500});
}

/// The mean of nine perfect scores was 1.0000000000000002.
void ProbeTest::scoresAreNeverAboveOne()
{
    constexpr std::int64_t kClasses = 9;
    constexpr std::int64_t kRows = 40 * kClasses;
    const CounterRandom random(3, 1);
    std::vector<float> values;
    std::vector<std::int32_t> labels;
    for (std::int64_t row = 0; row < kRows; ++row)
    {
        labels.push_back(static_cast<std::int32_t>(row % kClasses));
        for (std::int64_t d = 0; d < kClasses; ++d)
            values.push_back(static_cast<float>((d == row % kClasses ? 10 : 0) +
                                                0.1 * random.normal(static_cast<std::uint64_t>(row * kClasses + d))));
    }
    const MatrixF rows(kRows, kClasses, std::move(values));
    ProbeInput input;
    input.rows = rows.view();
    input.labels = labels;
    ProbeOptions options;
    options.split = ProbeSplit::Rows;
    JobContext job;
    const auto probed = runProbe(input, options, 1, job);
    HEADSCOPE_VERIFY_OK(probed);
    QVERIFY(probed->accuracy == 1.0);
    QVERIFY(probed->macroF1 == 1.0);
    QVERIFY(probed->ci95High <= 1.0);
}

void ProbeTest::controlFallsToChance()
{
    const auto clouds = test::headLikeClouds(1600, 64, 8);
    ProbeInput input = inputOf(clouds);
    ProbeOptions options;
    JobContext job;
    const auto real = runProbe(input, options, 2, job);
    HEADSCOPE_VERIFY_OK(real);
    QVERIFY(real->accuracy > 0.99);
    options.control = true;
    const auto control = runProbe(input, options, 2, job);
    HEADSCOPE_VERIFY_OK(control);
    QVERIFY(control->accuracy < 0.25);
}

void ProbeTest::sameOnAnyNumberOfThreads()
{
    const auto clouds = test::overlappingClouds(1600, 16, 16);
    JobContext job;
    const auto one = runProbe(inputOf(clouds), {}, 1, job);
    HEADSCOPE_VERIFY_OK(one);
    QVERIFY(one->accuracy > 0.3 && one->accuracy < 1);
    for (const int threads : {2, 3})
    {
        const auto more = runProbe(inputOf(clouds), {}, threads, job);
        HEADSCOPE_VERIFY_OK(more);
        QVERIFY(more->weights == one->weights);
    }
}

void ProbeTest::errorsInsideAndAcrossGroups()
{
    // Heads 0-3 share a mean, and 4-7: mistakes stay inside the groups.
    const auto clouds = test::overlappingClouds(1600, 16, 8);
    HeadPoints points{clouds.vectors, {clouds.document, clouds.head}, 0, {}};
    const std::vector<std::int64_t> heads = {0, 1, 2, 3, 4, 5, 6, 7};
    JobContext job;
    const auto found = probeHeads(points, heads, 4, Stage::HeadOutput, LayerIndex(2), ProbeOptions(), 2, job);
    HEADSCOPE_VERIFY_OK(found);
    QVERIFY(std::abs(found->accuracy + found->withinGroupError + found->acrossGroupError - 1) < 1e-12);
    QVERIFY(found->withinGroupError > found->acrossGroupError);
    QCOMPARE(found->perHead.size(), std::size_t{8});
    QVERIFY(found->stage == Stage::HeadOutput && found->layer == 2);
    // Every test row is known by its document, its head and what it was taken for.
    Matrix<std::int64_t> counted(8, 8);
    for (std::size_t i = 0; i < found->truths.size(); ++i)
    {
        const auto row = static_cast<std::size_t>(found->testIndices[i]);
        QCOMPARE(found->testDocuments[i], clouds.document[row]);
        QCOMPARE(found->truths[i], clouds.head[row]);
        ++counted(found->truths[i], found->predictions[i]);
    }
    QVERIFY(counted == found->confusion);
    QVERIFY(!documentsOfCell(*found, 0, 0).empty());
}

void ProbeTest::refusals()
{
    auto clouds = test::headLikeClouds(80, 4, 8);
    JobContext job;
    ProbeInput input = inputOf(clouds);
    ProbeOptions options;
    const std::vector<std::int32_t> same(80, 3);
    input.labels = same;
    HEADSCOPE_VERIFY_ERROR(runProbe(input, options, 1, job), ErrorCode::InvalidArgument, "at least 2 classes, found 1");
    input = inputOf(clouds);
    input.classes = 5;
    HEADSCOPE_VERIFY_ERROR(runProbe(input, options, 1, job), ErrorCode::InvalidArgument, "from 0 to 4, found 7");
    input = inputOf(clouds);
    input.documents = {};
    HEADSCOPE_VERIFY_ERROR(runProbe(input, options, 1, job), ErrorCode::InvalidArgument, "split by rows instead");
    options.testShare = 1.0;
    HEADSCOPE_VERIFY_ERROR(runProbe(inputOf(clouds), options, 1, job), ErrorCode::WrongUse, "test fraction");
    options.testShare = 0.2;
    options.trainRows = 1000;
    HEADSCOPE_VERIFY_ERROR(runProbe(inputOf(clouds), options, 1, job), ErrorCode::InvalidArgument, "at most 64");
    options.trainRows = 0;
    const std::vector<std::int64_t> outside = {80};
    input = inputOf(clouds);
    input.testRows = outside;
    HEADSCOPE_VERIFY_ERROR(runProbe(input, options, 1, job), ErrorCode::InvalidArgument, "test rows from 0 to 79");
    clouds.vectors(3, 1) = std::numeric_limits<float>::infinity();
    HEADSCOPE_VERIFY_ERROR(runProbe(inputOf(clouds), options, 1, job), ErrorCode::InvalidArgument, "row 3 of 80");
    HEADSCOPE_VERIFY_ERROR(runProbe(ProbeInput(), options, 1, job), ErrorCode::InvalidArgument, "found none");
}

void ProbeTest::cancelled()
{
    std::stop_source stop;
    stop.request_stop();
    JobContext job(stop.get_token());
    const auto clouds = test::headLikeClouds(80, 4, 8);
    const auto found = runProbe(inputOf(clouds), {}, 1, job);
    QVERIFY(!found);
    QVERIFY(found.error().code == ErrorCode::Cancelled);
}

HEADSCOPE_TEST_GUILESS(ProbeTest)
#include "tst_probe.moc"

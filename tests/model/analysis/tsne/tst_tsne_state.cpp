// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/map_quality.h"
#include "model/analysis/neighbors/neighbors.h"
#include "model/analysis/tsne/tsne_state.h"
#include "tests/support/clouds.h"
#include "tests/support/golden_file.h"
#include "tests/support/memory_peak.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace headscope;

namespace
{

const test::GoldenFile& truth()
{
    static const test::GoldenFile file(test::golden("analysis/tsne.h5"));
    return file;
}

MatrixD symmetric(const std::string& upper, std::int64_t points)
{
    const auto values = truth().doubles(upper);
    MatrixD dense(points, points);
    std::size_t at = 0;
    for (std::int64_t i = 0; i < points; ++i)
    {
        for (std::int64_t j = i + 1; j < points; ++j)
            dense(j, i) = dense(i, j) = values[at++];
    }
    return dense;
}

TsneForces forcesOf(bool all)
{
    if (all)
        return TsneForces(symmetric("all/P_upper", 600));
    const auto columns = truth().integers("knn/csr_indices");
    return {SparseAffinities{truth().integers("knn/csr_indptr"),
                             {columns.begin(), columns.end()},
                             truth().doubles("knn/csr_values")},
            {},
            true,
            2};
}

std::vector<double> doubles(const std::vector<float>& values)
{
    return {values.begin(), values.end()};
}

/// For exactBelow: affinities over all pairs, in place of neighbours alone.
constexpr std::int64_t kDense = -1;

TsneOptions shortRun(int iterations, std::int64_t exactBelow)
{
    TsneOptions options;
    if (exactBelow == kDense)
        options.affinities = TsneAffinities::Dense;
    options.perplexities = {10.0};
    options.iterations = iterations;
    options.exaggerationIterations = iterations / 3;
    options.exactBelow = exactBelow;
    return options;
}

TsneState made(const MatrixF& rows, const TsneOptions& options, int threads)
{
    JobContext job;
    auto state = TsneState::create(rows.view(), options, threads, job);
    return std::move(state).value();
}

} // namespace

class TsneStateTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void goldenSteps_data();
    void goldenSteps();
    void goldenToySteps();
    void goldenGradientAndDivergence_data();
    void goldenGradientAndDivergence();
    void sameOnAnyNumberOfThreads_data();
    void sameOnAnyNumberOfThreads();
    void stopAndGoOn();
    void divergenceFalls();
    void oneObjectiveAtEverySize();
    void denseByName();
    void seedOfPcaStart();
    void equalVectorsComeApart();
    void equalVectorsOnOneSpotAlone();
    void denseNeedsMemory();
    void memoryIsEstimated();
    void oddInput_data();
    void oddInput();
    void renumberedPoints();
    void refusals();
    void absurdRateAndStart();
    void cancelled();
    void cancelledWhileAffinitiesAreMade();
    void stopsByItself();
    void fewerDegreesOfFreedom();
};

void TsneStateTest::goldenSteps_data()
{
    QTest::addColumn<bool>("all");
    QTest::addColumn<bool>("late");
    QTest::newRow("pca_all") << true << false;
    QTest::newRow("pca_knn") << false << false;
    QTest::newRow("clip_knn") << false << false;
    QTest::newRow("late_knn") << false << true;
}

void TsneStateTest::goldenSteps()
{
    QFETCH(bool, all);
    QFETCH(bool, late);
    const std::string group = std::string("steps/") + QTest::currentDataTag();
    TsneOptions options;
    options.learningRate = truth().doubles(group + "/lr")[0];
    options.exaggerationIterations = late ? 0 : 250;
    const MatrixF start(600, 2, truth().floats(group + "/Y0"));
    TsneState state(forcesOf(all), start, options, 2);
    const auto sensitivity = truth().doubles(group + "/sensitivity"); // [3, 2]
    JobContext job;
    std::size_t row = 0;
    for (const int step : {1, 5, 10})
    {
        HEADSCOPE_VERIFY_OK(state.run(step, job));
        const double error =
            test::relmax(doubles(state.positions().values()), truth().doubles(group + "/Y" + std::to_string(step)));
        const double allowed = step == 1 ? 1e-4 : std::max(1e-4, 100 * sensitivity[2 * row]);
        qInfo("step %d: error %.1e, allowed %.1e", step, error, allowed);
        QVERIFY(error <= allowed);
        ++row;
    }
    QCOMPARE(state.clipped(), truth().integers(group + "/clipped")[0]);
}

void TsneStateTest::goldenToySteps()
{
    MatrixD affinities(8, 8, truth().doubles("toy/P"));
    TsneOptions options;
    options.learningRate = truth().doubles("toy/steps/lr")[0];
    TsneState state(TsneForces(affinities), MatrixF(8, 2, truth().floats("toy/steps/Y0")), options, 1);
    JobContext job;
    for (const int step : {1, 5, 10})
    {
        HEADSCOPE_VERIFY_OK(state.run(step, job));
        const std::string number = std::to_string(step);
        QVERIFY(test::relmax(doubles(state.positions().values()), truth().doubles("toy/steps/Y" + number)) <= 1e-4);
        QVERIFY(test::relmax(doubles(state.checkpoint().gains.values()), truth().doubles("toy/steps/gains" + number)) <=
                1e-6);
    }
}

void TsneStateTest::goldenGradientAndDivergence_data()
{
    QTest::addColumn<bool>("all");
    QTest::addColumn<QString>("scale");
    QTest::newRow("all, scale 1") << true << QStringLiteral("at/scale1");
    QTest::newRow("all, scale 20") << true << QStringLiteral("at/scale20");
    QTest::newRow("knn, scale 1") << false << QStringLiteral("at/scale1");
    QTest::newRow("knn, scale 20") << false << QStringLiteral("at/scale20");
}

void TsneStateTest::goldenGradientAndDivergence()
{
    QFETCH(bool, all);
    QFETCH(QString, scale);
    const std::string at = scale.toStdString();
    TsneForces forces = forcesOf(all);
    const auto xy = truth().floats(at + "/Y");
    std::vector<float> gradient(xy.size());
    const auto sums = forces.evaluate(xy, 1.0, true, 2, gradient);
    const std::string group = at + (all ? "/all" : "/knn");
    std::vector<double> full = doubles(gradient);
    for (double& g : full)
        g *= 4; // ours lacks the factor
    QVERIFY(test::relmax(full, truth().doubles(group + "/gradient")) <= 1e-4);
    const double kl = truth().doubles(group + "/kl")[0];
    QVERIFY(std::abs(sums.kl - kl) <= 1e-6 * kl);
    const double z = truth().doubles(at + "/Z")[0];
    QVERIFY(std::abs(sums.z - z) <= 1e-6 * z);
}

void TsneStateTest::sameOnAnyNumberOfThreads_data()
{
    QTest::addColumn<int>("exactBelow");
    QTest::addColumn<int>("exactNeighborsBelow");
    QTest::newRow("dense") << static_cast<int>(kDense) << 100'000;
    QTest::newRow("all pairs") << 4000 << 100'000;
    QTest::newRow("all pairs and cells") << 4000 << 0;
    QTest::newRow("mesh") << 0 << 100'000;
    QTest::newRow("mesh and cells") << 0 << 0;
}

void TsneStateTest::sameOnAnyNumberOfThreads()
{
    QFETCH(int, exactBelow);
    QFETCH(int, exactNeighborsBelow);
    const MatrixF rows = test::headLikeClouds(1200, 12, 6).vectors;
    TsneOptions options = shortRun(40, exactBelow);
    options.exactNeighborsBelow = exactNeighborsBelow;
    JobContext job;
    std::string first;
    for (const int threads : {1, 2, 3, 8})
    {
        TsneState state = made(rows, options, threads);
        HEADSCOPE_VERIFY_OK(state.run(options.iterations, job));
        if (first.empty())
            first = state.hash();
        QCOMPARE(state.hash(), first);
    }
}

void TsneStateTest::stopAndGoOn()
{
    const MatrixF rows = test::headLikeClouds(900, 12, 6).vectors;
    for (const std::int64_t exactBelow : {kDense, std::int64_t{4000}, std::int64_t{0}})
    {
        const TsneOptions options = shortRun(60, exactBelow);
        JobContext job;
        TsneState straight = made(rows, options, 2);
        HEADSCOPE_VERIFY_OK(straight.run(60, job));
        TsneState parts = made(rows, options, 2);
        HEADSCOPE_VERIFY_OK(parts.run(17, job));
        parts.updateKl(); // looking changes nothing
        HEADSCOPE_VERIFY_OK(parts.run(40, job));
        const TsneCheckpoint saved = parts.checkpoint();
        TsneState again = made(rows, options, 3);
        HEADSCOPE_VERIFY_OK(again.restore(saved));
        HEADSCOPE_VERIFY_OK(again.run(60, job));
        QCOMPARE(again.hash(), straight.hash());
        HEADSCOPE_VERIFY_OK(parts.run(60, job));
        QCOMPARE(parts.hash(), straight.hash());
    }
}

void TsneStateTest::divergenceFalls()
{
    const MatrixF rows = test::headLikeClouds(1000, 16, 5).vectors;
    for (const std::int64_t exactBelow : {4000, 0})
    {
        TsneOptions options = shortRun(250, exactBelow);
        JobContext job;
        TsneState state = made(rows, options, 2);
        HEADSCOPE_VERIFY_OK(state.run(options.exaggerationIterations, job));
        double former = state.updateKl();
        QVERIFY(std::isfinite(former));
        for (int limit = 120; limit <= 240; limit += 30)
        {
            HEADSCOPE_VERIFY_OK(state.run(limit, job));
            const double kl = state.updateKl();
            QVERIFY2(kl < former, qPrintable(QString::number(kl)));
            former = kl;
        }
        QVERIFY(former < 1.5);
        // Other parameters from here on.
        options.lateExaggeration = 4;
        HEADSCOPE_VERIFY_OK(state.setOptions(options));
        HEADSCOPE_VERIFY_OK(state.run(250, job));
        QCOMPARE(state.iteration(), 250);
    }
}

/// The divergence of one placement does not depend on how repulsion is summed: P holds the same neighbours below and
/// above the limit.
void TsneStateTest::oneObjectiveAtEverySize()
{
    const MatrixF rows = test::headLikeClouds(900, 12, 6).vectors;
    TsneOptions options = shortRun(150, 0);
    JobContext job;
    TsneState above = made(rows, options, 2);
    HEADSCOPE_VERIFY_OK(above.run(150, job));
    const MatrixF xy = above.positions();
    const double onMesh = above.updateKl();
    options.start = TsneStart::Given;
    options.exactBelow = 900;
    auto below = TsneState::create(rows.view(), options, 2, job, &xy);
    HEADSCOPE_VERIFY_OK(below);
    const double kl = below->updateKl();
    QVERIFY2(std::abs(kl - onMesh) < 0.01 * kl, qPrintable(QStringLiteral("%1, mesh %2").arg(kl).arg(onMesh)));
    NeighborOptions wanted;
    wanted.k = 30; // 3 x perplexity
    const auto neighbors = findNeighbors(rows.view(), wanted, 2, job);
    HEADSCOPE_VERIFY_OK(neighbors);
    const auto affinities = neighborAffinities(*neighbors, options.perplexities, 2, job);
    HEADSCOPE_VERIFY_OK(affinities);
    const auto truth = exactDivergence(*affinities, xy.view(), 2, job);
    HEADSCOPE_VERIFY_OK(truth);
    QVERIFY2(std::abs(kl - truth->kl) < 1e-5 * truth->kl, qPrintable(QString::number(truth->kl)));
}

void TsneStateTest::denseByName()
{
    const MatrixF rows = test::headLikeClouds(500, 12, 6).vectors;
    TsneOptions options = shortRun(100, kDense);
    options.exactBelow = 10; // does not matter: all pairs are summed anyway
    JobContext job;
    TsneState state = made(rows, options, 2);
    HEADSCOPE_VERIFY_OK(state.run(100, job));
    const auto affinities = denseAffinities(rows.view(), {}, options.perplexities, 2, job);
    HEADSCOPE_VERIFY_OK(affinities);
    const auto truth = exactDivergence(*affinities, state.positions().view(), 2, job);
    HEADSCOPE_VERIFY_OK(truth);
    const double kl = state.updateKl();
    QVERIFY2(std::abs(kl - truth->kl) < 1e-5 * truth->kl, qPrintable(QString::number(kl)));
    options.affinities = TsneAffinities::Sparse;
    options.start = TsneStart::Given;
    const MatrixF xy = state.positions();
    auto sparse = TsneState::create(rows.view(), options, 2, job, &xy);
    HEADSCOPE_VERIFY_OK(sparse);
    QVERIFY(sparse->updateKl() > 1.1 * kl);
}

/// The seed has no part in a PCA start, but decides its jitter, which is as large as asked for.
void TsneStateTest::seedOfPcaStart()
{
    const MatrixF rows = test::headLikeClouds(2000, 12, 6).vectors;
    JobContext job;
    TsneOptions options = shortRun(0, 4000);
    const auto start = [&](std::uint64_t seed, double jitter) {
        options.seed = seed;
        options.startJitter = jitter;
        return made(rows, options, 2).positions();
    };
    const MatrixF plain = start(1, 0);
    QVERIFY(start(2, 0) == plain);
    QVERIFY(!seedMatters(options, 2000));
    const MatrixF moved = start(1, 0.01);
    QVERIFY(seedMatters(options, 2000));
    QVERIFY(start(1, 0.01) == moved);
    QVERIFY(!(start(2, 0.01) == moved));
    double squares = 0;
    for (std::size_t i = 0; i < moved.values().size(); ++i)
        squares += std::pow(static_cast<double>(moved.values()[i] - plain.values()[i]), 2);
    const double sd = std::sqrt(squares / 4000);
    QVERIFY2(std::abs(sd - 1e-6) < 0.05e-6, qPrintable(QString::number(sd))); // of the start 1e-4
    options.startJitter = -1;
    HEADSCOPE_VERIFY_ERROR(TsneState::create(rows.view(), options, 1, job), ErrorCode::WrongUse, "jitter");
}

namespace
{

/// 150 equal vectors, then 50 others.
MatrixF mostlyEqual()
{
    MatrixF rows = test::hardCloud(200, 16);
    for (std::int64_t i = 1; i < 150; ++i)
        std::ranges::copy(rows.row(0), rows.row(i).begin());
    return rows;
}

/// The extent of some points along a coordinate.
double extentOf(const MatrixF& xy, std::int64_t begin, std::int64_t end, std::int64_t c)
{
    float low = xy(begin, c);
    float high = low;
    for (std::int64_t i = begin; i < end; ++i)
    {
        low = std::min(low, xy(i, c));
        high = std::max(high, xy(i, c));
    }
    return static_cast<double>(high) - static_cast<double>(low);
}

} // namespace

/// A PCA start leaves equal vectors on one spot, where nothing would part them.
void TsneStateTest::equalVectorsComeApart()
{
    const MatrixF rows = mostlyEqual();
    TsneOptions options;
    JobContext job;
    std::string first;
    for (const int threads : {1, 2, 3})
    {
        TsneState state = made(rows, options, threads);
        QCOMPARE(state.equalPoints(), 149);
        HEADSCOPE_VERIFY_OK(state.run(options.iterations, job));
        if (first.empty())
            first = state.hash();
        QCOMPARE(state.hash(), first);
        const MatrixF xy = state.positions();
        for (const std::int64_t c : {0, 1})
        {
            QVERIFY(extentOf(xy, 0, 150, c) > 1);
            QVERIFY(extentOf(xy, 150, 200, c) > 0.4); // the others are no line and no dot
        }
    }
    options.seed = 2;
    TsneState other = made(rows, options, 2);
    HEADSCOPE_VERIFY_OK(other.run(options.iterations, job));
    QVERIFY(other.hash() != first);
}

/// Only points with equal vectors on one spot are moved, and not the first of them.
void TsneStateTest::equalVectorsOnOneSpotAlone()
{
    const MatrixF rows = mostlyEqual();
    TsneOptions options = shortRun(0, 4000);
    const MatrixF one = made(rows, options, 2).positions();
    options.seed = 2;
    const MatrixF two = made(rows, options, 2).positions();
    for (std::int64_t i = 0; i < 200; ++i)
        QCOMPARE(std::ranges::equal(one.row(i), two.row(i)), i == 0 || i >= 150);
    // Given places that are apart stay what they are.
    MatrixF given(200, 2);
    for (std::int64_t i = 0; i < 200; ++i)
        given(i, 0) = static_cast<float>(i);
    options.start = TsneStart::Given;
    JobContext job;
    auto state = TsneState::create(rows.view(), options, 2, job, &given);
    HEADSCOPE_VERIFY_OK(state);
    QCOMPARE(state->equalPoints(), 0);
    QVERIFY(state->positions() == given);
    // No vector is equal to another: nothing is moved.
    options.start = TsneStart::Pca;
    QCOMPARE(made(test::hardCloud(200, 16), options, 2).equalPoints(), 0);
}

void TsneStateTest::denseNeedsMemory()
{
    const MatrixF rows(2'000'000, 1);
    JobContext job;
    HEADSCOPE_VERIFY_ERROR(TsneState::create(rows.view(), shortRun(1, kDense), 1, job), ErrorCode::OutOfMemory,
                           "a map with dense affinities (all pairs of 2000000 points) needs about 48.0 TB of memory");
}

void TsneStateTest::memoryIsEstimated()
{
    JobContext job;
    const MatrixF rows = test::headLikeClouds(20'000, 24, 16).vectors;
    TsneOptions options = shortRun(1, 0);
    options.perplexities = {30.0};
    const test::MemoryPeak peak;
    HEADSCOPE_VERIFY_OK(TsneState::create(rows.view(), options, 2, job));
    const auto taken = peak.bytes();
    if (!taken)
        QSKIP("the peak of this process cannot be asked for here");
    const double said = sparseAffinityBytes(rows.rows(), rows.cols(), 90);
    QVERIFY2(*taken < 1.25 * said && said < 1.5 * *taken,
             qPrintable(QStringLiteral("said %1 MB, took %2 MB").arg(said / 1e6).arg(*taken / 1e6)));
    HEADSCOPE_VERIFY_ERROR(TsneState::create(ConstMatrixView(rows.data(), 20'000'000'000, 1, 0), options, 2, job),
                           ErrorCode::OutOfMemory, "a map of 20000000000 points needs about");
}

void TsneStateTest::oddInput_data()
{
    QTest::addColumn<int>("kind");
    QTest::newRow("duplicates") << 0;
    QTest::newRow("outlier") << 1;
    QTest::newRow("all equal") << 2;
    QTest::newRow("constant columns") << 3;
    QTest::newRow("zero rows") << 4;
}

void TsneStateTest::oddInput()
{
    QFETCH(int, kind);
    MatrixF rows = kind == 0   ? test::duplicatedCloud(300, 6)
                   : kind == 1 ? test::outlierCloud(300, 6)
                               : test::hardCloud(300, 6);
    for (std::int64_t i = 0; i < rows.rows(); ++i)
    {
        for (std::int64_t k = 0; k < rows.cols(); ++k)
        {
            if (kind == 2 || (kind == 3 && k > 1))
                rows(i, k) = 0.1F;
            if (kind == 4 && i % 3 == 0)
                rows(i, k) = 0;
        }
    }
    for (const Metric metric : {Metric::Euclidean, Metric::Cosine})
    {
        for (const std::int64_t exactBelow : {kDense, std::int64_t{4000}, std::int64_t{0}})
        {
            TsneOptions options = shortRun(120, exactBelow);
            options.metric = metric;
            JobContext job;
            TsneState state = made(rows, options, 2);
            HEADSCOPE_VERIFY_OK(state.run(120, job));
            const MatrixF xy = state.positions();
            for (const float value : xy.values())
                QVERIFY(std::isfinite(value));
            QVERIFY(std::isfinite(state.updateKl()));
        }
    }
}

void TsneStateTest::renumberedPoints()
{
    // Points renumbered for memory must give the map of the same affinities in plain order.
    const auto columns = truth().integers("knn/csr_indices");
    const SparseAffinities affinities{
        truth().integers("knn/csr_indptr"), {columns.begin(), columns.end()}, truth().doubles("knn/csr_values")};
    std::vector<std::int32_t> order(600);
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<std::int32_t>((i * 7) % 600);
    TsneForces plain(affinities, {}, true, 2);
    TsneForces turned(affinities, order, true, 2);
    const auto xy = truth().floats("at/scale20/Y");
    std::vector<float> turnedXy(xy.size());
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        turnedXy[2 * i] = xy[2 * static_cast<std::size_t>(order[i])];
        turnedXy[2 * i + 1] = xy[2 * static_cast<std::size_t>(order[i]) + 1];
    }
    std::vector<float> expected(xy.size());
    std::vector<float> found(xy.size());
    const auto a = plain.evaluate(xy, 1, true, 2, expected);
    const auto b = turned.evaluate(turnedXy, 1, true, 2, found);
    QVERIFY(std::abs(a.kl - b.kl) < 1e-6);
    for (std::size_t i = 0; i < order.size(); ++i)
        QVERIFY(std::abs(found[2 * i] - expected[2 * static_cast<std::size_t>(order[i])]) < 1e-8F);
}

void TsneStateTest::refusals()
{
    const MatrixF rows = test::hardCloud(20, 4);
    JobContext job;
    TsneOptions options;
    HEADSCOPE_VERIFY_ERROR(TsneState::create(rows.view(), options, 1, job), ErrorCode::InvalidArgument,
                           "perplexity from 1 to 19 (20 points), found 30");
    options.perplexities = {5.0};
    options.momentum = 1.0;
    HEADSCOPE_VERIFY_ERROR(TsneState::create(rows.view(), options, 1, job), ErrorCode::WrongUse, "momentum");
    options.momentum = 0.8;
    options.start = TsneStart::Given;
    HEADSCOPE_VERIFY_ERROR(TsneState::create(rows.view(), options, 1, job), ErrorCode::ShapeMismatch, "[20, 2]");
    options.start = TsneStart::Random;
    TsneState state = made(rows, options, 1);
    HEADSCOPE_VERIFY_ERROR(state.restore({}), ErrorCode::ShapeMismatch, "20 points");
    options.maxStep = 0;
    HEADSCOPE_VERIFY_ERROR(state.setOptions(options), ErrorCode::WrongUse, "longest step");
}

void TsneStateTest::absurdRateAndStart()
{
    const MatrixF rows = test::hardCloud(900, 4);
    TsneOptions options = shortRun(20, 0);
    options.learningRate = 1e300;
    JobContext job;
    TsneState state = made(rows, options, 2);
    HEADSCOPE_VERIFY_OK(state.run(20, job));
    const MatrixF xy = state.positions();
    for (const float value : xy.values())
        QVERIFY(std::isfinite(value));
    MatrixF far(900, 2);
    far(7, 1) = 1e30F;
    options.start = TsneStart::Given;
    HEADSCOPE_VERIFY_ERROR(TsneState::create(rows.view(), options, 1, job, &far), ErrorCode::InvalidArgument,
                           "from -1e9 to 1e9, found 1e+30");
}

void TsneStateTest::cancelled()
{
    const MatrixF rows = test::hardCloud(200, 4);
    TsneState state = made(rows, shortRun(100, 4000), 2);
    std::stop_source stop;
    JobContext job(stop.get_token());
    const Status status = state.run(100, job, [&](const TsneState& now) {
        if (now.iteration() == 12)
            stop.request_stop();
    });
    QVERIFY(!status);
    QVERIFY(status.error().code == ErrorCode::Cancelled);
    QCOMPARE(state.iteration(), 12);
}

void TsneStateTest::cancelledWhileAffinitiesAreMade()
{
    const MatrixF rows = test::hardCloud(600, 4);
    for (const std::int64_t exactBelow : {4000, 0})
    {
        std::stop_source stop;
        JobContext job(stop.get_token(), [&](const Progress& progress) {
            if (progress.stage == "computing affinities")
                stop.request_stop();
        });
        HEADSCOPE_VERIFY_ERROR(TsneState::create(rows.view(), shortRun(10, exactBelow), 2, job), ErrorCode::Cancelled,
                               "");
    }
}

void TsneStateTest::stopsByItself()
{
    const MatrixF rows = test::headLikeClouds(900, 16, 5).vectors;
    for (const std::int64_t exactBelow : {4000, 0})
    {
        TsneOptions options = shortRun(3000, exactBelow);
        options.autoStop = true;
        JobContext job;
        TsneState state = made(rows, options, 2);
        HEADSCOPE_VERIFY_OK(state.run(options.iterations, job));
        qInfo("stopped after %d iterations at %.4f", state.iteration(), state.kl());
        QVERIFY(state.finished() && state.iteration() > 60 && state.iteration() < 2000);
        // Interrupted and taken up again it ends at the same place.
        TsneState part = made(rows, options, 1);
        HEADSCOPE_VERIFY_OK(part.run(state.iteration() / 2, job));
        TsneState rest = made(rows, options, 3);
        HEADSCOPE_VERIFY_OK(rest.restore(part.checkpoint()));
        HEADSCOPE_VERIFY_OK(rest.run(options.iterations, job));
        QCOMPARE(rest.iteration(), state.iteration());
        QCOMPARE(rest.hash(), state.hash());
        // Little is left to gain: as many iterations again bring less than a tenth.
        const double kl = state.updateKl();
        const int end = state.iteration();
        options.autoStop = false;
        HEADSCOPE_VERIFY_OK(state.setOptions(options));
        HEADSCOPE_VERIFY_OK(state.run(2 * end, job));
        QCOMPARE(state.iteration(), 2 * end);
        QVERIFY(state.updateKl() < kl && state.updateKl() > 0.8 * kl);
    }
}

void TsneStateTest::fewerDegreesOfFreedom()
{
    const MatrixF rows = test::headLikeClouds(900, 16, 5).vectors;
    JobContext job;
    for (const std::int64_t exactBelow : {4000, 0})
    {
        std::string plain;
        for (const double degrees : {1.0, 0.5})
        {
            TsneOptions options = shortRun(150, exactBelow);
            options.degreesOfFreedom = degrees;
            TsneState state = made(rows, options, 2);
            HEADSCOPE_VERIFY_OK(state.run(options.exaggerationIterations, job));
            const double before = state.updateKl();
            HEADSCOPE_VERIFY_OK(state.run(options.iterations, job));
            QVERIFY(state.updateKl() < before);
            QVERIFY(state.hash() != plain);
            plain = state.hash();
        }
    }
    TsneOptions wrong = shortRun(10, 0);
    wrong.degreesOfFreedom = 0;
    HEADSCOPE_VERIFY_ERROR(TsneState::create(rows.view(), wrong, 1, job), ErrorCode::WrongUse,
                           "degrees of freedom from 0.1 to 100, found 0");
}

HEADSCOPE_TEST_GUILESS(TsneStateTest)
#include "tst_tsne_state.moc"

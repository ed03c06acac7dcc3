// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/probe_baselines.h"

#include "model/analysis/probe/baseline_inputs.h"
#include "model/analysis/probe/group_errors.h"
#include "model/analysis/probe/probe.h"
#include "model/analysis/statistics/draws.h"
#include "tests/support/clouds.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

using namespace headscope;

namespace
{

constexpr std::int64_t kHeads = 8;
const std::vector<std::int64_t> kAllHeads = {0, 1, 2, 3, 4, 5, 6, 7};

HeadPoints pointsOf(const test::HeadClouds& clouds)
{
    return {clouds.vectors, {clouds.document, clouds.head}, 0, {}};
}

/// Vectors of `documents` in which no head differs from another.
HeadPoints noise(std::int64_t documents, std::uint64_t seed)
{
    constexpr std::int64_t kDims = 12;
    const Draws draws(seed);
    HeadPoints points;
    MatrixF vectors(documents * kHeads, kDims);
    for (std::int64_t row = 0; row < vectors.rows(); ++row)
    {
        for (std::int64_t d = 0; d < kDims; ++d)
            vectors(row, d) =
                static_cast<float>(draws.bits(static_cast<std::uint64_t>(row * kDims + d)) >> 40U) * 0x1p-24F;
        points.ids.document.push_back(static_cast<std::int32_t>(row / kHeads));
        points.ids.head.push_back(static_cast<std::int32_t>(row % kHeads));
    }
    points.vectors = std::move(vectors);
    return points;
}

Result<ProbeBaselines> baselinesOf(const HeadPoints& points, const ProbeBaselineOptions& options = {}, int threads = 2,
                                   Stage stage = Stage::HeadOutput)
{
    JobContext job;
    HEADSCOPE_TRY(ProbeResult probe, probeHeadsWithBaselines(points, kAllHeads, 4, stage, LayerIndex(0), ProbeOptions(),
                                                             options, threads, job));
    return std::move(*probe.baselines);
}

double accuracyOf(const ProbeBaselines& all, ProbeBaselineKind kind)
{
    return all.find(kind)->accuracy;
}

/// A probe with these counts, one row a document.
ProbeResult withConfusion(const Matrix<std::int64_t>& confusion)
{
    ProbeResult probe;
    probe.classes = confusion.rows();
    probe.confusion = confusion;
    for (std::int64_t a = 0; a < confusion.rows(); ++a)
        for (std::int64_t b = 0; b < confusion.cols(); ++b)
            for (std::int64_t i = 0; i < confusion(a, b); ++i)
            {
                probe.truths.push_back(static_cast<std::int32_t>(a));
                probe.predictions.push_back(static_cast<std::int32_t>(b));
                probe.testDocuments.push_back(static_cast<std::int32_t>(probe.testDocuments.size()));
            }
    return probe;
}

/// Errors drawn without regard to groups.
Matrix<std::int64_t> drawnErrors(std::int64_t classes, std::uint64_t seed)
{
    const Draws draws(seed);
    Matrix<std::int64_t> confusion(classes, classes);
    for (std::int64_t i = 0; i < 400; ++i)
    {
        const auto counter = static_cast<std::uint64_t>(2 * i);
        ++confusion(draws.below(counter, classes), draws.below(counter + 1, classes));
    }
    return confusion;
}

} // namespace

class TestProbeBaselines : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void offsetsAreAllThatALinearProbeReads();
    void headsThatDoNotDiffer();
    void controlTaskIsAFunctionOfHeadAndCluster();
    void randomCutKeepsEveryNumber();
    void splitsAreThoseOfTheSeeds();
    void groupsOfNineHeads();
    void groupsThatMeanNothing();
    void otherGroupings();
    void intervalIsByDocument();
    void sameOnAnyNumberOfThreads();
    void stopsAndRefusals();
};

void TestProbeBaselines::offsetsAreAllThatALinearProbeReads()
{
    const auto points = pointsOf(test::overlappingClouds(1600, 16, kHeads));
    const auto all = baselinesOf(points);
    HEADSCOPE_VERIFY_OK(all);
    QCOMPARE(all->chance, 0.125);
    QCOMPARE(all->baselines.size(), std::size_t{4});
    const double own = all->splits.accuracies[0];
    qInfo("own %.3f, means removed %.3f, gaussian %.3f, cut %.3f, control %.3f, groups %.3f, centred %.3f, %.2f s", own,
          accuracyOf(*all, ProbeBaselineKind::MeansRemoved), accuracyOf(*all, ProbeBaselineKind::Gaussian),
          accuracyOf(*all, ProbeBaselineKind::RandomCut), accuracyOf(*all, ProbeBaselineKind::ControlTask),
          all->groups->share, all->groupsCentred->share, all->seconds);
    QVERIFY(own > 0.3);
    QVERIFY(std::abs(accuracyOf(*all, ProbeBaselineKind::MeansRemoved) - 0.125) < 0.06);
    // These clouds are normal: noise with their means and variances is told apart about as well.
    QVERIFY(std::abs(accuracyOf(*all, ProbeBaselineKind::Gaussian) - own) < 0.15);
    QVERIFY(accuracyOf(*all, ProbeBaselineKind::RandomCut) > 0.25);
    const double control = accuracyOf(*all, ProbeBaselineKind::ControlTask);
    QVERIFY(control < own - 0.05);
    QVERIFY(std::abs(all->selectivity - (own - control)) < 1e-12);
    QVERIFY(all->selectivityCi95.low > 0 && all->selectivityCi95.low < all->selectivity &&
            all->selectivity < all->selectivityCi95.high);
    QCOMPARE(all->null.permutations, std::int64_t{200});
    QCOMPARE(all->null.p, 1.0 / 201);
    QVERIFY(std::abs(all->null.mean - 0.125) < 0.01);
    QVERIFY(all->groups && all->groupsCentred);
    QCOMPARE(all->groups->groupings, std::int64_t{35}); // 8 heads in 2 groups of 4
    QCOMPARE(all->groups->rank, std::int64_t{1});
    // The heads of a group share their mean here: without it they are taken for heads of the other as well.
    QVERIFY(all->groupsCentred->share < all->groups->share - 0.2);
    const auto segments = baselinesOf(points, {.splits = 1}, 2, Stage::OutputSegment);
    HEADSCOPE_VERIFY_OK(segments);
    QVERIFY(!segments->groups && std::isnan(segments->splits.sd));
}

void TestProbeBaselines::headsThatDoNotDiffer()
{
    constexpr int kRuns = 40;
    double sum = 0;
    int small = 0;
    for (std::uint64_t seed = 1; seed <= kRuns; ++seed)
    {
        const auto all = baselinesOf(noise(40, seed), {.splits = 0});
        HEADSCOPE_VERIFY_OK(all);
        QVERIFY(all->splits.accuracies.empty() && std::isnan(all->splits.mean));
        sum += all->null.p;
        small += all->null.p <= 0.1 ? 1 : 0;
        for (const ProbeBaseline& each : all->baselines)
            QVERIFY(each.accuracy < 0.35);
    }
    // p is spread evenly: mean 0.5 (sd 0.29 / sqrt 40), a tenth of them up to 0.1.
    QVERIFY2(std::abs(sum / kRuns - 0.5) < 0.16, qPrintable(QString::number(sum / kRuns)));
    QVERIFY2(small <= 11, qPrintable(QString::number(small)));
}

void TestProbeBaselines::controlTaskIsAFunctionOfHeadAndCluster()
{
    const auto clouds = test::overlappingClouds(800, 16, kHeads);
    std::vector<std::int64_t> train;
    for (std::int64_t row = 0; row < 640; ++row)
        train.push_back(row);
    const ProbeRows rows{clouds.vectors.view(), clouds.head, clouds.document, train, kHeads};
    const auto labels = controlLabels(rows, 5);
    QVERIFY(labels == controlLabels(rows, 5));
    QVERIFY(labels != controlLabels(rows, 6));
    std::map<std::int32_t, std::vector<std::int32_t>> ofDocument;
    for (std::size_t i = 0; i < labels.size(); ++i)
        ofDocument[clouds.document[i]].push_back(labels[i]);
    std::set<std::vector<std::int32_t>> kinds;
    for (auto& [document, own] : ofDocument)
    {
        QCOMPARE(std::set<std::int32_t>(own.begin(), own.end()).size(),
                 std::size_t{8}); // each label once: chance stays
        kinds.insert(own);
    }
    QVERIFY(kinds.size() > 2 && kinds.size() <= 8); // one permutation a cluster
}

void TestProbeBaselines::randomCutKeepsEveryNumber()
{
    auto clouds = test::overlappingClouds(80, 4, kHeads);
    clouds.document[8] = 1000; // one document is short of a head now
    const std::vector<std::int64_t> train = {0, 1, 2};
    const ProbeRows rows{clouds.vectors.view(), clouds.head, clouds.document, train, kHeads};
    const CutRows cut = randomCut(rows, 3);
    QCOMPARE(cut.vectors.rows(), std::int64_t{72});
    std::multiset<float> before;
    std::multiset<float> after;
    for (std::int64_t row = 0; row < 8; ++row)
    {
        before.insert(clouds.vectors.row(row).begin(), clouds.vectors.row(row).end());
        after.insert(cut.vectors.row(row).begin(), cut.vectors.row(row).end());
    }
    QVERIFY(before == after);
    QVERIFY(!std::ranges::equal(cut.vectors.row(0), clouds.vectors.row(0)));
    QVERIFY(std::ranges::find(cut.documents, 1) == cut.documents.end());
}

void TestProbeBaselines::splitsAreThoseOfTheSeeds()
{
    const auto points = pointsOf(test::overlappingClouds(800, 16, kHeads));
    const auto all = baselinesOf(points, {.splits = 3});
    HEADSCOPE_VERIFY_OK(all);
    QCOMPARE(all->splits.accuracies.size(), std::size_t{3});
    double sum = 0;
    for (std::uint64_t s = 0; s < 3; ++s)
    {
        ProbeOptions options;
        options.seed = 1 + s;
        JobContext job;
        const auto alone = probeHeads(points, kAllHeads, 4, Stage::HeadOutput, LayerIndex(0), options, 1, job);
        HEADSCOPE_VERIFY_OK(alone);
        QCOMPARE(all->splits.accuracies[s], alone->accuracy);
        sum += alone->accuracy;
    }
    QVERIFY(std::abs(all->splits.mean - sum / 3) < 1e-12);
    QVERIFY(all->splits.sd > 0 && all->splits.sd < 0.1);
}

void TestProbeBaselines::groupsOfNineHeads()
{
    Matrix<std::int64_t> confusion(9, 9);
    const std::vector<std::int64_t> groupOf = {0, 0, 0, 1, 1, 1, 2, 2, 2};
    for (std::int64_t a = 0; a < 9; ++a)
        for (std::int64_t b = 0; b < 9; ++b)
            confusion(a, b) = a == b ? 20 : a / 3 == b / 3 ? 5 : 1;
    const GroupErrors planted = groupErrors(withConfusion(confusion), groupOf, 1);
    QCOMPARE(planted.within, std::int64_t{90});
    QCOMPARE(planted.errors, std::int64_t{144});
    QCOMPARE(planted.share, 0.625);
    QCOMPARE(planted.chance, 0.25);
    QVERIFY(planted.exact);
    QCOMPARE(planted.groupings, std::int64_t{280});
    QCOMPARE(planted.rank, std::int64_t{1});
    QCOMPARE(planted.p, 1.0 / 280);
    QVERIFY(planted.ci95.low > 0.5 && planted.ci95.high < 0.75);
    // Another grouping of the same heads is one of those that come after it.
    const std::vector<std::int64_t> other = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    const GroupErrors wrong = groupErrors(withConfusion(confusion), other, 1);
    QVERIFY(wrong.rank > 1 && wrong.p > 0.5 && wrong.share < 0.25);
    const GroupErrors none = groupErrors(withConfusion(Matrix<std::int64_t>(9, 9)), groupOf, 1);
    QVERIFY(std::isnan(none.share) && std::isnan(none.p));
}

void TestProbeBaselines::groupsThatMeanNothing()
{
    const std::vector<std::int64_t> groupOf = {0, 0, 0, 1, 1, 1, 2, 2, 2};
    constexpr int kRuns = 200;
    double sum = 0;
    int small = 0;
    for (std::uint64_t seed = 1; seed <= kRuns; ++seed)
    {
        const GroupErrors drawn = groupErrors(withConfusion(drawnErrors(9, seed)), groupOf, 1);
        sum += drawn.p;
        small += drawn.p <= 0.05 ? 1 : 0;
    }
    QVERIFY2(std::abs(sum / kRuns - 0.5) < 0.08, qPrintable(QString::number(sum / kRuns)));
    QVERIFY2(small <= 20, qPrintable(QString::number(small)));
}

void TestProbeBaselines::otherGroupings()
{
    const auto groupings = [](const std::vector<std::int64_t>& groupOf) {
        return groupErrors(withConfusion(drawnErrors(std::ssize(groupOf), 7)), groupOf, 1);
    };
    QCOMPARE(groupings({4, 4, 9, 9, 9}).groupings, std::int64_t{10}); // a choice of heads: groups of unlike sizes
    QCOMPARE(groupings({0, 0, 1, 1, 2, 2}).groupings, std::int64_t{15});
    QCOMPARE(groupings({0, 1, 1, 2, 2, 2}).groupings, std::int64_t{60});
    std::vector<std::int64_t> many;
    for (std::int64_t head = 0; head < 32; ++head)
        many.push_back(head / 4);
    const GroupErrors drawn = groupings(many);
    QVERIFY(!drawn.exact);
    QCOMPARE(drawn.groupings, std::int64_t{10'001});
    QVERIFY(drawn.p >= 1.0 / 10'001 && drawn.rank >= 1);
}

void TestProbeBaselines::intervalIsByDocument()
{
    // All eight rows of a document are one vector with one label, which the vector does not tell: right or wrong
    // together, and worth one row.
    const HeadPoints points = noise(200, 4);
    MatrixF vectors(points.vectors.rows(), points.vectors.cols());
    std::vector<std::int32_t> labels;
    const Draws draws(9);
    for (std::int64_t row = 0; row < vectors.rows(); ++row)
    {
        std::ranges::copy(points.vectors.row(row / kHeads * kHeads), vectors.row(row).begin());
        labels.push_back(draws.coin(static_cast<std::uint64_t>(row / kHeads)) ? 1 : 0);
    }
    ProbeInput input;
    input.rows = std::as_const(vectors).view();
    input.labels = labels;
    input.documents = points.ids.document;
    JobContext job;
    const auto found = runProbe(input, {}, 1, job);
    HEADSCOPE_VERIFY_OK(found);
    QCOMPARE(found->testRows, std::int64_t{320});
    QVERIFY2(found->effectiveRows <= 40.0 + 1e-9 && found->effectiveRows > 38,
             qPrintable(QString::number(found->effectiveRows)));
    QCOMPARE(found->ci95Method, std::string("Wilson, effective rows by document"));
    QVERIFY(found->ci95High - found->ci95Low > 0.25); // 0.11 over rows
    input.documents = {};
    ProbeOptions rows;
    rows.split = ProbeSplit::Rows;
    const auto plain = runProbe(input, rows, 1, job);
    HEADSCOPE_VERIFY_OK(plain);
    QCOMPARE(plain->ci95Method, std::string("Wilson"));
    QCOMPARE(plain->effectiveRows, 320.0);
    const HeadScore& first = found->perHead.front();
    QVERIFY(first.recallCi95.low <= first.recall && first.recall <= first.recallCi95.high);
}

void TestProbeBaselines::sameOnAnyNumberOfThreads()
{
    const auto points = pointsOf(test::overlappingClouds(400, 16, kHeads));
    const auto one = baselinesOf(points, {.splits = 2}, 1);
    const auto three = baselinesOf(points, {.splits = 2}, 3);
    HEADSCOPE_VERIFY_OK(one);
    HEADSCOPE_VERIFY_OK(three);
    for (std::size_t i = 0; i < one->baselines.size(); ++i)
        QCOMPARE(one->baselines[i].accuracy, three->baselines[i].accuracy);
    QCOMPARE(one->splits.accuracies, three->splits.accuracies);
    QCOMPARE(one->selectivityCi95.low, three->selectivityCi95.low);
    QCOMPARE(one->groups->p, three->groups->p);
}

void TestProbeBaselines::stopsAndRefusals()
{
    const auto points = pointsOf(test::overlappingClouds(400, 16, kHeads));
    JobContext job;
    auto probe = probeHeads(points, kAllHeads, 4, Stage::HeadOutput, LayerIndex(0), ProbeOptions(), 1, job);
    HEADSCOPE_VERIFY_OK(probe);
    std::stop_source stop;
    stop.request_stop();
    JobContext stopped(stop.get_token());
    const auto none = probeBaselines(points, kAllHeads, 4, *probe, {}, 2, stopped);
    QVERIFY(!none && none.error().code == ErrorCode::Cancelled);
    probe->options.control = true;
    HEADSCOPE_VERIFY_ERROR(probeBaselines(points, kAllHeads, 4, *probe, {}, 2, job), ErrorCode::WrongUse,
                           "without permuted labels");
}

HEADSCOPE_TEST_GUILESS(TestProbeBaselines)
#include "tst_probe_baselines.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/map_snapshots.h"
#include "model/analysis/maps/measure_noise_floor.h"
#include "model/base/random.h"
#include "tests/support/clouds.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

using namespace headscope;

namespace
{

constexpr std::int64_t kDocuments = 150;
constexpr std::int64_t kHeads = 3;

std::shared_ptr<const HeadVectors> vectorsOf()
{
    MatrixF all = test::headLikeClouds(kDocuments * kHeads, 16, kHeads).vectors;
    return std::make_shared<const HeadVectors>(Stage::HeadOutput, LayerIndex(2), kDocuments, kHeads, 16,
                                               std::move(all.values()));
}

TsneOptions shortRun()
{
    TsneOptions options;
    options.perplexities = {10.0};
    options.iterations = 300;
    options.exaggerationIterations = 100;
    return options;
}

/// A map of Gaussian places.
MatrixF randomMap(std::int64_t points, std::uint64_t seed)
{
    const CounterRandom random(seed);
    MatrixF xy(points, 2);
    for (std::size_t i = 0; i < xy.values().size(); ++i)
        xy.values()[i] = static_cast<float>(random.normal(i));
    return xy;
}

HeadMap mapOf(const HeadPoints& points, const TsneOptions& options)
{
    JobContext job;
    auto state = TsneState::create(points.vectors.view(), options, 2, job);
    if (!state || !state->run(options.iterations, job))
        return {};
    return snapshotMap(*state, frameOfMap(points, Stage::HeadOutput, LayerIndex(2), options));
}

HeadPoints pointsOf(std::int64_t head)
{
    return gatherPoints(*vectorsOf(), allIndices(kDocuments), std::vector<std::int64_t>{head}, 1);
}

} // namespace

class NoiseFloorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noiseIsRelativeToEachVector()
    {
        constexpr std::int64_t kRows = 2'000;
        constexpr std::int64_t kDims = 50;
        MatrixF still = randomMap(kRows * kDims / 2, 3);
        still = MatrixF(kRows, kDims, std::move(still.values()));
        for (std::int64_t i = 0; i < kRows; ++i) // lengths from 1e-3 to 1e3, and rows of zeros
            for (float& value : still.row(i))
                value *= i % 100 == 0 ? 0.0F : static_cast<float>(std::pow(10.0, static_cast<double>(i % 7) - 3));
        MatrixF moved = still;
        addVectorNoise(moved, 0.01, 5, 0, 1);
        double shares = 0;
        std::int64_t rows = 0;
        for (std::int64_t i = 0; i < kRows; ++i)
        {
            double own = 0;
            double by = 0;
            for (std::int64_t k = 0; k < kDims; ++k)
            {
                own += std::pow(static_cast<double>(still(i, k)), 2);
                by += std::pow(static_cast<double>(moved(i, k)) - static_cast<double>(still(i, k)), 2);
            }
            if (own == 0)
            {
                QCOMPARE(by, 0.0);
                continue;
            }
            const double share = std::sqrt(by / own);
            QVERIFY(share > 0.005 && share < 0.02);
            shares += share;
            ++rows;
        }
        QVERIFY(std::abs(shares / static_cast<double>(rows) - 0.01) < 1e-4);

        MatrixF threads = still;
        addVectorNoise(threads, 0.01, 5, 0, 3);
        QVERIFY(std::ranges::equal(threads.values(), moved.values()));
        MatrixF twin = still;
        addVectorNoise(twin, 0.01, 5, 1, 1);
        QVERIFY(!std::ranges::equal(twin.values(), moved.values()));
    }

    void agreementKnowsMotionsAndChance()
    {
        constexpr std::int64_t kPoints = 2'001;
        JobContext job;
        const MatrixF a = randomMap(kPoints, 1);
        MatrixF turned = a; // a quarter turn, mirrored, made larger by a power of two, which rounds nothing
        for (std::int64_t i = 0; i < kPoints; ++i)
        {
            turned(i, 0) = 4 * a(i, 1);
            turned(i, 1) = 4 * a(i, 0);
        }
        const auto same = mapAgreement(a.view(), turned.view(), 2, job);
        HEADSCOPE_VERIFY_OK(same);
        QCOMPARE(same->neighbors, 10);
        QCOMPARE(same->kept, 1.0);
        QVERIFY(std::abs(same->correlation - 1) < 1e-9);
        const auto strangers = mapAgreement(a.view(), randomMap(kPoints, 2).view(), 2, job);
        HEADSCOPE_VERIFY_OK(strangers);
        QCOMPARE(chanceKept(10, kPoints), 0.005);
        QVERIFY(std::abs(strangers->kept - 0.005) < 0.003);
        QVERIFY(strangers->correlation < 0.1);
        QCOMPARE(mapAgreement(a.view(), randomMap(5, 2).view(), 1, job).error().code, ErrorCode::ShapeMismatch);
    }

    void anotherHeadExceedsTheFloorAndATwinDoesNot()
    {
        JobContext job;
        const HeadPoints points = pointsOf(0);
        const HeadMap map = mapOf(points, shortRun());
        NoiseFloorOptions wanted;
        wanted.twins = 3;
        const auto floor = noiseFloor(points.vectors.view(), map, nullptr, wanted, 2, job);
        HEADSCOPE_VERIFY_OK(floor);
        QCOMPARE(floor->twins, 3);
        QCOMPARE(floor->noise, 1e-4);
        QVERIFY(floor->leastKept <= floor->mean.kept && floor->mean.kept <= floor->mostKept);
        QVERIFY(*floor->leastCorrelation <= floor->mean.correlation &&
                floor->mean.correlation <= *floor->mostCorrelation);
        const double range = floor->mostKept - floor->leastKept; // of three: its sd lies between these
        QVERIFY(*floor->keptSd >= range / 2 - 1e-12 && *floor->keptSd <= range / std::sqrt(3.0) + 1e-12);
        QCOMPARE(noiseFloor(points.vectors.view(), map, nullptr, wanted, 1, job).value(), *floor);

        // Vectors of their own, and the same vectors after noise of another seed.
        const HeadMap other = mapOf(HeadPoints{pointsOf(1).vectors, points.ids, 0, {}}, shortRun());
        const auto apart = mapAgreement(map.xy.view(), other.xy.view(), 2, job);
        HEADSCOPE_VERIFY_OK(apart);
        QVERIFY(apart->kept < floor->leastKept);
        double byPoint = 0;
        for (const float kept : floor->keptByPoint)
            byPoint += kept / static_cast<double>(floor->keptByPoint.size());
        QVERIFY(std::abs(byPoint - floor->mean.kept) < 1e-6);
        HeadPoints again = points;
        MatrixF noisy(again.vectors.rows(), again.vectors.cols());
        std::ranges::copy(again.vectors.values(), noisy.data());
        addVectorNoise(noisy, 1e-4, 77, 0, 2);
        again.vectors = std::move(noisy);
        const auto twin = mapAgreement(map.xy.view(), mapOf(again, shortRun()).xy.view(), 2, job);
        HEADSCOPE_VERIFY_OK(twin);
        QVERIFY(std::abs(twin->kept - floor->mean.kept) < 0.1);
        QVERIFY(floor->mean.kept - apart->kept > 0.1);
    }

    void aVerdictNeedsAnIntervalThatExcludesZero()
    {
        // 40 documents with two points each; the twins keep every second neighbour.
        constexpr std::size_t kPoints2 = 80;
        std::vector<std::int32_t> documents;
        for (std::size_t i = 0; i < kPoints2; ++i)
            documents.push_back(static_cast<std::int32_t>(i / 2));
        NoiseFloor floor;
        floor.mean = {10, 0.5, 0.6};
        floor.leastKept = floor.mostKept = 0.5;
        floor.twins = 3;
        floor.noise = 1e-4;
        floor.keptByPoint.assign(kPoints2, 0.5F);
        floor.keptSd = 0.0;
        floor.leastCorrelation = 0.55;
        floor.mostCorrelation = 0.65;
        const auto finding = [&](double mean, float spread, double r) {
            std::vector<float> kept;
            for (std::size_t i = 0; i < kPoints2; ++i)
                kept.push_back(static_cast<float>(mean) + (i / 2 % 2 == 0 ? spread : -spread));
            return floorVerdict({10, mean, r}, kept, documents, floor, documents);
        };
        const FloorVerdict above = finding(0.4, 0.05F, 0.3);
        QVERIFY(above.finding == FloorFinding::Above);
        QVERIFY(std::abs(above.difference - 0.1) < 1e-12);
        // Leaving out one of 40 equal documents: se = sd / sqrt(40) with the divisor 39.
        const double half = 1.959963984540054 * 0.05 / std::sqrt(39.0);
        QVERIFY(std::abs(above.ci95.low - (0.1 - half)) < 1e-6);
        QVERIFY(std::abs(above.ci95.high - (0.1 + half)) < 1e-6);
        QVERIFY(finding(0.4, 0.4F, 0.3).finding == FloorFinding::Undecided); // the same mean, other documents
        QVERIFY(finding(0.6, 0.05F, 0.8).finding == FloorFinding::Within);
        QVERIFY(finding(0.4, 0.05F, 0.8).finding == FloorFinding::Contradict);
        QVERIFY(finding(0.6, 0.05F, 0.3).finding == FloorFinding::Contradict);
        QVERIFY(above.correlation == CorrelationFinding::Agrees);
        QVERIFY(finding(0.4, 0.05F, 0.6).finding == FloorFinding::Above); // r among the twins: it decides nothing
        QVERIFY(finding(0.4, 0.05F, 0.6).correlation == CorrelationFinding::Undecided);
        floor.mostKept = 0.65; // one of the twins keeps more
        QVERIFY(finding(0.6, 0.05F, 0.8).finding == FloorFinding::Undecided);
        floor.mostKept = 0.5;
        floor.leastKept = 0.35; // one of the twins differs more
        QVERIFY(finding(0.4, 0.05F, 0.3).finding == FloorFinding::Undecided);
        floor.leastKept = 0.5;
        floor.keptSd.reset(); // of an older file
        QVERIFY(finding(0.4, 0.05F, 0.3).finding == FloorFinding::Unknown);
        floor.keptSd = 0.0;
        floor.keptByPoint.clear();
        QVERIFY(finding(0.4, 0.05F, 0.3).finding == FloorFinding::Unknown);
        QVERIFY(!std::isfinite(finding(0.4, 0.05F, 0.3).ci95.low));
        floor.keptByPoint.assign(kPoints2, 0.15F);
        floor.mean.kept = floor.leastKept = 0.15; // chance is 10 of 79, 0.127
        QVERIFY(nearChance(floor, kPoints2));
        QVERIFY(finding(0.05, 0.0F, 0.1).finding == FloorFinding::Unstable);
    }

    /// Another draw of the noise gives another share: the interval holds that, and one twin gives none.
    void aVerdictNeedsThreeTwins()
    {
        constexpr std::size_t kPoints2 = 80;
        std::vector<std::int32_t> documents(kPoints2);
        std::iota(documents.begin(), documents.end(), 0);
        const std::vector<float> kept(kPoints2, 0.4F);
        NoiseFloor floor{{10, 0.5, 0.6}, 0.47, 0.53, 1, 1e-4, 1, std::vector<float>(kPoints2, 0.5F)};
        const auto verdict = [&] { return floorVerdict({10, 0.4, 0.3}, kept, documents, floor, documents); };
        QVERIFY(verdict().finding == FloorFinding::FewTwins);
        QVERIFY(!std::isfinite(verdict().ci95.low) && !std::isfinite(verdict().ci95.high));
        QVERIFY(std::abs(verdict().difference - 0.1) < 1e-6); // which is a number of that twin
        floor.twins = 2;
        floor.keptSd = 0.03;
        QVERIFY(verdict().finding == FloorFinding::FewTwins);
        floor.twins = 3;
        // No document differs from another here: the spread of the twins is all, t of two degrees of freedom.
        QVERIFY(std::abs(verdict().ci95.high - verdict().ci95.low - 2 * 4.303 * 0.03 / std::sqrt(3.0)) < 1e-6);
        QVERIFY(verdict().finding == FloorFinding::Above);
        floor.keptSd = 0.05;
        QVERIFY(verdict().finding == FloorFinding::Undecided); // +-12 points
    }

    /// What the arrangement of the heads alone gives stands beside the share and r.
    void agreementKnowsWhatHeadsAloneGive()
    {
        JobContext job;
        constexpr std::int64_t kEach = 60;
        MatrixF a = randomMap(3 * kEach, 1);
        MatrixF b = randomMap(3 * kEach, 2);
        std::vector<std::int32_t> heads;
        for (std::int64_t i = 0; i < a.rows(); ++i)
        {
            heads.push_back(static_cast<std::int32_t>(i % 3));
            for (MatrixF* map : {&a, &b}) // three islands far from each other, the same in both
            {
                (*map)(i, 0) += i % 3 == 1 ? 100.0F : 0.0F;
                (*map)(i, 1) += i % 3 == 2 ? 100.0F : 0.0F;
            }
        }
        const auto islands = mapAgreement(a.view(), b.view(), 2, job, 10, heads);
        HEADSCOPE_VERIFY_OK(islands);
        QVERIFY(islands->correlation > 0.99); // which says nothing
        QVERIFY(std::abs(*islands->shuffledCorrelation - islands->correlation) < 0.01);
        QCOMPARE(*islands->keptWithin, 10.0 / (kEach - 1));
        QVERIFY(std::abs(islands->kept - *islands->keptWithin) < 0.03);
        QCOMPARE(*mapAgreement(a.view(), b.view(), 1, job, 10, heads), *islands);
        const auto plain = mapAgreement(a.view(), b.view(), 2, job);
        HEADSCOPE_VERIFY_OK(plain);
        QVERIFY(!plain->keptWithin && *plain->shuffledCorrelation < 0.3);
        heads.pop_back();
        QCOMPARE(mapAgreement(a.view(), b.view(), 1, job, 10, heads).error().code, ErrorCode::ShapeMismatch);
    }

    void theFloorFallsAsNoiseGrows()
    {
        JobContext job;
        const HeadPoints points = pointsOf(0);
        const HeadMap map = mapOf(points, shortRun());
        double before = 1.01;
        for (const double noise : {1e-6, 0.5, 50.0})
        {
            const auto floor = noiseFloor(points.vectors.view(), map, nullptr, {.noise = noise, .twins = 1}, 2, job);
            HEADSCOPE_VERIFY_OK(floor);
            QVERIFY(floor->mean.kept < before);
            before = floor->mean.kept;
        }
        QVERIFY(before < 3 * chanceKept(10, kDocuments)); // nothing but noise is left
    }

    void whatCannotBeRepeatedHasNoFloor()
    {
        JobContext job;
        const HeadPoints points = pointsOf(0);
        HeadMap map = mapOf(points, shortRun());
        QCOMPARE(noiseFloor(points.vectors.view(), map, nullptr, {.twins = 0}, 1, job).error().code,
                 ErrorCode::InvalidArgument);
        QCOMPARE(noiseFloor(randomMap(7, 1).view(), map, nullptr, {}, 1, job).error().code, ErrorCode::ShapeMismatch);
        map.turns.push_back({100, MapTurn::Kind::Noise, 0.1, {}});
        const auto changed = noiseFloor(points.vectors.view(), map, nullptr, {}, 1, job);
        QVERIFY(!changed && changed.error().message.find("changed while it ran") != std::string::npos);
    }

    void everyMapOfASetGetsItsFloor()
    {
        JobContext job;
        const auto vectors = vectorsOf();
        std::vector<AlignedMember> members = {{"full", vectors, -1}};
        for (std::int64_t head = 0; head < kHeads; ++head)
            members.push_back({memberName(*vectors, head, false), vectors, head});
        AlignedHeadsOptions options;
        options.tsne = shortRun();
        auto set = alignedHeadMaps(members, allIndices(kDocuments), options, 2, job);
        HEADSCOPE_VERIFY_OK(set);
        QVERIFY(!set->maps[0].map.floor && !set->maps[0].others);
        HeadMapSet alone = *set;
        HEADSCOPE_VERIFY_OK(measureHeadFloors(members, *set, {}, 2, job));
        HEADSCOPE_VERIFY_OK(measureHeadFloors(members, alone, {}, 1, job));
        for (std::size_t m = 0; m < members.size(); ++m)
        {
            const MapOfSet& each = set->maps[m];
            QVERIFY(each.map.floor && each.others);
            QCOMPARE(*alone.maps[m].map.floor, *each.map.floor);
            QCOMPARE(*alone.maps[m].others, *each.others);
        }
        // Head 1 agrees with heads 2 and 3 as often as these two comparisons say; the full vector is no other.
        double kept = 0;
        for (const std::size_t m : {2, 3})
        {
            const auto one = mapAgreement(set->maps[1].map.xy.view(), set->maps[m].map.xy.view(), 1, job);
            HEADSCOPE_VERIFY_OK(one);
            kept += one->kept / 2;
        }
        QVERIFY(std::abs(set->maps[1].others->kept - kept) < 1e-12);
        double byPoint = 0;
        for (const float share : set->maps[1].othersByPoint)
            byPoint += share / static_cast<double>(kDocuments);
        QVERIFY(std::abs(byPoint - kept) < 1e-6);
        QVERIFY(set->maps[1].verdict()->finding == FloorFinding::Above);
        QCOMPARE(measureHeadFloors(std::span(members).first(2), *set, {}, 1, job).error().code,
                 ErrorCode::ShapeMismatch);
    }
};

HEADSCOPE_TEST_GUILESS(NoiseFloorTest)
#include "tst_measure_noise_floor.moc"

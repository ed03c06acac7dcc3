// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/aligned_heads.h"
#include "tests/support/clouds.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace headscope;

namespace
{

constexpr std::int64_t kDocuments = 120;
constexpr std::int64_t kHeads = 4;

std::shared_ptr<const HeadVectors> vectorsOf(Stage stage, bool broken = false)
{
    MatrixF all = test::headLikeClouds(kDocuments * kHeads, 16, kHeads).vectors;
    if (stage != Stage::HeadOutput)
        for (float& value : all.values())
            value = std::abs(value);
    if (broken)
        all.values()[16 * (3 * kHeads + 1)] = std::numeric_limits<float>::infinity(); // document 3, head 1
    return std::make_shared<const HeadVectors>(stage, LayerIndex(5), kDocuments, kHeads, 16, std::move(all.values()));
}

std::vector<AlignedMember> membersOf(bool broken = false)
{
    std::vector<AlignedMember> members;
    for (const Stage stage : {Stage::HeadOutput, Stage::OutputSegment})
    {
        const auto vectors = vectorsOf(stage, broken && stage == Stage::HeadOutput);
        if (members.empty())
            members.push_back({"full", vectors, -1});
        for (std::int64_t head = 0; head < kHeads; ++head)
            members.push_back({memberName(*vectors, head, false), vectors, head});
    }
    return members;
}

AlignedHeadsOptions shortRun(int iterations = 60)
{
    AlignedHeadsOptions options;
    options.tsne.perplexities = {10.0};
    options.tsne.iterations = iterations;
    options.tsne.exaggerationIterations = 20;
    options.fullSource = "made up";
    return options;
}

} // namespace

class AlignedHeadsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneMapAMember()
    {
        JobContext job;
        const auto members = membersOf();
        auto set = alignedHeadMaps(members, allIndices(kDocuments), shortRun(), 2, job);
        HEADSCOPE_VERIFY_OK(set);
        QCOMPARE(set->maps.size(), std::size_t{1 + 2 * kHeads});
        QCOMPARE(set->maps[0].map.name, std::string("full"));
        QVERIFY(set->maps[0].map.points->head.empty());
        QCOMPARE(set->maps[2].map.name, std::string("s1_h01"));
        QCOMPARE(set->maps[2].map.points->head.front(), 1);
        QCOMPARE(set->maps[5].map.stage, Stage::OutputSegment);
        QCOMPARE(set->maps[5].map.layer, LayerIndex(5));
        QCOMPARE(set->fullSource, std::string("made up"));
        for (const MapOfSet& each : set->maps)
        {
            QCOMPARE(each.map.xy.rows(), kDocuments);
            QCOMPARE(each.map.iteration, 60);
            QVERIFY(each.correlation > 0 && each.correlation <= 1);
            QVERIFY(!each.map.hash.empty() && !each.map.inputHash.empty());
            QVERIFY(!each.map.trust);
        }
        HEADSCOPE_VERIFY_OK(measureHeadMaps(members, *set, 2, job));
        for (const MapOfSet& each : set->maps)
            QVERIFY(each.map.trust && each.map.trust->knn10 > 0);
        QCOMPARE(measureHeadMaps(std::span(members).first(2), *set, 1, job).error().code, ErrorCode::ShapeMismatch);
    }

    void aViewerChangesNoBit()
    {
        JobContext job;
        const auto members = membersOf();
        const auto straight = alignedHeadMaps(members, allIndices(kDocuments), shortRun(), 1, job);
        HEADSCOPE_VERIFY_OK(straight);
        std::vector<std::shared_ptr<const HeadMapSet>> looks;
        int between = 0;
        AlignedHeadsViewer viewer;
        viewer.show = [&looks](auto set) { looks.push_back(std::move(set)); };
        viewer.between = [&between] { ++between; };
        const auto watched = alignedHeadMaps(members, allIndices(kDocuments), shortRun(), 2, job, &viewer);
        HEADSCOPE_VERIFY_OK(watched);
        QCOMPARE(watched->hash, straight->hash);
        for (std::size_t m = 0; m < members.size(); ++m)
        {
            QCOMPARE(watched->maps[m].map.hash, straight->maps[m].map.hash);
            QCOMPARE(watched->maps[m].map.kl, straight->maps[m].map.kl);
        }
        QVERIFY(looks.size() >= 2);
        QCOMPARE(between, static_cast<int>(looks.size()));
        int last = 0;
        for (const auto& look : looks)
        {
            QCOMPARE(look->maps.size(), members.size());
            QCOMPARE(look->maps[0].map.points, looks.front()->maps[0].map.points); // shared by all looks
            const int iteration = look->maps[0].map.iteration;
            QVERIFY(iteration > last);
            for (const MapOfSet& each : look->maps)
                QCOMPARE(each.map.iteration, iteration); // they advance together
            last = iteration;
        }
        QCOMPARE(last, 60);
        // The last look is the result: the same positions, moved alike.
        QVERIFY(looks.back()->maps[3].map.xy == watched->maps[3].map.xy);
    }

    void looksOnlyWhenWanted()
    {
        JobContext job;
        int shown = 0;
        AlignedHeadsViewer viewer;
        viewer.wanted = [] { return false; };
        viewer.show = [&shown](const auto&) { ++shown; };
        HEADSCOPE_VERIFY_OK(alignedHeadMaps(membersOf(), allIndices(kDocuments), shortRun(), 1, job, &viewer));
        QCOMPARE(shown, 0);
    }

    void stopsBetweenTwoRounds()
    {
        std::stop_source stop;
        JobContext job(stop.get_token());
        AlignedHeadsViewer viewer;
        viewer.between = [&stop] { stop.request_stop(); };
        const auto made = alignedHeadMaps(membersOf(), allIndices(kDocuments), shortRun(50'000), 2, job, &viewer);
        QVERIFY(!made);
        QCOMPARE(made.error().code, ErrorCode::Cancelled);
    }

    void documentsThatAreNotFiniteAreLeftOutOfAll()
    {
        JobContext job;
        const auto members = membersOf(true);
        const auto set = alignedHeadMaps(members, allIndices(kDocuments), shortRun(), 1, job);
        HEADSCOPE_VERIFY_OK(set);
        for (const MapOfSet& each : set->maps)
        {
            QCOMPARE(each.map.xy.rows(), kDocuments - 1);
            QCOMPARE(each.map.leftOut, 1);
            QCOMPARE(each.map.points->document[3], 4);
        }
        const std::vector<std::int64_t> broken = {3};
        QCOMPARE(alignedHeadMaps(members, broken, shortRun(), 1, job).error().code, ErrorCode::InvalidArgument);
    }
};

HEADSCOPE_TEST_GUILESS(AlignedHeadsTest)
#include "tst_aligned_heads.moc"

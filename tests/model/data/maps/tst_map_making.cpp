// SPDX-License-Identifier: GPL-3.0-or-later
// Why two maps may differ: the vectors they are of, and how they were made.
#include "model/data/maps/map_making.h"

#include "tests/support/test_program.h"

#include <memory>
#include <vector>

using namespace headscope;

namespace
{

HeadMap mapOf(const std::string& hash)
{
    HeadMap map;
    map.inputHash = hash;
    map.iteration = 750;
    map.application = "Headscope 1";
    map.points = std::make_shared<const PointIds>(PointIds{{0, 1, 2}, {0, 0, 0}});
    map.xy = MatrixF(3, 2);
    return map;
}

MapPair pairOf(HeadMap a, HeadMap b)
{
    MapPair pair;
    pair.a = std::make_shared<const HeadMap>(std::move(a));
    pair.b = std::make_shared<const HeadMap>(std::move(b));
    pair.points = pair.a->points;
    return pair;
}

/// Points of one map that keep 0.5 of their neighbours on the other, and nearly all on its twins.
MapPair farAboveNoise(HeadMap a, HeadMap b)
{
    constexpr std::int64_t kPoints = 40;
    std::vector<std::int32_t> documents;
    for (std::int32_t document = 0; document < kPoints; ++document)
        documents.push_back(document);
    const auto points =
        std::make_shared<const PointIds>(PointIds{documents, std::vector<std::int32_t>(documents.size())});
    a.points = b.points = points;
    a.xy = b.xy = MatrixF(kPoints, 2);
    NoiseFloor floor;
    floor.twins = 3;
    floor.mean = {10, 0.95, 0.9, {}, {}};
    floor.leastKept = 0.94;
    floor.mostKept = 0.96;
    floor.leastCorrelation = 0.88;
    floor.mostCorrelation = 0.92;
    floor.keptByPoint.assign(documents.size(), 0.95F);
    floor.keptSd = 0.01;
    a.floor = floor;
    MapPair pair = pairOf(std::move(a), std::move(b));
    pair.xyA = pair.xyB = MatrixF(kPoints, 2);
    pair.difference.mean = 0.5;
    for (std::size_t i = 0; i < documents.size(); ++i)
        pair.difference.changed.push_back(i % 2 == 0 ? 0.45F : 0.55F);
    pair.correlation = 0.4;
    return pair;
}

} // namespace

class TestMapMaking : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sameVectorsOtherOptions()
    {
        HeadMap other = mapOf("1");
        other.options.perplexities = {50};
        other.options.affinities = TsneAffinities::Dense;
        other.iteration = 500;
        const MapMaking making = makingOf(pairOf(mapOf("1"), other));
        QVERIFY(making.isOfSameVectors);
        QCOMPARE(making.differs, std::string("perplexity 30 / 50, affinities sparse / dense, iterations 750 / 500"));
        QCOMPARE(makingText(making),
                 std::string("both maps show the same vectors: differences beyond noise can only come from perplexity "
                             "30 / 50, affinities sparse / dense, iterations 750 / 500, not from the data"));
        other.options = {};
        other.options.start = TsneStart::Random;
        other.options.seed = 7;
        other.options.learningRate = 200;
        other.iteration = 750;
        other.turns = {{100, MapTurn::Kind::Noise, 0.1, {}}};
        other.application = "Headscope 2";
        const std::string differs = makingOf(pairOf(mapOf("1"), other)).differs;
        QCOMPARE(
            differs,
            std::string("learning rate 0 / 200, PCA initialization / random initialization, seed 7, changes during "
                        "the run, program Headscope 1 / Headscope 2"));
    }

    void madeAlike()
    {
        const MapMaking same = makingOf(pairOf(mapOf("1"), mapOf("1")));
        QVERIFY(same.isOfSameVectors && same.differs.empty());
        QVERIFY(makingText(same).find("made in the same way") != std::string::npos);
        HeadMap seeded = mapOf("1");
        seeded.options.seed = 9; // has no part in a map from a PCA start
        QCOMPARE(makingOf(pairOf(mapOf("1"), seeded)).differs, std::string());
        const MapMaking others = makingOf(pairOf(mapOf("1"), mapOf("2")));
        QVERIFY(!others.isOfSameVectors);
        QCOMPARE(makingText(others), std::string());
    }

    void otherVectorsOtherOptions()
    {
        HeadMap other = mapOf("2");
        other.options.metric = Metric::Cosine;
        QCOMPARE(makingText(makingOf(pairOf(mapOf("1"), other))),
                 std::string("the maps were also made in different ways (metric euclidean / cosine), which may cause "
                             "some of the differences"));
    }

    /// Some documents of a map, and all of them: where both have a point it stands for the same vector.
    void someOfTheSameRows()
    {
        HeadMap one = mapOf("1");
        HeadMap other = mapOf("2");
        one.origin = other.origin = {"cache"};
        MapPair pair = pairOf(one, other);
        QVERIFY(!makingOf(pair).isOfSameVectors); // all points are in both, and the bytes differ
        pair.onlyInA = 4;
        const MapMaking making = makingOf(pair);
        QVERIFY(making.isOfSameVectors);
        QCOMPARE(making.differs, std::string("points that only one of the maps has"));
        HeadMap layer = other;
        layer.layer = LayerIndex(3);
        MapPair apart = pairOf(one, layer);
        apart.onlyInA = 4;
        QVERIFY(!makingOf(apart).isOfSameVectors);
    }

    /// However far above noise: of the same vectors that is no difference of the data.
    void aboveNoiseOfTheSameVectorsIsNoVerdict()
    {
        const PairFloors others(farAboveNoise(mapOf("1"), mapOf("2")));
        QCOMPARE(others.ofA->finding, FloorFinding::Above);
        QCOMPARE(others.finding, std::optional(FloorFinding::Above));
        QCOMPARE(others.exceeded(), std::optional(true));
        const PairFloors same(farAboveNoise(mapOf("1"), mapOf("1")));
        QCOMPARE(same.ofA->finding, FloorFinding::Above);
        QCOMPARE(same.finding, std::optional(FloorFinding::Method));
        QCOMPARE(same.exceeded(), std::optional<bool>());
    }
};

HEADSCOPE_TEST_GUILESS(TestMapMaking)
#include "tst_map_making.moc"

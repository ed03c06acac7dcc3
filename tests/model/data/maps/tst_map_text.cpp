// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/maps/map_text.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>

using namespace headscope;

class MapWordsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void seedWhereItHadAPart();
    void affinities();
    void withinExaggeration();
};

void MapWordsTest::seedWhereItHadAPart()
{
    TsneOptions options;
    options.seed = 3;
    QCOMPARE(startText(options, 3600), std::string("PCA initialization"));
    options.startJitter = 0.01;
    QCOMPARE(startText(options, 3600), std::string("PCA initialization jittered by 1% of its spread, seed 3"));
    options.startJitter = 0;
    options.start = TsneStart::Random;
    QCOMPARE(startText(options, 3600), std::string("random initialization, seed 3"));
    options.start = TsneStart::Pca;
    QCOMPARE(startText(options, 200'000), std::string("PCA initialization, neighbours searched with seed 3"));
    options.affinities = TsneAffinities::Dense; // searches none
    QCOMPARE(startText(options, 200'000), std::string("PCA initialization"));

    HeadMap map;
    map.xy = MatrixF(50, 2);
    map.options.seed = 4;
    QVERIFY(!seedMatters(map));
    map.turns = {{100, MapTurn::Kind::Exaggeration, 4, {}}};
    QVERIFY(!seedMatters(map));
    map.turns.push_back({200, MapTurn::Kind::Noise, 0.1, {}});
    QVERIFY(seedMatters(map));
    QCOMPARE(startText(map), std::string("PCA initialization, moved by noise of seed 4"));
    map.options.start = TsneStart::Given;
    map.turns = {{0, MapTurn::Kind::Start, 0, "first"}};
    QCOMPARE(startText(map), std::string("initialized from \"first\""));
}

void MapWordsTest::affinities()
{
    TsneOptions options;
    QCOMPARE(affinitiesText(options, 3600), std::string("sparse affinities (90 neighbours)"));
    QCOMPARE(affinitiesText(options, 60), std::string("sparse affinities (59 neighbours)"));
    options.perplexities = {5, 12.5};
    QCOMPARE(affinitiesText(options, 3600), std::string("sparse affinities (37 neighbours)"));
    options.affinities = TsneAffinities::Dense;
    QCOMPARE(affinitiesText(options, 3600), std::string("dense affinities (all pairs)"));
}

void MapWordsTest::withinExaggeration()
{
    HeadMap map;
    QVERIFY(!isExaggerated(map)); // nothing was run
    map.options.exaggerationIterations = 250;
    map.iteration = 250;
    QVERIFY(isExaggerated(map));
    map.turns = {{0, MapTurn::Kind::Start, 0, "first"}};
    QVERIFY(isExaggerated(map));
    map.turns.push_back({100, MapTurn::Kind::Exaggeration, 1, {}}); // gone on with another
    QVERIFY(!isExaggerated(map));
    map.turns.clear();
    map.iteration = 251;
    QVERIFY(!isExaggerated(map));
    map.iteration = 100;
    map.options.exaggeration = 1;
    QVERIFY(!isExaggerated(map));
}

HEADSCOPE_TEST_GUILESS(MapWordsTest)
#include "tst_map_text.moc"

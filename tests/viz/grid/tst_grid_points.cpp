// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/grid/grid_points.h"

#include "tests/support/test_program.h"
#include "tests/viz/sample_set.h"

#include <QTest>

using namespace headscope;
using namespace headscope::viz;

class TestGridPoints : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void coloursByDocumentOrByHead()
    {
        auto set = headscope::test::sampleSet(8, 2);
        GridPoints points;
        points.setPalette(HeadPalette(1, 2));
        points.setSet(set);
        QCOMPARE(points.documents(), 8);
        QVERIFY(points.data(1).index.empty());
        QCOMPARE(points.data(2).colors[0], HeadPalette(1, 2).color(HeadIndex(1)).rgb());
        PointColoring coloring;
        coloring.colors = {qRgb(1, 2, 3), qRgb(4, 5, 6)};
        coloring.index = {0, 1, 0, 1, 0, 1, 1, 1};
        points.setColoring(coloring);
        QCOMPARE(points.data(2).index[6], 1);
        QCOMPARE(points.data(2).colors[1], qRgb(4, 5, 6));
        QCOMPARE(points.coloringOf(2).index, coloring.index);
        points.setStates({PointState::Dimmed});
        QCOMPARE(points.data(1).states[0], PointState::Dimmed);
        QCOMPARE(points.data(1).states[1], PointState::Shown); // documents beyond the list
        QCOMPARE(points.data(1).xy.data(), set->maps[1].map.xy.values().data());
    }

    void mapsMayHaveColoursOfTheirOwn()
    {
        auto set = headscope::test::sampleSet(8, 2);
        GridPoints points;
        points.setPalette(HeadPalette(1, 2));
        points.setSet(set);
        PointColoring own;
        own.colors = {qRgb(1, 2, 3), qRgb(4, 5, 6)};
        own.index = {0, 1, 0, 1, 0, 1, 1, 1};
        points.setMapColorings({std::nullopt, own});
        QVERIFY(points.hasMapColorings());
        QVERIFY(points.data(0).index.empty()); // as without
        QCOMPARE(points.data(1).index[6], 1);
        QCOMPARE(points.data(1).colors[1], qRgb(4, 5, 6));
        QCOMPARE(points.coloringOf(1).index, own.index);
        QVERIFY(points.data(2).index.empty());
        auto newer = std::make_shared<HeadMapSet>(*set); // a run that goes on: the same points
        points.setSet(newer);
        QCOMPARE(points.data(1).index[6], 1);
        own.index.pop_back(); // of other points
        points.setMapColorings({std::nullopt, own});
        QVERIFY(points.data(1).index.empty());
        points.setColoring({});
        QVERIFY(!points.hasMapColorings());
        points.setMapColorings({std::nullopt, std::nullopt});
        points.setSet(headscope::test::sampleSet(6, 2));
        QVERIFY(!points.hasMapColorings());
    }

    void mapsOfOtherDocuments()
    {
        auto set = headscope::test::sampleSet(6, 1);
        PointIds ids = *set->maps[1].map.points;
        ids.document = {5, 4, 3, 2, 1, 9};
        set->maps[1].map.points = std::make_shared<const PointIds>(ids);
        GridPoints points;
        points.setSet(set);
        QCOMPARE(points.documents(), 7);
        QCOMPARE(points.pointOf(0, DocumentIndex(5)), std::optional<std::int64_t>(5));
        QCOMPARE(points.pointOf(1, DocumentIndex(5)), std::optional<std::int64_t>(0));
        QVERIFY(!points.pointOf(0, DocumentIndex(9)));
        QVERIFY(!points.pointOf(0, DocumentIndex(10'000)));
        QVERIFY(!points.pointOf(0, DocumentIndex(-1)));
        QCOMPARE(points.documentOf(1, 5), DocumentIndex(9));
    }

    void none()
    {
        GridPoints points;
        points.setSet(headscope::test::sampleSet(6, 1));
        points.setSet(nullptr);
        QCOMPARE(points.documents(), 0);
    }
};

HEADSCOPE_TEST_GUILESS(TestGridPoints)
#include "tst_grid_points.moc"

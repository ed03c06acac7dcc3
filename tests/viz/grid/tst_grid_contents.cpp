// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/grid/grid_contents.h"

#include "tests/support/test_program.h"
#include "tests/viz/sample_set.h"

#include <QTest>

using namespace headscope;
using namespace headscope::viz;

class TestGridContents : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void headsTimesStages()
    {
        const auto set = headscope::test::sampleSet();
        const GridContents contents = gridContents(*set, HeadPalette(3, 2));
        QCOMPARE(contents.cells.size(), std::size_t{13});
        QCOMPARE(contents.blocks.size(), std::size_t{2});
        QCOMPARE(contents.blocks[0].title, QStringLiteral("Stage 1"));
        QCOMPARE(contents.blocks[0].detail, QStringLiteral("heads"));
        QCOMPARE(contents.blocks[1].detail, QStringLiteral("segments"));
        QCOMPARE(contents.columns.size(), std::size_t{7});
        QCOMPARE(contents.columns[0], QStringLiteral("full"));
        QCOMPARE(contents.columns[6], QStringLiteral("6"));
        // The full vector stands with the stage it was cut from, and has no colour.
        const auto full = contents.find(1, 0);
        QVERIFY(full && !contents.find(0, 0));
        QVERIFY(!contents.cells[*full].edge);
        const GridCell& cell = contents.cells[*contents.find(0, 3)];
        QCOMPARE(cell.title, QStringLiteral("Head 3"));
        QCOMPARE(cell.map, std::size_t{3});
        QCOMPARE(cell.numbers, QStringLiteral("r 0.85"));
        QCOMPARE(*cell.edge, HeadPalette(3, 2).color(HeadIndex(2)));
        QCOMPARE(contents.cells[*contents.find(1, 3)].title, QStringLiteral("Segment 3"));
    }

    void layersTimesHeads()
    {
        auto set = headscope::test::sampleSet(10, 2);
        for (std::size_t m = 3; m < set->maps.size(); ++m)
        {
            set->maps[m].map.layer = LayerIndex(11);
            set->maps[m].map.stage = Stage::HeadOutput;
        }
        const GridContents contents = gridContents(*set, HeadPalette(1, 2));
        QCOMPARE(contents.blocks.size(), std::size_t{2});
        QCOMPARE(contents.blocks[0].title, QStringLiteral("Layer 5"));
        QCOMPARE(contents.blocks[1].title, QStringLiteral("Layer 11"));
        QCOMPARE(contents.blocks[1].detail, QStringLiteral("heads"));
        QVERIFY(contents.find(0, 0)); // full: its stage is not among the rows
    }

    void numbersAppearWithTheRun()
    {
        auto set = headscope::test::sampleSet(10, 1);
        set->maps[1].map.iteration = 0;
        set->maps[2].map.trust = MapTrust{};
        set->maps[2].map.trust->knn10 = 0.414;
        const GridContents contents = gridContents(*set, HeadPalette(1, 1));
        QVERIFY(contents.cells[*contents.find(0, 1)].numbers.isEmpty());
        QCOMPARE(contents.cells[*contents.find(1, 1)].numbers, QStringLiteral("r 0.95 · 41% kept"));
    }

    void titles()
    {
        const auto set = headscope::test::sampleSet(10, 2);
        QCOMPARE(mapTitle(set->maps[0].map), QStringLiteral("Full vector"));
        QCOMPARE(mapTitle(set->maps[2].map), QStringLiteral("Head 2, stage 1, layer 5"));
        QCOMPARE(mapTitle(set->maps[4].map), QStringLiteral("Segment 2, stage 3, layer 5"));
        HeadMap several = set->maps[2].map;
        auto points = std::make_shared<PointIds>(*several.points);
        points->head.back() = 0;
        several.points = points;
        QCOMPARE(mapTitle(several), QStringLiteral("2 heads, stage 1, layer 5"));
    }

    void anEmptySet()
    {
        const GridContents contents = gridContents({}, HeadPalette(1, 1));
        QVERIFY(contents.cells.empty() && contents.blocks.empty() && contents.columns.empty());
    }
};

HEADSCOPE_TEST_GUILESS(TestGridContents)
#include "tst_grid_contents.moc"

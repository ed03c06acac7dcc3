// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "viz/grid/grid_layout.h"

#include <QtTest>

#include <map>
#include <set>

using namespace headscope::viz;

namespace
{

/// A full table of this many rows and columns.
GridContents table(std::int64_t blocks, std::int64_t columns)
{
    GridContents contents;
    for (std::int64_t block = 0; block < blocks; ++block)
    {
        contents.blocks.push_back({QStringLiteral("Stage"), QStringLiteral("heads")});
        for (std::int64_t column = 0; column < columns; ++column)
        {
            GridCell cell;
            cell.block = block;
            cell.column = column;
            contents.cells.push_back(cell);
        }
    }
    for (std::int64_t column = 0; column < columns; ++column)
        contents.columns.push_back(QString::number(column));
    return contents;
}

} // namespace

class TestGridLayout : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cellsNeverOverlapAndStayInside_data()
    {
        QTest::addColumn<int>("blocks");
        QTest::addColumn<int>("columns");
        QTest::addColumn<QSizeF>("view");
        QTest::newRow("9 heads x 3 stages") << 3 << 10 << QSizeF(1100, 640);
        QTest::newRow("32 heads x 3 stages") << 3 << 33 << QSizeF(1100, 640);
        QTest::newRow("32 heads, narrow") << 3 << 33 << QSizeF(420, 640);
        QTest::newRow("30 layers x 9 heads") << 30 << 10 << QSizeF(1100, 640);
        QTest::newRow("one cell") << 1 << 1 << QSizeF(1100, 640);
        QTest::newRow("no room") << 3 << 10 << QSizeF(90, 40);
    }
    void cellsNeverOverlapAndStayInside()
    {
        QFETCH(int, blocks);
        QFETCH(int, columns);
        QFETCH(QSizeF, view);
        const GridContents contents = table(blocks, columns);
        const GridLayout layout(contents, view);
        QCOMPARE(layout.count(), contents.cells.size());
        QCOMPARE(layout.contentSize().width(), view.width());
        const QRectF all(QPointF(0, 0), layout.contentSize());
        for (std::size_t i = 0; i < layout.count(); ++i)
        {
            QCOMPARE(layout.plot(i).size(), layout.plotSize());
            if (view.width() > 200)
                QVERIFY(all.contains(layout.cell(i)));
            QVERIFY(layout.plot(i).width() >= 1 && layout.plot(i).height() >= 1);
            QCOMPARE(layout.cellAt(layout.plot(i).center()), std::optional(i));
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(!layout.cell(i).intersects(layout.cell(j)));
        }
        if (view.width() > 200)
            QVERIFY(layout.plotSize().width() >= layout.metrics().inOneRow);
    }

    void readsAsATableWhereThereIsRoom()
    {
        const GridLayout wide(table(3, 10), QSizeF(1100, 640));
        for (std::int64_t column = 0; column < 10; ++column)
        {
            QVERIFY(wide.columnHeading(column));
            QCOMPARE(wide.columnHeading(column)->center().x(),
                     wide.cell(static_cast<std::size_t>(column)).center().x());
        }
        QCOMPARE(wide.blockHeading(1).top(), wide.cell(10).top());
        const GridLayout broken(table(3, 33), QSizeF(1100, 640));
        QVERIFY(!broken.columnHeading(0)); // rows take several lines: no heading stands for a column
        QVERIFY(broken.plotSize().width() > 60);
    }

    /// Stages on top of each other: the same head in the same column, broken between KV groups alone.
    void brokenRowsLineUp_data()
    {
        QTest::addColumn<QSizeF>("view");
        QTest::newRow("wide") << QSizeF(1100, 640);
        QTest::newRow("narrow") << QSizeF(620, 640);
        QTest::newRow("tall") << QSizeF(900, 1400);
    }
    void brokenRowsLineUp()
    {
        QFETCH(QSizeF, view);
        constexpr std::int64_t kMembers = 4;
        GridContents contents = table(3, 33);
        for (std::int64_t column = 0; column < 33; ++column)
            contents.columnGroups.push_back(column == 0 ? -1 : (column - 1) / kMembers);
        // The full vector stands in the last stage alone.
        std::erase_if(contents.cells, [](const GridCell& cell) { return cell.column == 0 && cell.block < 2; });
        const GridLayout layout(contents, view);
        QVERIFY(!layout.columnHeading(0));
        std::map<std::int64_t, double> left;
        std::map<std::int64_t, std::map<double, std::set<std::int64_t>>> groups; // of a block, in a line
        for (std::size_t i = 0; i < layout.count(); ++i)
        {
            const GridCell& cell = contents.cells[i];
            const auto [known, fresh] = left.try_emplace(cell.column, layout.cell(i).left());
            QCOMPARE(layout.cell(i).left(), known->second);
            if (cell.column == 0)
                continue;
            groups[cell.block][layout.cell(i).top()].insert((cell.column - 1) / kMembers);
        }
        for (const auto& [column, x] : left)
            QVERIFY(column == 0 || x > left[0]); // the full vector's column is its own
        for (const auto& [block, lines] : groups)
        {
            std::size_t found = 0;
            for (const auto& [top, there] : lines)
                found += there.size();
            QCOMPARE(found, std::size_t{8}); // no group in two lines
        }
    }

    void oneRowPerStageWhileCellsAreWideEnough()
    {
        // Ten cells of at least 72 pixels and nine gaps, beside the heading.
        const GridLayout whole(table(3, 10), QSizeF(12 * 2 + 64 + 10 * 72 + 9 * 8, 900));
        QVERIFY(whole.columnHeading(0));
        QVERIFY(whole.cell(0).width() >= 72);
        const GridLayout broken(table(3, 10), QSizeF(12 * 2 + 64 + 10 * 60 + 9 * 8, 900));
        QVERIFY(!broken.columnHeading(0));
    }

    void neighborsByArrow()
    {
        const GridLayout layout(table(3, 10), QSizeF(1100, 640));
        QCOMPARE(layout.neighbor(0, 1, 0), std::optional<std::size_t>(1));
        QCOMPARE(layout.neighbor(0, 0, 1), std::optional<std::size_t>(10));
        QCOMPARE(layout.neighbor(14, 0, -1), std::optional<std::size_t>(4));
        QVERIFY(!layout.neighbor(0, -1, 0));
        QVERIFY(!layout.neighbor(0, 0, -1));
        QVERIFY(!layout.neighbor(29, 1, 0));
    }

    void arrowsCrossGaps()
    {
        GridContents contents = table(2, 3);
        contents.cells.erase(contents.cells.begin()); // full is in the second row alone
        const GridLayout layout(contents, QSizeF(600, 400));
        QCOMPARE(layout.neighbor(2, 0, -1), std::optional<std::size_t>(0)); // up from full: head 1
        QCOMPARE(layout.neighbor(2, 1, 0), std::optional<std::size_t>(3));
    }

    void nothing()
    {
        const GridLayout layout(GridContents(), QSizeF(600, 400));
        QCOMPARE(layout.count(), std::size_t{0});
        QVERIFY(!layout.cellAt({10, 10}));
        QVERIFY(layout.plotSize().isEmpty());
    }
};

HEADSCOPE_TEST_GUILESS(TestGridLayout)
#include "tst_grid_layout.moc"

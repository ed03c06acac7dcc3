// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "viz/grid/grid_layout.h"

#include <QTest>

#include <algorithm>
#include <cmath>
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
            QVERIFY(layout.plotSize().width() >= layout.metrics().least);
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
        QVERIFY(broken.plotSize().width() >= broken.metrics().least);
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

    /// One cell to ninety-nine, in views of all usual sizes: both edges are reached, or nearly, and
    /// nothing has to be scrolled while maps can be made out.
    void cellsFillTheView_data()
    {
        QTest::addColumn<int>("blocks");
        QTest::addColumn<int>("columns");
        QTest::addColumn<int>("members");
        for (const int heads : {1, 2, 3, 4, 8, 9, 12, 16, 32})
            for (const int blocks : {1, 2, 3, 4, 6, 8, 11, 24, 49, 99})
                if (blocks * heads + 1 <= 99)
                    QTest::addRow("%d heads x %d", heads, blocks) << blocks << heads + 1
                                                                  << (heads % 4 == 0   ? 4
                                                                      : heads % 3 == 0 ? 3
                                                                                       : 1);
        QTest::newRow("one map") << 1 << 1 << 1;
        QTest::newRow("33 heads x 3") << 3 << 33 << 1;
    }
    void cellsFillTheView()
    {
        QFETCH(int, blocks);
        QFETCH(int, columns);
        QFETCH(int, members);
        GridContents contents = table(blocks, columns);
        for (int column = 0; column < columns && columns > 1; ++column)
            contents.columnGroups.push_back(column == 0 ? -1 : (column - 1) / members);
        for (const QSizeF view : {QSizeF(1100, 700), QSizeF(1366, 768), QSizeF(1920, 1080), QSizeF(2560, 1440)})
        {
            const GridLayout layout(contents, view);
            const double side = std::min(layout.plotSize().width(), layout.plotSize().height());
            const QByteArray found = QByteArray::number(view.width()) + " wide: maps of " + QByteArray::number(side);
            QVERIFY2(side >= layout.metrics().least, found.constData());
            QRectF reached;
            for (std::size_t i = 0; i < layout.count(); ++i)
                reached |= layout.cell(i);
            const double across = reached.right() / (view.width() - layout.metrics().margin);
            const double down = reached.bottom() / (view.height() - layout.metrics().margin);
            QVERIFY2(std::max(across, down) >= 0.9, found.constData());
            QVERIFY2(across >= 0.6 && down >= 0.6, found.constData());
            // Squares alone, with nothing between or beside them, could not be much larger.
            double free = 0;
            for (int wide = 1; wide <= blocks * columns; ++wide)
                free = std::max(
                    free, std::min(view.width() / wide, view.height() / std::ceil(double(blocks * columns) / wide)));
            QVERIFY2(side >= 0.4 * free, found.constData());
            if (layout.contentSize().height() > view.height())
                QVERIFY2(free < 2 * layout.metrics().least, found.constData());
        }
    }

    /// A row of each stage while its maps are nearly as large as those of broken rows.
    void wholeRowsGiveWayForMuchLargerMaps()
    {
        const GridLayout whole(table(3, 10), QSizeF(1000, 500));
        QVERIFY(whole.columnHeading(0));
        const GridLayout tall(table(3, 10), QSizeF(880, 900)); // maps of 72 pixels and nothing below them
        QVERIFY(!tall.columnHeading(0));
        QVERIFY(tall.plotSize().width() >= 110);
    }

    /// Many short rows stand beside each other, each stripe with its own names of rows.
    void shortRowsStandInStripes()
    {
        const GridContents contents = table(20, 2);
        const GridLayout layout(contents, QSizeF(1100, 640));
        QVERIFY(!layout.columnHeading(0));
        QVERIFY(layout.contentSize().height() <= 640);
        std::set<double> lefts;
        for (std::int64_t block = 0; block < 20; ++block)
        {
            const QRectF first = layout.cell(static_cast<std::size_t>(2 * block));
            const QRectF second = layout.cell(static_cast<std::size_t>(2 * block + 1));
            const QRectF name = layout.blockHeading(block);
            QCOMPARE(first.top(), second.top());
            QCOMPARE(name.top(), first.top());
            QVERIFY(name.right() <= first.left() && name.left() >= layout.metrics().margin - 0.5);
            lefts.insert(first.left());
        }
        QVERIFY(lefts.size() >= 3);
        // Right from the last map of a row leads to the row beside it.
        const auto beside = layout.neighbor(1, 1, 0);
        QVERIFY(beside && *beside > 3 && *beside % 2 == 0);
        QCOMPARE(layout.cell(*beside).top(), layout.cell(1).top());
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

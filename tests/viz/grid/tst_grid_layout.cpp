// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/grid/grid_layout.h"

#include <QtTest>

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
        QVERIFY(!broken.columnHeading(0)); // rows take several lines: no column stands above another
        QVERIFY(broken.plotSize().width() > 60);
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

QTEST_GUILESS_MAIN(TestGridLayout)
#include "tst_grid_layout.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/forward/positions.h"

#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;

class TestPositions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rowsOfTheRelativeBias_data();
    void rowsOfTheRelativeBias();
};

void TestPositions::rowsOfTheRelativeBias_data()
{
    QTest::addColumn<int>("distance"); // of the key from the query
    QTest::addColumn<int>("row");
    const auto add = [](int distance, int row) { QTest::addRow("%d", distance) << distance << row; };
    add(0, 0);
    add(-1, 1);
    add(-7, 7);
    add(-8, 8);
    add(-11, 8);
    add(-12, 9);
    add(-15, 9);
    // 16, 32 and 64 lie on borders.
    add(-16, 10);
    add(-31, 11);
    add(-32, 12);
    add(-63, 13);
    add(-64, 14);
    add(-90, 14);
    add(-91, 15);
    add(-128, 15);
    add(1, 17);
    add(8, 24);
    add(16, 26);
    add(64, 30);
    add(128, 31);
}

void TestPositions::rowsOfTheRelativeBias()
{
    QFETCH(const int, distance);
    QFETCH(const int, row);
    MatrixF table(32, 2);
    for (std::int64_t i = 0; i < 32; ++i)
    {
        table(i, 0) = static_cast<float>(i);
        table(i, 1) = static_cast<float>(100 + i);
    }
    const MatrixF bias = biasByDistance(table.view());
    QCOMPARE(bias.rows(), 2);
    const std::int64_t farthest = bias.cols() / 2;
    QCOMPARE(farthest, 128);
    QCOMPARE(bias(0, distance + farthest), static_cast<float>(row));
    QCOMPARE(bias(1, distance + farthest), static_cast<float>(100 + row));
}

HEADSCOPE_TEST_GUILESS(TestPositions)
#include "tst_positions.moc"

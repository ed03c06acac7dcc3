// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "viz/geometry/axis_ticks.h"

#include <QStringList>
#include <QTest>

#include <limits>

using namespace headscope::viz;

class TestAxisTicks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void labels_data();
    void labels();
    void countIsNearWanted();
    void odd();
};

void TestAxisTicks::labels_data()
{
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<int>("wanted");
    QTest::addColumn<QString>("expected");
    const QString minus(QChar(0x2212));
    QTest::newRow("unit") << 0.0 << 1.0 << 5 << QStringLiteral("0.0 0.2 0.4 0.6 0.8 1.0");
    QTest::newRow("cosine") << -0.2 << 0.8 << 5 << minus + QStringLiteral("0.2 0.0 0.2 0.4 0.6 0.8");
    QTest::newRow("whole") << 3.0 << 42.0 << 4 << QStringLiteral("10 20 30 40");
    QTest::newRow("percent") << 0.0 << 100.0 << 2 << QStringLiteral("0 50 100");
    QTest::newRow("small") << 0.001 << 0.0041 << 3 << QStringLiteral("0.001 0.002 0.003 0.004");
}

void TestAxisTicks::labels()
{
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(int, wanted);
    QFETCH(QString, expected);
    const AxisTicks ticks = axisTicks(low, high, wanted);
    QStringList found;
    for (const double value : ticks.values)
        found << ticks.label(value);
    QCOMPARE(found.join(QLatin1Char(' ')), expected);
}

void TestAxisTicks::countIsNearWanted()
{
    for (const double extent : {1e-6, 0.37, 1.0, 7.7, 123.0, 9.9e8})
        for (const int wanted : {2, 4, 6, 9})
        {
            const auto count = axisTicks(-0.3 * extent, 0.7 * extent, wanted).values.size();
            QVERIFY(count >= static_cast<std::size_t>(wanted) / 2 && count <= 2 * static_cast<std::size_t>(wanted) + 1);
        }
}

void TestAxisTicks::odd()
{
    const double inf = std::numeric_limits<double>::infinity();
    QVERIFY(axisTicks(0, inf).values.empty());
    QVERIFY(axisTicks(2, 1).values.empty());
    QVERIFY(axisTicks(0, 1, 0).values.empty());
    QCOMPARE(axisTicks(3, 3).values.size(), std::size_t{1});
    QCOMPARE(axisTicks(1e12, 1e12).values.size(), std::size_t{1});
    QCOMPARE(axisTicks(-1, 1, 4).label(-1e-17), QStringLiteral("0.0"));
}

HEADSCOPE_TEST_GUILESS(TestAxisTicks)
#include "tst_axis_ticks.moc"

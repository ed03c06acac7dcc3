// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/random.h"
#include "model/kernels/student_t_sum.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace headscope;

class StudentPairsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void againstPlainLoops_data();
    void againstPlainLoops();
};

void StudentPairsTest::againstPlainLoops_data()
{
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<double>("scale");
    for (const int rows : {0, 1, 3, 4, 5, 9})
    {
        for (const int columns : {0, 1, 7, 8, 17, 100})
            QTest::addRow("%d x %d", rows, columns) << rows << columns << 3.0;
    }
    QTest::newRow("close together") << 8 << 64 << 1e-4;
    QTest::newRow("far apart") << 8 << 64 << 1e18;
}

void StudentPairsTest::againstPlainLoops()
{
    QFETCH(int, rows);
    QFETCH(int, columns);
    QFETCH(double, scale);
    const CounterRandom random(7);
    std::vector<double> x(static_cast<std::size_t>(rows + columns + 3));
    std::vector<double> y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
    {
        x[i] = scale * random.normal(2 * i);
        y[i] = scale * random.normal(2 * i + 1);
    }
    double expected = 0;
    for (std::size_t i = 2; i < static_cast<std::size_t>(2 + rows); ++i)
    {
        for (std::size_t j = static_cast<std::size_t>(3 + rows); j < x.size(); ++j)
            expected += 1 / (1 + std::pow(x[i] - x[j], 2) + std::pow(y[i] - y[j], 2));
    }
    const double sum = studentPairSum(x.data(), y.data(), 2, 2 + rows, 3 + rows, 3 + rows + columns);
    QVERIFY(std::abs(sum - expected) <= 1e-14 * expected);
}

HEADSCOPE_TEST_GUILESS(StudentPairsTest)
#include "tst_student_t_sum.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/random.h"
#include "model/kernels/student.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace headscope;

class StudentTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void againstPlainLoops_data();
    void againstPlainLoops();
};

void StudentTest::againstPlainLoops_data()
{
    QTest::addColumn<int>("points");
    QTest::addColumn<double>("degrees");
    for (const double degrees : {1.0, 0.5, 3.0})
    {
        for (const int points : {1, 2, 15, 16, 17, 511, 512, 513, 1300})
            QTest::addRow("%d points, %g degrees", points, degrees) << points << degrees;
    }
}

void StudentTest::againstPlainLoops()
{
    QFETCH(int, points);
    QFETCH(double, degrees);
    const CounterRandom random(7);
    const auto count = static_cast<std::size_t>(points);
    std::vector<float> x(count);
    std::vector<float> y(count);
    std::vector<float> p(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        x[i] = static_cast<float>(3 * random.normal(3 * i));
        y[i] = static_cast<float>(3 * random.normal(3 * i + 1));
        p[i] = static_cast<float>(random.uniform(3 * i + 2));
    }
    const std::size_t self = count / 2;
    StudentSums expected;
    for (std::size_t j = 0; j < count; ++j)
    {
        const double dx = static_cast<double>(x[self]) - static_cast<double>(x[j]);
        const double dy = static_cast<double>(y[self]) - static_cast<double>(y[j]);
        const double q = 1 + (dx * dx + dy * dy) / degrees;
        const double k = std::pow(q, -degrees);
        expected.potential += k;
        expected.forceX += k / q * dx;
        expected.forceY += k / q * dy;
        expected.attractionX += static_cast<double>(p[j]) / q * dx;
        expected.attractionY += static_cast<double>(p[j]) / q * dy;
        expected.logSum += static_cast<double>(p[j]) * std::log(q);
    }
    const double tolerance = 1e-6 * static_cast<double>(points);
    const auto close = [&](double a, double b) { return std::abs(a - b) <= tolerance; };
    const StudentSums all = studentSums(x.data(), y.data(), points, x[self], y[self], p.data(), true, degrees);
    QVERIFY(close(all.potential, expected.potential));
    QVERIFY(close(all.forceX, expected.forceX) && close(all.forceY, expected.forceY));
    QVERIFY(close(all.attractionX, expected.attractionX) && close(all.attractionY, expected.attractionY));
    QVERIFY(close(all.logSum, expected.logSum));
    const StudentSums bare = studentSums(x.data(), y.data(), points, x[self], y[self], nullptr, false, degrees);
    QCOMPARE(bare.potential, all.potential);
    QCOMPARE(bare.attractionX, 0.0);
}

HEADSCOPE_TEST_GUILESS(StudentTest)
#include "tst_student.moc"

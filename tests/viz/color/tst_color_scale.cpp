// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "viz/color/color_scale.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <vector>

using namespace headscope::viz;

namespace
{
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();
} // namespace

class TestColorScale : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void robust();
    void robustOdd();
    void rounded_data();
    void rounded();
    void positions();
    void centred();
};

void TestColorScale::robust()
{
    std::vector<float> values;
    for (int i = 0; i <= 100; ++i)
        values.push_back(static_cast<float>(i));
    values.insert(values.end(), {kNan, kInf, -kInf});
    const auto limits = robustLimits(values, 0.05, 0.95);
    QVERIFY(limits.has_value());
    QCOMPARE(limits->low, 5.0);
    QCOMPARE(limits->high, 95.0);
    QCOMPARE(robustLimits(values, 0, 1)->high, 100.0);
    const std::vector<float> two = {0.0F, 10.0F};
    QCOMPARE(robustLimits(two, 0.25, 0.75)->low, 2.5);
}

void TestColorScale::robustOdd()
{
    QVERIFY(!robustLimits({}).has_value());
    const std::vector<float> none = {kNan, kInf};
    QVERIFY(!robustLimits(none).has_value());
    const std::vector<float> same = {3.0F, 3.0F, 3.0F};
    const auto limits = robustLimits(same);
    QVERIFY(limits->low < 3.0 && limits->high > 3.0);
}

void TestColorScale::rounded_data()
{
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<double>("roundLow");
    QTest::addColumn<double>("roundHigh");
    QTest::newRow("cosines") << -0.183 << 0.772 << -0.20 << 0.80;
    QTest::newRow("already") << -0.2 << 0.8 << -0.2 << 0.8;
    QTest::newRow("large") << 1234.0 << 3456.0 << 1200.0 << 3500.0;
    QTest::newRow("small") << 0.00012 << 0.00034 << 0.00012 << 0.00034;
}

void TestColorScale::rounded()
{
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(double, roundLow);
    QFETCH(double, roundHigh);
    const ScaleLimits limits = roundedOutwards({low, high});
    QVERIFY2(std::abs(limits.low - roundLow) < 1e-9 * std::max(1.0, std::abs(low)),
             qPrintable(QString::number(limits.low)));
    QVERIFY2(std::abs(limits.high - roundHigh) < 1e-9 * std::max(1.0, std::abs(high)),
             qPrintable(QString::number(limits.high)));
}

void TestColorScale::positions()
{
    const ColorScale scale(sequentialMap(), {2, 6});
    QCOMPARE(scale.position(2), 0.0);
    QCOMPARE(scale.position(4), 0.5);
    QCOMPARE(scale.position(99), 1.0);
    QVERIFY(std::isnan(scale.position(static_cast<double>(kNan))));
    QCOMPARE(scale.color(-5), scale.map().step(0));
    QCOMPARE(ColorScale(sequentialMap(), {3, 3}).position(3), 0.5);
}

void TestColorScale::centred()
{
    const ColorScale scale(divergingMap(), {-0.2, 0.8}, 0.0);
    QCOMPARE(scale.position(0), 0.5);
    QCOMPARE(scale.position(0.8), 1.0);
    // The short arm has the same steepness and ends before the map does.
    QVERIFY(std::abs(scale.position(-0.2) - 0.375) < 1e-12);
    QCOMPARE(scale.color(-0.9), scale.color(-0.2));
    QCOMPARE(*scale.centre(), 0.0);
}

HEADSCOPE_TEST_GUILESS(TestColorScale)
#include "tst_color_scale.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/random.h"
#include "model/kernels/descent.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <vector>

using namespace headscope;

class DescentTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void againstPlainLoops_data();
    void againstPlainLoops();
    void stepsOutOfRange();
};

void DescentTest::againstPlainLoops_data()
{
    QTest::addColumn<int>("points");
    for (const int points : {1, 3, 4, 5, 8, 9, 100})
        QTest::addRow("%d", points) << points;
}

void DescentTest::againstPlainLoops()
{
    QFETCH(int, points);
    const CounterRandom random(5);
    const auto count = static_cast<std::size_t>(2 * points);
    std::vector<float> gradient(count);
    std::vector<float> gain(count);
    std::vector<float> velocity(count);
    std::vector<float> xy(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        gradient[i] = i % 7 == 0 ? 0.0F : static_cast<float>(random.normal(i));
        gain[i] = static_cast<float>(random.uniform(i + 1000)) * 2 + 0.01F;
        velocity[i] = i % 5 == 0 ? 0.0F : static_cast<float>(random.normal(i + 2000));
        xy[i] = static_cast<float>(random.normal(i + 3000));
    }
    const DescentRates rates{1.5F, 0.8F, 2.0F};
    auto newGain = gain;
    auto newVelocity = velocity;
    auto newXy = xy;
    const DescentSums sums = descend(gradient.data(), newGain.data(), newVelocity.data(), newXy.data(), points, rates);
    const auto sign = [](float value) { return (value > 0 ? 1 : 0) - (value < 0 ? 1 : 0); };
    DescentSums expected;
    for (std::size_t i = 0; i < count; i += 2)
    {
        double step[2];
        for (std::size_t c = 0; c < 2; ++c)
        {
            const bool differ = sign(gradient[i + c]) != sign(velocity[i + c]);
            const float own = differ ? gain[i + c] + 0.2F : std::max(0.8F * gain[i + c], 0.01F);
            QCOMPARE(newGain[i + c], own);
            step[c] = 0.8 * static_cast<double>(velocity[i + c]) -
                      1.5 * static_cast<double>(own) * static_cast<double>(gradient[i + c]);
        }
        const double length = std::hypot(step[0], step[1]);
        expected.clipped += length > 2 ? 1 : 0;
        for (std::size_t c = 0; c < 2; ++c)
        {
            const double moved = length > 2 ? 2 * step[c] / length : step[c];
            QVERIFY(std::abs(static_cast<double>(newVelocity[i + c]) - moved) < 2e-6);
            QCOMPARE(newXy[i + c], xy[i + c] + newVelocity[i + c]);
        }
        expected.x += static_cast<double>(newXy[i]);
        expected.y += static_cast<double>(newXy[i + 1]);
    }
    QCOMPARE(sums.clipped, expected.clipped);
    QVERIFY(std::abs(sums.x - expected.x) < 1e-4 && std::abs(sums.y - expected.y) < 1e-4);
}

void DescentTest::stepsOutOfRange()
{
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    std::vector<float> gradient(20, 1.0F);
    gradient[2] = kInfinity;
    gradient[7] = std::numeric_limits<float>::quiet_NaN();
    gradient[18] = 1e30F; // its square leaves float32
    std::vector<float> gain(20, 1.0F);
    std::vector<float> velocity(20, 0.0F);
    std::vector<float> xy(20, 3.0F);
    descend(gradient.data(), gain.data(), velocity.data(), xy.data(), 10, {1.0F, 0.8F, 5.0F});
    for (std::size_t i = 0; i < xy.size(); ++i)
    {
        const bool stays = i / 2 == 1 || i / 2 == 3 || i / 2 == 9;
        QCOMPARE(xy[i], stays ? 3.0F : 3.0F - 1.2F);
        QCOMPARE(velocity[i], stays ? 0.0F : -1.2F);
    }
}

HEADSCOPE_TEST_GUILESS(DescentTest)
#include "tst_descent.moc"

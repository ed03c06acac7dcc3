// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/lbfgs.h"

#include <QTest>

#include <cmath>

using namespace headscope;

class LbfgsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void quadratic();
    void bananaValley();
    void functionMayBeReplaced();
    void stopsAtTheMinimum();
    void preconditioned();
};

void LbfgsTest::quadratic()
{
    // Curvatures from 1 to 1000; the minimum is at k.
    Lbfgs lbfgs(std::vector<double>(20, 0.0));
    lbfgs.setFunction([](std::span<const double> x, std::span<double> g) {
        double value = 0;
        for (std::size_t k = 0; k < x.size(); ++k)
        {
            const double curvature = std::pow(1000.0, static_cast<double>(k) / 19);
            const double away = x[k] - static_cast<double>(k);
            g[k] = curvature * away;
            value += 0.5 * curvature * away * away;
        }
        return value;
    });
    for (int i = 0; i < 60 && lbfgs.value() > 1e-16; ++i)
        QVERIFY(lbfgs.step());
    QVERIFY(lbfgs.value() <= 1e-16);
    QVERIFY(std::abs(lbfgs.x()[7] - 7) < 1e-7);
}

void LbfgsTest::bananaValley()
{
    Lbfgs lbfgs({-1.2, 1.0});
    lbfgs.setFunction([](std::span<const double> x, std::span<double> g) {
        const double a = 1 - x[0];
        const double b = x[1] - x[0] * x[0];
        g[0] = -2 * a - 400 * x[0] * b;
        g[1] = 200 * b;
        return a * a + 100 * b * b;
    });
    double former = lbfgs.value();
    for (int i = 0; i < 60 && lbfgs.value() > 1e-20; ++i)
    {
        QVERIFY(lbfgs.step());
        QVERIFY(lbfgs.value() < former);
        former = lbfgs.value();
    }
    QVERIFY(std::abs(lbfgs.x()[0] - 1) < 1e-8 && std::abs(lbfgs.x()[1] - 1) < 1e-8);
    QVERIFY(lbfgs.evaluations() < 90);
}

void LbfgsTest::functionMayBeReplaced()
{
    // A rounded function first, the exact one later: the exact minimum is reached.
    Lbfgs lbfgs({3.0, -2.0});
    const auto exact = [](std::span<const double> x, std::span<double> g) {
        g[0] = std::sinh(x[0] - 0.3);
        g[1] = 4 * (x[1] - 0.7);
        return std::cosh(x[0] - 0.3) + 2 * (x[1] - 0.7) * (x[1] - 0.7);
    };
    lbfgs.setFunction([&](std::span<const double> x, std::span<double> g) {
        const double value = exact(x, g);
        for (double& each : g)
            each = static_cast<double>(static_cast<float>(each));
        return static_cast<double>(static_cast<float>(value));
    });
    for (int i = 0; i < 30 && lbfgs.step(); ++i)
    {}
    lbfgs.setFunction(exact);
    for (int i = 0; i < 30 && std::hypot(lbfgs.gradient()[0], lbfgs.gradient()[1]) > 1e-12 && lbfgs.step(); ++i)
    {}
    QVERIFY(std::abs(lbfgs.x()[0] - 0.3) < 1e-8 && std::abs(lbfgs.x()[1] - 0.7) < 1e-8);
}

void LbfgsTest::stopsAtTheMinimum()
{
    Lbfgs lbfgs({0.0});
    lbfgs.setFunction([](std::span<const double> x, std::span<double> g) {
        g[0] = 2 * x[0];
        return x[0] * x[0];
    });
    QVERIFY(!lbfgs.step());
    QCOMPARE(lbfgs.value(), 0.0);
}

void LbfgsTest::preconditioned()
{
    // With the exact inverse Hessian the first step ends at the minimum, whatever the scales.
    Lbfgs lbfgs(std::vector<double>(6, 1.0));
    const auto curvature = [](std::size_t k) { return std::pow(10.0, static_cast<double>(k)); };
    lbfgs.setPreconditioner([&](std::span<const double> gradient, std::span<double> step) {
        for (std::size_t k = 0; k < step.size(); ++k)
            step[k] = gradient[k] / curvature(k);
    });
    lbfgs.setFunction([&](std::span<const double> x, std::span<double> g) {
        double value = 0;
        for (std::size_t k = 0; k < x.size(); ++k)
        {
            g[k] = curvature(k) * x[k];
            value += 0.5 * curvature(k) * x[k] * x[k];
        }
        return value;
    });
    QVERIFY(lbfgs.step());
    QVERIFY(lbfgs.value() < 1e-20);
    QCOMPARE(lbfgs.evaluations(), 2);
}

QTEST_GUILESS_MAIN(LbfgsTest)
#include "tst_lbfgs.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/softmax_objective.h"
#include "model/base/random.h"
#include "tests/support/clouds.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace headscope;

namespace
{

/// Small weights, zeros in the padding.
std::vector<double> somewhere(const SoftmaxObjective& objective, std::uint64_t seed, double scale)
{
    std::vector<double> theta(objective.size());
    const CounterRandom random(seed);
    for (std::size_t i = 0; i < theta.size(); ++i)
    {
        if (static_cast<std::int64_t>(i) % objective.stride() < objective.classes())
            theta[i] = scale * random.normal(i);
    }
    return theta;
}

double largest(const std::vector<double>& values)
{
    double most = 0;
    for (const double value : values)
        most = std::max(most, std::abs(value));
    return most;
}

/// Rows of 7 heads x 9 numbers; `offset` moves them away from the origin.
test::HeadClouds clouds(float offset)
{
    auto made = test::overlappingClouds(700, 9, 7);
    for (float& value : made.vectors.values())
        value += offset;
    return made;
}

} // namespace

class SoftmaxObjectiveTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void gradientIsTheSlope();
    void hessianProductIsTheSlopeOfTheGradient();
    void floatAgreesWithDouble_data();
    void floatAgreesWithDouble();
    void paddingStaysZero();
    void sameOnAnyNumberOfThreads();
};

void SoftmaxObjectiveTest::gradientIsTheSlope()
{
    const auto data = clouds(0);
    SoftmaxObjective objective(data.vectors.view(), data.head, 7, 0.7, 2);
    const auto theta = somewhere(objective, 1, 0.5);
    const auto along = somewhere(objective, 2, 1);
    std::vector<double> gradient(objective.size());
    std::vector<double> unused(objective.size());
    objective.evaluate(theta, gradient, ProductPrecision::Double);
    constexpr double kStep = 1e-5;
    auto ahead = theta;
    auto behind = theta;
    double slope = 0;
    for (std::size_t i = 0; i < theta.size(); ++i)
    {
        ahead[i] += kStep * along[i];
        behind[i] -= kStep * along[i];
        slope += gradient[i] * along[i];
    }
    const double found = (objective.evaluate(ahead, unused, ProductPrecision::Double) -
                          objective.evaluate(behind, unused, ProductPrecision::Double)) /
                         (2 * kStep);
    QVERIFY(std::abs(found - slope) <= 1e-6 * std::abs(slope));
}

void SoftmaxObjectiveTest::hessianProductIsTheSlopeOfTheGradient()
{
    const auto data = clouds(0);
    SoftmaxObjective objective(data.vectors.view(), data.head, 7, 0.7, 2);
    const auto theta = somewhere(objective, 1, 0.5);
    const auto along = somewhere(objective, 2, 1);
    constexpr double kStep = 1e-5;
    auto ahead = theta;
    auto behind = theta;
    for (std::size_t i = 0; i < theta.size(); ++i)
    {
        ahead[i] += kStep * along[i];
        behind[i] -= kStep * along[i];
    }
    std::vector<double> after(objective.size());
    std::vector<double> before(objective.size());
    std::vector<double> gradient(objective.size());
    objective.evaluate(ahead, after, ProductPrecision::Double);
    objective.evaluate(behind, before, ProductPrecision::Double);
    objective.evaluate(theta, gradient, ProductPrecision::Double);
    for (const ProductPrecision precision : {ProductPrecision::Float, ProductPrecision::Double})
    {
        std::vector<double> product(objective.size());
        objective.hessianVectorProduct(along, product, precision);
        for (std::size_t i = 0; i < product.size(); ++i)
            QVERIFY(std::abs(product[i] - (after[i] - before[i]) / (2 * kStep)) <= 1e-5 * largest(product));
    }
}

void SoftmaxObjectiveTest::floatAgreesWithDouble_data()
{
    QTest::addColumn<float>("offset");
    QTest::newRow("about the origin") << 0.0F;
    QTest::newRow("beside it") << 2.0F;
    QTest::newRow("far away: centred before float32 sees it") << 1000.0F;
}

void SoftmaxObjectiveTest::floatAgreesWithDouble()
{
    QFETCH(float, offset);
    const auto data = clouds(offset);
    SoftmaxObjective objective(data.vectors.view(), data.head, 7, 1, 2);
    const auto theta = somewhere(objective, 1, 0.5);
    std::vector<double> exact(objective.size());
    std::vector<double> rough(objective.size());
    const double value = objective.evaluate(theta, exact, ProductPrecision::Double);
    const double near = objective.evaluate(theta, rough, ProductPrecision::Float);
    QVERIFY(std::abs(near / value - 1) <= 1e-5);
    for (std::size_t i = 0; i < exact.size(); ++i)
        QVERIFY(std::abs(rough[i] - exact[i]) <= 1e-5 * largest(exact));
}

void SoftmaxObjectiveTest::paddingStaysZero()
{
    const auto data = clouds(0);
    SoftmaxObjective objective(data.vectors.view(), data.head, 7, 1, 2);
    QCOMPARE(objective.stride(), std::int64_t{16});
    std::vector<double> gradient(objective.size());
    std::vector<double> product(objective.size());
    for (const ProductPrecision precision : {ProductPrecision::Float, ProductPrecision::Double})
    {
        objective.evaluate(somewhere(objective, 1, 0.5), gradient, precision);
        objective.hessianVectorProduct(somewhere(objective, 2, 1), product, precision);
        for (std::size_t i = 0; i < gradient.size(); ++i)
        {
            if (i % 16 >= 7)
                QVERIFY(gradient[i] == 0 && product[i] == 0);
        }
    }
}

void SoftmaxObjectiveTest::sameOnAnyNumberOfThreads()
{
    const auto data = test::overlappingClouds(8000, 32, 8); // enough work for several threads
    SoftmaxObjective one(data.vectors.view(), data.head, 8, 1, 1);
    SoftmaxObjective three(data.vectors.view(), data.head, 8, 1, 3);
    std::vector<double> a(one.size());
    std::vector<double> b(one.size());
    for (const ProductPrecision precision : {ProductPrecision::Float, ProductPrecision::Double})
    {
        QCOMPARE(one.evaluate(somewhere(one, 1, 0.5), a, precision),
                 three.evaluate(somewhere(three, 1, 0.5), b, precision));
        QVERIFY(a == b);
    }
}

HEADSCOPE_TEST_GUILESS(SoftmaxObjectiveTest)
#include "tst_softmax_objective.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/kronecker_preconditioner.h"
#include "tests/support/clouds.h"
#include "tests/support/softmax_vectors.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace headscope;
using test::direction;
using test::dot;

class KroneckerPreconditionerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isTheHessianWhereAllIsUndecided();
    void symmetricAndPositive_data();
    void symmetricAndPositive();
};

void KroneckerPreconditionerTest::isTheHessianWhereAllIsUndecided()
{
    // At theta = 0 every p is 1/K: the Kronecker form is exact, but for sums over all intercepts.
    const auto clouds = test::overlappingClouds(800, 12, 8);
    SoftmaxObjective objective(clouds.vectors.view(), clouds.head, 8, 0.5, 2);
    std::vector<double> gradient(objective.size());
    objective.evaluate(std::vector<double>(objective.size()), gradient, ProductPrecision::Double);
    const KroneckerPreconditioner model(objective);
    auto wanted = direction(objective, 3);
    double sum = 0;
    for (std::size_t k = 0; k < 8; ++k)
        sum += wanted[12 * 16 + k] / 8;
    for (std::size_t k = 0; k < 8; ++k)
        wanted[12 * 16 + k] -= sum;
    std::vector<double> product(objective.size());
    objective.hessianVectorProduct(wanted, product, ProductPrecision::Double);
    std::vector<double> found(objective.size());
    model.solve(product, found);
    for (std::size_t i = 0; i < found.size(); ++i)
        QVERIFY(std::abs(found[i] - wanted[i]) <= 1e-4);
}

void KroneckerPreconditionerTest::symmetricAndPositive_data()
{
    QTest::addColumn<int>("dims");
    QTest::newRow("all vectors") << 24;
    QTest::newRow("leading vectors") << 300;
}

void KroneckerPreconditionerTest::symmetricAndPositive()
{
    QFETCH(int, dims);
    const auto clouds = test::overlappingClouds(600, dims, 6);
    SoftmaxObjective objective(clouds.vectors.view(), clouds.head, 6, 1, 2);
    std::vector<double> gradient(objective.size());
    auto theta = direction(objective, 5);
    for (double& value : theta)
        value *= 0.3;
    objective.evaluate(theta, gradient, ProductPrecision::Double);
    KroneckerPreconditioner model(objective);
    model.follow(objective);
    const auto a = direction(objective, 1);
    const auto b = direction(objective, 2);
    std::vector<double> solvedA(objective.size());
    std::vector<double> solvedB(objective.size());
    model.solve(a, solvedA);
    model.solve(b, solvedB);
    QVERIFY(dot(a, solvedA) > 0 && dot(b, solvedB) > 0);
    QVERIFY(std::abs(dot(a, solvedB) - dot(b, solvedA)) <= 1e-9 * std::sqrt(dot(a, solvedA) * dot(b, solvedB)));
    for (std::size_t i = 0; i < solvedA.size(); ++i)
    {
        if (i % 16 >= 6)
            QCOMPARE(solvedA[i], 0.0);
    }
}

HEADSCOPE_TEST_GUILESS(KroneckerPreconditionerTest)
#include "tst_kronecker_preconditioner.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/low_rank_preconditioner.h"
#include "model/base/random.h"
#include "tests/support/clouds.h"
#include "tests/support/softmax_vectors.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace headscope;
using test::direction;
using test::dot;

namespace
{

/// Rows of `labels` labels, each along 12 directions of its own out of 300, about a mean of its own.
MatrixF narrowRows(std::int64_t count, std::int64_t labels)
{
    constexpr std::int64_t kDims = 300;
    constexpr std::int64_t kDirections = 12;
    const CounterRandom axes(1);
    const CounterRandom places(2);
    MatrixF rows(count, kDims);
    for (std::int64_t i = 0; i < count; ++i)
    {
        for (std::int64_t l = 0; l <= kDirections; ++l)
        {
            const double place =
                l == kDirections ? 1.0 : places.normal(static_cast<std::uint64_t>(i * kDirections + l));
            const std::int64_t axis = i % labels * (kDirections + 1) + l;
            for (std::int64_t j = 0; j < kDims; ++j)
                rows(i, j) +=
                    static_cast<float>(0.1 * place * axes.normal(static_cast<std::uint64_t>(axis * kDims + j)));
        }
    }
    return rows;
}

} // namespace

class LowRankPreconditionerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isTheHessianWhereLabelsHaveFewDirections();
    void symmetricAndPositive();
    void certainRowsLeaveThePenalty();
    void sameOnAnyNumberOfThreads();
};

void LowRankPreconditionerTest::isTheHessianWhereLabelsHaveFewDirections()
{
    // At theta = 0 every row has the same p, and 12 directions are all there are: nothing is left out.
    const MatrixF rows = narrowRows(900, 3);
    std::vector<std::int32_t> labels;
    for (std::int32_t i = 0; i < 900; ++i)
        labels.push_back(i % 3);
    SoftmaxObjective objective(rows.view(), labels, 3, 0.5, 2);
    std::vector<double> gradient(objective.size());
    objective.evaluate(std::vector<double>(objective.size()), gradient, ProductPrecision::Double);
    const LowRankPreconditioner model(objective);
    auto wanted = direction(objective, 3);
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k)
        sum += wanted[300 * 16 + k] / 3;
    for (std::size_t k = 0; k < 3; ++k) // all intercepts together change nothing
        wanted[300 * 16 + k] -= sum;
    std::vector<double> product(objective.size());
    objective.hessianVectorProduct(wanted, product, ProductPrecision::Double);
    std::vector<double> found(objective.size());
    model.solve(product, found);
    for (std::size_t i = 0; i < found.size(); ++i)
        QVERIFY(std::abs(found[i] - wanted[i]) <= 5e-3);
}

void LowRankPreconditionerTest::symmetricAndPositive()
{
    const auto clouds = test::overlappingClouds(600, 300, 6);
    SoftmaxObjective objective(clouds.vectors.view(), clouds.head, 6, 1, 2);
    std::vector<double> gradient(objective.size());
    auto theta = direction(objective, 5);
    for (double& value : theta)
        value *= 0.1;
    objective.evaluate(theta, gradient, ProductPrecision::Double);
    const LowRankPreconditioner model(objective);
    const auto a = direction(objective, 1);
    const auto b = direction(objective, 2);
    std::vector<double> solvedA(objective.size());
    std::vector<double> solvedB(objective.size());
    model.solve(a, solvedA);
    model.solve(b, solvedB);
    QVERIFY(dot(a, solvedA) > 0 && dot(b, solvedB) > 0);
    QVERIFY(std::abs(dot(a, solvedB) - dot(b, solvedA)) <= 1e-5 * std::sqrt(dot(a, solvedA) * dot(b, solvedB)));
    for (std::size_t i = 0; i < solvedA.size(); ++i)
    {
        if (i % 16 >= 6)
            QCOMPARE(solvedA[i], 0.0);
    }
}

void LowRankPreconditionerTest::certainRowsLeaveThePenalty()
{
    // Rows far on their own side of a boundary: nothing bends but the penalty.
    MatrixF rows(40, 300);
    std::vector<std::int32_t> labels;
    for (std::int64_t i = 0; i < 40; ++i)
    {
        rows(i, 0) = i % 2 == 0 ? 1.0F : -1.0F;
        labels.push_back(static_cast<std::int32_t>(i % 2));
    }
    SoftmaxObjective objective(rows.view(), labels, 2, 1, 1);
    std::vector<double> theta(objective.size());
    theta[0] = 50;
    theta[1] = -50;
    std::vector<double> gradient(objective.size());
    objective.evaluate(theta, gradient, ProductPrecision::Double);
    const LowRankPreconditioner model(objective);
    QCOMPARE(model.pairs(), 0);
    const auto residual = direction(objective, 6);
    std::vector<double> solution(objective.size());
    model.solve(residual, solution);
    for (std::size_t i = 0; i < 300 * 16; ++i)
        QVERIFY(std::abs(solution[i] - residual[i]) <= 1e-6);
}

void LowRankPreconditionerTest::sameOnAnyNumberOfThreads()
{
    const auto clouds = test::overlappingClouds(600, 300, 6);
    std::vector<std::vector<double>> found;
    for (const int threads : {1, 3})
    {
        SoftmaxObjective objective(clouds.vectors.view(), clouds.head, 6, 1, threads);
        std::vector<double> gradient(objective.size());
        objective.evaluate(std::vector<double>(objective.size()), gradient, ProductPrecision::Float);
        const LowRankPreconditioner model(objective);
        model.solve(direction(objective, 1), found.emplace_back(objective.size()));
    }
    QVERIFY(found[0] == found[1]);
}

HEADSCOPE_TEST_GUILESS(LowRankPreconditionerTest)
#include "tst_low_rank_preconditioner.moc"

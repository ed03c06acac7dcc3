// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/map_quality.h"
#include "model/analysis/tsne/tsne_forces.h"
#include "model/base/random.h"
#include "tests/support/clouds.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>
#include <cstring>

using namespace headscope;

namespace
{

MatrixF someMap(std::int64_t points, double scale)
{
    const CounterRandom random(11);
    MatrixF xy(points, 2);
    for (std::size_t i = 0; i < xy.values().size(); ++i)
        xy.values()[i] = static_cast<float>(scale * random.normal(i));
    return xy;
}

MatrixD someAffinities(std::int64_t points)
{
    const MatrixF rows = test::hardCloud(points, 5);
    const std::vector<double> perplexity = {8.0};
    JobContext job;
    return denseAffinities(rows.view(), {}, perplexity, 1, job).value();
}

/// KL divergence by its definition, all in double.
double plainDivergence(const MatrixD& affinities, const MatrixF& xy, double degrees)
{
    const auto logKernel = [&](std::int64_t i, std::int64_t j) {
        const double dx = static_cast<double>(xy(i, 0)) - static_cast<double>(xy(j, 0));
        const double dy = static_cast<double>(xy(i, 1)) - static_cast<double>(xy(j, 1));
        return -degrees * std::log1p((dx * dx + dy * dy) / degrees);
    };
    double z = 0;
    double sum = 0;
    double whole = 0;
    for (std::int64_t i = 0; i < xy.rows(); ++i)
    {
        for (std::int64_t j = 0; j < xy.rows(); ++j)
        {
            if (i == j)
                continue;
            const double p = affinities(i, j);
            z += std::exp(logKernel(i, j));
            whole += p;
            sum += p > 0 ? p * (std::log(p) - logKernel(i, j)) : 0;
        }
    }
    return sum + whole * std::log(z);
}

} // namespace

class TsneForcesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void gradientAgainstFiniteDifferences_data();
    void gradientAgainstFiniteDifferences();
    void denseAndSparseAgree_data();
    void denseAndSparseAgree();
    void meshNearExact();
    void forcesSumToZero();
};

void TsneForcesTest::gradientAgainstFiniteDifferences_data()
{
    QTest::addColumn<double>("degrees");
    for (const double degrees : {1.0, 0.3, 0.5, 2.0, 10.0})
        QTest::addRow("%g degrees of freedom", degrees) << degrees;
}

void TsneForcesTest::gradientAgainstFiniteDifferences()
{
    QFETCH(double, degrees);
    const MatrixD affinities = someAffinities(40);
    MatrixF xy = someMap(40, 2);
    TsneForces forces(affinities, degrees);
    std::vector<float> gradient(80);
    const double kl = forces.evaluate(xy.values(), 1, true, 1, gradient).kl;
    QVERIFY(std::abs(kl - plainDivergence(affinities, xy, degrees)) < 1e-5);
    for (const std::size_t i : {0U, 1U, 33U, 79U})
    {
        const float at = xy.values()[i];
        const float step = 0x1.0p-8F;
        xy.values()[i] = at + step;
        const double above = plainDivergence(affinities, xy, degrees);
        xy.values()[i] = at - step;
        const double below = plainDivergence(affinities, xy, degrees);
        xy.values()[i] = at;
        const double slope = (above - below) / (2 * static_cast<double>(step));
        QVERIFY(std::abs(4 * static_cast<double>(gradient[i]) - slope) < 2e-6);
    }
}

void TsneForcesTest::denseAndSparseAgree_data()
{
    QTest::addColumn<double>("degrees");
    for (const double degrees : {1.0, 0.5, 2.0})
        QTest::addRow("%g degrees of freedom", degrees) << degrees;
}

void TsneForcesTest::denseAndSparseAgree()
{
    QFETCH(double, degrees);
    const MatrixD affinities = someAffinities(60);
    SparseAffinities sparse;
    sparse.rowStart.push_back(0);
    for (std::int64_t i = 0; i < 60; ++i)
    {
        for (std::int64_t j = 0; j < 60; ++j)
        {
            if (i == j)
                continue;
            sparse.columns.push_back(static_cast<std::int32_t>(j));
            sparse.values.push_back(affinities(i, j));
        }
        sparse.rowStart.push_back(static_cast<std::int64_t>(sparse.columns.size()));
    }
    const MatrixF xy = someMap(60, 5);
    std::vector<float> a(120);
    std::vector<float> b(120);
    const auto dense = TsneForces(affinities, degrees).evaluate(xy.values(), 3, true, 2, a);
    const auto rows = TsneForces(sparse, {}, true, 2, degrees).evaluate(xy.values(), 3, true, 2, b);
    QVERIFY(std::abs(dense.kl - rows.kl) < 1e-6 && std::abs(dense.z - rows.z) < 1e-9 * dense.z);
    for (std::size_t i = 0; i < a.size(); ++i)
        QVERIFY(std::abs(a[i] - b[i]) < 1e-7F);
}

void TsneForcesTest::meshNearExact()
{
    const MatrixF rows = test::hardCloud(1500, 5);
    NeighborOptions options;
    options.k = 24;
    JobContext job;
    const Neighbors neighbors = findNeighbors(rows.view(), options, 2, job).value();
    const std::vector<double> perplexity = {8.0};
    const auto affinities = neighborAffinities(neighbors, perplexity, 2, job);
    HEADSCOPE_VERIFY_OK(affinities);
    const MatrixF xy = someMap(1500, 15);
    std::vector<float> a(3000);
    std::vector<float> b(3000);
    const auto exact = TsneForces(*affinities, {}, true, 2).evaluate(xy.values(), 1, true, 2, a);
    const auto mesh = TsneForces(*affinities, {}, false, 2).evaluate(xy.values(), 1, true, 2, b);
    QVERIFY(std::abs(exact.kl - mesh.kl) < 1e-4);
    QVERIFY(std::abs(exact.z / mesh.z - 1) < 1e-4);
    const auto truth = exactDivergence(*affinities, xy.view(), 2, job);
    QVERIFY(std::abs(exact.kl - truth->kl) < 1e-6 * truth->kl);
}

void TsneForcesTest::forcesSumToZero()
{
    const MatrixF xy = someMap(60, 3);
    std::vector<float> gradient(120);
    TsneForces(someAffinities(60)).evaluate(xy.values(), 12, false, 2, gradient);
    double x = 0;
    double y = 0;
    for (std::size_t i = 0; i < gradient.size(); i += 2)
    {
        x += static_cast<double>(gradient[i]);
        y += static_cast<double>(gradient[i + 1]);
    }
    QVERIFY(std::abs(x) < 1e-7 && std::abs(y) < 1e-7);
}

HEADSCOPE_TEST_GUILESS(TsneForcesTest)
#include "tst_tsne_forces.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/mesh_splines.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <numeric>
#include <vector>

using namespace headscope;

class MeshSplinesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void weights();
    void spreadKeepsChargeAndCentre();
    void readsPolynomialsAndTheirSlope();
};

void MeshSplinesTest::weights()
{
    // Values of the quintic B-spline at its nodes.
    const auto atNode = splineWeights(0);
    const double expected[] = {1.0 / 120, 26.0 / 120, 66.0 / 120, 26.0 / 120, 1.0 / 120, 0};
    for (std::size_t j = 0; j < atNode.size(); ++j)
        QVERIFY(std::abs(atNode[j] - expected[j]) < 1e-13); // alternating sums of terms near 30
    for (double t = 0; t < 1; t += 0.07)
    {
        const auto w = splineWeights(t);
        QVERIFY(std::abs(std::accumulate(w.begin(), w.end(), 0.0) - 1) < 1e-13);
    }
}

void MeshSplinesTest::spreadKeepsChargeAndCentre()
{
    std::vector<float> grid(30 * 40);
    const std::vector<float> x = {3.25F, 20.9F, 3.0F};
    const std::vector<float> y = {7.5F, 11.1F, 7.99F};
    spreadCharges(x.data(), y.data(), 3, grid.data(), 40);
    double total = 0;
    double momentX = 0;
    double momentY = 0;
    for (std::size_t row = 0; row < 30; ++row)
    {
        for (std::size_t column = 0; column < 40; ++column)
        {
            const auto value = static_cast<double>(grid[row * 40 + column]);
            total += value;
            momentX += value * static_cast<double>(column);
            momentY += value * static_cast<double>(row);
        }
    }
    QVERIFY(std::abs(total - 3) < 1e-6);
    // A point at a + t stands for the nodes a .. a + 5, whose centre is a + t + 2.
    QVERIFY(std::abs(momentX - (3.25 + 20.9 + 3.0 + 6)) < 1e-4);
    QVERIFY(std::abs(momentY - (7.5 + 11.1 + 7.99 + 6)) < 1e-4);
}

void MeshSplinesTest::readsPolynomialsAndTheirSlope()
{
    // A plane is read back exactly, two nodes to the right of a point's first node.
    std::vector<float> grid(30 * 40);
    for (std::size_t row = 0; row < 30; ++row)
    {
        for (std::size_t column = 0; column < 40; ++column)
            grid[row * 40 + column] = 2.0F * static_cast<float>(column) - 0.5F * static_cast<float>(row);
    }
    const float x = 12.375F;
    const float y = 4.8F;
    float out[4];
    readPotential(&x, &y, 1, grid.data(), 40, {}, out);
    QVERIFY(std::abs(out[0] - (2.0F * 14.375F - 0.5F * 6.8F)) < 1e-4F);
    QVERIFY(std::abs(out[1] - 2.0F) < 1e-4F);
    QVERIFY(std::abs(out[2] + 0.5F) < 1e-4F);
}

HEADSCOPE_TEST_GUILESS(MeshSplinesTest)
#include "tst_mesh_splines.moc"

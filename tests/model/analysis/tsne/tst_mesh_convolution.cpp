// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/tsne/mesh_convolution.h"
#include "model/kernels/mesh_splines.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace headscope;

class MeshConvolutionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void friendlySides();
    void oneChargeMakesItsKernel_data();
    void oneChargeMakesItsKernel();
    void selfTermIsWhatOneChargeReads();
    void sameOnAnyNumberOfThreads();
};

namespace
{

/// A grid with one spread unit charge.
std::vector<float> charged(const MeshConvolution& mesh, std::int64_t stride, float x, float y)
{
    std::vector<float> grid(static_cast<std::size_t>(stride * (mesh.used() + kSplineWidth)));
    spreadCharges(&x, &y, 1, grid.data(), stride);
    return grid;
}

} // namespace

void MeshConvolutionTest::friendlySides()
{
    for (std::int64_t needed = 2; needed < 3000; needed += 61)
    {
        const std::int64_t side = MeshConvolution::sideFor(needed);
        QVERIFY(side >= needed && side % 2 == 0);
        QVERIFY(needed < 128 || static_cast<double>(side) < 1.13 * static_cast<double>(needed));
        std::int64_t rest = side;
        for (const std::int64_t prime : {2, 3, 5, 7})
        {
            while (rest % prime == 0)
                rest /= prime;
        }
        QCOMPARE(rest, 1);
    }
}

void MeshConvolutionTest::oneChargeMakesItsKernel_data()
{
    QTest::addColumn<bool>("shifted");
    QTest::addColumn<double>("spacing");
    QTest::newRow("plain") << false << 1.0 / 3;
    QTest::newRow("shifted") << true << 1.0 / 300;
}

void MeshConvolutionTest::oneChargeMakesItsKernel()
{
    QFETCH(bool, shifted);
    QFETCH(double, spacing);
    MeshConvolution mesh(128, spacing, shifted);
    const std::int64_t stride = mesh.used() + kSplineWidth;
    const float x = 20.4F;
    const float y = 17.7F;
    auto grid = charged(mesh, stride, x, y);
    mesh.apply(grid.data(), stride, 2);
    const float probesX[] = {30.2F, 21.9F, 5.5F, 40.0F};
    const float probesY[] = {17.1F, 40.3F, 9.9F, 2.0F};
    float read[16];
    readPotential(probesX, probesY, 4, grid.data(), stride, {}, read);
    for (std::size_t i = 0; i < 4; ++i)
    {
        const double square =
            (std::pow(static_cast<double>(probesX[i] - x), 2) + std::pow(static_cast<double>(probesY[i] - y), 2)) *
            spacing * spacing;
        const double expected = (shifted ? -square : 1.0) / (1 + square);
        QVERIFY(std::abs(static_cast<double>(read[4 * i]) - expected) < 2e-3 * std::abs(expected));
    }
}

void MeshConvolutionTest::selfTermIsWhatOneChargeReads()
{
    MeshConvolution mesh(128, 1.0 / 3, false);
    const std::int64_t stride = mesh.used() + kSplineWidth;
    for (const float tx : {0.0F, 0.21F, 0.5F, 0.93F})
    {
        const float x = 20.0F + tx;
        const float y = 31.37F;
        auto grid = charged(mesh, stride, x, y);
        mesh.apply(grid.data(), stride, 1);
        float whole[4];
        float rest[4];
        readPotential(&x, &y, 1, grid.data(), stride, {}, whole);
        readPotential(&x, &y, 1, grid.data(), stride, mesh.selfTable(), rest);
        QVERIFY(whole[0] > 0.5F);
        for (const float value : rest)
            QVERIFY(std::abs(value) < 2e-4F);
    }
}

void MeshConvolutionTest::sameOnAnyNumberOfThreads()
{
    MeshConvolution mesh(280, 1.0 / 3, false);
    const std::int64_t stride = mesh.used() + kSplineWidth;
    auto one = charged(mesh, stride, 77.1F, 12.8F);
    const auto charges = one;
    mesh.apply(one.data(), stride, 1);
    for (const int threads : {2, 3, 8})
    {
        auto more = charges;
        mesh.apply(more.data(), stride, threads);
        QVERIFY(more == one);
    }
}

HEADSCOPE_TEST_GUILESS(MeshConvolutionTest)
#include "tst_mesh_convolution.moc"

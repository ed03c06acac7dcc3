// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/scaling.h"

#include "model/base/random.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <cmath>
#include <limits>

using namespace headscope;

namespace
{

MatrixD distancesOf(const MatrixD& xy)
{
    MatrixD distances(xy.rows(), xy.rows());
    for (std::int64_t i = 0; i < xy.rows(); ++i)
        for (std::int64_t j = 0; j < xy.rows(); ++j)
            distances(i, j) = std::hypot(xy(i, 0) - xy(j, 0), xy(i, 1) - xy(j, 1));
    return distances;
}

MatrixD randomPlane(std::int64_t n)
{
    const CounterRandom random(3);
    MatrixD xy(n, 2);
    for (std::int64_t i = 0; i < 2 * n; ++i)
        xy.values()[static_cast<std::size_t>(i)] = random.normal(static_cast<std::uint64_t>(i));
    return xy;
}

} // namespace

class TestScaling : public QObject
{
    Q_OBJECT

    JobContext m_job;

private Q_SLOTS:
    void aPlaneComesBack()
    {
        const MatrixD distances = distancesOf(randomPlane(32));
        const auto plane = scaleToPlane(distances, m_job);
        HEADSCOPE_VERIFY_OK(plane);
        QVERIFY(plane->stress < 1e-6);
        const MatrixD found = distancesOf(plane->xy);
        for (std::size_t i = 0; i < found.values().size(); ++i)
            QVERIFY(std::abs(found.values()[i] - distances.values()[i]) < 1e-5);
    }

    void stressIsLessThanThatOfTheStart()
    {
        // Distances on a sphere do not fit a plane; the answer must still be better than squashing.
        MatrixD distances(20, 20);
        const CounterRandom random(5);
        for (std::int64_t i = 0; i < 20; ++i)
            for (std::int64_t j = 0; j < i; ++j)
                distances(i, j) = distances(j, i) = 1 + random.uniform(static_cast<std::uint64_t>(i * 20 + j));
        const auto plane = scaleToPlane(distances, m_job);
        HEADSCOPE_VERIFY_OK(plane);
        QVERIFY(plane->stress > 0 && plane->stress < 0.5);
        QVERIFY(plane->iterations > 0);
        const auto again = scaleToPlane(distances, m_job);
        QVERIFY(again->xy == plane->xy);
    }

    void unknownDistancesHaveNoWeight()
    {
        MatrixD distances = distancesOf(randomPlane(12));
        distances(2, 7) = distances(7, 2) = std::numeric_limits<double>::quiet_NaN();
        const auto plane = scaleToPlane(distances, m_job);
        HEADSCOPE_VERIFY_OK(plane);
        QVERIFY(plane->stress < 1e-3);
    }

    void smallAndEqual()
    {
        QCOMPARE(scaleToPlane(MatrixD(), m_job)->xy.rows(), 0);
        QCOMPARE(scaleToPlane(MatrixD(1, 1), m_job)->xy(0, 0), 0.0);
        const auto same = scaleToPlane(MatrixD(3, 3), m_job); // all at one place
        HEADSCOPE_VERIFY_OK(same);
        for (const double value : same->xy.values())
            QCOMPARE(value, 0.0);
    }

    void refuses()
    {
        HEADSCOPE_VERIFY_ERROR(scaleToPlane(MatrixD(2, 3), m_job), ErrorCode::InvalidArgument, "2 x 3");
        HEADSCOPE_VERIFY_ERROR(scaleToPlane(MatrixD(2, 2, {0, -1, -1, 0}), m_job), ErrorCode::InvalidArgument,
                               "negative");
    }
};

HEADSCOPE_TEST_GUILESS(TestScaling)
#include "tst_scaling.moc"

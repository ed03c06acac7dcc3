// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/neighbors/planar_neighbors.h"
#include "model/base/random.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

using namespace headscope;

namespace
{

/// Every pair looked at.
Matrix<std::int32_t> bruteForce(const MatrixF& xy, std::int64_t k)
{
    Matrix<std::int32_t> found(xy.rows(), std::min(k, xy.rows() - 1));
    for (std::int64_t i = 0; i < xy.rows(); ++i)
    {
        std::vector<std::pair<double, std::int32_t>> others;
        for (std::int64_t j = 0; j < xy.rows(); ++j)
        {
            const double dx = static_cast<double>(xy(i, 0)) - static_cast<double>(xy(j, 0));
            const double dy = static_cast<double>(xy(i, 1)) - static_cast<double>(xy(j, 1));
            if (j != i)
                others.emplace_back(dx * dx + dy * dy, static_cast<std::int32_t>(j));
        }
        std::sort(others.begin(), others.end());
        for (std::int64_t rank = 0; rank < found.cols(); ++rank)
            found(i, rank) = others[static_cast<std::size_t>(rank)].second;
    }
    return found;
}

MatrixF cloud(std::int64_t count, double spreadX, double spreadY)
{
    const CounterRandom random(11);
    MatrixF xy(count, 2);
    for (std::int64_t i = 0; i < count; ++i)
    {
        const auto at = static_cast<std::uint64_t>(2 * i);
        xy(i, 0) = static_cast<float>(spreadX * random.normal(at) + 5 * static_cast<double>(i % 3));
        xy(i, 1) = static_cast<float>(spreadY * random.normal(at + 1));
    }
    return xy;
}

} // namespace

class PlanarNeighborsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void asByBruteForce_data()
    {
        QTest::addColumn<int>("shape");
        QTest::newRow("clusters") << 0;
        QTest::newRow("a line") << 1;
        QTest::newRow("an outlier far away") << 2;
        QTest::newRow("a grid full of ties") << 3;
        QTest::newRow("all at one place") << 4;
        QTest::newRow("pairs of twins") << 5;
    }

    void asByBruteForce()
    {
        QFETCH(int, shape);
        MatrixF xy = cloud(400, 1, shape == 1 ? 0 : 2);
        for (std::int64_t i = 0; i < xy.rows(); ++i)
        {
            if (shape == 3)
            {
                xy(i, 0) = static_cast<float>(i % 20);
                xy(i, 1) = static_cast<float>(i / 20);
            }
            else if (shape == 4)
                xy(i, 0) = xy(i, 1) = 3.5F;
            else if (shape == 5)
                for (std::int64_t c = 0; c < 2; ++c)
                    xy(i, c) = xy(i / 2, c);
        }
        if (shape == 2)
            xy(7, 0) = 1e6F;
        for (const std::int64_t k : {1, 10})
        {
            JobContext job;
            const auto found = planarNeighbors(xy.view(), k, 2, job);
            HEADSCOPE_VERIFY_OK(found);
            QVERIFY(*found == bruteForce(xy, k));
        }
    }

    void sameOnAnyNumberOfThreads()
    {
        const MatrixF xy = cloud(3000, 1, 1);
        JobContext job;
        const auto one = planarNeighbors(xy.view(), 10, 1, job);
        const auto three = planarNeighbors(xy.view(), 10, 3, job);
        HEADSCOPE_VERIFY_OK(one);
        HEADSCOPE_VERIFY_OK(three);
        QVERIFY(*one == *three);
    }

    void fewPoints()
    {
        JobContext job;
        for (const std::int64_t count : {0, 1, 2, 5})
        {
            const MatrixF xy = cloud(count, 1, 1);
            const auto found = planarNeighbors(xy.view(), 10, 1, job);
            HEADSCOPE_VERIFY_OK(found);
            QCOMPARE(found->rows(), count);
            QCOMPARE(found->cols(), std::max<std::int64_t>(0, count - 1));
        }
    }

    void refusals()
    {
        JobContext job;
        MatrixF xy = cloud(5, 1, 1);
        QCOMPARE(planarNeighbors(xy.view(), 0, 1, job).error().code, ErrorCode::InvalidArgument);
        xy(3, 1) = std::numeric_limits<float>::quiet_NaN();
        QCOMPARE(planarNeighbors(xy.view(), 2, 1, job).error().code, ErrorCode::InvalidArgument);
        std::stop_source stop;
        stop.request_stop();
        JobContext stopped(stop.get_token());
        xy(3, 1) = 0;
        QCOMPARE(planarNeighbors(xy.view(), 2, 1, stopped).error().code, ErrorCode::Cancelled);
    }
};

HEADSCOPE_TEST_GUILESS(PlanarNeighborsTest)
#include "tst_planar_neighbors.moc"

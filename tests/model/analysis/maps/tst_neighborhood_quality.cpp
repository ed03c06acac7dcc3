// SPDX-License-Identifier: GPL-3.0-or-later
// What a map that only knows the class of each point would have.
#include "model/analysis/maps/neighborhood_quality.h"

#include "model/base/random.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

using namespace headscope;

namespace
{

constexpr std::int64_t kClasses = 4;
constexpr std::int64_t kPoints = 240;
constexpr std::int64_t kNeighbors = 10;

/// Normal noise around a mean of each class.
MatrixF rowsOf(double apart, std::uint64_t seed)
{
    constexpr std::int64_t kDims = 6;
    const CounterRandom random(seed, 1);
    MatrixF rows(kPoints, kDims);
    std::uint64_t drawn = 0;
    for (std::int64_t i = 0; i < kPoints; ++i)
        for (std::int64_t d = 0; d < kDims; ++d)
            rows(i, d) = static_cast<float>(random.normal(drawn++) + (d == i % kClasses ? apart : 0.0));
    return rows;
}

std::vector<std::int32_t> classesOf()
{
    std::vector<std::int32_t> classes;
    for (std::int64_t i = 0; i < kPoints; ++i)
        classes.push_back(static_cast<std::int32_t>(i % kClasses));
    return classes;
}

/// Each class an island far from the others, its points anywhere on it.
MatrixF islands(std::uint64_t seed)
{
    const CounterRandom random(seed, 2);
    MatrixF xy(kPoints, 2);
    for (std::int64_t i = 0; i < kPoints; ++i)
    {
        xy(i, 0) = static_cast<float>(1000 * (i % kClasses)) + static_cast<float>(random.normal(2 * i));
        xy(i, 1) = static_cast<float>(random.normal(2 * i + 1));
    }
    return xy;
}

} // namespace

class TestNeighborhoodQuality : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// The expected value is the mean over maps whose points lie at random on the island of their class.
    void withinClassesIsThatOfIslands_data()
    {
        QTest::addColumn<double>("apart");
        QTest::newRow("classes alike") << 0.0;
        QTest::newRow("classes apart") << 3.0;
        QTest::newRow("classes far apart") << 30.0;
    }
    void withinClassesIsThatOfIslands()
    {
        QFETCH(double, apart);
        const MatrixF rows = rowsOf(apart, 11);
        const auto classes = classesOf();
        const auto within = trustWithinClasses(rows.view(), classes, kNeighbors, 0, 1, 2, m_job);
        HEADSCOPE_VERIFY_OK(within);
        constexpr int kMaps = 60;
        double sum = 0;
        for (int map = 0; map < kMaps; ++map)
        {
            const MatrixF xy = islands(static_cast<std::uint64_t>(map));
            const auto quality = neighborhoodQuality(rows.view(), xy.view(), std::array{kNeighbors}, 0, 1, 2, m_job);
            HEADSCOPE_VERIFY_OK(quality);
            sum += quality->front().trustworthiness;
        }
        const double mean = sum / kMaps;
        QVERIFY2(std::abs(mean - *within) < 0.004, qPrintable(QStringLiteral("%1, islands %2").arg(*within).arg(mean)));
        if (apart == 0)
            QVERIFY(*within > 0.45 && *within < 0.55); // as a random map
        else
            QVERIFY(*within > 0.6); // without any neighbour inside the classes
        const auto single = trustWithinClasses(rows.view(), classes, kNeighbors, 0, 1, 1, m_job);
        HEADSCOPE_VERIFY_OK(single);
        QCOMPARE(*single, *within);
        const auto some = trustWithinClasses(rows.view(), classes, kNeighbors, 120, 1, 1, m_job);
        HEADSCOPE_VERIFY_OK(some);
        QVERIFY2(std::abs(*some - *within) < 0.03, qPrintable(QString::number(*some)));
    }

    void classesThatAreTooFewOrSmall()
    {
        const MatrixF rows = rowsOf(1, 2);
        auto classes = std::vector<std::int32_t>(static_cast<std::size_t>(kPoints));
        const auto one = trustWithinClasses(rows.view(), classes, kNeighbors, 0, 1, 1, m_job);
        HEADSCOPE_VERIFY_OK(one);
        QVERIFY(std::isnan(*one));
        std::fill_n(classes.begin(), kNeighbors, 1); // no more points than neighbours
        const auto small = trustWithinClasses(rows.view(), classes, kNeighbors, 0, 1, 1, m_job);
        HEADSCOPE_VERIFY_OK(small);
        QVERIFY(std::isnan(*small));
        classes.pop_back();
        QCOMPARE(trustWithinClasses(rows.view(), classes, kNeighbors, 0, 1, 1, m_job).error().code,
                 ErrorCode::ShapeMismatch);
    }

private:
    JobContext m_job;
};

HEADSCOPE_TEST_GUILESS(TestNeighborhoodQuality)
#include "tst_neighborhood_quality.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/procrustes.h"
#include "model/base/random.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>
#include <numbers>

using namespace headscope;

namespace
{

MatrixF cloud(std::int64_t points, std::uint64_t seed)
{
    const CounterRandom random(seed);
    MatrixF xy(points, 2);
    for (std::size_t i = 0; i < xy.values().size(); ++i)
        xy.values()[i] = static_cast<float>((i % 2 == 0 ? 20.0 : 7.0) * random.normal(i));
    return xy;
}

PlanarMotion motion(double degrees, bool mirrored, double scale, double dx, double dy)
{
    const double angle = degrees * std::numbers::pi / 180;
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    PlanarMotion made;
    made.rotation = mirrored ? std::array{c, s, s, -c} : std::array{c, -s, s, c};
    made.mirrored = mirrored;
    made.scale = scale;
    made.shift = {dx, dy};
    return made;
}

MatrixF moved(MatrixF xy, const PlanarMotion& by)
{
    applyMotion(by, xy.view());
    return xy;
}

double largestDistance(const MatrixF& a, const MatrixF& b)
{
    double largest = 0;
    for (std::size_t i = 0; i < a.values().size(); ++i)
        largest = std::max(largest, std::abs(static_cast<double>(a.values()[i]) - static_cast<double>(b.values()[i])));
    return largest;
}

} // namespace

class ProcrustesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void plantedMotions_data();
    void plantedMotions();
    void scaling();
    void leastSquares();
    void setsOfPlantedMotions();
    void orderAndSizeHaveNoVote();
    void oddMaps();
};

void ProcrustesTest::plantedMotions_data()
{
    QTest::addColumn<double>("degrees");
    QTest::addColumn<bool>("mirrored");
    for (const double degrees : {0.0, 0.001, 37.0, 90.0, 180.0, 271.5})
    {
        QTest::addRow("turned by %g", degrees) << degrees << false;
        QTest::addRow("mirrored and turned by %g", degrees) << degrees << true;
    }
}

void ProcrustesTest::plantedMotions()
{
    QFETCH(double, degrees);
    QFETCH(bool, mirrored);
    const MatrixF onto = cloud(500, 3);
    const PlanarMotion planted = motion(degrees, mirrored, 1, 12.5, -4);
    const MatrixF from = moved(onto, planted);
    const auto fit = fitMotion(from.view(), onto.view());
    HEADSCOPE_VERIFY_OK(fit);
    QCOMPARE(fit->motion.mirrored, mirrored);
    // The motion found undoes the planted one: its rotation is the transpose.
    QVERIFY(std::abs(fit->motion.rotation[0] - planted.rotation[0]) < 1e-6);
    QVERIFY(std::abs(fit->motion.rotation[1] - planted.rotation[2]) < 1e-6);
    QVERIFY(std::abs(fit->motion.rotation[2] - planted.rotation[1]) < 1e-6);
    QVERIFY(fit->correlation > 1 - 1e-9);
    QVERIFY(largestDistance(moved(from, fit->motion), onto) < 1e-5); // float32 positions up to 80
}

void ProcrustesTest::scaling()
{
    const MatrixF onto = cloud(300, 4);
    const MatrixF from = moved(onto, motion(50, false, 4, 1, 2));
    const auto rigid = fitMotion(from.view(), onto.view());
    HEADSCOPE_VERIFY_OK(rigid);
    QCOMPARE(rigid->motion.scale, 1.0);
    QVERIFY(rigid->correlation > 1 - 1e-9); // sizes are not its business
    const auto fitted = fitMotion(from.view(), onto.view(), MapScaling::Fitted);
    HEADSCOPE_VERIFY_OK(fitted);
    QVERIFY(std::abs(fitted->motion.scale - 0.25) < 1e-6);
    QVERIFY(largestDistance(moved(from, fitted->motion), onto) < 1e-4);
    const auto spread = fitMotion(from.view(), onto.view(), MapScaling::Spread);
    HEADSCOPE_VERIFY_OK(spread);
    QVERIFY(std::abs(spread->motion.scale - 0.25) < 1e-6); // one shape: the same
    // Of maps that have nothing in common the nearest is nearly a point; the other stays a map.
    const MatrixF other = cloud(300, 5);
    const auto shrunk = fitMotion(other.view(), onto.view(), MapScaling::Fitted);
    const auto kept = fitMotion(other.view(), onto.view(), MapScaling::Spread);
    HEADSCOPE_VERIFY_OK(shrunk);
    HEADSCOPE_VERIFY_OK(kept);
    QVERIFY(shrunk->motion.scale < 0.3 && kept->motion.scale > 0.8 && kept->motion.scale < 1.25);
}

void ProcrustesTest::leastSquares()
{
    // No motion near the one found is better.
    const MatrixF from = cloud(200, 5);
    const MatrixF onto = cloud(200, 6);
    const auto fit = fitMotion(from.view(), onto.view());
    HEADSCOPE_VERIFY_OK(fit);
    const auto cost = [&](const PlanarMotion& by) {
        double sum = 0;
        for (std::int64_t i = 0; i < from.rows(); ++i)
        {
            const auto at = by.apply(static_cast<double>(from(i, 0)), static_cast<double>(from(i, 1)));
            sum += std::pow(at[0] - static_cast<double>(onto(i, 0)), 2) +
                   std::pow(at[1] - static_cast<double>(onto(i, 1)), 2);
        }
        return sum;
    };
    const double least = cost(fit->motion);
    for (int degrees = 0; degrees < 360; ++degrees)
    {
        for (const bool mirrored : {false, true})
        {
            PlanarMotion other = motion(degrees, mirrored, 1, 0, 0);
            // The best shift for this rotation brings mean to mean.
            const PlanarMotion centred = other;
            double dx = 0;
            double dy = 0;
            for (std::int64_t i = 0; i < from.rows(); ++i)
            {
                const auto at = centred.apply(static_cast<double>(from(i, 0)), static_cast<double>(from(i, 1)));
                dx += (static_cast<double>(onto(i, 0)) - at[0]) / static_cast<double>(from.rows());
                dy += (static_cast<double>(onto(i, 1)) - at[1]) / static_cast<double>(from.rows());
            }
            other.shift = {dx, dy};
            QVERIFY(cost(other) >= least * (1 - 1e-12));
        }
    }
}

void ProcrustesTest::setsOfPlantedMotions()
{
    const MatrixF shape = cloud(400, 7);
    std::vector<MatrixF> maps;
    for (int m = 0; m < 12; ++m)
        maps.push_back(moved(shape, motion(31 * m, m % 3 == 0, 1, m, -2 * m)));
    JobContext job;
    const auto fits = alignMaps(maps, shape.view(), job);
    HEADSCOPE_VERIFY_OK(fits);
    const MatrixF first = moved(maps[0], (*fits)[0].motion);
    for (std::size_t m = 0; m < maps.size(); ++m)
    {
        QVERIFY((*fits)[m].correlation > 1 - 1e-9);
        QVERIFY(largestDistance(moved(maps[m], (*fits)[m].motion), first) < 2e-5);
        // Onto the anchor: what was planted is undone.
        const PlanarMotion planted = motion(31 * static_cast<double>(m), m % 3 == 0, 1, 0, 0);
        QVERIFY(std::abs((*fits)[m].motion.rotation[0] - planted.rotation[0]) < 1e-6);
        QVERIFY(std::abs((*fits)[m].motion.rotation[1] - planted.rotation[2]) < 1e-6);
    }
}

void ProcrustesTest::orderAndSizeHaveNoVote()
{
    std::vector<MatrixF> maps = {cloud(150, 1), cloud(150, 2), cloud(150, 3), cloud(150, 4)};
    for (MatrixF& map : maps) // related shapes
    {
        for (std::size_t i = 0; i < map.values().size(); ++i)
            map.values()[i] = 0.3F * map.values()[i] + cloud(150, 9).values()[i];
    }
    JobContext job;
    const MatrixF anchor = cloud(150, 9);
    const auto plain = alignMaps(maps, anchor.view(), job);
    HEADSCOPE_VERIFY_OK(plain);
    std::vector<MatrixF> turned = {maps[2], moved(maps[1], motion(0, false, 8, 0, 0)), maps[0], maps[3]};
    const auto other = alignMaps(turned, anchor.view(), job);
    HEADSCOPE_VERIFY_OK(other);
    for (const auto& [a, b] : {std::pair(0, 2), std::pair(1, 1), std::pair(2, 0), std::pair(3, 3)})
    {
        const PlanarFit& one = (*plain)[static_cast<std::size_t>(a)];
        const PlanarFit& two = (*other)[static_cast<std::size_t>(b)];
        QVERIFY(std::abs(one.motion.rotation[0] - two.motion.rotation[0]) < 1e-6);
        QVERIFY(std::abs(one.motion.rotation[1] - two.motion.rotation[1]) < 1e-6);
        QVERIFY(std::abs(one.correlation - two.correlation) < 1e-6);
        QCOMPARE(two.motion.scale, 1.0);
    }
}

void ProcrustesTest::oddMaps()
{
    const MatrixF points(3, 2);
    const auto same = fitMotion(points.view(), cloud(3, 1).view());
    HEADSCOPE_VERIFY_OK(same);
    QCOMPARE(same->correlation, 0.0);
    QCOMPARE(same->motion.rotation, (std::array<double, 4>{1, 0, 0, 1}));
    HEADSCOPE_VERIFY_ERROR(fitMotion(points.view(), cloud(4, 1).view()), ErrorCode::ShapeMismatch, "[3, 2] and [4, 2]");
    JobContext job;
    const std::vector<MatrixF> maps = {points, cloud(3, 2)};
    const auto fits = alignMaps(maps, cloud(3, 2).view(), job);
    HEADSCOPE_VERIFY_OK(fits);
    QVERIFY((*fits)[1].correlation > 1 - 1e-9);
}

HEADSCOPE_TEST_GUILESS(ProcrustesTest)
#include "tst_procrustes.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/maps_agreement.h"
#include "model/base/random.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>

using namespace headscope;

namespace
{

MatrixF scattered(std::int64_t points, std::uint64_t seed)
{
    MatrixF xy(points, 2);
    const CounterRandom random(seed);
    for (std::size_t i = 0; i < xy.values().size(); ++i)
        xy.values()[i] = static_cast<float>(random.normal(i));
    return xy;
}

/// Mirrored, turned by a right angle and twice as large.
MatrixF moved(const MatrixF& xy)
{
    MatrixF result(xy.rows(), 2);
    for (std::int64_t i = 0; i < xy.rows(); ++i)
    {
        result(i, 0) = 2 * xy(i, 1) + 8;
        result(i, 1) = 2 * xy(i, 0) - 4;
    }
    return result;
}

} // namespace

class MapsAgreementTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sameMapMoved();
    void strangers();
    void partlyTheSame();
    void sameOnAnyNumberOfThreads();
    void refusals();
};

void MapsAgreementTest::sameMapMoved()
{
    const MatrixF map = scattered(300, 1);
    const std::vector<MatrixF> maps = {map, moved(map), map};
    JobContext job;
    const auto agreement = mapsAgreement(maps, 2, job);
    HEADSCOPE_VERIFY_OK(agreement);
    QCOMPARE(agreement->k, 10);
    QCOMPARE(agreement->pairs.size(), std::size_t{3});
    QCOMPARE(agreement->pairs[1].second, 2);
    QVERIFY(agreement->kept > 0.999); // near ties may swap in float32
    QVERIFY(std::abs(agreement->correlation - 1) < 1e-6);
    QCOMPARE(agreement->keptByChance, 10.0 / 299.0);
}

/// Maps that have nothing to do with each other share what chance says.
void MapsAgreementTest::strangers()
{
    std::vector<MatrixF> maps;
    for (std::uint64_t seed = 1; seed <= 6; ++seed)
        maps.push_back(scattered(400, seed));
    JobContext job;
    const auto agreement = mapsAgreement(maps, 2, job);
    HEADSCOPE_VERIFY_OK(agreement);
    QCOMPARE(agreement->pairs.size(), std::size_t{15});
    const double chance = 10.0 / 399.0;
    QVERIFY2(std::abs(agreement->kept - chance) < 0.15 * chance, qPrintable(QString::number(agreement->kept)));
    QVERIFY(agreement->correlation < 0.15);
}

/// Half of the points keep their places, the other half goes far away among itself.
void MapsAgreementTest::partlyTheSame()
{
    const MatrixF first = scattered(400, 3);
    MatrixF second = scattered(400, 4);
    MatrixF apart = first;
    for (std::int64_t i = 0; i < 400; ++i)
    {
        if (i < 200)
            second(i, 0) = first(i, 0), second(i, 1) = first(i, 1);
        else
            second(i, 0) += 100, apart(i, 0) += 100;
    }
    const std::vector<MatrixF> maps = {apart, second};
    JobContext job;
    const auto agreement = mapsAgreement(maps, 2, job);
    HEADSCOPE_VERIFY_OK(agreement);
    double kept[2] = {0, 0};
    for (std::size_t i = 0; i < 400; ++i)
        kept[i < 200 ? 0 : 1] += agreement->keptByPoint[i] / 200;
    QCOMPARE(kept[0], 1.0);
    QVERIFY(kept[1] < 0.1);
    QVERIFY(std::abs(agreement->kept - (kept[0] + kept[1]) / 2) < 1e-12);
}

void MapsAgreementTest::sameOnAnyNumberOfThreads()
{
    const std::vector<MatrixF> maps = {scattered(3000, 1), scattered(3000, 2)};
    JobContext job;
    const auto one = mapsAgreement(maps, 1, job);
    const auto three = mapsAgreement(maps, 3, job);
    HEADSCOPE_VERIFY_OK(one);
    HEADSCOPE_VERIFY_OK(three);
    QCOMPARE(one->kept, three->kept);
    QCOMPARE(one->correlation, three->correlation);
}

void MapsAgreementTest::refusals()
{
    JobContext job;
    const std::vector<MatrixF> one = {scattered(30, 1)};
    HEADSCOPE_VERIFY_ERROR(mapsAgreement(one, 1, job), ErrorCode::InvalidArgument, "at least two maps, found 1");
    const std::vector<MatrixF> unlike = {scattered(30, 1), scattered(31, 1)};
    HEADSCOPE_VERIFY_ERROR(mapsAgreement(unlike, 1, job), ErrorCode::ShapeMismatch, "[30, 2], found [31, 2]");
}

HEADSCOPE_TEST_GUILESS(MapsAgreementTest)
#include "tst_maps_agreement.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/tsne/repulsion.h"
#include "model/base/random.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <cstring>

using namespace headscope;

namespace
{

struct Forces
{
    std::vector<float> force;
    std::vector<double> potential;
    double z = 0;
};

Forces exact(const std::vector<float>& xy, int threads = 2)
{
    Forces result{std::vector<float>(xy.size()), std::vector<double>(xy.size() / 2), 0};
    result.z = exactRepulsion(xy, threads, result.force, result.potential);
    return result;
}

Forces mesh(const std::vector<float>& xy, int threads = 2)
{
    Forces result{std::vector<float>(xy.size()), std::vector<double>(xy.size() / 2), 0};
    RepulsionMesh repulsion;
    result.z = repulsion.apply(xy, threads, result.force, result.potential);
    return result;
}

std::vector<double> doubles(const std::vector<float>& values)
{
    return {values.begin(), values.end()};
}

double rmsError(const std::vector<double>& found, const std::vector<double>& expected)
{
    double error = 0;
    double size = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        error += (found[i] - expected[i]) * (found[i] - expected[i]);
        size += expected[i] * expected[i];
    }
    return std::sqrt(error / size);
}

std::vector<float> cloud(std::int64_t points, double span)
{
    const CounterRandom random(3);
    std::vector<float> xy;
    for (std::int64_t i = 0; i < 2 * points; ++i)
        xy.push_back(static_cast<float>(span * (random.uniform(static_cast<std::uint64_t>(i)) - 0.5)));
    return xy;
}

} // namespace

class RepulsionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void goldenExact_data();
    void goldenExact();
    void goldenMesh_data();
    void goldenMesh();
    void startScale();
    void otherDegreesOfFreedom_data();
    void otherDegreesOfFreedom();
    void farPoint();
    void sameOnAnyNumberOfThreads();
    void growingMap();
    void nothing();
};

void RepulsionTest::goldenExact_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"clustered", "uniform", "collinear", "duplicates", "tiny", "outlier", "two", "one"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void RepulsionTest::goldenExact()
{
    QFETCH(QString, name);
    const test::GoldenFile file(test::golden("analysis/tsne.h5"));
    const std::string group = "repulsion/" + name.toStdString();
    const Forces found = exact(file.floats(group + "/Y"));
    QVERIFY(test::relmax(doubles(found.force), file.doubles(group + "/force")) <= 1e-5);
    QVERIFY(test::relmax(found.potential, file.doubles(group + "/phi")) <= 1e-5);
    const double z = file.doubles(group + "/Z")[0];
    QVERIFY(std::abs(found.z - z) <= 1e-6 * z);
}

void RepulsionTest::goldenMesh_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<double>("force");
    QTest::addColumn<double>("z");
    QTest::newRow("clustered") << QStringLiteral("clustered") << 1e-2 << 1e-4;
    QTest::newRow("uniform") << QStringLiteral("uniform") << 1e-2 << 1e-4;
    // Not in the README's table: forces of few points, where a node's share weighs most.
    QTest::newRow("collinear") << QStringLiteral("collinear") << 5e-2 << 1e-3;
    QTest::newRow("duplicates") << QStringLiteral("duplicates") << 5e-2 << 1e-3;
    QTest::newRow("tiny") << QStringLiteral("tiny") << 1e-2 << 1e-4;
}

void RepulsionTest::goldenMesh()
{
    QFETCH(QString, name);
    QFETCH(double, force);
    QFETCH(double, z);
    const test::GoldenFile file(test::golden("analysis/tsne.h5"));
    const std::string group = "repulsion/" + name.toStdString();
    const Forces found = mesh(file.floats(group + "/Y"));
    const double error = rmsError(doubles(found.force), file.doubles(group + "/force"));
    const double expectedZ = file.doubles(group + "/Z")[0];
    qInfo("force error %.2e, Z error %.2e", error, found.z / expectedZ - 1);
    QVERIFY(error <= force);
    QVERIFY(std::abs(found.z - expectedZ) <= z * expectedZ);
}

void RepulsionTest::startScale()
{
    // A map of width 5e-4, as every run begins: forces are tiny differences, and must be right.
    const auto xy = cloud(3000, 5e-4);
    const double error = rmsError(doubles(mesh(xy).force), doubles(exact(xy).force));
    qInfo("force error %.2e", error);
    QVERIFY(error <= 1e-2);
}

void RepulsionTest::otherDegreesOfFreedom_data()
{
    QTest::addColumn<double>("degrees");
    QTest::addColumn<double>("span");
    for (const double degrees : {0.3, 0.5, 0.8, 2.0, 20.0})
    {
        for (const double span : {5e-4, 10.0, 120.0})
            QTest::addRow("%g degrees, %g wide", degrees, span) << degrees << span;
    }
}

void RepulsionTest::otherDegreesOfFreedom()
{
    QFETCH(double, degrees);
    QFETCH(double, span);
    const auto xy = cloud(3000, span);
    std::vector<float> expected(xy.size());
    std::vector<float> found(xy.size());
    const double z = exactRepulsion(xy, 2, expected, {}, degrees);
    RepulsionMesh repulsion(degrees);
    const double meshZ = repulsion.apply(xy, 2, found);
    const double error = rmsError(doubles(found), doubles(expected));
    qInfo("force error %.2e, Z error %.2e", error, meshZ / z - 1);
    QVERIFY(error <= 1e-2);
    QVERIFY(std::abs(meshZ - z) <= 1e-4 * z);
}

void RepulsionTest::farPoint()
{
    // One point at a million: the mesh grows as coarse as it must, and nothing is lost.
    auto xy = cloud(500, 40);
    xy[0] = 1e6F;
    const Forces found = mesh(xy);
    for (const float value : found.force)
        QVERIFY(std::isfinite(value));
    QVERIFY(std::isfinite(found.z) && found.z > 0);
}

void RepulsionTest::sameOnAnyNumberOfThreads()
{
    const auto xy = cloud(20'000, 150);
    const Forces one = mesh(xy, 1);
    for (const int threads : {2, 3, 8})
    {
        const Forces more = mesh(xy, threads);
        QVERIFY(std::memcmp(more.force.data(), one.force.data(), one.force.size() * sizeof(float)) == 0);
        QCOMPARE(more.z, one.z);
    }
}

void RepulsionTest::growingMap()
{
    // One mesh object over many widths gives what a fresh one gives.
    RepulsionMesh repulsion;
    std::vector<float> force(2 * 2000);
    for (const double span : {1e-3, 0.5, 20.0, 60.0, 61.0, 300.0, 60.0})
    {
        const auto xy = cloud(2000, span);
        const double z = repulsion.apply(xy, 2, force);
        const Forces fresh = mesh(xy);
        QVERIFY(std::memcmp(force.data(), fresh.force.data(), force.size() * sizeof(float)) == 0);
        QCOMPARE(z, fresh.z);
    }
}

void RepulsionTest::nothing()
{
    QCOMPARE(exact({}).z, 0.0);
    QCOMPARE(mesh({}).z, 0.0);
    const Forces one = mesh({3.0F, 4.0F});
    QVERIFY(std::abs(one.z) < 1e-3);
    QVERIFY(std::isfinite(one.force[0]) && std::abs(one.force[0]) < 1e-3F);
}

HEADSCOPE_TEST_GUILESS(RepulsionTest)
#include "tst_repulsion.moc"

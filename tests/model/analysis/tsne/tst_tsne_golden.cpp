// SPDX-License-Identifier: GPL-3.0-or-later
// What of tests/golden/analysis/tsne.h5 concerns no single file: distances, conditional rows of several
// groups, and the optimiser's updates and gains beside its positions.
#include "model/analysis/neighbors/neighbors.h"
#include "model/analysis/tsne/affinities.h"
#include "model/analysis/tsne/tsne_state.h"
#include "tests/support/golden_tsne.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace headscope;

namespace
{

std::vector<double> doubles(const std::vector<float>& values)
{
    return {values.begin(), values.end()};
}

/// p_{j|i} of row i over all others, 0 for i itself.
std::vector<double> conditionalRow(const MatrixF& rows, std::int64_t row, double perplexity)
{
    std::vector<double> squared(static_cast<std::size_t>(rows.rows()));
    distancesToAll(rows.view(), {}, row, squared);
    squared.erase(squared.begin() + row);
    std::vector<double> probabilities(squared.size());
    conditionalProbabilities(squared, perplexity, probabilities);
    probabilities.insert(probabilities.begin() + row, 0.0);
    return probabilities;
}

TsneForces neighborForces()
{
    const auto columns = test::tsneTruth().integers("knn/csr_indices");
    return {SparseAffinities{test::tsneTruth().integers("knn/csr_indptr"),
                             {columns.begin(), columns.end()},
                             test::tsneTruth().doubles("knn/csr_values")},
            {},
            true,
            2};
}

} // namespace

class TsneGoldenTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void distances();
    void conditionalRows_data();
    void conditionalRows();
    void conditionalNeighbors();
    void updatesAndGains_data();
    void updatesAndGains();
};

void TsneGoldenTest::distances()
{
    const MatrixF rows = test::tsneMatrix("data/X");
    const auto expected = test::tsneTruth().doubles("data/D2_rows");
    std::vector<double> found(600);
    for (std::int64_t i = 0; i < 60; ++i)
    {
        distancesToAll(rows.view(), {}, i, found);
        for (std::size_t j = 0; j < found.size(); ++j)
        {
            const double value = expected[static_cast<std::size_t>(i) * 600 + j];
            QVERIFY(std::abs(found[j] - value) <= 1e-12 * value);
        }
    }
}

void TsneGoldenTest::conditionalRows_data()
{
    QTest::addColumn<QString>("rows");
    QTest::addColumn<QString>("probabilities");
    QTest::addColumn<double>("perplexity");
    QTest::newRow("all") << QStringLiteral("data/X") << QStringLiteral("all/Pcond_rows")
                         << test::tsneTruth().doubles("all/perplexity")[0];
    QTest::newRow("toy") << QStringLiteral("toy/X") << QStringLiteral("toy/Pcond") << 3.0;
    QTest::newRow("duplicates") << QStringLiteral("duplicates/X") << QStringLiteral("duplicates/Pcond")
                                << test::tsneTruth().doubles("duplicates/perplexity")[0];
}

void TsneGoldenTest::conditionalRows()
{
    QFETCH(QString, rows);
    QFETCH(QString, probabilities);
    QFETCH(double, perplexity);
    const MatrixF points = test::tsneMatrix(rows.toStdString());
    std::vector<double> found;
    for (std::int64_t i = 0; i < test::tsneTruth().shape(probabilities.toStdString())[0]; ++i)
    {
        const auto row = conditionalRow(points, i, perplexity);
        found.insert(found.end(), row.begin(), row.end());
    }
    QVERIFY(test::relmax(found, test::tsneTruth().doubles(probabilities.toStdString())) <= 1e-8);
}

void TsneGoldenTest::conditionalNeighbors()
{
    const auto squared = test::tsneTruth().doubles("knn/d2");
    std::vector<double> found(squared.size());
    for (std::size_t i = 0; i < 600; ++i)
        conditionalProbabilities(std::span(squared).subspan(90 * i, 90), test::tsneTruth().doubles("knn/perplexity")[0],
                                 std::span(found).subspan(90 * i, 90));
    QVERIFY(test::relmax(found, test::tsneTruth().doubles("knn/Pcond")) <= 1e-8);
}

void TsneGoldenTest::updatesAndGains_data()
{
    QTest::addColumn<bool>("late");
    QTest::newRow("pca_knn") << false;
    QTest::newRow("clip_knn") << false;
    QTest::newRow("late_knn") << true;
}

void TsneGoldenTest::updatesAndGains()
{
    QFETCH(bool, late);
    const std::string group = std::string("steps/") + QTest::currentDataTag();
    TsneOptions options;
    options.learningRate = test::tsneTruth().doubles(group + "/lr")[0];
    options.exaggerationIterations = late ? 0 : 250;
    TsneState state(neighborForces(), test::tsneMatrix(group + "/Y0"), options, 2);
    const auto sensitivity = test::tsneTruth().doubles(group + "/sensitivity"); // [3, 2]: f32 forces are in column 0
    JobContext job;
    for (const int step : {1, 5})
    {
        HEADSCOPE_VERIFY_OK(state.run(step, job));
        const TsneCheckpoint now = state.checkpoint();
        const auto updates = test::tsneTruth().doubles(group + "/update" + std::to_string(step));
        const double allowed = step == 1 ? 1e-4 : std::max(1e-4, 100 * sensitivity[2]);
        const double error = test::relmax(doubles(now.velocities.values()), updates);
        QVERIFY2(error <= allowed, qPrintable(QString::number(error)));
        // A gain follows signs: float32 forces decide them but where an update is near zero.
        const auto gains = test::tsneTruth().doubles(group + "/gains" + std::to_string(step));
        double largest = 0;
        for (const double update : updates)
            largest = std::max(largest, std::abs(update));
        std::size_t compared = 0;
        for (std::size_t i = 0; i < gains.size(); ++i)
        {
            if (std::abs(updates[i]) < 0.01 * largest)
                continue;
            ++compared;
            QVERIFY(std::abs(static_cast<double>(now.gains.values()[i]) - gains[i]) <= 1e-6);
        }
        QVERIFY(compared > gains.size() / 4);
    }
}

HEADSCOPE_TEST_GUILESS(TsneGoldenTest)
#include "tst_tsne_golden.moc"

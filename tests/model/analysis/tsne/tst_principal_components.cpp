// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/neighbors/neighbors.h"
#include "model/analysis/tsne/principal_components.h"
#include "tests/support/clouds.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <cmath>

using namespace headscope;

class PrincipalComponentsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void golden();
    void goldenToy();
    void sameOnAnyNumberOfThreads();
    void manyColumns();
    void unitRows();
    void degenerate();
};

void PrincipalComponentsTest::golden()
{
    const test::GoldenFile file(test::golden("analysis/tsne.h5"));
    const auto shape = file.shape("data/X");
    const MatrixF rows(shape[0], shape[1], file.floats("data/X"));
    JobContext job;
    const auto found = principalComponents(rows.view(), {}, 2, 2, job);
    HEADSCOPE_VERIFY_OK(found);
    QVERIFY(test::absmax(found->directions.values(), file.doubles("init/components")) <= 1e-8);
    const auto values = file.doubles("init/singular_values");
    for (std::size_t i = 0; i < 2; ++i)
        QVERIFY(std::abs(found->singularValues[i] / values[i] - 1) <= 1e-10);
    const auto start = pcaStart(rows.view(), {}, 2, job);
    HEADSCOPE_VERIFY_OK(start);
    QVERIFY(test::relmax(start->values(), file.doubles("init/Y")) <= 1e-8);
}

void PrincipalComponentsTest::goldenToy()
{
    const test::GoldenFile file(test::golden("analysis/tsne.h5"));
    const MatrixF rows(8, 3, file.floats("toy/X"));
    JobContext job;
    const auto start = pcaStart(rows.view(), {}, 1, job);
    HEADSCOPE_VERIFY_OK(start);
    QVERIFY(test::relmax(start->values(), file.doubles("toy/init_Y")) <= 1e-8);
}

void PrincipalComponentsTest::sameOnAnyNumberOfThreads()
{
    const MatrixF rows = test::headLikeClouds(5000, 24, 8).vectors;
    JobContext job;
    const auto one = pcaStart(rows.view(), {}, 1, job);
    HEADSCOPE_VERIFY_OK(one);
    for (const int threads : {2, 3, 8})
        QVERIFY(pcaStart(rows.view(), {}, threads, job)->values() == one->values());
}

void PrincipalComponentsTest::manyColumns()
{
    // Above the direct solve: two strong directions among 600, found by iteration.
    MatrixF rows(80, 600);
    const MatrixF noise = test::hardCloud(80, 600);
    for (std::int64_t i = 0; i < 80; ++i)
    {
        for (std::int64_t k = 0; k < 600; ++k)
        {
            rows(i, k) = 0.01F * noise(i, k) + (k < 300 ? static_cast<float>(i) : 0.0F) +
                         (k >= 300 ? 3.0F * static_cast<float>(i % 2) : 0.0F);
        }
    }
    JobContext job;
    const auto found = principalComponents(rows.view(), {}, 2, 2, job);
    HEADSCOPE_VERIFY_OK(found);
    QVERIFY(std::abs(found->directions(0, 5) - 1 / std::sqrt(300.0)) < 1e-2);
    QVERIFY(std::abs(std::abs(found->directions(1, 500)) - 1 / std::sqrt(300.0)) < 1e-2);
}

void PrincipalComponentsTest::unitRows()
{
    // With scales the rows count as unit vectors: stretching a row changes nothing.
    MatrixF rows = test::hardCloud(300, 7);
    JobContext job;
    const auto before = pcaStart(rows.view(), unitScales(rows.view(), 1), 1, job);
    for (float& value : rows.row(13))
        value *= 8.0F;
    const auto after = pcaStart(rows.view(), unitScales(rows.view(), 1), 1, job);
    HEADSCOPE_VERIFY_OK(after);
    QVERIFY(test::relmax(after->values(), before->values()) < 1e-12);
}

void PrincipalComponentsTest::degenerate()
{
    JobContext job;
    const MatrixF equal(10, 3, std::vector<float>(30, 2.0F));
    const auto start = pcaStart(equal.view(), {}, 2, job);
    HEADSCOPE_VERIFY_OK(start);
    for (const double value : start->values())
        QCOMPARE(value, 0.0);
    const MatrixF column(4, 1, {1, 2, 3, 4}); // one column: the second coordinate is zero
    const auto line = pcaStart(column.view(), {}, 2, job);
    HEADSCOPE_VERIFY_OK(line);
    QCOMPARE((*line)(3, 1), 0.0);
    QVERIFY((*line)(3, 0) > 0);
}

HEADSCOPE_TEST_GUILESS(PrincipalComponentsTest)
#include "tst_principal_components.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/redundancy.h"

#include "tests/support/golden_heads.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <limits>

using namespace headscope;
using namespace headscope::test;

class TestRedundancy : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalsTheRecordedMatrices_data()
    {
        QTest::addColumn<QString>("cache");
        QTest::newRow("a") << "a";
        QTest::newRow("b") << "b";
    }

    void equalsTheRecordedMatrices()
    {
        QFETCH(QString, cache);
        const std::string name = cache.toStdString();
        const GoldenFile file(golden("analysis/heads.h5"));
        JobContext job;
        const auto result = headRedundancy(goldenHeads(file, name + "/cache/heads"), 10, 2, job);
        HEADSCOPE_VERIFY_OK(result);
        QVERIFY(absmax(result->cka.values(), file.doubles(name + "/redundancy/cka")) <= 1e-11);
        QVERIFY(absmax(result->meanCosine.values(), file.doubles(name + "/redundancy/mean_vector_cosine")) <= 1e-11);
        QVERIFY(absmax(result->neighborOverlap.values(), file.doubles(name + "/redundancy/overlap10_cosine")) <= 1e-11);
    }

    void tooFewDocumentsAreRefused()
    {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const HeadVectors vectors(Stage::HeadOutput, LayerIndex(0), 2, 1, 1, {1.0F, nan});
        JobContext job;
        HEADSCOPE_VERIFY_ERROR(headRedundancy(vectors, 10, 1, job), ErrorCode::InvalidArgument, "found 1");
    }
};

HEADSCOPE_TEST_GUILESS(TestRedundancy)
#include "tst_redundancy.moc"

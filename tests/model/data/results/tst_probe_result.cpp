// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/probe_result.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

using namespace headscope;

class TestProbeResult : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void documentsOfACell()
    {
        ProbeResult result;
        result.truths = {0, 1, 0, 1, 0, 1};
        result.predictions = {1, 1, 1, 0, 0, 1};
        result.testDocuments = {7, 7, 3, 3, 9, 2};
        QCOMPARE(documentsOfCell(result, 0, 1), (std::vector<std::int64_t>{3, 7}));
        QCOMPARE(documentsOfCell(result, 1, 1), (std::vector<std::int64_t>{2, 7}));
        QCOMPARE(documentsOfCell(result, 0, 0), (std::vector<std::int64_t>{9}));
        QVERIFY(documentsOfCell(result, 2, 0).empty());
        QCOMPARE(numTestDocuments(result), std::int64_t{4});
    }

    void eachDocumentOnce()
    {
        ProbeResult result;
        result.truths = {0, 0};
        result.predictions = {1, 1};
        result.testDocuments = {5, 5};
        QCOMPARE(documentsOfCell(result, 0, 1), (std::vector<std::int64_t>{5}));
    }

    void rowsWithoutDocuments()
    {
        ProbeResult result;
        result.truths = {0};
        result.predictions = {0};
        QVERIFY(documentsOfCell(result, 0, 0).empty());
        QCOMPARE(numTestDocuments(result), std::int64_t{0});
    }
};

HEADSCOPE_TEST_GUILESS(TestProbeResult)
#include "tst_probe_result.moc"

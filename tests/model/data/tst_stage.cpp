// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/stage.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

using namespace headscope;

class TestStage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesComeBack()
    {
        for (const Stage stage :
             {Stage::HeadOutput, Stage::ProjectedSegment, Stage::OutputSegment, Stage::Contribution})
            QCOMPARE(stageFromName(stageName(stage)).value(), stage);
        QVERIFY(!stageFromName("4"));
        QVERIFY(!stageFromName(""));
    }

    void onlyTrueHeadsAreCalledHeads()
    {
        QCOMPARE(unitName(Stage::HeadOutput), std::string_view("head"));
        QCOMPARE(unitName(Stage::ProjectedSegment), std::string_view("segment"));
        QCOMPARE(unitName(Stage::OutputSegment), std::string_view("segment"));
        QCOMPARE(unitName(Stage::Contribution), std::string_view("head"));
        QCOMPARE(stageDataset(Stage::OutputSegment), std::string_view("stage3"));
    }
};

HEADSCOPE_TEST_GUILESS(TestStage)
#include "tst_stage.moc"

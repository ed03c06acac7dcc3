// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/ablation_spec.h"

#include "model/data/model_changes.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

using namespace headscope;

class TestAblationSpec : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void understood_data();
    void understood();
    void refused_data();
    void refused();
    void changesInWords();
};

void TestAblationSpec::understood_data()
{
    QTest::addColumn<std::string>("typed");
    QTest::addColumn<std::string>("written");
    const auto row = [](const char* typed, const char* written) {
        QTest::newRow(typed) << std::string(typed) << std::string(written);
    };
    row("2:1-3;1:g2", "1:4-6;2:1-3");
    row("0:9", "0:9");
    row("0:g1-2", "0:1-6");
    row("0:g3,1", "0:1,7-9");
    row("2:all", "2:1-9");
    row("1:3;1:2;1:2-4", "1:2-4");
    row(" 1 : 2 - 3 ; 0 : 1 , 5 ", "0:1,5;1:2-3");
}

void TestAblationSpec::understood()
{
    QFETCH(std::string, typed);
    QFETCH(std::string, written);
    const auto chosen = parseAblation(typed, 3, 9, 3);
    HEADSCOPE_VERIFY_OK(chosen);
    QCOMPARE(ablationText(*chosen), written);
    QVERIFY(ablationFault(typed).empty());
    const auto again = parseAblation(written, 3, 9, 3);
    HEADSCOPE_VERIFY_OK(again);
    QCOMPARE(*again, *chosen);
}

void TestAblationSpec::refused_data()
{
    QTest::addColumn<std::string>("typed");
    QTest::addColumn<bool>("forAnyModel");
    QTest::addColumn<std::string>("part");
    const auto row = [](const char* typed, bool forAny, const char* part) {
        QTest::addRow("\"%s\"", typed) << std::string(typed) << forAny << std::string(part);
    };
    const char* const grammar = "expected LAYER:HEADS such as \"29:1-3;12:g2\" (layers from 0, heads and KV groups "
                                "from 1), found";
    for (const char* wrong : {"", "1", "1:", ":1", "1:0", "1:0-2", "1:3-2", "1:g0", "1:g", "1:x", "1:1;", "-1:1",
                              "1:1-", "1:1.5", "1:all,", "1:G2", "1:1:2"})
        row(wrong, true, grammar);
    row("3:1", false, "expected layers 0 to 2 (the model has 3), found 3");
    row("2:10", false, "expected heads 1 to 9 (the model has 9), found 10");
    row("2:g4", false, "expected KV groups 1 to 3 (the model has 3), found 4");
}

void TestAblationSpec::refused()
{
    QFETCH(std::string, typed);
    QFETCH(bool, forAnyModel);
    QFETCH(std::string, part);
    const auto chosen = parseAblation(typed, 3, 9, 3);
    HEADSCOPE_VERIFY_ERROR(chosen, forAnyModel ? ErrorCode::WrongUse : ErrorCode::InvalidArgument, part);
    QCOMPARE(ablationFault(typed).find(part) != std::string::npos, forAnyModel);
}

void TestAblationSpec::changesInWords()
{
    ModelChanges changes;
    QVERIFY(!changes.any());
    QVERIFY(changes.words(3).empty());
    changes.regroupedFrom = 3;
    QCOMPARE(changes.words(1), "3 KV groups changed to 1");
    changes.ablated = "1:2";
    changes.ablation = "zero";
    QCOMPARE(changes.words(1), "head 2 of layer 1 ablated (zero); 3 KV groups changed to 1");
    changes = {"5:3,7", "mean", "3 documents, 17 tokens, XXH3 0123", 1};
    QVERIFY(changes.any());
    QCOMPARE(changes.words(3), "heads 3, 7 of layer 5 ablated (mean over 3 documents); 1 KV group changed to 3");
    changes = {"0:1,7-9;12:4", "mean", "1 documents, 17 tokens, XXH3 0123", 0};
    QCOMPARE(changes.words(3), "heads 1, 7-9 of layer 0 and head 4 of layer 12 ablated (mean over 1 document)");
    changes.reference.clear(); // no layer is stored that depends on the mean
    QCOMPARE(changes.words(3), "heads 1, 7-9 of layer 0 and head 4 of layer 12 ablated (mean)");
}

HEADSCOPE_TEST_GUILESS(TestAblationSpec)
#include "tst_ablation_spec.moc"

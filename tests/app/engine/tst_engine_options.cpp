// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/inspect/model_card_text.h"
#include "app/engine/options.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

using namespace headscope;
using namespace headscope::engine;

class TestEngineOptions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stages();
    void layers();
    void counts();
    void bytes();
    void pieces();
};

void TestEngineOptions::stages()
{
    QVERIFY((parseStages("3,1,1").value() == std::vector<Stage>{Stage::HeadOutput, Stage::OutputSegment}));
    QVERIFY((parseStages("contribution").value() == std::vector<Stage>{Stage::Contribution}));
    for (const char* text : {"", "0", "1,", ",1", "1, 2", "stage1"})
        HEADSCOPE_VERIFY_ERROR(parseStages(text), ErrorCode::WrongUse, "--stages: expected ");
}

void TestEngineOptions::layers()
{
    using Layers = std::vector<std::int64_t>;
    QVERIFY((parseLayers("last", 32).value() == Layers{31}));
    QVERIFY((parseLayers("all", 3).value() == Layers{0, 1, 2}));
    QVERIFY((parseLayers("15,0,2-4,3", 32).value() == Layers{0, 2, 3, 4, 15}));
    for (const char* text : {"", "x", "-1", "3-1", "1-", "1--2", "1,,2", "99999999999999999999"})
        HEADSCOPE_VERIFY_ERROR(parseLayers(text, 32), ErrorCode::WrongUse, "--layers: expected last, all or layers");
    HEADSCOPE_VERIFY_ERROR(parseLayers("0-9223372036854775807", 32), ErrorCode::InvalidArgument,
                           "expected layers 0 to 31");
    HEADSCOPE_VERIFY_ERROR(parseLayers("32", 32), ErrorCode::InvalidArgument, "found 32");
}

void TestEngineOptions::counts()
{
    QCOMPARE(parseCount("17", "--n").value(), std::int64_t{17});
    for (const char* text : {"", "0", "-1", "1.5", "7x", " 7"})
        HEADSCOPE_VERIFY_ERROR(parseCount(text, "--n"), ErrorCode::WrongUse,
                               "--n: expected an integer of 1 or more");
}

void TestEngineOptions::bytes()
{
    QCOMPARE(parseBytes("3000000000", "--memory").value(), std::uint64_t{3000000000});
    QCOMPARE(parseBytes("2k", "--memory").value(), std::uint64_t{2048});
    QCOMPARE(parseBytes("2500M", "--memory").value(), std::uint64_t{2500} << 20);
    QCOMPARE(parseBytes("3G", "--memory").value(), std::uint64_t{3} << 30);
    for (const char* text : {"", "0", "G", "-1", "1.5G", "3GB", "3 G", "9223372036854775807G"})
        HEADSCOPE_VERIFY_ERROR(parseBytes(text, "--memory"), ErrorCode::WrongUse,
                               "--memory: expected a number of bytes");
}

void TestEngineOptions::pieces()
{
    QVERIFY(splitColumns("").empty());
    QVERIFY((splitColumns("a,b c") == std::vector<std::string>{"a", "b c"}));
    QVERIFY((splitColumns(R"(Group\, old,a\\b,c\d)") == std::vector<std::string>{"Group, old", R"(a\b)", R"(c\d)"}));
}

HEADSCOPE_TEST_GUILESS(TestEngineOptions)
#include "tst_engine_options.moc"

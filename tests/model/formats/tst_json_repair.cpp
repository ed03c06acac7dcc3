// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/json_repair.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

using namespace headscope;

class TestJsonRepair : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void invalidUtf8_data();
    void invalidUtf8();
    void loneSurrogates_data();
    void loneSurrogates();
    void largeIntegers_data();
    void largeIntegers();
    void largeIntegersAsWritten();
};

namespace
{
#define HEADSCOPE_R "\xEF\xBF\xBD"

void columns()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("wanted");
    QTest::addColumn<int>("repairs");
}

void compare(RepairedText (*repair)(std::string_view))
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, wanted);
    QFETCH(int, repairs);
    const auto result = repair(text.toStdString());
    QCOMPARE(QByteArray::fromStdString(result.text), wanted);
    QCOMPARE(result.repairs, static_cast<std::size_t>(repairs));
}
} // namespace

void TestJsonRepair::invalidUtf8_data()
{
    columns();
    const QByteArray whole("a\0\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xF4\x8F\xBF\xBF", 15);
    QTest::newRow("valid") << whole << whole << 0;
    QTest::newRow("lone continuation") << QByteArray("a\x80z") << QByteArray("a" HEADSCOPE_R "z") << 1;
    QTest::newRow("0xff") << QByteArray("\xff\xfe") << QByteArray(HEADSCOPE_R HEADSCOPE_R) << 2;
    QTest::newRow("overlong") << QByteArray("\xC0\xAF") << QByteArray(HEADSCOPE_R HEADSCOPE_R) << 2;
    QTest::newRow("surrogate bytes") << QByteArray("\xED\xA0\x80") << QByteArray(HEADSCOPE_R HEADSCOPE_R HEADSCOPE_R)
                                     << 3;
    QTest::newRow("above U+10FFFF") << QByteArray("\xF4\x90\x80\x80")
                                    << QByteArray(HEADSCOPE_R HEADSCOPE_R HEADSCOPE_R HEADSCOPE_R) << 4;
    // The example of the Unicode standard, table 3-8.
    QTest::newRow("truncated sequences") << QByteArray("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41")
                                         << QByteArray(HEADSCOPE_R HEADSCOPE_R HEADSCOPE_R HEADSCOPE_R "A") << 4;
    QTest::newRow("cut at the end") << QByteArray("x\xF0\x9F\x98") << QByteArray("x" HEADSCOPE_R) << 1;
}

void TestJsonRepair::invalidUtf8()
{
    compare(replaceInvalidUtf8);
}

void TestJsonRepair::loneSurrogates_data()
{
    columns();
    QTest::newRow("pair") << QByteArray(R"("\ud83d\ude00")") << QByteArray(R"("\ud83d\ude00")") << 0;
    QTest::newRow("high alone") << QByteArray(R"("\uD83Dx")") << QByteArray(R"("\ufffdx")") << 1;
    QTest::newRow("low alone") << QByteArray(R"("\ude00")") << QByteArray(R"("\ufffd")") << 1;
    QTest::newRow("two high") << QByteArray(R"("\ud83d\ud83d\ude00")") << QByteArray(R"("\ufffd\ud83d\ude00")") << 1;
    QTest::newRow("escaped backslash") << QByteArray(R"("\\ud83d")") << QByteArray(R"("\\ud83d")") << 0;
    QTest::newRow("cut") << QByteArray(R"("\ud8)") << QByteArray(R"("\ud8)") << 0;
    QTest::newRow("backslash last") << QByteArray("\"\\") << QByteArray("\"\\") << 0;
}

void TestJsonRepair::loneSurrogates()
{
    compare(replaceLoneSurrogateEscapes);
}

void TestJsonRepair::largeIntegers_data()
{
    columns();
    const QByteArray big = "1000000000000000019884624838656";
    QTest::newRow("big") << "[" + big + "]"
                         << "[" + big + "e0]" << 1;
    QTest::newRow("negative") << "-" + big << "-" + big + "e0" << 1;
    QTest::newRow("18 digits") << QByteArray("[123456789012345678]") << QByteArray("[123456789012345678]") << 0;
    QTest::newRow("fraction") << "[" + big + ".5, 1." + big + "]"
                              << "[" + big + ".5, 1." + big + "]" << 0;
    QTest::newRow("exponent") << "[" + big + "E5, 1e-" + big + "]"
                              << "[" + big + "E5, 1e-" + big + "]" << 0;
    QTest::newRow("in a string") << "\"\\\"" + big + "\""
                                 << "\"\\\"" + big + "\"" << 0;
}

void TestJsonRepair::largeIntegers()
{
    compare([](std::string_view json) { return widenLargeIntegers(json); });
}

void TestJsonRepair::largeIntegersAsWritten()
{
    std::vector<WrittenInteger> integers;
    const std::string json = R"({"a":[1,-2.5e-3,"7"],"b":-12345678901234567890123,"c":1.5E+7,"d":1234567890123456789})";
    QCOMPARE(widenLargeIntegers(json, &integers).repairs, std::size_t{2});
    QCOMPARE(integers.size(), std::size_t{2});
    QCOMPARE(integers[0].number, std::size_t{2});
    QCOMPARE(integers[0].digits, std::string("-12345678901234567890123"));
    QCOMPARE(integers[1].number, std::size_t{4});
    QCOMPARE(integers[1].digits, std::string("1234567890123456789"));
}

HEADSCOPE_TEST_GUILESS(TestJsonRepair)
#include "tst_json_repair.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/utf8.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;

namespace
{

QByteArray bytes(const char* hex)
{
    return QByteArray::fromHex(QByteArray(hex));
}

} // namespace

class TestUtf8 : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void repairsByMaximalSubparts_data();
    void repairsByMaximalSubparts();
    void everyCharacterSurvives();
    void findsTheFirstBadByteAnywhere();
    void appendReplacesWhatIsNoCharacter();
};

void TestUtf8::repairsByMaximalSubparts_data()
{
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<QByteArray>("expected");
    QTest::addColumn<int>("validPrefix");

    QTest::newRow("empty") << QByteArray() << QByteArray() << 0;
    QTest::newRow("ascii with NUL") << bytes("610062") << bytes("610062") << 3;
    QTest::newRow("lone continuation") << bytes("6180") << bytes("61efbfbd") << 1;
    QTest::newRow("never a lead") << bytes("c0af") << bytes("efbfbdefbfbd") << 0;
    QTest::newRow("cut at the end") << bytes("61e282") << bytes("61efbfbd") << 1;
    QTest::newRow("cut four-byte form") << bytes("f0908061") << bytes("efbfbd61") << 0;
    QTest::newRow("overlong three") << bytes("e08080") << bytes("efbfbdefbfbdefbfbd") << 0;
    QTest::newRow("surrogate") << bytes("eda080") << bytes("efbfbdefbfbdefbfbd") << 0;
    QTest::newRow("above 10FFFF") << bytes("f4908080") << bytes("efbfbdefbfbdefbfbdefbfbd") << 0;
    QTest::newRow("lead, then good") << bytes("c3c3a4") << bytes("efbfbdc3a4") << 0;
    // The example of Unicode 15, table 3-8.
    QTest::newRow("Unicode table 3-8") << bytes("61f18080e180c262806380bf64")
                                       << bytes("61efbfbdefbfbdefbfbd62efbfbd63efbfbdefbfbd64") << 1;
    QTest::newRow("bad after ten good") << bytes("6161616161616161c3a4ff") << bytes("6161616161616161c3a4efbfbd") << 10;
}

void TestUtf8::repairsByMaximalSubparts()
{
    QFETCH(QByteArray, input);
    QFETCH(QByteArray, expected);
    QFETCH(int, validPrefix);

    std::string text = input.toStdString();
    QCOMPARE(static_cast<int>(validUtf8Prefix(text)), validPrefix);
    QCOMPARE(repairUtf8(text), input != expected);
    QCOMPARE(QByteArray::fromStdString(text), expected);
    QVERIFY(isValidUtf8(text));
    QVERIFY(!repairUtf8(text));
}

void TestUtf8::everyCharacterSurvives()
{
    std::string all;
    std::size_t count = 0;
    for (char32_t c = 0; c <= 0x10FFFF; ++c)
    {
        if (c >= 0xD800 && c < 0xE000)
            continue;
        appendUtf8(all, c);
        ++count;
    }
    QVERIFY(isValidUtf8(all));
    QCOMPARE(countCharacters(all), count);
    std::size_t offset = 0;
    for (char32_t c = 0; c <= 0x10FFFF; ++c)
    {
        if (c >= 0xD800 && c < 0xE000)
            continue;
        const Utf8Character found = utf8At(all, offset);
        if (found.codePoint != c || found.size != utf8SizeFromLead(all[offset]))
            QFAIL(qPrintable(QString::number(c, 16)));
        offset += found.size;
    }
    QCOMPARE(offset, all.size());
}

void TestUtf8::findsTheFirstBadByteAnywhere()
{
    for (std::size_t place = 0; place < 40; ++place)
    {
        std::string text(40, 'x');
        text[place] = '\xFF';
        QCOMPARE(validUtf8Prefix(text), place);
    }
}

void TestUtf8::appendReplacesWhatIsNoCharacter()
{
    std::string text;
    appendUtf8(text, 0xD800);
    appendUtf8(text, 0x110000);
    QCOMPARE(text, std::string(kReplacementCharacter) + std::string(kReplacementCharacter));
}

HEADSCOPE_TEST_GUILESS(TestUtf8)
#include "tst_utf8.moc"

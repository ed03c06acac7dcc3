// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/byte_level.h"

#include "model/base/utf8.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using namespace headscope::tokenize;

class TestByteLevel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void knownCharacters();
    void everyByteComesBack();
};

void TestByteLevel::knownCharacters()
{
    QCOMPARE(byteLevelCharacter(' '), U'\u0120');
    QCOMPARE(byteLevelCharacter('\n'), U'\u010A');
    QCOMPARE(byteLevelCharacter('a'), U'a');
    QCOMPARE(byteLevelCharacter(0), U'\u0100');
    QCOMPARE(byteLevelCharacter(173), U'\u0143');
    QVERIFY(!byteLevelByte(U' ') && !byteLevelByte(U'\u00AD') && !byteLevelByte(U'\u0144') && !byteLevelByte(0x10FFFF));
}

void TestByteLevel::everyByteComesBack()
{
    std::string bytes;
    for (int byte = 0; byte < 256; ++byte)
        bytes.push_back(static_cast<char>(byte));
    std::string text;
    appendByteLevel(text, bytes);
    QVERIFY(isValidUtf8(text));
    QCOMPARE(countCharacters(text), std::size_t{256});
    QCOMPARE(bytesFromByteLevel(text), bytes);
}

HEADSCOPE_TEST_GUILESS(TestByteLevel)
#include "tst_byte_level.moc"

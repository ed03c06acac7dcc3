// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/text/one_line.h"

#include "tests/support/test_program.h"

#include <string>

using namespace headscope;

/// Texts that are shown on a line.
class TestOneLine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tokens() { QCOMPARE(tokenOnOneLine(" a\n\r\tb"), " a   b"); }

    void blanksOfTokens() { QCOMPARE(spelledToken(" a b\n\t"), "\u00b7a\u00b7b\u21b5\u21e5"); }

    void beginnings()
    {
        QCOMPARE(beginningOnOneLine(" a \n\t b  ", 160), "a b");
        QCOMPARE(beginningOnOneLine("", 5), "");
        QCOMPARE(beginningOnOneLine(" \n ", 5), "");
        QCOMPARE(beginningOnOneLine("abcde", 5), "abcde");
        QCOMPARE(beginningOnOneLine("abcde \n ", 5), "abcde"); // blanks at the end are not more
        QCOMPARE(beginningOnOneLine("abcde f", 5), "abcd\u2026");
        QCOMPARE(beginningOnOneLine("abc defg", 5), "abc\u2026"); // no blank before the ellipsis
        QCOMPARE(beginningOnOneLine("äöü\nß and", 5), "äöü\u2026");
        QCOMPARE(beginningOnOneLine("\xFFx", 5), "\uFFFDx");
        QCOMPARE(beginningOnOneLine(std::string(1'000'000, 'x'), 5), "xxxx\u2026");
    }

    void firstLines()
    {
        QCOMPARE(firstLine(" \n one\ttwo \nthree", 20), "one two");
        QCOMPARE(firstLine("one", 20), "one");
        QCOMPARE(firstLine(" \n\t", 20), "");
        QCOMPARE(firstLine("", 20), "");
        QCOMPARE(firstLine(std::string(30, 'a') + "\nb", 20), std::string(19, 'a') + "\u2026");
    }
};

HEADSCOPE_TEST(TestOneLine)
#include "tst_one_line.moc"

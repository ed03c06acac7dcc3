// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/text/wrapped_text.h"

#include "tests/support/test_program.h"

#include <string>

using headscope::wrappedText;

class TestWrappedText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void linesBreakAtSpaces()
    {
        QCOMPARE(wrappedText("", {.width = 5}), std::string());
        QCOMPARE(wrappedText("one two", {.width = 7}), std::string("one two"));
        QCOMPARE(wrappedText("one two", {.width = 6}), std::string("one\ntwo"));
        QCOMPARE(wrappedText("one two three", {.width = 7, .indent = 2}), std::string("one two\n  three"));
        QCOMPARE(wrappedText("one two", {.width = 9, .indent = 4, .begin = 4}), std::string("one\n    two"));
    }

    void whatIsTooLongStandsAlone()
    {
        QCOMPARE(wrappedText("a incomprehensible b", {.width = 4}), std::string("a\nincomprehensible\nb"));
    }

    void someSpacesDoNotBreak()
    {
        const std::string kept = std::string("(default:") + headscope::kNoBreak + "30)";
        QCOMPARE(wrappedText("x " + kept, {.width = 12}), std::string("x\n(default: 30)"));
    }
};

HEADSCOPE_TEST_GUILESS(TestWrappedText)
#include "tst_wrapped_text.moc"

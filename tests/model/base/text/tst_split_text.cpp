// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/text/split_text.h"

#include "tests/support/test_program.h"

#include <string>
#include <vector>

using namespace headscope;

class TestSplitText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void blanksGo()
    {
        QVERIFY(trimmed(" \ta b\t ") == "a b");
        QVERIFY(trimmed("a\r") == "a\r");
        QVERIFY(trimmed(" a\r", " \r") == "a");
        QVERIFY(trimmed(" \t").empty() && trimmed("").empty());
    }

    /// "aé" has three bytes, and no text ends within the second character.
    void beginningsEndBetweenCharacters()
    {
        QVERIFY(beginningOf("a\xC3\xA9", 3) == "a\xC3\xA9");
        QVERIFY(beginningOf("a\xC3\xA9", 2) == "a");
        QVERIFY(beginningOf("a\xC3\xA9", 1) == "a");
        QVERIFY(beginningOf("\xC3\xA9", 1).empty());
        QVERIFY(beginningOf("", 0).empty());
    }

    void pieces()
    {
        QVERIFY(splitText("", ',').empty());
        QVERIFY((splitText("a", ',') == std::vector<std::string>{"a"}));
        QVERIFY((splitText("a,b c", ',') == std::vector<std::string>{"a", "b c"}));
        QVERIFY((splitText(",a,", ',') == std::vector<std::string>{"", "a", ""}));
        QVERIFY((splitText("ci95.top,1", '.') == std::vector<std::string>{"ci95", "top,1"}));
    }
};

HEADSCOPE_TEST_GUILESS(TestSplitText)
#include "tst_split_text.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/text/split_text.h"

#include "tests/support/test_program.h"

#include <string>
#include <vector>

using headscope::splitText;

class TestSplitText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/unicode/text_words.h"

#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

namespace
{

std::string joinedWords(const std::string& text)
{
    std::string all;
    forEachWord(text, [&](std::string_view word) { all.append(all.empty() ? "" : " ").append(word); });
    return all;
}

} // namespace

class TestTextWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalTheRecorded()
    {
        const GoldenFile file(golden("circuits/words.h5"));
        const auto texts = file.strings("tokenise/text");
        const auto words = file.strings("tokenise/words");
        QVERIFY(!texts.empty());
        for (std::size_t i = 0; i < texts.size(); ++i)
            QCOMPARE(joinedWords(texts[i]), words[i]);
    }

    void apostrophesAndSingleCharacters()
    {
        QCOMPARE(joinedWords("'Tis the dogs' rock'n'roll; 5's DON\u2019T"), std::string("tis the dogs rock'n'roll 5 s don't"));
        QCOMPARE(joinedWords("\u65e5\u672c\u8a9eab"), std::string("\u65e5 \u672c \u8a9e ab"));
        QCOMPARE(joinedWords(" -- "), std::string());
        QCOMPARE(joinedWords("e\u0301te\u0301"), std::string("\u00e9t\u00e9"));
    }
};

HEADSCOPE_TEST_GUILESS(TestTextWords)
#include "tst_text_words.moc"

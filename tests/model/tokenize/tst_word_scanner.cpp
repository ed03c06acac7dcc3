// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/word_scanner.h"

#include "model/base/utf8.h"
#include "model/tokenize/regex.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

using namespace headscope;
using namespace headscope::tokenize;

Q_DECLARE_METATYPE(headscope::tokenize::WordPattern)

class TestWordScanner : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void agreesWithTheRegex_data();
    void agreesWithTheRegex();
    void patternsAreRecognised();
};

void TestWordScanner::agreesWithTheRegex_data()
{
    QTest::addColumn<WordPattern>("pattern");
    QTest::newRow("gpt2") << WordPattern::Gpt2;
    QTest::newRow("llama3") << WordPattern::Llama3;
    QTest::newRow("qwen2") << WordPattern::Qwen2;
}

void TestWordScanner::agreesWithTheRegex()
{
    QFETCH(WordPattern, pattern);
    const auto regex = Regex::compile(wordPatternText(pattern));
    HEADSCOPE_VERIFY_OK(regex);
    const char* parts[] = {"a",
                           "the",
                           "B",
                           " ",
                           "  ",
                           "\n",
                           "\r",
                           "\t",
                           "'",
                           "'s",
                           "'S",
                           "'re",
                           "'LL",
                           "'l",
                           "1",
                           "234",
                           "\xC2\xBD",
                           "\xD9\xA3",
                           "\xC3\xA9",
                           "\xC5\xBF",
                           "'\xC5\xBF",
                           "\xCC\x81",
                           "\xE6\x97\xA5",
                           "\xF0\x9F\x98\x80",
                           "\xC2\xA0",
                           "\xE3\x80\x80",
                           "\xC2\x85",
                           ".",
                           "!?",
                           "-",
                           "\xE2\x80\x8B",
                           "_"};
    std::uint32_t state = 3;
    for (int round = 0; round < 4000; ++round)
    {
        std::string text;
        for (int i = 0; i < 1 + round % 12; ++i)
        {
            state = state * 1664525U + 1013904223U;
            text += parts[(state >> 9) % std::size(parts)];
        }
        Regex::Matches matches = regex->matches(text);
        std::size_t at = 0;
        while (at < text.size())
        {
            const auto match = matches.next();
            HEADSCOPE_VERIFY_OK(match);
            const std::size_t end = wordEnd(pattern, text, at);
            if (!*match || (*match)->begin != at || (*match)->end != end)
                QFAIL(QByteArray::fromStdString(text).toPercentEncoding().constData());
            at = end;
        }
    }
}

void TestWordScanner::patternsAreRecognised()
{
    for (const WordPattern pattern : {WordPattern::Gpt2, WordPattern::Llama3, WordPattern::Qwen2})
        QVERIFY(wordPatternFromText(wordPatternText(pattern)) == pattern);
    QVERIFY(!wordPatternFromText("\\p{L}+"));
}

HEADSCOPE_TEST_GUILESS(TestWordScanner)
#include "tst_word_scanner.moc"

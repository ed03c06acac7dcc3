// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/piece_trie.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <map>
#include <random>

using namespace headscope;
using namespace headscope::tokenize;

namespace
{

using Found = std::vector<std::pair<std::size_t, TokenId>>;

Found prefixesOf(const PieceTrie& trie, std::string_view text)
{
    Found found;
    trie.forEachPrefix(text, [&](std::size_t size, TokenId token) { found.emplace_back(size, token); });
    return found;
}

} // namespace

class TestPieceTrie : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsPrefixes();
    void agreesWithTheVocabulary();
    void nothing();
};

void TestPieceTrie::findsPrefixes()
{
    Vocabulary vocabulary;
    const char* tokens[] = {"b", "abc", "a", "\xC3\xA9", "ab\xC3\xA9", ""};
    for (int i = 0; i < 6; ++i)
        HEADSCOPE_VERIFY_OK(vocabulary.add(tokens[i], i));
    HEADSCOPE_VERIFY_OK(vocabulary.addHidden("ab", 6));
    const PieceTrie trie(vocabulary);
    QVERIFY((prefixesOf(trie, "abcd") == Found{{1, 2}, {3, 1}}));
    QVERIFY((prefixesOf(trie, "ab\xC3\xA9") == Found{{1, 2}, {4, 4}}));
    QVERIFY((prefixesOf(trie, "\xC3\xA9") == Found{{2, 3}}));
    QVERIFY((prefixesOf(trie, "b\xFF") == Found{{1, 0}}));
    QVERIFY(prefixesOf(trie, "c").empty() && prefixesOf(trie, "").empty() && prefixesOf(trie, "\xC3").empty());
}

void TestPieceTrie::agreesWithTheVocabulary()
{
    std::mt19937 random(7);
    Vocabulary vocabulary;
    const auto word = [&](std::size_t longest) {
        std::string text;
        for (std::size_t left = 1 + random() % longest; left > 0; --left)
            text.push_back("ab\xC3\x80z"[random() % 5]);
        return text;
    };
    std::int64_t id = 0;
    for (int i = 0; i < 2000; ++i)
        if (const std::string text = word(9); !vocabulary.find(text))
            HEADSCOPE_VERIFY_OK(vocabulary.add(text, id++));
    const PieceTrie trie(vocabulary);
    for (int i = 0; i < 2000; ++i)
    {
        const std::string text = word(14);
        Found expected;
        for (std::size_t size = 1; size <= text.size(); ++size)
            if (const auto token = vocabulary.find(std::string_view(text).substr(0, size)))
                expected.emplace_back(size, *token);
        QVERIFY(prefixesOf(trie, text) == expected);
    }
}

void TestPieceTrie::nothing()
{
    QVERIFY(prefixesOf(PieceTrie(Vocabulary()), "a").empty());
}

HEADSCOPE_TEST_GUILESS(TestPieceTrie)
#include "tst_piece_trie.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/unigram.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <limits>
#include <random>

using namespace headscope;
using namespace headscope::tokenize;

namespace
{

struct Piece
{
    std::string text;
    double score;
};

/// A vocabulary with its scores; the unknown token is the first.
struct Pieces
{
    explicit Pieces(const std::vector<Piece>& pieces)
    {
        for (const Piece& piece : pieces)
        {
            [[maybe_unused]] const auto added = vocabulary.add(piece.text, static_cast<std::int64_t>(scores.size()));
            scores.push_back(piece.score);
        }
    }

    [[nodiscard]] std::vector<TokenId> encode(const std::string& text, const UnigramOptions& options = {},
                                              TokenId special = kNoToken, bool withSpecial = true) const
    {
        Unigram model(vocabulary, scores, options);
        if (special != kNoToken)
            model.markSpecial(special);
        Unigram::Scratch scratch;
        std::vector<TokenId> ids{99};
        model.append(text, withSpecial, ids, scratch);
        ids.erase(ids.begin());
        return ids;
    }

    Vocabulary vocabulary;
    std::vector<double> scores;
};

using Ids = std::vector<TokenId>;

} // namespace

class TestUnigram : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bestPath();
    void tiesKeepTheEarlier();
    void unknown();
    void bytes();
    void specialTokens();
    void everyWayOfWriting();
    void longPiecesAreQuick();
};

void TestUnigram::bestPath()
{
    const Pieces pieces({{"<unk>", 0}, {"a", -1}, {"b", -1}, {"ab", -3}, {"abc", -2}, {"c", -5}});
    QCOMPARE(pieces.encode("ab"), (Ids{1, 2})); // -2 is more than -3
    QCOMPARE(pieces.encode("abc"), (Ids{4}));   // -2 is more than -7
    QCOMPARE(pieces.encode("bc"), (Ids{2, 5}));
    QCOMPARE(pieces.encode(""), Ids{});
}

void TestUnigram::tiesKeepTheEarlier()
{
    // [a, bc] and [ab, c] cost the same; the end of [a, bc] is reached first.
    const Pieces pieces({{"<unk>", 0}, {"a", -1}, {"bc", -2}, {"ab", -2}, {"c", -1}});
    QCOMPARE(pieces.encode("abc"), (Ids{1, 2}));
}

void TestUnigram::unknown()
{
    const Pieces pieces({{"<unk>", 0}, {"a", -1}, {"bcd", -100}, {"e", -1}});
    QCOMPARE(pieces.encode("x"), (Ids{0}));
    QCOMPARE(pieces.encode("xyz"), (Ids{0}));                // neighbours are one
    QCOMPARE(pieces.encode("xay\xC3\xA9z"), (Ids{0, 1, 0})); // a character of two bytes is one, too
    QCOMPARE(pieces.encode("bcd"), (Ids{2}));                // -100 is more than 3 times -110
    QCOMPARE(pieces.encode("x<unk>y"), (Ids{0}));            // its spelling joins its neighbours
    QCOMPARE(pieces.encode("b"), (Ids{0}));
}

void TestUnigram::bytes()
{
    const Pieces pieces({{"<unk>", 0}, {"<0xC3>", -1}, {"<0xA9>", -1}, {"a", -1}});
    UnigramOptions options;
    options.bytes[0xC3] = 1;
    options.bytes[0xA9] = 2;
    QCOMPARE(pieces.encode("a\xC3\xA9", options), (Ids{3, 1, 2}));
    QCOMPARE(pieces.encode("a\xC3\xA8", options), (Ids{3, 0}));     // a byte without token
    QCOMPARE(pieces.encode("\xC3\xA9\xC3\xA8", options), (Ids{0})); // what is joined falls back as one
}

void TestUnigram::specialTokens()
{
    const Pieces pieces({{"<unk>", 0}, {"<s>", 0}, {"s", -2}, {"<", -2}, {">", -2}});
    QCOMPARE(pieces.encode("<s>", {}, 1, true), (Ids{1}));
    QCOMPARE(pieces.encode("<s>", {}, 1, false), (Ids{3, 2, 4}));
    QCOMPARE(pieces.encode("<s>", {}, kNoToken, false), (Ids{1}));
}

/// Against all ways to write a short text.
void TestUnigram::everyWayOfWriting()
{
    std::mt19937 random(11);
    std::vector<Piece> all{{"<unk>", 0}};
    for (const char* text : {"a", "b", "c", "ab", "bc", "ca", "abc", "bca", "cab", "aa", "abca", "ccc"})
        all.push_back({text, -static_cast<double>(random() % 1000) / 100});
    const Pieces pieces(all);
    for (int round = 0; round < 300; ++round)
    {
        std::string text;
        for (std::size_t i = 1 + random() % 9; i > 0; --i)
            text.push_back("abc"[random() % 3]);
        double best = -std::numeric_limits<double>::infinity();
        const auto search = [&](const auto& self, std::size_t at, double score) -> void {
            if (at == text.size())
                best = std::max(best, score);
            for (std::size_t size = 1; at + size <= text.size(); ++size)
                if (const auto token = pieces.vocabulary.find(text.substr(at, size)))
                    self(self, at + size, score + pieces.scores[static_cast<std::size_t>(*token)]);
        };
        search(search, 0, 0);
        double found = 0;
        std::string spelled;
        for (const TokenId id : pieces.encode(text))
        {
            found += pieces.scores[static_cast<std::size_t>(id)];
            spelled += pieces.vocabulary.text(id);
        }
        QCOMPARE(spelled, text);
        QVERIFY2(std::abs(found - best) < 1e-9, text.c_str());
    }
}

void TestUnigram::longPiecesAreQuick()
{
    // One piece of 4 MB, as a text without spaces is.
    const Pieces pieces({{"<unk>", 0}, {"a", -1}, {"aa", -1.5}, {"aaaa", -2}});
    const std::string text(4'000'001, 'a');
    const Ids ids = pieces.encode(text);
    QCOMPARE(ids.size(), std::size_t{1'000'001});
    QCOMPARE(ids.back(), 3);
}

HEADSCOPE_TEST_GUILESS(TestUnigram)
#include "tst_unigram.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/bpe.h"

#include "model/tokenize/load/model_json.h"
#include "model/tokenize/spm_merges.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

using namespace headscope;
using namespace headscope::tokenize;

namespace
{

/// A vocabulary of letters and merges over {a, b, c, -}, and the texts of its merges.
struct Fixture
{
    Vocabulary vocabulary;
    MergeTable merges;

    Fixture()
    {
        const char* tokens[] = {"<unk>", "a", "b", "c", "-", "ab", "abc", "bc", "-a", "aa", "zz", "-ab"};
        for (int i = 0; i < 12; ++i)
        {
            if (!vocabulary.add(tokens[i], i))
                qFatal("fixture");
        }
        const std::pair<const char*, const char*> rules[] = {{"b", "c"}, {"a", "b"}, {"ab", "c"},
                                                             {"-", "a"}, {"a", "a"}, {"-", "ab"}};
        std::size_t rank = 0;
        for (const auto& [left, right] : rules)
        {
            if (!addMerge(left, right, rank++, vocabulary, merges))
                qFatal("fixture");
        }
    }
};

std::vector<TokenId> tokensOf(const Bpe& model, const std::string& text)
{
    std::vector<TokenId> tokens;
    Bpe::Scratch scratch;
    model.append(text, tokens, scratch);
    return tokens;
}

using Ids = std::vector<TokenId>;

} // namespace

class TestBpe : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ranksDecide();
    void wholeTokens();
    void unknownCharacters();
    void bytesStandIn();
    void cuttingChangesNothing();
    void scoresDecide();
};

void TestBpe::ranksDecide()
{
    const Fixture fixture;
    const Bpe model(fixture.vocabulary, fixture.merges, {});
    QCOMPARE(tokensOf(model, ""), Ids{});
    QCOMPARE(tokensOf(model, "abc"), (Ids{1, 7})); // b + c goes first, so abc is not reached
    QCOMPARE(tokensOf(model, "aab"), (Ids{1, 5}));
    QCOMPARE(tokensOf(model, "aaa"), (Ids{9, 1})); // the leftmost of equals
    QCOMPARE(tokensOf(model, "-ab"), (Ids{11}));
}

void TestBpe::wholeTokens()
{
    const Fixture fixture;
    BpeOptions options;
    options.ignoreMerges = true;
    const Bpe model(fixture.vocabulary, fixture.merges, options);
    QCOMPARE(tokensOf(model, "abc"), Ids{6});
    QCOMPARE(tokensOf(model, "abca"), (Ids{1, 7, 1}));
}

void TestBpe::unknownCharacters()
{
    const Fixture fixture;
    BpeOptions options;
    QCOMPARE(tokensOf(Bpe(fixture.vocabulary, fixture.merges, options), "a??b"), (Ids{5})); // they vanish
    options.unknown = 0;
    QCOMPARE(tokensOf(Bpe(fixture.vocabulary, fixture.merges, options), "a??b"), (Ids{1, 0, 0, 2}));
    options.fuseUnknown = true;
    QCOMPARE(tokensOf(Bpe(fixture.vocabulary, fixture.merges, options), "a?\xC3\xA9"
                                                                        "b?"),
             (Ids{1, 0, 2, 0}));
}

void TestBpe::bytesStandIn()
{
    const Fixture fixture;
    BpeOptions options;
    options.unknown = 0;
    options.bytes[0xC3] = 3;
    options.bytes[0xA9] = 4;
    const Bpe model(fixture.vocabulary, fixture.merges, options);
    QCOMPARE(tokensOf(model, "a\xC3\xA9"), (Ids{1, 3, 4}));
    QCOMPARE(tokensOf(model, "a\xC3\xAA"), (Ids{1, 0})); // one of the two bytes has no token
}

void TestBpe::cuttingChangesNothing()
{
    const Fixture fixture;
    BpeOptions options;
    options.unknown = 0;
    options.fuseUnknown = true;
    const Bpe model(fixture.vocabulary, fixture.merges, options);
    std::uint32_t state = 5;
    for (int round = 0; round < 300; ++round)
    {
        // Long texts are cut where nothing joins; joining the whole by hand must give the same.
        std::string text;
        Ids expected;
        for (int i = 0; i < 150; ++i)
        {
            state = state * 1664525U + 1013904223U;
            const char c = "abc-?"[(state >> 10) % 5];
            text.push_back(c);
            const auto token = c == '?' ? 0 : fixture.vocabulary.find(std::string(1, c)).value();
            if (token != 0 || expected.empty() || expected.back() != 0)
                expected.push_back(token);
        }
        Merger merger;
        expected.resize(merger.merge(fixture.merges, expected));
        QCOMPARE(tokensOf(model, text), expected);
    }
}

void TestBpe::scoresDecide()
{
    // "x" has no token of its own, but "xy" has; without a partner it falls back to its byte.
    Vocabulary vocabulary;
    const char* tokens[] = {"a", "b", "y", "ab", "ba", "xy", "aba"};
    const std::vector<float> scores{0, 0, 0, -1, -1, -2, -3, 0};
    for (int i = 0; i < 7; ++i)
        HEADSCOPE_VERIFY_OK(vocabulary.add(tokens[i], i));
    HEADSCOPE_VERIFY_OK(vocabulary.addHidden("<0x78>", 7));
    SpmMerges spm = mergesFromScores(vocabulary, scores);
    QCOMPARE(spm.characters.size(), std::size_t{1});
    BpeOptions options;
    options.bytes['x'] = 7;
    const Bpe model(vocabulary, std::move(spm.merges), options, spm.characters);
    QCOMPARE(tokensOf(model, "aba"), Ids{6}); // ab first (leftmost of equals), then aba
    QCOMPARE(tokensOf(model, "bab"), (Ids{4, 1}));
    QCOMPARE(tokensOf(model, "xyx"), (Ids{5, 7}));
}

HEADSCOPE_TEST_GUILESS(TestBpe)
#include "tst_bpe.moc"

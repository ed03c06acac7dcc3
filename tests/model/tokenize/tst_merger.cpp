// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/merger.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <bit>
#include <map>

using namespace headscope;
using namespace headscope::tokenize;

namespace
{

/// The definition, word for word.
std::vector<TokenId> mergedNaively(const MergeTable& table, std::vector<TokenId> tokens)
{
    while (true)
    {
        std::size_t best = tokens.size();
        MergeTable::Merge merge;
        for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
        {
            const auto found = table.find(tokens[i], tokens[i + 1]);
            if (found.rank < merge.rank)
            {
                best = i;
                merge = found;
            }
        }
        if (best == tokens.size())
            return tokens;
        tokens[best] = merge.result;
        tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    }
}

} // namespace

class TestMerger : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tableKeepsTheLast();
    void agreesWithTheDefinition();
    void longRunsEndSoon();
};

void TestMerger::tableKeepsTheLast()
{
    MergeTable table;
    QCOMPARE(table.find(1, 2).rank, MergeTable::kNever);
    for (TokenId i = 0; i < 1000; ++i)
        table.add(i, i + 1, {static_cast<std::uint32_t>(i), i + 5000});
    table.add(3, 4, {77, 9});
    QCOMPARE(table.count(), std::size_t{1000});
    QCOMPARE(table.find(3, 4).rank, 77U);
    QCOMPARE(table.find(3, 4).result, 9);
    QCOMPARE(table.find(999, 1000).result, 5999);
    QCOMPARE(table.find(4, 3).rank, MergeTable::kNever);
}

void TestMerger::agreesWithTheDefinition()
{
    // Texts over {a, b, c}; every token is a text, found by concatenation as in a vocabulary.
    std::map<std::string, TokenId> ids{{"a", 0}, {"b", 1}, {"c", 2}};
    std::uint32_t state = 11;
    const auto random = [&](std::size_t below) {
        state = state * 1664525U + 1013904223U;
        return static_cast<std::size_t>(state >> 8) % below;
    };
    MergeTable table;
    std::vector<std::string> texts{"a", "b", "c"};
    for (std::uint32_t rank = 0; rank < 300; ++rank)
    {
        const std::string left = texts[random(texts.size())];
        const std::string right = texts[random(texts.size())];
        if (left.size() + right.size() > 9)
            continue;
        const auto [place, isNew] = ids.try_emplace(left + right, static_cast<TokenId>(texts.size()));
        if (isNew)
            texts.push_back(left + right);
        // Ranks in no order, some equal.
        table.add(ids[left], ids[right], {static_cast<std::uint32_t>(random(60)), place->second});
    }
    Merger merger;
    for (std::size_t length = 0; length < 260; ++length)
    {
        std::vector<TokenId> tokens;
        for (std::size_t i = 0; i < length; ++i)
            tokens.push_back(static_cast<TokenId>(random(3)));
        const auto expected = mergedNaively(table, tokens);
        tokens.resize(merger.merge(table, tokens));
        QCOMPARE(tokens, expected);
    }
}

void TestMerger::longRunsEndSoon()
{
    MergeTable table;
    for (TokenId i = 0; i < 16; ++i)
        table.add(i, i, {static_cast<std::uint32_t>(i), i + 1});
    std::vector<TokenId> tokens(1'000'000, 0);
    Merger merger;
    const std::size_t left = merger.merge(table, tokens);
    // 1,000,000 = 15 x 2^16 + 16,960, whose binary digits are the rest.
    QCOMPARE(left, std::size_t{15} + static_cast<std::size_t>(std::popcount(16'960U)));
    QCOMPARE(tokens.front(), 16);
}

HEADSCOPE_TEST_GUILESS(TestMerger)
#include "tst_merger.moc"

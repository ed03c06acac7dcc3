// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/documents/document_filter.h"

#include "model/base/random.h"
#include "model/data/selection.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <cmath>

using namespace headscope;
using Documents = std::vector<std::int64_t>;
using Conditions = std::vector<FilterCondition>;

class TestDocumentFilter : public QObject
{
    Q_OBJECT

private:
    static constexpr std::int64_t kCount = 60;
    static constexpr std::int64_t kHeads = 6;

    /// Labels with gaps, lengths, a column of numbers as labels and one as numbers, strengths with NaN.
    static FilterTable sampleTable()
    {
        auto documents = std::make_shared<DocumentSet>();
        std::vector<std::string> topics;
        std::vector<std::string> years;
        std::vector<std::string> scores;
        auto strengths = std::make_shared<MatrixF>(kCount, kHeads);
        for (std::int64_t i = 0; i < kCount; ++i)
        {
            documents->ids.push_back("d" + std::to_string(i));
            documents->tokens.push_back(static_cast<std::int32_t>(10 * i));
            topics.push_back(i % 7 == 0 ? "" : i % 3 == 0 ? "Music" : "History");
            years.push_back(std::to_string(2000 + i % 5));
            scores.push_back(i % 11 == 0 ? "" : std::to_string(i / 10) + "." + std::to_string(i % 10));
            for (std::int64_t head = 0; head < kHeads; ++head)
                (*strengths)(i, head) = i == 13 ? std::nanf("") : static_cast<float>((i * 31 + head * 17) % 23) + 0.5F;
        }
        (*strengths)(2, 4) = std::nanf("");
        documents->labels.push_back(makeLabelColumn("topic", topics));
        documents->labels.push_back(makeLabelColumn("year", years));
        documents->labels.push_back(makeLabelColumn("score", scores));
        return {documents, strengths, {1, 3}, {{"mine", {1, 2, 3, 40}}}};
    }

    static Documents all()
    {
        Documents documents;
        for (std::int64_t i = 0; i < kCount; ++i)
            documents.push_back(i);
        return documents;
    }

    /// Conditions of every kind, drawn by a number.
    static FilterCondition drawn(std::uint64_t draw)
    {
        const bool negated = draw % 2 == 0;
        const double least = static_cast<double>(draw % 17);
        switch (draw % 6)
        {
        case 0:
            return LabelCondition{"topic", {"Music"}, negated};
        case 1:
            return LabelCondition{"topic", {"", "History"}, negated};
        case 2:
            return NumberCondition{NumberSource::MeanStrength, {}, 0, least, least + 6};
        case 3:
            return NumberCondition{NumberSource::Column, "year", 0, 2001, 2002 + least};
        case 4:
            return StrongestCondition{{static_cast<std::int64_t>(draw % kHeads), 2}};
        default:
            return GroupCondition{"mine", negated};
        }
    }

    static Documents matching(const FilterTable& table, const Conditions& conditions)
    {
        auto found = matchingDocuments(table, conditions);
        return found ? *found : Documents{-1};
    }

private Q_SLOTS:
    void labels()
    {
        const FilterTable table = sampleTable();
        for (const std::int64_t document : matching(table, {LabelCondition{"topic", {"Music"}, false}}))
            QVERIFY(document % 3 == 0 && document % 7 != 0);
        const Documents none = matching(table, {LabelCondition{"topic", {""}, false}});
        QCOMPARE(none, (Documents{0, 7, 14, 21, 28, 35, 42, 49, 56}));
        // A document without a label is not of a topic either.
        const Documents notMusic = matching(table, {LabelCondition{"topic", {"Music"}, true}});
        QVERIFY(std::ranges::binary_search(notMusic, 7));
    }

    void numbers()
    {
        const FilterTable table = sampleTable();
        QCOMPARE(matching(table, {NumberCondition{NumberSource::Tokens, {}, 0, 20, 40}}), (Documents{2, 3, 4}));
        // Both limits belong to it, as they were typed.
        QCOMPARE(matching(table, {NumberCondition{NumberSource::Column, "score", 0, 0.1, 0.3}}), (Documents{1, 2, 3}));
        QCOMPARE(matching(table, {NumberCondition{NumberSource::Column, "year", 0, 2004, 2004}}).size(), 12U);
        const auto means = filterNumbers(table, {NumberSource::MeanStrength, {}, 0, 0, 0});
        HEADSCOPE_VERIFY_OK(means);
        QCOMPARE((*means)[0], static_cast<double>((*table.strengths)(0, 1) + (*table.strengths)(0, 3)) / 2);
        QVERIFY(std::isnan((*means)[13]));
        // What is not a number is between no limits at all.
        const Documents finite = matching(table, {NumberCondition{NumberSource::Column, "score", 0}});
        QVERIFY(!std::ranges::binary_search(finite, 22));
        QCOMPARE(finite.size(), 54U);
        QVERIFY(!std::ranges::binary_search(matching(table, {NumberCondition{NumberSource::HeadStrength, {}, 4}}), 2));
    }

    void strongest()
    {
        const FilterTable table = sampleTable();
        const auto strongest = strongestHeads(*table.strengths);
        QCOMPARE(strongest[13], -1);
        std::size_t together = 0;
        for (std::int64_t head = 0; head < kHeads; ++head)
        {
            for (const std::int64_t document : matching(table, {StrongestCondition{{head}}}))
                QCOMPARE(strongest[static_cast<std::size_t>(document)], head);
            together += matching(table, {StrongestCondition{{head}}}).size();
        }
        QCOMPARE(together, static_cast<std::size_t>(kCount - 1));
        MatrixF ties(1, 3, {2, 2, 1});
        QCOMPARE(strongestHeads(ties), (Documents{0}));
    }

    void conditionsAreAnded()
    {
        const FilterTable table = sampleTable();
        QCOMPARE(matching(table, {}), all());
        const CounterRandom random(7);
        for (std::uint64_t round = 0; round < 200; ++round)
        {
            const FilterCondition a = drawn(random.below(2 * round, 1000));
            const FilterCondition b = drawn(random.below(2 * round + 1, 1000));
            const Documents onlyA = matching(table, {a});
            const Documents onlyB = matching(table, {b});
            QVERIFY(std::ranges::is_sorted(onlyA));
            QCOMPARE(matching(table, {a, b}), combineSets(onlyA, onlyB, SetOperation::Intersect));
            QCOMPARE(matching(table, {b, a}), matching(table, {a, b}));
            QCOMPARE(matching(table, {a, a}), onlyA);
        }
    }

    void notIsTheRest()
    {
        const FilterTable table = sampleTable();
        const std::vector<std::vector<std::string>> values{{"Music"}, {"", "Music"}, {"nobody"}, {}};
        for (const auto& each : values)
        {
            const Documents is = matching(table, {LabelCondition{"topic", each, false}});
            QCOMPARE(matching(table, {LabelCondition{"topic", each, true}}), complementOf(is, kCount));
        }
        const Documents mine = matching(table, {GroupCondition{"mine", false}});
        QCOMPARE(mine, (Documents{1, 2, 3, 40}));
        QCOMPARE(matching(table, {GroupCondition{"mine", true}}), complementOf(mine, kCount));
    }

    void widerLimitsHoldMore()
    {
        const FilterTable table = sampleTable();
        Documents before;
        for (int width = 0; width < 25; ++width)
        {
            const Documents now =
                matching(table, {NumberCondition{NumberSource::MeanStrength, {}, 0, 12.0 - width, 12.0 + width}});
            QVERIFY(std::ranges::includes(now, before));
            before = now;
        }
    }

    void whatIsNotThereIsSaid()
    {
        FilterTable table = sampleTable();
        const auto refused = [&table](const FilterCondition& condition, std::string_view part) {
            const auto found = matchingDocuments(table, Conditions{condition});
            return !found && found.error().code == ErrorCode::InvalidArgument &&
                   found.error().sentence().find(part) != std::string::npos;
        };
        QVERIFY(refused(LabelCondition{"colour", {"red"}, false}, "colour"));
        QVERIFY(refused(NumberCondition{NumberSource::Column, "topic"}, "topic"));
        QVERIFY(refused(NumberCondition{NumberSource::HeadStrength, {}, 9}, "from 1 to 6, found 10"));
        QVERIFY(refused(StrongestCondition{{0, -1}}, "found 0"));
        QVERIFY(refused(GroupCondition{"yours", false}, "yours"));
        table.strengths = nullptr;
        QVERIFY(refused(NumberCondition{NumberSource::MeanStrength, {}}, "the norms of the heads are not known yet"));
        auto bare = std::make_shared<DocumentSet>(*table.documents);
        bare->tokens.clear();
        table.documents = bare;
        QVERIFY(refused(NumberCondition{NumberSource::Tokens, {}}, "lengths"));
    }
};

HEADSCOPE_TEST_GUILESS(TestDocumentFilter)
#include "tst_document_filter.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/documents/chosen_summary.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <numeric>

using namespace headscope;

using Kind = ChosenChart::Kind;

/// A choice counted by heads, groups, labels and numbers, against counting by hand.
class TestChosenSummary : public QObject
{
    Q_OBJECT

private:
    static constexpr std::int64_t kDocuments = 30;
    static constexpr std::int64_t kHeads = 8;

    static std::shared_ptr<const DocumentSet> documents()
    {
        auto set = std::make_shared<DocumentSet>();
        LabelColumn topic{"topic", {}, {"Cooking", "Astronomy", "Music"}};
        LabelColumn year{"year", {}, {}};
        for (std::int64_t i = 0; i < kDocuments; ++i)
        {
            set->ids.push_back("doc-" + std::to_string(i));
            set->tokens.push_back(static_cast<std::int32_t>(10 + 3 * i));
            topic.codes.push_back(i % 5 == 4 ? -1 : static_cast<std::int32_t>(i % 2));
            year.categories.push_back(std::to_string(1900 + i));
            year.codes.push_back(static_cast<std::int32_t>(i));
        }
        set->labels = {topic, year};
        return set;
    }

    static std::shared_ptr<const PointIds> mapOf(const std::vector<std::int64_t>& heads)
    {
        auto ids = std::make_shared<PointIds>();
        for (std::int64_t document = 0; document < kDocuments; ++document)
            for (const std::int64_t head : heads)
            {
                ids->document.push_back(static_cast<std::int32_t>(document));
                ids->head.push_back(static_cast<std::int32_t>(head));
            }
        return ids;
    }

    static ChosenQuestion question()
    {
        ChosenQuestion question;
        question.documents = documents();
        question.chosen = {1, 4, 6, 9, 20};
        question.map = mapOf(allIndices(kHeads));
        question.heads = allIndices(kHeads);
        question.groupSize = 4;
        return question;
    }

    static ChosenSummary summaryOf(const ChosenQuestion& question)
    {
        JobContext job;
        auto summary = summarizeChoice(question, job);
        return summary ? std::move(*summary) : ChosenSummary();
    }

    static const ChosenChart* chart(const ChosenSummary& summary, Kind kind, const std::string& column = {})
    {
        const auto found = std::ranges::find_if(
            summary.charts, [&](const ChosenChart& each) { return each.kind == kind && each.column == column; });
        return found == summary.charts.end() ? nullptr : &*found;
    }

private Q_SLOTS:
    void wholeDocumentsHoldAllTheirPoints()
    {
        const ChosenSummary summary = summaryOf(question());
        QVERIFY(!summary.byPoints);
        QCOMPARE(summary.points.count(), 5 * kHeads);
        const ChosenChart* heads = chart(summary, Kind::Heads);
        QVERIFY(heads != nullptr);
        QCOMPARE(std::ssize(heads->bars), kHeads);
        QCOMPARE(heads->chosen, 5 * kHeads);
        QCOMPARE(heads->all, kDocuments * kHeads);
        for (const ChosenBar& bar : heads->bars)
        {
            QCOMPARE(bar.chosen, 5);
            QCOMPARE(bar.all, kDocuments);
        }
        const ChosenChart* groups = chart(summary, Kind::Groups);
        QVERIFY(groups != nullptr);
        QCOMPARE(groups->bars.size(), 2U);
        QCOMPARE(groups->bars[1].chosen, 5 * 4);
        QCOMPARE(headsOfBar(summary, *groups, groups->bars[1]), (std::vector<std::int64_t>{4, 5, 6, 7}));
    }

    void pointsAreCountedByThemselves()
    {
        ChosenQuestion asked = question();
        asked.chosen = {1, 4};
        asked.points = std::make_shared<const PointSet>(
            combinePoints(PointSet({1}, {2, 5}), PointSet({4}, {5}), SetOperation::Add));
        const ChosenSummary summary = summaryOf(asked);
        QVERIFY(summary.byPoints);
        const ChosenChart* heads = chart(summary, Kind::Heads);
        QCOMPARE(heads->chosen, 3);
        QCOMPARE(heads->all, kDocuments * kHeads);
        QCOMPARE(heads->bars[2].chosen, 1);
        QCOMPARE(heads->bars[5].chosen, 2);
        QCOMPARE(heads->bars[0].chosen, 0);
        QCOMPARE(chart(summary, Kind::Groups)->bars[1].chosen, 2);
        QCOMPARE(chart(summary, Kind::Labels, "topic")->chosen, 2); // of documents
    }

    /// A map of some heads, some of which are not shown; and no map at all.
    void onlyPointsThatCanBeSeenCount()
    {
        ChosenQuestion asked = question();
        asked.map = mapOf({1, 2, 6});
        asked.heads = {0, 1, 6};
        const ChosenSummary summary = summaryOf(asked);
        QCOMPARE(summary.points.count(), 5 * 2);
        const ChosenChart* heads = chart(summary, Kind::Heads);
        QCOMPARE(heads->bars.size(), 2U);
        QCOMPARE(heads->bars[0].code, 1);
        QCOMPARE(heads->bars[1].code, 6);
        asked.map = nullptr;
        QCOMPARE(summaryOf(asked).points.count(), 5 * 3);
        asked.groupSize = 1;
        QVERIFY(chart(summaryOf(asked), Kind::Groups) == nullptr);
    }

    void labelsAreCountedAndFilterTheChoice()
    {
        const ChosenSummary summary = summaryOf(question());
        const ChosenChart* topics = chart(summary, Kind::Labels, "topic");
        QVERIFY(topics != nullptr);
        QCOMPARE(topics->chosen, 5);
        QCOMPARE(topics->all, kDocuments);
        std::vector<std::int64_t> seen;
        for (std::size_t i = 0; i < topics->bars.size(); ++i)
        {
            const ChosenBar& bar = topics->bars[i];
            const auto inBar = documentsOfBar(summary, *topics, bar);
            QCOMPARE(std::ssize(inBar), bar.chosen);
            seen.insert(seen.end(), inBar.begin(), inBar.end());
            QVERIFY(i == 0 || topics->bars[i - 1].chosen >= bar.chosen);
            QVERIFY(bar.name != "Music"); // nobody has it
        }
        std::ranges::sort(seen);
        QCOMPARE(seen, summary.chosen);
        // 4 and 9 have none.
        const auto none = std::ranges::find(topics->bars, -1, &ChosenBar::code);
        QVERIFY(none != topics->bars.end());
        QCOMPARE(documentsOfBar(summary, *topics, *none), (std::vector<std::int64_t>{4, 9}));
    }

    /// Ranges hold every number once; a column of thirty years is one of numbers, not of labels.
    void numbersAreCountedInRanges()
    {
        const ChosenSummary summary = summaryOf(question());
        QVERIFY(chart(summary, Kind::Labels, "year") == nullptr);
        for (const char* name : {"tokens", "year"})
        {
            const ChosenChart* numbers = chart(summary, Kind::Numbers, name);
            QVERIFY2(numbers != nullptr, name);
            QVERIFY(numbers->bars.size() >= 4 && numbers->bars.size() <= 12);
            QCOMPARE(numbers->chosen, 5);
            QCOMPARE(numbers->all, kDocuments);
            std::vector<std::int64_t> seen;
            for (const ChosenBar& bar : numbers->bars)
            {
                const auto inBar = documentsOfBar(summary, *numbers, bar);
                QCOMPARE(std::ssize(inBar), bar.chosen);
                seen.insert(seen.end(), inBar.begin(), inBar.end());
            }
            std::ranges::sort(seen);
            QCOMPARE(seen, summary.chosen);
        }
    }

    void fewNumbersAreCountedEach()
    {
        ChosenQuestion asked = question();
        auto set = std::make_shared<DocumentSet>(*asked.documents);
        for (std::size_t i = 0; i < set->tokens.size(); ++i)
            set->tokens[i] = i % 2 == 0 ? 7 : 9;
        asked.documents = set;
        const ChosenSummary summary = summaryOf(asked);
        const ChosenChart* tokens = chart(summary, Kind::Numbers, "tokens");
        QCOMPARE(tokens->bars.size(), 2U);
        QCOMPARE(tokens->bars[0].name, std::string("7"));
        QCOMPARE(tokens->bars[0].chosen, 3);
        QCOMPARE(tokens->bars[1].all, 15);
    }

    void nothingChosenIsNoChart()
    {
        ChosenQuestion asked = question();
        asked.chosen.clear();
        QVERIFY(summaryOf(asked).charts.empty());
    }

    void stops()
    {
        std::stop_source stop;
        stop.request_stop();
        JobContext job(stop.get_token());
        const auto summary = summarizeChoice(question(), job);
        QVERIFY(!summary);
        QCOMPARE(summary.error().code, ErrorCode::Cancelled);
    }
};

HEADSCOPE_TEST_GUILESS(TestChosenSummary)
#include "tst_chosen_summary.moc"

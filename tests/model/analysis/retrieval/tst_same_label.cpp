// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/retrieval/same_label.h"

#include "model/analysis/statistics/intervals.h"
#include "model/analysis/statistics/jackknife.h"
#include "tests/support/test_program.h"

#include <cmath>

using namespace headscope;

class TestSameLabel : public QObject
{
    Q_OBJECT

    const std::vector<std::int64_t> m_all = {0, 1, 2, 3, 4, 5};
    const std::vector<std::int32_t> m_labels = {0, 0, 0, 1, 1, -1};

private Q_SLOTS:
    void sharesAndChance()
    {
        // Of document 0: one of two labelled results; of 3: none of one; 5 has no label and asks for nothing.
        const std::vector<std::vector<std::int64_t>> results = {{1, 3, 5}, {0}, {1, 2}};
        const std::vector<std::int64_t> asking = {0, 3, 5};
        const SameLabel found = sameLabel(results, asking, m_labels, m_all, true, 1);
        QCOMPARE(found.queries, std::int64_t{2});
        QCOMPARE(found.share, 0.25);
        QCOMPARE(found.chance, (2.0 / 4 + 1.0 / 4) / 2); // the others of its label among the other labelled ones
        QVERIFY(std::isnan(found.ci95.low));             // of two queries
        const SameLabel itself = sameLabel(results, asking, m_labels, m_all, false, 1);
        QCOMPARE(itself.chance, (3.0 / 5 + 2.0 / 5) / 2);
    }

    void aDocumentThatWasNotSearchedIsNoneOfTheOthers()
    {
        const std::vector<std::int64_t> searched = {1, 2, 3, 4};
        const SameLabel found = sameLabel(std::vector<std::vector<std::int64_t>>{{1, 2, 3}},
                                          std::vector<std::int64_t>{0}, m_labels, searched, true, 1);
        QCOMPARE(found.share, 2.0 / 3);
        QCOMPARE(found.chance, 2.0 / 4);
    }

    void nothingWithoutALabel()
    {
        const std::vector<std::int32_t> none(6, -1);
        const SameLabel found = sameLabel(std::vector<std::vector<std::int64_t>>{{1, 2}}, std::vector<std::int64_t>{0},
                                          none, m_all, true, 1);
        QCOMPARE(found.queries, std::int64_t{0});
        QVERIFY(std::isnan(found.share) && std::isnan(found.chance));
    }

    /// Each document asks the others: without one of them it neither asks nor is found.
    void queriesThatAreDocumentsAreLeftOutAsBoth()
    {
        constexpr std::int64_t kDocuments = 12;
        std::vector<std::int32_t> labels;
        std::vector<std::int64_t> rows;
        std::vector<std::vector<std::int64_t>> results;
        for (std::int64_t row = 0; row < kDocuments; ++row)
        {
            labels.push_back(row % 3 == 0 ? 1 : 0);
            rows.push_back(row);
            results.push_back({(row + 1) % kDocuments, (row + 5) % kDocuments, (row + 6) % kDocuments});
        }
        const SameLabel found = sameLabel(results, rows, labels, rows, true, 1);
        QVERIFY(found.byDocument && !found.isCertain);
        std::vector<double> without;
        for (std::int64_t gone = 0; gone < kDocuments; ++gone)
        {
            std::vector<std::vector<std::int64_t>> others;
            std::vector<std::int64_t> asking;
            for (std::int64_t row = 0; row < kDocuments; ++row)
                if (row != gone)
                {
                    others.push_back(results[static_cast<std::size_t>(row)]);
                    std::erase(others.back(), gone);
                    asking.push_back(row);
                }
            without.push_back(sameLabel(others, asking, labels, rows, true, 1).share);
        }
        const Interval expected = jackknifeInterval(found.share, without);
        QVERIFY(std::abs(found.ci95.low - std::max(0.0, expected.low)) < 1e-12);
        QVERIFY(std::abs(found.ci95.high - std::min(1.0, expected.high)) < 1e-12);
        // One label is certain.
        const SameLabel one = sameLabel(results, rows, std::vector<std::int32_t>(kDocuments, 0), rows, true, 1);
        QVERIFY(one.isCertain && std::isnan(one.ci95.low));
    }

    /// All results right, or none: as sure as 20 of 20 queries, whichever way the interval is made.
    void theIntervalHasAWidthAtItsEnds()
    {
        constexpr std::int64_t kDocuments = 20;
        std::vector<std::int32_t> labels;
        std::vector<std::int64_t> rows;
        std::vector<std::vector<std::int64_t>> same;
        std::vector<std::vector<std::int64_t>> other;
        for (std::int64_t row = 0; row < kDocuments; ++row)
        {
            labels.push_back(static_cast<std::int32_t>(row % 2));
            rows.push_back(row);
            same.push_back({(row + 2) % kDocuments, (row + 4) % kDocuments});
            other.push_back({(row + 1) % kDocuments, (row + 3) % kDocuments});
        }
        const std::vector<std::int64_t> zeros(rows.size(), 0);
        for (const bool byDocument : {true, false})
        {
            // The same document asks again and again: queries that are drawn.
            std::vector<std::vector<std::int64_t>> right = same;
            std::vector<std::vector<std::int64_t>> wrong = other;
            if (!byDocument)
            {
                right.assign(rows.size(), {2, 4});
                wrong.assign(rows.size(), {1, 3});
            }
            const auto& asking = byDocument ? rows : zeros;
            const SameLabel all = sameLabel(right, asking, labels, rows, true, 1);
            QCOMPARE(all.byDocument, byDocument);
            QCOMPARE(all.share, 1.0);
            QCOMPARE(all.ci95.low, wilsonInterval(kDocuments, kDocuments).low);
            QCOMPARE(all.ci95.high, 1.0);
            const SameLabel none = sameLabel(wrong, asking, labels, rows, true, 1);
            QCOMPARE(none.share, 0.0);
            QCOMPARE(none.ci95.low, 0.0);
            QCOMPARE(none.ci95.high, wilsonInterval(0, kDocuments).high);
        }
    }

    void theIntervalHoldsTheShareAndFollowsTheSeed()
    {
        std::vector<std::vector<std::int64_t>> results;
        std::vector<std::int64_t> asking;
        for (std::int64_t query = 0; query < 30; ++query)
        {
            results.push_back(query % 3 == 0 ? std::vector<std::int64_t>{1, 2} : std::vector<std::int64_t>{3, 4});
            asking.push_back(0);
        }
        const SameLabel found = sameLabel(results, asking, m_labels, m_all, true, 1);
        QCOMPARE(found.share, 1.0 / 3);
        QVERIFY(found.ci95.low < found.share && found.share < found.ci95.high);
        QVERIFY(found.ci95.low > 0.1 && found.ci95.high < 0.6); // 0.33 of 30: a standard error of 0.086
        QCOMPARE(sameLabel(results, asking, m_labels, m_all, true, 1).ci95.low, found.ci95.low);
    }
};

HEADSCOPE_TEST_GUILESS(TestSameLabel)
#include "tst_same_label.moc"

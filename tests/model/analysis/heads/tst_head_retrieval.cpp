// SPDX-License-Identifier: GPL-3.0-or-later
// Recall by any set of heads: what it would be without each document, and the intervals made of that.
#include "model/analysis/heads/head_set_measures.h"
#include "model/analysis/heads/removal_differences.h"
#include "model/analysis/statistics/draws.h"
#include "model/analysis/statistics/intervals.h"
#include "model/base/random.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace headscope;

namespace
{

constexpr std::int64_t kHeads = 3;
constexpr std::int64_t kDims = 4;
constexpr std::int64_t kTopics = 4;
constexpr std::int64_t kNearest = 5;

ModelInfo model()
{
    ModelInfo info;
    info.heads = info.kvHeads = kHeads;
    info.headDim = kDims;
    info.modelDim = kHeads * kDims;
    return info;
}

/// Noise; the first head also points at the document's topic.
std::vector<float> valuesOf(std::int64_t documents, std::uint64_t seed)
{
    const CounterRandom random(seed, 3);
    std::vector<float> values;
    for (std::int64_t document = 0; document < documents; ++document)
        for (std::int64_t d = 0; d < kHeads * kDims; ++d)
            values.push_back(static_cast<float>(random.normal(values.size())) +
                             (d == document % kTopics ? 1.2F : 0.0F));
    return values;
}

HeadVectors vectorsOf(std::vector<float> values)
{
    const auto documents = std::ssize(values) / (kHeads * kDims);
    return {Stage::HeadOutput, LayerIndex(0), documents, kHeads, kDims, std::move(values)};
}

/// The other documents of a topic are what each document should find.
std::vector<RelevantQuery> queriesOf(const std::vector<std::int64_t>& topics)
{
    std::vector<RelevantQuery> queries;
    for (std::size_t i = 0; i < topics.size(); ++i)
    {
        RelevantQuery query{static_cast<std::int64_t>(i), static_cast<std::int64_t>(i), {}};
        for (std::size_t j = 0; j < topics.size(); ++j)
            if (j != i && topics[j] == topics[i])
                query.relevant.push_back(static_cast<std::int64_t>(j));
        if (!query.relevant.empty())
            queries.push_back(std::move(query));
    }
    return queries;
}

std::vector<std::int64_t> topicsOf(std::int64_t documents)
{
    std::vector<std::int64_t> topics;
    for (std::int64_t document = 0; document < documents; ++document)
        topics.push_back(document % kTopics);
    return topics;
}

} // namespace

class TestHeadRetrieval : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// The same as if the document had never been there, neither to ask nor to be found.
    void valuesWithoutEachDocument()
    {
        // The last topic has two documents: without one of them the other has nothing left to find.
        std::vector<std::int64_t> topics = topicsOf(25);
        for (std::size_t i = 0; i < topics.size(); ++i)
            if (topics[i] == kTopics - 1 && i > 10)
                topics[i] = 0;
        QCOMPARE(std::ranges::count(topics, kTopics - 1), 2);
        const std::vector<float> values = valuesOf(25, 7);
        const HeadVectors documents = vectorsOf(values);
        const auto whole = HeadRetrieval::create(documents, documents, queriesOf(topics), kNearest, 2, m_job);
        HEADSCOPE_VERIFY_OK(whole);
        QVERIFY(whole->findsItself());
        const std::vector<bool> kept = {true, true, false};
        const std::vector<std::vector<std::int64_t>> flips = {{}, {0}, {2}, {0, 1}};
        const auto found = whole->leftOutValues(kept, flips, 3, m_job);
        HEADSCOPE_VERIFY_OK(found);
        QCOMPARE(found->size(), flips.size());
        for (std::size_t left = 0; left < topics.size(); ++left)
        {
            std::vector<float> others = values;
            const auto at = others.begin() + static_cast<std::ptrdiff_t>(left) * kHeads * kDims;
            others.erase(at, at + kHeads * kDims);
            std::vector<std::int64_t> fewer = topics;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(left));
            const HeadVectors rest = vectorsOf(std::move(others));
            const auto without = HeadRetrieval::create(rest, rest, queriesOf(fewer), kNearest, 1, m_job);
            HEADSCOPE_VERIFY_OK(without);
            const auto expected = without->flipped(kept, flips, 1, m_job);
            HEADSCOPE_VERIFY_OK(expected);
            for (std::size_t set = 0; set < flips.size(); ++set)
                QVERIFY2(std::abs((*found)[set][left] - (*expected)[set].value) < 1e-12,
                         qPrintable(QStringLiteral("document %1, set %2").arg(left).arg(set)));
        }
        const auto single = whole->leftOutValues(kept, flips, 1, m_job);
        HEADSCOPE_VERIFY_OK(single);
        QCOMPARE(*single, *found);
    }

    /// A query of another collection is drawn again; so are those of which one is no document that is searched.
    void queriesOfOtherDocumentsAreNoResults()
    {
        const HeadVectors documents = vectorsOf(valuesOf(40, 3));
        std::vector<RelevantQuery> queries = queriesOf(topicsOf(40));
        queries.back().self = -1;
        const auto retrieval = HeadRetrieval::create(documents, documents, queries, kNearest, 1, m_job);
        HEADSCOPE_VERIFY_OK(retrieval);
        QVERIFY(!retrieval->findsItself());
        const std::vector<bool> all(kHeads, true);
        const auto interval = intervalOfMask(*retrieval, all, 1, 1, m_job);
        HEADSCOPE_VERIFY_OK(interval);
        const auto scores = retrieval->scores(all, std::vector<std::vector<std::int64_t>>(1), 1, m_job);
        HEADSCOPE_VERIFY_OK(scores);
        const auto mean = [&scores](std::span<const std::int64_t> drawn) {
            double sum = 0;
            for (const std::int64_t query : drawn)
                sum += scores->front()[static_cast<std::size_t>(query)];
            return sum / HeadRetrieval::kFullScore / static_cast<double>(drawn.size());
        };
        const auto drawn = bootstrapInterval(std::ssize(queries), mean, {.seed = 1});
        QVERIFY(std::abs(interval->low - drawn.ci95.low) < 1e-9 && std::abs(interval->high - drawn.ci95.high) < 1e-9);
    }

    /// The recall of so many documents, drawn often: the interval of one draw holds its mean. Queries drawn again, with
    /// the documents fixed, do not do that.
    void intervalsAreAsWideAsTheValueMoves()
    {
        constexpr int kDraws = 120;
        constexpr std::int64_t kDocuments = 60;
        const std::vector<bool> all(kHeads, true);
        const std::vector<std::vector<std::int64_t>> nothing(1);
        std::vector<double> values;
        std::vector<double> changes;
        std::vector<Interval> intervals;
        std::vector<Interval> ofChanges;
        std::vector<Interval> ofQueries;
        for (int draw = 0; draw < kDraws; ++draw)
        {
            const HeadVectors documents = vectorsOf(valuesOf(kDocuments, 100 + static_cast<std::uint64_t>(draw)));
            const auto retrieval =
                HeadRetrieval::create(documents, documents, queriesOf(topicsOf(kDocuments)), 10, 2, m_job);
            HEADSCOPE_VERIFY_OK(retrieval);
            const auto value = retrieval->flipped(all, nothing, 2, m_job);
            HEADSCOPE_VERIFY_OK(value);
            const auto interval = intervalOfMask(*retrieval, all, 1, 2, m_job);
            HEADSCOPE_VERIFY_OK(interval);
            const auto change = removalDifferences(*retrieval, model(), PruningUnit::Heads, 1, 2, m_job);
            HEADSCOPE_VERIFY_OK(change);
            values.push_back(value->front().value);
            intervals.push_back(*interval);
            const auto scores = retrieval->scores(all, nothing, 2, m_job);
            HEADSCOPE_VERIFY_OK(scores);
            const std::vector<std::int32_t> none(scores->front().size());
            const auto drawn = pairedDifferences(*scores, none, HeadRetrieval::kFullScore, 1, 2, m_job);
            HEADSCOPE_VERIFY_OK(drawn);
            ofQueries.push_back(drawn->front().ci95);
            changes.push_back(change->front().difference);
            ofChanges.push_back(change->front().ci95);
        }
        const auto covered = [](const std::vector<double>& of, const std::vector<Interval>& intervalsOf) {
            const double truth = std::accumulate(of.begin(), of.end(), 0.0) / static_cast<double>(of.size());
            return static_cast<double>(std::ranges::count_if(
                       intervalsOf,
                       [truth](const Interval& each) { return each.low <= truth && truth <= each.high; })) /
                   static_cast<double>(of.size());
        };
        const double value = covered(values, intervals);
        const double change = covered(changes, ofChanges);
        const double queries = covered(values, ofQueries);
        qInfo("of 100 intervals the value is in %.1f, the change in %.1f; drawing queries: %.1f", 100 * value,
              100 * change, 100 * queries);
        QVERIFY(value >= 0.92 && change >= 0.92);
        QVERIFY(queries < value && queries < 0.92);
    }

    void withoutHeadsNothingIsFound()
    {
        const HeadVectors documents = vectorsOf(valuesOf(20, 1));
        const auto retrieval = HeadRetrieval::create(documents, documents, queriesOf(topicsOf(20)), kNearest, 1, m_job);
        HEADSCOPE_VERIFY_OK(retrieval);
        const auto found =
            retrieval->leftOutValues({true, true, true}, std::vector<std::vector<std::int64_t>>{{0, 1, 2}}, 1, m_job);
        HEADSCOPE_VERIFY_OK(found);
        QCOMPARE(found->front(), std::vector<double>(20, 0.0));
        std::stop_source source;
        JobContext job(source.get_token());
        source.request_stop();
        QCOMPARE(retrieval->leftOutValues({true, true, true}, std::vector<std::vector<std::int64_t>>(1), 1, job)
                     .error()
                     .code,
                 ErrorCode::Cancelled);
    }

private:
    JobContext m_job;
};

HEADSCOPE_TEST_GUILESS(TestHeadRetrieval)

#include "tst_head_retrieval.moc"

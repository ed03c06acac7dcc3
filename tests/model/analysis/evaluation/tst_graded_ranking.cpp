// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/evaluation/graded_ranking.h"

#include "model/analysis/evaluation/resampled.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stop_token>
#include <utility>

using namespace headscope;
using namespace headscope::test;

namespace
{

MatrixF vectorsOf(const GoldenFile& file, const std::string& dataset)
{
    const auto shape = file.shape(dataset);
    return {shape[0], shape[1], file.floats(dataset)};
}

/// [queries] what was judged for each.
std::vector<std::vector<Judgement>> judgements(const GoldenFile& file, std::int64_t queries)
{
    std::vector<std::vector<Judgement>> judged(static_cast<std::size_t>(queries));
    const auto values = file.integers("retrieval/relevance");
    for (std::size_t i = 0; i < values.size(); i += 3)
        judged[static_cast<std::size_t>(values[i])].push_back(
            {values[i + 1], static_cast<std::int32_t>(values[i + 2])});
    return judged;
}

} // namespace

class TestGradedRanking : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalsTheRecorded()
    {
        const GoldenFile file(golden("circuits/evaluation.h5"));
        const MatrixF documents = vectorsOf(file, "retrieval/documents");
        const MatrixF queries = vectorsOf(file, "retrieval/queries");
        JobContext job;
        const auto ranking = rankByCosine(documents.view(), queries.view(), {}, 10, 2, job);
        HEADSCOPE_VERIFY_OK(ranking);
        const auto recorded = file.integers("retrieval/ranking");
        QVERIFY(std::ranges::equal(ranking->values(), recorded));
        const auto judged = judgements(file, queries.rows());
        const auto asked = file.integers("retrieval/judged");
        const auto ks = file.integers("retrieval/k");
        const auto seed = static_cast<std::uint64_t>(file.integers("retrieval/bootstrap/seed").front());
        const std::pair<const char*, double RankingScores::*> measures[] = {{"ndcg", &RankingScores::ndcg},
                                                                            {"recall", &RankingScores::recall},
                                                                            {"mrr", &RankingScores::mrr},
                                                                            {"map", &RankingScores::map}};
        for (const auto& [name, member] : measures)
        {
            MatrixD scores(std::ssize(asked), std::ssize(ks));
            for (std::int64_t row = 0; row < scores.rows(); ++row)
                for (std::int64_t column = 0; column < scores.cols(); ++column)
                {
                    const std::int64_t query = asked[static_cast<std::size_t>(row)];
                    scores(row, column) = scoreRanking(ranking->row(query), judged[static_cast<std::size_t>(query)],
                                                       ks[static_cast<std::size_t>(column)]).*
                                          member;
                }
            const std::string dataset = std::string("retrieval/") + name;
            QVERIFY(absmax(scores.values(), file.doubles(dataset + "_query")) <= 1e-12);
            const auto resampled = resampledMeans(scores, {1000, seed}, 2, job);
            HEADSCOPE_VERIFY_OK(resampled);
            QVERIFY(absmax(resampled->values, file.doubles(dataset)) <= 1e-12);
            std::vector<double> ends;
            for (std::int64_t column = 0; column < scores.cols(); ++column)
            {
                const Interval interval = intervalOf(*resampled, column);
                ends.insert(ends.end(), {interval.low, interval.high});
            }
            QVERIFY(absmax(ends, file.doubles(std::string("retrieval/bootstrap/") + name + "_ci")) <= 1e-11);
        }
    }

    /// The judgements decide who is asked: those of no relevant document are not among `judged`.
    void recordedQueriesAreThoseWithRelevantDocuments()
    {
        const GoldenFile file(golden("circuits/evaluation.h5"));
        const auto judged = judgements(file, file.shape("retrieval/queries")[0]);
        std::vector<std::int64_t> asked;
        for (std::size_t query = 0; query < judged.size(); ++query)
            if (std::ranges::any_of(judged[query], [](const Judgement& each) { return each.grade > 0; }))
                asked.push_back(static_cast<std::int64_t>(query));
        QCOMPARE(asked, file.integers("retrieval/judged"));
    }

    void aQueryDoesNotFindItself()
    {
        const GoldenFile file(golden("circuits/evaluation.h5"));
        const MatrixF documents = vectorsOf(file, "retrieval/documents");
        std::vector<std::int64_t> own;
        for (std::int64_t row = 0; row < documents.rows(); ++row)
            own.push_back(row);
        JobContext job;
        const auto all = rankByCosine(documents.view(), documents.view(), own, documents.rows(), 1, job);
        HEADSCOPE_VERIFY_OK(all);
        for (std::int64_t row = 0; row < documents.rows(); ++row)
        {
            QCOMPARE(std::ranges::count(all->row(row), static_cast<std::int32_t>(row)), 0);
            QCOMPARE(all->row(row).back(), -1); // one fewer can be found
        }
        const auto few = rankByCosine(documents.view(), documents.view(), own, 5, 3, job);
        HEADSCOPE_VERIFY_OK(few);
        for (std::int64_t row = 0; row < documents.rows(); ++row)
            QVERIFY(std::ranges::equal(few->row(row), all->row(row).first(5)));
    }

    void vectorsWithoutDirection()
    {
        // A zero document came before one of negative cosine, and a zero query ranked in the order of the file.
        MatrixF documents(4, 2, {1, 0, 0, 0, -1, 0, 0, 0});
        documents(3, 1) = std::numeric_limits<float>::quiet_NaN();
        MatrixF queries(3, 2, {1, 0, 0, 0, 0, 0});
        queries(2, 0) = std::numeric_limits<float>::infinity();
        JobContext job;
        const auto ranking = rankByCosine(documents.view(), queries.view(), {}, 4, 1, job);
        HEADSCOPE_VERIFY_OK(ranking);
        QCOMPARE(ranking->values(), (std::vector<std::int32_t>{0, 2, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}));
        const auto own =
            rankByCosine(documents.view(), documents.view(), std::array<std::int64_t, 4>{0, 1, 2, 3}, 1, 1, job);
        HEADSCOPE_VERIFY_OK(own);
        QCOMPARE(own->values(), (std::vector<std::int32_t>{2, -1, 0, -1}));
    }

    void knownScores()
    {
        const std::vector<Judgement> judged = {{4, 2}, {7, 1}, {9, 0}};
        const RankingScores scores = scoreRanking(std::vector<std::int32_t>{9, 7, 1, 4}, judged, 3);
        QVERIFY(std::abs(scores.ndcg - (1 / std::log2(3)) / (2 + 1 / std::log2(3))) < 1e-15);
        QCOMPARE(scores.recall, 0.5);
        QCOMPARE(scores.mrr, 0.5);
        QCOMPARE(scores.map, 0.25);
        QCOMPARE(scoreRanking(std::vector<std::int32_t>{4, 7, -1}, judged, 10).ndcg, 1.0);
        QCOMPARE(scoreRanking(std::vector<std::int32_t>{}, judged, 10).map, 0.0);
    }

    /// The mean over all orders of a few documents.
    void chanceIsTheMeanOverAllOrders()
    {
        const std::vector<Judgement> judged = {{4, 2}, {1, 1}, {9, 0}, {-2, 3}, {0, 1}}; // -2 can never be found
        const std::vector<bool> findable = {true, true, false, false, true};
        std::vector<std::int32_t> order = {0, 1, 2, 3, 4, 5};
        for (const std::int64_t k : {1, 3, 6, 10})
        {
            RankingScores mean;
            int count = 0;
            std::ranges::sort(order);
            do
            {
                const RankingScores one = scoreRanking(order, judged, k);
                mean.ndcg += one.ndcg;
                mean.recall += one.recall;
                mean.mrr += one.mrr;
                mean.map += one.map;
                ++count;
            } while (std::ranges::next_permutation(order).found);
            const RankingScores chance = scoreByChance(judged, findable, 6, k);
            QVERIFY(std::abs(chance.ndcg - mean.ndcg / count) < 1e-12);
            QVERIFY(std::abs(chance.recall - mean.recall / count) < 1e-12);
            QVERIFY(std::abs(chance.mrr - mean.mrr / count) < 1e-12);
            QVERIFY(std::abs(chance.map - mean.map / count) < 1e-12);
        }
    }

    void stops()
    {
        std::stop_source source;
        source.request_stop();
        JobContext job(source.get_token());
        const MatrixF rows(3, 2, {1, 0, 0, 1, 1, 1});
        QVERIFY(rankByCosine(rows.view(), rows.view(), {}, 2, 1, job).error().code == ErrorCode::Cancelled);
    }
};

HEADSCOPE_TEST_GUILESS(TestGradedRanking)
#include "tst_graded_ranking.moc"

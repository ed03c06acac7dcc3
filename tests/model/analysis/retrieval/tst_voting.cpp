// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/head_sums.h"
#include "model/analysis/retrieval/voting.h"
#include "model/base/fields/fields.h"

#include "tests/support/golden_heads.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <cmath>
#include <limits>

using namespace headscope;
using namespace headscope::test;

namespace
{

std::vector<NearestList> headLists(const HeadVectors& documents, const HeadVectors& queries, std::int64_t query,
                                   std::int64_t n)
{
    std::vector<NearestList> lists;
    for (std::int64_t head = 0; head < documents.heads(); ++head)
        lists.push_back(CosineIndex(documents.head(HeadIndex(head)))
                            .nearest(queries.vector(DocumentIndex(query), HeadIndex(head)), n));
    return lists;
}

std::vector<double> scoresOf(const HeadVectors& vectors)
{
    JobContext job;
    std::vector<double> scores;
    for (const HeadStatistics& s : HeadSums::collect(vectors, {}, 1, 1, job)->statistics(std::vector<std::int64_t>{0}))
        scores.push_back(s.score);
    return scores;
}

} // namespace

class TestVoting : public QObject
{
    Q_OBJECT

    static void compare(const GoldenFile& file, const std::string& group, std::size_t row,
                        const std::vector<RetrievedDocument>& ranked)
    {
        const auto documents = file.integers(group + "/documents");
        const auto votes = file.doubles(group + "/votes");
        const std::size_t n = ranked.size();
        QVERIFY(documents.size() >= (row + 1) * n);
        for (std::size_t j = 0; j < n; ++j)
        {
            QCOMPARE(ranked[j].document.value(), documents[row * n + j]);
            QVERIFY(std::abs(ranked[j].votes - votes[row * n + j]) <= 1e-12 * std::abs(votes[row * n + j]));
        }
    }

private Q_SLOTS:
    void equalsTheRecordedRankings_data()
    {
        QTest::addColumn<QString>("cache");
        QTest::addColumn<QString>("strategy");
        for (const char* cache : {"a", "b"})
            for (const char* strategy : {"multirag", "decay", "distance", "split", "split-weighted", "rrf", "borda"})
                QTest::addRow("%s %s", cache, strategy) << cache << strategy;
    }

    void equalsTheRecordedRankings()
    {
        QFETCH(QString, cache);
        QFETCH(QString, strategy);
        const std::string name = cache.toStdString();
        RetrievalOptions options;
        Fields rows;
        fields(rows, options);
        QCOMPARE(rows.ofKey("strategy")->set(strategy.toStdString()), std::string());
        const VotingStrategy kind = options.strategy;
        const GoldenFile file(golden("analysis/heads.h5"));
        const HeadVectors heads = goldenHeads(file, name + "/cache/heads");
        const bool onSegments = votesOnFullVectors(kind);
        const HeadVectors documents =
            onSegments ? goldenSegments(file, name + "/cache/standard", heads.heads()) : heads;
        const HeadVectors queries = onSegments ? goldenSegments(file, name + "/retrieval/query_standard", heads.heads())
                                               : goldenHeads(file, name + "/retrieval/query_heads");
        const bool weighted = kind == VotingStrategy::Multirag || kind == VotingStrategy::SplitWeighted;
        const auto weights =
            weighted ? scoresOf(documents) : std::vector<double>(static_cast<std::size_t>(heads.heads()), 1.0);
        const std::int64_t n = file.integers(name + "/retrieval/n")[0];
        QString group = QString::fromStdString(name) + QStringLiteral("/retrieval/") + strategy;
        group.replace(QStringLiteral("split-weighted"), QStringLiteral("split_weighted"));
        for (std::int64_t query = 0; query < queries.documents(); ++query)
            compare(file, group.toStdString(), static_cast<std::size_t>(query),
                    fuseVotes(kind, headLists(documents, queries, query, n), weights));
    }

    void standardIsTheNearestByTheWholeVector()
    {
        const GoldenFile file(golden("analysis/heads.h5"));
        const HeadVectors documents = goldenSegments(file, "a/cache/standard", 1);
        const HeadVectors queries = goldenSegments(file, "a/retrieval/query_standard", 1);
        const CosineIndex index(documents.head(HeadIndex(0)));
        const auto expected = file.integers("a/retrieval/standard/documents");
        const auto distances = file.doubles("a/retrieval/standard/votes");
        for (std::int64_t query = 0; query < queries.documents(); ++query)
        {
            const auto list = index.nearest(queries.vector(DocumentIndex(query), HeadIndex(0)), 10);
            for (std::size_t j = 0; j < 10; ++j)
            {
                const std::size_t place = static_cast<std::size_t>(query) * 10 + j;
                QCOMPARE(list.documents[j], expected[place]);
                QVERIFY(std::abs(list.distances[j] - distances[place]) <= 1e-12);
            }
        }
    }

    void tiesKeepTheOrderOfFirstMeeting_data()
    {
        QTest::addColumn<QString>("group");
        for (const char* group : {"ties/0", "ties/1", "ties/2"})
            QTest::newRow(group) << group;
    }

    void tiesKeepTheOrderOfFirstMeeting()
    {
        QFETCH(QString, group);
        const std::string name = group.toStdString();
        const GoldenFile file(golden("analysis/heads.h5"));
        const HeadVectors documents = goldenHeads(file, name + "/heads");
        const HeadVectors queries = goldenHeads(file, name + "/query");
        const auto lists = headLists(documents, queries, 0, file.integers(name + "/n")[0]);
        const std::vector<double> ones(lists.size(), 1.0);
        compare(file, name + "/multirag", 0,
                fuseVotes(VotingStrategy::Multirag, lists, file.doubles(name + "/scores")));
        compare(file, name + "/decay", 0, fuseVotes(VotingStrategy::Decay, lists, ones));
        compare(file, name + "/distance", 0, fuseVotes(VotingStrategy::Distance, lists, ones));
        compare(file, name + "/rrf", 0, fuseVotes(VotingStrategy::ReciprocalRank, lists, ones));
        compare(file, name + "/borda", 0, fuseVotes(VotingStrategy::Borda, lists, ones));
    }

    void aMutedHeadHasNoVoice()
    {
        const GoldenFile file(golden("analysis/heads.h5"));
        const HeadVectors heads = goldenHeads(file, "a/cache/heads");
        const auto lists = headLists(heads, goldenHeads(file, "a/retrieval/query_heads"), 0, 10);
        std::vector<double> weights(lists.size(), 0.0);
        weights[5] = 1;
        const auto ranked = fuseVotes(VotingStrategy::Decay, lists, weights);
        for (std::size_t j = 0; j < ranked.size(); ++j)
        {
            QCOMPARE(ranked[j].document.value(), lists[5].documents[j]);
            QCOMPARE(ranked[j].byHead.size(), std::size_t{1});
            QCOMPARE(ranked[j].byHead[0].head, HeadIndex(5));
        }
    }

    void whatHasNoDirectionIsNotRankedAndExactMatchesStayFinite()
    {
        MatrixF rows(4, 2, {0, 0, 1, 1, 2, 2, 1, 0});
        rows(3, 1) = std::numeric_limits<float>::quiet_NaN();
        const CosineIndex index(rows.view());
        const std::vector<float> query{3, 3};
        const auto list = index.nearest(query, 4);
        QCOMPARE(list.documents, (std::vector<std::int64_t>{1, 2}));
        QCOMPARE(index.nearestOthers(query, 4, DocumentIndex(1)).documents, std::vector<std::int64_t>{2});
        const auto ranked =
            fuseVotes(VotingStrategy::Distance, std::vector<NearestList>{list}, std::vector<double>{1.0});
        QVERIFY(std::isfinite(ranked[0].votes));
        for (const float value : {0.0F, std::numeric_limits<float>::infinity()})
            QVERIFY(index.nearest(std::vector<float>{value, value}, 2).documents.empty());
    }

    /// The votes of a head without a direction were those for the first documents of the file.
    void aHeadWithoutADirectionDoesNotVote()
    {
        std::vector<float> values;
        for (int document = 0; document < 4; ++document)
            values.insert(values.end(), {0, 0, 1, static_cast<float>(document)}); // head 1 is zero, head 2 points
        const HeadVectors documents(Stage::HeadOutput, LayerIndex(0), 4, 2, 2, std::move(values));
        JobContext job;
        const auto lists = nearestByHeads(documents, std::vector<float>{1, 0, 1, 3}, 4, {}, 1, job);
        HEADSCOPE_VERIFY_OK(lists);
        QVERIFY((*lists)[0].documents.empty());
        const auto ranked = fuseVotes(VotingStrategy::Borda, *lists, std::vector<double>{1, 1});
        QCOMPARE(ranked.size(), std::size_t{4});
        QCOMPARE(ranked[0].document.value(), std::int64_t{3});
        for (const RetrievedDocument& found : ranked)
        {
            QCOMPARE(found.byHead.size(), std::size_t{1});
            QCOMPARE(found.byHead[0].head.value(), std::int64_t{1});
        }
    }

    /// 10,000 queries by 32 heads keep 320,000 lists: each has to be as small as what is in it.
    void listsKeepNoRoomForAllDocuments()
    {
        constexpr std::int64_t kMany = 5'000;
        MatrixF rows(kMany, 2);
        for (std::int64_t i = 0; i < kMany; ++i)
        {
            rows(i, 0) = 1.0F;
            rows(i, 1) = static_cast<float>(i);
        }
        const CosineIndex index(rows.view());
        for (const std::optional<DocumentIndex> self : {std::optional<DocumentIndex>(), {DocumentIndex(7)}})
        {
            const auto list = index.nearestOthers(std::vector<float>{1, 7}, 10, self);
            QCOMPARE(list.documents.size(), std::size_t{10});
            QVERIFY(list.documents.capacity() <= 16 && list.distances.capacity() <= 16);
        }
    }
};

HEADSCOPE_TEST_GUILESS(TestVoting)
#include "tst_voting.moc"

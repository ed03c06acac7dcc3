// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors that are zero or not finite have no direction: nothing is near them, and they are near nothing.
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <set>

using namespace headscope;
using test::runVerb;
using Json = nlohmann::json;

class TestCliNoDirection : public QObject
{
    Q_OBJECT

    test::TemporaryFolder m_folder;
    std::string m_cache;

    [[nodiscard]] std::string file(const std::string& name) const { return m_folder.file(name).string(); }

    std::string write(const char* name, const std::string& text) const
    {
        std::ofstream(file(name)) << text;
        return file(name);
    }

    /// Head 2 is zero everywhere, d5 is zero and d7 is NaN in all heads, d9 is zero in head 1 alone; at every stage,
    /// but stage 3 has no dead segment.
    static CacheContents contents()
    {
        CacheContents contents = test::tellingContents();
        for (auto& vectors : contents.embeddings)
        {
            std::vector<float> values(vectors->values().begin(), vectors->values().end());
            const auto set = [&values](std::int64_t document, std::int64_t head, float value) {
                std::fill_n(values.begin() + (document * test::kHeads + head) * test::kDims, test::kDims, value);
            };
            for (std::int64_t document = 0; document < test::kDocuments; ++document)
                if (vectors->stage() == Stage::HeadOutput)
                    set(document, 1, 0.0F);
            for (std::int64_t head = 0; head < test::kHeads; ++head)
            {
                set(5, head, 0.0F);
                set(7, head, std::numeric_limits<float>::quiet_NaN());
            }
            set(9, 0, 0.0F);
            vectors = std::make_shared<const HeadVectors>(vectors->stage(), vectors->layer(), vectors->documents(),
                                                          vectors->heads(), vectors->dims(), std::move(values));
        }
        return contents;
    }

    static bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

    [[nodiscard]] test::Outcome retrieve(std::vector<std::string> more) const
    {
        std::vector<std::string> words = {"retrieve", m_cache, "--stage", "1"};
        words.insert(words.end(), more.begin(), more.end());
        return runVerb(words);
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_cache = file("cache.h5");
        JobContext job;
        HEADSCOPE_VERIFY_OK(writeCache(m_cache, contents(), NumberType::F32, job));
    }

    void headsWithoutADirectionDoNotVote_data()
    {
        QTest::addColumn<QString>("strategy");
        for (const char* strategy : {"multirag", "decay", "distance", "rrf", "borda"})
            QTest::addRow("%s", strategy) << strategy;
    }

    /// The votes of a zero head went to the first documents of the file.
    void headsWithoutADirectionDoNotVote()
    {
        QFETCH(QString, strategy);
        const std::vector<std::string> asked = {"--query-document",    "d0", "--top", "60", "--strategy",
                                                strategy.toStdString()};
        std::vector<std::string> forMachines = asked;
        forMachines.emplace_back("--json");
        const auto run = retrieve(forMachines);
        QVERIFY2(run.code == 0, run.err.c_str());
        const Json json = run.json();
        const Json& results = json["queries"][0]["results"];
        QCOMPARE(results.size(), std::size_t{57}); // but for the query, d5 and d7
        for (const Json& result : results)
        {
            QVERIFY(result["id"] != "d5" && result["id"] != "d7");
            QVERIFY(result["votes"].is_number()); // a dead head has no score
            std::set<int> heads;
            for (const Json& vote : result["by_head"])
                heads.insert(vote["head"].get<int>());
            QCOMPARE(heads, result["id"] == "d9" ? std::set({3, 4}) : std::set({1, 3, 4}));
        }
        const Json& leftOut = json["left_out"];
        QCOMPARE(leftOut["documents"],
                 (Json{{"count", 2}, {"zero", 1}, {"not_finite", 1}, {"ids", Json::array({"d5", "d7"})}}));
        QCOMPARE(leftOut["queries"]["count"].get<int>(), 0);
        QCOMPARE(leftOut["voters"].size(), std::size_t{4});
        QCOMPARE(leftOut["voters"][1], (Json{{"head", 2},
                                             {"documents_zero", 59},
                                             {"documents_not_finite", 1},
                                             {"queries_zero", 1},
                                             {"queries_not_finite", 0}}));
        for (const char* part :
             {"excluded 2 documents without a direction (zero vectors: d5; NaN or infinity: d7)",
              "a head does not rank documents in which its vector has no direction (zero: head 1: 2, head 2: 59, heads "
              "3-4: 1; NaN or infinity: heads 1-4: 1)",
              "a head does not vote for queries in which its vector has no direction (zero: head 2: 1)"})
            QVERIFY2(has(run.err, part), run.err.c_str());
        const auto shown = retrieve(asked);
        QVERIFY2(has(shown.out, "58 of 60 documents are ranked, 3 of 4 heads vote: the others have no direction"),
                 shown.out.c_str());
        // Nothing is said of a head that was not asked.
        const auto muted = retrieve({"--query-document", "d0", "--mute", "2", "--documents", "0-4"});
        QVERIFY2(muted.code == 0 && muted.err.empty() && !has(muted.out, "direction"), muted.err.c_str());
    }

    void fullVectorsWithoutADirection()
    {
        for (const char* strategy : {"standard", "split"})
        {
            const auto run = retrieve({"--query-document", "d0", "--top", "60", "--strategy", strategy, "--json"});
            QVERIFY2(run.code == 0, run.err.c_str());
            const Json json = run.json();
            QCOMPARE(json["queries"][0]["results"].size(), std::size_t{57});
            QCOMPARE(json["left_out"]["documents"]["ids"], Json::array({"d5", "d7"}));
            QCOMPARE(json["left_out"]["voters"].size(), std::size_t{std::string(strategy) == "split" ? 4U : 0U});
        }
    }

    void queriesWithoutADirection()
    {
        for (const char* strategy : {"decay", "standard", "split"})
            for (const auto& [id, why] :
                 {std::pair("d5", "its vectors are zero"), std::pair("d7", "its vectors are not finite")})
            {
                const auto refused = retrieve({"--query-document", id, "--strategy", strategy});
                QCOMPARE(refused.code, 3);
                QVERIFY2(has(refused.err, "has no direction and cannot be a query") && has(refused.err, why),
                         refused.err.c_str());
            }
        const Json one = retrieve({"--query-document", "d9", "--top", "5", "--json"}).json();
        for (const Json& result : one["queries"][0]["results"])
            for (const Json& vote : result["by_head"])
                QVERIFY(vote["head"].get<int>() > 2);
        // Of several, those that can ask do; the others are neither searched nor measured.
        const std::string relevant = write("relevant.jsonl", R"({"id": "d0", "relevant": ["d3", "d5"]})"
                                                             "\n"
                                                             R"({"id": "d5", "relevant": ["d3"]})"
                                                             "\n"
                                                             R"({"id": "d3", "relevant": ["d7"]})"
                                                             "\n");
        const auto run = retrieve({"--queries", m_cache, "--relevant", relevant, "--top", "60", "--json"});
        QVERIFY2(run.code == 0, run.err.c_str());
        const Json json = run.json();
        QCOMPARE(json["left_out"]["queries"]["ids"], Json::array({"d5", "d7"}));
        QCOMPARE(json["queries"].size(), std::size_t{60});
        QVERIFY(json["queries"][5]["results"].empty());
        QCOMPARE(json["metrics"]["queries"].get<int>(), 1); // what is relevant to d3 cannot be found
        QCOMPARE(json["metrics"]["recall"].back().get<double>(), 1.0);
        QCOMPARE(json["metrics"]["chance"]["recall"].back().get<double>(), 1.0);
        QCOMPARE(json["same_label"]["queries"].get<int>(), 57); // d59 has no label
        QVERIFY2(has(run.err, "excluded 2 queries without a direction (zero vectors: d5; NaN or infinity: d7)"),
                 run.err.c_str());
        const auto none = retrieve({"--queries", m_cache, "--heads", "2"});
        QCOMPARE(none.code, 3);
        QVERIFY2(has(none.err, "expected queries with a direction"), none.err.c_str());
    }

    /// What is relevant and has no direction is neither found nor expected, in the same way by every verb.
    void evaluateRetrieval()
    {
        const std::string qrels = write("qrels.trec", "d0 0 d3 2\nd0 0 d5 1\nd0 0 gone 1\nd5 0 d3 1\nd3 0 d7 1\n"
                                                      "d9 0 d12 1\n");
        const auto run = runVerb({"evaluate", m_cache, "--stage", "1", "--qrels", qrels, "-k", "60", "--json"});
        QVERIFY2(run.code == 0, run.err.c_str());
        const Json json = run.json();
        QCOMPARE(json["documents"].get<int>(), 58);
        QCOMPARE(
            json["left_out"],
            (Json{{"documents", {{"count", 2}, {"zero", 1}, {"not_finite", 1}, {"ids", Json::array({"d5", "d7"})}}},
                  {"queries", {{"count", 1}, {"zero", 1}, {"not_finite", 0}, {"ids", Json::array({"d5"})}}},
                  {"queries_without_relevant", 1},
                  {"judgements", 2}}));
        for (const Json& row : json["results"])
        {
            QCOMPARE(row["n"].get<int>(), 2); // d0 and d9, for all vectors
            const std::string unit = row["unit"].get<std::string>();
            if (unit == "head 2") // no direction anywhere: no value, and no difference
                QVERIFY(row["recall"].is_null() && row["difference"].is_null());
            else // of d0 one of two is there; head 1 is zero in d9, which finds nothing by it
                QCOMPARE(row["recall"].get<double>(), unit == "head 1" || unit == "group 1" ? 0.25 : 0.75);
        }
        for (const char* part :
             {"excluded 2 documents without a direction (zero vectors: d5; NaN or infinity: d7)",
              "excluded 1 query without a direction (zero vectors: d5)", "excluded 2 judgements",
              "layer 1, stage 1: a head does not rank documents in which its vector is zero", "(head 1: 1, head 2: 58)",
              "a head finds nothing for queries in which its vector is zero (head 1: 1, head 2: 2)"})
            QVERIFY2(has(run.err, part), run.err.c_str());
        const auto shown = runVerb({"evaluate", m_cache, "--stage", "1", "--qrels", qrels});
        QVERIFY2(has(shown.out, "58 of 60 documents are measured"), shown.out.c_str());
        const auto none = runVerb({"evaluate", m_cache, "--qrels", write("none.trec", "d5 0 d3 1\nd3 0 d7 1\n")});
        QCOMPARE(none.code, 3);
        QVERIFY2(has(none.err, "no query with a direction"), none.err.c_str());
        // Queries of another cache are left out by their own vectors.
        const auto other = runVerb({"evaluate", m_cache, "--stage", "1", "--queries", m_cache, "--qrels", qrels,
                                    "--json", "--of", "full,votes"});
        QVERIFY2(other.code == 0, other.err.c_str());
        QCOMPARE(other.json()["left_out"], json["left_out"]);
    }

    void evaluatePairsAndLabels()
    {
        const std::string pairs = write("pairs.tsv", "d0\td3\t5\nd0\td1\t1\nd2\td5\t4\nd1\td2\t0\nd4\td7\t4\n"
                                                     "d4\td9\t2\nd4\tgone\t1\n");
        const auto run = runVerb({"evaluate", m_cache, "--stage", "1", "--pairs", pairs, "--label", "topic", "--json"});
        QVERIFY2(run.code == 0, run.err.c_str());
        const Json json = run.json();
        QCOMPARE(json["left_out"]["pairs"].get<int>(), 2);
        QVERIFY(has(run.err, "excluded 2 pairs of documents without a direction") && has(run.err, "excluded 1 pair,"));
        for (const Json& row : json["results"])
        {
            const std::string unit = row["unit"].get<std::string>();
            const std::string task = row["task"].get<std::string>();
            if (task == "similarity")
            {
                QCOMPARE(row["n"].get<int>(), 4);
                QCOMPARE(row["spearman"].is_null(), unit == "head 1" || unit == "head 2" || unit == "group 1"); // d9
            }
            else if (task == "clustering")
                QCOMPARE(row["n"].get<int>(), 57); // d59 has no label
        }
        const auto few =
            runVerb({"evaluate", m_cache, "--pairs", write("few.tsv", "d0\td3\t5\nd0\td5\t1\nd5\td1\t2\n")});
        QCOMPARE(few.code, 3);
        QVERIFY2(has(few.err, "expected at least two pairs"), few.err.c_str());
    }

    void pruneAndNeighbors()
    {
        const std::string relevant = write("prune.jsonl", R"({"id": "d0", "relevant": ["d3", "d5"]})"
                                                          "\n"
                                                          R"({"id": "d5", "relevant": ["d3"]})"
                                                          "\n");
        const auto run = runVerb({"prune", m_cache, "--stage", "1", "--measure", "retrieval", "--relevant", relevant,
                                  "--top", "60", "--order", "single", "--json"});
        QVERIFY2(run.code == 0, run.err.c_str());
        const Json json = run.json();
        QCOMPARE(json["documents"].get<int>(), 1);
        QCOMPARE(json["baseline"].get<double>(), 1.0); // d5 is not expected
        QCOMPARE(json["left_out"]["documents"]["ids"], Json::array({"d5", "d7"}));
        QCOMPARE(json["left_out"]["queries"]["ids"], Json::array({"d5"}));
        QVERIFY2(has(run.err, "a head does not rank documents in which its vector is zero (head 1: 1, head 2: 58)"),
                 run.err.c_str());
        const auto near =
            runVerb({"neighbors", m_cache, "--stage", "1", "-k", "3", "--heads", "1", "--metric", "cosine", "--json"});
        QVERIFY2(near.code == 0, near.err.c_str());
        QCOMPARE(near.json()["zero_vectors"].get<int>(), 2);
        QVERIFY2(has(near.err, "2 zero vectors have no direction") &&
                     has(near.err, "(document 5 head 1, document 9 head 1)"),
                 near.err.c_str());
    }
};

HEADSCOPE_TEST_GUILESS(TestCliNoDirection)
#include "tst_cli_no_direction.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/evaluation/evaluation_input.h"
#include "model/analysis/evaluation/graded_ranking.h"
#include "model/analysis/evaluation/rank_correlation.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>

using namespace headscope;
using test::runVerb;
using Json = nlohmann::json;

/// The verb evaluate: labelled files in, what the library says of the same vectors out.
class TestCliEvaluate : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::string m_cache;
    std::shared_ptr<const HeadVectors> m_vectors;

    std::string file(const char* name) { return m_folder.filePath(QLatin1StringView(name)).toStdString(); }

    std::string write(const char* name, const std::string& text)
    {
        std::ofstream(file(name)) << text;
        return file(name);
    }

    /// Bytes that this process has read from files.
    static std::int64_t bytesRead()
    {
        std::ifstream stream("/proc/self/io");
        std::string word;
        std::int64_t bytes = 0;
        stream >> word >> bytes;
        return word == "rchar:" ? bytes : -1;
    }

    /// The row of a task and unit.
    static Json rowOf(const Json& results, const std::string& task, const std::string& unit)
    {
        for (const Json& row : results)
            if (row.at("task") == task && row.at("unit") == unit)
                return row;
        return {};
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_cache = file("cache.h5");
        JobContext job;
        const CacheContents contents = test::tellingContents();
        HEADSCOPE_VERIFY_OK(writeCache(m_cache, contents, NumberType::F32, job));
        m_vectors = contents.embeddings.front();
    }

    /// Which documents have finite vectors at every stage is known before the first is evaluated; each is read once.
    void stagesAreReadOnce()
    {
        const std::string demo = test::source("resources/demo/demo-cache.h5").string();
        const std::string pairs = write(
            "few.tsv", "sentence1\tsentence2\tscore\nastronomy-01\tastronomy-02\t5\nastronomy-01\tastronomy-03\t1\n"
                       "astronomy-02\tastronomy-03\t2\n");
        const auto bytesOf = [&](const std::vector<std::string>& more) {
            std::vector<std::string> words = {"evaluate", demo,   "--json", "--layer",     "all", "--stage",
                                              "1,2,3",    "--of", "full",   "--bootstrap", "100"};
            words.insert(words.end(), more.begin(), more.end());
            const auto before = bytesRead();
            const auto outcome = runVerb(words);
            return outcome.code == 0 ? bytesRead() - before : -1;
        };
        const auto once = bytesOf({"--pairs", pairs});
        const auto labelled = bytesOf({"--label", "topic"});
        QVERIFY2(once > 1'000'000 && labelled > 0 && labelled < once + 500'000,
                 qPrintable(QStringLiteral("%1, %2").arg(once).arg(labelled)));
    }

    void labels()
    {
        const auto outcome = runVerb({"evaluate", m_cache, "--json"});
        QCOMPARE(outcome.code, 0);
        const Json json = outcome.json();
        const Json& results = json.at("results");
        QCOMPARE(results.size(), std::size_t{2 * 8}); // full, layer, two groups, four heads
        QCOMPARE(json.at("labels").get<int>(), 3);
        for (const char* task : {"clustering", "classification"})
        {
            const std::string measure = std::string(task) == "clustering" ? "v_measure" : "accuracy";
            const Json full = rowOf(results, task, "full");
            QVERIFY(full.at("reference").get<bool>() && full.at("difference").is_null());
            QVERIFY(full.at(measure).get<double>() > 0.9); // the vectors have a direction for each topic
            for (const Json& row : results)
            {
                if (row.at("task") != task)
                    continue;
                const double value = row.at(measure).get<double>();
                const Json& ends = row.at("ci95").at(measure);
                QVERIFY(ends[0].get<double>() <= value + 1e-12 && value <= ends[1].get<double>() + 1e-12);
                QCOMPARE(row.at("n").get<int>(), std::string(task) == "clustering" ? 59 : 12); // one has no label
                if (row.at("reference").get<bool>())
                    continue;
                QCOMPARE(row.at("difference").get<double>(), value - full.at(measure).get<double>());
                QVERIFY(row.at("q").at("difference").get<double>() >= row.at("p").at("difference").get<double>());
            }
        }
        // The layer's heads one after another are the full vector of this cache, whose last layer has stage 3: other.
        QVERIFY(json.at("full").get<std::string>().find("stage 3") != std::string::npos);
        // Sorted by the first measure of each task, and by another column where that is asked for.
        const Json sorted = runVerb({"evaluate", m_cache, "--json", "--sort", "ari"}).json().at("results");
        QVERIFY(sorted.at(0).at("task") == "clustering" && sorted.at(8).at("task") == "classification");
        for (int row = 1; row < 8; ++row)
        {
            QVERIFY(results.at(row - 1).at("v_measure").get<double>() >= results.at(row).at("v_measure").get<double>());
            QVERIFY(sorted.at(row - 1).at("ari").get<double>() >= sorted.at(row).at("ari").get<double>());
        }
        QCOMPARE(runVerb({"evaluate", m_cache, "--sort", "beauty"}).code, 2);
    }

    void retrieval()
    {
        // Queries are documents; one judged document is not there, and one query is unknown.
        const std::string trec = write("qrels.trec", "d0 0 d3 2\nd0 0 d6 1\nd0 0 d1 0\nd0 0 gone 1\n"
                                                     "d4 0 d7 1\nd4 0 d4 1\nnobody 0 d1 1\n");
        const std::string beir = write("qrels.tsv", "query-id\tcorpus-id\tscore\nd0\td3\t2\nd0\td6\t1\nd0\td1\t0\n"
                                                    "d0\tgone\t1\nd4\td7\t1\nd4\td4\t1\nnobody\td1\t1\n");
        const auto first = runVerb({"evaluate", m_cache, "--qrels", trec, "--json", "-k", "5"});
        QCOMPARE(first.code, 0);
        const Json results = first.json().at("results");
        QVERIFY(results == runVerb({"evaluate", m_cache, "--qrels", beir, "--json", "-k", "5"}).json().at("results"));
        for (const char* part : {"1 judged query is not", "1 judgement names a document", "too narrow"})
            QVERIFY2(first.err.find(part) != std::string::npos, first.err.c_str());
        QCOMPARE(results.size(), std::size_t{8});
        const Json head = rowOf(results, "retrieval", "head 2");
        QCOMPARE(head.at("n").get<int>(), 2);
        MatrixF queries(2, test::kDims);
        for (const std::int64_t row : {0, 1})
            std::ranges::copy(m_vectors->vector(DocumentIndex(row * 4), HeadIndex(1)), queries.row(row).begin());
        JobContext job;
        const auto ranking =
            rankByCosine(m_vectors->head(HeadIndex(1)), queries.view(), std::array<std::int64_t, 2>{0, 4}, 5, 1, job);
        HEADSCOPE_VERIFY_OK(ranking);
        const std::array judged = {std::vector<Judgement>{{3, 2}, {6, 1}, {1, 0}, {-2, 1}},
                                   std::vector<Judgement>{{7, 1}}};
        double ndcg = 0;
        double recall = 0;
        for (std::size_t query = 0; query < 2; ++query)
        {
            const auto scores = scoreRanking(ranking->row(static_cast<std::int64_t>(query)), judged[query], 5);
            ndcg += scores.ndcg / 2;
            recall += scores.recall / 2;
        }
        QCOMPARE(head.at("ndcg").get<double>(), ndcg);
        QCOMPARE(head.at("recall").get<double>(), recall);
        // Two queries are too few for an interval; the chance stands beside every measure.
        QVERIFY(head.at("ci95").at("recall").is_null() && head.at("p").at("difference").is_null());
        QVERIFY(head.at("ci95_method").at("recall").is_null());
        QCOMPARE(head.at("chance").at("recall").get<double>(), (5.0 * 2 / 59 / 3 + 5.0 / 59) / 2);
        const std::string shown = runVerb({"evaluate", m_cache, "--qrels", trec}).out;
        for (const char* part : {"Retrieval: 2 queries", "Chance (documents in random order): nDCG 0.",
                                 "No interval and no p: N is below 10."})
            QVERIFY2(shown.find(part) != std::string::npos, shown.c_str());
    }

    /// Votes are ranked as retrieve does, and compared with the full vector on the same queries.
    void votes()
    {
        const std::string qrels = write("votes.trec", "d0 0 d3 1\nd0 0 d6 1\nd4 0 d7 1\n");
        const auto outcome =
            runVerb({"evaluate", m_cache, "--qrels", qrels, "--json", "-k", "5", "--of", "full,votes"});
        QCOMPARE(outcome.code, 0);
        const Json results = outcome.json().at("results");
        QCOMPARE(results.size(), std::size_t{6}); // full, five strategies
        QVERIFY(!rowOf(results, "retrieval", "votes borda").at("difference").is_null());
        const Json retrieved = runVerb({"retrieve", m_cache, "--query-document", "d4", "--top", "5", "--json"}).json();
        const Json& found = retrieved.at("queries").at(0).at("results");
        std::size_t rank = 0;
        while (rank < found.size() && found.at(rank).at("id") != "d7")
            ++rank;
        const auto own = runVerb(
            {"evaluate", m_cache, "--qrels", write("one.trec", "d4 0 d7 1\n"), "--json", "-k", "5", "--of", "votes"});
        QCOMPARE(own.code, 0);
        QCOMPARE(rowOf(own.json().at("results"), "retrieval", "votes multirag").at("mrr").get<double>(),
                 rank < found.size() ? 1.0 / static_cast<double>(rank + 1) : 0.0);
        QCOMPARE(runVerb({"evaluate", m_cache, "--of", "votes"}).code, 2);
    }

    /// What a mask keeps is a row, and so are the full vectors of another cache of these documents.
    void selectedHeadsAndOtherCaches()
    {
        const std::string copy = file("copy.h5");
        std::filesystem::copy_file(m_cache, copy, std::filesystem::copy_options::overwrite_existing);
        const auto outcome = runVerb({"evaluate", m_cache, "--json", "--heads", "1,3", "--others", copy});
        QCOMPARE(outcome.code, 0);
        const Json results = outcome.json().at("results");
        QVERIFY(rowOf(results, "clustering", "2 heads").at("v_measure").is_number());
        const Json other = rowOf(results, "clustering", "full of copy");
        QCOMPARE(other.at("difference").get<double>(), 0.0);
        QCOMPARE(other.at("v_measure").get<double>(),
                 rowOf(results, "clustering", "full").at("v_measure").get<double>());
        QCOMPARE(runVerb({"evaluate", m_cache, "--queries", m_cache, "--others", copy, "--qrels",
                          write("x.trec", "d0 0 d3 1\n")})
                     .code,
                 2);
    }

    /// An empty id names no document: those of another cache are not found by it.
    void emptyIdsPairNothing()
    {
        CacheContents contents = test::tellingContents();
        std::ranges::fill(contents.documents.ids, std::string());
        const std::string unnamed = file("unnamed.h5");
        JobContext job;
        HEADSCOPE_VERIFY_OK(writeCache(unnamed, contents, NumberType::F32, job));
        const auto outcome = runVerb({"evaluate", unnamed, "--json", "--others", unnamed});
        QVERIFY(outcome.code != 0);
        QVERIFY2(outcome.err.find("--others") != std::string::npos, outcome.err.c_str());
    }

    /// A cache of the same documents as queries finds what the documents themselves find, and each itself first.
    void queriesOfAnotherCache()
    {
        std::string lines;
        for (int i = 0; i < 60; ++i)
            lines += "d" + std::to_string(i) + " 0 d" + std::to_string(i) + " 1\n";
        const auto outcome = runVerb({"evaluate", m_cache, "--queries", m_cache, "--qrels", write("self.trec", lines),
                                      "--json", "--of", "heads"});
        QCOMPARE(outcome.code, 0);
        const Json results = outcome.json().at("results");
        QCOMPARE(results.size(), std::size_t{4});
        for (const Json& row : results)
        {
            QCOMPARE(row.at("mrr").get<double>(), 1.0);
            QVERIFY(row.at("difference").is_null()); // without the full vector
        }
    }

    void pairs()
    {
        const std::string path = write("pairs.tsv", "sentence1\tsentence2\tscore\nd0\td3\t5\nd0\td1\t1.5\nd2\td5\t4\n"
                                                    "d1\td2\t0\nd4\td7\t4.5\nd4\tgone\t1\n");
        const auto outcome = runVerb({"evaluate", m_cache, "--pairs", path, "--json", "--of", "full,heads"});
        QCOMPARE(outcome.code, 0);
        QVERIFY2(outcome.err.find("excluded 1 pair, because it names documents") != std::string::npos,
                 outcome.err.c_str());
        const Json head = rowOf(outcome.json().at("results"), "similarity", "head 1");
        const std::array<std::int64_t, 5> a = {0, 0, 2, 1, 4};
        const std::array<std::int64_t, 5> b = {3, 1, 5, 2, 7};
        const std::array gold = {5.0, 1.5, 4.0, 0.0, 4.5};
        const auto cosines = pairCosines(m_vectors->head(HeadIndex(0)), a, b);
        QCOMPARE(head.at("n").get<int>(), 5);
        QCOMPARE(head.at("spearman").get<double>(), RankCorrelation(cosines, gold).value());
        QCOMPARE(head.at("pearson").get<double>(), pearson(cosines, gold));
    }

    void wrongFiles()
    {
        const auto refused = [this](const char* option, const std::string& text, const char* part) {
            const auto outcome = runVerb({"evaluate", m_cache, option, write("wrong.tsv", text)});
            return outcome.code == 3 && outcome.err.find(part) != std::string::npos;
        };
        QVERIFY(refused("--qrels", "d0 0 d1 1\nd0 d1\n", "line 2"));
        QVERIFY(refused("--qrels", "d0 0 d1 yes\nd0 0 d1 1\n", "line 1")); // four fields are no header
        QVERIFY(refused("--qrels", "nobody 0 d1 1\n", "no relevant documents"));
        QVERIFY(refused("--pairs", "d0\td1\t1\nd0\td1\n", "line 2"));
        QVERIFY(refused("--pairs", "d0,d1,1\nd0,d2,nan\n", "line 2"));
        QVERIFY(refused("--pairs", "d0\td1\t1\n", "at least two pairs"));
        QCOMPARE(runVerb({"evaluate", m_cache, "--queries", m_cache}).code, 2);
        QCOMPARE(runVerb({"evaluate", m_cache, "--of", "words"}).code, 2);
    }

    void files()
    {
        const std::string csv = file("evaluation.csv");
        QCOMPARE(runVerb({"evaluate", m_cache, "-o", csv, "--of", "full,heads"}).code, 0);
        std::ifstream stream(csv);
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        QVERIFY2(text.rfind("task,layer,stage,unit,n,v measure,", 0) == 0, text.c_str());
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), 11);
        const std::string h5 = file("evaluation.h5");
        QCOMPARE(runVerb({"evaluate", m_cache, "-o", h5, "--of", "full,heads"}).code, 0);
        JobContext job;
        const auto reader = Hdf5Reader::open(h5, job);
        HEADSCOPE_VERIFY_OK(reader);
        const auto accuracy = readNumbers<double>(*reader, "/evaluation/accuracy");
        HEADSCOPE_VERIFY_OK(accuracy);
        QCOMPARE(accuracy->size(), std::size_t{10});
        QVERIFY(std::isnan(accuracy->front()) && std::isfinite(accuracy->back()));
        const auto shown = runVerb({"evaluate", m_cache}).out;
        for (const char* part : {"Clustering: 59 documents, 3 labels", "always predicting the commonest",
                                 "bootstrap by document", "Benjamini-Hochberg", "With q above 0.05"})
            QVERIFY2(shown.find(part) != std::string::npos, shown.c_str());
    }
};

HEADSCOPE_TEST_GUILESS(TestCliEvaluate)
#include "tst_cli_evaluate.moc"

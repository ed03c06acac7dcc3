// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/retrieval_input.h"
#include "app/cli/run_engine.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/app/golden_cache.h"
#include "tests/support/golden_file.h"
#include "tests/support/golden_heads.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

using namespace headscope;
using test::runVerb;
using Json = nlohmann::json;

class TestCliRetrieve : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void equalsGolden_data();
    void equalsGolden();
    void measuresHaveTheirCompany();
    void piecesAreNoHeads();
    void weightsAndMutes();
    void queryDocuments();
    void queriesOfTheSameCache();
    void resultsOfTheSameLabelStandBesideChance();
    void ranksCountAsPeopleDo();
    void aTextIsEmbeddedAsTheCacheWas();
    void queriesStandOnTheSameSideOfTheFinalNorm();
    void theEngineSaysWhatWentWrong();
    void badInput();

private:
    [[nodiscard]] std::string file(const std::string& name) const { return m_folder.file(name).string(); }
    [[nodiscard]] std::string cache(const QString& group) const { return file(group.toStdString() + ".h5"); }
    [[nodiscard]] std::string queries(const QString& group) const { return file("q-" + group.toStdString() + ".h5"); }
    [[nodiscard]] std::string relevant(const QString& group) const
    {
        return file("relevant-" + group.toStdString() + ".jsonl");
    }
    /// A program of a few lines in the place of the engine.
    [[nodiscard]] std::string script(const std::string& name, const std::string& lines) const;

    test::TemporaryFolder m_folder;
};

void TestCliRetrieve::initTestCase()
{
    const test::GoldenFile heads(test::golden("analysis/heads.h5"));
    for (const char* group : {"a", "b"})
    {
        const QString name = QString::fromLatin1(group);
        HEADSCOPE_VERIFY_OK(test::writeGoldenCache(cache(name), heads, group));
        HEADSCOPE_VERIFY_OK(test::writeGoldenQueries(queries(name), heads, group));
        const std::string dataset = std::string(group) + "/retrieval/relevant";
        const auto shape = heads.shape(dataset);
        const auto rows = heads.integers(dataset);
        std::ofstream stream(relevant(name));
        for (std::int64_t query = 0; query < shape[0]; ++query)
        {
            Json ids = Json::array();
            for (std::int64_t i = 0; i < shape[1]; ++i)
                if (const auto row = rows[static_cast<std::size_t>(query * shape[1] + i)]; row >= 0)
                    ids.push_back("d" + std::to_string(row));
            stream << Json{{"id", "q" + std::to_string(query)}, {"relevant", ids}}.dump() << "\n";
        }
    }
}

void TestCliRetrieve::equalsGolden_data()
{
    QTest::addColumn<QString>("group");
    QTest::addColumn<QString>("strategy");
    for (const char* group : {"a", "b"})
        for (const char* strategy :
             {"multirag", "decay", "distance", "split", "split-weighted", "standard", "rrf", "borda"})
            QTest::addRow("%s %s", group, strategy) << group << strategy;
}

void TestCliRetrieve::equalsGolden()
{
    QFETCH(QString, group);
    QFETCH(QString, strategy);
    const test::GoldenFile truth(test::golden("analysis/heads.h5"));
    const auto run = runVerb({"retrieve", cache(group), "--queries", queries(group), "--strategy",
                              strategy.toStdString(), "--relevant", relevant(group), "--json"});
    QVERIFY2(run.code == 0, run.err.c_str());
    const Json json = run.json();
    QCOMPARE(json["strategy"].get<std::string>(), strategy.toStdString());
    QString name = group + QStringLiteral("/retrieval/") + strategy;
    const std::string recorded = name.replace(QStringLiteral("split-w"), QStringLiteral("split_w")).toStdString();
    const auto documents = truth.integers(recorded + "/documents");
    const auto votes = truth.doubles(recorded + "/votes");
    std::size_t at = 0;
    for (const Json& query : json["queries"])
    {
        for (const Json& result : query["results"])
        {
            QCOMPARE(result["document"].get<std::int64_t>(), documents[at]);
            QVERIFY(std::abs(result["votes"].get<double>() - votes[at]) <= 1e-12 * std::max(1.0, std::abs(votes[at])));
            double sum = 0;
            for (const Json& vote : result["by_head"])
                sum += vote["weight"].get<double>();
            QVERIFY(strategy == QLatin1String("standard") || std::abs(sum - votes[at]) <= 1e-9 * votes[at]);
            ++at;
        }
    }
    QCOMPARE(at, documents.size());
    for (const char* key : {"success", "success_ratio", "category_ratio", "weighted_success"})
    {
        const auto all = truth.doubles(recorded + "/" + key);
        const auto means = json["metrics"][key].get<std::vector<double>>();
        const std::size_t numQueries = all.size() / means.size();
        for (std::size_t j = 0; j < means.size(); ++j)
        {
            double sum = 0;
            for (std::size_t query = 0; query < numQueries; ++query)
                sum += all[query * means.size() + j];
            QVERIFY2(std::abs(means[j] - sum / static_cast<double>(numQueries)) <= 1e-12, key);
        }
    }
    QVERIFY(json["metrics"]["mrr"].get<double>() <= 1);
}

/// Every measure with its interval, its chance and what it is; what votes is called what it is.
void TestCliRetrieve::measuresHaveTheirCompany()
{
    const QString a = QStringLiteral("a");
    const std::vector<std::string> asked = {"retrieve", cache(a), "--queries",  queries(a),
                                            "--top",    "5",      "--relevant", relevant(a)};
    std::vector<std::string> forMachines = asked;
    forMachines.emplace_back("--json");
    const auto run = runVerb(forMachines);
    QVERIFY2(run.code == 0, run.err.c_str());
    const Json metrics = run.json()["metrics"];
    QCOMPARE(metrics["mrr_at"].get<int>(), 5);
    QCOMPARE(metrics["ci95_method"].get<std::string>(), std::string("bootstrap by query"));
    for (const char* key : {"success_ratio", "weighted_success", "ndcg", "mrr"})
    {
        const auto value = metrics[key].is_array() ? metrics[key].back().get<double>() : metrics[key].get<double>();
        QVERIFY2(metrics["ci95"][key][0].get<double>() <= value && value <= metrics["ci95"][key][1].get<double>(), key);
        QVERIFY2(metrics["ci95"][key][0].get<double>() < metrics["ci95"][key][1].get<double>(), key);
        const Json& chance = metrics["chance"][key];
        QVERIFY2((chance.is_array() ? chance.back().get<double>() : chance.get<double>()) > 0, key);
    }
    const auto shown = runVerb(asked);
    for (const char* part : {"by chance", "bootstrap over the queries", "MRR at 5",
                             "Weighted success:", "Success ratio:", "has the 5 documents nearest to the query", "heads "})
        QVERIFY2(shown.out.find(part) != std::string::npos, part);
}

void TestCliRetrieve::piecesAreNoHeads()
{
    const std::string a = cache(QStringLiteral("a"));
    const auto split = runVerb({"retrieve", a, "--query-document", "d0", "--strategy", "split"});
    QVERIFY2(split.code == 0, split.err.c_str());
    QVERIFY2(split.out.find("  pieces  ") != std::string::npos, split.out.c_str());
    QVERIFY(split.out.find("over the pieces whose") != std::string::npos);
    QVERIFY(split.out.find("(heads)") == std::string::npos && split.out.find("stage 1") == std::string::npos);
    const auto standard = runVerb({"retrieve", a, "--query-document", "d0", "--strategy", "standard"});
    QVERIFY2(standard.code == 0, standard.err.c_str());
    for (const char* part : {"heads", "who", "(heads)"})
        QVERIFY2(standard.out.find(part) == std::string::npos, standard.out.c_str());
    const auto voters = [&a](const char* strategy) {
        return runVerb({"retrieve", a, "--query-document", "d0", "--strategy", strategy, "--json"}).json()["voters"];
    };
    QCOMPARE(voters("split-weighted"), Json("pieces"));
    QCOMPARE(voters("decay"), Json("heads"));
    QVERIFY(voters("standard").is_null());
}

void TestCliRetrieve::weightsAndMutes()
{
    const QString a = QStringLiteral("a");
    const auto retrieve = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {"retrieve", cache(a), "--queries", queries(a), "--strategy",
                                              "decay",    "--top",  "5",         "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto run = runVerb(arguments);
        return run.code == 0 ? run.json() : Json{{"error", run.err}};
    };
    const Json muted = retrieve({"--mute", "1-4,6-8"});
    QVERIFY2(!muted.contains("error"), muted.dump().c_str());
    QCOMPARE(muted["queries"][0]["results"].size(), std::size_t{5});
    for (const Json& result : muted["queries"][3]["results"])
        QCOMPARE(result["by_head"][0]["head"].get<int>(), 5);
    QCOMPARE(retrieve({"--heads", "5"})["queries"], muted["queries"]);
    QCOMPARE(muted["parameters"]["mute"].get<std::string>(), std::string("1-4,6-8"));
    std::ofstream(file("array.json")) << "[0, 0, 0, 0, 1, 0, 0, 0]";
    QCOMPARE(retrieve({"--weights", file("array.json")})["queries"], muted["queries"]);
    // Two groups of four heads.
    std::ofstream(file("groups.json")) << R"({"groups": [0, 1], "heads": {"6": 0, "7": 0, "8": 0}})";
    QCOMPARE(retrieve({"--weights", file("groups.json")})["queries"], muted["queries"]);
    QCOMPARE(retrieve({"--mute-groups", "1", "--mute", "6-8"})["queries"], muted["queries"]);
    QVERIFY(retrieve({"--mute-groups", "3"})["error"].get<std::string>().find("--mute-groups") != std::string::npos);
    std::ofstream(file("object.json")) << R"({"5": 3})";
    const Json heavier = retrieve({"--weights", file("object.json"), "--heads", "5"});
    QCOMPARE(heavier["queries"][0]["results"][0]["votes"].get<double>(), 3.0);
    QCOMPARE(heavier["queries"][0]["results"][0]["document"], muted["queries"][0]["results"][0]["document"]);
    std::ofstream(file("short.json")) << "[1, 2]";
    QVERIFY(retrieve({"--weights", file("short.json")})["error"].get<std::string>().find("8 heads") !=
            std::string::npos);
}

void TestCliRetrieve::queryDocuments()
{
    const QString a = QStringLiteral("a");
    const auto run = runVerb({"retrieve", cache(a), "--query-document", "d7", "--strategy", "standard", "--documents",
                              "5-40", "--json", "-o", file("found.csv")});
    QVERIFY2(run.code == 0, run.err.c_str());
    const Json results = run.json()["queries"][0]["results"];
    QCOMPARE(results.size(), std::size_t{10});
    for (const Json& result : results)
    {
        const auto document = result["document"].get<int>();
        QVERIFY(document != 7 && document >= 5 && document <= 40);
        QCOMPARE(result["id"].get<std::string>(), "d" + std::to_string(document));
    }
    QVERIFY(!run.json().contains("metrics"));
    const auto table = runVerb({"retrieve", cache(a), "--query-document", "d7"});
    QVERIFY(table.out.find("votes") != std::string::npos);
    const auto standard = runVerb({"retrieve", cache(a), "--query-document", "d7", "--strategy", "standard"});
    QVERIFY2(standard.out.find("cosine distance") != std::string::npos, standard.err.c_str());
    QVERIFY(standard.out.find("id  votes") == std::string::npos);
}

/// The cache asked with itself, also under another name: nothing finds itself, nor counts as relevant to itself.
void TestCliRetrieve::queriesOfTheSameCache()
{
    const std::string searched = cache(QStringLiteral("a"));
    const std::string copy = file("copy.h5");
    std::filesystem::copy_file(searched, copy);
    std::ofstream(file("own.jsonl")) << R"({"id": "d3", "relevant": ["d3"]})"
                                        "\n"
                                     << R"({"id": "d4", "relevant": ["d4", "d5"]})"
                                        "\n";
    for (const std::string& asking : {searched, copy})
    {
        const auto run = runVerb({"retrieve", searched, "--queries", asking, "--strategy", "standard", "--top", "1",
                                  "--relevant", file("own.jsonl"), "--json"});
        QVERIFY2(run.code == 0, run.err.c_str());
        const Json json = run.json();
        QCOMPARE(json["self_left_out"], true);
        for (std::size_t query = 0; query < json["queries"].size(); ++query)
            QVERIFY(json["queries"][query]["results"][0]["document"] != query);
        QCOMPARE(json["metrics"]["queries"], 1); // the other one has itself alone
        QVERIFY(run.err.find("--include-self") != std::string::npos);
    }
    const auto run = runVerb({"retrieve", searched, "--queries", copy, "--strategy", "standard", "--top", "1",
                              "--include-self", "--json", "--relevant", file("own.jsonl")});
    QVERIFY2(run.code == 0, run.err.c_str());
    QCOMPARE(run.json()["self_left_out"], false);
    QCOMPARE(run.json()["queries"][7]["results"][0]["document"], 7);
    QCOMPARE(run.json()["metrics"]["queries"], 2);
    const auto other = runVerb({"retrieve", searched, "--queries", queries(QStringLiteral("a")), "--json"});
    QCOMPARE(other.json()["self_left_out"], false);
    QVERIFY(!other.json().contains("same_label")); // nobody knows the labels of these queries
}

void TestCliRetrieve::resultsOfTheSameLabelStandBesideChance()
{
    const std::string searched = cache(QStringLiteral("a"));
    const auto run = runVerb({"retrieve", searched, "--queries", searched, "--top", "3", "--json"});
    QVERIFY2(run.code == 0, run.err.c_str());
    const Json json = run.json();
    const Json& same = json["same_label"];
    QVERIFY2(same.contains("share"), json["same_label"].dump().c_str());
    // Counted again from what was printed.
    const auto labels = test::goldenLabels(test::GoldenFile(test::golden("analysis/heads.h5")), "a/cache/label");
    double sum = 0;
    double chance = 0;
    int asked = 0;
    for (std::size_t query = 0; query < json["queries"].size(); ++query)
    {
        const std::int32_t own = labels[query];
        int known = 0;
        int equal = 0;
        for (const Json& result : json["queries"][query]["results"])
        {
            const std::int32_t label = labels[result["document"].get<std::size_t>()];
            known += label >= 0 ? 1 : 0;
            equal += label == own ? 1 : 0;
        }
        if (own < 0 || known == 0)
            continue;
        ++asked;
        sum += static_cast<double>(equal) / known;
        const auto labelled = std::ranges::count_if(labels, [](std::int32_t label) { return label >= 0; });
        chance += static_cast<double>(std::ranges::count(labels, own) - 1) / static_cast<double>(labelled - 1);
    }
    QVERIFY(asked >= 10);
    QCOMPARE(same["queries"].get<int>(), asked);
    QVERIFY(std::abs(same["share"].get<double>() - sum / asked) < 1e-12);
    QVERIFY(std::abs(same["chance"].get<double>() - chance / asked) < 1e-12);
    QVERIFY(same["ci95"][0].get<double>() <= same["share"].get<double>());
    const auto shown = runVerb({"retrieve", searched, "--queries", searched, "--top", "3"});
    for (const char* part : {"by chance", "jackknife by document", "left out as query and as result", "Votes: sum of",
                             "Votes are not probabilities"})
        QVERIFY2(shown.out.find(part) != std::string::npos, part);
    const auto one = runVerb({"retrieve", searched, "--query-document", "d0", "--top", "3", "--json"});
    QVERIFY(one.json()["same_label"]["ci95"].is_null()); // a single query
}

std::string TestCliRetrieve::script(const std::string& name, const std::string& lines) const
{
    const std::string path = file(name);
    std::ofstream(path) << "#!/bin/sh\n" << lines;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
}

void TestCliRetrieve::ranksCountAsPeopleDo()
{
    const std::string csv = file("ranks.csv");
    const auto run =
        runVerb({"retrieve", cache(QStringLiteral("a")), "--query-document", "d0", "--top", "2", "-o", csv});
    QVERIFY2(run.code == 0, run.err.c_str());
    // Printed, the first is 1; in the file ranks count from 0, as rows do.
    std::istringstream text(run.out);
    std::vector<std::string> ranks;
    for (std::string line; std::getline(text, line);)
    {
        std::istringstream words(line);
        std::string query;
        std::string rank;
        if (words >> query >> rank && query == "d0")
            ranks.push_back(rank);
    }
    QCOMPARE(ranks, (std::vector<std::string>{"1", "2"}));
    std::ifstream file(csv);
    std::string header;
    std::string first;
    std::getline(file, header);
    std::getline(file, first);
    QVERIFY2(first.starts_with("d0,0,"), first.c_str());
}

void TestCliRetrieve::aTextIsEmbeddedAsTheCacheWas()
{
    JobContext job;
    InputOptions options;
    options.cache = cache(QStringLiteral("a"));
    const auto input = openCacheInput(options, job);
    HEADSCOPE_VERIFY_OK(input);
    const auto searched = cli::loadSearchVectors(*input->cache, LayerIndex(0), Stage::HeadOutput, job);
    HEADSCOPE_VERIFY_OK(searched);
    // Keeps what it was given, and hands back vectors made before.
    const std::string engine = script("engine", "echo \"$@\" > " + file("said") + "\ncat > " + file("text") + "\ncp " +
                                                    queries(QStringLiteral("a")) + " \"$5\"\n");
    const auto found = cli::queryText("What is \"love\"?", "MODEL", "Query: ", engine, *input, *searched, job);
    HEADSCOPE_VERIFY_OK(found);
    QCOMPARE(found->vectors.heads->documents(), 20);
    QVERIFY(found->sameAs.empty());
    std::ifstream text(file("text"));
    Json line;
    text >> line;
    QCOMPARE(line["text"].get<std::string>(), std::string("What is \"love\"?"));
    std::ifstream said(file("said"));
    std::string arguments;
    std::getline(said, arguments);
    QVERIFY2(arguments.starts_with("extract MODEL - -o "), arguments.c_str());
    QVERIFY2(arguments.find("--stages 1,3 --layers 0") != std::string::npos, arguments.c_str());
    QVERIFY2(arguments.find("--prompt Query: ") != std::string::npos, arguments.c_str());
}

/// Queries stand where the searched vectors do: before the final norm or after it, and never one of each.
void TestCliRetrieve::queriesStandOnTheSameSideOfTheFinalNorm()
{
    JobContext job;
    CacheContents contents = test::tellingContents();
    const std::string normed = file("normed.h5");
    const std::string raw = file("raw.h5");
    HEADSCOPE_VERIFY_OK(writeCache(normed, contents, NumberType::F32, job));
    contents.header.model.lastLayerRaw = true;
    HEADSCOPE_VERIFY_OK(writeCache(raw, contents, NumberType::F32, job));
    QCOMPARE(runVerb({"retrieve", raw, "--queries", raw}).code, 0);
    const auto mixed = runVerb({"retrieve", raw, "--queries", normed});
    QCOMPARE(mixed.code, 3);
    QVERIFY2(mixed.err.find("expected stage 3 of the last layer to be taken before the final norm") !=
                 std::string::npos,
             mixed.err.c_str());
    QVERIFY2(mixed.err.find("--last-layer raw") != std::string::npos, mixed.err.c_str());
    // A text is embedded as the cache was.
    InputOptions options;
    for (const std::string& path : {normed, raw})
    {
        options.cache = path;
        const auto input = openCacheInput(options, job);
        HEADSCOPE_VERIFY_OK(input);
        const auto searched = cli::loadSearchVectors(*input->cache, LayerIndex(1), Stage::HeadOutput, job);
        HEADSCOPE_VERIFY_OK(searched);
        const std::string engine = script("engine", "echo \"$@\" > " + file("said") + "\ncat > " + file("text") +
                                                        "\ncp " + path + " \"$5\"\n");
        HEADSCOPE_VERIFY_OK(cli::queryText("a text", "MODEL", {}, engine, *input, *searched, job));
        std::ifstream said(file("said"));
        std::string arguments;
        std::getline(said, arguments);
        QCOMPARE(arguments.find("--last-layer raw") != std::string::npos, path == raw);
    }
    const auto heading = [&](const std::string& path) { return runVerb({"match", path, "--stage", "3"}).out; };
    QVERIFY2(heading(raw).starts_with("layer 1, stage 3 (segments, before the final norm)"), heading(raw).c_str());
    QVERIFY2(heading(normed).starts_with("layer 1, stage 3 (segments, after the final norm)"), heading(normed).c_str());
    QCOMPARE(runVerb({"match", raw, "--stage", "3", "--json"}).json()["parameters"]["last_layer"].get<std::string>(),
             std::string("raw"));
    QVERIFY(!runVerb({"match", raw, "--json"}).json()["parameters"].contains("last_layer")); // stage 1
}

void TestCliRetrieve::theEngineSaysWhatWentWrong()
{
    JobContext job;
    const auto refused = cli::runEngine(
        script("refuses", "echo 'headscope-engine: MODEL: no such model' >&2\nexit 3\n"), {"extract"}, "", job);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, ErrorCode::BadFormat);
    QCOMPARE(refused.error().message, std::string("MODEL: no such model"));
    const auto none = cli::runEngine(file("nowhere"), {"extract"}, "", job);
    QVERIFY(!none);
    QCOMPARE(none.error().code, ErrorCode::Resource);
    const auto run = runVerb({"retrieve", cache(QStringLiteral("a")), "--query", "x", "--model", "m"});
    QVERIFY(run.code != 0);
}

void TestCliRetrieve::badInput()
{
    const QString a = QStringLiteral("a");
    QCOMPARE(runVerb({"retrieve", cache(a)}).code, 2);
    QCOMPARE(runVerb({"retrieve", cache(a), "--query", "x"}).code, 2);
    QCOMPARE(runVerb({"retrieve", cache(a), "--queries", queries(a), "--query-document", "d1"}).code, 2);
    QCOMPARE(runVerb({"retrieve", cache(a), "--query-document", "d1", "--top", "0"}).code, 2);
    QCOMPARE(runVerb({"retrieve", cache(a), "--query-document", "nobody"}).code, 3);
    QCOMPARE(runVerb({"retrieve", cache(a), "--queries", queries(QStringLiteral("b"))}).code, 3);
    std::ofstream(file("unknown.jsonl")) << "\n"
                                         << R"({"id": "q1", "relevant": ["d1", "x9"]})"
                                         << "\n";
    const auto unknown = runVerb({"retrieve", cache(a), "--queries", queries(a), "--relevant", file("unknown.jsonl")});
    QCOMPARE(unknown.code, 3);
    QVERIFY2(unknown.err.find("line 2: expected ids of documents, found \"x9\"") != std::string::npos,
             unknown.err.c_str());
}

HEADSCOPE_TEST_GUILESS(TestCliRetrieve)
#include "tst_cli_retrieve.moc"

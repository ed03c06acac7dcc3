// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli/cli_fixture.h"
#include "tests/app/golden_cache.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <cmath>
#include <fstream>

using namespace headscope;
using test::runVerb;
using Json = nlohmann::json;

namespace
{

std::vector<double> numbers(const Json& list, const char* key)
{
    std::vector<double> found;
    for (const Json& each : list)
        found.push_back(each[key].is_null() ? std::nan("") : each[key].get<double>());
    return found;
}

std::vector<double> flat(const Json& matrix)
{
    std::vector<double> found;
    for (const Json& row : matrix)
        for (const Json& value : row)
            found.push_back(value.get<double>());
    return found;
}

bool isNear(double a, double b, double tolerance)
{
    return std::abs(a - b) <= tolerance;
}

std::string firstLine(const std::string& path)
{
    std::ifstream stream(path);
    std::string line;
    std::getline(stream, line);
    return line;
}

} // namespace

class TestCliAnalyses : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void matchEqualsGolden_data() { addCaches(); }
    void matchEqualsGolden();
    void poolings();
    void merge();
    void headsEqualGolden_data() { addCaches(); }
    void headsEqualGolden();
    void headsOfChoices();
    void headsFiles();
    void pruneEqualsGolden_data() { addCaches(); }
    void pruneEqualsGolden();
    void pruneChoices();
    void qualityEqualsGolden();
    void qualityOfCaches();

private:
    static void addCaches()
    {
        QTest::addColumn<QString>("group");
        QTest::newRow("a") << QStringLiteral("a");
        QTest::newRow("b") << QStringLiteral("b");
    }
    [[nodiscard]] std::string file(const std::string& name) const { return m_folder.file(name).string(); }
    /// A cache of topics.h5 or pruning.h5, and one of heads.h5.
    [[nodiscard]] std::string cache(const QString& group) const { return file(group.toStdString() + ".h5"); }
    [[nodiscard]] std::string standard(const QString& group) const
    {
        return file("standard-" + group.toStdString() + ".h5");
    }

    test::TemporaryFolder m_folder;
    std::string m_telling;
};

void TestCliAnalyses::initTestCase()
{
    m_telling = file("telling.h5");
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(m_telling, test::tellingContents(), NumberType::F32, job));
    const test::GoldenFile topics(test::golden("analysis/topics.h5"));
    const test::GoldenFile heads(test::golden("analysis/heads.h5"));
    for (const char* group : {"a", "b"})
    {
        const QString name = QString::fromLatin1(group);
        HEADSCOPE_VERIFY_OK(test::writeGoldenCache(cache(name), topics, group));
        HEADSCOPE_VERIFY_OK(test::writeGoldenCache(standard(name), heads, group));
    }
}

void TestCliAnalyses::matchEqualsGolden()
{
    QFETCH(QString, group);
    const test::GoldenFile truth(test::golden("analysis/topics.h5"));
    const auto shares = truth.doubles(group.toStdString() + "/match/share");
    const auto run = runVerb(
        {"match", cache(group), "--k", "1,2,3,5,10", "--json", "-o", file("match-" + group.toStdString() + ".csv")});
    QVERIFY2(run.code == 0, run.err.c_str());
    const Json json = run.json();
    QCOMPARE(json["documents"].get<std::int64_t>(), truth.integers(group.toStdString() + "/match/labelled")[0]);
    const char* const keys[] = {"top1", "top2", "top3", "top5", "top10"};
    for (std::size_t k = 0; k < 5; ++k)
    {
        QVERIFY(isNear(json["full"][keys[k]].get<double>(), shares[k], 1e-12));
        const auto heads = numbers(json["heads"], keys[k]);
        for (std::size_t head = 0; head < heads.size(); ++head)
            QVERIFY(isNear(heads[head], shares[(1 + head) * 5 + k], 1e-12));
        const Json& interval = json["full"]["ci95"][keys[k]];
        QVERIFY(interval[0].get<double>() <= shares[k] && shares[k] <= interval[1].get<double>());
        QVERIFY(interval[1].get<double>() - interval[0].get<double>() < 0.2);
    }
    QCOMPARE(firstLine(file("match-" + group.toStdString() + ".csv")).substr(0, 29),
             std::string("row,top 1,low 1,high 1,top 2,"));
}

void TestCliAnalyses::poolings()
{
    const QString a = QStringLiteral("a");
    const auto pooled = [&](const std::string& pool, const std::vector<std::string>& more = {}) {
        std::vector<std::string> arguments = {"match", cache(a), "--pool", pool, "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto run = runVerb(arguments);
        return run.code == 0 ? run.json() : Json{{"error", run.err}};
    };
    // The full vector of this cache is its heads one after another.
    const Json concat = pooled("concat");
    QVERIFY2(!concat.contains("error"), concat.dump().c_str());
    QCOMPARE(concat["pool"]["name"].get<std::string>(), std::string("concat"));
    QCOMPARE(concat["pool"]["top1"], concat["full"]["top1"]);
    QCOMPARE(concat["pool"]["top5"], concat["full"]["top5"]);
    // All heads are the best ones; one is the best head itself.
    QCOMPARE(pooled("best:8")["pool"]["top1"], concat["full"]["top1"]);
    const Json best = pooled("best:1");
    const auto tops = numbers(best["heads"], "top1");
    const auto at = std::max_element(tops.begin(), tops.end());
    QCOMPARE(best["pool"]["heads"], Json::array({at - tops.begin() + 1}));
    QCOMPARE(best["pool"]["top1"].get<double>(), *at);
    // The mean of one head is that head, and so is its weighted mean and that of its group.
    for (const char* pool : {"mean", "score", "groups"})
    {
        const Json one = pooled(pool, {"--heads", "3"});
        QVERIFY2(!one.contains("error"), one.dump().c_str());
        QCOMPARE(one["pool"]["top1"], one["heads"][0]["top1"]);
        QVERIFY(pooled(pool)["pool"]["top1"].get<double>() <= 1);
    }
    QCOMPARE(runVerb({"match", cache(a), "--pool", "best:9"}).code, 3);
    QCOMPARE(runVerb({"match", cache(a), "--pool", "best:0"}).code, 2);
    QCOMPARE(runVerb({"match", cache(a), "--pool", "sum"}).code, 2);
}

void TestCliAnalyses::merge()
{
    const auto path = file("labels.json");
    const auto run = runVerb({"similarity", m_telling, "--merge", "0.5", "-o", path, "--json"});
    QVERIFY2(run.code == 0, run.err.c_str());
    const Json json = run.json();
    QCOMPARE(json["merged"].size(), std::size_t{3});
    QCOMPARE(json["merged"]["topic b"].get<std::string>(), std::string("topic a/topic b/topic c"));
    // What was written can be applied.
    const auto applied = runVerb({"match", m_telling, "--label-map", path, "--k", "1", "--json"});
    QVERIFY2(applied.code == 0, applied.err.c_str());
    QCOMPARE(applied.json()["topics"].get<int>(), 1);
    QCOMPARE(applied.json()["full"]["top1"].get<double>(), 1.0);
    const auto none = runVerb({"similarity", m_telling, "--merge", "1.1", "--json"});
    QCOMPARE(none.json()["merged"]["topic b"].get<std::string>(), std::string("topic b"));
}

void TestCliAnalyses::headsEqualGolden()
{
    QFETCH(QString, group);
    const std::string name = group.toStdString();
    const test::GoldenFile heads(test::golden("analysis/heads.h5"));
    const test::GoldenFile topics(test::golden("analysis/topics.h5"));
    const auto run = runVerb({"heads", cache(group), "--json"});
    QVERIFY2(run.code == 0, run.err.c_str());
    const Json json = run.json();
    const Json& list = json["heads"];
    QVERIFY(test::relmax(numbers(list, "mean_norm"), heads.doubles(name + "/stats/mean_norm")) <= 1e-11);
    QVERIFY(test::absmax(numbers(list, "spread"), heads.doubles(name + "/stats/mean_cosine_distance")) <= 1e-11);
    QVERIFY(test::relmax(numbers(list, "score"), heads.doubles(name + "/stats/score")) <= 1e-11);
    QVERIFY(test::absmax(flat(json["redundancy"]["cka"]), heads.doubles(name + "/redundancy/cka")) <= 1e-11);
    QVERIFY(test::absmax(flat(json["redundancy"]["mean_cosine"]),
                         heads.doubles(name + "/redundancy/mean_vector_cosine")) <= 1e-11);
    QVERIFY(test::absmax(flat(json["redundancy"]["neighbor_overlap"]),
                         heads.doubles(name + "/redundancy/overlap10_cosine")) <= 1e-11);
    const auto tail = [](const std::vector<double>& all) { return std::vector<double>(all.begin() + 1, all.end()); };
    const std::string map = name + "/heatmap/all";
    QVERIFY(test::absmax(numbers(list, "mean_similarity"), tail(topics.doubles(map + "/mean"))) <= 1e-12);
    QVERIFY(test::absmax(numbers(list, "sd_similarity"), tail(topics.doubles(map + "/sd"))) <= 1e-12);
    QVERIFY(test::absmax(numbers(list, "selectivity"), tail(topics.doubles(map + "/eta2"))) <= 1e-11);
    QVERIFY(test::absmax(numbers(list, "follows_full"), topics.doubles(map + "/spearman_mean")) <= 1e-10);
    const auto shares = topics.doubles(name + "/match/share");
    for (std::size_t head = 0; head < list.size(); ++head)
    {
        QVERIFY(isNear(list[head]["match"].get<double>(), shares[(1 + head) * 5], 1e-12));
        QCOMPARE(list[head]["head"].get<std::size_t>(), head + 1);
    }
    const auto groups = static_cast<std::size_t>(heads.integers(name + "/cache/KV")[0]);
    QCOMPARE(list.back()["group"].get<std::size_t>(), groups);
}

void TestCliAnalyses::headsOfChoices()
{
    const QString a = QStringLiteral("a");
    const Json all = runVerb({"heads", cache(a), "--json"}).json();
    const auto run = runVerb({"heads", cache(a), "--heads", "2,5", "--json"});
    QVERIFY2(run.code == 0, run.err.c_str());
    const Json two = run.json();
    QCOMPARE(two["heads"].size(), std::size_t{2});
    QCOMPARE(two["heads"][1], all["heads"][4]);
    QVERIFY(isNear(two["redundancy"]["cka"][0][1].get<double>(), all["redundancy"]["cka"][1][4].get<double>(), 1e-12));
    const auto few = runVerb({"heads", cache(a), "--documents", "0", "--json"});
    QVERIFY2(few.code == 0, few.err.c_str());
    QVERIFY(few.json()["redundancy"].is_null());
    QVERIFY(few.err.find("redundancy is left out") != std::string::npos);
}

void TestCliAnalyses::headsFiles()
{
    const QString a = QStringLiteral("a");
    const auto table = runVerb({"heads", cache(a), "-o", file("heads.csv")});
    QVERIFY2(table.code == 0, table.err.c_str());
    QVERIFY(table.out.find("follows full") != std::string::npos);
    QVERIFY(firstLine(file("heads.csv")).starts_with("head,group,mean norm,spread,score,"));
    QCOMPARE(runVerb({"heads", cache(a), "-o", file("heads.tex")}).code, 0);
    QCOMPARE(firstLine(file("heads.tex")), std::string("\\begin{tabular}{rrrrrrrrrrrlr}"));
    const auto written = runVerb({"heads", cache(a), "-o", file("heads.h5")});
    QVERIFY2(written.code == 0, written.err.c_str());
    const test::GoldenFile found(file("heads.h5"));
    QCOMPARE(found.shape("/heads/redundancy/cka"), (std::vector<std::int64_t>{8, 8}));
    QCOMPARE(found.shape("/heads/plane/cka"), (std::vector<std::int64_t>{8, 2}));
    const test::GoldenFile truth(test::golden("analysis/heads.h5"));
    QVERIFY(test::relmax(found.doubles("/heads/score"), truth.doubles("a/stats/score")) <= 1e-11);
    QCOMPARE(runVerb({"heads", cache(a), "-o", file("heads.h5")}).code, 2);
    QCOMPARE(runVerb({"heads", cache(a), "-o", file("heads.doc")}).code, 2);
}

void TestCliAnalyses::pruneEqualsGolden()
{
    QFETCH(QString, group);
    const std::string name = group.toStdString();
    const test::GoldenFile truth(test::golden("analysis/pruning.h5"));
    const auto labelled = static_cast<double>(truth.integers(name + "/labelled")[0]);
    const auto prune = [&](const char* units, const char* measure, const char* order) {
        const auto run =
            runVerb({"prune", cache(group), "--units", units, "--measure", measure, "--order", order, "--json"});
        return run.code == 0 ? run.json() : Json{{"error", run.err}};
    };
    const char* const measures[] = {"match1", "match5"};
    for (std::size_t m = 0; m < 2; ++m)
    {
        const Json single = prune("heads", measures[m], "single");
        QVERIFY2(!single.contains("error"), single.dump().c_str());
        const auto full = static_cast<double>(truth.integers(name + "/full_hits")[m]);
        QVERIFY(isNear(single["baseline"].get<double>(), full / labelled, 1e-12));
        const auto without = truth.doubles(name + "/without_head_share");
        const auto values = numbers(single["steps"], "value");
        QCOMPARE(values.size() * 2, without.size());
        for (std::size_t head = 0; head < values.size(); ++head)
            QVERIFY(isNear(values[head], without[2 * head + m], 1e-12));
        QCOMPARE(single["steps"][0]["removed"].get<int>(), 1);
        const Json groups = prune("groups", measures[m], "single");
        const auto groupShares = truth.doubles(name + "/without_group_share");
        for (std::size_t unit = 0; unit < groups["steps"].size(); ++unit)
            QVERIFY(isNear(groups["steps"][unit]["value"].get<double>(), groupShares[2 * unit + m], 1e-12));
    }
    struct Case
    {
        const char* units;
        const char* measure;
        const char* recorded;
    };
    for (const Case& each : {Case{"heads", "match1", "/greedy_top1"}, Case{"heads", "match5", "/greedy_top5"},
                             Case{"groups", "match5", "/greedy_groups_top5"}})
    {
        const Json greedy = prune(each.units, each.measure, "backward");
        const auto order = truth.integers(name + each.recorded + "/order");
        const auto hits = truth.integers(name + each.recorded + "/hits");
        QCOMPARE(greedy["steps"].size() + 1, order.size());
        for (std::size_t step = 0; step + 1 < order.size(); ++step)
        {
            QCOMPARE(greedy["steps"][step]["removed"].get<std::int64_t>(), order[step] + 1);
            QVERIFY(isNear(greedy["steps"][step]["value"].get<double>(), static_cast<double>(hits[step + 1]) / labelled,
                           1e-12));
        }
    }
}

void TestCliAnalyses::pruneChoices()
{
    const QString a = QStringLiteral("a");
    const auto forward =
        runVerb({"prune", cache(a), "--order", "forward", "--measure", "match1", "--json", "-o", file("prune.csv")});
    QVERIFY2(forward.code == 0, forward.err.c_str());
    const Json json = forward.json();
    QCOMPARE(json["steps"].size(), std::size_t{8});
    QVERIFY(json["steps"][0]["removed"].is_null());
    QCOMPARE(json["steps"][7]["value"], json["baseline"]);
    QCOMPARE(json["steps"][7]["kv_bytes_saved"].get<int>(), 0);
    QCOMPARE(firstLine(file("prune.csv")), std::string("added,value,change,parameters saved,kv bytes saved,front"));
    const Json groups = runVerb({"prune", cache(a), "--units", "groups", "--json"}).json();
    QCOMPARE(groups["steps"][0]["kv_bytes_saved"].get<int>(), 2 * 12 * 2); // key and value of 12 numbers, 2 bytes each
    const auto single = runVerb({"prune", cache(a)});
    QVERIFY(single.out.find("A single head saves no cache: 4 heads share one") != std::string::npos);
    const auto refused = runVerb({"prune", cache(a), "--measure", "retrieval"});
    QCOMPARE(refused.code, 2);
    QVERIFY(refused.err.find("--relevant: expected a file of relevant documents") != std::string::npos);
    QCOMPARE(runVerb({"prune", cache(a), "--heads", "1-3"}).code, 2);
    QCOMPARE(runVerb({"prune", cache(a), "--measure", "luck"}).code, 2);
}

void TestCliAnalyses::qualityEqualsGolden()
{
    const std::string golden = test::golden("analysis/tsne.h5").string();
    const test::GoldenFile truth(golden);
    const auto run =
        runVerb({"quality", "--vectors", golden + ":/data/X", "--map", golden + ":/quality/embedding", "--json"});
    QVERIFY2(run.code == 0, run.err.c_str());
    const Json json = run.json();
    const auto k = truth.integers("quality/k");
    const auto ten = static_cast<std::size_t>(std::find(k.begin(), k.end(), 10) - k.begin());
    QVERIFY(ten < k.size());
    QVERIFY(isNear(json["trustworthiness"].get<double>(), truth.doubles("quality/trustworthiness")[ten], 1e-10));
    QVERIFY(isNear(json["continuity"].get<double>(), truth.doubles("quality/continuity")[ten], 1e-10));
    QVERIFY(isNear(json["knn10"].get<double>(), truth.doubles("quality/knn_kept")[ten], 1e-10));
    QVERIFY(isNear(json["spearman"].get<double>(), truth.doubles("quality/cpd_all")[0], 1e-10));
    QCOMPARE(json["sampled"].get<int>(), 600);
    const auto withClasses = runVerb({"quality", "--vectors", golden + ":/data/X", "--map",
                                      golden + ":/quality/embedding", "--labels", golden + ":/data/label", "--json"});
    QVERIFY2(withClasses.code == 0, withClasses.err.c_str());
    QCOMPARE(withClasses.json()["class_means"]["k"].get<int>(), 6); // of 12 classes
    QVERIFY(withClasses.json()["class_means"]["kept"].get<double>() > 0.3);
    // The recorded probabilities have perplexity 30 and 90 neighbours, as the verb takes them.
    QCOMPARE(truth.doubles("knn/perplexity")[0], 30.0);
    const auto at =
        runVerb({"quality", "--vectors", golden + ":/data/X", "--map", golden + ":/at/scale20/Y", "--json"});
    QVERIFY2(at.code == 0, at.err.c_str());
    const double kl = truth.doubles("at/scale20/knn/kl")[0];
    QVERIFY(isNear(at.json()["kl_exact"].get<double>(), kl, 1e-8 * kl));
    const auto wrong =
        runVerb({"quality", "--vectors", golden + ":/toy/X", "--map", golden + ":/quality/embedding", "--json"});
    QCOMPARE(wrong.code, 3);
    QVERIFY(wrong.err.find("expected a map of shape [8, 2], found [600, 2]") != std::string::npos);
}

void TestCliAnalyses::qualityOfCaches()
{
    const auto map = file("map.h5");
    const auto made = runVerb({"tsne", m_telling, "--stage", "3", "--heads", "1-2", "--documents", "0-39",
                               "--iterations", "60", "--perplexity", "10", "-o", map});
    QVERIFY2(made.code == 0, made.err.c_str());
    const auto quality = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {"quality",      m_telling, "--map", map + ":/maps/map/xy",
                                              "--perplexity", "10",      "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runVerb(arguments);
    };
    const auto named = quality({"--stage", "3"});
    QVERIFY2(named.code == 0, named.err.c_str());
    QCOMPARE(named.json()["sampled"].get<int>(), 80);
    QVERIFY(named.json()["knn10"].get<double>() > 0.2);
    QVERIFY(named.json()["class_means"].is_null()); // two heads
    const auto chosen = quality({"--stage", "3", "--heads", "1-2", "--documents", "0-39"});
    QCOMPARE(chosen.json(), named.json());
    QCOMPARE(quality({"--stage", "3", "--sample", "20"}).json()["sampled"].get<int>(), 20);
    QCOMPARE(quality({"--stage", "1"}).code, 3);
    QCOMPARE(quality({"--stage", "3", "--heads", "1"}).code, 3);
}

HEADSCOPE_TEST_GUILESS(TestCliAnalyses)
#include "tst_cli_analyses.moc"

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
    void centroidsAndNulls();
    void merge();
    void headsEqualGolden_data() { addCaches(); }
    void headsEqualGolden();
    void headsOfChoices();
    void headsStandBesideTheirNulls();
    void followsLeavesTheSegmentOut();
    void headsFiles();
    void pruneEqualsGolden_data() { addCaches(); }
    void pruneEqualsGolden();
    void pruneChoices();
    void noIntervalOfWhatChangedNothing();
    void qThatCannotFallIsSaid();
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
        const bool certain = std::ranges::find(json["certain"], Json(keys[k])) != json["certain"].end();
        QCOMPARE(interval.is_null(), certain); // with all topics among the k nearest nothing could be otherwise
        if (certain)
            continue;
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
    // All of them are no choice: interval and p are there.
    QVERIFY(!pooled("best:8")["pool"]["ci95"]["top1"].is_null());
    QVERIFY(pooled("all")["pools"].size() == 5);
    const std::string encoder = test::source("resources/demo/demo-minilm.h5").string(); // a group is a head
    const auto run = runVerb({"match", encoder, "--stage", "1", "--pool", "all", "--permutations", "0", "--json"});
    QVERIFY2(run.code == 0, run.err.c_str());
    QCOMPARE(run.json()["pools"].size(), std::size_t{4});
    QCOMPARE(runVerb({"match", cache(a), "--pool", "best:9"}).code, 3);
    QCOMPARE(runVerb({"match", cache(a), "--pool", "best:0"}).code, 2);
    QCOMPARE(runVerb({"match", cache(a), "--pool", "sum"}).code, 2);
}

void TestCliAnalyses::centroidsAndNulls()
{
    const QString a = QStringLiteral("a");
    const auto match = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {"match", cache(a), "--json", "--pool", "concat,best:2"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto run = runVerb(arguments);
        return run.code == 0 ? run.json() : Json{{"error", run.err}};
    };
    const Json names = match({});
    QVERIFY2(!names.contains("error"), names.dump().c_str());
    QCOMPARE(names["topic_vectors"].get<std::string>(), std::string("names"));
    QCOMPARE(names["ci95_method"].get<std::string>(), std::string("Wilson"));
    QCOMPARE(names["chance"]["top1"].get<double>(), 1.0 / names["topics"].get<double>());
    QCOMPARE(names["permutations"], 999);
    for (const Json& head : names["heads"])
    {
        QVERIFY(head["p"]["top1"].get<double>() >= 1.0 / 1000 && head["p"]["top1"].get<double>() <= 1);
        QVERIFY(head["q"]["top1"].get<double>() >= head["p"]["top1"].get<double>());
        QVERIFY(std::abs(head["null_mean"]["top1"].get<double>() - names["chance"]["top1"].get<double>()) < 0.1);
    }
    QVERIFY(names["pools"][0].contains("p"));
    QVERIFY(!names["pools"][1].contains("p")); // chosen by the same labels
    QVERIFY(names["pools"][1]["ci95"]["top1"].is_null());
    const Json centroids = match({"--topic-vectors", "centroids"});
    QVERIFY2(!centroids.contains("error"), centroids.dump().c_str());
    QVERIFY(centroids["topic_vectors"].get<std::string>().find("without the compared document") != std::string::npos);
    QCOMPARE(centroids["parameters"]["topic_vectors"].get<std::string>(), std::string("centroids"));
    QVERIFY(centroids["full"]["top1"] != names["full"]["top1"]);
    // The full vector of this cache is its heads one after another: pooled, they have the same centroids.
    QCOMPARE(centroids["pools"][0]["top1"], centroids["full"]["top1"]);
    const Json centred = match({"--center", "--permutations", "0"});
    QVERIFY2(!centred.contains("error"), centred.dump().c_str());
    QVERIFY(!centred["full"].contains("p"));
    QVERIFY(centred["topic_vectors"].get<std::string>().find("centred") != std::string::npos);
    const auto heatmap = runVerb({"heatmap", cache(a), "--json"});
    QVERIFY2(heatmap.code == 0, heatmap.err.c_str());
    const Json row = heatmap.json()["rows"][1];
    QVERIFY(row["p"].get<double>() > 0 && row["q"].get<double>() >= row["p"].get<double>());
    QVERIFY(std::isfinite(row["eta2_null_mean"].get<double>()) && std::isfinite(row["contrast"].get<double>()));
    // The heatmap's numbers are of its cells; those of heads are less each topic's mean.
    QVERIFY(heatmap.json()["measures"]["top_topic"].get<std::string>().find("raw") != std::string::npos);
    const auto table = runVerb({"heatmap", cache(a)});
    for (const char* word :
         {"raw eta2", "raw top topic", "contrast p", "contrast q", "top topic kept", "`heads`", "contrast null",
          "contrast low", "contrast high", "raw eta2 p", "spearman low", "spearman high"})
        QVERIFY2(table.out.find(word) != std::string::npos, word);
    QVERIFY(table.out.find("parts of the full vector") == std::string::npos);
    QVERIFY(row["contrast_ci95"][0].get<double>() < row["contrast"].get<double>() &&
            row["contrast"].get<double>() < row["contrast_ci95"][1].get<double>());
    const Json follows = row["spearman_ci95"];
    QVERIFY(follows[0].get<double>() <= row["spearman"].get<double>() &&
            row["spearman"].get<double>() <= follows[1].get<double>());
    const auto untested = runVerb({"heatmap", cache(a), "--permutations", "0"});
    QVERIFY(untested.out.find("contrast p") == std::string::npos && untested.out.find("raw eta2") != std::string::npos);
    const auto segments = runVerb({"heatmap", m_telling, "--stage", "3"});
    QVERIFY2(segments.out.find("parts of the full vector") != std::string::npos, segments.err.c_str());
    const auto whole = runVerb({"similarity", cache(a), "--json"}).json();
    QVERIFY(whole["off_diagonal"]["centred_mean"].is_null());
    const auto atMean = runVerb({"similarity", cache(a), "--center", "--json"}).json();
    QCOMPARE(atMean["off_diagonal"]["centred_mean"].get<double>(),
             -1.0 / (static_cast<double>(atMean["topics"].size()) - 1));
    QVERIFY(runVerb({"similarity", cache(a), "--center"}).out.find("-1 / (topics - 1)") != std::string::npos);
    double sum = 0;
    int pairs = 0;
    for (std::size_t i = 0; i < whole["values"].size(); ++i)
        for (std::size_t j = 0; j < i; ++j, ++pairs)
            sum += whole["values"][i][j].get<double>();
    QCOMPARE(whole["off_diagonal"]["pairs"].get<int>(), pairs);
    QVERIFY(std::abs(whole["off_diagonal"]["mean"].get<double>() - sum / pairs) < 1e-12);
    QVERIFY(runVerb({"similarity", cache(a)}).out.find("pairs of different topics") != std::string::npos);
    QCOMPARE(runVerb({"match", cache(a), "--topic-vectors", "means"}).code, 2);
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
    // The recorded numbers are those of the definitions as they are usually written.
    const auto run =
        runVerb({"heads", cache(group), "--cka", "biased", "--selectivity", "raw", "--follows", "whole", "--json"});
    QVERIFY2(run.code == 0, run.err.c_str());
    const Json json = run.json();
    const Json& list = json["heads"];
    QCOMPARE(json["redundancy"]["method"].get<std::string>(), std::string("biased"));
    QVERIFY(json["redundancy"]["ci95"].is_null());
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
    auto unbiased = tail(topics.doubles(map + "/eta2"));
    const double documents = json["labelled"].get<double>();
    for (double& share : unbiased)
        share = 1 - (1 - share) * (documents - 1) / (documents - json["labels_present"].get<double>());
    QVERIFY(test::absmax(numbers(list, "selectivity_unbiased"), unbiased) <= 1e-11);
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
    QVERIFY(few.err.find("redundancy is omitted") != std::string::npos);
}

/// Every number that labels make stands beside what shuffled labels make.
void TestCliAnalyses::headsStandBesideTheirNulls()
{
    const auto run = runVerb({"heads", m_telling, "--seed", "3", "--json"});
    QVERIFY2(run.code == 0, run.err.c_str());
    const Json json = run.json();
    QCOMPARE(json["permutations"].get<int>(), 999);
    QCOMPARE(json["chance"]["match"].get<double>(), 1.0 / 3);
    QCOMPARE(json["parameters"]["selectivity"].get<std::string>(), std::string("centred"));
    QCOMPARE(json["labels_present"].get<int>(), 3);
    const auto table = runVerb({"heads", m_telling});
    for (const char* word :
         {"selectivity unbiased", "unbiased null", "follows low", "follows high", "not across columns", "`heatmap`"})
        QVERIFY2(table.out.find(word) != std::string::npos, word);
    for (const Json& head : json["heads"])
    {
        for (const char* what : {"selectivity", "selectivity_unbiased", "match", "top_topic"})
        {
            const double p = head["p"][what].get<double>();
            QVERIFY(p >= 1.0 / 1000 && p <= 1 && head["q"][what].get<double>() >= p);
            QVERIFY(head["null_mean"][what].is_number());
        }
        // The part that any labels give is in the one, and mostly taken from the other; both have the same test.
        QVERIFY(head["null_mean"]["selectivity"].get<double>() > 0.005);
        QVERIFY2(std::abs(head["null_mean"]["selectivity_unbiased"].get<double>()) <
                     head["null_mean"]["selectivity"].get<double>(),
                 head["null_mean"].dump().c_str());
        QVERIFY(head["selectivity_unbiased"].get<double>() < head["selectivity"].get<double>());
        QCOMPARE(head["p"]["selectivity_unbiased"], head["p"]["selectivity"]);
        for (const char* what : {"selectivity", "selectivity_unbiased", "match"})
        {
            const Json& interval = head["ci95"][what];
            const double value = head[what].get<double>();
            QVERIFY(interval[0].get<double>() <= value && value <= interval[1].get<double>());
        }
    }
    const Json& redundancy = json["redundancy"];
    QCOMPARE(redundancy["method"].get<std::string>(), std::string("debiased"));
    QVERIFY(redundancy["ci95"][0].get<double>() <= redundancy["mean"].get<double>());
    QVERIFY(redundancy["mean"].get<double>() <= redundancy["ci95"][1].get<double>());
    QCOMPARE(redundancy["ci95_method"].get<std::string>(), std::string("jackknife by document"));
    // The same seed gives the same, for any number of threads.
    QCOMPARE(runVerb({"heads", m_telling, "--seed", "3", "--threads", "3", "--json"}).json()["heads"], json["heads"]);
    const Json none = runVerb({"heads", m_telling, "--permutations", "0", "--json"}).json();
    QVERIFY(none["heads"][0]["p"]["match"].is_null() && none["heads"][0]["ci95"]["match"].is_array());
    // The words are defined under the table.
    const std::string text = runVerb({"heads", m_telling, "--stage", "3"}).out;
    for (const char* word :
         {"spread:", "score:", "evenness:", "selectivity unbiased: Epsilon squared",
          "follows full:", "excludes the segment itself", "labels permuted among the documents", "debiased linear CKA"})
        QVERIFY2(text.find(word) != std::string::npos, word);
    for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--cka", "fair"},
                                                  {"--selectivity", "no"},
                                                  {"--follows", "x"},
                                                  {"--permutations", "-1"}})
        QCOMPARE(runVerb({"heads", m_telling, wrong[0], wrong[1]}).code, 2);
}

/// Rest and whole differ at stage 3 alone.
void TestCliAnalyses::followsLeavesTheSegmentOut()
{
    for (const char* stage : {"1", "2", "3"})
    {
        const auto follows = [&](const char* mode) {
            return numbers(runVerb({"heads", m_telling, "--stage", stage, "--follows", mode, "--json"}).json()["heads"],
                           "follows_full");
        };
        QCOMPARE(follows("rest") != follows("whole"), std::string(stage) == "3");
    }
}

void TestCliAnalyses::headsFiles()
{
    const QString a = QStringLiteral("a");
    const auto table = runVerb({"heads", cache(a), "-o", file("heads.csv")});
    QVERIFY2(table.code == 0, table.err.c_str());
    QVERIFY(table.out.find("follows full") != std::string::npos);
    QVERIFY(firstLine(file("heads.csv")).starts_with("head,group,mean norm,spread,score,"));
    QCOMPARE(runVerb({"heads", cache(a), "-o", file("heads.tex")}).code, 0);
    QCOMPARE(firstLine(file("heads.tex")), std::string("% \\usepackage{booktabs,graphicx} in the preamble"));
    std::ifstream latex(file("heads.tex"));
    const std::string text{std::istreambuf_iterator<char>(latex), {}};
    QVERIFY(text.find("\n\\begin{tabular}{rrrrrrrrrrrrrrrrrrrrrrrlrrrr}\n") != std::string::npos);
    const auto written = runVerb({"heads", cache(a), "-o", file("heads.h5")});
    QVERIFY2(written.code == 0, written.err.c_str());
    const test::GoldenFile found(file("heads.h5"));
    QCOMPARE(found.shape("/heads/redundancy/cka"), (std::vector<std::int64_t>{8, 8}));
    QCOMPARE(found.shape("/heads/plane/cka"), (std::vector<std::int64_t>{8, 2}));
    QCOMPARE(found.shape("/heads/redundancy/cka_low"), (std::vector<std::int64_t>{8, 8}));
    for (const char* column : {"selectivity_low", "selectivity_null", "selectivity_unbiased", "unbiased_low", "match_p",
                               "match_chance", "top_q"})
        QCOMPARE(found.shape(std::string("/heads/") + column), (std::vector<std::int64_t>{8}));
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
        for (const Json& step : single["steps"])
        {
            const double change = step["value"].get<double>() - single["baseline"].get<double>();
            const Json& interval = step["ci95"];
            if (interval.is_null()) // too few documents changed for one
                QVERIFY2(step["changed"].get<int>() < 10, step.dump().c_str());
            else
                QVERIFY(interval[0].get<double>() <= change + 1e-12 && change <= interval[1].get<double>() + 1e-12 &&
                        interval[0].get<double>() < interval[1].get<double>());
            if (step["changed"].get<int>() < 6) // no p of so few can fall below 0.05
                QVERIFY2(step["p"].is_null() && step["q"].is_null(), step.dump().c_str());
            else
                QVERIFY(step["p"].get<double>() > 0 && step["q"].get<double>() >= step["p"].get<double>());
        }
        QCOMPARE(single["validated"]["by_kept"].size(), single["steps"].size());
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

/// Every document is its topic's name: without any head the same are found, in every resample too. That is no
/// certainty.
void TestCliAnalyses::noIntervalOfWhatChangedNothing()
{
    const std::string path = file("nothing changes.h5");
    CacheContents contents = test::tellingContents();
    const auto& names = contents.topics.front().vectors;
    std::vector<float> values;
    for (std::int64_t document = 0; document < contents.documents.count(); ++document)
    {
        const auto name =
            names->values().subspan(static_cast<std::size_t>((document % 3) * names->heads() * names->dims()),
                                    static_cast<std::size_t>(names->heads() * names->dims()));
        values.insert(values.end(), name.begin(), name.end());
    }
    contents.embeddings = {std::make_shared<const HeadVectors>(
        names->stage(), names->layer(), contents.documents.count(), names->heads(), names->dims(), std::move(values))};
    contents.topics.resize(1);
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(path, contents, NumberType::F32, job));
    const std::vector<std::string> words = {"prune",     path,     "--order",    "single",
                                            "--measure", "match1", "--validate", "none"};
    const auto table = runVerb(words);
    QCOMPARE(table.code, 0);
    const std::string row = table.out.substr(table.out.find("\n      1  "));
    QVERIFY2(row.substr(0, row.find('\n', 1)).find("  -  ") != std::string::npos, table.out.c_str());
    QVERIFY2(table.out.find("; -: fewer than 10 labelled documents changed") != std::string::npos, table.out.c_str());
    for (const char* part :
         {"no test", "With fewer than 6 changes, p cannot fall below 0.05", "a p near 1 does not rule out a loss"})
        QVERIFY2(table.out.find(part) != std::string::npos, table.out.c_str());
    auto more = words;
    more.emplace_back("--json");
    for (const Json& step : runVerb(more).json()["steps"])
    {
        QCOMPARE(step["ci95"], Json({nullptr, nullptr}));
        QVERIFY2(step["changed"] == 0 && step["p"].is_null() && step["q"].is_null(), step.dump().c_str());
    }
}

/// Few shuffles against many rows: q says nothing then, whatever there is.
void TestCliAnalyses::qThatCannotFallIsSaid()
{
    for (const char* verb : {"match", "heads"})
    {
        const auto few = runVerb({verb, m_telling, "--permutations", "39"});
        QVERIFY2(few.out.find("With 4 rows and 39 permutations, q cannot fall below 0.1 if only one row differs; "
                              "--permutations 79 allows smaller values.") != std::string::npos,
                 few.out.c_str());
        const auto enough = runVerb({verb, m_telling, "--permutations", "79"});
        QVERIFY2(enough.code == 0 && enough.out.find("cannot fall below") == std::string::npos, enough.out.c_str());
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
    QVERIFY(json["baseline_p"].get<double>() >= 1.0 / 1000 && json["baseline_permutations"].get<int>() == 999);
    QVERIFY(std::abs(json["baseline_null_mean"].get<double>() - json["chance"].get<double>()) < 0.1);
    QCOMPARE(json["steps"][7]["value"], json["baseline"]);
    QCOMPARE(json["steps"][7]["kv_bytes_saved"].get<int>(), 0);
    QCOMPARE(firstLine(file("prune.csv")),
             std::string("added,value,change,parameters saved,kv bytes saved,front,chosen,chosen q2.5,chosen q97.5,"
                         "elsewhere,q2.5,q97.5"));
    const Json groups = runVerb({"prune", cache(a), "--units", "groups", "--json"}).json();
    QCOMPARE(groups["steps"][0]["kv_bytes_saved"].get<int>(), 2 * 12 * 2); // key and value of 12 numbers, 2 bytes each
    QVERIFY(json["steps"][0].contains("validated") && !json["steps"][0].contains("ci95"));
    const Json plain = runVerb({"prune", cache(a), "--order", "backward", "--validate", "none", "--json"}).json();
    QVERIFY(plain["validated"].is_null() && !plain["steps"][0].contains("validated"));
    const auto single = runVerb({"prune", cache(a)});
    QVERIFY2(single.out.find("The model is not run without a head") != std::string::npos, single.out.c_str());
    QVERIFY(single.out.find("Removing a single head does not shrink the KV cache: 4 query heads share one") !=
            std::string::npos);
    const auto refused = runVerb({"prune", cache(a), "--measure", "retrieval"});
    QCOMPARE(refused.code, 2);
    QVERIFY(refused.err.find("--relevant: this measure needs a file of relevant documents") != std::string::npos);
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
    QCOMPARE(withClasses.json()["class_means"]["chance"].get<double>(), 6.0 / 11);
    QVERIFY(withClasses.json()["class_means"]["kept"].get<double>() > 0.3);
    const Json means = withClasses.json()["class_means"];
    QCOMPARE(means["classes"].get<int>(), 12);
    QVERIFY(std::abs(means["null_mean"].get<double>() - 6.0 / 11) < 0.02);
    QVERIFY(means["null_high"] > means["null_mean"] && means["p"] > 0.0 && means["p"] <= 1.0);
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
    QVERIFY(named.json()["class_means"].is_null());                                      // two heads
    QVERIFY(isNear(named.json()["knn10_within_heads"].get<double>(), 10.0 / 39, 1e-12)); // of 40 documents
    const auto chosen = quality({"--stage", "3", "--heads", "1-2", "--documents", "0-39"});
    QCOMPARE(chosen.json(), named.json());
    QCOMPARE(quality({"--stage", "3", "--sample", "20"}).json()["sampled"].get<int>(), 20);
    QCOMPARE(quality({"--stage", "1"}).code, 3);
    QCOMPARE(quality({"--stage", "3", "--heads", "1"}).code, 3);
}

HEADSCOPE_TEST_GUILESS(TestCliAnalyses)
#include "tst_cli_analyses.moc"

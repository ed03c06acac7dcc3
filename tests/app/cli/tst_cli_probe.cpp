// SPDX-License-Identifier: GPL-3.0-or-later
// The probe verb beyond its plain run: sweeps over layers, the files it writes, data that is off.
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>

using namespace headscope;
using test::runVerb;
using Json = nlohmann::json;

namespace
{

std::string contentsOf(const std::string& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

/// Other numbers in the place of some head vectors.
std::shared_ptr<const HeadVectors> spoiled(const HeadVectors& vectors, std::int64_t head, std::int64_t documents,
                                           float value)
{
    std::vector<float> values(vectors.values().begin(), vectors.values().end());
    for (std::int64_t document = 0; document < documents; ++document)
    {
        const auto begin = values.begin() + (document * vectors.heads() + head) * vectors.dims();
        std::fill(begin, begin + vectors.dims(), value);
    }
    return std::make_shared<const HeadVectors>(vectors.stage(), vectors.layer(), vectors.documents(), vectors.heads(),
                                               vectors.dims(), std::move(values));
}

} // namespace

class TestCliProbe : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void sweep();
    void sweepFiles();
    void singleResultHeadByHead();
    void segmentsAreInNoGroup();
    void rowsAreWarned();
    void badVectors();
    void headWithoutTraining();
    void intervalIsByDocument();
    void baselines();
    void groupsOfTheDemo();
    void baselinesInFiles();
    void labelTold();
    void refusals();

private:
    [[nodiscard]] std::string file(const std::string& name) const { return m_folder.file(name).string(); }

    test::TemporaryFolder m_folder;
    std::string m_cache;
};

void TestCliProbe::initTestCase()
{
    m_cache = file("cache.h5");
    CacheContents contents = test::tellingContents();
    for (const Stage stage : kStages)
        contents.embeddings.push_back(test::tellingVectors(stage, 0, test::kDocuments, false));
    std::stable_sort(contents.embeddings.begin(), contents.embeddings.end(),
                     [](const auto& a, const auto& b) { return a->layer().value() < b->layer().value(); });
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(m_cache, contents, NumberType::F32, job));
}

void TestCliProbe::sweep()
{
    const auto run = runVerb({"probe", m_cache, "--layer", "all", "--stage", "1,2,3", "--json"});
    QVERIFY2(run.code == 0, run.err.c_str());
    QCOMPARE(run.json()["results"].size(), std::size_t{6});
    // Each is what it is alone: nothing goes over from one layer to the next.
    const auto alone = runVerb({"probe", m_cache, "--layer", "1", "--stage", "2", "--json"});
    Json one = alone.json()["results"][0];
    Json same = run.json()["results"][4];
    QCOMPARE(same["layer"].get<int>(), 1);
    QCOMPARE(same["stage"].get<int>(), 2);
    for (const char* timed : {"seconds", "steps"})
    {
        one.erase(timed);
        same.erase(timed);
    }
    QVERIFY(one == same);
    const auto table = runVerb({"probe", m_cache, "--layer", "all", "--stage", "1,2,3"});
    QVERIFY2(contains(table.out, "stage 3 (segments)"), table.out.c_str());
    QVERIFY2(contains(table.out, "Wilson"), table.out.c_str());
}

void TestCliProbe::sweepFiles()
{
    for (const std::string ending : {"csv", "tex", "h5"})
    {
        const auto run = runVerb({"probe", m_cache, "--layer", "all", "--stage", "1,3", "-o", file("sweep." + ending)});
        QVERIFY2(run.code == 0, run.err.c_str());
    }
    const std::string csv = contentsOf(file("sweep.csv"));
    QVERIFY2(csv.starts_with("layer,stage,accuracy,"), csv.c_str());
    QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), std::ptrdiff_t{5});
    QVERIFY(contains(contentsOf(file("sweep.tex")), "\\toprule"));
    const test::GoldenFile h5(file("sweep.h5"));
    QCOMPARE(h5.integers("/probe/sweep/layer"), (std::vector<std::int64_t>{0, 0, 1, 1}));
    QCOMPARE(h5.strings("/probe/sweep/stage"), (std::vector<std::string>{"1", "3", "1", "3"}));
    QCOMPARE(h5.shape("/probe/layer_000_stage3/confusion"), (std::vector<std::int64_t>{4, 4}));
    QCOMPARE(runVerb({"probe", m_cache, "-o", file("sweep.txt")}).code, 2);
}

void TestCliProbe::singleResultHeadByHead()
{
    const auto run = runVerb({"probe", m_cache});
    QVERIFY2(run.code == 0, run.err.c_str());
    for (const char* part : {"split by documents", "Chance is 0.2500", "precision", "recall",
                             "the most errors between its two classes", "share keys and values"})
        QVERIFY2(contains(run.out, part), part);
    QVERIFY(contains(runVerb({"probe", m_cache, "--control"}).out, "a leak check, not a control task"));
}

void TestCliProbe::segmentsAreInNoGroup()
{
    const auto json = runVerb({"probe", m_cache, "--stage", "3", "--json"});
    QVERIFY(json.json()["results"][0].contains("within_group_error")); // the keys stay
    const auto run = runVerb({"probe", m_cache, "--stage", "3"});
    QVERIFY2(run.code == 0, run.err.c_str());
    QVERIFY2(!contains(run.out, "share keys"), run.out.c_str());
    QVERIFY2(!contains(run.out, "group  "), run.out.c_str());
    QVERIFY2(contains(run.out, "most confused"), run.out.c_str());
    // Of both stages the heads alone have numbers of groups.
    const auto both = runVerb({"probe", m_cache, "--stage", "1,3", "--layer", "1"});
    std::istringstream lines(both.out);
    for (std::string line; std::getline(lines, line) && !contains(line, "compared with");)
        if (contains(line, "3 (segments)"))
            QVERIFY2(contains(line, " -  "), line.c_str());
    QVERIFY(contains(both.out, "segments have no groups"));
}

void TestCliProbe::rowsAreWarned()
{
    QVERIFY(contains(runVerb({"probe", m_cache, "--split", "rows"}).err,
                     "vectors of one document appear in both training and test"));
    QVERIFY(!contains(runVerb({"probe", m_cache}).err, "appear in both training and test"));
    // What holds of documents is not said of rows, nor of shuffled labels.
    const auto rows = runVerb({"probe", m_cache, "--split", "rows"}).out;
    for (const char* part : {"Splits: each split tests different vectors", "each from a different document",
                             "the interval does not hold for new documents"})
        QVERIFY2(contains(rows, part), part);
    for (const char* part : {"With every document's", "each has one vector of every head"})
        QVERIFY2(!contains(rows, part), part);
    const auto control = runVerb({"probe", m_cache, "--control", "--stage", "3"}).out;
    QVERIFY2(contains(control, "have the label after permutation"), control.c_str());
    for (const char* part :
         {"No segment is the output of one head", "are not independent", "each has one vector of every head"})
        QVERIFY2(!contains(control, part), part);
}

void TestCliProbe::badVectors()
{
    CacheContents contents = test::tellingContents();
    contents.embeddings[0] = spoiled(*contents.embeddings[0], 1, 3, std::numeric_limits<float>::quiet_NaN());
    contents.embeddings[0] = spoiled(*contents.embeddings[0], 3, 2, 0.0F);
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(file("bad.h5"), contents, NumberType::F32, job));
    const auto run = runVerb({"probe", file("bad.h5"), "--json"});
    QVERIFY2(run.code == 0, run.err.c_str());
    QVERIFY2(contains(run.err, "excluded vectors with NaN or infinity: 3 of head 2"), run.err.c_str());
    QVERIFY2(contains(run.err, "2 vectors are zero"), run.err.c_str());
    const Json result = run.json()["results"][0];
    QCOMPARE(result["left_out"], (Json{0, 3, 0, 0}));
    QCOMPARE(result["zero_vectors"].get<int>(), 2);
}

void TestCliProbe::headWithoutTraining()
{
    CacheContents contents = test::tellingContents();
    contents.embeddings[0] =
        spoiled(*contents.embeddings[0], 2, test::kDocuments, std::numeric_limits<float>::infinity());
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(file("gone.h5"), contents, NumberType::F32, job));
    const auto run = runVerb({"probe", file("gone.h5"), "--json", "-o", file("gone-result.h5")});
    QVERIFY2(run.code == 0, run.err.c_str());
    QVERIFY2(contains(run.err, "no training vector of head 3: never predicted"), run.err.c_str());
    QVERIFY2(contains(run.err, "no baselines: expected rows to train and test on, found none"), run.err.c_str());
    const Json result = run.json()["results"][0];
    QCOMPARE(result["untrained"], (Json{3}));
    QVERIFY(result["accuracy"].get<double>() > 0.9);
    QVERIFY(result["converged"].get<bool>());
}

void TestCliProbe::intervalIsByDocument()
{
    const auto run = runVerb({"probe", m_cache, "--json"});
    const Json result = run.json()["results"][0];
    QCOMPARE(result["ci95_method"].get<std::string>(), std::string("Wilson, effective rows by document"));
    QVERIFY(result["effective_rows"].get<double>() <= run.json()["test"].get<double>());
    QCOMPARE(result["chance"].get<double>(), 0.25);
    for (const Json& head : result["per_head"])
        QVERIFY(head["recall_ci95"][0].get<double>() <= head["recall"].get<double>());
    QVERIFY(contains(runVerb({"probe", m_cache}).out, "are not independent"));
}

void TestCliProbe::baselines()
{
    const auto run = runVerb({"probe", m_cache, "--json", "--splits", "3"}); // small enough to be made unasked
    QVERIFY2(run.code == 0, run.err.c_str());
    const Json result = run.json()["results"][0];
    std::vector<std::string> names;
    for (const Json& each : result["baselines"])
    {
        names.push_back(each["name"].get<std::string>());
        if (names.back() == "means_removed") // by construction: an interval would be of rounding
        {
            QVERIFY(each["ci95"].is_null() && each["effective_rows"].is_null());
            continue;
        }
        QVERIFY(each["ci95"][0].get<double>() <= each["accuracy"].get<double>());
        QVERIFY(each["accuracy"].get<double>() <= each["ci95"][1].get<double>());
    }
    QCOMPARE(names, (std::vector<std::string>{"means_removed", "gaussian", "random_cut", "control_task"}));
    QCOMPARE(result["splits"]["n"].get<int>(), 3);
    QCOMPARE(result["splits"]["accuracies"][0].get<double>(), result["accuracy"].get<double>());
    QCOMPARE(result["permutations"].get<int>(), 200);
    QCOMPARE(result["p"].get<double>(), 1.0 / 201);
    QVERIFY(std::abs(result["baselines"][0]["accuracy"].get<double>() - 0.25) < 0.1);
    QVERIFY(result.contains("within_group") && result.contains("within_group_means_removed"));
    const auto table = runVerb({"probe", m_cache, "--stage", "1,3"});
    std::istringstream shown(table.out);
    for (std::string line; std::getline(shown, line);)
        if (contains(line, "  means subtracted ")) // by construction: an interval would be of rounding
            QVERIFY2(!contains(line, " to "), line.c_str());
    for (const char* part : {"means subtracted", "random partition", "control task", "control-task gap",
                             "mean of 10 splits", "permuted within documents", "by construction",
                             "group means subtracted", "No segment is the output of one head"})
        QVERIFY2(contains(table.out, part), part);
    // Of six test documents: the words of the window, and no dash.
    const auto few = runVerb({"probe", m_cache, "--documents", "0-29"}).out;
    std::istringstream rows(few);
    int told = 0;
    for (std::string line; std::getline(rows, line);)
        if (contains(line, "  control task  ") || contains(line, "  control-task gap  "))
            told += line.ends_with("(no interval)") ? 1 : 0;
    QVERIFY2(told == 2 && contains(few, "fewer than 10 test documents"), few.c_str());
    // Segments belong to no group: no rank of a grouping.
    const auto segments = runVerb({"probe", m_cache, "--stage", "3", "--json"}).json()["results"][0];
    QVERIFY(segments.contains("baselines") && !segments.contains("within_group"));
    for (const std::vector<std::string>& more : {std::vector<std::string>{"--baselines", "off"}, {"--control"}})
    {
        std::vector<std::string> words = {"probe", m_cache, "--json"};
        words.insert(words.end(), more.begin(), more.end());
        const Json without = runVerb(words).json()["results"][0];
        QVERIFY(!without.contains("baselines") && without.contains("chance"));
    }
    QCOMPARE(runVerb({"probe", m_cache, "--control", "--baselines", "on"}).code, 2);
    // The same on any number of threads.
    Json one = runVerb({"probe", m_cache, "--json", "--splits", "3", "--threads", "1"}).json()["results"][0];
    Json three = runVerb({"probe", m_cache, "--json", "--splits", "3", "--threads", "3"}).json()["results"][0];
    for (const char* key : {"baselines", "splits", "selectivity", "p", "within_group"})
        QVERIFY2(one[key] == three[key], key);
}

/// SmolLM2's last layer, 9 heads in 3 KV groups: errors stay inside the groups, and no other grouping holds as many.
void TestCliProbe::groupsOfTheDemo()
{
    const std::string demo = test::source("resources/demo/demo-cache.h5").string();
    const auto run = runVerb({"probe", demo, "--stage", "1,3", "--splits", "1", "--json"});
    QVERIFY2(run.code == 0, run.err.c_str());
    const Json heads = run.json()["results"][0];
    const Json& groups = heads["within_group"];
    QCOMPARE(groups["groupings"].get<int>(), 280);
    QVERIFY(groups["exact"].get<bool>());
    QCOMPARE(groups["rank"].get<int>(), 1);
    QCOMPARE(groups["p"].get<double>(), 1.0 / 280);
    QCOMPARE(groups["chance"].get<double>(), 0.25);
    QVERIFY(groups["share"].get<double>() > 0.9 && groups["ci95"][0].get<double>() > 0.7);
    QVERIFY(!heads["within_group_means_removed"].contains("rank"));
    QVERIFY(heads["selectivity"]["ci95"][0].get<double>() > 0.2);
    QVERIFY(heads["splits"]["sd"].is_null());
    // Parts drawn by chance are told as well as heads, and as segments.
    QVERIFY(heads["baselines"][2]["accuracy"].get<double>() > 0.98);
    const Json segments = run.json()["results"][1];
    QVERIFY(segments["baselines"][2]["accuracy"].get<double>() > 0.98);
    QCOMPARE(segments["accuracy"].get<double>(), 1.0);
    QCOMPARE(segments["effective_rows"].get<double>(), 38.0); // the documents: nothing tells their rows apart
}

void TestCliProbe::baselinesInFiles()
{
    const auto run = runVerb({"probe", m_cache, "--stage", "1,3", "-o", file("baselines.csv")});
    QVERIFY2(run.code == 0, run.err.c_str());
    const std::string csv = contentsOf(file("baselines.csv"));
    for (const char* column :
         {"effective rows,chance,means removed,", "control task ci95 high,control task gap,", "in group p"})
        QVERIFY2(contains(csv, column), csv.c_str());
    QCOMPARE(runVerb({"probe", m_cache, "-o", file("baselines.tex")}).code, 0);
    QVERIFY(!contains(contentsOf(file("baselines.tex")), "control task gap"));
    // "Selectivity" is what the statistics of heads call something else.
    QVERIFY(!contains(csv, "electivity") && !contains(runVerb({"probe", m_cache}).out, "electivity"));
}

void TestCliProbe::labelTold()
{
    const auto run = runVerb({"label-probe", m_cache, "--json", "-o", file("labels.csv")});
    QVERIFY2(run.code == 0, run.err.c_str());
    const Json said = run.json();
    QCOMPARE(said["heads"].size(), std::size_t{4});
    for (const Json& head : said["heads"])
    {
        QVERIFY(head["accuracy"].get<double>() >= head["ci95"][0].get<double>());
        QVERIFY(head["accuracy"].get<double>() <= head["ci95"][1].get<double>());
        QVERIFY(head["p"].get<double>() <= head["q"].get<double>());
        QVERIFY(head.contains("balanced_accuracy"));
        QCOMPARE(head["splits"]["n"].get<int>(), 10);
        double mean = 0;
        for (const Json& accuracy : head["splits"]["accuracies"])
            mean += accuracy.get<double>() / 10;
        QVERIFY(std::abs(head["accuracy"].get<double>() - mean) < 1e-12); // what the interval is of
        QCOMPARE(head["splits"]["accuracies"][0], head["first_split"]["accuracy"]);
        QVERIFY(head["ci95_method"].get<std::string>().starts_with("corrected resampled t over 10 splits"));
        QCOMPARE(head["first_split"]["ci95_method"].get<std::string>(), std::string("Wilson"));
        QVERIFY(head["splits"]["sd"].get<double>() >= 0);
    }
    QVERIFY(said["majority"].get<double>() > 0 && said["majority"].get<double>() < 1);
    QCOMPARE(said["chance"].get<double>(), std::max(said["majority"].get<double>(), said["guessing"].get<double>()));
    QVERIFY(said["tested"].get<int>() > said["test"].get<int>());
    QVERIFY(said["full"].contains("balanced_accuracy") && !said["full"].contains("q"));
    QCOMPARE(said["parameters"]["split"].get<std::string>(), std::string("documents"));
    const std::string csv = contentsOf(file("labels.csv"));
    QVERIFY2(csv.starts_with("head,accuracy,ci95 low,ci95 high,balanced accuracy,chance,p,q,splits,train,test,"),
             csv.c_str());
    QVERIFY2(contains(csv, "first split accuracy"), csv.c_str());
    QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), std::ptrdiff_t{6});
    QCOMPARE(runVerb({"label-probe", m_cache, "-o", file("labels.tex")}).code, 0);
    const std::string tex = contentsOf(file("labels.tex"));
    QVERIFY2(contains(tex, "corrected resampled t") && contains(tex, "tested in any"), tex.c_str());
    QVERIFY2(!contains(tex, "first split"), tex.c_str());
    const auto text = runVerb({"label-probe", m_cache});
    for (const char* part : {"most common label", "Balanced accuracy", "Benjamini-Hochberg",
                             "need not be specialised in this label", "means over 10 splits of the documents",
                             "corrected resampled t (Nadeau and Bengio 2003", "twice the median", "guessing among"})
        QVERIFY2(contains(text.out, part), part);
    QVERIFY2(!contains(text.out, "first split"), text.out.c_str());
    const auto one = runVerb({"label-probe", m_cache, "--splits", "1"});
    QVERIFY2(contains(one.out, "are from this split"), one.out.c_str());
    QCOMPARE(runVerb({"label-probe", m_cache, "--split", "rows"}).code, 2);
    QCOMPARE(runVerb({"label-probe", m_cache, "--label", "nosuch"}).code, 3);
}

void TestCliProbe::refusals()
{
    const auto one = runVerb({"probe", m_cache, "--heads", "2"});
    QCOMPARE(one.code, 3);
    QVERIFY2(contains(one.err, "at least 2 classes, found 1"), one.err.c_str());
    const auto many = runVerb({"probe", m_cache, "--train", "100000"});
    QCOMPARE(many.code, 3);
    QVERIFY2(contains(many.err, "expected at most 192 training rows"), many.err.c_str());
    const auto single = runVerb({"probe", m_cache, "--documents", "5"});
    QCOMPARE(single.code, 3);
    QVERIFY2(contains(single.err, "at least 2 documents"), single.err.c_str());
    QCOMPARE(runVerb({"probe", m_cache, "--documents", "0-1"}).code, 0); // fewer rows than weights: still a fit
    QCOMPARE(runVerb({"probe", m_cache, "--test", "1"}).code, 2);
}

HEADSCOPE_TEST_GUILESS(TestCliProbe)
#include "tst_cli_probe.moc"

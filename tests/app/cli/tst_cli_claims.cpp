// SPDX-License-Identifier: GPL-3.0-or-later
// What stands beside numbers: the sentences that keep a reader from taking them for more than they are.
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <memory>

using namespace headscope;
using test::runVerb;
using test::tellingContents;
using Json = nlohmann::json;

namespace
{

bool contains(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

/// Without line ends, which tables and LaTeX put anywhere.
std::string oneLine(std::string text)
{
    std::ranges::replace(text, '\n', ' ');
    return text;
}

std::string textOf(const std::filesystem::path& path)
{
    std::ifstream stream(path, std::ios::binary);
    return oneLine({std::istreambuf_iterator<char>(stream), {}});
}

/// Documents whose heads point at their topic through much noise, so that some are found and some are not.
CacheContents noisyContents(std::uint64_t seed)
{
    CacheContents contents = tellingContents();
    const CounterRandom random(seed, 9);
    std::vector<float> values;
    for (std::int64_t row = 0; row < test::kDocuments; ++row)
        for (std::int64_t d = 0; d < test::kHeads * test::kDims; ++d)
            values.push_back(static_cast<float>(random.normal(values.size()) + (d % test::kDims == row % 3 ? 0.6 : 0)));
    contents.embeddings = {std::make_shared<const HeadVectors>(Stage::HeadOutput, LayerIndex(1), test::kDocuments,
                                                               test::kHeads, test::kDims, std::move(values))};
    contents.topics.resize(1);
    return contents;
}

constexpr const char* kMajority = "predicting the most common label is correct for 0.833 of the documents";

} // namespace

class TestCliClaims : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void labelsOfUnequalSize();
    void recallOfTheSameDocuments();
    void recallOfOtherDocuments();
    void singleRemovalsAreNoOrder();
    void halvingsAreNoIntervals();
    void theFigureOfAMatchIsTested();
    void mapsOfTheSameVectors();
    void whatMapsKnowOfHeads();
    void everyStageHasItsDraws();
    void centroidsAreTakenAsGiven();
    void intervalsAndP();
    void reportSaysWhatGroupsAreComparedWith();
    void reportSaysWhatItsNumbersAre();

private:
    [[nodiscard]] std::string file(const std::string& name) const { return m_folder.file(name).string(); }
    void write(const std::string& name, const CacheContents& contents) const
    {
        JobContext job;
        HEADSCOPE_VERIFY_OK(writeCache(file(name), contents, NumberType::F32, job));
    }
    [[nodiscard]] std::vector<std::string> recall(const std::string& cache) const
    {
        return {"prune", cache, "--measure", "retrieval", "--relevant", file("relevant.jsonl"), "--order", "single"};
    }

    test::TemporaryFolder m_folder;
    std::string m_telling; ///< three topics, 19 or 20 documents each
    std::string m_unequal; ///< 50 of 60 documents have one of seven labels
};

void TestCliClaims::initTestCase()
{
    m_telling = file("telling.h5");
    m_unequal = file("unequal.h5");
    write("telling.h5", tellingContents());
    CacheContents contents = tellingContents();
    constexpr std::int64_t kTopics = 7;
    std::vector<std::string> topics;
    for (std::int64_t i = 0; i < test::kDocuments; ++i)
        topics.push_back(std::string("topic ") + static_cast<char>('a' + (i < 50 ? 0 : 1 + i % (kTopics - 1))));
    contents.documents.labels = {makeLabelColumn("topic", topics)};
    for (auto& each : contents.topics)
        each.vectors = test::tellingVectors(each.vectors->stage(), 1, kTopics, true);
    write("unequal.h5", contents);
    write("noisy.h5", noisyContents(1));
    write("others.h5", noisyContents(2));
    std::ofstream relevant(file("relevant.jsonl"));
    for (int i = 0; i < test::kDocuments; ++i)
    {
        Json ids = Json::array();
        for (int j = i % 3; j < test::kDocuments; j += 3)
            if (j != i)
                ids.push_back("d" + std::to_string(j));
        relevant << Json{{"id", "d" + std::to_string(i)}, {"relevant", ids}}.dump() << '\n';
    }
}

/// A null of shuffled labels does not hold that always naming the commonest is right nearly always.
void TestCliClaims::labelsOfUnequalSize()
{
    for (const char* verb : {"match", "heads", "prune"})
    {
        const auto ran = runVerb({verb, m_unequal});
        QVERIFY2(ran.code == 0, ran.err.c_str());
        const std::string said = oneLine(ran.out);
        QVERIFY2(contains(said, kMajority), said.c_str());
        QVERIFY2(contains(said, "Chance and \"Null\" do not account for this: a small p does not mean that a match "
                                "exceeds the proportion of the most common label."),
                 said.c_str());
        QVERIFY2(!contains(oneLine(runVerb({verb, m_telling}).out), "unequal size"), verb);
        const Json json = runVerb({verb, m_unequal, "--json"}).json();
        QVERIFY2(std::abs(json["majority"].get<double>() - 50.0 / 60) < 1e-12, json.dump().c_str());
    }
    // Of two labels the commoner one is always less than twice as frequent as by chance.
    CacheContents contents = tellingContents();
    std::vector<std::string> topics;
    for (std::int64_t i = 0; i < test::kDocuments; ++i)
        topics.push_back(i < 54 ? "topic a" : "topic b");
    contents.documents.labels = {makeLabelColumn("topic", topics)};
    for (auto& each : contents.topics)
        each.vectors = test::tellingVectors(each.vectors->stage(), 1, 2, true);
    write("two.h5", contents);
    for (const char* verb : {"match", "heads", "prune"})
        QVERIFY2(contains(oneLine(runVerb({verb, file("two.h5")}).out), "is correct for 0.900"), verb);
    QCOMPARE(runVerb({"match", m_telling, "--json"}).json()["null"].get<std::string>(),
             std::string("labels permuted among the documents"));
    const auto made = runVerb({"report", m_unequal, "-o", file("unequal"), "--json"});
    QVERIFY2(made.code == 0, made.err.c_str());
    const std::string tex = textOf(file("unequal/report.tex"));
    for (const char* part :
         {kMajority, "A small p does not mean that the match exceeds the proportion of the most common label.",
          "Heads that predict this label more often score higher without distinguishing topics.",
          "labels permuted among the documents"})
        QVERIFY2(contains(tex, part), part);
}

/// Queries that are documents of what they search: each document left out, as query and as result.
void TestCliClaims::recallOfTheSameDocuments()
{
    auto words = recall(file("noisy.h5"));
    const std::string said = oneLine(runVerb(words).out);
    QVERIFY2(contains(said, "Interval of the value with all heads: jackknife over the documents, each left out as "
                            "query and as result."),
             said.c_str());
    QVERIFY2(contains(said, "95% of change: jackknife over the documents"), said.c_str());
    QVERIFY2(!contains(said, "bootstrap"), said.c_str());
    words.emplace_back("--json");
    const Json json = runVerb(words).json();
    QCOMPARE(json["baseline_ci95_method"].get<std::string>(), std::string("jackknife by document"));
    const double value = json["baseline"].get<double>();
    const double low = json["baseline_ci95"][0].get<double>();
    const double high = json["baseline_ci95"][1].get<double>();
    QVERIFY(low < value && value < high);
    // Flipping queries takes the documents as given: it would tell changes that the interval does not.
    QVERIFY2(contains(said, "No p: the searched documents are the queries"), said.c_str());
    QVERIFY2(!contains(said, "(9,999 sign flips)") && !contains(said, "exchanged at random") && !contains(said, " q "),
             said.c_str());
    QVERIFY(!json.contains("permutations"));
    for (const Json& step : json["steps"])
    {
        QCOMPARE(step["ci95_method"].get<std::string>(), std::string("jackknife by document"));
        QVERIFY2(step["p"].is_null() && step["q"].is_null(), step.dump().c_str());
    }
    auto picture = recall(file("noisy.h5"));
    picture.insert(picture.end(), {"-o", file("recall.svg"), "--overwrite"});
    const auto drawn = runVerb(picture);
    QVERIFY2(drawn.code == 0, drawn.err.c_str());
    const std::string svg = textOf(file("recall.svg"));
    QVERIFY2(!contains(svg, "q &lt; 0.05") && contains(svg, "not tested"), svg.substr(0, 2000).c_str());
}

void TestCliClaims::recallOfOtherDocuments()
{
    auto others = recall(file("noisy.h5"));
    others.insert(others.end(), {"--queries", file("others.h5")});
    const auto outcome = runVerb(others);
    QVERIFY2(outcome.code == 0, outcome.err.c_str());
    const std::string said = oneLine(outcome.out);
    QVERIFY2(
        contains(said, "Interval of the value with all heads: bootstrap over the queries, with the documents fixed."),
        said.c_str());
    QVERIFY2(contains(said, "95% of change: bootstrap over 60 queries (1,000 resamples"), said.c_str());
    QVERIFY2(contains(said, "query by query (9,999 sign flips)") && !contains(said, "No p"), said.c_str());
    others.emplace_back("--json");
    QCOMPARE(runVerb(others).json()["baseline_ci95_method"].get<std::string>(), std::string("bootstrap by query"));
}

void TestCliClaims::singleRemovalsAreNoOrder()
{
    constexpr const char* kOrder =
        "The value of an order that was selected on these documents is optimistically biased";
    for (const auto& [order, isSaid] : {std::pair("single", false), std::pair("backward", true)})
    {
        const std::string said =
            oneLine(runVerb({"prune", m_telling, "--measure", "match1", "--order", order, "--validate", "none"}).out);
        QCOMPARE(contains(said, kOrder), isSaid);
    }
}

/// Quantiles over halvings are not called an interval, and the one interval beside them says what it is.
void TestCliClaims::halvingsAreNoIntervals()
{
    std::vector<std::string> words = {"prune",   m_telling,  "--measure", "match1",
                                      "--order", "backward", "--search",  "all"};
    const std::string said = oneLine(runVerb(words).out);
    QVERIFY2(contains(said, "] (95%, Wilson)"), said.c_str());
    words.emplace_back("--json");
    const Json json = runVerb(words).json();
    for (const Json& held : {json["validated"], json["validated"]["by_kept"][0], json["steps"][0]["validated"],
                             json["best_validated"], json["best_validated"]["fewest"]})
    {
        QVERIFY2(held["range95"].size() == 2 && held["chosen_range95"].size() == 2, held.dump().c_str());
        QVERIFY2(!held.contains("ci95") && !held.contains("chosen_ci95"), held.dump().c_str());
    }
    QVERIFY(json["validated"].contains("range95_method") && !json["validated"].contains("ci95_method"));
}

/// The figure of a match has the tests of the call that drew it.
void TestCliClaims::theFigureOfAMatchIsTested()
{
    const auto drawn = runVerb({"match", m_telling, "--k", "1", "-o", file("match.svg"), "--recipe", "--overwrite"});
    QVERIFY2(drawn.code == 0, drawn.err.c_str());
    const std::string caption = textOf(file("match.tex"));
    QVERIFY2(contains(caption, "rows other than the full vector") &&
                 contains(caption, "differ from their values for labels permuted"),
             caption.c_str());
    QVERIFY2(!contains(caption, "not tested here"), caption.c_str());
}

/// Two perplexities: however far above noise, the data are the same.
void TestCliClaims::mapsOfTheSameVectors()
{
    const auto map = [this](const char* perplexity, const std::string& name, const char* stage) {
        const auto made = runVerb({"tsne", m_telling, "--stage", stage, "--perplexity", perplexity, "--noise-floor",
                                   "3", "--iterations", "300", "-o", file(name), "--overwrite"});
        QVERIFY2(made.code == 0, made.err.c_str());
    };
    map("4", "four.h5", "1");
    map("60", "sixty.h5", "1");
    map("60", "other.h5", "3");
    const auto compared = [this](const std::string& other, bool json) {
        std::vector<std::string> words = {"quality",   m_telling,
                                          "--map",     file("four.h5") + ":/maps/map/xy",
                                          "--against", file(other) + ":/maps/map/xy"};
        if (json)
            words.emplace_back("--json");
        return runVerb(words);
    };
    const Json same = compared("sixty.h5", true).json()["against"];
    QCOMPARE(same["same_vectors"].get<bool>(), true);
    QCOMPARE(same["made_differently"].get<std::string>(), std::string("perplexity 4 / 60"));
    QVERIFY2(same["noise_finding"] != "above" && same["exceeds_noise"] != Json(true), same.dump().c_str());
    const std::string said = oneLine(compared("sixty.h5", false).out);
    QVERIFY2(contains(said, "both maps show the same vectors: differences beyond noise can only come from perplexity "
                            "4 / 60, not from the data"),
             said.c_str());
    const Json other = compared("other.h5", true).json()["against"];
    QCOMPARE(other["same_vectors"].get<bool>(), false);
    const std::string others = oneLine(compared("other.h5", false).out);
    QVERIFY2(
        contains(
            others,
            "the maps were also made in different ways (perplexity 4 / 60), which may cause some of the differences"),
        others.c_str());
}

/// Beside the trustworthiness of a map stands that of a map that only knows heads.
void TestCliClaims::whatMapsKnowOfHeads()
{
    const auto made = runVerb({"tsne", m_telling, "--quality", "--iterations", "300", "-o", file("known.h5")});
    QVERIFY2(contains(oneLine(made.out),
                      "a map that only separates the heads, with random neighbours within each of them, has "),
             made.out.c_str());
    const auto stored = runVerb({"quality", m_telling, "--map", file("known.h5") + ":/maps/map/xy", "--json"}).json();
    const double within = stored["trustworthiness_within_heads"].get<double>();
    QVERIFY2(within > 0.6 && within < stored["trustworthiness"].get<double>(), stored.dump().c_str());
    const Json run = runVerb({"tsne", m_telling, "--quality", "--iterations", "300", "--json"}).json();
    QCOMPARE(run["quality"]["trustworthiness_within_heads"].get<double>(), within);
    const auto one = runVerb({"tsne", m_telling, "--quality", "--heads", "1", "--iterations", "300", "--json"}).json();
    QVERIFY(!one["quality"].contains("trustworthiness_within_heads")); // one head knows nothing
}

/// The spread over draws of the control task is of each stage, not of the first alone.
void TestCliClaims::everyStageHasItsDraws()
{
    const std::vector<std::string> words = {"probe", m_telling, "--stage", "1,2,3", "--baselines", "on"};
    auto json = words;
    json.emplace_back("--json");
    const Json results = runVerb(json).json()["results"];
    QCOMPARE(results.size(), std::size_t{3});
    const std::string text = runVerb(words).out;
    QVERIFY2(contains(text, "How much of the confusion comes only from the shared values is not measured"),
             text.c_str());
    QVERIFY2(!contains(text, "is no specialisation"), text.c_str());
    // No draw of the control task has the interval of all: its rows are worth nobody knows how many.
    for (const Json& result : results)
        for (const Json& baseline : result["baselines"])
            if (baseline["name"] == "control_task")
                QVERIFY2(baseline["effective_rows"].is_null() && baseline["ci95"].is_array(), baseline.dump().c_str());
    std::size_t from = 0;
    for (const Json& result : results)
    {
        const Json& gap = result["selectivity"];
        from = text.find(fmt::format("control task, {} replicates", gap["draws"].get<int>()), from);
        QVERIFY2(from != std::string::npos, text.c_str());
        const std::string row = text.substr(from, text.find('\n', from) - from);
        const std::string sd = fmt::format("sd {:.4f}", gap["control_sd"].get<double>());
        QVERIFY2(contains(row, sd), (row + " | " + sd).c_str());
        ++from;
    }
    QVERIFY2(contains(text, "the last row of each stage has the sd of the accuracies of the replicates"), text.c_str());
}

void TestCliClaims::centroidsAreTakenAsGiven()
{
    constexpr const char* kNarrow = "with the centroids as given";
    for (const char* verb : {"match", "heads"})
    {
        const auto centroids = runVerb({verb, m_telling, "--topic-vectors", "centroids"});
        QVERIFY2(centroids.code == 0 && contains(oneLine(centroids.out), kNarrow), centroids.out.c_str());
        QVERIFY2(!contains(oneLine(runVerb({verb, m_telling}).out), kNarrow), verb);
    }
}

/// An interval and a p answer two questions.
void TestCliClaims::intervalsAndP()
{
    const std::string heatmap = oneLine(runVerb({"heatmap", m_telling}).out);
    QVERIFY2(contains(heatmap, "interval may include the null where p is small"), heatmap.c_str());
    const std::string layers = oneLine(runVerb({"layers", m_telling, "--layer", "all", "--stage", "1,2,3"}).out);
    QVERIFY2(contains(layers, "interval may include chance where q is small"), layers.c_str());
}

/// Errors that stay in a KV group stand beside their chance, the groupings that were compared, and what is not known.
void TestCliClaims::reportSaysWhatGroupsAreComparedWith()
{
    const auto made = runVerb({"report", file("noisy.h5"), "-o", file("noisy"), "--json"});
    QVERIFY2(made.code == 0, made.err.c_str());
    const std::string tex = textOf(file("noisy/report.tex"));
    for (const char* part : {"p compares the true grouping with all groupings of the heads",
                             "How much of the confusion comes only from the shared values is not measured"})
        QVERIFY2(contains(tex, part), part);
}

void TestCliClaims::reportSaysWhatItsNumbersAre()
{
    const auto made = runVerb({"report", m_telling, "-o", file("report"), "--json"});
    QVERIFY2(made.code == 0, made.err.c_str());
    const std::string tex = textOf(file("report/report.tex"));
    for (const char* part :
         {"Predicting the head or segment from one vector", "heads permuted within documents 200 times",
          "segments permuted within documents 200 times", "Distinguishable parts need not be specialised",
          "Random partition of the dimensions (one sample): ", "groupings of the heads",
          "Predicting the label from each head", "means over 10 splits, 95\\% by the corrected resampled t",
          "Epsilon squared, which is eta squared without its bias",
          "is a part of the full vector; by default, that vector is used without the segment",
          "Differences between strategies are not tested", "labels permuted among the documents 999 times",
          "Benjamini-Hochberg over the 12 rows of 3 stages, without the full vector; labels permuted 999 times",
          "Noise floor: maps of the same vectors with noise of 0.0001 share ",
          "a map that only separates the heads: up to ", "a map that only separates the segments: 0."})
        QVERIFY2(contains(tex, part), part);
    QVERIFY(!contains(tex, "The labels have unequal sizes"));
    for (const char* claim : {"told as well", "told less often", "no specialisation"})
        QVERIFY2(!contains(tex, claim), claim);
    const std::string told = textOf(file("report/tables/label-probe-stage1.csv"));
    QVERIFY2(contains(told, "head,accuracy,low,high,balanced,chance,p,q"), told.c_str());
    const Json probed = runVerb({"label-probe", m_telling, "--layer", "1", "--stage", "1", "--json"}).json();
    QVERIFY2(contains(told, fmt::format("1,{},{},", probed["heads"][0]["accuracy"].get<double>(),
                                        probed["heads"][0]["ci95"][0].get<double>())),
             told.c_str());
    const std::string contrasts = textOf(file("report/tables/contrasts.csv"));
    const Json rows = runVerb({"heatmap", m_telling, "--layer", "1", "--stage", "1,2,3", "--json"}).json()["results"];
    const Json& row = rows[1]["rows"][2];
    const std::string expected =
        fmt::format("2,2,{},{},{},", row["contrast"].get<double>(), row["contrast_ci95"][0].get<double>(),
                    row["contrast_ci95"][1].get<double>());
    QVERIFY2(contains(contrasts, expected), (contrasts + " | " + expected).c_str());
}

HEADSCOPE_TEST(TestCliClaims)
#include "tst_cli_claims.moc"

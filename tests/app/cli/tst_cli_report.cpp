// SPDX-License-Identifier: GPL-3.0-or-later
// `headscope report`: everything it promises is there, an interrupted run goes on, and nobody's files are lost.
#include "app/cli/report/joined_documents.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/app/cli/report_files.h"
#include "tests/support/process.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QColor>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

using namespace headscope;
using test::bytesOf;
using test::compareFiles;
using test::filesOf;
using test::runVerb;
using test::tellingContents;
using Json = nlohmann::json;

class TestCliReport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void figuresTablesAndWords();
    void eachMapIsDescribedOnce();
    void whatIsNotDistinguishableIsGrey();
    void goesOnAndComesOutTheSame();
    void nobodysFilesAreLost();
    void withoutLabels();
    void coloursAreThoseOfThePalette();
    void leavesOutWhatTheDataDoesNotAllow();
    void fromTexts();
    void comparesTwoCaches();
    void folderOfAnotherCache();
    void joinsDocuments();
    void wrongUse();

private:
    [[nodiscard]] std::string file(const std::string& name) const { return m_folder.file(name).string(); }
    [[nodiscard]] test::Outcome report(const std::string& folder, std::vector<std::string> more = {}) const
    {
        std::vector<std::string> words = {"report", m_cache, "-o", file(folder), "--json"};
        words.insert(words.end(), more.begin(), more.end());
        return runVerb(words);
    }

    test::TemporaryFolder m_folder;
    std::string m_cache;
};

void TestCliReport::initTestCase()
{
    m_cache = file("cache.h5");
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(m_cache, tellingContents(), NumberType::F32, job));
}

void TestCliReport::figuresTablesAndWords()
{
    const auto made = report("all");
    QVERIFY2(made.code == 0, made.err.c_str());
    const Json json = made.json();
    QCOMPARE(json["kept"].get<int>(), 0);
    const auto files = filesOf(file("all"));
    const std::string tex = files.at("report.tex");
    for (const Json& item : json["items"])
    {
        QVERIFY2(item["left_out"].is_null(), item.dump().c_str());
        for (const Json& name : item["files"])
            QVERIFY2(!files.at(name.get<std::string>()).empty(), name.dump().c_str());
        if (!item["files"].empty() && item["files"][0].get<std::string>().starts_with("figures/"))
            QVERIFY2(tex.find("\\input{figures/" + item["id"].get<std::string>() + ".tex}") != std::string::npos,
                     item.dump().c_str());
    }
    for (const char* id : {"schema", "topic-similarity", "map-stage1", "map-stage3-strength", "map-stage3-single",
                           "map-stage2-topics", "probe", "match-stage1", "heatmaps", "heads-stage1", "pruning"})
        QVERIFY2(files.contains("figures/" + std::string(id) + ".pdf"), id);
    // The numbers are those of the verbs.
    const Json probe = runVerb({"probe", m_cache, "--stage", "1,2,3", "--layer", "1", "--json"}).json()["results"];
    for (const Json& result : probe)
    {
        const auto said = fmt::format("accuracy {:.3f} [{:.3f}, {:.3f}]", result["accuracy"].get<double>(),
                                      result["ci95"][0].get<double>(), result["ci95"][1].get<double>());
        QVERIFY2(tex.find(said) != std::string::npos, said.c_str());
    }
    const Json match = runVerb({"match", m_cache, "--stage", "2", "--json"}).json();
    const auto row = fmt::format("{}", match["full"]["top1"].get<double>());
    QVERIFY2(files.at("tables/match.csv").find("\n2,1," + row) != std::string::npos,
             files.at("tables/match.csv").c_str());
    QVERIFY(files.at("tables/retrieval.tex").find("multirag") != std::string::npos);
    // What is too wide for a page goes on below, as large as everything else; columns without a value are left out.
    QVERIFY(tex.find("\\begin{longtable}") != std::string::npos);
    std::size_t parts = 0;
    for (auto at = tex.find(", further columns}"); at != std::string::npos; at = tex.find(", further columns}", at + 1))
    {
        ++parts;
        const std::string header = tex.substr(at, tex.find("\\midrule", at) - at);
        // A number has its interval, null and q beside it.
        for (const char* rest : {"low", "high", "null", "q"})
            for (const char* key : {"head", "segment", "group", "layer", "stage"})
                QVERIFY2(header.find(fmt::format("{} & \\begin{{tabular}}[b]{{@{{}}r@{{}}}}match\\\\{}\\end", key,
                                                 rest)) == std::string::npos,
                         header.c_str());
    }
    QVERIFY(parts > 0);
    const auto heads = tex.find("\\caption{Stage 1: statistics of the heads");
    const std::string ofHeads = tex.substr(heads, tex.find("\\endgroup", heads) - heads);
    QVERIFY(heads != std::string::npos); // it goes on once at most
    QCOMPARE(ofHeads.find("\\begin{longtable}"), ofHeads.rfind("\\begin{longtable}"));
    const auto segments = tex.find("\\toprule\nsegment & ");
    QVERIFY(segments != std::string::npos && !tex.substr(segments).starts_with("\\toprule\nsegment & group"));
    // One page of the folder stands for the others: what made it is in it.
    QVERIFY(tex.find("60 documents") != std::string::npos);
    // A number names its basis: how many topics, and how many documents each.
    const Json label = runVerb({"match", m_cache, "--stage", "1", "--json"}).json();
    const auto basis = fmt::format("nearest of {} topics for", label["topics"].get<int>());
    QVERIFY2(tex.find("Match at 1: with the full vector") != std::string::npos &&
                 tex.find(basis) != std::string::npos && tex.find(" per topic") != std::string::npos,
             basis.c_str());
    // Fewer heads are judged by the match whose chance is 1 / topics.
    QVERIFY(files.at("figures/pruning.json").find("match1") != std::string::npos);
}

/// A map is described once a stage: its other pictures say in what they differ.
void TestCliReport::eachMapIsDescribedOnce()
{
    QCOMPARE(report("maps").code, 0);
    const auto files = filesOf(file("maps"));
    QVERIFY(files.at("figures/map-stage3.tex").find("perplexity") != std::string::npos);
    for (const auto& [name, said] :
         {std::pair("map-stage3-strength", "coloured by the norm of each vector"),
          std::pair("map-stage3-single", "one panel per segment"), std::pair("map-stage2-topics", "coloured by ")})
    {
        const std::string& tex = files.at("figures/" + std::string(name) + ".tex");
        QVERIFY2(tex.find("above, ") != std::string::npos && tex.find(said) != std::string::npos, tex.c_str());
        QVERIFY2(tex.find("perplexity") == std::string::npos, tex.c_str());
    }
}

/// What cannot be told from permuted labels is grey, in the page and in the document.
void TestCliReport::whatIsNotDistinguishableIsGrey()
{
    QCOMPARE(report("grey").code, 0);
    const Json heads = runVerb({"heads", m_cache, "--stage", "1", "--layer", "1", "--json"}).json()["heads"];
    std::size_t expected = 0;
    for (const Json& head : heads)
        for (const char* tested : {"selectivity_unbiased", "match", "top_topic"})
            if (const Json& q = head["q"]; q.contains(tested) && q[tested].is_number() && q[tested] > 0.05)
                ++expected;
    const auto files = filesOf(file("grey"));
    const std::string& page = files.at("report.html");
    const auto table = page.find("Stage 1: statistics of the heads.");
    QVERIFY(table != std::string::npos);
    const std::string rows = page.substr(table, page.find("</table>", table) - table);
    std::size_t grey = 0;
    for (std::size_t at = rows.find("grey\""); at != std::string::npos; at = rows.find("grey\"", at + 1))
        ++grey;
    QCOMPARE(grey, expected);
    QVERIFY(rows.find("Grey: q &gt; 0.05") != std::string::npos || rows.find("Grey: q > 0.05") != std::string::npos);
    // Other tables of the document may have grey numbers where this one has none.
    QVERIFY(expected == 0 || files.at("report.tex").find("\\textcolor[gray]") != std::string::npos);
}

/// The report of another cache is not mixed with this one, and not replaced unasked.
void TestCliReport::folderOfAnotherCache()
{
    QCOMPARE(report("mixed").code, 0);
    const auto before = filesOf(file("mixed"));
    QVERIFY(before.contains("figures/match-stage3.pdf"));
    CacheContents contents = tellingContents();
    std::erase_if(contents.embeddings, [](const auto& each) { return each->stage() == Stage::OutputSegment; });
    contents.header.model.name = "another";
    const std::string other = file("other.h5");
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(other, contents, NumberType::F32, job));
    const auto refused = runVerb({"report", other, "-o", file("mixed")});
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.err.find("another cache") != std::string::npos, refused.err.c_str());
    compareFiles(filesOf(file("mixed")), before);
    const auto replaced = runVerb({"report", other, "-o", file("mixed"), "--overwrite"});
    QVERIFY2(replaced.code == 0, replaced.err.c_str());
    const auto alone = runVerb({"report", other, "-o", file("alone")});
    QVERIFY2(alone.code == 0, alone.err.c_str());
    // Nothing of the first is left, and nothing of the second is missing. Records and commands name their folders.
    const auto mixed = filesOf(file("mixed"));
    const auto own = filesOf(file("alone"));
    QCOMPARE(mixed.size(), own.size());
    for (const auto& [name, bytes] : own)
        QVERIFY2(mixed.contains(name) && (!name.ends_with(".csv") || mixed.at(name) == bytes), name.c_str());
}

void TestCliReport::goesOnAndComesOutTheSame()
{
    QCOMPARE(report("again").code, 0);
    const auto before = filesOf(file("again"));
    const auto second = report("again");
    QVERIFY2(second.code == 0, second.err.c_str());
    QCOMPARE(second.json()["kept"].get<std::size_t>(), second.json()["items"].size());
    compareFiles(filesOf(file("again")), before);
    // As a kill leaves it: the report is missing, an item was begun, another has lost a file.
    std::filesystem::remove(file("again") + "/report.tex");
    std::filesystem::remove(file("again") + "/figures/probe.csv");
    std::ofstream(file("again") + "/data/heatmaps.json")
        << R"({"format": "headscope-report-item", "made": null, "answer": null, "notices": [],
               "files": {"figures/heatmaps.pdf": ""}, "left_out": ""})";
    std::ofstream(file("again") + "/figures/heatmaps.pdf") << "half";
    for (const char* other : {".csv", ".json", ".tex"})
        std::filesystem::remove(file("again") + "/figures/heatmaps" + other);
    const auto third = report("again");
    QVERIFY2(third.code == 0, third.err.c_str());
    QCOMPARE(third.json()["kept"].get<std::size_t>(), third.json()["items"].size() - 2);
    compareFiles(filesOf(file("again")), before);
    const auto other = report("again", {"--seed", "2"}); // replaces what is its own
    QVERIFY2(other.code == 0, other.err.c_str());
    QVERIFY(filesOf(file("again")).at("figures/map-stage1.pdf") != before.at("figures/map-stage1.pdf"));
}

void TestCliReport::nobodysFilesAreLost()
{
    std::filesystem::create_directories(file("mine") + "/figures");
    std::ofstream(file("mine") + "/figures/probe.pdf") << "a drawing of mine";
    const auto refused = report("mine");
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.err.find("probe.pdf") != std::string::npos, refused.err.c_str());
    QCOMPARE(bytesOf(file("mine") + "/figures/probe.pdf"), std::string("a drawing of mine"));
    QCOMPARE(report("mine").code, 2); // and not taken for its own the second time
    const auto asked = report("mine", {"--overwrite"});
    QVERIFY2(asked.code == 0, asked.err.c_str());
    std::ofstream(file("mine") + "/report.tex", std::ios::app) << "% a line of mine\n";
    QCOMPARE(report("mine").code, 2);
    QVERIFY(bytesOf(file("mine") + "/report.tex").ends_with("% a line of mine\n"));
}

void TestCliReport::withoutLabels()
{
    auto contents = tellingContents();
    contents.documents.labels.clear();
    contents.topics.clear();
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(file("plain.h5"), contents, NumberType::F32, job));
    const auto made = runVerb({"report", file("plain.h5"), "-o", file("plain"), "--json"});
    QVERIFY2(made.code == 0, made.err.c_str());
    const auto files = filesOf(file("plain"));
    QVERIFY(files.contains("figures/map-stage1.pdf") && !files.contains("figures/heatmaps.pdf"));
    QVERIFY(files.at("report.tex").find("Documents and their topics") == std::string::npos);
}

/// The page that is alive has the colours of the figures beside it, on light and on dark screens.
void TestCliReport::coloursAreThoseOfThePalette()
{
    const auto colours = [this](const std::string& folder) {
        const std::string page = filesOf(file(folder)).at("report.html");
        QStringList found;
        for (const char* ground : {"\"light\":\"#", "\"dark\":\"#"})
            for (auto at = page.find(ground); at != std::string::npos; at = page.find(ground, at + 1))
                found << QString::fromStdString(page.substr(at + std::strlen(ground) - 1, 7));
        return found;
    };
    const auto isGrey = [](const QString& colour) {
        const QColor color(colour);
        return color.hslSaturation() < 8 || color.lightness() < 8;
    };
    QVERIFY2(report("grey", {"--palette", "grey"}).code == 0, "grey");
    const QStringList grey = colours("grey");
    QVERIFY(grey.size() > 8);
    for (const QString& each : grey)
        QVERIFY2(isGrey(each), qPrintable(each));
    const auto files = filesOf(file("grey"));
    QVERIFY(files.at("figures/map-stage1.json").find("grey") != std::string::npos); // and the figures, too
    QCOMPARE(report("all", {"--overwrite"}).code, 0);
    QVERIFY(!std::ranges::all_of(colours("all"), isGrey));
    QCOMPARE(report("none", {"--palette", "loud"}).code, 2);
}

void TestCliReport::leavesOutWhatTheDataDoesNotAllow()
{
    auto contents = tellingContents();
    for (auto& code : contents.documents.labels.front().codes)
        code = 0; // every document of one topic: nothing to match or to prune by
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(file("one.h5"), contents, NumberType::F32, job));
    const auto made = runVerb({"report", file("one.h5"), "-o", file("one"), "--json"});
    QVERIFY2(made.code == 0, made.err.c_str());
    std::vector<std::string> leftOut;
    for (const Json& item : made.json()["items"])
        if (!item["left_out"].is_null())
            leftOut.push_back(item["id"].get<std::string>());
    const std::string tex = bytesOf(file("one") + "/report.tex");
    for (const std::string& id : leftOut)
        QVERIFY2(tex.find("Omitted} " + id) != std::string::npos && made.err.find(id) != std::string::npos, id.c_str());
}

void TestCliReport::fromTexts()
{
    // By the program: the engine lies beside it.
    const QString folder = QString::fromStdString(file("texts-report"));
    const QStringList words = {QStringLiteral("report"),
                               QStringLiteral("--model"),
                               QString::fromStdString(test::golden("models/mistral_f32").string()),
                               QStringLiteral("--documents"),
                               QString::fromStdString(file("texts.jsonl")),
                               QStringLiteral("-o"),
                               folder,
                               QStringLiteral("--json")};
    {
        std::ofstream texts(file("texts.jsonl"));
        for (int i = 0; i < 40; ++i)
            texts << R"({"id": "t)" << i << R"(", "text": "a )" << (i % 2 == 0 ? "cat" : "dog") << " and " << i
                  << R"( birds", "animal": ")" << (i % 2 == 0 ? "cat" : "dog") << "\"}\n";
    }
    const auto first = test::run(test::program("headscope"), words);
    QVERIFY2(first.exitCode == 0, first.err.constData());
    const Json made = Json::parse(first.out.toStdString());
    QCOMPARE(made["cache"].get<std::string>(), file("texts-report") + "/cache.h5");
    const auto files = filesOf(file("texts-report"));
    QVERIFY(files.contains("cache.h5") && files.contains("report.html") && files.contains("figures/probe.pdf"));
    const auto second = test::run(test::program("headscope"), words); // nothing is extracted or drawn again
    QVERIFY2(second.exitCode == 0, second.err.constData());
    compareFiles(filesOf(file("texts-report")), files);
    std::ofstream(file("texts.jsonl"), std::ios::app) << R"({"id": "more", "text": "one more cat", "animal": "cat"})"
                                                      << "\n";
    const auto third = test::run(test::program("headscope"), words);
    QVERIFY2(third.exitCode == 0, third.err.constData());
    QVERIFY(filesOf(file("texts-report")).at("cache.h5") != files.at("cache.h5"));
}

void TestCliReport::comparesTwoCaches()
{
    auto contents = tellingContents();
    contents.header.model.name = "another";
    for (std::string& id : contents.documents.ids)
        id = "other-" + id;
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(file("second.h5"), contents, NumberType::F32, job));
    const auto made = report("both", {"--compare", file("second.h5")});
    QVERIFY2(made.code == 0, made.err.c_str());
    QCOMPARE(made.json()["compared_with"].get<std::string>(), file("second.h5"));
    const auto files = filesOf(file("both"));
    const std::string tex = files.at("report.tex");
    for (const char* name : {"figures/probe", "figures/b-probe", "figures/map-stage1", "figures/b-map-stage1"})
        QVERIFY2(files.contains(std::string(name) + ".pdf") &&
                     tex.find(std::string(name) + ".tex") != std::string::npos,
                 name);
    QVERIFY(tex.find("A uses 60 documents, and B uses 60; 0 documents are in both") != std::string::npos);
    // The numbers are those of the verbs.
    for (const std::string& cache : {m_cache, file("second.h5")})
    {
        const Json probe = runVerb({"probe", cache, "--stage", "1", "--layer", "1", "--json"}).json()["results"][0];
        const auto said = fmt::format("{},{}", probe["accuracy"].get<double>(), probe["ci95"][0].get<double>());
        QVERIFY2(files.at("tables/compared.csv").find(said) != std::string::npos,
                 files.at("tables/compared.csv").c_str());
    }
    const std::string page = files.at("report.html");
    QVERIFY(page.find("class=\"pairs\"") != std::string::npos && page.find("other-") != std::string::npos);
    const auto again = report("both", {"--compare", file("second.h5")});
    QCOMPARE(again.json()["kept"].get<std::size_t>(), again.json()["items"].size());
    compareFiles(filesOf(file("both")), files);
    // Two layers of one cache; the same layer is nothing to compare.
    auto deep = tellingContents();
    for (std::size_t i = 0, count = deep.embeddings.size(); i < count; ++i)
    {
        const HeadVectors& of = *deep.embeddings[i];
        const auto values = of.values();
        deep.embeddings.push_back(
            std::make_shared<const HeadVectors>(of.stage(), LayerIndex(0), of.documents(), of.heads(), of.dims(),
                                                std::vector<float>(values.begin(), values.end())));
    }
    HEADSCOPE_VERIFY_OK(writeCache(file("deep.h5"), deep, NumberType::F32, job));
    const auto layers = runVerb({"report", file("deep.h5"), "-o", file("layers"), "--layer", "1", "--compare",
                                 file("deep.h5"), "--compare-layer", "0", "--json"});
    QVERIFY2(layers.code == 0, layers.err.c_str());
    QVERIFY(bytesOf(file("layers") + "/report.tex").find("A and B use the same 60 documents") != std::string::npos);
    QCOMPARE(report("same", {"--compare", m_cache}).code, 2);
    QCOMPARE(report("same", {"--compare-layer", "0"}).code, 2);
    QCOMPARE(report("same", {"--compare", file("nowhere.h5")}).code, 3);
    QVERIFY(!std::filesystem::exists(file("same")));
}

void TestCliReport::joinsDocuments()
{
    DocumentSet first;
    first.ids = {"a", "b"};
    first.texts = {"one", "two"};
    first.labels = {{"topic", {1, 0}, {"cats", "dogs"}}};
    DocumentSet second;
    second.ids = {"b", "c", "d"};
    second.labels = {{"topic", {0, -1, 1}, {"dogs", "birds"}}, {"place", {0, 0, 0}, {"here"}}};
    cli::JoinedDocuments joined;
    QCOMPARE(joined.add(first), 0);
    QCOMPARE(joined.add(second), 2);
    QCOMPARE(joined.add(first), 5); // what follows one another stays so
    const DocumentSet& all = joined.all();
    QCOMPARE(all.ids, (std::vector<std::string>{"a", "b", "b", "c", "d", "a", "b"}));
    QCOMPARE(all.texts, (std::vector<std::string>{"one", "two", "", "", "", "one", "two"}));
    QCOMPARE(all.labels[0].categories, (std::vector<std::string>{"cats", "dogs", "birds"}));
    QCOMPARE(all.labels[0].codes, (std::vector<std::int32_t>{1, 0, 1, -1, 2, 1, 0}));
    QCOMPARE(all.labels[1].codes, (std::vector<std::int32_t>{-1, -1, 0, 0, 0, -1, -1}));
    cli::JoinedDocuments same;
    QCOMPARE(same.add(first), 0);
    QCOMPARE(same.add(first), 0);
    QCOMPARE(same.all().ids.size(), std::size_t{2});
}

void TestCliReport::wrongUse()
{
    QCOMPARE(runVerb({"report", m_cache}).code, 2);
    QCOMPARE(runVerb({"report", "-o", file("w")}).code, 2);
    QCOMPARE(report("w", {"--model", "m"}).code, 2);
    QCOMPARE(report("w", {"--layers", "0"}).code, 2);
    QCOMPARE(report("w", {"--documents", m_cache}).code, 2);
    QCOMPARE(runVerb({"report", "--model", "m", "-o", file("texts")}).code, 2);
    QVERIFY(!std::filesystem::exists(file("texts") + "/cache.h5"));
    QCOMPARE(report("w", {"--layer", "0,1"}).code, 2);
    QCOMPARE(report("w", {"--layer", "7"}).code, 3);
    QCOMPARE(report("w", {"--label", "nope"}).code, 3);
    QVERIFY(!std::filesystem::exists(file("w")));
    std::ofstream(file("taken")) << "a file";
    QVERIFY(report("taken").code != 0);
    QCOMPARE(bytesOf(file("taken")), std::string("a file"));
}

HEADSCOPE_TEST(TestCliReport)
#include "tst_cli_report.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Caches of a model with ablated heads or other KV groups: what is compared with them, refused, and said.
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/process.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>

#include <cmath>
#include <filesystem>
#include <fstream>

using namespace headscope;
using test::runVerb;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

class TestCliChanged : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    [[nodiscard]] std::string file(const std::string& name) const
    {
        return m_folder.filePath(QString::fromStdString(name)).toStdString();
    }
    static std::string model() { return test::golden("models/mistral_f32"); }
    /// Runs the engine; what it says where it fails, else "".
    [[nodiscard]] static std::string engine(const Words& words)
    {
        QStringList arguments;
        for (const std::string& word : words)
            arguments << QString::fromStdString(word);
        const auto outcome = test::run(test::program("headscope-engine"), arguments);
        return outcome.exitCode == 0 ? std::string() : outcome.err.toStdString();
    }
    [[nodiscard]] std::string extract(const std::string& name, const std::string& texts, const Words& options) const
    {
        Words words = {"extract", model(), file(texts), "-o", file(name), "--layers", "1,2", "--stages", "1,3"};
        words.insert(words.end(), options.begin(), options.end());
        return engine(words);
    }
    static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
    static std::string textOf(int document)
    {
        return "Text " + std::to_string(document) + (document % 2 == 0 ? " of old stones" : " of red apples");
    }

private Q_SLOTS:
    void initTestCase();
    void aTextIsEmbeddedByTheChangedModel_data();
    void aTextIsEmbeddedByTheChangedModel();
    void aMeanOverOtherTextsIsRefused();
    void otherChangesAreRefused_data();
    void otherChangesAreRefused();
    void otherMeansAreTold();
    void otherCachesAreTold();
    void theUnchangedModelIsNotShown();
    void theChangeIsNamed();
    void aFigureNamesTheChange();
};

void TestCliChanged::initTestCase()
{
    if (!std::filesystem::exists(test::program("headscope-engine")))
        QSKIP("headscope-engine is not built");
    qputenv("PATH", QByteArray::fromStdString(test::program("headscope-engine").parent_path()) + ':' + qgetenv("PATH"));
    std::ofstream texts(file("d.jsonl"));
    std::ofstream others(file("other.jsonl"));
    for (int i = 0; i < 12; ++i)
    {
        texts << R"({"id": "d)" << i << R"(", "text": ")" << textOf(i) << R"(", "topic": ")"
              << (i % 2 == 0 ? "stones" : "apples") << "\"}\n";
        others << R"({"text": "Something else )" << i << "\"}\n";
    }
    texts.close();
    others.close();
    const Words mean = {"--ablate", "1:2-3", "--ablation", "mean"};
    Words elsewhere = mean;
    elsewhere.insert(elsewhere.end(), {"--reference", file("other.jsonl")});
    for (const auto& [name, options] : {std::pair("plain.h5", Words()),
                                        {"zero.h5", {"--ablate", "1:2-3"}},
                                        {"mean.h5", mean},
                                        {"elsewhere.h5", elsewhere},
                                        {"groups.h5", {"--regroup", "1"}}})
    {
        const std::string said = extract(name, "d.jsonl", options);
        QVERIFY2(said.empty(), said.c_str());
    }
}

void TestCliChanged::aTextIsEmbeddedByTheChangedModel_data()
{
    QTest::addColumn<std::string>("name");
    for (const char* name : {"plain.h5", "zero.h5", "mean.h5", "groups.h5"})
        QTest::newRow(name) << std::string(name);
}

/// The text of a document is the document.
void TestCliChanged::aTextIsEmbeddedByTheChangedModel()
{
    QFETCH(std::string, name);
    for (const char* strategy : {"standard", "multirag"})
    {
        const Words common = {"retrieve", file(name), "--strategy", strategy, "--top", "4", "--json"};
        Words byText = common;
        byText.insert(byText.end(), {"--query", textOf(3), "--model", model()});
        Words byDocument = common;
        byDocument.insert(byDocument.end(), {"--query-document", "d3", "--include-self"});
        const auto found = runVerb(byText);
        QVERIFY2(found.code == 0, found.err.c_str());
        const auto wanted = runVerb(byDocument);
        QVERIFY2(wanted.code == 0, wanted.err.c_str());
        const Json results = found.json().at("queries").at(0).at("results");
        const Json same = wanted.json().at("queries").at(0).at("results");
        QCOMPARE(results.size(), same.size());
        for (std::size_t i = 0; i < results.size(); ++i)
        {
            QCOMPARE(results[i].at("id").get<std::string>(), same[i].at("id").get<std::string>());
            const double distance = results[i].at("votes").get<double>() - same[i].at("votes").get<double>();
            QVERIFY2(std::abs(distance) < 1e-5, found.out.c_str());
        }
        QCOMPARE(results[0].at("id").get<std::string>(), std::string("d3"));
    }
    const auto named = runVerb({"name", file(name), "--texts", file("other.jsonl"), "--model", model(), "--steps", "1",
                                "--permutations", "0"});
    QVERIFY2(named.code == 0, named.err.c_str());
}

void TestCliChanged::aMeanOverOtherTextsIsRefused()
{
    const Words common = {"retrieve", file("elsewhere.h5"), "--query", "red apples", "--model", model()};
    const auto refused = runVerb(common);
    QCOMPARE(refused.code, 3);
    for (const char* part :
         {"heads 2-3 of layer 1 ablated (mean over 12 documents)", "12 documents, ",
          "no text can be embedded as its documents were", "--ablate \"1:2-3\" --ablation mean --reference DOCS"})
        QVERIFY2(has(refused.err, part), refused.err.c_str());
    // A prompt that the documents do not have gives other means.
    Words prompted = {"retrieve", file("mean.h5"), "--query", "red apples", "--model", model(), "--prompt", "Find: "};
    QCOMPARE(runVerb(prompted).code, 3);
    // A document of the cache asks all the same.
    QCOMPARE(runVerb({"retrieve", file("elsewhere.h5"), "--query-document", "d3"}).code, 0);
}

void TestCliChanged::otherChangesAreRefused_data()
{
    QTest::addColumn<std::string>("searched");
    QTest::addColumn<std::string>("queries");
    QTest::addColumn<std::string>("part");
    const auto row = [](const char* searched, const char* queries, const char* part) {
        QTest::addRow("%s by %s", searched, queries)
            << std::string(searched) << std::string(queries) << std::string(part);
    };
    row("plain.h5", "zero.h5",
        "expected the unchanged model, as in the cache, found a model with heads 2-3 of layer 1 ablated (zero): make "
        "it "
        "again without --ablate and --regroup");
    row("zero.h5", "plain.h5", "found the unchanged model: make it again with --ablate \"1:2-3\"");
    row("zero.h5", "mean.h5", "found a model with heads 2-3 of layer 1 ablated (mean over 12 documents)");
    row("groups.h5", "plain.h5", "expected a model with 2 KV groups changed to 1");
}

void TestCliChanged::otherChangesAreRefused()
{
    QFETCH(std::string, searched);
    QFETCH(std::string, queries);
    QFETCH(std::string, part);
    std::ofstream(file("qrels.tsv")) << "d3 0 d3 1\nd4 0 d4 1\n";
    std::ofstream(file("relevant.jsonl")) << R"({"id": "d3", "relevant": ["d5"]})" << '\n';
    for (const Words& words : {Words{"retrieve", file(searched), "--queries", file(queries)},
                               {"evaluate", file(searched), "--queries", file(queries), "--qrels", file("qrels.tsv")},
                               {"prune", file(searched), "--measure", "retrieval", "--queries", file(queries),
                                "--relevant", file("relevant.jsonl")},
                               {"name", file(searched), "--texts", file(queries)}})
    {
        const auto refused = runVerb(words);
        QVERIFY2(refused.code == 3, (words.front() + ": " + refused.err).c_str());
        QVERIFY2(has(refused.err, part), refused.err.c_str());
        QVERIFY(refused.out.empty());
    }
}

void TestCliChanged::otherMeansAreTold()
{
    const auto found = runVerb({"retrieve", file("mean.h5"), "--queries", file("elsewhere.h5")});
    QVERIFY2(found.code == 0, found.err.c_str());
    QVERIFY2(has(found.err, "the ablated heads of the query were set to their means over other texts"),
             found.err.c_str());
}

void TestCliChanged::otherCachesAreTold()
{
    const auto found = runVerb({"evaluate", file("plain.h5"), "--others", file("zero.h5"), "--of", "full"});
    QVERIFY2(found.code == 0, found.err.c_str());
    QVERIFY2(has(found.err, "full of zero is of a model with heads 2-3 of layer 1 ablated (zero), and the cache is of "
                            "the unchanged model"),
             found.err.c_str());
}

/// A card of a changed cache has no numbers of the model as its files are.
void TestCliChanged::theUnchangedModelIsNotShown()
{
    const auto card = runVerb({"card", file("zero.h5"), "--model", model()});
    QCOMPARE(card.code, 3);
    QVERIFY2(has(card.err, "expected a cache of the unchanged model"), card.err.c_str());
    QCOMPARE(runVerb({"card", file("zero.h5")}).code, 0);
    const std::string said = engine({"importance", model(), file("zero.h5"), "--label", ""});
    QVERIFY2(has(said, "expected a cache of the unchanged model, found a cache of a model with heads 2-3 of layer 1 "
                       "ablated (zero): use a cache that was extracted without --ablate and --regroup"),
             said.c_str());
    const std::string ofFile =
        engine({"importance", model(), file("d.jsonl"), "--label", "", "--layers", "2", "-o", file("i.json")});
    QVERIFY2(ofFile.empty(), ofFile.c_str());
    QCOMPARE(runVerb({"card", file("zero.h5"), "--importance", file("i.json")}).code, 3);
    QCOMPARE(runVerb({"card", file("plain.h5"), "--importance", file("i.json")}).code, 0);
}

void TestCliChanged::theChangeIsNamed()
{
    const std::string zero = "heads 2-3 of layer 1 ablated (zero)";
    for (const Words& words : {Words{"heads"},
                               {"match"},
                               {"similarity"},
                               {"evaluate"},
                               {"card"},
                               {"inspect"},
                               {"tsne", "--iterations", "20"},
                               {"tsne", "--iterations", "20", "--seeds", "2"},
                               {"tsne", "--iterations", "20", "--aligned", "--perplexity", "3"}})
    {
        const auto of = [&](const std::string& cache, bool json) {
            Words all = words;
            all.insert(all.begin() + 1, file(cache));
            if (json)
                all.emplace_back("--json");
            return runVerb(all);
        };
        const auto changed = of("zero.h5", true);
        QVERIFY2(changed.code == 0, changed.err.c_str());
        QCOMPARE(changed.json().at("changed").get<std::string>(), zero);
        QVERIFY(of("plain.h5", true).json().at("changed").is_null());
        const std::string text = of("zero.h5", false).out;
        const auto at = text.find(zero);
        QVERIFY2(at != std::string::npos && text.find(zero, at + 1) == std::string::npos, text.c_str());
        QVERIFY(!has(of("plain.h5", false).out, "ablated ("));
    }
    QVERIFY(runVerb({"heads", file("zero.h5")}).out.starts_with("The model was changed: " + zero + ".\n\n"));
    const Json parameters = runVerb({"heads", file("elsewhere.h5"), "--json"}).json().at("parameters");
    QCOMPARE(parameters.at("changed").get<std::string>(),
             std::string("heads 2-3 of layer 1 ablated (mean over 12 documents)"));
    QVERIFY(parameters.at("reference").get<std::string>().starts_with("12 documents, "));
}

void TestCliChanged::aFigureNamesTheChange()
{
    for (const Words& words : {Words{"match"}, {"similarity"}, {"heatmap"}, {"heads"}, {"tsne", "--iterations", "20"}})
    {
        Words all = words;
        all.insert(all.begin() + 1, file("zero.h5"));
        all.insert(all.end(), {"-o", file(words.front() + ".pdf"), "--json"});
        const auto drawn = runVerb(all);
        QVERIFY2(drawn.code == 0, drawn.err.c_str());
        const auto caption = drawn.json().at("figure").at("caption").get<std::string>();
        QVERIFY2(has(caption, "(changed: heads 2-3 of layer 1 ablated (zero))"), caption.c_str());
    }
}

HEADSCOPE_TEST(TestCliChanged)
#include "tst_cli_changed.moc"

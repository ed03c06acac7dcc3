// SPDX-License-Identifier: GPL-3.0-or-later
// circuits, and the verbs that show runs of a model next to a cache: what the engine wrote, drawn, refused, drawn
// again.
#include "tests/app/cli/cli_fixture.h"
#include "tests/app/cli/report_files.h"
#include "tests/support/process.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace headscope;
using test::bytesOf;
using test::runVerb;
using Words = std::vector<std::string>;

class TestCliCircuits : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    [[nodiscard]] std::string file(const std::string& name) const
    {
        return m_folder.filePath(QString::fromStdString(name)).toStdString();
    }
    static std::string model(const std::string& name = "mistral_f32") { return test::golden("models/" + name); }
    void engine(const Words& words)
    {
        QStringList arguments;
        for (const std::string& word : words)
            arguments << QString::fromStdString(word);
        const auto outcome = test::run(test::program("headscope-engine"), arguments);
        QVERIFY2(outcome.exitCode == 0, outcome.err.constData());
    }
    static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

private Q_SLOTS:
    void initTestCase();
    void figuresComeBack_data();
    void figuresComeBack();
    void aPairIsNamedByItsTexts();
    void optionsThatDoNotApply_data();
    void optionsThatDoNotApply();
    void whatTheFileHas_data();
    void whatTheFileHas();
    void aReportOfAnotherModel();
    void aCardOfAnotherModel();
    void aCardWithItsModelComesBack();
    void ablationOpensTheModelOnce();
};

void TestCliCircuits::initTestCase()
{
    if (!std::filesystem::exists(test::program("headscope-engine")))
        QSKIP("headscope-engine is not built");
    qputenv("PATH", QByteArray::fromStdString(test::program("headscope-engine").parent_path()) + ':' + qgetenv("PATH"));
    std::ofstream texts(file("d.jsonl"));
    for (int i = 0; i < 12; ++i)
        texts << R"({"id": "d)" << i << R"(", "text": "Text )" << i
              << (i % 2 == 0 ? " of old stones" : " of red apples") << R"(", "topic": ")"
              << (i % 2 == 0 ? "stones" : "apples") << "\"}\n";
    texts.close();
    engine({"contributions", model(), file("d.jsonl"), "-o", file("grid.h5")});
    engine({"contributions", model(), file("d.jsonl"), "--pair", "d0,d1", "-o", file("pair.h5")});
    engine({"composition", model(), "--kinds", "q,k", "-o", file("pairs.h5")});
    engine({"lens", model(), file("d.jsonl"), "--layers", "0,2", "-o", file("lens.h5")});
    engine({"lens", model(), "--weights", "--token", "apple", "-o", file("words.h5")});
    engine({"extract", model(), file("d.jsonl"), "--label-columns", "topic", "-o", file("c.h5"), "--layers", "1,2"});
}

void TestCliCircuits::figuresComeBack_data()
{
    QTest::addColumn<Words>("words");
    QTest::newRow("waterfall") << Words{"pair.h5", "--layer", "1"};
    QTest::newRow("grid") << Words{"grid.h5", "--raw"};
    QTest::newRow("matrix") << Words{"pairs.h5", "--layers", "0,2", "--kind", "q"};
    QTest::newRow("graph") << Words{"pairs.h5", "--show", "graph", "--top", "7"};
    QTest::newRow("words") << Words{"lens.h5", "--layer", "0"};
}

/// Byte for byte, and the file is known by its contents.
void TestCliCircuits::figuresComeBack()
{
    QFETCH(Words, words);
    const std::string named = words.front();
    words.front() = file(named);
    words.insert(words.begin(), "circuits");
    words.insert(words.end(), {"-o", file("a.pdf"), "--overwrite", "--recipe", "--also", "svg"});
    QCOMPARE(runVerb(words).code, 0);
    const auto again = runVerb({"figure", file("a.pdf"), "-o", file("b.pdf"), "--overwrite", "--recipe"});
    QVERIFY2(again.code == 0, again.err.c_str());
    QVERIFY(bytesOf(file("b.pdf")) == bytesOf(file("a.pdf")));
    QCOMPARE(bytesOf(file("b.csv")), bytesOf(file("a.csv")));
    QVERIFY(bytesOf(file("a.pdf")).find(m_folder.path().toStdString()) == std::string::npos);
    std::filesystem::rename(file(named), file("moved.h5"));
    QCOMPARE(runVerb({"figure", file("a.pdf"), "-o", file("b.pdf"), "--overwrite"}).code, 3);
    const auto moved =
        runVerb({"figure", file("a.pdf"), "-o", file("b.pdf"), "--overwrite", "--input", file("moved.h5")});
    std::filesystem::rename(file("moved.h5"), file(named));
    QVERIFY2(moved.code == 0, moved.err.c_str());
    QVERIFY(bytesOf(file("b.pdf")) == bytesOf(file("a.pdf")));
}

void TestCliCircuits::aPairIsNamedByItsTexts()
{
    const auto outcome = runVerb({"circuits", file("pair.h5")});
    QVERIFY2(has(outcome.out, "\u201cText 0 of old stones\u201d (d0)") &&
                 has(outcome.out, "\u201cText 1 of red apples\u201d (d1)"),
             outcome.out.c_str());
}

void TestCliCircuits::optionsThatDoNotApply_data()
{
    QTest::addColumn<Words>("words");
    QTest::addColumn<std::string>("option");
    const auto add = [](const char* file, const Words& more) {
        Words words = {"circuits", file};
        words.insert(words.end(), more.begin(), more.end());
        const std::string option =
            *std::ranges::find_if(words, [](const auto& each) { return each.starts_with("--") && each != "--show"; });
        QTest::addRow("%s %s", file, option.c_str()) << words << option;
    };
    add("grid.h5", {"--layer", "1"});
    add("grid.h5", {"--layers", "0,1"});
    add("grid.h5", {"--kind", "q"});
    add("grid.h5", {"--token", "a"});
    add("pair.h5", {"--raw"});
    add("pair.h5", {"--kind", "q"});
    add("pairs.h5", {"--layer", "1"});
    add("pairs.h5", {"--raw"});
    add("pairs.h5", {"--show", "graph", "--layers", "0,1"});
    add("lens.h5", {"--layers", "0,1"});
    add("lens.h5", {"--token", "a"}); // of documents
    add("words.h5", {"--kind", "q"});
}

void TestCliCircuits::optionsThatDoNotApply()
{
    QFETCH(Words, words);
    QFETCH(std::string, option);
    words[1] = file(words[1]);
    const auto refused = runVerb(words);
    QCOMPARE(refused.code, 2);
    QVERIFY2(has(refused.err, option + ": this option needs"), refused.err.c_str());
}

void TestCliCircuits::whatTheFileHas_data()
{
    QTest::addColumn<Words>("words");
    QTest::addColumn<std::string>("listed");
    QTest::newRow("pictures") << Words{"pairs.h5", "--show", "grid"} << std::string("(matrix, graph)");
    QTest::newRow("layer") << Words{"pair.h5", "--layer", "3"} << std::string("from 0 to 2");
    QTest::newRow("layers") << Words{"pairs.h5", "--layers", "0,3"} << std::string("from 0 to 2");
    QTest::newRow("kind") << Words{"pairs.h5", "--kind", "v"} << std::string("(q, k)");
    QTest::newRow("decoded layer") << Words{"lens.h5", "--layer", "1"} << std::string("(0,2)");
    QTest::newRow("token") << Words{"words.h5", "--token", "no such"} << std::string("(\"");
}

void TestCliCircuits::whatTheFileHas()
{
    QFETCH(Words, words);
    QFETCH(std::string, listed);
    words.front() = file(words.front());
    words.insert(words.begin(), "circuits");
    const auto refused = runVerb(words);
    QCOMPARE(refused.code, 2);
    QVERIFY2(has(refused.err, listed), refused.err.c_str());
}

void TestCliCircuits::aReportOfAnotherModel()
{
    engine({"composition", model("llama_mha"), "-o", file("other.h5")});
    const auto refused = runVerb(
        {"report", file("c.h5"), "-o", file("report"), "--circuits", file("pairs.h5") + "," + file("other.h5")});
    QCOMPARE(refused.code, 3);
    QVERIFY2(has(refused.err, "other.h5"), refused.err.c_str());
    QVERIFY(!std::filesystem::exists(file("report"))); // before anything is made
    const auto made = runVerb({"report", file("c.h5"), "-o", file("report"), "--circuits", file("pairs.h5"), "--json"});
    QVERIFY2(made.code == 0, made.err.c_str());
    QVERIFY(std::filesystem::exists(file("report/figures/circuits-1.pdf")));
    // What its commands need is said.
    QVERIFY(has(bytesOf(file("report/report.html")), "c.h5, pairs.h5"));
}

void TestCliCircuits::aCardOfAnotherModel()
{
    const auto refused = runVerb({"card", file("c.h5"), "--model", model("llama_mha")});
    QCOMPARE(refused.code, 3);
    QVERIFY2(has(refused.err, "different files"), refused.err.c_str());
    engine({"importance", model("llama_mha"), file("d.jsonl"), "-o", file("other.json")});
    QCOMPARE(runVerb({"card", file("c.h5"), "--importance", file("other.json")}).code, 3);
    // Where nobody knows, it is told.
    CacheContents contents = test::tellingContents();
    JobContext job;
    QVERIFY(writeCache(file("telling.h5"), contents, NumberType::F32, job));
    const auto told = runVerb({"card", file("telling.h5"), "--importance", file("other.json"), "--json"});
    QVERIFY2(told.code == 0 && has(told.err, "not checked"), told.err.c_str());
}

/// The engine runs a model that --input names, and none that only a recipe names.
void TestCliCircuits::aCardWithItsModelComesBack()
{
    engine({"importance", model(), file("d.jsonl"), "-o", file("importance.json")});
    const auto made = runVerb({"card", file("c.h5"), "--head", "3", "--model", model(), "--run-documents", "5",
                               "--importance", file("importance.json"), "-o", file("card.pdf")});
    QVERIFY2(made.code == 0, made.err.c_str());
    const Words again = {"figure", file("card.pdf"), "-o", file("card2.pdf"), "--overwrite"};
    const auto refused = runVerb(again);
    QCOMPARE(refused.code, 3);
    QVERIFY2(has(refused.err, "--model") && has(refused.err, "--input"), refused.err.c_str());
    Words named = again;
    named.insert(named.end(), {"--input", model()});
    const auto done = runVerb(named);
    QVERIFY2(done.code == 0, done.err.c_str());
    QVERIFY(bytesOf(file("card2.pdf")) == bytesOf(file("card.pdf")));
    QVERIFY(bytesOf(file("card.pdf")).find(model()) == std::string::npos);
    // Another file of importance is another card.
    std::ofstream(file("importance.json"), std::ios::app) << "\n";
    QCOMPARE(runVerb(named).code, 3);
}

void TestCliCircuits::ablationOpensTheModelOnce()
{
    // An engine that writes down how it is called.
    const std::string log = file("calls");
    QDir(m_folder.path()).mkdir(QStringLiteral("bin"));
    {
        std::ofstream script(file("bin/headscope-engine"));
        script << "#!/bin/sh\necho \"$1\" >> '" << log << "'\nexec '" << test::program("headscope-engine").string()
               << "' \"$@\"\n";
    }
    std::filesystem::permissions(file("bin/headscope-engine"), std::filesystem::perms::owner_all);
    const QByteArray before = qgetenv("PATH");
    qputenv("PATH", QByteArray::fromStdString(file("bin")) + ':' + before);
    const auto outcome = runVerb({"card", file("c.h5"), "--all", "--format", "svg", "--model", model(), "--ablate",
                                  "--run-documents", "4", "--json", "-o", file("cards")});
    qputenv("PATH", before);
    QVERIFY2(outcome.code == 0, outcome.err.c_str());
    QCOMPARE(bytesOf(log), std::string("composition\nattention\nlens\nserve\n"));
    // The same as a run of its own.
    const auto one = runVerb({"card", file("c.h5"), "--layer", "1", "--head", "2", "--model", model(), "--ablate",
                              "--run-documents", "4", "--json"});
    const auto drop = one.json().at("importance").at("full_model").at("cosine").at("drop").get<double>();
    const auto cards = outcome.json().at("cards");
    const auto same =
        std::ranges::find_if(cards, [](const auto& card) { return card.at("layer") == 1 && card.at("head") == 2; });
    QVERIFY2(same != cards.end() && has(same->dump(), std::to_string(drop).substr(0, 6)), same->dump().c_str());
}

HEADSCOPE_TEST(TestCliCircuits)
#include "tst_cli_circuits.moc"

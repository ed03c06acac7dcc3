// SPDX-License-Identifier: GPL-3.0-or-later
// What a report keeps of an earlier run belongs to the contents of its inputs, whatever these are called; and what is
// wrong with its inputs is said at once.
#include "tests/app/cli/cli_fixture.h"
#include "tests/app/cli/report_files.h"
#include "tests/model/io/foreign_cache.h"
#include "tests/support/process.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/unseen_change.h"
#include "tests/support/verify.h"

#include <QDir>

#include <filesystem>
#include <fstream>

using namespace headscope;
using test::bytesOf;
using test::compareFiles;
using test::filesOf;
using test::runVerb;
using test::tellingContents;
using Json = nlohmann::json;

class TestCliReportInputs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void fromAnotherModelOfTheSameName();
    void anEditedLabelMap();
    void anotherCacheOfTheSameName();
    void foldersOfAnOlderProgram();
    void severalLabelColumns();
    void theVerbIsNoInput();

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

void TestCliReportInputs::initTestCase()
{
    m_cache = file("cache.h5");
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(m_cache, tellingContents(), NumberType::F32, job));
}

/// Weights that are replaced under the same path, of the same size and time: the numbers are those of the new ones.
void TestCliReportInputs::fromAnotherModelOfTheSameName()
{
    const std::filesystem::path model = file("model");
    std::filesystem::copy(test::golden("models/mistral_f32"), model, std::filesystem::copy_options::recursive);
    {
        std::ofstream texts(file("few.jsonl"));
        for (int i = 0; i < 24; ++i)
            texts << R"({"text": "a cat and )" << i << " birds\"}\n";
    }
    const auto made = [&](const std::string& into) {
        const auto outcome =
            test::run(test::program("headscope"),
                      {QStringLiteral("report"), QStringLiteral("--model"), QString::fromStdString(model),
                       QStringLiteral("--documents"), QString::fromStdString(file("few.jsonl")), QStringLiteral("-o"),
                       QString::fromStdString(file(into)), QStringLiteral("--json")});
        return outcome.exitCode == 0 ? Json::parse(outcome.out.toStdString()) : Json(outcome.err.toStdString());
    };
    const Json first = made("of-model");
    QVERIFY2(first.is_object(), first.dump().c_str());
    const auto before = filesOf(file("of-model"));
    QCOMPARE(made("of-model")["kept"].get<std::size_t>(), first["items"].size());
    compareFiles(filesOf(file("of-model")), before);
    test::changeWeightsUnseen(model);
    const Json second = made("of-model");
    QVERIFY2(second.is_object(), second.dump().c_str());
    QCOMPARE(second["kept"].get<int>(), 0);
    QVERIFY(made("of-new-model").is_object());
    const auto now = filesOf(file("of-model"));
    const auto fresh = filesOf(file("of-new-model"));
    QVERIFY(now.at("figures/map-stage1.csv") != before.at("figures/map-stage1.csv"));
    for (const char* name : {"figures/map-stage1.csv", "figures/probe.csv"})
        QCOMPARE(now.at(name), fresh.at(name));
    // And with another of its settings.
    test::changeWordUnseen(model / "sentence_bert_config.json", "4096", "  64");
    QCOMPARE(made("of-model")["kept"].get<int>(), 0);
}

void TestCliReportInputs::anEditedLabelMap()
{
    std::ofstream(file("map.json")) << R"({"topic a": "crimson", "topic b": "blue"})";
    QCOMPARE(report("mapped", {"--label-map", file("map.json")}).code, 0);
    const auto again = report("mapped", {"--label-map", file("map.json")});
    QCOMPARE(again.json()["kept"].get<std::size_t>(), again.json()["items"].size());
    QVERIFY(filesOf(file("mapped")).at("figures/heatmaps.csv").find("crimson") != std::string::npos);
    test::changeWordUnseen(file("map.json"), "crimson", "emerald");
    const auto edited = report("mapped", {"--label-map", file("map.json")});
    QVERIFY2(edited.code == 0, edited.err.c_str());
    const auto files = filesOf(file("mapped"));
    QVERIFY(files.at("figures/heatmaps.csv").find("emerald") != std::string::npos);
    QVERIFY(files.at("figures/heatmaps.csv").find("crimson") == std::string::npos);
    // What does not read the map is as it was.
    for (const Json& item : edited.json()["items"])
        if (item["id"] == "probe" || item["id"] == "map-stage1-data")
            QVERIFY2(item["kept"].get<bool>(), item.dump().c_str());
}

/// One without checksums, of which no origin tells whether its numbers are the same.
void TestCliReportInputs::anotherCacheOfTheSameName()
{
    const std::string cache = file("foreign.h5");
    HEADSCOPE_VERIFY_OK(test::writeForeignCache(cache));
    const auto made = [&] { return runVerb({"report", cache, "-o", file("foreign"), "--json"}); };
    const auto first = made();
    QVERIFY2(first.code == 0, first.err.c_str());
    const auto before = filesOf(file("foreign"));
    QCOMPARE(made().json()["kept"].get<std::size_t>(), first.json()["items"].size());
    HEADSCOPE_VERIFY_OK(test::changeForeignCacheUnseen(cache));
    const auto second = made();
    QVERIFY2(second.code == 0, second.err.c_str());
    QCOMPARE(second.json()["kept"].get<int>(), 0);
    QVERIFY(filesOf(file("foreign")).at("figures/map-stage1.csv") != before.at("figures/map-stage1.csv"));
}

/// They kept parts by words: these are done again, and nothing stands in the way.
void TestCliReportInputs::foldersOfAnOlderProgram()
{
    QCOMPARE(report("older").code, 0);
    const auto before = filesOf(file("older"));
    for (const auto& entry : std::filesystem::directory_iterator(file("older") + "/data"))
        if (Json record = Json::parse(bytesOf(entry.path()), nullptr, false); record.is_object())
        {
            if (record["made"].is_object())
                record["made"].erase("inputs");
            if (record["answer"].is_object())
                record["answer"] = {{"results", "of another time"}};
            std::ofstream(entry.path()) << record.dump();
        }
    const auto made = report("older");
    QVERIFY2(made.code == 0, made.err.c_str());
    QCOMPARE(made.json()["kept"].get<int>(), 0);
    compareFiles(filesOf(file("older")), before);
}

void TestCliReportInputs::severalLabelColumns()
{
    auto contents = tellingContents();
    contents.documents.labels.push_back(contents.documents.labels.front());
    contents.documents.labels.back().name = "place";
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(file("two.h5"), contents, NumberType::F32, job));
    {
        std::ofstream texts(file("two.jsonl"));
        for (int i = 0; i < 12; ++i)
            texts << R"({"text": "a cat )" << i << R"(", "topic": "t)" << i % 2 << R"(", "place": "p)" << i % 3
                  << "\"}\n";
    }
    // Before there is a model to be looked at, and before there is a folder.
    for (const std::vector<std::string>& input :
         {std::vector<std::string>{file("two.h5")}, std::vector<std::string>{m_cache, "--compare", file("two.h5")},
          std::vector<std::string>{"--model", file("no-model"), "--documents", file("two.jsonl")}})
    {
        std::vector<std::string> words = {"report", "-o", file("two")};
        words.insert(words.end(), input.begin(), input.end());
        const auto refused = runVerb(words);
        QCOMPARE(refused.code, 3);
        for (const char* part : {"--label", "topic", "place"})
            QVERIFY2(refused.err.find(part) != std::string::npos, refused.err.c_str());
        QVERIFY(!std::filesystem::exists(file("two")));
    }
    const auto unknown = runVerb({"report", "--model", file("no-model"), "--documents", file("two.jsonl"), "-o",
                                  file("two"), "--label", "colour"});
    QCOMPARE(unknown.code, 3);
    QVERIFY2(unknown.err.find("expected one of topic, place, found \"colour\"") != std::string::npos,
             unknown.err.c_str());
    const auto chosen = runVerb({"report", file("two.h5"), "-o", file("two"), "--label", "topic", "--json"});
    QVERIFY2(chosen.code == 0, chosen.err.c_str());
    QVERIFY(filesOf(file("two")).contains("figures/heatmaps.pdf"));
}

/// A folder may be called as the verb, or as any other word of the command that names no file.
void TestCliReportInputs::theVerbIsNoInput()
{
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(QString::fromStdString(m_folder.file("").string())));
    const std::vector<std::string> words = {"report", m_cache, "-o", "report", "--title", "report", "--json"};
    const auto first = runVerb(words);
    const auto second = runVerb(words);
    const auto input = runVerb({"report", m_cache, "-o", m_cache});
    QDir::setCurrent(before);
    QVERIFY2(first.code == 0, first.err.c_str());
    QVERIFY2(second.code == 0, second.err.c_str());
    QCOMPARE(second.json()["kept"].get<std::size_t>(), second.json()["items"].size());
    QCOMPARE(input.code, 2);
    QVERIFY2(input.err.find("one of the inputs") != std::string::npos, input.err.c_str());
}

HEADSCOPE_TEST(TestCliReportInputs)
#include "tst_cli_report_inputs.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/figure_files.h"
#include "app/commands/figures/figure_choices.h"
#include "app/shell/common_options.h"
#include "model/base/text/latex_text.h"
#include "tests/app/cli/figure_fixture.h"
#include "tests/support/test_program.h"
#include "tests/viz/drawn_figure.h"
#include "viz/axis/text.h"
#include "viz/export/figure_presets.h"

#include <QFile>
#include <QPainter>

#include <fmt/format.h>

#include <algorithm>

using namespace headscope;
using headscope::Json; // not in a group with another Json
using test::runVerb;
using JsonValue = nlohmann::json;
using Words = std::vector<std::string>;

/// What is in a figure and beside it: formats, captions, letters and presets.
class TestCliFigureFiles : public QObject, private test::FigureFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { writeSample(); }

    void filesBesideAFigure()
    {
        const auto outcome = runVerb({"tsne", m_cache, "--perplexity", "5", "--iterations", "20", "-o",
                                      file("my map_1.pdf"), "--recipe", "--preset", "acl-page", "--json"});
        QVERIFY2(outcome.code == 0, outcome.err.c_str());
        const std::string csv = bytesOf(file("my map_1.csv"));
        QVERIFY(csv.starts_with("document,id,head,x,y\n"));
        QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), std::ptrdiff_t{1 + 60 * 4});
        QVERIFY(csv.find(",'=1+1,") != std::string::npos);
        const std::string tex = bytesOf(file("my map_1.tex"));
        for (const char* part : {"\\begin{figure*}", "\\includegraphics[width=160mm]{my map_1.pdf}",
                                 "tell\\_ing \\& 100\\%", "\\label{fig:my-map-1}", "$\\times$"})
            QVERIFY2(tex.find(part) != std::string::npos, tex.c_str());
        const JsonValue recipe = JsonValue::parse(bytesOf(file("my map_1.json")));
        QCOMPARE(recipe.at("verb").get<std::string>(), std::string("tsne"));
        QCOMPARE(recipe.at("version").get<int>(), 1);
        QVERIFY(recipe.at("inputs").at(0).at("hash").get<std::string>().starts_with("origin:"));
        QVERIFY(recipe.at("command").get<std::string>().starts_with("headscope tsne cache.h5"));
        QVERIFY(recipe.at("input_hash").get<std::string>().size() == 32);
        // What is there is not replaced, and nothing is computed first.
        const auto refused = runVerb({"tsne", m_cache, "-o", file("my map_1.svg"), "--recipe"});
        QCOMPARE(refused.code, 2);
        QVERIFY(!QFile::exists(QString::fromStdString(file("my map_1.svg"))));
        const auto table = runVerb({"tsne", m_cache, "-o", file("x.csv"), "--recipe"});
        QVERIFY(table.code == 2 && table.err.find("--recipe") != std::string::npos);
        QCOMPARE(latexSentence("a<b | 50 % \u2212 c\n").bytes(),
                 std::string("a\\textless{}b \\textbar{} 50 \\% $-$ c "));
    }

    void otherFormats()
    {
        const Words words = {"similarity", m_cache, "--stage", "2"};
        const auto outcome = runVerb(joined(words, {"-o", file("three.pdf"), "--also", "svg,png", "--json"}));
        QVERIFY2(outcome.code == 0, outcome.err.c_str());
        const Words written = {file("three.svg"), file("three.png")};
        QCOMPARE(outcome.json().at("figure").at("files").get<Words>(), written);
        for (const std::string ending : {".pdf", ".svg", ".png"})
        {
            QCOMPARE(runVerb(joined(words, {"-o", file("one" + ending)})).code, 0);
            QVERIFY2(bytesOf(file("three" + ending)) == bytesOf(file("one" + ending)), ending.c_str());
        }
        // Maps are drawn by what a format can hold: each as it would be alone.
        const Words map = {"tsne", m_cache, "--perplexity", "5", "--iterations", "20"};
        QCOMPARE(runVerb(joined(map, {"-o", file("map3.pdf"), "--also", "svg,png"})).code, 0);
        for (const std::string ending : {".svg", ".png"})
        {
            QCOMPARE(runVerb({"figure", file("map3.pdf"), "-o", file("map4" + ending)}).code, 0);
            QVERIFY2(bytesOf(file("map3" + ending)) == bytesOf(file("map4" + ending)), ending.c_str());
        }
        for (const char* same : {"pdf", "svg,svg"})
            QCOMPARE(runVerb(joined(words, {"-o", file("four.pdf"), "--also", same})).code, 2);
        QCOMPARE(runVerb(joined(words, {"--also", "svg"})).code, 2);
        write(file("four.png"), "somebody's");
        const auto refused = runVerb(joined(words, {"-o", file("four.pdf"), "--also", "svg,png"}));
        QCOMPARE(refused.code, 2);
        QVERIFY(refused.err.find("four.png") != std::string::npos);
        QCOMPARE(bytesOf(file("four.png")), std::string("somebody's"));
        QVERIFY(!std::filesystem::exists(file("four.pdf")) && !std::filesystem::exists(file("four.svg")));
    }

    /// A caption of the user's own is that of the file and of the LaTeX figure; the recipe keeps it.
    void ownCaption()
    {
        const Words words = {"heads", m_cache, "--stage", "1", "--permutations", "0", "--caption", "My own 100% words"};
        const auto made = runVerb(joined(words, {"-o", file("own.pdf"), "--recipe", "--json"}));
        QVERIFY2(made.code == 0, made.err.c_str());
        QCOMPARE(made.json().at("figure").at("caption").get<std::string>(), std::string("My own 100% words"));
        QVERIFY(bytesOf(file("own.tex")).find("\\caption{My own 100\\% words}") != std::string::npos);
        QCOMPARE(runVerb({"figure", file("own.pdf"), "-o", file("own2.pdf")}).code, 0);
        QVERIFY(bytesOf(file("own.pdf")) == bytesOf(file("own2.pdf")));
        QCOMPARE(runVerb(words).code, 2); // there is no figure to describe
    }

    /// Letters that no font has are told, not only drawn as boxes.
    void missingLettersAreTold()
    {
        viz::FigureOptions options;
        options.sizeInches = {3, 1};
        options.overwrite = true;
        for (const auto& [text, isMissing] : {std::pair(QStringLiteral("Caf\u00E9 \u2212 1 \u00D7 2"), false),
                                              std::pair(QStringLiteral("\U000F1234"), true)})
        {
            const auto drawing = [text = text](QPainter& painter, const QRectF& box, double) {
                viz::drawLine(painter, box, text, viz::textFont(8), Qt::black);
            };
            const auto written = viz::writeFigure(test::drawnFigure(drawing), file("letters.pdf"), options);
            HEADSCOPE_VERIFY_OK(written);
            QCOMPARE(!written->missingText.isEmpty(), isMissing);
        }
    }

    void anotherPresetIsAnotherFigure()
    {
        const Words words = {"heatmap", m_cache, "--permutations", "0", "--overwrite"};
        QCOMPARE(runVerb(joined(words, {"-o", file("wide.pdf")})).code, 0);
        QCOMPARE(runVerb(joined(words, {"-o", file("column.pdf"), "--preset", "icml-column"})).code, 0);
        const auto outcome =
            runVerb({"figure", file("wide.pdf"), "-o", file("narrow.pdf"), "--preset", "icml-column", "--json"});
        QVERIFY2(outcome.code == 0, outcome.err.c_str());
        QCOMPARE(outcome.json().at("figure").at("width_mm").get<double>(), 82.55);
        QVERIFY(bytesOf(file("narrow.pdf")) == bytesOf(file("column.pdf")));
        QVERIFY(bytesOf(file("narrow.pdf")) != bytesOf(file("wide.pdf")));
    }

    /// The more topics a table has, the smaller are the numbers in its cells, until they go: none is too small to read.
    void numbersInCellsCanBeRead()
    {
        int shrunk = 0;
        int gone = 0;
        for (const std::int64_t topics : {3, 5, 6, 7, 8, 30})
        {
            CacheContents contents = test::tellingContents();
            std::vector<std::string> names;
            for (std::int64_t i = 0; i < test::kDocuments; ++i)
                names.push_back("topic " + std::to_string(i % topics));
            contents.documents.labels = {makeLabelColumn("topic", names)};
            contents.embeddings.resize(1);
            contents.topics = {{"topic", {}, test::tellingVectors(Stage::HeadOutput, 1, topics, true)}};
            const std::string cache = file("topics.h5");
            JobContext job;
            HEADSCOPE_VERIFY_OK(writeCache(cache, contents, NumberType::F32, job));
            const auto outcome = runVerb(
                {"similarity", cache, "-o", file("topics.svg"), "--preset", "icml-column", "--overwrite", "--json"});
            QVERIFY2(outcome.code == 0, outcome.err.c_str());
            const double least = outcome.json().at("figure").at("least_text_pt").get<double>();
            QVERIFY2(least >= viz::kMinReadablePt, std::to_string(least).c_str());
            QVERIFY2(outcome.err.find("hard to read") == std::string::npos, outcome.err.c_str());
            QVERIFY(bytesOf(file("topics.svg")).find(">A<") != std::string::npos); // rows and columns are named
            const bool numbers = bytesOf(file("topics.svg")).find(">1.00") != std::string::npos;
            shrunk += numbers && least < 7 ? 1 : 0;
            gone += numbers ? 0 : 1;
        }
        QVERIFY2(shrunk > 0 && gone > 0, fmt::format("{} {}", shrunk, gone).c_str());
    }

    void smallTextIsSaid()
    {
        for (const double points : {5.0, 6.0})
        {
            const std::string target = file("small.pdf");
            commands::FigureChoices choices;
            shell::CommonOptions common;
            common.overwrite = true;
            JobContext job;
            auto files = cli::FigureFiles::create(target, choices, common, {}, {}, nullptr, job);
            HEADSCOPE_VERIFY_OK(files);
            const auto drawing = [points](QPainter& painter, const QRectF& box, double) {
                viz::drawLine(painter, box, QStringLiteral("so small"), viz::textFont(points), Qt::black);
            };
            HEADSCOPE_VERIFY_OK(files->draw([&drawing](viz::FigureOptions options) {
                options.sizeInches = {3, 1};
                return test::drawnFigure(drawing)(std::move(options));
            }));
            cli::Answer answer;
            HEADSCOPE_VERIFY_OK(files->finish(answer, {}));
            const bool said =
                !answer.notices.empty() && answer.notices.front().find("hard to read") != std::string::npos;
            QCOMPARE(said, points < viz::kMinReadablePt);
            QCOMPARE(answer.json->contains("notices"), said);
        }
    }

    void aFileBesideTheFigure()
    {
        std::ofstream(file("beside.tex")) << "\\begin{figure}\\end{figure}\n";
        const auto refused = runVerb({"figure", file("beside.tex"), "-o", file("no.pdf")});
        QCOMPARE(refused.code, 3);
        QVERIFY2(refused.err.find("found a file ending in \".tex\"") != std::string::npos, refused.err.c_str());
    }
};

HEADSCOPE_TEST(TestCliFigureFiles)
#include "tst_cli_figure_files.moc"

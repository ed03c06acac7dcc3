// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/figure_files.h"
#include "app/cli/verb.h"
#include "app/commands/figures/figure_choices.h"
#include "app/shell/common_options.h"
#include "model/base/fields/fields.h"
#include "model/base/text/latex_text.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"
#include "tests/viz/drawn_figure.h"
#include "viz/axis/text.h"
#include "viz/export/figure_presets.h"

#include <QDir>
#include <QFile>
#include <QPainter>
#include <QTemporaryDir>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>

using namespace headscope;
using test::runVerb;
using JsonValue = nlohmann::json;
using Words = std::vector<std::string>;

namespace
{

std::string bytesOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::string& path, const std::string& bytes)
{
    std::ofstream(path, std::ios::binary) << bytes;
}

Words joined(Words words, const Words& more)
{
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

} // namespace

/// Recipes: a figure that a verb wrote is made again, byte for byte, and whatever a recipe says, nothing else is.
class TestCliFigure : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::string m_cache;

    std::string file(const std::string& name) { return m_folder.filePath(QString::fromStdString(name)).toStdString(); }
    /// A figure that is fast to draw, with its files: map.pdf, map.json, ...
    JsonValue makeSchema(const std::string& stem)
    {
        const auto outcome =
            runVerb({"inspect", m_cache, "--figure", file(stem + ".pdf"), "--recipe", "--overwrite", "--json"});
        return outcome.code == 0 ? JsonValue::parse(bytesOf(file(stem + ".json"))) : JsonValue(outcome.err);
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_cache = file("cache.h5");
        CacheContents contents = test::tellingContents();
        contents.documents.ids[3] = "=1+1";
        contents.header.model.name = "tell_ing & 100%";
        JobContext job;
        HEADSCOPE_VERIFY_OK(writeCache(m_cache, contents, NumberType::F32, job));
    }

    void figuresComeBack_data()
    {
        QTest::addColumn<Words>("words");
        QTest::addColumn<std::string>("option");
        QTest::addColumn<std::string>("ending");
        QTest::addColumn<bool>("numbers");
        const auto add = [](const char* name, const Words& words, const char* option, bool numbers,
                            const Words& endings) {
            for (const std::string& ending : endings)
                QTest::addRow("%s %s", name, ending.c_str()) << words << std::string(option) << ending << numbers;
        };
        const Words all = {".pdf", ".svg", ".png"};
        add("tsne", {"tsne", "CACHE", "--stage", "3", "--perplexity", "5", "--iterations", "60", "--seed", "4"}, "-o",
            true, all);
        add("tsne of heads",
            {"tsne", "CACHE", "--perplexity", "5", "--iterations", "40", "--show-heads", "1-2", "--init", "random"},
            "-o", true, {".pdf"});
        add("tsne, column", {"tsne", "CACHE", "--perplexity", "5", "--iterations", "40", "--preset", "acl-column"},
            "-o", true, {".pdf"});
        add("heatmap", {"heatmap", "CACHE", "--stage", "3", "--permutations", "5", "--text", "outlines"}, "-o", true,
            all);
        add("heatmaps", {"heatmap", "CACHE", "--stage", "1,3", "--permutations", "0"}, "-o", true, {".pdf"});
        add("probe", {"probe", "CACHE", "--baselines", "off", "--stage", "1,2"}, "-o", true, all);
        add("layers", {"layers", "CACHE", "--permutations", "5", "--neighbors", "5"}, "-o", true, all);
        add("match", {"match", "CACHE", "--stage", "3", "--k", "1,2", "--permutations", "9"}, "-o", true, all);
        add("match of heads", {"match", "CACHE", "--heads", "2-3", "--permutations", "0"}, "-o", true, {".svg"});
        add("card", {"card", "CACHE", "--layer", "1", "--head", "2", "--ends", "0.2", "--seed", "3"}, "-o", true, all);
        add("similarity", {"similarity", "CACHE", "--stage", "2"}, "-o", true, all);
        add("heads", {"heads", "CACHE", "--stage", "1", "--permutations", "19"}, "-o", true, all);
        add("some heads", {"heads", "CACHE", "--stage", "3", "--heads", "2", "--permutations", "0"}, "-o", true,
            {".pdf"});
        add("prune", {"prune", "CACHE", "--measure", "match1"}, "-o", true, all);
        add("prune, order", {"prune", "CACHE", "--measure", "match1", "--order", "backward"}, "-o", true, {".pdf"});
        add("prune, adding", {"prune", "CACHE", "--order", "forward", "--validate", "none"}, "-o", true, {".svg"});
        add("prune, subsets", {"prune", "CACHE", "--measure", "match1", "--search", "all"}, "-o", true, {".pdf"});
        add("schema", {"inspect", "CACHE", "--layer", "0"}, "--figure", false, all);
    }

    void figuresComeBack()
    {
        QFETCH(Words, words);
        QFETCH(const std::string, option);
        QFETCH(const std::string, ending);
        QFETCH(const bool, numbers);
        std::replace(words.begin(), words.end(), std::string("CACHE"), m_cache);
        const auto outcome = runVerb(joined(words, {option, file("a" + ending), "--recipe", "--json", "--overwrite"}));
        QVERIFY2(outcome.code == 0, outcome.err.c_str());
        const JsonValue figure = outcome.json().at("figure");
        QVERIFY(figure.at("width_mm").get<double>() > 70);
        QCOMPARE(figure.at("vector_bytes").get<std::int64_t>() + figure.at("raster_bytes").get<std::int64_t>(),
                 static_cast<std::int64_t>(bytesOf(file("a" + ending)).size()));
        QCOMPARE(figure.at("files").size(), std::size_t{numbers ? 3U : 2U});
        for (const JsonValue& each : figure.at("files"))
            QVERIFY(!bytesOf(each.get<std::string>()).empty());
        const std::string made = bytesOf(file("a" + ending));
        // From the recipe, and from the figure; on another number of threads, from another folder.
        for (const std::string& recipe : {std::string("a.json"), "a" + ending})
        {
            const std::string again = file("again" + ending);
            const auto second =
                runVerb({"figure", file(recipe), "-o", again, "--threads", "2", "--overwrite", "--recipe"});
            QVERIFY2(second.code == 0, second.err.c_str());
            QVERIFY2(bytesOf(again) == made, recipe.c_str());
            QCOMPARE(bytesOf(file("again.json")), bytesOf(file("a.json")));
            if (numbers)
                QCOMPARE(bytesOf(file("again.csv")), bytesOf(file("a.csv")));
        }
        // Where somebody keeps the cache is nobody's business.
        QVERIFY(made.find(m_folder.path().toStdString()) == std::string::npos);
        QVERIFY(bytesOf(file("a.json")).find(m_folder.path().toStdString()) == std::string::npos);
    }

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

    /// Whatever an option of a drawing verb names is a file that it reads, or none that a recipe may name.
    void noOptionOfARecipeWrites()
    {
        for (const char* verb : {"card", "circuits", "heads", "heatmap", "inspect", "layers", "match", "probe", "prune",
                                 "similarity", "tsne"})
        {
            const auto made = cli::makeVerb(verb);
            Fields table;
            shell::CommonOptions common;
            made->declare(table);
            common.declare(table);
            for (const Field& row : table.options())
            {
                if (const auto* choice = std::get_if<FieldChoice>(&row.target))
                    choice->set("some.file");
                auto* several = std::get_if<std::vector<std::string>*>(&row.target);
                if (row.shownValue().find("FILE") == std::string::npos || (row.text() == nullptr && several == nullptr))
                    continue;
                if (several != nullptr)
                    **several = {"some.file"};
                else
                    *row.text() = "some.file";
                QVERIFY2(!inputsOf(row).empty() || isLeftOutOfRecipes(row),
                         (std::string(verb) + " " + row.typedName()).c_str());
            }
        }
        const auto pruned = runVerb({"prune", m_cache, "--measure", "match1", "--order", "backward", "--save-mask",
                                     file("own-mask.json"), "-o", file("masked.pdf")});
        QVERIFY2(pruned.code == 0, pruned.err.c_str());
        QVERIFY(QFile::remove(QString::fromStdString(file("own-mask.json"))));
        QCOMPARE(runVerb({"figure", file("masked.pdf"), "-o", file("masked2.pdf")}).code, 0);
        QVERIFY(bytesOf(file("masked.pdf")) == bytesOf(file("masked2.pdf")));
        QVERIFY(!std::filesystem::exists(file("own-mask.json")));
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
                {"similarity", cache, "-o", file("topics.svg"), "--preset", "acl-column", "--overwrite", "--json"});
            QVERIFY2(outcome.code == 0, outcome.err.c_str());
            const double least = outcome.json().at("figure").at("least_text_pt").get<double>();
            QVERIFY2(least >= viz::kMinReadablePt, std::to_string(least).c_str());
            QVERIFY2(outcome.err.find("hard to read") == std::string::npos, outcome.err.c_str());
            const bool numbers = bytesOf(file("topics.svg")).find(">1.00<") != std::string::npos;
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

    void inputsAreKnownByTheirContents()
    {
        const JsonValue recipe = makeSchema("moved");
        QVERIFY(recipe.is_object());
        const std::string before = bytesOf(file("moved.pdf"));
        QDir(m_folder.path()).mkdir(QStringLiteral("elsewhere"));
        QVERIFY(QFile::copy(QString::fromStdString(m_cache), QString::fromStdString(file("elsewhere/other name.h5"))));
        QVERIFY(QFile::rename(QString::fromStdString(m_cache), QString::fromStdString(file("kept.h5"))));
        const Words line = {"figure", file("moved.pdf"), "-o", file("moved2.pdf")};
        const auto gone = runVerb(line);
        QCOMPARE(gone.code, 3);
        QVERIFY2(gone.err.find("cache.h5") != std::string::npos && gone.err.find("--input") != std::string::npos,
                 gone.err.c_str());
        const auto found = runVerb(joined(line, {"--input", file("elsewhere/other name.h5")}));
        QVERIFY2(found.code == 0, found.err.c_str());
        QVERIFY(bytesOf(file("moved2.pdf")) == before);
        // Another cache of the same name.
        JobContext job;
        HEADSCOPE_VERIFY_OK(writeCache(m_cache, test::tellingContents(), NumberType::F32, job));
        const auto changed = runVerb(joined(line, {"--overwrite"}));
        QVERIFY2(changed.code != 0 && changed.err.find("changed since") != std::string::npos, changed.err.c_str());
        const auto wrong = runVerb(joined(line, {"--overwrite", "--input", m_cache, file("kept.h5")}));
        QVERIFY2(wrong.code == 2 && wrong.err.find("the contents of this file "
                                                   "differ") != std::string::npos,
                 wrong.err.c_str());
        QVERIFY(QFile::remove(QString::fromStdString(m_cache)));
        QVERIFY(QFile::rename(QString::fromStdString(file("kept.h5")), QString::fromStdString(m_cache)));
        // A map that is stored in the cache changes the file and not the figure.
        QCOMPARE(runVerb({"tsne", m_cache, "--perplexity", "5", "--iterations", "5", "--save", "kept"}).code, 0);
        QCOMPARE(runVerb(joined(line, {"--overwrite"})).code, 0);
        QVERIFY(bytesOf(file("moved2.pdf")) == before);
    }

    void otherFilesAreInputsToo()
    {
        write(file("names.json"), "{\"topic a\": \"topic b\"}");
        const auto outcome = runVerb({"heatmap", m_cache, "--label-map", file("names.json"), "--permutations", "0",
                                      "-o", file("mapped.svg"), "--overwrite"});
        QVERIFY2(outcome.code == 0, outcome.err.c_str());
        const std::string before = bytesOf(file("mapped.svg"));
        QCOMPARE(runVerb({"figure", file("mapped.svg"), "-o", file("mapped2.svg"), "--overwrite"}).code, 0);
        QVERIFY(bytesOf(file("mapped2.svg")) == before);
        write(file("names.json"), "{\"topic a\": \"topic c\"}");
        const auto changed = runVerb({"figure", file("mapped.svg"), "-o", file("mapped2.svg"), "--overwrite"});
        QVERIFY2(changed.code != 0 && changed.err.find("names.json") != std::string::npos, changed.err.c_str());
        // The files beside a figure replace no input.
        const auto own = runVerb({"heatmap", m_cache, "--label-map", file("names.json"), "-o", file("names.pdf"),
                                  "--recipe", "--overwrite"});
        QVERIFY2(own.code == 2, own.err.c_str());
        QCOMPARE(bytesOf(file("names.json")), std::string("{\"topic a\": \"topic c\"}"));
    }

    /// A map of a plain matrix from given places: the caption names the matrix, whatever it is called now.
    void plainMatrices()
    {
        const std::string inside = ":/maps/map/xy";
        for (const char* name : {"rows.h5", "start.h5"})
        {
            const auto outcome = runVerb({"tsne", m_cache, "--heads", "1", "--perplexity", "5", "--iterations",
                                          std::string(name) == "rows.h5" ? "40" : "3", "-o", file(name)});
            QVERIFY2(outcome.code == 0, outcome.err.c_str());
        }
        const auto made = runVerb({"tsne", "--vectors", file("rows.h5") + inside, "--perplexity", "5", "--iterations",
                                   "9", "--init", file("start.h5") + inside, "-o", file("rows.pdf")});
        QVERIFY2(made.code == 0, made.err.c_str());
        const std::string before = bytesOf(file("rows.pdf"));
        QVERIFY(before.find(m_folder.path().toStdString()) == std::string::npos);
        QVERIFY(QFile::rename(QString::fromStdString(file("rows.h5")), QString::fromStdString(file("moved.h5"))));
        const auto again = runVerb({"figure", file("rows.pdf"), "-o", file("rows2.pdf"), "--input", file("moved.h5")});
        QVERIFY2(again.code == 0, again.err.c_str());
        QVERIFY(bytesOf(file("rows2.pdf")) == before);
    }

    void hostileRecipes_data()
    {
        QTest::addColumn<std::string>("pointer");
        QTest::addColumn<std::string>("value");
        QTest::addColumn<std::string>("part");
        const auto add = [](const char* name, const char* pointer, const char* value, const char* part) {
            QTest::newRow(name) << std::string(pointer) << std::string(value) << std::string(part);
        };
        add("newer", "/version", "3", "newer Headscope");
        add("much newer", "/version", "99999999999999999999999", "version");
        add("negative", "/version", "-1", "version");
        add("other format", "/format", "\"headscope-work\"", "format");
        add("no verb", "/verb", "null", "verb");
        add("verb of the engine", "/verb", "\"extract\"", "whose figures this command does not make");
        add("verb of a table", "/verb", "\"export\"", "whose figures this command does not make");
        add("itself", "/verb", "\"figure\"", "whose figures this command does not make");
        add("options are no list", "/options", "{}", "options");
        add("an option is no text", "/options", "[1]", "an option that is not a string");
        add("a zero byte", "/options", "[\"cache.h5\\u0000x\"]", "an option that is not a string");
        add("unknown option", "/options", "[\"cache.h5\", \"--shell\", \"rm\"]", "does not take");
        add("help", "/options", "[\"--help\"]", "does not take");
        add("another output", "/options", "[\"cache.h5\", \"--figure\", \"victim.pdf\"]", "--figure");
        add("overwrite", "/options", "[\"cache.h5\", \"--overwrite\"]", "--overwrite");
        add("threads", "/options", "[\"cache.h5\", \"--threads\", \"4000\"]", "--threads");
        add("a file without a hash", "/inputs", "[]", "no hash");
        add("another file", "/options", "[\"/etc/hostname\"]", "no hash");
        add("inputs are no objects", "/inputs", "[[]]", "not an object");
        add("a folder", "/inputs/0/path", "\"..\"", "no hash");
        add("many inputs", "/inputs", fmt::format("[{}]", fmt::join(std::vector(1'001, 0), ",")).c_str(), "inputs");
        add("no versions", "/versions", "0", "versions");
    }

    void hostileRecipes()
    {
        QFETCH(const std::string, pointer);
        QFETCH(const std::string, value);
        QFETCH(const std::string, part);
        JsonValue recipe = makeSchema("hostile");
        QVERIFY2(recipe.is_object(), recipe.dump().c_str());
        recipe[JsonValue::json_pointer(pointer)] = JsonValue::parse(value);
        write(file("hostile.json"), recipe.dump());
        write(file("victim.pdf"), "mine");
        const auto outcome = runVerb({"figure", file("hostile.json"), "-o", file("out.pdf")});
        QVERIFY2(outcome.code == 3 || outcome.code == 2, outcome.err.c_str());
        QVERIFY2(outcome.err.find(part) != std::string::npos, outcome.err.c_str());
        QVERIFY(!QFile::exists(QString::fromStdString(file("out.pdf"))));
        QCOMPARE(bytesOf(file("victim.pdf")), std::string("mine"));
    }

    /// Damaged in any way, a recipe is followed or refused by a sentence; nothing but -o is written.
    void damagedRecipes()
    {
        QVERIFY(makeSchema("damaged").is_object());
        const QStringList before = QDir(m_folder.path()).entryList(QDir::Files);
        const CounterRandom random(11);
        for (const char* name : {"damaged.json", "damaged.pdf"})
        {
            const std::string whole = bytesOf(file(name));
            const std::string mutant = file(std::string("mutant_") + name);
            const std::string out = file("out_of_mutant.pdf");
            int refused = 0;
            for (std::uint64_t i = 0; i < 150; ++i)
            {
                std::string bytes = whole;
                const auto place = [&](std::uint64_t n) {
                    return static_cast<std::size_t>(random.below(8 * i + n, bytes.size()));
                };
                if (i % 3 == 0)
                    bytes.resize(place(0));
                else if (i % 3 == 1)
                    bytes.erase(place(0), place(1) % 16);
                else
                    for (std::uint64_t n = 0; n < 4; ++n)
                        bytes[place(n)] = static_cast<char>(random.below(8 * i + n + 1, 256));
                write(mutant, bytes);
                const auto outcome = runVerb({"figure", mutant, "-o", out, "--overwrite"});
                QVERIFY2(outcome.code == 0 || (outcome.code <= 4 && !outcome.err.empty()), outcome.err.c_str());
                refused += outcome.code == 0 ? 0 : 1;
            }
            QVERIFY2(refused > 40, name);
            QFile::remove(QString::fromStdString(mutant));
            QFile::remove(QString::fromStdString(out));
        }
        QCOMPARE(QDir(m_folder.path()).entryList(QDir::Files), before);
        // Brackets without end, and no recipe at all.
        write(file("deep.json"), std::string(std::size_t{500'000}, '['));
        QCOMPARE(runVerb({"figure", file("deep.json"), "-o", file("x.pdf")}).code, 3);
        write(file("large.json"), std::string(std::size_t{2'000'000}, ' '));
        QCOMPARE(runVerb({"figure", file("large.json"), "-o", file("x.pdf")}).code, 3);
        QCOMPARE(runVerb({"figure", m_cache, "-o", file("x.pdf")}).code, 3);
    }

    void outputsAreThoseOfFigures()
    {
        QVERIFY(makeSchema("plain").is_object());
        QCOMPARE(runVerb({"figure", file("plain.json"), "-o", file("x.h5")}).code, 2);
        QCOMPARE(runVerb({"figure", file("plain.json"), "-o", file("plain.pdf")}).code, 2); // is there
        QCOMPARE(runVerb({"figure", file("plain.pdf"), "-o", file("plain.pdf"), "--overwrite"}).code, 2);
        QCOMPARE(runVerb({"figure", file("missing.json"), "-o", file("x.pdf")}).code, 3);
        // The recipe would be replaced by its own copy.
        QCOMPARE(runVerb({"figure", file("plain.json"), "-o", file("plain.svg"), "--recipe", "--overwrite"}).code, 2);
        JsonValue recipe = makeSchema("plain");
        recipe["versions"]["qt"] = "5.15";
        write(file("older.json"), recipe.dump());
        const auto older = runVerb({"figure", file("older.json"), "-o", file("older.pdf"), "--json"});
        QVERIFY2(older.code == 0 && older.err.find("Qt 5.15") != std::string::npos, older.err.c_str());
        QVERIFY(older.json().at("notices").dump().find("may differ") != std::string::npos);
        const auto other = runVerb({"figure", file("plain.json"), "-o", file("plain.png")});
        QVERIFY2(other.code == 0, other.err.c_str());
        QVERIFY(bytesOf(file("plain.png")).starts_with("\x89PNG"));
    }
};

HEADSCOPE_TEST(TestCliFigure)
#include "tst_cli_figure.moc"

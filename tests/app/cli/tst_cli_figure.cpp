// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verb.h"
#include "app/shell/common_options.h"
#include "model/base/fields/fields.h"
#include "tests/app/cli/figure_fixture.h"
#include "tests/support/test_program.h"
#include "viz/export/figure_presets.h"

#include <QDir>
#include <QFile>

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace headscope;
using headscope::Json; // not in a group with another Json
using test::runVerb;
using JsonValue = nlohmann::json;
using Words = std::vector<std::string>;

/// Recipes: a figure that a verb wrote is made again, byte for byte, and whatever a recipe says, nothing else is.
class TestCliFigure : public QObject, private test::FigureFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { writeSample(); }

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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/figures/annotation_text.h"
#include "app/commands/value_checks.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

using namespace headscope;
using test::runVerb;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

namespace
{

std::string bytesOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

Words joined(Words words, const Words& more)
{
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

} // namespace

/// Figures of several panels, what is written onto figures, and a part of a map enlarged: each comes back from its
/// recipe, byte for byte.
class TestCliPanels : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::string m_cache;

    std::string file(const std::string& name) { return m_folder.filePath(QString::fromStdString(name)).toStdString(); }

    void draw(const Words& words, const std::string& name)
    {
        const auto outcome = runVerb(joined(words, {"-o", file(name), "--overwrite"}));
        QVERIFY2(outcome.code == 0, outcome.err.c_str());
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_cache = file("cache.h5");
        JobContext job;
        HEADSCOPE_VERIFY_OK(writeCache(m_cache, test::tellingContents(), NumberType::F32, job));
        for (const std::string stage : {"1", "3"})
        {
            draw({"tsne", m_cache, "--stage", stage, "--perplexity", "5", "--iterations", "40", "--seed", stage},
                 "map" + stage + ".pdf");
            draw({"heatmap", m_cache, "--stage", stage, "--permutations", "0"}, "heat" + stage + ".svg");
        }
        draw({"match", m_cache, "--permutations", "9"}, "match.png");
        draw({"probe", m_cache, "--baselines", "off"}, "probe.pdf");
    }

    void panelsComeBack_data()
    {
        QTest::addColumn<Words>("figures");
        QTest::addColumn<Words>("options");
        QTest::newRow("maps") << Words{"map1.pdf", "map3.pdf"} << Words{"--preset", "acl-page"};
        QTest::newRow("of all kinds") << Words{"map1.pdf", "heat1.svg", "match.png", "probe.pdf"}
                                      << Words{"--columns", "2", "--letters", "plain", "--text", "outlines"};
        QTest::newRow("one scale") << Words{"heat1.svg", "heat3.svg"} << Words{"--share", "all"};
        QTest::newRow("with words") << Words{"match.png", "match.png"}
                                    << Words{"--annotate", "label 0.5,0.5 50 % of a_b & \u65e5\u672c", "--share",
                                             "none"};
    }
    void panelsComeBack()
    {
        QFETCH(Words, figures);
        QFETCH(Words, options);
        Words line = {"figure"};
        for (const std::string& each : figures)
            line.push_back(file(each));
        for (const std::string ending : {".pdf", ".svg", ".png"})
        {
            const std::string made = file("page" + ending);
            const auto outcome =
                runVerb(joined(line, joined({"-o", made, "--recipe", "--json", "--overwrite"}, options)));
            QVERIFY2(outcome.code == 0, outcome.err.c_str());
            const Json answer = outcome.json();
            QCOMPARE(answer.at("panels").size(), figures.size());
            QCOMPARE(answer.at("figure").at("files").size(), 2 + figures.size());
            for (const Json& beside : answer.at("figure").at("files"))
                QVERIFY(!bytesOf(beside.get<std::string>()).empty());
            QVERIFY(answer.at("figure").at("caption").get<std::string>().starts_with("(a) "));
            const Json recipe = Json::parse(bytesOf(file("page.json")));
            QCOMPARE(recipe.at("version").get<int>(), 2);
            QCOMPARE(recipe.at("panels").size(), figures.size());
            for (const std::string& from : {std::string("page.json"), "page" + ending})
            {
                const auto again = runVerb({"figure", file(from), "-o", file("again" + ending), "--overwrite"});
                QVERIFY2(again.code == 0, again.err.c_str());
                QVERIFY2(bytesOf(file("again" + ending)) == bytesOf(made), from.c_str());
            }
        }
    }

    void sharedScaleIsThatOfAll()
    {
        const auto limitsOf = [this](const std::string& share) {
            const auto made = runVerb({"figure", file("heat1.svg"), file("heat3.svg"), "-o", file("s.svg"), "--share",
                                       share, "--recipe", "--overwrite"});
            std::vector<std::string> scales;
            if (made.code != 0)
                return scales;
            const Json recipe = Json::parse(bytesOf(file("s.json")));
            for (const Json& panel : recipe.at("panels"))
            {
                const Words words = panel.at("options").get<Words>();
                const auto scale = std::ranges::find(words, "--scale");
                scales.push_back(scale == words.end() ? std::string("own") : *(scale + 1));
            }
            return scales;
        };
        QCOMPARE(limitsOf("legend"), (Words{"own", "own"}));
        const Words shared = limitsOf("scale");
        QCOMPARE(shared.size(), std::size_t{2});
        QCOMPARE(shared[0], shared[1]);
        QVERIFY(shared[0].find(',') != std::string::npos);
    }

    void whatIsRefused()
    {
        const std::string one = file("match.png");
        const auto saying = [this](const Words& words, int code, const std::string& part) {
            const auto outcome = runVerb(joined({"figure"}, joined(words, {"-o", file("refused.pdf")})));
            return outcome.code == code && outcome.err.find(part) != std::string::npos &&
                   !std::filesystem::exists(file("refused.pdf"));
        };
        QVERIFY(saying({one, "--columns", "2"}, 2, "--columns"));
        QCOMPARE(runVerb({"figure", one, one, "-o", file("page.pdf"), "--overwrite"}).code, 0);
        QVERIFY(saying({one, file("page.pdf")}, 3, "panel (b)"));
        QVERIFY(saying({one, m_cache}, 3, "cache.h5"));
        QVERIFY(saying({one, file("none.pdf")}, 3, "none.pdf"));
        Words many(27, one);
        QVERIFY(saying(many, 3, "at most 26 panels"));
        QVERIFY(saying({one, one, "--annotate", "label map:1,2 x"}, 2, "no map"));
        QVERIFY(saying({one, one, "--input", file("map1.pdf")}, 2, "--input"));
        // What is there stays, and no half is left.
        std::ofstream(file("there-b.csv")) << "mine";
        const auto there = runVerb({"figure", one, one, "-o", file("there.pdf"), "--recipe"});
        QVERIFY2(there.code == 2 && there.err.find("there-b.csv") != std::string::npos, there.err.c_str());
        QCOMPARE(bytesOf(file("there-b.csv")), std::string("mine"));
        for (const char* name : {"there.pdf", "there.json", "there.tex", "there-a.csv"})
            QVERIFY2(!std::filesystem::exists(file(name)), name);
    }

    void hostileRecipesOfPanels_data()
    {
        QTest::addColumn<std::string>("change");
        QTest::addColumn<std::string>("sentence");
        const auto row = [](const char* name, const char* change, const char* sentence) {
            QTest::newRow(name) << std::string(change) << std::string(sentence);
        };
        row("no panels", R"({"panels": []})", "panels");
        row("too many", R"({"panels": ["x"]})", "panel");
        row("a panel without a verb", R"({"panels": [{}, {}]})", "format");
        row("another verb", R"({"verb": "probe"})", "with panels");
        row("a file among the options", R"({"options": ["--input", "/etc/passwd"]})", "files");
        row("an output", R"({"options": ["-o", "other.pdf"]})", "figure");
        row("unknown option", R"({"options": ["--nothing"]})", "figure does not take");
        row("an older version", R"({"version": 1})", "with panels");
        row("newer", R"({"version": 3})", "newer");
    }
    void hostileRecipesOfPanels()
    {
        QFETCH(std::string, change);
        QFETCH(std::string, sentence);
        const std::string one = file("match.png");
        QCOMPARE(runVerb({"figure", one, one, "-o", file("good.pdf"), "--recipe", "--overwrite"}).code, 0);
        Json recipe = Json::parse(bytesOf(file("good.json")));
        recipe.merge_patch(Json::parse(change));
        std::ofstream(file("bad.json")) << recipe.dump();
        const auto outcome = runVerb({"figure", file("bad.json"), "-o", file("bad.pdf")});
        QVERIFY2(outcome.code == 3 && outcome.err.find(sentence) != std::string::npos, outcome.err.c_str());
        QVERIFY(!std::filesystem::exists(file("bad.pdf")) && !std::filesystem::exists(file("other.pdf")));
    }

    void annotatedFiguresComeBack()
    {
        const Words words = {
            "tsne",         m_cache, "--perplexity", "5", "--annotate", "label 0.5,0.02 Above", "box 0.1,0.1 0.3,0.4",
            "--iterations", "40"};
        draw(words, "notes.svg");
        QVERIFY(bytesOf(file("notes.svg")).find("Above") != std::string::npos);
        QCOMPARE(runVerb({"figure", file("notes.svg"), "-o", file("notes2.svg"), "--overwrite"}).code, 0);
        QVERIFY(bytesOf(file("notes.svg")) == bytesOf(file("notes2.svg")));
        // More is written onto it, and kept.
        QCOMPARE(runVerb({"figure", file("notes.svg"), "-o", file("notes3.svg"), "--annotate", "label 0.5,0.9 Below",
                          "--overwrite"})
                     .code,
                 0);
        for (const char* word : {"Above", "Below"})
            QVERIFY(bytesOf(file("notes3.svg")).find(word) != std::string::npos);
        const auto far = runVerb({"tsne", m_cache, "--perplexity", "5", "--iterations", "40", "-o", file("far.svg"),
                                  "--annotate", "label map:1e9,0 Far"});
        QVERIFY2(far.code == 2 && far.err.find("part of the map") != std::string::npos, far.err.c_str());
    }

    void annotationWords_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<bool>("isTaken");
        const auto row = [](const char* text, bool isTaken) { QTest::newRow(text) << std::string(text) << isTaken; };
        row("label 0.5,0.5 Text of words", true);
        row("label map:-3.5,1e2 x", true);
        row("arrow 0,0 1,1", true);
        row("box 0.1,0.2 map:3,4 text", true);
        row("label 0.5,0.5", false);
        row("label 0.5 Text", false);
        row("label 1.5,0.5 Text", false);
        row("label nan,0.5 Text", false);
        row("arrow 0,0 Text", false);
        row("circle 0,0 Text", false);
        row("label 0,0 two\nlines", false);
        row("", false);
    }
    void annotationWords()
    {
        QFETCH(std::string, text);
        QFETCH(bool, isTaken);
        QCOMPARE(commands::annotationFault(text).empty(), isTaken);
        QCOMPARE(bool(commands::readAnnotation(text)), isTaken);
    }

    void insets()
    {
        const Words words = {"tsne", m_cache, "--stage", "3", "--perplexity", "5", "--iterations", "300"};
        draw(words, "places.csv");
        std::istringstream places(bytesOf(file("places.csv")));
        std::string line;
        for (int i = 0; i < 2; ++i)
            std::getline(places, line);
        const auto x = line.rfind(',', line.rfind(',') - 1);
        const double left = std::stod(line.substr(x + 1));
        const double top = std::stod(line.substr(line.rfind(',') + 1));
        const std::string part = fmt::format("{},{},{},{}", left - 0.5, top - 0.5, left + 0.5, top + 0.5);
        const auto outcome = runVerb(joined(words, {"--inset=" + part, "-o", file("inset.pdf"), "--json"}));
        QVERIFY2(outcome.code == 0, outcome.err.c_str());
        const std::string caption = outcome.json().at("figure").at("caption").get<std::string>();
        QVERIFY2(caption.find("Inset (") != std::string::npos && caption.find("the outlined part") != std::string::npos,
                 caption.c_str());
        QCOMPARE(runVerb({"figure", file("inset.pdf"), "-o", file("inset2.pdf")}).code, 0);
        QVERIFY(bytesOf(file("inset.pdf")) == bytesOf(file("inset2.pdf")));
        for (const auto& [inset, code, sentence] :
             {std::tuple("1,2,3", 2, "two corners"), std::tuple("1,2,1,4", 2, "two corners"),
              std::tuple("heads:0", 2, "from 1"), std::tuple("heads:99", 3, "99"),
              std::tuple("1e6,1e6,1000001,1000001", 3, "has no points"),
              std::tuple("-1e6,-1e6,1e6,1e6", 3, "times; name fewer heads or two closer corners, X,Y,X,Y")})
        {
            const auto refused = runVerb(joined(words, {"--inset=" + std::string(inset), "-o", file("no.pdf")}));
            QVERIFY2(refused.code == code && refused.err.find(sentence) != std::string::npos,
                     (std::string(inset) + ": " + refused.err).c_str());
        }
        const auto heads = runVerb(joined(words, {"--inset", "heads:2", "--panels", "heads", "-o", file("no.pdf")}));
        QVERIFY2(heads.code == 2 && heads.err.find("--inset") != std::string::npos, heads.err.c_str());
    }
};

HEADSCOPE_TEST(TestCliPanels)
#include "tst_cli_panels.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the window: what they were made from is inside and beside them, and they open again as what they show.
#include "app/desktop/work/figure_work.h"
#include "app/desktop/work/work_session.h"
#include "app/results/figure_recipe.h"
#include "app/shell/quoted_command.h"
#include "app/views/heatmap/heatmap_view.h"
#include "app/views/layers/layers_chart.h"
#include "app/views/layers/layers_view.h"
#include "app/views/map/map_view.h"
#include "app/views/probe/probe_view.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/app/desktop/keep_fixture.h"
#include "tests/support/file_bytes.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_of.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/widgets/widgets.h"
#include "ui/words/opened_file_kind.h"
#include "viz/export/embedded_recipe.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QJsonDocument>

#include <algorithm>

using namespace headscope;
using desktop::Workbench;
using desktop::WorkSession;
using test::bytesOf;
using test::runVerb;

namespace
{

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

} // namespace

class TestDesktopFigures : public QObject, private test::KeepFixture
{
    Q_OBJECT

private:
    WorkSession& work() { return m_workbench->work(); }
    ui::Choices& choices() { return m_workbench->study().choices(); }
    ui::ScatterWidget& scatter() { return *test::viewOf<ui::MapView>(*m_window).scatter(); }
    QString file(const QString& name) const { return m_place->filePath(name); }
    /// The cache is in a.h5; the folder of figures is another one.
    QString figure(const QString& name) const
    {
        QDir(m_place->path()).mkpath(QStringLiteral("paper"));
        return file(QStringLiteral("paper/") + name);
    }
    QStringList figures() const { return QDir(file(QStringLiteral("paper"))).entryList(QDir::Files, QDir::Name); }

    /// Saves what is shown, as the menu does.
    bool save(const QString& path)
    {
        QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
        m_dialogs.nextPath = path;
        action("actionSaveView")->trigger();
        return test::waitFor([&saved] { return saved.count() == 1; });
    }
    static Result<FigureRecipe> recipeOf(const QString& path)
    {
        HEADSCOPE_TRY(const std::string text, viz::recipeTextOf(path.toStdString()));
        return readRecipe(text);
    }
    void reopen(const QString& path)
    {
        QSignalSpy restored(&work(), &WorkSession::restored);
        m_workbench->open(path);
        WAIT_COMPARE(restored.count(), 1);
        waitForJobs();
    }
    /// Opens what cannot be opened: says so, and nothing else changes.
    void refuses(const QString& path, const char* part)
    {
        const QJsonObject before = work().gather();
        QSignalSpy failed(&work(), &WorkSession::failed);
        m_workbench->open(path);
        WAIT_COMPARE(failed.count(), 1);
        const QString said = QString::fromStdString(failed.at(0).at(0).value<Error>().sentence());
        QVERIFY2(said.contains(QLatin1StringView(part)), qPrintable(said));
        QVERIFY2(sentence().contains(QFileInfo(path).fileName()) || !sentence().isEmpty(), qPrintable(sentence()));
        QCOMPARE(work().gather(), before);
        QVERIFY(work().file().isEmpty());
    }

private Q_SLOTS:
    void initTestCase() { qRegisterMetaType<Error>(); }
    void init() { beginTest(); }
    void cleanup() { endTest(); }

    void theMapComesBack_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"map.pdf", "map.svg", "map.png"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }

    void theMapComesBack()
    {
        QFETCH(const QString, name);
        openAndSettle(m_cache);
        waitForJobs();
        choices().setHeads({0, 2, 3, 5});
        choices().setColor(ui::ColorChoice::fromKey("strength"));
        keepSet(QStringLiteral("Cats & “dogs”"), {1, 5, 9});
        hub().setDocuments({2, 3, 4, 20});
        const auto& canvas = scatter();
        scatter().setView(canvas.view().zoomedAt({200, 150}, 1.7));
        waitForJobs();
        const double scale = canvas.view().scale();
        const ui::Choice choice = choices().now();
        const std::string origin = m_workbench->study().origin().hash;
        QVERIFY(save(figure(name)));
        QCOMPARE(figures(), QStringList(name)); // nothing beside it that nobody asked for
        const auto recipe = recipeOf(figure(name));
        HEADSCOPE_VERIFY_OK(recipe);
        QCOMPARE(recipe->verb, std::string(kWindowVerb));
        QCOMPARE(recipe->inputs.size(), std::size_t{1});
        QCOMPARE(recipe->inputs.front().path, std::string("a.h5"));
        QCOMPARE(recipe->inputs.front().hash, "origin:" + origin);
        QVERIFY(!bytesOf(figure(name)).contains(m_place->path().toUtf8()));
        const auto json = nlohmann::json::parse(*viz::recipeTextOf(figure(name).toStdString()));
        QCOMPARE(json.at("window").at("drawn_by").get<std::string>(), std::string("window"));
        QVERIFY(json.at("command").get<std::string>().starts_with("headscope tsne a.h5 "));
        QVERIFY(json.at("parameters").contains("seed"));
        // The shell says where it opens.
        const auto shell = runVerb({"figure", figure(name).toStdString(), "-o", file(name).toStdString()});
        QVERIFY(shell.code != 0 && !QFile::exists(file(name)));
        QVERIFY2(shell.err.find("drop it onto the window") != std::string::npos, shell.err.c_str());
        closeWindow();

        begin();
        openAndSettle(m_other); // the cache of the figure is beside no file that is open
        m_window->setView(ui::kHeatmapView);
        waitForJobs();
        m_dialogs.nextAnswer = 1; // it is in the list of recent files, else it is asked for
        m_dialogs.nextPath = m_cache;
        reopen(figure(name));
        QVERIFY(m_window->view() == ui::kMapView);
        QVERIFY(choices().now() == choice);
        QCOMPARE(hub().selection().documents, (std::vector<std::int64_t>{2, 3, 4, 20}));
        QCOMPARE(hub().sets().all().size(), std::size_t{1});
        WAIT_FOR(std::abs(scatter().view().scale() / scale - 1) < 1e-6);
        QVERIFY(work().file().isEmpty()); // saving the work would not write into the figure
    }

    void filesStandBesideIt()
    {
        openAndSettle(m_cache);
        waitForJobs();
        ui::FigureSize size{160, 300, "acl-page"};
        size.files = true;
        m_dialogs.nextSize = size;
        QVERIFY(save(figure(QStringLiteral("map.pdf"))));
        QCOMPARE(figures(), (QStringList{QStringLiteral("map.csv"), QStringLiteral("map.json"),
                                         QStringLiteral("map.pdf"), QStringLiteral("map.tex")}));
        const QByteArray recipe = bytesOf(figure(QStringLiteral("map.json")));
        QCOMPARE(QByteArray::fromStdString(*viz::recipeTextOf(figure(QStringLiteral("map.pdf")).toStdString())),
                 recipe);
        const QByteArray latex = bytesOf(figure(QStringLiteral("map.tex")));
        QVERIFY2(latex.contains("\\begin{figure*}") && latex.contains("{map.pdf}") && latex.contains("width=160mm"),
                 latex.constData());
        QVERIFY(save(figure(QStringLiteral("alone.csv"))));
        QCOMPARE(bytesOf(figure(QStringLiteral("map.csv"))), bytesOf(figure(QStringLiteral("alone.csv"))));
        // The recipe opens as the figure does, and texts of that ending stay texts.
        m_window->setView(ui::kHeatmapView);
        waitForJobs();
        QVERIFY(desktop::isRecipeFile(figure(QStringLiteral("map.json"))));
        reopen(figure(QStringLiteral("map.json")));
        QVERIFY(m_window->view() == ui::kMapView);
        write(file(QStringLiteral("texts.json")), "[{\"text\": \"headscope-figure\"}]");
        QVERIFY(!desktop::isRecipeFile(file(QStringLiteral("texts.json"))));
    }

    void captionAndNumbersSayWhatIsShown()
    {
        openAndSettle(m_cache);
        waitForJobs();
        choices().setHeads({0, 1, 2, 3});
        hub().setDocuments({2, 3, 4, 20});
        hub().setPrimary(DocumentIndex(3), std::nullopt);
        waitForJobs();
        ui::FigureSize size{160, 300, "acl-page"};
        size.files = true;
        m_dialogs.nextSize = size;
        QVERIFY(save(figure(QStringLiteral("some.pdf"))));
        const QByteArray caption = bytesOf(figure(QStringLiteral("some.tex")));
        for (const char* part : {"Shown: heads 1", "of 9 (", "Pale grey:", "not selected", "document doc-3"})
            QVERIFY2(caption.contains(part), caption.constData());
        const QList<QByteArray> rows = bytesOf(figure(QStringLiteral("some.csv"))).split('\n');
        QVERIFY2(rows.front().endsWith(",chosen,shown"), rows.front().constData());
        QCOMPARE(std::ranges::count_if(rows, [](const QByteArray& row) { return row.endsWith(",1"); }),
                 std::ranges::count(scatter().points().states(), viz::PointState::Shown) +
                     std::ranges::count(scatter().points().states(), viz::PointState::Dimmed));
    }

    /// The copied command draws the map that is shown, as it is coloured, and the heads that are shown.
    void theCommandDrawsTheView()
    {
        openAndSettle(m_cache);
        waitForJobs();
        choices().setHeads({0, 1});
        choices().setColor(ui::ColorChoice::fromKey("label:topic"));
        waitForJobs();
        const auto line = [this] { return m_window->views().find(ui::kMapView)->commandLine(); };
        const QString stored = line();
        for (const char* part : {" --map ", ":/maps/stage1-last/xy", " --color topic", " --show-heads 1-2"})
            QVERIFY2(stored.contains(QLatin1StringView(part)), qPrintable(stored));
        // The shell understands it; the map of this cache is made up, and the shell sees that, too.
        auto words = shell::unquotedWords(stored.toStdString()).value_or(std::vector<std::string>());
        QVERIFY(!words.empty());
        words.erase(words.begin());
        const auto shell = runVerb(words);
        QVERIFY2(shell.code == 3 && shell.err.find("this map does not show the vectors of") != std::string::npos,
                 shell.err.c_str());
        // What the shell cannot colour by is said.
        choices().setColor(ui::ColorChoice::fromKey("density"));
        waitForJobs();
        QVERIFY2(line().contains(QStringLiteral("  # without the colours of the window (density)")),
                 qPrintable(line()));
        hub().setDocuments({2, 3});
        QVERIFY2(line().contains(QStringLiteral("(density), the selection")), qPrintable(line()));
        hub().setDocuments({});
        // A map that stands in no cache is made again.
        choices().setColor(ui::ColorChoice::fromKey("strength"));
        QSignalSpy settled(m_workbench.get(), &Workbench::mapSettled);
        action("actionMap")->trigger();
        WAIT_COMPARE(settled.count(), 1);
        QVERIFY2(!line().contains(QStringLiteral("--map ")) && line().contains(QStringLiteral("--color strength")),
                 qPrintable(line()));
    }

    void allOfThemOrNone()
    {
        openAndSettle(m_cache);
        waitForJobs();
        ui::FigureSize size;
        size.files = true;
        m_dialogs.nextSize = size;
        QVERIFY(QDir().mkpath(figure(QStringLiteral("map.tex")))); // where a file belongs
        write(figure(QStringLiteral("map.csv")), "mine");
        const auto trySave = [this] {
            m_dialogs.nextPath = figure(QStringLiteral("map.pdf"));
            action("actionSaveView")->trigger();
            waitForJobs();
        };
        m_dialogs.nextAnswer = 0; // keep what is there
        trySave();
        QVERIFY(!m_dialogs.asked.empty() && m_dialogs.lastText.contains(QStringLiteral("map.csv")));
        QCOMPARE(figures(), QStringList(QStringLiteral("map.csv")));
        m_dialogs.nextAnswer = 1;
        trySave();
        WAIT_FOR(sentence().contains(QStringLiteral("map.tex")));
        QCOMPARE(figures(), QStringList(QStringLiteral("map.csv")));
        QCOMPARE(bytesOf(figure(QStringLiteral("map.csv"))), QByteArray("mine"));
        QVERIFY(QDir().rmdir(figure(QStringLiteral("map.tex"))));
        QVERIFY(save(figure(QStringLiteral("map.pdf"))));
        QCOMPARE(figures().size(), qsizetype(4));
    }

    /// What a verb draws is the very picture.
    void verbsDrawThemAgain()
    {
        openAndLoad(m_cache);
        m_window->setView(ui::kProbeView);
        action("actionProbe")->trigger();
        waitForJobs();
        WAIT_FOR(test::viewOf<ui::ProbeView>(*m_window).model()->rowCount() > 0);
        QVERIFY(save(figure(QStringLiteral("probe.png"))));
        m_window->setView(ui::kLayersView);
        auto* layers = m_window->findChild<ui::LayersView*>();
        WAIT_COMPARE(layers->chart()->picture().measures().size(), std::size_t{9});
        waitForJobs();
        QVERIFY(save(figure(QStringLiteral("layers.png"))));
        for (const char* name : {"probe", "layers"})
        {
            const QString made = figure(QLatin1StringView(name) + QStringLiteral(".png"));
            const auto recipe = recipeOf(made);
            HEADSCOPE_VERIFY_OK(recipe);
            QCOMPARE(recipe->verb, std::string(name));
            const QString again = file(QLatin1StringView(name) + QStringLiteral("-again.png"));
            const auto shell =
                runVerb({"figure", made.toStdString(), "-o", again.toStdString(), "--input", m_cache.toStdString()});
            QVERIFY2(shell.code == 0, shell.err.c_str());
            QImage ours(made);
            QVERIFY(!ours.isNull());
            QVERIFY2(ours == QImage(again), name);
        }
        // Of another width no preset has, the window alone knows how.
        m_dialogs.nextSize = ui::FigureSize{123, 300};
        QVERIFY(save(figure(QStringLiteral("odd.png"))));
        QCOMPARE(recipeOf(figure(QStringLiteral("odd.png")))->verb, std::string(kWindowVerb));
    }

    void figuresOfTheShellOpen_data()
    {
        QTest::addColumn<QString>("verb");
        QTest::addColumn<QString>("view");
        QTest::newRow("match") << QStringLiteral("match") << QStringLiteral("heatmap");
        QTest::newRow("heads") << QStringLiteral("heads") << QStringLiteral("heads");
    }
    void figuresOfTheShellOpen()
    {
        QFETCH(const QString, verb);
        QFETCH(const QString, view);
        const QString made = figure(QStringLiteral("made.svg"));
        const auto shell =
            runVerb({verb.toStdString(), m_cache.toStdString(), "--layer", "7", "--stage", "3", "--heads", "1-3",
                     "--permutations", "0", "--label", "topic", "-o", made.toStdString()});
        QVERIFY2(shell.code == 0, shell.err.c_str());
        openAndSettle(m_cache);
        waitForJobs();
        reopen(made);
        QCOMPARE(m_window->view().key(), view);
        QVERIFY(choices().now().layer == LayerIndex(7));
        QVERIFY(choices().now().stage == Stage::OutputSegment);
        QCOMPARE(choices().now().heads, (std::vector<std::int64_t>{0, 1, 2}));
        QCOMPARE(choices().now().labelColumn, std::string("topic"));
    }

    /// A map that the shell drew is the one that the window shows: a kept one of the same options, or computed; else
    /// none, and why.
    void theMapOfAShellFigureIsShown()
    {
        const auto draw = [this](const QString& name, std::vector<std::string> more) {
            std::vector<std::string> words = {"tsne",
                                              m_cache.toStdString(),
                                              "--layer",
                                              "7",
                                              "--stage",
                                              "3",
                                              "--heads",
                                              "1-3",
                                              "--iterations",
                                              "60",
                                              "--json",
                                              "-o",
                                              figure(name).toStdString()};
            words.insert(words.end(), more.begin(), more.end());
            return runVerb(words);
        };
        const auto made = draw(QStringLiteral("own.svg"), {"--perplexity", "4", "--seed", "5"});
        QVERIFY2(made.code == 0, made.err.c_str());
        QCOMPARE(draw(QStringLiteral("some.png"), {"--perplexity", "4", "--documents", "0-40"}).code, 0);
        openAndSettle(m_cache);
        waitForJobs();
        const auto shown = [this] { return test::viewOf<ui::MapView>(*m_window).scatter()->map(); };
        for (int time = 0; time < 2; ++time)
        {
            reopen(figure(QStringLiteral("own.svg")));
            waitForJobs();
            WAIT_FOR(shown() != nullptr && !shown()->hash.empty());
            QVERIFY(shown()->options.perplexities == std::vector<double>{4} && shown()->options.seed == 5);
            QCOMPARE(shown()->hash, made.json().at("hash").get<std::string>());
            QCOMPARE(std::ranges::count_if(m_workbench->study().maps().entries(),
                                           [&](const ui::KeptMap& kept) { return kept.map->hash == shown()->hash; }),
                     std::ptrdiff_t{1}); // the second time it is kept already
            choices().setHeads({0, 1});
            waitForJobs();
        }
        reopen(figure(QStringLiteral("some.png")));
        waitForJobs();
        QVERIFY(shown() == nullptr);
        const QString why = test::viewOf<ui::MapView>(*m_window).emptyState()->text();
        QVERIFY2(why.contains(QStringLiteral("some of the documents")), qPrintable(why));
    }

    void whatCannotBeOpened()
    {
        openAndSettle(m_cache);
        waitForJobs();
        const QString made = figure(QStringLiteral("map.pdf"));
        QVERIFY(save(made));
        QImage bare(40, 40, QImage::Format_RGB32);
        bare.fill(Qt::white);
        QVERIFY(bare.save(figure(QStringLiteral("bare.png"))));
        refuses(figure(QStringLiteral("bare.png")), "contains no recipe");
        write(figure(QStringLiteral("not.pdf")), "%PDF-1.4\nnothing");
        refuses(figure(QStringLiteral("not.pdf")), "contains no recipe");
        QByteArray broken = bytesOf(made);
        const qsizetype place = broken.indexOf("\"headscope-figure\"");
        QVERIFY(place > 0);
        broken.replace(place, 18, "\"headscope-figur\x01\"");
        write(figure(QStringLiteral("broken.pdf")), broken);
        refuses(figure(QStringLiteral("broken.pdf")), "expected a recipe");
        write(figure(QStringLiteral("deep.json")),
              R"({"format": "headscope-figure", "window": )" + QByteArray(100'000, '['));
        refuses(figure(QStringLiteral("deep.json")), "levels deep");
        auto json = nlohmann::json::parse(*viz::recipeTextOf(made.toStdString()));
        json["window"]["state"] = 7;
        write(figure(QStringLiteral("state.json")), QByteArray::fromStdString(json.dump()));
        refuses(figure(QStringLiteral("state.json")), "state");
        json["window"] = "x";
        write(figure(QStringLiteral("window.json")), QByteArray::fromStdString(json.dump()));
        refuses(figure(QStringLiteral("window.json")), "window");
    }

    void aCacheThatIsGone()
    {
        openAndSettle(m_cache);
        waitForJobs();
        const QString made = figure(QStringLiteral("map.svg"));
        QVERIFY(save(made));
        closeWindow();
        const QString moved = file(QStringLiteral("moved.h5"));
        QVERIFY(QFile::rename(m_cache, moved));
        begin();
        openAndSettle(m_other);
        waitForJobs();
        m_dialogs.nextAnswer = 0;
        refuses(made, "a.h5");
        QCOMPARE(m_dialogs.asked.back(), QStringLiteral("Cache not found"));
        m_dialogs.nextAnswer = 1;
        m_dialogs.nextPath = moved;
        reopen(made);
        QVERIFY(m_window->view() == ui::kMapView);
    }

    void aCacheThatChanged()
    {
        openAndSettle(m_cache);
        waitForJobs();
        choices().setHeads({1, 2});
        const QString made = file(QStringLiteral("map.svg")); // beside the cache
        QVERIFY(save(made));
        closeWindow();
        QVERIFY(QFile::remove(m_cache));
        QVERIFY(QFile::copy(m_other, m_cache));
        begin();
        m_dialogs.nextAnswer = 1; // put back what fits
        reopen(made);
        QCOMPARE(m_dialogs.asked.front(), QStringLiteral("The cache has changed"));
        QCOMPARE(choices().now().heads, (std::vector<std::int64_t>{1, 2}));
    }
};

HEADSCOPE_WINDOW_TEST(TestDesktopFigures)
#include "tst_desktop_figures.moc"

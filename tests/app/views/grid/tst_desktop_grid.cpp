// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs/aligned_tsne.h"
#include "app/desktop/start/workbench.h"
#include "app/views/grid/make_grid.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/app/copied_line.h"
#include "tests/app/desktop/desktop_fixture.h"

#include "app/views/compare/compare_view.h"
#include "app/views/grid/grid_view.h"
#include "app/views/grid/map_grid.h"
#include "app/views/map/map_view.h"
#include "model/io/cache/cache_writer.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_of.h"
#include "ui/canvas/legend/legend_panel.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/head_picker.h"
#include "ui/settings/settings.h"
#include "ui/widgets/widgets.h"
#include "viz/grid/grid_contents.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <set>

using namespace headscope;
using headscope::desktop::GridRequest;
using headscope::desktop::GridRun;
using headscope::desktop::Workbench;
using headscope::ui::GridChoice;
using headscope::ui::MainWindow;
using headscope::ui::MapRunState;
using headscope::ui::ViewId;

/// The grid and the comparison in the whole window, on a cache of its own.
class TestDesktopGrid : public QObject, private test::DesktopFixture
{
    Q_OBJECT

private:
    ui::GridView* grid() { return m_window->findChild<ui::GridView*>(); }
    /// What share of the neighbours both maps keep, as the copied commands say when they are run one after the other.
    std::optional<double> comparedBy(const QString& line)
    {
        const QTemporaryDir folder;
        const QString before = QDir::currentPath();
        QDir::setCurrent(folder.path());
        std::vector<std::string> words;
        std::optional<double> kept;
        auto all = test::shellWords(line);
        all.emplace_back("&&");
        for (const std::string& word : all)
        {
            if (word != "&&")
            {
                words.push_back(word);
                continue;
            }
            words.erase(words.begin()); // the program
            words.emplace_back("--json");
            const test::Outcome outcome = test::runVerb(words);
            words.clear();
            if (outcome.code != 0)
            {
                qWarning("%s", outcome.err.c_str());
                kept.reset();
                break;
            }
            if (const nlohmann::json said = outcome.json(); said.contains("against"))
                kept = said.at("against").at("kept").get<double>();
        }
        QDir::setCurrent(before);
        return kept;
    }
    ui::CompareView* compare() { return m_window->findChild<ui::CompareView*>(); }

    void openAndWait(ui::ViewId view)
    {
        m_window->setView(view);
        QSignalSpy opened(m_workbench.get(), &Workbench::cacheOpened);
        m_workbench->open(m_cache);
        WAIT_COMPARE(opened.count(), 1);
        WAIT_FOR(!m_workbench->isLoading());
    }

    void openGrid()
    {
        QSignalSpy shown(m_workbench.get(), &Workbench::viewShown);
        openAndWait(ui::kGridView);
        WAIT_FOR(grid()->set() != nullptr && !grid()->set()->hash.empty());
    }

    GridRequest request(int iterations)
    {
        GridRequest made;
        JobContext job;
        auto reader = CacheReader::open(m_cache.toStdString());
        made.reader = *reader;
        made.layers = {LayerIndex(11)};
        made.stages = {Stage::HeadOutput, Stage::OutputSegment};
        made.heads = {0, 4};
        made.options.iterations = iterations;
        made.options.exaggerationIterations = std::min(iterations, 100);
        made.options.perplexities = {10};
        return made;
    }

private Q_SLOTS:
    void initTestCase() { writeSample(); }

    void init() { makeWindow({.engine = QString(), .iterations = 120, .perplexity = 10, .size = {1300, 800}}); }

    void cleanup() { dropWindow(); }

    void aRunPublishesAndEndsAsTheVerbDoes()
    {
        GridRun run;
        std::vector<std::shared_ptr<const HeadMapSet>> sets;
        connect(&run, &GridRun::setChanged, this, [&sets](const auto& set) { sets.push_back(set); });
        run.start(request(200));
        WAIT_COMPARE(run.state(), MapRunState::Finished);
        QVERIFY(!sets.empty());
        const HeadMapSet& last = *sets.back();
        QCOMPARE(last.maps.size(), std::size_t{5});
        for (const auto& set : sets)
            QCOMPARE(set->maps[1].map.points, last.maps[1].map.points); // views keep their colours
        InputOptions input;
        input.cache = m_cache.toStdString();
        input.stage = "1,3";
        input.heads = "1,5";
        JobContext job;
        const auto byVerb = cli::runAligned(input, request(200).options, nullptr, {}, 2, job);
        HEADSCOPE_VERIFY_OK(byVerb);
        QCOMPARE(byVerb->set.hash, last.hash);
    }

    void pausedAndStopped()
    {
        GridRun run;
        std::shared_ptr<const HeadMapSet> set;
        connect(&run, &GridRun::setChanged, this, [&set](const auto& newer) { set = newer; });
        run.start(request(100'000));
        WAIT_FOR(set != nullptr);
        run.pause();
        QCOMPARE(run.state(), MapRunState::Paused);
        WAIT_FOR(run.stands());
        test::settle(); // what was under way has arrived
        const auto before = set;
        test::passMs(1000);
        QVERIFY(run.stands());
        QCOMPARE(set, before);
        run.resume();
        WAIT_FOR(set != before);
        run.stop();
        WAIT_COMPARE(run.state(), MapRunState::Stopped);
        QVERIFY(set->maps[1].map.iteration > 0);
        WAIT_FOR(run.stands());
        test::settle();
        const auto atRest = set;
        test::passMs(1000);
        QVERIFY(run.stands());
        QCOMPARE(set, atRest);
        run.resume(); // a stopped run goes on
        QCOMPARE(run.state(), MapRunState::Running);
        WAIT_FOR(set != atRest);
        run.drop();
    }

    /// Stopped and gone on with, a run comes to the maps of one that was never stopped.
    void aStoppedRunGoesOnToTheSameMaps()
    {
        std::string hashes[2];
        for (int stopped = 0; stopped < 2; ++stopped)
        {
            GridRun run;
            std::shared_ptr<const HeadMapSet> set;
            bool stopNow = stopped == 1;
            connect(&run, &GridRun::setChanged, this, [&](const auto& newer) {
                set = newer;
                if (stopNow) // the first maps: the end is told after them
                    run.stop();
                stopNow = false;
            });
            run.start(request(3000));
            if (stopped == 1)
            {
                WAIT_COMPARE(run.state(), MapRunState::Stopped);
                WAIT_FOR(run.stands());
                run.resume();
            }
            WAIT_COMPARE(run.state(), MapRunState::Finished);
            hashes[stopped] = set->hash;
        }
        QVERIFY(!hashes[0].empty());
        QCOMPARE(hashes[1], hashes[0]);
    }

    void aRefusedRunSaysWhy()
    {
        GridRun run;
        QSignalSpy failed(&run, &GridRun::failed);
        GridRequest wrong = request(50);
        wrong.options.perplexities = {5000};
        run.start(std::move(wrong));
        WAIT_COMPARE(failed.count(), 1);
        QCOMPARE(run.state(), MapRunState::None);
    }

    void layersAreSpread()
    {
        std::vector<LayerIndex> all;
        for (int i = 0; i < 30; ++i)
            all.emplace_back(i);
        const auto six = desktop::spreadLayers(all, 6);
        QCOMPARE(six.size(), std::size_t{6});
        QCOMPARE(six.front(), LayerIndex(0));
        QCOMPARE(six.back(), LayerIndex(29));
        QCOMPARE(desktop::spreadLayers(all, 1).front(), LayerIndex(29));
        QCOMPARE(desktop::spreadLayers(all, 0).size(), all.size());
        QCOMPARE(desktop::spreadLayers({}, 6).size(), std::size_t{0});
    }

    void theTabRunsSmallGridsByItself()
    {
        openGrid();
        QCOMPARE(grid()->set()->maps.size(), std::size_t{28});
        QVERIFY(grid()->bar()->isVisible());
        QVERIFY(grid()->grid()->contents().columns.size() == 10);
        QCOMPARE(grid()->grid()->contents().blocks.size(), std::size_t{3});
        QVERIFY(grid()->grid()->points().coloring()); // by topic
        // Hover in the grid lights the document everywhere, and the other way round.
        m_window->selection().setHovered(DocumentIndex(7));
        QCOMPARE(grid()->grid()->hoveredDocument(), std::optional<DocumentIndex>(7));
        m_window->selection().setDocuments({1, 2, 3});
        QCOMPARE(grid()->grid()->points().data(0).states[0], viz::PointState::Dimmed);
        // Fewer heads: fewer cells, and all again.
        QLineEdit* field = m_window->dataPanel().headField();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("1-3"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(grid()->grid()->contents().cells.size(), std::size_t{10});
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("1-9"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(grid()->grid()->contents().cells.size(), std::size_t{28});
    }

    void layersTimesHeads()
    {
        openGrid();
        grid()->bar()->setChoice({GridChoice::Kind::Layers, 0, {}});
        WAIT_FOR(grid()->set() != nullptr && !grid()->set()->hash.empty());
        QCOMPARE(grid()->grid()->contents().blocks.size(), std::size_t{3});
        QCOMPARE(grid()->grid()->contents().blocks[2].title, QStringLiteral("Layer 11"));
        const auto layers = grid()->set();
        grid()->bar()->setChoice({});
        QVERIFY(grid()->set() != nullptr && grid()->set() != layers); // what was there is shown again
        grid()->bar()->setChoice({GridChoice::Kind::Layers, 0, {}});
        QCOMPARE(grid()->set(), layers);
    }

    void neighboursKeptAreMeasured()
    {
        openGrid();
        auto* button = grid()->findChild<QPushButton*>(QStringLiteral("gridMeasure"));
        QVERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        WAIT_FOR(grid()->set()->maps[3].map.trust.has_value());
        QVERIFY(grid()->grid()->contents().cells[3].numbers.contains(QStringLiteral("% kept")));
        QVERIFY(!button->isVisible());
    }

    void cellsStandBesideTheirNoiseFloor()
    {
        openGrid();
        auto* button = grid()->findChild<QPushButton*>(QStringLiteral("gridFloor"));
        QVERIFY(button->isVisible());
        m_window->setView(ui::kCompareView);
        WAIT_FOR(compare()->pair() != nullptr);
        QCOMPARE(compare()->floorText(), QString());
        // The floor of two cells is that of their grid.
        QTest::mouseClick(compare()->findChild<QPushButton*>(QStringLiteral("compareFloor")), Qt::LeftButton);
        WAIT_FOR(compare()->pair()->a->floor.has_value());
        QVERIFY2(compare()->floorText().startsWith(QStringLiteral("noise alone ")), qPrintable(compare()->floorText()));
        m_window->setView(ui::kGridView);
        for (const MapOfSet& each : grid()->set()->maps)
            QVERIFY(each.map.floor && each.others);
        const QString numbers = grid()->grid()->contents().cells[3].numbers;
        QVERIFY2(numbers.contains(QStringLiteral(" / ")) || numbers.contains(QStringLiteral("within noise")),
                 qPrintable(numbers));
        QVERIFY(!button->isVisible());
    }

    void writesWhatItShows()
    {
        openGrid();
        const ui::ViewEntry& entry = *m_window->views().find(ui::kGridView);
        for (const char* name : {"grid.png", "grid.svg", "grid.csv", "grid.h5"})
        {
            QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
            const QString path = m_folder.filePath(QString::fromLatin1(name));
            entry.save(path);
            WAIT_COMPARE(saved.count(), 1);
            QVERIFY(QFileInfo(path).size() > 1000);
        }
        QFile csv(m_folder.filePath(QStringLiteral("grid.csv")));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        const QList<QByteArray> lines = csv.readAll().split('\n');
        QCOMPARE(lines[0], QByteArray("map,document,id,stage,layer,head,x,y"));
        QCOMPARE(lines.size(), 1 + 28 * 48 + 1);
        QVERIFY(lines[1].startsWith("full,0,doc-0,"));
        const QString line = entry.commandLine();
        QVERIFY2(line.startsWith(QStringLiteral("headscope tsne ")), qPrintable(line));
        QVERIFY2(line.contains(QStringLiteral(" --aligned")), qPrintable(line));
        QCOMPARE(test::copiedLineFault(line), std::string());
        QVERIFY2(line.contains(QStringLiteral("--layer 11 --stage 1,2,3 --heads 1-9 --perplexity 10")),
                 qPrintable(line));
        entry.copy();
        QVERIFY(!QGuiApplication::clipboard()->image().isNull());
    }

    void aStoredSetIsOpened()
    {
        openGrid();
        HeadMapSet set = *grid()->set();
        set.name = "kept/here";
        const QString copy = m_folder.filePath(QStringLiteral("with-set.h5"));
        QVERIFY(QFile::copy(m_cache, copy));
        JobContext job;
        HEADSCOPE_VERIFY_OK(saveMapSet(copy.toStdString(), set, false, job));
        QSignalSpy opened(m_workbench.get(), &Workbench::cacheOpened);
        m_workbench->open(copy);
        WAIT_COMPARE(opened.count(), 1);
        grid()->bar()->setChoice({GridChoice::Kind::Stored, 0, QStringLiteral("kept/here")});
        WAIT_FOR(grid()->set() != nullptr && grid()->set()->name == "kept/here");
        QCOMPARE(grid()->set()->maps.size(), std::size_t{28});
        QCOMPARE(grid()->set()->hash, set.hash);
        QCOMPARE(grid()->set()->maps[4].correlation, set.maps[4].correlation);
        QVERIFY(grid()->grid()->contents().find(2, 0)); // full
    }

    void theWindowStoresItsMapsAndStopsAndGoesOn()
    {
        const QString copy = m_folder.filePath(QStringLiteral("to-store.h5"));
        QVERIFY(QFile::copy(m_cache, copy));
        QSignalSpy opened(m_workbench.get(), &Workbench::cacheOpened);
        m_workbench->open(copy);
        WAIT_COMPARE(opened.count(), 1);
        m_window->setView(ui::kGridView);
        WAIT_FOR(grid()->set() != nullptr && !grid()->set()->hash.empty());
        const std::string made = grid()->set()->hash;
        auto* store = grid()->findChild<QPushButton*>(QStringLiteral("gridStore"));
        auto* goOn = grid()->findChild<QPushButton*>(QStringLiteral("gridGoOn"));
        QVERIFY(store->isVisible());
        QVERIFY(!goOn->isVisible());
        QTest::mouseClick(store, Qt::LeftButton);
        auto* what = grid()->findChild<QComboBox*>(QStringLiteral("gridWhat"));
        const QString name = QStringLiteral("stages of layer 11");
        WAIT_FOR(what->findText(QStringLiteral("Stored: ") + name) >= 0);
        grid()->bar()->setChoice({GridChoice::Kind::Stored, 0, name});
        WAIT_FOR(grid()->set() != nullptr && grid()->set()->name == name.toStdString());
        QCOMPARE(grid()->set()->hash, made);
        QVERIFY(!store->isVisible()); // it is there
        grid()->bar()->setChoice({});

        waitForJobs(); // the map of the small cache, which started by itself
        m_settings->setNumber(ui::settingNamed("map/iterations"), 5000);
        QTest::mouseClick(grid()->findChild<QPushButton*>(QStringLiteral("gridRun")), Qt::LeftButton);
        WAIT_FOR(grid()->set() != nullptr && grid()->set()->maps[1].map.iteration > 0);
        QTest::mouseClick(grid()->findChild<QPushButton*>(QStringLiteral("gridStop")), Qt::LeftButton);
        WAIT_FOR(goOn->isVisible());
        QVERIFY(!m_workbench->anyJobRuns());
        test::settle();
        const int stopped = grid()->set()->maps[1].map.iteration;
        QTest::mouseClick(goOn, Qt::LeftButton);
        QVERIFY(!goOn->isVisible());
        WAIT_FOR(grid()->set()->maps[1].map.iteration > stopped);
    }

    void numbersAreColoursHereToo()
    {
        openGrid();
        auto* box = grid()->findChild<QComboBox*>(QStringLiteral("gridColor"));
        const int at = box->findText(QStringLiteral("Colour: number tokens"));
        QVERIFY(at >= 0);
        box->setCurrentIndex(at);
        QVERIFY(grid()->grid()->points().coloring());
        QVERIFY(std::holds_alternative<viz::NumberLegend>(grid()->grid()->points().coloring()->legend.content));
        QCOMPARE(grid()->grid()->points().coloring()->legend.title, QStringLiteral("Tokens"));
    }

    /// The colour box at the left colours the grid and the comparison while they are looked at.
    void theBoxAtTheLeftColoursHereToo()
    {
        openGrid();
        ui::Choices& choices = m_window->choices();
        const viz::GridPoints& points = grid()->grid()->points();
        QVERIFY(choices.setColor({"number", "tokens"}));
        QCOMPARE(grid()->bar()->color(), QStringLiteral("panel"));
        QVERIFY(points.coloring() && points.coloring()->legend.title == QStringLiteral("Tokens"));
        QVERIFY(choices.setColor({"label", "topic"}));
        QVERIFY(std::holds_alternative<viz::CategoryLegend>(points.coloring()->legend.content));
        QVERIFY(choices.setColor({"head", {}}));
        QVERIFY(!points.coloring() && !points.hasMapColorings());
        // Strength: pale and strong dots of one head in a cell of the chosen stage, others by head.
        QVERIFY(choices.setColor({"strength", {}}));
        QVERIFY(points.hasMapColorings());
        int own = 0;
        for (std::size_t i = 0; i < grid()->set()->maps.size(); ++i)
        {
            const HeadMap& map = grid()->set()->maps[i].map;
            const auto index = points.data(i).index;
            const bool chosen = map.stage == m_window->choices().now().stage && !viz::isFullMap(map);
            QCOMPARE(!index.empty(), chosen);
            own += chosen && std::set<std::uint16_t>(index.begin(), index.end()).size() > 3 ? 1 : 0;
        }
        QCOMPARE(own, 9);
        const QString target = m_folder.filePath(QStringLiteral("strength.png"));
        QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
        m_window->views().find(ui::kGridView)->save(target);
        WAIT_COMPARE(saved.count(), 1);
        // What belongs to one map alone is told.
        QVERIFY(choices.setColor({"kept", {}}));
        QVERIFY(!points.coloring());
        const auto* legend = grid()->findChild<ui::LegendPanel*>();
        QVERIFY(legend->isVisible());
        // The bar's own box still chooses for the grid alone.
        grid()->bar()->setColor(QStringLiteral("number:tokens"));
        QVERIFY(points.coloring() && !points.hasMapColorings());

        m_window->setView(ui::kCompareView);
        WAIT_FOR(compare()->pair() != nullptr);
        QVERIFY(compare()->color() != QStringLiteral("panel"));
        QVERIFY(choices.setColor({"label", "topic"}));
        QCOMPARE(compare()->color(), QStringLiteral("panel"));
        QVERIFY(std::holds_alternative<viz::CategoryLegend>(compare()->left()->coloring().legend.content));
        QCOMPARE(compare()->left()->coloring().index.size(), compare()->pair()->points->document.size());
        QVERIFY(choices.setColor({"density", {}}));
        QCOMPARE(compare()->left()->coloring().legend.hint,
                 QStringLiteral("the selected colours apply only to a single map: see the Map tab"));
        QCOMPARE(grid()->bar()->color(), QStringLiteral("number:tokens"));
    }

    void comparesCellsAndMaps()
    {
        openGrid();
        m_window->setView(ui::kCompareView);
        WAIT_FOR(compare()->pair() != nullptr);
        QVERIFY(compare()->left()->isVisible());
        // The first pair is of the same points: one head in two stages, not two heads.
        QCOMPARE(compare()->pair()->match, MapMatch::Points);
        QVERIFY2(compare()->pair()->a->stage != compare()->pair()->b->stage,
                 qPrintable(compare()->idA() + compare()->idB()));
        compare()->choose(QStringLiteral("grid:s1_h00"), QStringLiteral("grid:s3_h00"));
        WAIT_FOR(compare()->pair()->b->stage == Stage::OutputSegment && compare()->pair()->match == MapMatch::Points);
        WAIT_COMPARE(compare()->pair()->xyA.rows(), 48);
        QVERIFY(compare()->pair()->difference.mean > 0);
        m_window->selection().setHovered(DocumentIndex(5));
        QVERIFY(!compare()->left()->points().marked().empty());
        const ui::ViewEntry& entry = *m_window->views().find(ui::kCompareView);
        const QString line = entry.commandLine();
        QCOMPARE(line.count(QStringLiteral(" --aligned")), 1); // both are cells of one grid
        QCOMPARE(test::copiedLineFault(line), std::string());
        QCOMPARE(comparedBy(line), std::optional(compare()->pair()->agreement().kept));
        QVERIFY2(compare()->accessibleDescription().contains(compare()->changedText()),
                 qPrintable(compare()->accessibleDescription()));
        for (const char* name : {"pair.png", "pair.csv"})
        {
            QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
            entry.save(m_folder.filePath(QString::fromLatin1(name)));
            WAIT_COMPARE(saved.count(), 1);
        }
        QFile csv(m_folder.filePath(QStringLiteral("pair.csv")));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QCOMPARE(csv.readAll().split('\n').size(), 1 + 48 + 1);
    }

    void comparesMapsOfTwoStages()
    {
        openAndWait(ui::kMapView);
        WAIT_COMPARE(m_workbench->mapRun().state(), MapRunState::Finished);
        m_window->setView(ui::kCompareView);
        QVERIFY(compare()->emptyState()->isVisible()); // one map is nothing to compare
        // What is offered makes its partner: the same heads of another stage, whatever is chosen by now.
        QVERIFY2(compare()->emptyState()->text().contains(QStringLiteral("for example of layer")),
                 qPrintable(compare()->emptyState()->text()));
        m_window->dataPanel().headPicker()->setHeads({2, 3});
        QTest::mouseClick(compare()->emptyState()->findChild<QPushButton*>(), Qt::LeftButton);
        WAIT_FOR(test::viewOf<ui::MapView>(*m_window).scatter()->map() != nullptr &&
                 test::viewOf<ui::MapView>(*m_window).scatter()->map()->stage != Stage::HeadOutput &&
                 m_workbench->mapRun().state() == MapRunState::Finished);
        m_window->setView(ui::kCompareView);
        WAIT_FOR(compare()->pair() != nullptr);
        QCOMPARE(compare()->pair()->xyA.rows(), 48 * 9);
        QCOMPARE(compare()->pair()->match, MapMatch::Points);
        const QString line = m_window->views().find(ui::kCompareView)->commandLine();
        const QStringList lines = line.split(QStringLiteral(" && "));
        QCOMPARE(lines.size(), 3); // one for each map that is in no file yet, then what compares them
        QVERIFY2(lines[0].contains(QStringLiteral("--stage 2")) != lines[1].contains(QStringLiteral("--stage 2")),
                 qPrintable(line));
        QVERIFY2(lines[2].startsWith(QStringLiteral("headscope quality ")), qPrintable(line));
        QCOMPARE(test::copiedLineFault(line), std::string());
        QCOMPARE(comparedBy(line), std::optional(compare()->pair()->agreement().kept));
        // Maps that are in the cache need no making.
        for (const ui::KeptMap& kept : m_workbench->study().maps().entries())
            m_workbench->study().maps().setStored(kept.id, true);
        const QString stored = m_window->views().find(ui::kCompareView)->commandLine();
        QVERIFY2(stored.startsWith(QStringLiteral("headscope quality ")) && !stored.contains(u'&'), qPrintable(stored));
        QCOMPARE(test::copiedLineFault(stored), std::string());
    }

    void anotherCacheStopsTheRun()
    {
        m_settings->setNumber(ui::settingNamed("map/iterations"), 3'000);
        openAndWait(ui::kGridView);
        WAIT_FOR(grid()->set() != nullptr);
        m_settings->setNumber(ui::settingNamed("map/iterations"), 60);
        QSignalSpy opened(m_workbench.get(), &Workbench::cacheOpened);
        m_workbench->open(m_cache);
        WAIT_COMPARE(opened.count(), 1);
        WAIT_FOR(grid()->set() != nullptr && !grid()->set()->hash.empty());
        QCOMPARE(grid()->set()->maps[1].map.iteration, 60);
    }

    void saysWhatIsMissingBeforeACacheIsOpen()
    {
        m_window->setView(ui::kGridView);
        QCOMPARE(grid()->emptyState()->title(), QStringLiteral("No cache is open"));
        m_window->setView(ui::kCompareView);
        QCOMPARE(compare()->emptyState()->title(), QStringLiteral("No cache is open"));
    }
};

HEADSCOPE_WINDOW_TEST(TestDesktopGrid)
#include "tst_desktop_grid.moc"

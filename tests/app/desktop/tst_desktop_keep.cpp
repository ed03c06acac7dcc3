// SPDX-License-Identifier: GPL-3.0-or-later
// What is made in the window and stands in no file is there again after it was closed, killed, or another
// cache was opened.
#include "app/views/grid/grid_controller.h"
#include "app/views/grid/grid_view.h"
#include "app/views/map/map_view.h"
#include "app/views/probe/probe_view.h"
#include "tests/app/desktop/keep_fixture.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_of.h"
#include "ui/canvas/scatter/scatter_widget.h"

#include <QSpinBox>

using namespace headscope;
using headscope::desktop::GridController;
using headscope::desktop::Workbench;
using headscope::ui::MainWindow;

class TestDesktopKeep : public QObject, private test::KeepFixture
{
    Q_OBJECT

private:
    static constexpr int kLong = 1'000'000; ///< iterations nobody waits for

    ui::ScatterWidget& scatter() { return *test::viewOf<ui::MapView>(*m_window).scatter(); }
    GridController& grid() { return *m_workbench->findChild<GridController*>(); }

private Q_SLOTS:
    void init() { beginTest(); }
    void cleanup() { endTest(); }

    void namedSetsComeBackAfterClosing()
    {
        open(m_cache);
        keepSet(QStringLiteral("Cats & ä"), {1, 5, 9});
        keepSet(QStringLiteral("Dogs"), {2});
        const ui::NamedSets before = hub().sets();
        closeWindow();
        QVERIFY(QFileInfo::exists(side()));
        begin();
        open(m_cache);
        QVERIFY(hub().sets() == before); // names, colours, rings, documents
        const QString told = plain(m_window->statusText());
        QVERIFY2(told.contains(QStringLiteral("Restored 2 named sets from your last session")), qPrintable(told));
    }

    void oneThingIsBack()
    {
        open(m_cache);
        keepSet(QStringLiteral("Alone"), {1});
        closeWindow();
        begin();
        open(m_cache);
        const QString told = plain(m_window->statusText());
        QVERIFY2(told.contains(QStringLiteral("Restored 1 named set from your last session")), qPrintable(told));
        QVERIFY2(told.contains(QStringLiteral("To delete it")), qPrintable(told));
    }

    void namedSetsComeBackAfterAnotherCacheAndClosing()
    {
        open(m_cache);
        keepSet(QStringLiteral("of A"), {1, 5, 9});
        open(m_other);
        QVERIFY(hub().sets().isEmpty());
        keepSet(QStringLiteral("of B"), {3});
        closeWindow();
        begin();
        open(m_cache);
        QCOMPARE(hub().sets().count(), 1);
        QCOMPARE(hub().sets().at(0).name, QStringLiteral("of A"));
        open(m_other);
        QCOMPARE(hub().sets().at(0).name, QStringLiteral("of B"));
    }

    void mapsComeBackAfterAnotherCache()
    {
        openAndSettle(m_cache);
        QSignalSpy settled(m_workbench.get(), &Workbench::mapSettled);
        action("actionMap")->trigger();
        WAIT_COMPARE(settled.count(), 1);
        const std::string hash = mapNamed("run 1")->map->hash;
        open(m_other);
        QCOMPARE(mapNames(), QStringList{QStringLiteral("stage1-last")});
        open(m_cache);
        QCOMPARE(mapNames(), (QStringList{QStringLiteral("stage1-last"), QStringLiteral("run 1")}));
        QCOMPARE(mapNamed("run 1")->map->hash, hash);
        QVERIFY(!mapNamed("run 1")->stored);
        QCOMPARE(scatter().map()->hash, hash); // and it is what is shown
        QVERIFY(!m_workbench->mapRun().active());
    }

    void mapStoredInTheCacheIsKeptNoMore()
    {
        openAndSettle(m_cache);
        keepSet(QStringLiteral("stays"), {1, 2});
        QSignalSpy settled(m_workbench.get(), &Workbench::mapSettled);
        action("actionMap")->trigger();
        WAIT_COMPARE(settled.count(), 1);
        WAIT_FOR(keptMaps() == 1);
        action("actionMapStore")->trigger();
        WAIT_FOR(mapNamed("run 1")->stored);
        WAIT_FOR(keptMaps() == 0);
        closeWindow();
        begin();
        open(m_cache); // the file of the cache is another one now, and the work still its own
        QCOMPARE(hub().sets().count(), 1);
        QCOMPARE(mapNames().count(QStringLiteral("run 1")), 1);
        QVERIFY(mapNamed("run 1")->stored);
        QVERIFY2(sentence().isEmpty(), qPrintable(sentence()));
    }

    void probesComeBack()
    {
        openAndLoad(m_cache);
        m_window->setView(ui::kProbeView);
        action("actionProbe")->trigger();
        ui::ProbeView& view = test::viewOf<ui::ProbeView>(*m_window);
        WAIT_COMPARE(view.model()->rowCount(), 3);
        waitForJobs();
        const auto before = view.model()->rows();
        open(m_other);
        QCOMPARE(view.model()->rowCount(), 0);
        open(m_cache);
        QCOMPARE(view.model()->rowCount(), 3);
        closeWindow();
        begin();
        open(m_cache);
        QCOMPARE(test::viewOf<ui::ProbeView>(*m_window).model()->rowCount(), 3);
        const auto after = test::viewOf<ui::ProbeView>(*m_window).model()->rows();
        for (std::size_t i = 0; i < before.size(); ++i)
        {
            QCOMPARE(after[i].result->accuracy, before[i].result->accuracy);
            QVERIFY(after[i].result->confusion == before[i].result->confusion);
            QVERIFY(after[i].result->weights == before[i].result->weights);
            // So that the tab shows the same figures again.
            QVERIFY(before[i].result->baselines && after[i].result->baselines);
            QCOMPARE(after[i].result->baselines->selectivity, before[i].result->baselines->selectivity);
            QCOMPARE(after[i].result->baselines->splits.accuracies, before[i].result->baselines->splits.accuracies);
            QCOMPARE(after[i].result->baselines->groups.has_value(), before[i].result->baselines->groups.has_value());
            QVERIFY(documentsOfCell(*after[i].result, 0, 0) == documentsOfCell(*before[i].result, 0, 0));
        }
    }

    void gridComesBack()
    {
        openAndLoad(m_cache);
        m_window->setView(ui::kGridView);
        WAIT_FOR(grid().set() != nullptr && !grid().set()->hash.empty());
        const std::string hash = grid().set()->hash;
        closeWindow();
        begin();
        open(m_cache);
        m_window->setView(ui::kGridView);
        QVERIFY(grid().set() != nullptr);
        QCOMPARE(grid().set()->hash, hash);
        QVERIFY(!grid().gridRun().active());
    }

    void runningMapIsKeptWhenAnotherCacheOpens()
    {
        m_settings->setNumber(ui::settingNamed("map/iterations"), kLong);
        open(m_cache);
        action("actionMap")->trigger();
        WAIT_FOR(m_workbench->mapRun().progress().iteration > 5);
        open(m_other);
        QCOMPARE(mapNames(), QStringList{QStringLiteral("stage1-last")});
        QVERIFY(!m_workbench->mapRun().active());
        open(m_cache);
        const ui::KeptMap* kept = mapNamed("run 1");
        QVERIFY(kept != nullptr);
        QVERIFY(kept->map->iteration > 5 && kept->map->iteration < kLong);
        QVERIFY(!kept->map->hash.empty());
        QVERIFY(!m_workbench->mapRun().active());
    }

    /// What a run has left that did not come to its end is kept, but the last complete map is shown.
    void theLastCompleteMapIsShown()
    {
        openAndSettle(m_cache);
        QSignalSpy settled(m_workbench.get(), &Workbench::mapSettled);
        action("actionMap")->trigger();
        WAIT_COMPARE(settled.count(), 1);
        const std::string complete = scatter().map()->hash;
        m_settings->setNumber(ui::settingNamed("map/iterations"), kLong);
        action("actionMap")->trigger();
        WAIT_FOR(m_workbench->mapRun().progress().iteration > 5);
        open(m_other);
        open(m_cache);
        QVERIFY(mapNamed("run 1") != nullptr && mapNamed("run 2") != nullptr);
        QVERIFY(mapNamed("run 2")->map->iteration < kLong);
        QCOMPARE(scatter().map()->hash, complete);
        QVERIFY(!m_workbench->mapRun().active());
    }

    /// The number of iterations that was typed for one cache is not that of the next one, nor of the next session.
    void iterationsBelongToTheCache()
    {
        openAndSettle(m_cache);
        auto* iterations = m_window->findChild<QSpinBox*>(QStringLiteral("runIterations"));
        const int usual = iterations->value();
        iterations->setValue(20'000);
        QCOMPARE(m_settings->number(ui::settingNamed("map/iterations")), 20'000); // the grid follows
        open(m_other);
        QCOMPARE(iterations->value(), usual);
        QCOMPARE(m_settings->number(ui::settingNamed("map/iterations")), usual);
    }

    void runningMapIsKeptWhenTheSameCacheOpens()
    {
        m_settings->setNumber(ui::settingNamed("map/iterations"), kLong);
        open(m_cache);
        action("actionMap")->trigger();
        WAIT_FOR(m_workbench->mapRun().progress().iteration > 5);
        open(m_cache);
        QVERIFY(mapNamed("run 1") != nullptr);
    }

    void runningMapIsKeptAtClosing()
    {
        m_settings->setNumber(ui::settingNamed("map/iterations"), kLong);
        open(m_cache);
        action("actionMap")->trigger();
        WAIT_FOR(m_workbench->mapRun().progress().iteration > 5);
        m_dialogs.nextAnswer = 1;
        closeWindow();
        begin();
        open(m_cache);
        QVERIFY(mapNamed("run 1") != nullptr);
        QVERIFY(mapNamed("run 1")->map->iteration > 5);
    }

    /// kill -9 leaves what is on the disk: it is there a moment after each change, without closing.
    void isWrittenWithinSeconds()
    {
        open(m_cache);
        keepSet(QStringLiteral("first"), {1});
        WAIT_FOR(QFileInfo::exists(side()));
        WAIT_FOR(keptSets() == 1);
        keepSet(QStringLiteral("second"), {2});
        WAIT_FOR(keptSets() == 2);
        hub().undo();
        WAIT_FOR(keptSets() == 1);
        // Nothing to keep: no file is left, nor any other.
        hub().setSets({});
        WAIT_FOR(!QFileInfo::exists(side()));
        WAIT_FOR(!keeper().unsaved());
        QCOMPARE(QDir(m_place->path()).entryList(QDir::Files),
                 (QStringList{QStringLiteral("a.h5"), QStringLiteral("b.h5")}));
    }

    void twoWindowsLoseNothingOfEachOther()
    {
        open(m_cache);
        const auto settings = ui::Settings::temporary();
        test::PreparedDialogs dialogs;
        auto window = std::make_unique<MainWindow>(*settings, dialogs);
        auto workbench = std::make_unique<Workbench>(*window, m_engine);
        QSignalSpy opened(workbench.get(), &Workbench::cacheOpened);
        workbench->open(m_cache);
        WAIT_COMPARE(opened.count(), 1);
        keepSet(QStringLiteral("mine"), {1});
        ui::NamedSets sets;
        sets.keep(QStringLiteral("theirs"), {2});
        window->selection().setSets(sets);
        WAIT_FOR(keptSets() == 2);
        // Each goes on, and takes only its own away.
        keepSet(QStringLiteral("mine too"), {3});
        window->selection().setSets({});
        WAIT_FOR(!keeper().unsaved() && !workbench->keeper().unsaved());
        workbench.reset();
        window.reset();
        closeWindow();
        begin();
        open(m_cache);
        QCOMPARE(hub().sets().count(), 2);
        QVERIFY(hub().sets().find(QStringLiteral("mine")) && hub().sets().find(QStringLiteral("mine too")));
    }

    void forgettingTakesItAway()
    {
        openAndSettle(m_cache);
        keepSet(QStringLiteral("A"), {1});
        QSignalSpy settled(m_workbench.get(), &Workbench::mapSettled);
        action("actionMap")->trigger();
        WAIT_COMPARE(settled.count(), 1);
        WAIT_FOR(QFileInfo::exists(side()));
        m_dialogs.nextAnswer = 0;
        action("actionForgetWork")->trigger();
        QCOMPARE(hub().sets().count(), 1);
        const QString asked = plain(m_dialogs.lastText);
        QVERIFY2(asked.contains(QStringLiteral("1 named set and 1 map")), qPrintable(asked));
        m_dialogs.nextAnswer = 1;
        action("actionForgetWork")->trigger();
        QVERIFY(hub().sets().isEmpty());
        QCOMPARE(mapNames(), QStringList{QStringLiteral("stage1-last")}); // it stands in the cache
        WAIT_FOR(!QFileInfo::exists(side()));
        hub().undo(); // sets can be had back
        QCOMPARE(hub().sets().count(), 1);
    }

    void windowForAPictureLeavesNothing()
    {
        keeper().setEnabled(false);
        open(m_cache);
        keepSet(QStringLiteral("A"), {1});
        m_window->close();
        QVERIFY(!m_window->isVisible());
        dropWindow();
        QVERIFY(!QFileInfo::exists(side()));
        QVERIFY(!QFileInfo::exists(home()));
        begin();
    }
};

HEADSCOPE_WINDOW_TEST(TestDesktopKeep)
#include "tst_desktop_keep.moc"

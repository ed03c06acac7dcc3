// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/start/workbench.h"
#include "app/views/map/map_run.h"
#include "tests/app/desktop/desktop_fixture.h"

#include "app/views/map/map_view.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/waiting.h"
#include "tests/ui/paint_counter.h"
#include "tests/ui/view_of.h"
#include "ui/canvas/picture_widget.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/charts/kl_chart.h"
#include "ui/jobs/job_strip.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/stage_cards.h"
#include "ui/panels/runs/run_form.h"
#include "ui/panels/runs/run_list.h"
#include "ui/panels/runs/run_panel.h"
#include "ui/settings/settings.h"
#include "ui/window/notice_bar.h"
#include "ui/window/side_panels.h"

#include <QAction>
#include <QClipboard>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTemporaryDir>

using namespace headscope;
using headscope::desktop::MapRun;
using headscope::desktop::Workbench;
using headscope::ui::MainWindow;
using headscope::ui::MapRunState;
using headscope::ui::RunListModel;

/// The panel of the map's run in the whole window, driven by mouse and keys.
class TestDesktopRuns : public QObject, private test::DesktopFixture
{
    Q_OBJECT

private:
    ui::ScatterWidget* scatter() { return test::viewOf<ui::MapView>(*m_window).scatter(); }
    ui::RunPanel& panel() { return *m_window->findChild<ui::RunPanel*>(); }
    RunListModel* runs() { return panel().list()->runs(); }
    QString name(int row) { return runs()->index(row).data().toString(); }
    void click(const char* button)
    {
        auto* target = panel().findChild<QPushButton*>(QLatin1StringView(button));
        panel().ensureWidgetVisible(target);
        QTest::mouseClick(target, Qt::LeftButton);
    }
    void clickRow(int row)
    {
        panel().ensureWidgetVisible(panel().list());
        QTest::mouseClick(panel().list()->viewport(), Qt::LeftButton, {},
                          panel().list()->visualRect(runs()->index(row)).center());
    }

    void openAndWait()
    {
        openAndSettle(m_cache);
        m_window->showSidePanel(QStringLiteral("run"));
    }
    void runAndWait()
    {
        QSignalSpy settled(m_workbench.get(), &Workbench::mapSettled);
        click("runStart");
        WAIT_COMPARE(settled.count(), 1);
    }

private Q_SLOTS:
    void init()
    {
        writeSample();
        makeWindow({.engine = QStringLiteral("none"), .iterations = 120, .size = {1300, 900}});
    }

    void cleanup() { dropWindow(); }

    void settingsActionShowsThePanel()
    {
        openAndWait();
        m_window->showSidePanel(QStringLiteral("document"));
        action("actionMapOptions")->trigger();
        QCOMPARE(m_window->sidePanels().currentPage(), QStringLiteral("run"));
        QVERIFY(panel().isVisible());
        QCOMPARE(panel().findChild<QSpinBox*>(QStringLiteral("runPerplexity"))->maximum(), 48 * 9 - 1);
    }

    /// A head that is clicked in the Atlas is chosen in another layer, alone: the map that comes by itself has them
    /// all, so that they are there when they are chosen again.
    void theMapThatComesByItselfHasAllHeads()
    {
        openAndWait();
        ui::Choices& choices = m_workbench->study().choices();
        const LayerIndex here = choices.now().layer;
        const auto other =
            std::ranges::find_if(choices.overview()->stages, [here](const auto& each) { return each.first != here; });
        QVERIFY(other != choices.overview()->stages.end());
        QSignalSpy settled(m_workbench.get(), &Workbench::mapSettled);
        choices.setLayer(other->first);
        choices.setHeads({3});
        WAIT_FOR(settled.count() > 0 && scatter()->map() != nullptr && scatter()->map()->layer == other->first);
        QCOMPARE(scatter()->map()->points->count(), 48 * 9);
        // One that is asked for has what is chosen.
        runAndWait();
        QCOMPARE(scatter()->map()->points->count(), 48);
    }

    void runsAreKeptAndShownAgain()
    {
        openAndWait();
        QCOMPARE(runs()->rowCount(), 1);
        const auto first = scatter()->map()->hash;
        panel().findChild<QSpinBox*>(QStringLiteral("runSeed"))->setValue(5);
        panel().findChild<QSpinBox*>(QStringLiteral("runPerplexity"))->setValue(8);
        runAndWait();
        QCOMPARE(runs()->rowCount(), 2);
        QCOMPARE(name(0), QStringLiteral("run 2"));
        QVERIFY(scatter()->map()->hash != first);
        QVERIFY(panel().history()->isVisible());
        clickRow(1);
        QCOMPARE(scatter()->map()->hash, first);
        // Before, the curve and the slider of run 2 stood over run 1.
        QVERIFY(!panel().history()->isVisible());
        QVERIFY(panel().chart()->picture().curve().points.empty());
        QVERIFY(runs()->index(1).data(RunListModel::ShownRole).toBool());
        clickRow(0);
        QCOMPARE(scatter()->map()->options.seed, 5u);
        QVERIFY(panel().history()->isVisible());
        // Pictures and trust numbers come by themselves.
        WAIT_FOR(!runs()->index(0).data(Qt::DecorationRole).value<QImage>().isNull());
        WAIT_FOR(runs()->index(0).data(RunListModel::NumbersRole).toString().contains(QStringLiteral("trust")));
        WAIT_FOR(runs()->index(1).data(RunListModel::NumbersRole).toString().contains(QStringLiteral("trust")));
        // Those of another stage stand beside them.
        QSignalSpy settled(m_workbench.get(), &Workbench::mapSettled);
        QTest::mouseClick(m_window->dataPanel().stageCards()->card(Stage::OutputSegment), Qt::LeftButton);
        WAIT_COMPARE(settled.count(), 1);
        QCOMPARE(runs()->rowCount(), 3);
        QTest::mouseClick(m_window->dataPanel().stageCards()->card(Stage::HeadOutput), Qt::LeftButton);
        QCOMPARE(scatter()->map()->options.seed, 5u); // the last one of this stage
    }

    void historyIsLookedAtWhileTheRunGoesOn()
    {
        openAndWait();
        panel().findChild<QSpinBox*>(QStringLiteral("runIterations"))->setValue(100'000);
        click("runStart");
        WAIT_FOR(m_workbench->mapRun().progress().iteration > 300);
        WAIT_FOR(panel().history()->maximum() > 200);
        WAIT_FOR(!panel().chart()->picture().curve().points.empty());
        QSlider* slider = panel().history();
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Home);
        QCOMPARE(scatter()->map()->iteration, 0);
        const int before = m_workbench->mapRun().progress().iteration;
        WAIT_FOR(m_workbench->mapRun().progress().iteration > before);
        QCOMPARE(scatter()->map()->iteration, 0); // stands still under the finger
        QTest::keyClick(slider, Qt::Key_End);
        WAIT_FOR(scatter()->map()->iteration > before);
        click("runPause");
        QCOMPARE(m_workbench->mapRun().state(), MapRunState::Paused);
        click("runPause");
        QCOMPARE(m_workbench->mapRun().state(), MapRunState::Running);
        click("runStop");
        WAIT_COMPARE(m_workbench->mapRun().state(), MapRunState::Stopped);
        click("runPerturb");
        QCOMPARE(m_workbench->mapRun().state(), MapRunState::Running);
        QVERIFY(panel().findChild<QPushButton*>(QStringLiteral("runStop"))->isEnabled()); // at once, not at its pace
        WAIT_COMPARE(m_workbench->mapRun().history()->turns().size(), 1u);
        click("runStop");
        // The iterations after the noise are few: they may have come to their end before the click.
        WAIT_FOR(!m_workbench->mapRun().active());
        QCOMPARE(scatter()->map()->turns.size(), 1u);
    }

    void moreIterationsGoOn()
    {
        openAndWait();
        panel().findChild<QSpinBox*>(QStringLiteral("runMoreAmount"))->setValue(30);
        QSignalSpy settled(m_workbench.get(), &Workbench::mapSettled);
        click("runMore");
        WAIT_COMPARE(settled.count(), 1);
        QCOMPARE(scatter()->map()->iteration, 150);
        QCOMPARE(runs()->rowCount(), 1); // the same run
        action("actionMapMore")->trigger();
        WAIT_COMPARE(settled.count(), 2);
        QCOMPARE(scatter()->map()->iteration, 180);
    }

    void nothingIsPaintedWhenNothingMoves()
    {
        openAndWait();
        WAIT_FOR(runs()->index(0).data(RunListModel::NumbersRole).toString().contains(QStringLiteral("trust")));
        waitForCalm();
        const auto before = scatter()->paintCount();
        test::PaintCounter charts;
        panel().chart()->installEventFilter(&charts);
        test::passMs(10'000);
        QVERIFY(test::workersRest());
        QCOMPARE(scatter()->paintCount(), before);
        QVERIFY(charts.paints.empty());
    }

    void commandLineAndTableLeaveTheView()
    {
        openAndWait();
        action("actionCopyCommand")->trigger();
        const QString line = QGuiApplication::clipboard()->text();
        QVERIFY2(line.startsWith(QStringLiteral("headscope tsne ")), qPrintable(line));
        std::vector<std::string> arguments;
        for (const QString& argument : line.split(u' ').mid(1))
            arguments.push_back(argument.toStdString());
        arguments.resize(arguments.size() - 2); // -o FILE
        arguments.emplace_back("--json");
        const test::Outcome outcome = test::runVerb(arguments);
        QVERIFY2(outcome.code == 0, outcome.err.c_str());
        QCOMPARE(outcome.json().at("hash").get<std::string>(), scatter()->map()->hash);

        const QString path = m_folder.filePath(QStringLiteral("points.csv"));
        m_dialogs.nextPath = path;
        m_window->selection().setDocuments({1, 3});
        QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
        action("actionSaveView")->trigger();
        WAIT_COMPARE(saved.count(), 1);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readLine(), QByteArray("document,id,head,x,y,strength,topic,chosen,shown\n"));
        const QByteArray row = file.readLine();
        QVERIFY2(row.startsWith("0,doc-0,1,") && row.endsWith(",Astronomy,0,1\n"), row.constData());
        int chosen = 0;
        while (!file.atEnd())
            chosen += file.readLine().endsWith(",1,1\n") ? 1 : 0;
        QCOMPARE(chosen, 18);
        action("actionCopyView")->trigger();
        QVERIFY(!QGuiApplication::clipboard()->image().isNull());
    }

    void mapIsStoredInTheCache()
    {
        openAndWait();
        clickRow(0);
        click("runStore");
        WAIT_FOR(runs()->index(0).data(RunListModel::StoredRole).toBool());
        QVERIFY(!panel().findChild<QPushButton*>(QStringLiteral("runStore"))->isEnabled());
        JobContext job;
        {
            const auto reader = CacheReader::open(m_cache.toStdString());
            HEADSCOPE_VERIFY_OK(reader);
            const auto map = (*reader)->map("run 1", job);
            HEADSCOPE_VERIFY_OK(map);
            QCOMPARE(map->hash, scatter()->map()->hash);
        }
        // The window reads on, from the file that is there now.
        QSignalSpy settled(m_workbench.get(), &Workbench::mapSettled);
        QTest::mouseClick(m_window->dataPanel().stageCards()->card(Stage::OutputSegment), Qt::LeftButton);
        WAIT_COMPARE(settled.count(), 1);
        // A name that is taken is asked about: first the answer is no, then yes.
        runs()->setData(runs()->index(1), QStringLiteral("other"), Qt::EditRole);
        QVERIFY(!runs()->index(1).data(RunListModel::StoredRole).toBool());
        runs()->setData(runs()->index(0), QStringLiteral("run 1"), Qt::EditRole);
        clickRow(0);
        m_dialogs.nextAnswer = 0;
        click("runStore");
        WAIT_COMPARE(m_dialogs.asked.size(), 1u);
        QVERIFY(!runs()->index(0).data(RunListModel::StoredRole).toBool());
        m_dialogs.nextAnswer = 1;
        click("runStore");
        WAIT_FOR(runs()->index(0).data(RunListModel::StoredRole).toBool());
        const auto reader = CacheReader::open(m_cache.toStdString());
        QCOMPARE((*reader)->map("run 1", job)->stage, Stage::OutputSegment);
        // Opened again it is there at once, and no run is needed.
        openAndWait();
        QTest::mouseClick(m_window->dataPanel().stageCards()->card(Stage::OutputSegment), Qt::LeftButton);
        QCOMPARE(scatter()->map()->name, std::string("run 1"));
    }

    void cacheThatIsGoneIsSaidAndNothingBreaks()
    {
        openAndWait();
        QVERIFY(QFile::remove(m_cache));
        WAIT_FOR(m_window->jobStrip().logText().contains(QStringLiteral("was deleted or moved")));
        // What is open can be read on.
        QSignalSpy settled(m_workbench.get(), &Workbench::mapSettled);
        QTest::mouseClick(m_window->dataPanel().stageCards()->card(Stage::OutputSegment), Qt::LeftButton);
        WAIT_COMPARE(settled.count(), 1);
        clickRow(0);
        click("runStore");
        WAIT_FOR2(m_window->notices().sentence().contains(QStringLiteral("sample.h5")),
                  qPrintable(m_window->notices().sentence()));
        QVERIFY(!runs()->index(0).data(RunListModel::StoredRole).toBool());
    }

    void cacheThatIsCutOffIsSaidAndNothingBreaks()
    {
        openAndWait();
        QVERIFY(QFile::resize(m_cache, QFileInfo(m_cache).size() / 3));
        WAIT_FOR(m_window->jobStrip().logText().contains(QStringLiteral("by another program")));
        const auto logged = m_window->jobStrip().logText().size();
        for (const Stage stage : {Stage::OutputSegment, Stage::ProjectedSegment})
        {
            QTest::mouseClick(m_window->dataPanel().stageCards()->card(stage), Qt::LeftButton);
            WAIT_FOR(!m_workbench->isLoading());
            WAIT_FOR(!m_workbench->mapRun().active());
        }
        QVERIFY(m_window->jobStrip().logText().size() > logged); // a sentence
        clickRow(runs()->rowCount() - 1);
        click("runStore");
        WAIT_FOR(!m_workbench->anyJobRuns());
        QVERIFY(!runs()->index(runs()->rowCount() - 1).data(RunListModel::StoredRole).toBool());
    }

    void replacedCacheIsSaid()
    {
        openAndWait();
        const QString other = m_folder.filePath(QStringLiteral("other.h5"));
        test::SampleCacheOptions options;
        options.documents = 12;
        HEADSCOPE_VERIFY_OK(test::writeSampleCache(other.toStdString(), options));
        QVERIFY(std::rename(other.toStdString().c_str(), m_cache.toStdString().c_str()) == 0);
        WAIT_FOR(m_window->jobStrip().logText().contains(QStringLiteral("sample.h5 was replaced by another file")));
        // A map of other points is not put into it.
        clickRow(0);
        m_window->notices().clear();
        click("runStore");
        WAIT_FOR(m_window->notices().sentence().contains(QStringLiteral("another cache")));
    }

    void forgottenMapsGo()
    {
        openAndWait();
        runAndWait();
        QCOMPARE(runs()->rowCount(), 2);
        clickRow(1);
        QTest::keyClick(panel().list(), Qt::Key_Delete);
        QCOMPARE(runs()->rowCount(), 1);
        QVERIFY(scatter()->map() != nullptr);
        clickRow(0);
        click("runRemove");
        QCOMPARE(runs()->rowCount(), 0);
        runAndWait();
        QCOMPARE(runs()->rowCount(), 1);
    }

    void manyInterruptionsLeaveNothingBehind()
    {
        openAndWait();
        m_settings->setNumber(ui::settingNamed("map/iterations"), 50'000);
        for (int i = 0; i < 15; ++i)
        {
            click("runStart");
            // Each is met at another place: before it has begun, and after some of its maps.
            const QSignalSpy maps(&m_workbench->mapRun(), &MapRun::mapChanged);
            WAIT_FOR(maps.count() >= i % 7);
            switch (i % 5)
            {
            case 0:
                click("runPause");
                break;
            case 1:
                click("runStop");
                break;
            case 2:
                click("runPerturb");
                break;
            case 3:
                QTest::mouseClick(
                    m_window->dataPanel().stageCards()->card(i % 2 == 0 ? Stage::OutputSegment : Stage::HeadOutput),
                    Qt::LeftButton);
                break;
            default:
                panel().history()->setFocus();
                QTest::keyClick(panel().history(), Qt::Key_PageDown);
                break;
            }
        }
        m_workbench->stopAll();
        WAIT_FOR(!m_workbench->anyJobRuns());
    }

    void pictures()
    {
        const QString folder = qEnvironmentVariable("HEADSCOPE_PICTURES");
        if (folder.isEmpty())
            QSKIP("set HEADSCOPE_PICTURES to a folder to look at the window");
        m_settings->setNumber(ui::settingNamed("map/iterations"), 750);
        m_window->resize(1440, 960);
        openAndWait();
        panel().findChild<QSpinBox*>(QStringLiteral("runPerplexity"))->setValue(8);
        runAndWait();
        WAIT_FOR(runs()->index(0).data(RunListModel::NumbersRole).toString().contains(QStringLiteral("trust")));
        for (const auto scheme : {ui::Theme::Scheme::Light, ui::Theme::Scheme::Dark})
        {
            ui::Theme::instance().setScheme(scheme);
            waitForCalm();
            const QString name = scheme == ui::Theme::Scheme::Light ? QStringLiteral("light") : QStringLiteral("dark");
            QVERIFY(m_window->grab().save(folder + QStringLiteral("/window-%1.png").arg(name)));
        }
        ui::Theme::instance().setScheme(ui::Theme::Scheme::Light);
    }
};

HEADSCOPE_WINDOW_TEST(TestDesktopRuns)
#include "tst_desktop_runs.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/window_options.h"
#include "app/desktop/extract/extract_controller.h"
#include "app/desktop/start/workbench.h"
#include "app/views/map/map_run.h"
#include "tests/app/desktop/desktop_fixture.h"

#include "app/views/heatmap/heatmap_view.h"
#include "app/views/heatmap/heatmap_widget.h"
#include "app/views/map/map_view.h"
#include "app/views/probe/probe_view.h"
#include "tests/app/desktop/engine_script.h"
#include "tests/support/process.h"
#include "tests/support/test_paths.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_of.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/dialogs/extract_dialog.h"
#include "ui/jobs/job_strip.h"
#include "ui/models/probe_table_model.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/head_picker.h"
#include "ui/panels/data/stage_cards.h"
#include "ui/panels/document/inspector.h"
#include "ui/panels/document/nearest_lists.h"
#include "ui/settings/settings.h"
#include "ui/widgets/widgets.h"
#include "ui/window/notice_bar.h"
#include "ui/words/wording.h"

#include <QAbstractButton>
#include <QAction>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QWheelEvent>

#include <csignal>

using namespace headscope;
using headscope::desktop::MapRun;
using headscope::desktop::Workbench;
using headscope::ui::MainWindow;
using headscope::ui::MapRunState;

/// The whole window on a cache of its own, driven by mouse and keys.
class TestDesktopWindow : public QObject, private test::DesktopFixture
{
    Q_OBJECT

private:
    QString m_engine;

    ui::ScatterWidget* scatter() { return test::viewOf<ui::MapView>(*m_window).scatter(); }

    void openAndWait() { openAndSettle(m_cache); }

private Q_SLOTS:
    void initTestCase()
    {
        writeSample();
        // An engine that writes a copy of the sample cache to the output.
        m_engine = m_folder.filePath(QStringLiteral("engine.sh"));
        QVERIFY(test::writeEngine(m_engine,
                                  {.body = "if [ $method = extract ]; then\n" +
                                           test::answering(R"("progress":{"stage":"documents","done":1,"total":2})") +
                                           test::answering(R"("notice":"starting")") +
                                           "case $line in *slow*) exec sleep 20;; esac\n"
                                           "output=${line#*'\"output\":\"'}; output=${output%%'\"'*}\ncp '" +
                                           m_cache.toUtf8() + "' \"$output\"\nfi\n" +
                                           test::answering(R"("result":{"documents":48})")}));
    }

    void init() { makeWindow({.engine = m_engine, .iterations = 120, .size = {1200, 800}}); }

    void cleanup() { dropWindow(); }

    /// The command line names tabs as they are labelled.
    void tabsHaveTheNamesOfTheCommandLine()
    {
        const auto& entries = m_window->views().entries();
        QCOMPARE(entries.size(), cli::kTabNames.size());
        for (std::size_t i = 0; i < entries.size(); ++i)
        {
            QCOMPARE(ui::toStdString(entries[i].id.key()), std::string(cli::kTabNames[i]));
            QCOMPARE(entries[i].title.toLower(), entries[i].id.key());
        }
    }

    void openedCacheMakesItsMap()
    {
        openAndWait();
        QCOMPARE(scatter()->pointCount(), 48 * 9);
        QCOMPARE(scatter()->map()->iteration, 120);
        QVERIFY(test::viewOf<ui::MapView>(*m_window).shownText().contains(QStringLiteral("432")));
        WAIT_COMPARE(m_window->statusText(), QStringLiteral("Ready")); // its trust is measured
        QCOMPARE(m_settings->list(ui::SettingKey::RecentFiles).constFirst(), m_cache);
        QVERIFY(scatter()->coloring().colors.size() >= 9u);
    }

    /// Minutes of work begin when they are asked for.
    void aLargeCacheWaitsToBeAsked()
    {
        const QString path = m_folder.filePath(QStringLiteral("large.h5"));
        test::SampleCacheOptions options;
        options.documents = 2300; // times 9 heads
        options.dims = 2;
        HEADSCOPE_VERIFY_OK(test::writeSampleCache(path.toStdString(), options));
        m_settings->setNumber(ui::settingNamed("map/iterations"), 20);
        QSignalSpy opened(m_workbench.get(), &Workbench::cacheOpened);
        m_workbench->open(path);
        WAIT_COMPARE(opened.count(), 1);
        waitForCalm();
        QVERIFY(!m_workbench->mapRun().active());
        QVERIFY(scatter()->map() == nullptr);
        auto* empty = test::viewOf<ui::MapView>(*m_window).emptyState();
        QCOMPARE(empty->title(), QStringLiteral("No map yet"));
        for (const char* part : {"20,700", "about"})
            QVERIFY2(empty->text().contains(QString::fromLatin1(part)), qPrintable(empty->text()));
        QTest::mouseClick(empty->findChild<QAbstractButton*>(), Qt::LeftButton);
        WAIT_FOR(scatter()->map() != nullptr);
        QCOMPARE(scatter()->pointCount(), 20'700);
    }

    void storedMapIsShownAtOnce()
    {
        const QString path = m_folder.filePath(QStringLiteral("with-map.h5"));
        test::SampleCacheOptions options;
        options.map = true;
        const Status written = test::writeSampleCache(path.toStdString(), options);
        HEADSCOPE_VERIFY_OK(written);
        QElapsedTimer clock;
        clock.start();
        QSignalSpy settled(m_workbench.get(), &Workbench::mapSettled);
        m_workbench->open(path);
        WAIT_COMPARE(settled.count(), 1);
        qInfo("open to stored map: %lld ms", clock.elapsed());
        QCOMPARE(scatter()->map()->name, std::string("stage1-last"));
        QCOMPARE(m_workbench->mapRun().state(), MapRunState::None);
        // Another stage has none, and makes its own.
        QTest::mouseClick(m_window->dataPanel().stageCards()->card(Stage::OutputSegment), Qt::LeftButton);
        WAIT_COMPARE(settled.count(), 2);
        QCOMPARE(scatter()->map()->stage, Stage::OutputSegment);
        // Back: what was there is shown again, at once.
        QTest::mouseClick(m_window->dataPanel().stageCards()->card(Stage::HeadOutput), Qt::LeftButton);
        QCOMPARE(scatter()->map()->name, std::string("stage1-last"));
    }

    void chosenHeadsGiveAMapOfTheirOwn()
    {
        openAndWait();
        QLineEdit* field = m_window->dataPanel().headField();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("1-3,7"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(scatter()->points().shownCount(), 48 * 4);
        QSignalSpy settled(m_workbench.get(), &Workbench::mapSettled);
        action("actionMap")->trigger();
        WAIT_COMPARE(settled.count(), 1);
        QCOMPARE(scatter()->pointCount(), 48 * 4);
        m_window->dataPanel().headPicker()->chooseAll();
        QVERIFY(m_window->statusText().contains(QStringLiteral("5")));
    }

    void pointClickReachesTheInspector()
    {
        openAndWait();
        waitForCalm();
        const MatrixF& xy = scatter()->map()->xy;
        const QPointF place = scatter()->view().screenFromData(QPointF(xy(10, 0), xy(10, 1)));
        QTest::mouseClick(scatter(), Qt::LeftButton, {}, place.toPoint());
        QVERIFY(m_window->selection().selection().primary.has_value());
        QCOMPARE(scatter()->points().marked().size(), 9u);
        auto* nearest = m_window->inspector().nearest()->headTable();
        WAIT_COMPARE(nearest->model()->rowCount(), 6);
        const auto before = *m_window->selection().selection().primary;
        QTest::mouseClick(nearest->viewport(), Qt::LeftButton, {}, {20, 10});
        QVERIFY(*m_window->selection().selection().primary != before);
    }

    void heatmapAndProbe()
    {
        openAndWait();
        QSignalSpy heatmap(m_workbench.get(), &Workbench::viewShown);
        m_window->setView(ui::kHeatmapView);
        WAIT_FOR(heatmap.count() >= 1);
        QCOMPARE(test::viewOf<ui::HeatmapView>(*m_window).heatmap()->panels().size(), 3u);
        QSignalSpy probe(m_workbench.get(), &Workbench::viewShown);
        m_window->setView(ui::kProbeView);
        QTest::mouseClick(
            test::viewOf<ui::ProbeView>(*m_window).emptyState()->findChild<QWidget*>(QStringLiteral("emptyAction")),
            Qt::LeftButton);
        WAIT_COMPARE(probe.count(), 1);
        WAIT_COMPARE(test::viewOf<ui::ProbeView>(*m_window).model()->rowCount(), 3); // one after another
        QVERIFY(test::viewOf<ui::ProbeView>(*m_window).model()->rows().front().result->accuracy > 0.8);
    }

    void cacheWithoutTopicsSaysWhatIsMissing()
    {
        const QString path = m_folder.filePath(QStringLiteral("bare.h5"));
        test::SampleCacheOptions options;
        options.topics = false;
        HEADSCOPE_VERIFY_OK(test::writeSampleCache(path.toStdString(), options));
        QSignalSpy opened(m_workbench.get(), &Workbench::cacheOpened);
        m_workbench->open(path);
        WAIT_COMPARE(opened.count(), 1);
        m_window->setView(ui::kHeatmapView);
        QVERIFY(test::viewOf<ui::HeatmapView>(*m_window).emptyState()->isVisible());
        QVERIFY(test::viewOf<ui::HeatmapView>(*m_window).emptyState()->text().contains(QStringLiteral("topic")));
    }

    void zoomAndSaveAPicture_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("png") << "map.png";
        QTest::newRow("pdf") << "map.pdf";
        QTest::newRow("svg") << "map.svg";
    }
    void zoomAndSaveAPicture()
    {
        QFETCH(QString, name);
        openAndWait();
        const double scale = scatter()->view().scale();
        QWheelEvent wheel(QPointF(300, 300), scatter()->mapToGlobal(QPointF(300, 300)), {}, QPoint(0, 120),
                          Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(scatter(), &wheel);
        QVERIFY(scatter()->view().scale() > scale);
        const QString path = m_folder.filePath(name);
        m_dialogs.nextPath = path;
        QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
        action("actionSaveView")->trigger();
        WAIT_COMPARE(saved.count(), 1);
        QVERIFY(QFileInfo(path).size() > 1000);
        if (!name.endsWith(QStringLiteral("png")))
            return;
        // Look into it: a light picture with the hues of three KV groups.
        const QImage picture(path);
        QVERIFY(picture.width() > 1000);
        std::set<int> hues;
        for (int y = 0; y < picture.height(); y += 3)
            for (int x = 0; x < picture.width(); x += 3)
                if (const QColor color = picture.pixelColor(x, y); color.saturation() > 120)
                    hues.insert(color.hue() / 60);
        QVERIFY(hues.size() >= 3);
    }

    void wrongFilesSayWhy_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("contents");
        QTest::newRow("not a cache") << "wrong.h5" << QByteArray("this is not HDF5");
        QTest::newRow("unknown kind") << "photo.png" << QByteArray("x");
        QTest::newRow("missing") << "missing.h5" << QByteArray();
    }
    void wrongFilesSayWhy()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, contents);
        const QString path = m_folder.filePath(name);
        if (!contents.isEmpty())
        {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(contents);
        }
        QSignalSpy failed(m_workbench.get(), &Workbench::openFailed);
        m_workbench->open(path);
        WAIT_COMPARE(failed.count(), 1);
        QVERIFY(m_window->welcomeShown());
        const QString said = m_window->welcome().problem();
        QVERIFY2(said.contains(name), qPrintable(said));
        QCOMPARE(m_window->notices().count(), 0u); // said once, where the user looks
    }

    /// HDF5 crashes on the first two and never comes back from the third, under seals that are right.
    void damagedFilesSayWhy_data()
    {
        QTest::addColumn<QString>("said");
        QTest::newRow("resealed-156") << QStringLiteral("the HDF5 library crashes on it");
        QTest::newRow("resealed-crash-197") << QStringLiteral("the HDF5 library crashes on it");
        QTest::newRow("resealed-loops") << QStringLiteral("reading it never finishes");
        QTest::newRow("map-crash-255") << QStringLiteral("damaged");
        QTest::newRow("unsealed-25") << QStringLiteral("the HDF5 library crashes on it");
    }
    void damagedFilesSayWhy()
    {
        QFETCH(QString, said);
        const auto path = test::golden(std::string("faults/") + QTest::currentDataTag() + ".h5");
        QSignalSpy failed(m_workbench.get(), &Workbench::openFailed);
        m_workbench->open(QString::fromStdString(path.string()));
        WAIT_COMPARE(failed.count(), 1);
        QVERIFY2(m_window->welcome().problem().contains(said), qPrintable(m_window->welcome().problem()));
        openAndWait(); // and on it goes
    }

    void labelMapMergesTopics()
    {
        openAndWait();
        const QString path = m_folder.filePath(QStringLiteral("merge.json"));
        const LabelColumn before = *m_window->overview()->documents->label("topic");
        QVERIFY(before.categories.size() >= 3u);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"" + QByteArray::fromStdString(before.categories[1]) + "\": \"" +
                   QByteArray::fromStdString(before.categories[0]) + "\", \"no such topic\": \"x\"}");
        file.close();
        m_window->dataPanel().headPicker()->setHeads({1, 2});
        m_dialogs.nextPath = path;
        QSignalSpy merged(m_workbench.get(), &Workbench::labelsMerged);
        action("actionLabelMap")->trigger();
        WAIT_COMPARE(merged.count(), 1);
        const std::string name = m_window->choices().now().labelColumn;
        QCOMPARE(name, std::string("topic, merged"));
        const LabelColumn* after = m_window->overview()->documents->label(name);
        QCOMPARE(after->categories.size(), before.categories.size() - 1);
        QCOMPARE(m_window->choices().now().heads, (std::vector<std::int64_t>{1, 2}));
        QVERIFY(m_window->jobStrip().logText().contains(QStringLiteral("no such topic")));
        // Merged topics stand in the heatmap, each by the vector of the name it kept.
        QSignalSpy shown(m_workbench.get(), &Workbench::viewShown);
        m_window->setView(ui::kHeatmapView);
        WAIT_FOR(shown.count() > 0);
        const auto& panels = test::viewOf<ui::HeatmapView>(*m_window).heatmap()->panels();
        QVERIFY(!panels.empty());
        for (const std::string& topic : panels.front()->heatmap->topicNames)
            QVERIFY(topic != before.categories[1]);
        QVERIFY(!action("actionMap")->text().isEmpty());
    }

    void extractionOpensItsCache()
    {
        const QString model = m_folder.filePath(QStringLiteral("m.gguf"));
        const QString texts = m_folder.filePath(QStringLiteral("t.jsonl"));
        for (const QString& path : {model, texts})
        {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("{\"text\": \"one\"}\n");
        }
        m_workbench->open(model);
        auto* dialog = m_window->findChild<ui::ExtractDialog*>();
        QVERIFY(dialog != nullptr);
        auto* start = dialog->findChild<QAbstractButton*>(QStringLiteral("extractStart"));
        QVERIFY(!start->isEnabled());
        dialog->setTexts(texts);
        WAIT_FOR2(start->isEnabled(), qPrintable(dialog->problem())); // after a look at the first rows
        QSignalSpy opened(m_workbench.get(), &Workbench::cacheOpened);
        QTest::mouseClick(start, Qt::LeftButton);
        WAIT_COMPARE(opened.count(), 1);
        QVERIFY(m_window->overview()->path.ends_with("t-m.h5"));
        QVERIFY(m_window->jobStrip().logText().contains(QStringLiteral("starting")));
        QVERIFY(!dialog->isVisible());
    }

    void killedEngineLeavesTheWindowAlive()
    {
        const ui::ExtractRequest request{QStringLiteral("slow"), QStringLiteral("t"), QStringLiteral("last"),
                                         QStringLiteral("1"), m_folder.filePath(QStringLiteral("never.h5"))};
        m_workbench->open(m_folder.filePath(QStringLiteral("any.gguf")));
        auto* dialog = m_window->findChild<ui::ExtractDialog*>();
        QVERIFY(dialog != nullptr);
        Q_EMIT dialog->extractRequested(request);
        dialog->reject();
        WAIT_FOR(m_window->jobStrip().logText().contains(QStringLiteral("starting")));
        QVERIFY(m_workbench->anyJobRuns());
        QVERIFY(test::signal(m_workbench->extraction().engineProcess(), SIGSEGV));
        WAIT_FOR(!m_workbench->extraction().busy());
        QVERIFY(m_window->welcome().problem().contains(QStringLiteral("SIGSEGV")));
        QVERIFY(m_window->jobStrip().logShown());
        QVERIFY(!QFileInfo::exists(request.output));
        openAndWait(); // and on it goes
    }

    void closingDuringAJobAsksOnce()
    {
        m_settings->setNumber(ui::settingNamed("map/iterations"), 100'000);
        QSignalSpy opened(m_workbench.get(), &Workbench::cacheOpened);
        m_workbench->open(m_cache);
        WAIT_COMPARE(opened.count(), 1);
        WAIT_FOR(m_workbench->mapRun().active());
        m_dialogs.nextAnswer = -1;
        m_dialogs.asked.clear();
        QVERIFY(!m_window->close());
        QVERIFY(!m_window->close());
        QCOMPARE(m_dialogs.asked.size(), 1u);
        QVERIFY(m_dialogs.textNow && m_dialogs.textNow().has_value());
        m_dialogs.pending(0); // keep open
        QVERIFY(m_window->isVisible());
        QVERIFY(m_workbench->mapRun().active());
        QVERIFY(!m_window->close());
        QCOMPARE(m_dialogs.asked.size(), 2u);
        const auto run = m_workbench->mapRun().history();
        QVERIFY(run != nullptr);
        m_dialogs.pending(1); // stop and close
        QVERIFY(!m_window->isVisible());
        m_workbench.reset(); // waits for the worker, which has stopped long before its end
        const auto curve = run->curve();
        QVERIFY(curve.points.empty() || curve.points.back().iteration < 100'000);
    }

    void windowAnswersWhileAMapRuns()
    {
        m_settings->setNumber(ui::settingNamed("map/iterations"), 100'000);
        m_workbench->open(m_cache);
        WAIT_FOR(m_workbench->mapRun().active());
        // The event loop turns, and maps come in between: nothing waits for the end of the run. How long its longest
        // pause is, tests/bench/bench_event_loop.cpp measures.
        const QSignalSpy maps(&m_workbench->mapRun(), &MapRun::mapChanged);
        int turns = 0;
        QTimer timer;
        connect(&timer, &QTimer::timeout, &timer, [&turns] { ++turns; });
        timer.start(5);
        WAIT_FOR(turns >= 100 && maps.count() >= 5);
        QCOMPARE(m_workbench->mapRun().state(), MapRunState::Running);
        QTest::mouseClick(test::viewOf<ui::MapView>(*m_window).findChild<QWidget*>(QStringLiteral("mapStop")),
                          Qt::LeftButton);
        WAIT_COMPARE(m_workbench->mapRun().state(), MapRunState::Stopped);
    }
};

HEADSCOPE_WINDOW_TEST(TestDesktopWindow)
#include "tst_desktop_window.moc"

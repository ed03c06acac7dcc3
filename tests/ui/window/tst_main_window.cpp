// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "app/views/heads/heads_view.h"
#include "app/views/heatmap/heatmap_view.h"
#include "app/views/heatmap/heatmap_widget.h"
#include "app/views/map/map_view.h"
#include "app/views/probe/probe_view.h"
#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "tests/ui/window_views.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/dialogs/command_palette.h"
#include "ui/dialogs/settings_dialog.h"
#include "ui/dialogs/shortcuts_dialog.h"
#include "ui/jobs/job_panel.h"
#include "ui/jobs/job_strip.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/head_picker.h"
#include "ui/panels/document/inspector.h"
#include "ui/settings/settings.h"
#include "ui/widgets/widgets.h"
#include "ui/window/shortcuts.h"
#include "ui/window/side_panels.h"
#include "ui/words/wording.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTreeWidget>

#include <algorithm>

using namespace headscope;
using namespace headscope::ui;

class TestMainWindow : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<Settings> m_settings;
    test::PreparedDialogs m_dialogs;
    std::unique_ptr<MainWindow> m_window;

    QAction* action(const char* name) { return m_window->findChild<QAction*>(QLatin1StringView(name)); }

private Q_SLOTS:
    void init()
    {
        m_settings = Settings::temporary();
        m_dialogs = {};
        m_window = std::make_unique<MainWindow>(*m_settings, m_dialogs);
        test::addViews(*m_window);
        m_window->resize(1200, 800);
        m_window->show();
        QVERIFY(test::exposed(m_window.get()));
    }
    void cleanup()
    {
        m_window.reset();
        QVERIFY2(QApplication::topLevelWidgets().isEmpty(), "a window was left behind");
    }

    void withoutACacheOnlyOpeningIsOffered()
    {
        QVERIFY(action("actionOpen")->isEnabled());
        QVERIFY(action("actionExtract")->isEnabled());
        for (const char* name : {"actionMap", "actionProbe", "actionSaveView", "actionFit"})
            QVERIFY2(!action(name)->isEnabled(), name);
        QVERIFY(m_window->welcomeShown());
        m_window->setOverview(test::sampleOverview());
        QVERIFY(!m_window->welcomeShown());
        QVERIFY(test::viewOf<MapView>(*m_window).emptyState()->isVisible());
        // The welcome page can be had any time, and left again.
        action("actionWelcome")->trigger();
        QVERIFY(m_window->welcomeShown());
        QTest::keyClick(&m_window->welcome(), Qt::Key_Escape);
        QVERIFY(!m_window->welcomeShown());
    }

    void openAsksForAFile()
    {
        QSignalSpy opened(m_window.get(), &MainWindow::openRequested);
        m_dialogs.nextPath = QStringLiteral("/data/x.h5");
        action("actionOpen")->trigger();
        QCOMPARE(opened.count(), 1);
        QCOMPARE(opened.at(0).at(0).toString(), QStringLiteral("/data/x.h5"));
        QCOMPARE(m_settings->text(SettingKey::LastFolder), QStringLiteral("/data"));
        m_dialogs.nextPath.clear();
        action("actionOpen")->trigger();
        QCOMPARE(opened.count(), 1);
    }

    void clickOnThePointReachesEveryView()
    {
        m_window->setOverview(test::sampleOverview());
        const auto map = test::sampleMap();
        test::viewOf<MapView>(*m_window).setMap(map);
        test::viewOf<MapView>(*m_window).scatter()->setColoring(
            viz::colorByHead(*map->points, viz::HeadPalette(8, 4), QStringLiteral("head")));
        test::viewOf<HeatmapView>(*m_window).setHeatmaps({test::sampleHeatmap()}, test::sampleModel(), 4);
        ScatterWidget* scatter = test::viewOf<MapView>(*m_window).scatter();
        test::passMs(250);
        const QPointF place = scatter->view().screenFromData(QPointF(map->xy(8, 0), map->xy(8, 1)));
        QTest::mouseClick(scatter, Qt::LeftButton, {}, place.toPoint());
        QVERIFY(m_window->selection().selection().primary.has_value());
        const auto document = m_window->selection().selection().primary->value();
        QCOMPARE(m_window->inspector().headingText(), QStringLiteral("doc-%1").arg(document));
        QVERIFY(m_window->inspector().bodyText().startsWith(QStringLiteral("Text number %1").arg(document)));
        QCOMPARE(scatter->points().marked().size(), 32u);
        // From the heatmap to the map.
        m_window->setView(kHeatmapView);
        test::passMs(50);
        HeatmapWidget* heatmap = test::viewOf<HeatmapView>(*m_window).heatmap();
        QTest::mouseClick(heatmap, Qt::LeftButton, {}, heatmap->layoutOf(0).cellRect({5, 3}).center().toPoint());
        QCOMPARE(m_window->selection().selection().primary, std::optional<DocumentIndex>(12));
        QCOMPARE(m_window->inspector().headingText(), QStringLiteral("doc-12"));
    }

    void choiceIsSharedUndoneAndCopied()
    {
        const auto overview = test::sampleOverview();
        m_window->setOverview(overview);
        test::viewOf<MapView>(*m_window).setMap(test::sampleMap());
        ScatterWidget* scatter = test::viewOf<MapView>(*m_window).scatter();
        QVERIFY(!action("actionUndo")->isEnabled());
        QVERIFY(!action("actionCopyIds")->isEnabled());
        Q_EMIT scatter->documentsPicked({1, 4}, SetOperation::Replace);
        QCOMPARE(scatter->points().chosenCount(), 64);
        QVERIFY(test::viewOf<MapView>(*m_window).shownText().contains(QStringLiteral("2\u00A0documents selected")));
        Q_EMIT scatter->documentsPicked({4}, SetOperation::Remove);
        QCOMPARE(m_window->selection().selection().documents, (std::vector<std::int64_t>{1}));
        action("actionCopyIds")->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), ui::toQString(overview->documents->ids[1]));
        action("actionUndo")->trigger();
        QCOMPARE(scatter->points().chosenCount(), 64);
        action("actionChooseOthers")->trigger();
        QVERIFY(!m_window->selection().selection().contains(DocumentIndex(4)));
        QCOMPARE(m_window->selection().selection().documents.size(),
                 static_cast<std::size_t>(overview->documents->count() - 2));
        // Escape forgets the document first, then the choice.
        m_window->selection().setPrimary(DocumentIndex(3), HeadIndex(0));
        Q_EMIT scatter->choiceCleared();
        QVERIFY(!m_window->selection().selection().primary);
        QVERIFY(!m_window->selection().selection().documents.empty());
        Q_EMIT scatter->choiceCleared();
        QVERIFY(m_window->selection().selection().documents.empty());
        QVERIFY(!action("actionChooseNone")->isEnabled());
    }

    void allOfALabelCanBeChosen()
    {
        const auto overview = test::sampleOverview();
        m_window->setOverview(overview);
        m_window->selection().setPrimary(DocumentIndex(3), HeadIndex(0));
        action("actionChooseSame")->trigger();
        const LabelColumn* column = overview->documents->label(m_window->choices().now().labelColumn);
        QVERIFY(column != nullptr);
        const Selection& selection = m_window->selection().selection();
        QVERIFY(selection.contains(DocumentIndex(3)));
        for (std::size_t document = 0; document < column->codes.size(); ++document)
            QCOMPARE(selection.contains(DocumentIndex(static_cast<std::int64_t>(document))),
                     column->codes[document] == column->codes[3]);
    }

    void commandsAreFoundByTheirNames()
    {
        m_window->setOverview(test::sampleOverview());
        action("actionCommands")->trigger();
        auto* palette = m_window->findChild<CommandPalette*>();
        QVERIFY(palette != nullptr);
        auto* field = palette->findChild<QLineEdit*>();
        // Every action of the menus that has a shortcut can be reached.
        const QStringList all = palette->shownCommands();
        for (const QAction* each : m_window->findChildren<QAction*>())
            if (!each->shortcut().isEmpty())
                QVERIFY2(std::ranges::any_of(all,
                                             [&](const QString& command) {
                                                 return command.endsWith(QString(each->text()).remove(u'&'));
                                             }),
                         qPrintable(each->text()));
        QTest::keyClicks(field, QStringLiteral("heatm"));
        QCOMPARE(palette->shownCommands().first(), QStringLiteral("View › Heatmap"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(m_window->view(), kHeatmapView);
        WAIT_FOR(m_window->findChild<CommandPalette*>() == nullptr);
    }

    void whatIsTypedAsItIsCalledComesFirst()
    {
        m_window->setOverview(test::sampleOverview());
        ViewEntry heads;
        heads.id = kHeadsView;
        heads.title = QStringLiteral("Heads");
        heads.widget = new QWidget;
        m_window->addView(std::move(heads));
        const std::pair<const char*, const char*> typed[] = {
            {"dark", "View › Theme › Dark"}, {"light", "View › Theme › Light"}, {"map", "View › Map"},
            {"heads", "View › Heads"},       {"none", "Heads › None"},          {"view dark", "View › Theme › Dark"}};
        for (const auto& [word, command] : typed)
        {
            int best = 0;
            QString first;
            for (QAction* menu : m_window->menuBar()->actions())
            {
                QList<std::pair<QString, QAction*>> all{{QString(menu->text()).remove(u'&'), menu}};
                while (!all.isEmpty())
                {
                    const auto [path, action] = all.takeFirst();
                    if (action->menu() == nullptr)
                    {
                        if (const int score = matchScore(path, QString::fromUtf8(word)); score > best)
                        {
                            best = score;
                            first = path;
                        }
                        continue;
                    }
                    for (QAction* inner : action->menu()->actions())
                        all.append({path + QStringLiteral(" › ") + QString(inner->text()).remove(u'&'), inner});
                }
            }
            QCOMPARE(first, QString::fromUtf8(command));
        }
        // A whole word of the name goes before the beginning of one, and that before a word of the menus.
        // A word that only explains the command is found, too, after all others.
        QCOMPARE(matchScore(QStringLiteral("File › Save view…"), QStringLiteral("export")), 0);
        const int explained = matchScore(QStringLiteral("File › Save view…"), QStringLiteral("export"),
                                         QStringLiteral("Save (export) the view"));
        QVERIFY(explained > 0 && explained < matchScore(QStringLiteral("File › Reexport"), QStringLiteral("export")));
        QVERIFY(matchScore(QStringLiteral("File › Save"), QStringLiteral("save")) >
                matchScore(QStringLiteral("File › Save view…"), QStringLiteral("save")));
        QVERIFY(matchScore(QStringLiteral("File › Save view…"), QStringLiteral("save")) >
                matchScore(QStringLiteral("File › Saved maps"), QStringLiteral("save")));
        QVERIFY(matchScore(QStringLiteral("File › Saved maps"), QStringLiteral("save")) >
                matchScore(QStringLiteral("Save › Map"), QStringLiteral("save")));
        QCOMPARE(matchScore(QStringLiteral("File › Save"), QStringLiteral("save nothing")), 0);
    }

    void commandsThatCannotBeDoneStandLast()
    {
        action("actionCommands")->trigger();
        auto* palette = m_window->findChild<CommandPalette*>();
        auto* field = palette->findChild<QLineEdit*>();
        QTest::keyClicks(field, QStringLiteral("probe"));
        QCOMPARE(palette->shownCommands(),
                 (QStringList{QStringLiteral("View › Probe"), QStringLiteral("Analyse › Train probe")}));
        QTest::keyClick(field, Qt::Key_Down); // not onto what is disabled
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(m_window->view(), kProbeView);
        WAIT_FOR(m_window->findChild<CommandPalette*>() == nullptr);
        action("actionCommands")->trigger();
        palette = m_window->findChild<CommandPalette*>();
        QTest::keyClicks(palette->findChild<QLineEdit*>(), QStringLiteral("no such thing"));
        QVERIFY(palette->shownCommands().isEmpty());
        auto* none = palette->findChild<QLabel*>(QStringLiteral("commandNone"));
        QVERIFY(none->isVisible()); // and no blank box
        QCOMPARE(none->text(), QStringLiteral("No command found"));
        palette->findChild<QLineEdit*>()->clear();
        QVERIFY(!none->isVisible());
        QTest::keyClick(palette, Qt::Key_Escape);
        WAIT_FOR(m_window->findChild<CommandPalette*>() == nullptr);
    }

    void keysAreListed()
    {
        action("actionKeys")->trigger();
        auto* dialog = m_window->findChild<ShortcutsDialog*>();
        QVERIFY(dialog != nullptr && dialog->isVisible());
        auto* tree = dialog->findChild<QTreeWidget*>(QStringLiteral("shortcutTree"));
        const auto listed = [tree](const QString& text) {
            return !tree->findItems(text, Qt::MatchContains | Qt::MatchRecursive).isEmpty();
        };
        // Keys of the window and of the views, and the mouse.
        QVERIFY(listed(QStringLiteral("Find a command")) && listed(QStringLiteral("lasso")));
        QVERIFY(listed(QStringLiteral("zoom at the pointer")));
        dialog->close();
    }

    /// Whoever goes to a view by its keys goes on there: else Return presses a button of the toolbar.
    void keysOfAViewTakeTheKeyboardThere()
    {
        m_window->setOverview(test::sampleOverview());
        m_window->activateWindow();
        QVERIFY(test::active(m_window.get()));
        m_window->dataPanel().setFocus();
        for (const ViewEntry& entry : m_window->views().entries())
        {
            m_window->actions().find(QStringLiteral("actionView_") + entry.id.key())->trigger();
            const bool hasControls = std::ranges::any_of(entry.widget->findChildren<QWidget*>(), [](QWidget* each) {
                return each->isVisible() && each->isEnabled() && (each->focusPolicy() & Qt::TabFocus) != 0;
            });
            QWidget* now = QApplication::focusWidget();
            QVERIFY2(!hasControls || (now != nullptr && entry.widget->isAncestorOf(now)), qPrintable(entry.title));
        }
    }

    void headsHideTheirPoints()
    {
        m_window->setOverview(test::sampleOverview());
        test::viewOf<MapView>(*m_window).setMap(test::sampleMap());
        HeadPicker* picker = m_window->dataPanel().headPicker();
        picker->setHeads({0, 1, 2});
        QCOMPARE(test::viewOf<MapView>(*m_window).scatter()->points().shownCount(), 120);
        QVERIFY(test::viewOf<MapView>(*m_window).shownText().contains(QStringLiteral("120 shown")));
        action("actionAllHeads")->trigger();
        QVERIFY(test::viewOf<MapView>(*m_window).shownText().contains(QStringLiteral("all shown")));
    }

    void droppedFiles_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("taken");
        QTest::newRow("cache") << "a.h5" << true;
        QTest::newRow("model") << "m.gguf" << true;
        QTest::newRow("packed texts") << "t.jsonl.gz" << true;
        QTest::newRow("figure") << "p.png" << true; // one of ours holds its recipe
        QTest::newRow("photograph") << "p.jpg" << false;
        QTest::newRow("no ending") << "README" << false;
    }
    void droppedFiles()
    {
        QFETCH(QString, name);
        QFETCH(bool, taken);
        QSignalSpy opened(m_window.get(), &MainWindow::openRequested);
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(QStringLiteral("/tmp/") + name)});
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &enter);
        QCOMPARE(enter.isAccepted(), taken);
        QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &drop);
        QCOMPARE(opened.count(), taken ? 1 : 0);
        if (!taken)
            QVERIFY2(m_window->statusText().contains(name), qPrintable(m_window->statusText()));
    }

    /// A passing line stands where the steady one does, and goes when what it spoke of is over.
    void passingLinesStandInThePlaceOfTheSteadyOne()
    {
        QCOMPARE(m_window->statusText(), QStringLiteral("Ready"));
        const QLabel* line = nullptr;
        for (const QLabel* label : m_window->statusBar()->findChildren<QLabel*>())
            if (label->text() == QStringLiteral("Ready"))
                line = label;
        QVERIFY(line != nullptr);
        const QPoint place = line->mapTo(m_window.get(), QPoint());
        m_window->showNotice(QStringLiteral("Something runs"));
        QCOMPARE(m_window->statusText(), QStringLiteral("Something runs"));
        QVERIFY(line->isVisible() && line->text() == QStringLiteral("Something runs"));
        QCOMPARE(line->mapTo(m_window.get(), QPoint()), place);
        m_window->setStatus(QStringLiteral("Measuring"));
        QCOMPARE(m_window->statusText(), QStringLiteral("Something runs"));
        m_window->endNotice(QStringLiteral("Something else"));
        QCOMPARE(m_window->statusText(), QStringLiteral("Something runs"));
        m_window->endNotice(QStringLiteral("Something runs"));
        QCOMPARE(m_window->statusText(), QStringLiteral("Measuring"));
    }

    void runningMapIsToldInTheBar()
    {
        m_window->setOverview(test::sampleOverview());
        MapView& view = test::viewOf<MapView>(*m_window);
        view.setMap(test::sampleMap());
        MapRunProgress progress;
        progress.iteration = 480;
        progress.iterations = 750;
        progress.kl = 2.52;
        progress.klFalls = true;
        progress.rate = 31;
        progress.eta = 8.7;
        view.setRun(MapRunState::Running, progress);
        QCOMPARE(view.findChild<QLabel*>(QStringLiteral("mapIterations"))->text(), QStringLiteral("480 / 750"));
        const QString numbers = view.findChild<QLabel*>(QStringLiteral("mapNumbers"))->text();
        for (const auto& part : {"KL 2.52 ↓", "31 it/s", "9 s left"})
            QVERIFY2(numbers.contains(QString::fromUtf8(part)), qPrintable(numbers));
        // Looked back at, the bar tells of the map that is shown.
        auto past = std::make_shared<HeadMap>(*view.scatter()->map());
        past->iteration = 240;
        past->kl = 3.25;
        view.setMap(past);
        view.setLookedBack(true);
        QVERIFY(
            view.findChild<QLabel*>(QStringLiteral("mapIterations"))->text().contains(QStringLiteral("240 of 480")));
        QVERIFY(view.findChild<QLabel*>(QStringLiteral("mapNumbers"))->text().contains(QStringLiteral("KL 3.25")));
        view.setLookedBack(false);
        QCOMPARE(view.findChild<QLabel*>(QStringLiteral("mapIterations"))->text(), QStringLiteral("480 / 750"));
        QSignalSpy pause(&view, &MapView::pauseRequested);
        QSignalSpy resume(&view, &MapView::continueRequested);
        QSignalSpy stop(&view, &MapView::stopRequested);
        auto* button = view.findChild<QAbstractButton*>(QStringLiteral("mapPause"));
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(pause.count(), 1);
        view.setRun(MapRunState::Paused, progress);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(resume.count(), 1);
        QTest::mouseClick(view.findChild<QAbstractButton*>(QStringLiteral("mapStop")), Qt::LeftButton);
        QCOMPARE(stop.count(), 1);
        view.setRun(MapRunState::Finished, progress);
        QVERIFY(!button->isVisible());
    }

    void jobsMoveNothing()
    {
        JobStrip& strip = m_window->jobStrip();
        QWidget& running = *strip.running();
        QVERIFY(!strip.isVisible() && !running.isVisible());
        const QRect centre = m_window->centralWidget()->geometry();
        const QSize views = m_window->views().size();
        JobRow* row = strip.begin(QStringLiteral("x"), QStringLiteral("Extracting"), true);
        QVERIFY(running.isVisible());
        test::passMs(30);
        QCOMPARE(m_window->centralWidget()->geometry(), centre);
        QCOMPARE(m_window->views().size(), views);
        QVERIFY(row->height() >= row->findChild<QAbstractButton*>(QStringLiteral("jobCancel"))->height());
        Progress progress;
        progress.stage = "documents";
        progress.done = 10;
        progress.total = 40;
        progress.rate = 2;
        progress.eta = 15;
        row->setProgress(progress);
        QSignalSpy cancelled(row, &JobRow::cancelRequested);
        auto* cancel = row->findChild<QAbstractButton*>(QStringLiteral("jobCancel"));
        QTest::mouseClick(cancel, Qt::LeftButton);
        QTest::mouseClick(cancel, Qt::LeftButton);
        QCOMPARE(cancelled.count(), 1);
        strip.end(QStringLiteral("x"));
        QVERIFY(!running.isVisible());
        action("actionShowLog")->trigger();
        strip.addLog(QStringLiteral("a line"));
        QVERIFY(strip.isVisible());
        QCOMPARE(strip.logText(), QStringLiteral("a line"));
        // The newest has the row; the others are counted.
        action("actionShowLog")->trigger();
        QVERIFY(!strip.isVisible());
        strip.begin(QStringLiteral("a"), QStringLiteral("First"));
        strip.begin(QStringLiteral("b"), QStringLiteral("Second"));
        QVERIFY(strip.row(QStringLiteral("b"))->isVisible() && !strip.row(QStringLiteral("a"))->isVisible());
        auto* others = running.findChild<QAbstractButton*>(QStringLiteral("jobOthers"));
        QCOMPARE(others->text(), QStringLiteral("1 more"));
        test::passMs(30);
        QCOMPARE(m_window->views().size(), views);
        QTest::keyClick(others, Qt::Key_Return); // as Space
        QVERIFY(strip.panelShown() && !running.isVisible());
    }

    void recentFilesThatAreGoneAreGreyed()
    {
        const QTemporaryDir folder;
        const QString there = folder.filePath(QStringLiteral("there.h5"));
        QFile file(there);
        QVERIFY(file.open(QIODevice::WriteOnly));
        m_settings->addRecentFile(QStringLiteral("/gone/away.h5"));
        m_settings->addRecentFile(there);
        QMenu* recent = nullptr;
        for (QMenu* menu : m_window->menuBar()->findChildren<QMenu*>())
            if (menu->title() == QStringLiteral("Open recent"))
                recent = menu;
        QVERIFY(recent != nullptr);
        Q_EMIT recent->aboutToShow();
        QCOMPARE(recent->actions().size(), 2);
        QVERIFY(recent->actions().at(0)->isEnabled());
        QVERIFY(!recent->actions().at(1)->isEnabled());
        QSignalSpy opened(m_window.get(), &MainWindow::openRequested);
        recent->actions().at(0)->trigger();
        QCOMPARE(opened.at(0).at(0).toString(), there);
    }

    void layoutIsKept()
    {
        m_window->setOverview(test::sampleOverview());
        auto* page = new QWidget;
        m_window->addSidePanel(QStringLiteral("find"), QStringLiteral("Find"), page);
        m_window->resize(1111, 777);
        action("actionShowData")->trigger();
        action("actionShowHelp")->trigger();
        action("actionShowJobs")->trigger();
        m_window->jobStrip().panel().setPanelHeight(200);
        m_window->setView(kProbeView);
        m_window->showSidePanel(QStringLiteral("find"));
        m_window->close();
        MainWindow again(*m_settings, m_dialogs);
        test::addViews(again);
        again.addSidePanel(QStringLiteral("find"), QStringLiteral("Find"), new QWidget);
        QCOMPARE(again.size(), QSize(1111, 777));
        QVERIFY(again.dataPanel().isHidden());
        QVERIFY(!again.sidePanels().isHidden());
        QVERIFY(!again.findChild<QAction*>(QStringLiteral("actionShowHelp"))->isChecked());
        QVERIFY(again.jobStrip().panelShown());
        QCOMPARE(again.jobStrip().panel().panelHeight(), 200);
        QCOMPARE(again.view(), kProbeView);
        QCOMPARE(again.sidePanels().currentPage(), QStringLiteral("find"));
        // And all of it can be put back.
        again.findChild<QAction*>(QStringLiteral("actionResetLayout"))->trigger();
        QVERIFY(!again.dataPanel().isHidden());
        QVERIFY(!again.jobStrip().panelShown());
        QCOMPARE(again.jobStrip().panel().panelHeight(), JobPanel::kDefaultHeight);
        QVERIFY(again.findChild<QAction*>(QStringLiteral("actionShowHelp"))->isChecked());
    }

    void oneKeyGoesFromAreaToArea()
    {
        m_window->setOverview(test::sampleOverview());
        test::viewOf<MapView>(*m_window).setMap(test::sampleMap());
        m_window->activateWindow();
        test::viewOf<MapView>(*m_window).scatter()->setFocus();
        QTest::keyClick(m_window.get(), Qt::Key_F6, Qt::ShiftModifier);
        QVERIFY(m_window->dataPanel().isAncestorOf(QApplication::focusWidget()));
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QCOMPARE(QApplication::focusWidget(), test::viewOf<MapView>(*m_window).scatter());
        action("actionShowJobs")->trigger();
        QVERIFY(m_window->jobStrip().isAncestorOf(QApplication::focusWidget())); // who opens it goes there
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QVERIFY(!m_window->jobStrip().isAncestorOf(QApplication::focusWidget()));
        QTest::keyClick(m_window.get(), Qt::Key_F6, Qt::ShiftModifier);
        QVERIFY(m_window->jobStrip().isAncestorOf(QApplication::focusWidget()));
    }

    void damagedLayoutIsForgotten()
    {
        m_settings->setBytes(SettingKey::WindowState, QByteArray("not a layout"));
        m_settings->setBytes(SettingKey::WindowGeometry, QByteArray("nor a place"));
        const MainWindow again(*m_settings, m_dialogs);
        QVERIFY(again.width() > 600);
    }

    void settingsAreAppliedAtOnce()
    {
        action("actionSettings")->trigger();
        auto* dialog = m_window->findChild<SettingsDialog*>();
        QVERIFY(dialog != nullptr);
        auto* box = qobject_cast<QComboBox*>(dialog->control(SettingKey::ColorScheme));
        box->setFocus();
        QTest::keyClicks(box, QStringLiteral("D"));
        Q_EMIT box->activated(box->currentIndex());
        QVERIFY(Theme::instance().isDark());
        QVERIFY(action("actionScheme_dark")->isChecked());
        m_settings->setText(SettingKey::ColorScheme, QStringLiteral("light"));
        QVERIFY(action("actionScheme_light")->isChecked());
        QTest::keyClick(dialog, Qt::Key_Escape);
        WAIT_FOR(m_window->findChild<SettingsDialog*>() == nullptr);
    }

    /// The colours of labels, wherever they are chosen, are those of all views, and kept.
    void colorsOfLabelsAreKept()
    {
        QVERIFY(action("actionLabelColors_standard")->isChecked());
        action("actionLabelColors_colorblind")->trigger();
        QCOMPARE(Theme::instance().palette(), viz::PaletteKind::ColorBlind);
        QCOMPARE(m_settings->text(SettingKey::LabelColors), QStringLiteral("colorblind"));
        Theme::instance().setPalette(viz::PaletteKind::Grey); // a legend does
        QCOMPARE(m_settings->text(SettingKey::LabelColors), QStringLiteral("grey"));
        QVERIFY(action("actionLabelColors_grey")->isChecked());
        const MainWindow again(*m_settings, m_dialogs);
        QCOMPARE(Theme::instance().palette(), viz::PaletteKind::Grey);
        m_settings->setText(SettingKey::LabelColors, QStringLiteral("standard"));
        QCOMPARE(Theme::instance().palette(), viz::PaletteKind::Standard);
    }

    void changedKeysReachTheMenus()
    {
        action("actionShortcuts")->trigger();
        QVERIFY(m_window->findChild<ShortcutsDialog*>() != nullptr);
        m_window->findChild<ShortcutsDialog*>()->close();
        QVERIFY(
            m_window->shortcuts().setKeys(action("actionMap"), QKeySequence(QStringLiteral("Ctrl+Alt+M"))).isEmpty());
        m_window->setOverview(test::sampleOverview());
        const QSignalSpy asked(&test::viewOf<MapView>(*m_window), &MapView::runRequested);
        QTest::keyClick(m_window.get(), Qt::Key_R, Qt::ControlModifier);
        QCOMPARE(asked.count(), 0);
        QTest::keyClick(m_window.get(), Qt::Key_M, Qt::ControlModifier | Qt::AltModifier);
        QCOMPARE(asked.count(), 1);
        MainWindow again(*m_settings, m_dialogs);
        test::addViews(again);
        QCOMPARE(again.findChild<QAction*>(QStringLiteral("actionMap"))->shortcut(),
                 QKeySequence(QStringLiteral("Ctrl+Alt+M")));
    }

    void shortcutsAreUnique()
    {
        QStringList keys;
        for (const QAction* action : m_window->findChildren<QAction*>())
            for (const QKeySequence& key : action->shortcuts())
                keys << key.toString();
        QVERIFY(keys.size() > 8);
        for (const QString& key : keys)
            QVERIFY2(keys.count(key) == 1, qPrintable(key));
    }

    void everyControlHasAName()
    {
        m_window->setOverview(test::sampleOverview());
        test::viewOf<MapView>(*m_window).setMap(test::sampleMap());
        test::viewOf<HeatmapView>(*m_window).setHeatmaps({test::sampleHeatmap()}, test::sampleModel(), 4);
        test::viewOf<ProbeView>(*m_window).setModelInfo(test::sampleModel(), viz::HeadPalette(8, 4));
        test::viewOf<ProbeView>(*m_window).addRow({test::sampleProbe(Stage::HeadOutput, 0.8), nullptr, {}});
        for (const QWidget* widget : m_window->findChildren<QWidget*>())
        {
            const bool control = qobject_cast<const QAbstractButton*>(widget) ||
                                 qobject_cast<const QComboBox*>(widget) || qobject_cast<const QLineEdit*>(widget) ||
                                 qobject_cast<const QPlainTextEdit*>(widget);
            if (!control || widget->objectName().startsWith(QStringLiteral("qt_")) ||
                widget->parentWidget() == nullptr || widget->parentWidget()->inherits("QAbstractSpinBox") ||
                widget->inherits("QTabBar") || widget->parentWidget()->inherits("QTabBar") ||
                widget->parentWidget()->inherits("QMenuBar") || widget->parentWidget()->inherits("QToolBar") ||
                widget->inherits("QTableCornerButton") || widget->inherits("QLineEditIconButton"))
                continue;
            QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
            QVERIFY(accessible != nullptr);
            QVERIFY2(!accessible->text(QAccessible::Name).isEmpty(),
                     qPrintable(QString::fromLatin1(widget->metaObject()->className()) + u' ' + widget->objectName()));
        }
    }

    void darkFollowsTheSettings()
    {
        m_window->setOverview(test::sampleOverview());
        action("actionScheme_dark")->trigger();
        QVERIFY(Theme::instance().isDark());
        const QColor canvas = test::viewOf<MapView>(*m_window).grab().toImage().pixelColor(300, 300);
        QVERIFY(canvas.lightness() < 60);
        QCOMPARE(m_settings->text(SettingKey::ColorScheme), QStringLiteral("dark"));
        action("actionScheme_light")->trigger();
        QVERIFY(!Theme::instance().isDark());
    }

    void closeMayBeHeldBack()
    {
        bool may = false;
        m_window->setCloseGuard([&may] { return may; });
        QVERIFY(!m_window->close());
        may = true;
        QVERIFY(m_window->close());
    }
};

HEADSCOPE_WINDOW_TEST(TestMainWindow)
#include "tst_main_window.moc"

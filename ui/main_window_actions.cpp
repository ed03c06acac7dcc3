// SPDX-License-Identifier: GPL-3.0-or-later
// Menus, toolbar and actions of the window.
#include "ui/main_window.h"

#include "ui/dialogs/command_palette.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/jobs/job_strip.h"
#include "ui/panels/data_panel.h"
#include "ui/panels/head_picker.h"
#include "ui/panels/inspector.h"
#include "ui/plots/heatmap_widget.h"
#include "ui/plots/map_view.h"
#include "ui/plots/scatter_widget.h"
#include "ui/settings/settings.h"
#include "ui/shortcuts.h"
#include "ui/side_panels.h"
#include "ui/theme/theme.h"
#include "ui/wording.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QToolBar>

namespace headscope::ui
{

QAction* MainWindow::makeAction(const QString& name, const QString& text, const QString& tip,
                                const QKeySequence& shortcut)
{
    auto* action = new QAction(text, this);
    action->setObjectName(name);
    action->setStatusTip(tip);
    action->setShortcut(shortcut);
    m_shortcuts->add(action); // with the user's keys; the tool tip tells them
    return action;
}

void MainWindow::buildActions()
{
    const auto key = [](const char* keys) { return QKeySequence(QLatin1StringView(keys)); };
    m_open =
        makeAction(QStringLiteral("actionOpen"), tr("Open…"), tr("Open a cache, a model or texts"), QKeySequence::Open);
    m_extract = makeAction(QStringLiteral("actionExtract"), tr("Extract…"),
                           tr("Run a model over texts and keep the vectors of its heads in a cache"), key("Ctrl+E"));
    m_runMap = makeAction(QStringLiteral("actionMap"), tr("Run map"),
                          tr("Compute the map of what is chosen at the left"), key("Ctrl+R"));
    m_mapOptions = makeAction(QStringLiteral("actionMapOptions"), tr("Map settings"),
                              tr("The panel of the map’s run: parameters, curve, history, kept maps"));
    m_runProbe = makeAction(QStringLiteral("actionProbe"), tr("Train probe"),
                            tr("How well a linear probe tells heads or segments apart, stage by stage"), key("Ctrl+P"));
    m_labelMap = makeAction(QStringLiteral("actionLabelMap"), tr("Merge labels…"),
                            tr("Several labels become one, as a label map says (headscope similarity --merge)"));
    m_saveView = makeAction(QStringLiteral("actionSaveView"), tr("Save view…"),
                            tr("Save what the view shows as a picture or a table"), QKeySequence::Save);
    m_copyView = makeAction(QStringLiteral("actionCopyView"), tr("Copy view"),
                            tr("Copy what the view shows to the clipboard"), QKeySequence::Copy);
    m_copyCommand = makeAction(QStringLiteral("actionCopyCommand"), tr("Copy as command line"),
                               tr("Copy the command that makes the same in a shell"), key("Ctrl+Alt+C"));
    m_showHelp = makeAction(QStringLiteral("actionShowHelp"), tr("Help line"),
                            tr("Show or hide the line that says what a view shows"));
    m_showData =
        makeAction(QStringLiteral("actionShowData"), tr("Data panel"), tr("Show or hide the data panel"), key("F9"));
    m_showInspector = makeAction(QStringLiteral("actionShowInspector"), tr("Right side"),
                                 tr("Show or hide the panels at the right"), key("F10"));
    m_showLegend =
        makeAction(QStringLiteral("actionShowLegend"), tr("Legend"), tr("Show or hide the legend"), key("Ctrl+G"));
    m_showTools =
        makeAction(QStringLiteral("actionShowTools"), tr("Map tools"), tr("Show or hide the tools on the map"));
    m_showJobs = makeAction(QStringLiteral("actionShowJobs"), tr("Job panel"),
                            tr("Show or hide every job of this sitting, with its progress and log"), key("Ctrl+J"));
    m_showLog = makeAction(QStringLiteral("actionShowLog"), tr("Log of all jobs"),
                           tr("Show or hide what all jobs said"), key("Ctrl+L"));
    m_fit = makeAction(QStringLiteral("actionFit"), tr("Fit all points"), tr("Show the whole map"), key("Ctrl+0"));
    m_fitChosen =
        makeAction(QStringLiteral("actionFitChosen"), tr("Fit the chosen points"), tr("Show what is chosen, large"));
    m_undo = makeAction(QStringLiteral("actionUndo"), tr("Undo choice"), tr("The documents chosen before"),
                        QKeySequence::Undo);
    m_redo = makeAction(QStringLiteral("actionRedo"), tr("Redo choice"), tr("The documents chosen after"),
                        QKeySequence::Redo);
    m_chooseNone = makeAction(QStringLiteral("actionChooseNone"), tr("Choose none"),
                              tr("No document is chosen any more"), key("Ctrl+Shift+D"));
    m_chooseOthers = makeAction(QStringLiteral("actionChooseOthers"), tr("Choose the others"),
                                tr("The documents that are not chosen now"), key("Ctrl+Shift+I"));
    m_chooseSame = makeAction(QStringLiteral("actionChooseSame"), tr("Choose all of this label"),
                              tr("Every document that has the label of the one in the inspector"), key("Ctrl+T"));
    m_copyIds = makeAction(QStringLiteral("actionCopyIds"), tr("Copy ids"),
                           tr("Copy the ids of the chosen documents, one a line"), key("Ctrl+Shift+C"));
    m_showChosen = makeAction(QStringLiteral("actionShowChosen"), tr("Show only the choice"),
                              tr("Every view shows the chosen documents alone"), key("Ctrl+Shift+O"));
    m_showAll = makeAction(QStringLiteral("actionShowAll"), tr("Show all documents"),
                           tr("Every view shows all documents again"), key("Ctrl+Alt+O"));
    m_back = makeAction(QStringLiteral("actionBack"), tr("Previous view"), tr("Go back through the zoom history"));
    m_forward = makeAction(QStringLiteral("actionForward"), tr("Next view"), tr("Go forward through the zoom history"));
    for (QAction* action : {m_showData, m_showInspector, m_showLegend, m_showTools, m_showJobs, m_showHelp})
        action->setCheckable(true);
    m_showLegend->setChecked(true);
    m_showTools->setChecked(true);
    m_showHelp->setChecked(true);

    connect(m_open, &QAction::triggered, this, &MainWindow::askOpen);
    connect(m_extract, &QAction::triggered, this, &MainWindow::extractRequested);
    connect(m_runMap, &QAction::triggered, this, [this] {
        setView(View::Map);
        Q_EMIT mapRequested();
    });
    connect(m_mapOptions, &QAction::triggered, this, &MainWindow::mapOptionsRequested);
    connect(m_runProbe, &QAction::triggered, this, [this] {
        setView(View::Probe);
        Q_EMIT probeRequested();
    });
    connect(m_labelMap, &QAction::triggered, this, &MainWindow::askLabelMap);
    connect(m_saveView, &QAction::triggered, this, &MainWindow::askSaveView);
    connect(m_copyView, &QAction::triggered, this, &MainWindow::copyView);
    connect(m_copyCommand, &QAction::triggered, this, &MainWindow::copyCommandLine);
    connect(m_showHelp, &QAction::toggled, this, [this](bool shown) { m_views->setHelpShown(shown); });
    connect(m_showData, &QAction::toggled, this, [this](bool shown) { m_data->setVisible(shown); });
    connect(m_showInspector, &QAction::toggled, this, [this](bool shown) { m_side->setVisible(shown); });
    connect(m_showLegend, &QAction::toggled, this, [this](bool shown) { m_map->scatter()->setLegendShown(shown); });
    connect(m_showTools, &QAction::toggled, this, [this](bool shown) { m_map->scatter()->setToolsShown(shown); });
    connect(m_showJobs, &QAction::toggled, this, [this](bool shown) { m_jobs->setPanelShown(shown); });
    connect(m_showLog, &QAction::triggered, this, [this] { m_jobs->setLogShown(!m_jobs->logShown()); });
    connect(m_fit, &QAction::triggered, this, [this] { m_map->scatter()->fit(); });
    connect(m_fitChosen, &QAction::triggered, this, [this] { m_map->scatter()->fitChosen(); });
    connect(m_undo, &QAction::triggered, &m_selection, &SelectionHub::undo);
    connect(m_redo, &QAction::triggered, &m_selection, &SelectionHub::redo);
    connect(m_chooseNone, &QAction::triggered, this, [this] { m_selection.setDocuments({}); });
    connect(m_chooseOthers, &QAction::triggered, this, [this] {
        auto others = complementOf(m_selection.selection().documents, overview()->documents->count());
        if (const auto shown = m_selection.shownOnly()) // what cannot be seen is not chosen
            others = combineSets(others, shown->documents, SetOperation::Intersect);
        m_selection.setDocuments(std::move(others));
    });
    connect(m_chooseSame, &QAction::triggered, this, &MainWindow::chooseSameLabel);
    connect(m_showChosen, &QAction::triggered, this, [this] {
        m_selection.showOnly({{}, m_selection.selection().documents});
    });
    connect(m_showAll, &QAction::triggered, &m_selection, &SelectionHub::showAll);
    connect(m_copyIds, &QAction::triggered, this, &MainWindow::copyChosenIds);
    connect(m_back, &QAction::triggered, this, [this] { m_map->scatter()->back(); });
    connect(m_forward, &QAction::triggered, this, [this] { m_map->scatter()->forward(); });
}

void MainWindow::buildMenus()
{
    auto* name = new QLabel(QStringLiteral("Headscope"), menuBar());
    name->setFont(Theme::bodyFont(true));
    name->setContentsMargins(Metrics::kPanel, 2, Metrics::kGrid, 0);
    menuBar()->setCornerWidget(name, Qt::TopLeftCorner);

    QMenu* file = menuBar()->addMenu(tr("&File"));
    m_menus[MenuId::File] = file;
    file->addAction(m_open);
    m_recent = file->addMenu(tr("Open recent"));
    m_demos = file->addMenu(tr("Open demo"));
    m_recent->menuAction()->setStatusTip(tr("The files opened last"));
    m_demos->menuAction()->setStatusTip(tr("Caches that come with the program"));
    m_demos->menuAction()->setVisible(false);
    connect(m_recent, &QMenu::aboutToShow, this, &MainWindow::fillRecent);
    file->addAction(m_extract);
    file->addSeparator();
    file->addAction(m_saveView);
    file->addSeparator();
    QAction* quit = makeAction(QStringLiteral("actionQuit"), tr("Quit"), tr("Close the window"), QKeySequence::Quit);
    connect(quit, &QAction::triggered, this, &QWidget::close);
    file->addAction(quit);

    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    m_menus[MenuId::Edit] = edit;
    edit->addActions({m_undo, m_redo});
    edit->addSeparator();
    edit->addActions({m_chooseSame, m_chooseOthers, m_chooseNone});
    edit->addSeparator();
    edit->addActions({m_showChosen, m_showAll});
    edit->addSeparator();
    edit->addActions({m_copyIds, m_copyView, m_copyCommand});

    QMenu* viewMenu = menuBar()->addMenu(tr("&View"));
    m_menus[MenuId::View] = viewMenu;
    m_viewsEnd = viewMenu->addSeparator();
    viewMenu->addActions({m_fit, m_fitChosen, m_back, m_forward});
    viewMenu->addSeparator();
    viewMenu->addActions({m_showData, m_showInspector, m_showLegend, m_showTools, m_showHelp, m_showJobs, m_showLog});
    QAction* reset = makeAction(QStringLiteral("actionResetLayout"), tr("Reset layout"), tr("Put the panels back"));
    connect(reset, &QAction::triggered, this, &MainWindow::resetLayout);
    viewMenu->addAction(reset);
    viewMenu->addSeparator();
    QMenu* colors = viewMenu->addMenu(tr("Light or dark"));
    colors->menuAction()->setStatusTip(tr("Colours of the window"));
    auto* group = new QActionGroup(this);
    const std::pair<QString, QString> schemes[] = {{QStringLiteral("system"), tr("As the system")},
                                                   {QStringLiteral("light"), tr("Light")},
                                                   {QStringLiteral("dark"), tr("Dark")}};
    for (const auto& [key, text] : schemes)
    {
        QAction* action = makeAction(QStringLiteral("actionScheme_") % key, text, tr("Colours of the window"));
        action->setCheckable(true);
        group->addAction(action);
        colors->addAction(action);
        connect(action, &QAction::triggered, this,
                [this, key = key] { m_settings.setText(SettingKey::ColorScheme, key); });
    }

    QMenu* heads = menuBar()->addMenu(tr("&Heads"));
    m_menus[MenuId::Heads] = heads;
    const auto headAction = [this, heads](const QString& id, const QString& text, const QString& tip, auto act,
                                          const QKeySequence& keys = {}) {
        QAction* action = makeAction(id, text, tip, keys);
        connect(action, &QAction::triggered, this, act);
        heads->addAction(action);
    };
    headAction(
        QStringLiteral("actionAllHeads"), tr("All"), tr("Choose all of them"),
        [this] { m_data->headPicker()->chooseAll(); }, QKeySequence(QStringLiteral("Ctrl+Shift+A")));
    headAction(QStringLiteral("actionNoHeads"), tr("None"), tr("Choose none of them"),
               [this] { m_choices.setHeads({}); });
    headAction(
        QStringLiteral("actionInvertHeads"), tr("The others"), tr("Choose those that are not chosen now"),
        [this] { m_data->headPicker()->invert(); }, QKeySequence(QStringLiteral("Ctrl+I")));

    QMenu* map = menuBar()->addMenu(tr("&Map"));
    m_menus[MenuId::Map] = map;
    map->addActions({m_runMap, m_mapOptions});
    QMenu* analyse = menuBar()->addMenu(tr("&Analyse"));
    m_menus[MenuId::Analyse] = analyse;
    analyse->addActions({m_runProbe, m_labelMap});
    QMenu* help = menuBar()->addMenu(tr("Hel&p"));
    m_menus[MenuId::Help] = help;
    QAction* keys = makeAction(QStringLiteral("actionKeys"), tr("Keys and gestures"),
                               tr("What mouse and keyboard do on the views"), QKeySequence::HelpContents);
    connect(keys, &QAction::triggered, this, &MainWindow::showKeys);
    help->addAction(keys);
    QAction* palette =
        makeAction(QStringLiteral("actionCommands"), tr("Find a command…"),
                   tr("Every command of the menus, by its name"), QKeySequence(QStringLiteral("Ctrl+K")));
    connect(palette, &QAction::triggered, this, [this] { (new CommandPalette(*menuBar(), this))->open(); });
    help->addAction(palette);
    QAction* about = makeAction(QStringLiteral("actionAbout"), tr("About Headscope"), tr("Version and licence"));
    connect(about, &QAction::triggered, this, [this] {
        m_dialogs.ask(
            this,
            {tr("About Headscope"),
             tr("Headscope %1\nA microscope for the attention heads of embedding models.\n\nGNU General Public "
                "License, version 3 or later.")
                 .arg(QCoreApplication::applicationVersion()),
             {tr("Close")}},
            [](int) {});
    });
    help->addAction(about);
}

void MainWindow::showKeys()
{
    const std::vector<std::pair<QString, std::vector<std::pair<QString, QString>>>> sections = {
        {tr("The map"),
         {{tr("Wheel, pinch"), tr("zoom at the pointer")},
          {tr("Drag, Shift+arrows"), tr("move; with the middle button whatever the tool")},
          {tr("Arrows"), tr("from point to point; Return shows its document, Space chooses it, Escape leaves it")},
          {tr("Shift+drag, Z"), tr("zoom into a rectangle")},
          {tr("Double click, Home"), tr("show everything; F shows what is chosen")},
          {tr("Alt+Left, Alt+Right"), tr("the views before and after")}}},
        {tr("Choosing documents on it"),
         {{tr("Click"), tr("show the document at the right, and ring its other dots")},
          {tr("R, L, B"), tr("choose in a rectangle, in a lasso, with a brush; V moves the map again")},
          {tr("P"), tr("these choose documents with all their points, or the points inside alone")},
          {tr("Shift, Ctrl, Alt"), tr("add to the choice, take away from it, keep what both have")},
          {tr("Wheel"), tr("size of the brush; with Ctrl zoom")},
          {tr("Escape"), tr("forget the document, then the choice")}}},
        {tr("Legend and heads"),
         {{tr("Click"), tr("this one, or this row or label, alone; again: all")},
          {tr("Ctrl+click, drag"), tr("at the left: add a head, take several")},
          {tr("1-4,9"), tr("typed under the heads: these")}}},
        {tr("Everywhere"),
         {{tr("Ctrl+K"), tr("find a command by its name")},
          {tr("F6"), tr("take the keyboard to the next area")},
          {tr("Edit › Shortcuts…"), tr("the keys of every action, and how to change them")}}}};
    QString text = QStringLiteral("<table cellspacing=\"0\" cellpadding=\"3\">");
    for (const auto& [title, rows] : sections)
    {
        text += QStringLiteral("<tr><td colspan=\"2\"><b>%1</b></td></tr>").arg(title.toHtmlEscaped());
        for (const auto& [keys, meaning] : rows)
            text += QStringLiteral("<tr><td style=\"padding-right: 16px; white-space: nowrap\">%1</td><td>%2</td></tr>")
                        .arg(keys.toHtmlEscaped(), meaning.toHtmlEscaped());
        text += QStringLiteral("<tr><td></td></tr>");
    }
    m_dialogs.ask(this, {tr("Keys and gestures"), text % QStringLiteral("</table>"), {tr("Close")}}, [](int) {});
}

void MainWindow::buildToolBar()
{
    auto* bar = addToolBar(tr("Actions"));
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
    bar->addAction(m_open);
    bar->addAction(m_extract);
    bar->addSeparator();
    bar->addAction(m_runMap);
    bar->addAction(m_runProbe);
    bar->addSeparator();
    bar->addAction(m_saveView);
    setContextMenuPolicy(Qt::PreventContextMenu);
}

void MainWindow::fillRecent()
{
    m_recent->clear();
    const QStringList files = m_settings.list(SettingKey::RecentFiles);
    for (const QString& path : files)
    {
        QAction* action = m_recent->addAction(QFileInfo(path).fileName());
        action->setToolTip(path);
        action->setStatusTip(path);
        // A file that is gone stays in the list, greyed: it may be on a disk that comes back.
        action->setEnabled(QFileInfo::exists(path));
        connect(action, &QAction::triggered, this, [this, path] { Q_EMIT openRequested(path); });
    }
    if (files.isEmpty())
    {
        QAction* none = m_recent->addAction(tr("Nothing opened yet"));
        none->setStatusTip(tr("Files that you open are listed here"));
        none->setEnabled(false);
    }
}

void MainWindow::setDemos(const QList<Demo>& demos)
{
    m_demos->clear();
    m_demoPaths.clear();
    m_welcome->setDemos(demos);
    for (const Demo& demo : demos)
    {
        m_demoPaths << QFileInfo(demo.path).canonicalFilePath();
        QAction* action = m_demos->addAction(demo.title);
        action->setStatusTip(demo.path);
        connect(action, &QAction::triggered, this, [this, path = demo.path] { Q_EMIT openRequested(path); });
    }
    m_demos->menuAction()->setVisible(!demos.isEmpty());
}

bool MainWindow::isDemo(const QString& path) const
{
    return m_demoPaths.contains(QFileInfo(path).canonicalFilePath());
}

void MainWindow::refreshIcons()
{
    setWindowIcon(QIcon(QStringLiteral(":/headscope/icons/headscope.svg")));
}

void MainWindow::refreshActions()
{
    const bool open = overview() != nullptr;
    const bool onMap = view() == View::Map && m_map->scatter()->map() != nullptr;
    m_runMap->setEnabled(open);
    m_mapOptions->setEnabled(open);
    m_runProbe->setEnabled(open);
    m_labelMap->setEnabled(open && !m_choices.now().labelColumn.empty());
    const ViewEntry& entry = m_views->entry(view());
    m_saveView->setEnabled(open && entry.save != nullptr);
    m_copyView->setEnabled(open && entry.copy != nullptr);
    m_copyCommand->setEnabled(open && entry.commandLine != nullptr);
    m_fit->setEnabled(onMap);
    const Selection& chosen = m_selection.selection();
    m_fitChosen->setEnabled(onMap && !chosen.documents.empty());
    m_undo->setEnabled(m_selection.canUndo());
    m_redo->setEnabled(m_selection.canRedo());
    m_chooseNone->setEnabled(!chosen.documents.empty());
    m_chooseOthers->setEnabled(open);
    m_chooseSame->setEnabled(open && chosen.primary && !m_choices.now().labelColumn.empty());
    m_copyIds->setEnabled(open && (chosen.primary || !chosen.documents.empty()));
    m_showChosen->setEnabled(!chosen.documents.empty());
    m_showAll->setEnabled(m_selection.shownOnly() != nullptr);
    m_back->setEnabled(onMap && m_map->scatter()->canGoBack());
    m_forward->setEnabled(onMap && m_map->scatter()->canGoForward());
}

} // namespace headscope::ui

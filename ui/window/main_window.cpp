// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "ui/jobs/job_notifier.h"
#include "ui/jobs/job_strip.h"
#include "ui/models/job_list_model.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/head_picker.h"
#include "ui/panels/document/inspector.h"
#include "ui/settings/settings.h"
#include "ui/theme/theme.h"
#include "ui/window/appearance_menu.h"
#include "ui/window/choice_commands.h"
#include "ui/window/focus_areas.h"
#include "ui/window/help_menu.h"
#include "ui/window/layout_keeper.h"
#include "ui/window/notice_bar.h"
#include "ui/window/open_menu.h"
#include "ui/window/shortcuts.h"
#include "ui/window/shown_bar.h"
#include "ui/window/side_panels.h"
#include "ui/window/status_line.h"
#include "ui/window/view_outputs.h"
#include "ui/window/window_layout.h"
#include "ui/words/wording.h"

#include <QCloseEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolBar>
#include <QVBoxLayout>

namespace headscope::ui
{
namespace
{

const QString kDocumentPage = QStringLiteral("document");

} // namespace

MainWindow::MainWindow(Settings& settings, DialogService& dialogs) : m_settings(settings), m_dialogs(dialogs)
{
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(QStringLiteral("Headscope"));
    setWindowIcon(QIcon(QStringLiteral(":/headscope/icons/headscope.svg")));
    setAcceptDrops(true);
    setContextMenuPolicy(Qt::PreventContextMenu);
    resize(firstWindowSize(QSize(1 << 16, 1 << 16)));
    m_shortcuts = new Shortcuts(m_settings, this);
    buildCentre();
    addCommands();
    connectSelection();
    m_status = new StatusLine(this);
    setStatusBar(m_status);
    m_notifier = new JobNotifier(m_jobs->jobs(), m_settings, *this);
    m_notifier->setParent(this);
    m_layout->restore();
    setOverview(nullptr);
}

MainWindow::~MainWindow() = default;

void MainWindow::buildCentre()
{
    auto* page = new QWidget(this);
    auto* outer = new QVBoxLayout(page);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    m_notices = new NoticeBar(page);
    outer->addWidget(m_notices);
    m_centre = new QStackedWidget(page);
    m_splitter = new QSplitter(Qt::Horizontal, m_centre);
    m_splitter->setObjectName(QStringLiteral("mainSplitter"));
    m_splitter->setHandleWidth(1);
    m_splitter->setChildrenCollapsible(false);
    m_data = new DataPanel(m_choices, m_splitter);
    m_views = new ViewStack(m_splitter);
    m_shownBar = new ShownBar(m_selection, m_choices, m_views);
    m_views->setBanner(m_shownBar);
    m_side = new SidePanels(m_splitter);
    m_inspector = new Inspector(m_side);
    m_side->addPage(kDocumentPage, tr("Document"), m_inspector);
    m_splitter->addWidget(m_data);
    m_splitter->addWidget(m_views);
    m_splitter->addWidget(m_side);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setStretchFactor(2, 0);
    m_centre->addWidget(m_splitter);
    m_welcome = new WelcomePage(m_centre);
    m_centre->addWidget(m_welcome);
    outer->addWidget(m_centre, 1);
    m_jobs = new JobStrip(page);
    outer->addWidget(m_jobs);
    connect(m_notices, &NoticeBar::detailsRequested, m_jobs, [this] { m_jobs->setLogShown(true); });
    connect(&m_jobs->jobs(), &JobListModel::ended, m_notices, &NoticeBar::takeEnd);
    setCentralWidget(page);
}

void MainWindow::addCommands()
{
    auto* name = new QLabel(QStringLiteral("Headscope"), menuBar());
    name->setFont(Theme::bodyFont(true));
    name->setContentsMargins(Metrics::kPanel, 2, Metrics::kGrid, 0);
    menuBar()->setCornerWidget(name, Qt::TopLeftCorner);
    m_actions = new Actions(*menuBar(), *m_shortcuts, this);
    m_openMenu = new OpenMenu(*this);
    addOutputCommands(*this);
    addChoiceCommands(*this);
    m_layout = new LayoutKeeper(*this, *m_splitter);
    addAppearanceMenus(*this);
    m_areas = new FocusAreas(*this, {m_data, m_views, m_side, m_jobs, m_notices});
    addHelpMenu(*this);
    QToolBar* bar = addToolBar(tr("Actions"));
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_actions->fill(*bar);
}

void MainWindow::connectSelection()
{
    const auto refresh = [this] { m_actions->refresh(); };
    connect(m_views, &ViewStack::currentChanged, this, [this, refresh](ViewId view) {
        m_selection.setHoveredHead({}); // it lay under the pointer in the view that is gone
        refresh();
        Q_EMIT viewChanged(view);
    });
    connect(&m_selection, &SelectionHub::documentsChanged, this, refresh);
    connect(&m_selection, &SelectionHub::shownChanged, this, refresh);
    // What was clicked in a view is read at the right, whatever page stood there; that page keeps its state.
    connect(&m_selection, &SelectionHub::documentAsked, this, [this] { m_side->showPage(kDocumentPage); });
    connect(m_inspector, &Inspector::headClicked, this,
            [this](std::int64_t head) { m_selection.setPrimary(m_selection.selection().primary, head); });
    connect(m_inspector, &Inspector::documentClicked, this,
            [this](std::int64_t document) { m_selection.setPrimary(document, m_selection.selection().primaryHead); });
    connect(&m_selection, &SelectionHub::primaryChanged, this, [this, refresh] {
        refresh();
        m_inspector->showDocument(m_selection.selection().primary, m_selection.selection().primaryHead);
    });
    connect(m_data->headPicker(), &HeadPicker::allAsked, this, [this] { m_selection.setLitHeads({}); });
    connect(&m_choices, &Choices::labelChanged, this, [this, refresh] {
        m_inspector->setLabelColumn(m_choices.now().labelColumn);
        refresh();
    });
}

void MainWindow::setOverview(std::shared_ptr<const CacheOverview> overview)
{
    m_selection.clear();
    m_choices.open(overview);
    m_inspector->setDocuments(overview ? overview->documents : nullptr);
    if (overview)
        m_inspector->setLabelColumn(m_choices.now().labelColumn);
    setWindowTitle(overview ? QFileInfo(toQString(overview->path)).fileName() % QStringLiteral(" – Headscope")
                            : QStringLiteral("Headscope"));
    setWelcomeShown(overview == nullptr);
    if (overview)
        m_areas->focusView(); // so that its keys work at once
    m_actions->refresh();
}

void MainWindow::setLabels(std::shared_ptr<const CacheOverview> overview, const std::string& column)
{
    m_inspector->setDocuments(overview->documents);
    m_choices.setColumns(std::move(overview), column);
    const Selection& chosen = m_selection.selection();
    m_inspector->showDocument(chosen.primary, chosen.primaryHead);
}

void MainWindow::addView(ViewEntry entry)
{
    const ViewId id = entry.id;
    const auto number = static_cast<int>(m_views->entries().size()) + 1;
    m_actions->add({.id = QStringLiteral("actionView_") % id.key(),
                    .text = entry.title,
                    .tip = tr("Show this view"),
                    .keys = number <= 9 ? QKeySequence(QStringLiteral("Ctrl+%1").arg(number)) : QKeySequence(),
                    .place = {MenuId::View, 0},
                    .act = [this, id] { setView(id); }});
    m_views->addView(std::move(entry));
    m_layout->takeView(id.key());
    m_actions->refresh();
}

void MainWindow::setView(ViewId view)
{
    if (overview())
        setWelcomeShown(false);
    m_views->setCurrent(view);
}

void MainWindow::addSidePanel(const QString& id, const QString& title, QWidget* page)
{
    m_side->addPage(id, title, page);
    m_layout->takeSidePanel(id);
}

void MainWindow::showSidePanel(const QString& id)
{
    m_layout->showSide();
    m_side->showPage(id);
}

void MainWindow::setDemos(const QList<Demo>& demos)
{
    m_welcome->setDemos(demos);
    m_openMenu->setDemos(demos);
}

bool MainWindow::isDemo(const QString& path) const
{
    return m_openMenu->isDemo(path);
}

void MainWindow::setWelcomeShown(bool shown)
{
    if (shown)
    {
        m_welcome->setRecent(m_settings.list(SettingKey::RecentFiles));
        m_welcome->setOpenFile(overview() ? QFileInfo(toQString(overview()->path)).fileName() : QString());
    }
    else
    {
        m_welcome->setProblem({});
    }
    if (shown == welcomeShown())
        return;
    m_centre->setCurrentWidget(shown ? static_cast<QWidget*>(m_welcome) : m_splitter);
    if (shown)
        m_welcome->setFocus();
    else if (overview())
        m_areas->focusView();
}

bool MainWindow::welcomeShown() const
{
    return m_centre->currentWidget() == m_welcome;
}

void MainWindow::fitToScreen()
{
    m_layout->fitToScreen();
}

void MainWindow::setStatus(const QString& text)
{
    m_status->setSteady(text);
}

void MainWindow::showNotice(const QString& text)
{
    m_status->showPassing(text);
}

void MainWindow::endNotice(const QString& text)
{
    m_status->endPassing(text);
}

void MainWindow::showError(const QString& heading, const QString& sentence)
{
    m_notices->add(heading, sentence, m_jobs->jobs().titleOfFailure(sentence));
}

QString MainWindow::statusText() const
{
    return m_status->text();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_closeGuard && !m_closeGuard())
        return event->ignore();
    m_layout->keep();
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    m_openMenu->takeDrag(event);
}

void MainWindow::dropEvent(QDropEvent* event)
{
    m_openMenu->takeDrop(event);
}

void MainWindow::askOpen()
{
    m_openMenu->ask();
}

} // namespace headscope::ui

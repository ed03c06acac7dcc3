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
#include "ui/window/side_panels.h"
#include "ui/window/status_line.h"
#include "ui/window/view_outputs.h"
#include "ui/window/window_layout.h"
#include "ui/words/wording.h"

#include <QCloseEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QToolBar>

namespace headscope::ui
{

MainWindow::MainWindow(Settings& settings, DialogService& dialogs) : m_settings(settings), m_dialogs(dialogs)
{
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(QStringLiteral("Headscope"));
    setWindowIcon(QIcon(QStringLiteral(":/headscope/icons/headscope.svg")));
    setAcceptDrops(true);
    setContextMenuPolicy(Qt::PreventContextMenu);
    resize(firstWindowSize(QSize(1 << 16, 1 << 16)));
    m_shortcuts = new Shortcuts(m_settings, this);
    m_centre = new WindowCentre(m_settings, m_choices, m_selection, this);
    setCentralWidget(m_centre);
    addCommands();
    connectSelection();
    m_status = new StatusLine(this);
    setStatusBar(m_status);
    m_status->addAtEnd(jobStrip().running());
    m_notifier = new JobNotifier(jobStrip().jobs(), m_settings, *this);
    m_notifier->setParent(this);
    m_layout->restore();
    setOverview(nullptr);
}

MainWindow::~MainWindow() = default;

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
    m_layout = new LayoutKeeper(*this, m_centre->splitter());
    addAppearanceMenus(*this);
    m_areas =
        new FocusAreas(*this, {&dataPanel(), &views(), &sidePanels(), &jobStrip(), jobStrip().running(), &notices()});
    connect(m_centre, &WindowCentre::welcomeLeft, m_areas, &FocusAreas::focusView);
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
    connect(&views(), &ViewStack::currentChanged, this, [this, refresh](ViewId view) {
        m_selection.setHoveredHead({}); // it lay under the pointer in the view that is gone
        refresh();
        Q_EMIT viewChanged(view);
    });
    connect(&m_selection, &SelectionHub::documentsChanged, this, refresh);
    connect(&m_selection, &SelectionHub::shownChanged, this, refresh);
    // What was clicked in a view is read at the right, whatever page stood there; that page keeps its state.
    connect(&m_selection, &SelectionHub::documentAsked, this, [this] { m_centre->showDocumentPage(); });
    connect(&inspector(), &Inspector::headClicked, this,
            [this](HeadIndex head) { m_selection.setPrimary(m_selection.selection().primary, head); });
    connect(&inspector(), &Inspector::documentClicked, this,
            [this](DocumentIndex document) { m_selection.setPrimary(document, m_selection.selection().primaryHead); });
    connect(&m_selection, &SelectionHub::primaryChanged, this, [this, refresh] {
        refresh();
        inspector().showDocument(m_selection.selection().primary, m_selection.selection().primaryHead);
    });
    connect(dataPanel().headPicker(), &HeadPicker::allAsked, this, [this] { m_selection.setLitHeads({}); });
    connect(&m_choices, &Choices::labelChanged, this, [this, refresh] {
        inspector().setLabelColumn(m_choices.now().labelColumn);
        refresh();
    });
}

void MainWindow::setOverview(std::shared_ptr<const CacheOverview> overview)
{
    m_selection.clear();
    m_choices.open(overview);
    inspector().setDocuments(overview ? overview->documents : nullptr);
    if (overview)
        inspector().setLabelColumn(m_choices.now().labelColumn);
    setWindowTitle(overview ? QFileInfo(toQString(overview->path)).fileName() % QStringLiteral(" – Headscope")
                            : QStringLiteral("Headscope"));
    setWelcomeShown(overview == nullptr);
    if (overview)
        m_areas->focusView(); // so that its keys work at once
    m_actions->refresh();
}

void MainWindow::setLabels(std::shared_ptr<const CacheOverview> overview, const std::string& column)
{
    inspector().setDocuments(overview->documents);
    m_choices.setColumns(std::move(overview), column);
    const Selection& chosen = m_selection.selection();
    inspector().showDocument(chosen.primary, chosen.primaryHead);
}

void MainWindow::addView(ViewEntry entry)
{
    const ViewId id = entry.id;
    const auto number = static_cast<int>(views().entries().size()) + 1;
    m_actions->add({.id = QStringLiteral("actionView_") % id.key(),
                    .text = entry.title,
                    .tip = entry.answers.isEmpty() ? tr("Show this view") : tr("Show this view: %1").arg(entry.answers),
                    .keys = number <= 9 ? QKeySequence(QStringLiteral("Ctrl+%1").arg(number)) : QKeySequence(),
                    .place = {MenuId::View, 0},
                    .act = [this, id] {
                        setView(id);
                        views().takeFocus();
                    }});
    views().addView(std::move(entry));
    m_layout->takeView(id.key());
    m_actions->refresh();
}

void MainWindow::setView(ViewId view)
{
    if (overview())
        setWelcomeShown(false);
    views().setCurrent(view);
}

void MainWindow::addSidePanel(const QString& id, const QString& title, QWidget* page)
{
    sidePanels().addPage(id, title, page);
    m_layout->takeSidePanel(id);
}

void MainWindow::showSidePanel(const QString& id)
{
    m_layout->showSide();
    sidePanels().showPage(id);
}

void MainWindow::addArea(QWidget* area)
{
    m_areas->add(area);
}

void MainWindow::setDemos(const QList<Demo>& demos)
{
    welcome().setDemos(demos);
    m_openMenu->setDemos(demos);
}

bool MainWindow::isDemo(const QString& path) const
{
    return m_openMenu->isDemo(path);
}

void MainWindow::setWelcomeShown(bool shown)
{
    m_centre->setWelcomeShown(shown);
}

bool MainWindow::welcomeShown() const
{
    return m_centre->welcomeShown();
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
    notices().add(heading, sentence, jobStrip().jobs().titleOfFailure(sentence));
}

QString MainWindow::statusText() const
{
    return m_status->text();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_closeGuard && !m_closeGuard())
        return event->ignore();
    Q_EMIT closing();
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

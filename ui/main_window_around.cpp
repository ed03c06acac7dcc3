// SPDX-License-Identifier: GPL-3.0-or-later
// Around the views: welcome page, dialogs of the program itself, layout, notices, summaries.
#include "ui/main_window.h"

#include "model/data/heatmap_panel.h"
#include "ui/canvas_summary.h"
#include "ui/dialogs/settings_dialog.h"
#include "ui/dialogs/shortcuts_dialog.h"
#include "ui/jobs/job_notifier.h"
#include "ui/jobs/job_panel.h"
#include "ui/jobs/job_strip.h"
#include "ui/notice_bar.h"
#include "ui/panels/data_panel.h"
#include "ui/plots/heatmap_view.h"
#include "ui/plots/heatmap_widget.h"
#include "ui/plots/map_view.h"
#include "ui/plots/scatter_widget.h"
#include "ui/settings/settings.h"
#include "ui/shown_bar.h"
#include "ui/side_panels.h"
#include "ui/theme/theme.h"
#include "ui/window_layout.h"
#include "ui/wording.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QScreen>
#include <QSplitter>
#include <QStackedWidget>

#include <algorithm>
#include <array>
#include <tuple>

namespace headscope::ui
{
namespace
{

constexpr int kDataWidth = 264;
constexpr int kInspectorWidth = 280;
constexpr int kLeastViewWidth = 400;

/// A view's action is named by its number, which stays when titles change.
QString actionOfView(View view)
{
    return QStringLiteral("actionView%1").arg(static_cast<int>(view) + 1);
}

View viewOfAction(const QString& name)
{
    for (int number = 0; number <= static_cast<int>(View::Layers); ++number)
        if (actionOfView(static_cast<View>(number)) == name)
            return static_cast<View>(number);
    return View::Map;
}

/// Gives the keyboard to the first part of a widget that takes it.
bool focusInto(QWidget* area)
{
    for (QWidget* child : area->findChildren<QWidget*>())
        if (child->isVisible() && child->isEnabled() && (child->focusPolicy() & Qt::TabFocus) != 0)
        {
            child->setFocus(Qt::TabFocusReason);
            return true;
        }
    return false;
}

} // namespace

void MainWindow::buildAround()
{
    buildWelcome();
    const auto dialogAction = [this](const char* name, const QString& text, const QString& tip, const char* keys,
                                     MenuId menu, auto make) {
        QAction* action = makeAction(QLatin1StringView(name), text, tip, QKeySequence(QLatin1StringView(keys)));
        connect(action, &QAction::triggered, this, [make] {
            QDialog* dialog = make();
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            dialog->open();
        });
        this->menu(menu)->addAction(action);
    };
    menu(MenuId::Edit)->addSeparator();
    dialogAction("actionSettings", tr("Settings…"), tr("Look, maps, jobs: everything that is kept"), "Ctrl+,",
                 MenuId::Edit, [this] { return new SettingsDialog(m_settings, this); });
    dialogAction("actionShortcuts", tr("Shortcuts…"), tr("See and change the keys of every action"), "Ctrl+Alt+K",
                 MenuId::Edit, [this] { return new ShortcutsDialog(*m_shortcuts, *menuBar(), this); });
    QAction* welcome = makeAction(QStringLiteral("actionWelcome"), tr("Welcome page"),
                                  tr("Demos, files opened last, and how to begin"), QKeySequence());
    connect(welcome, &QAction::triggered, this, [this] { setWelcomeShown(true); });
    menu(MenuId::Help)->insertAction(menu(MenuId::Help)->actions().constFirst(), welcome);

    for (const auto& [name, text, keys, step] : {std::tuple("actionNextArea", tr("Next area"), "F6", 1),
                                                 std::tuple("actionPreviousArea", tr("Previous area"), "Shift+F6", -1)})
    {
        QAction* action =
            makeAction(QLatin1StringView(name), text, tr("Take the keyboard from data panel to view, side and jobs"),
                       QKeySequence(QLatin1StringView(keys)));
        connect(action, &QAction::triggered, this, [this, step = step] { focusNextArea(step); });
        menu(MenuId::View)->addAction(action);
    }
    m_notifier = new JobNotifier(m_jobs->jobs(), m_settings, *this);
    m_notifier->setParent(this);
    connect(m_jobs, &JobStrip::panelShownChanged, m_showJobs, &QAction::setChecked);
    connect(m_views, &ViewStack::currentChanged, this, [this] { m_viewToRestore.clear(); });
    connect(m_side, &SidePanels::currentChanged, this, [this] { m_sidePanelToRestore.clear(); });
    connect(&m_settings, &Settings::changed, this, [this](SettingKey key) {
        if (key == SettingKey::ColorScheme)
        {
            Theme::instance().setScheme(Theme::schemeFromName(m_settings.text(key)));
            refreshScheme();
        }
        if (key == SettingKey::LabelColors)
            takeLabelColors();
        if (key == SettingKey::RecentFiles && welcomeShown())
            m_welcome->setRecent(m_settings.list(key));
    });
    refreshScheme();
    buildLabelColors();
    describeCanvases();
    m_shownBar = new ShownBar(m_views);
    m_views->setBanner(m_shownBar);
    connect(m_shownBar, &ShownBar::fitRequested, m_fit, &QAction::trigger);
    connect(m_shownBar, &ShownBar::endRequested, &m_selection, &SelectionHub::showAll);
}

void MainWindow::buildWelcome()
{
    m_welcome = new WelcomePage(m_centre);
    m_centre->addWidget(m_welcome);
    connect(m_welcome, &WelcomePage::openAsked, this, &MainWindow::askOpen);
    connect(m_welcome, &WelcomePage::extractAsked, this, &MainWindow::extractRequested);
    connect(m_welcome, &WelcomePage::openRequested, this, &MainWindow::openRequested);
    connect(m_welcome, &WelcomePage::backAsked, this, [this] { setWelcomeShown(false); });
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
        focusView();
}

void MainWindow::focusView()
{
    if (view() == View::Map && m_map->scatter()->isVisible())
        m_map->scatter()->setFocus();
    else
        focusInto(m_views->entry(view()).widget);
}

void MainWindow::focusNextArea(int step)
{
    const std::array<QWidget*, 5> areas = {m_data, m_views, m_side, m_jobs, m_notices};
    const auto count = static_cast<int>(areas.size());
    int now = 0;
    for (int i = 0; i < count; ++i)
        if (areas[static_cast<std::size_t>(i)]->isAncestorOf(QApplication::focusWidget()))
            now = i;
    for (int i = 1; i <= count; ++i)
    {
        QWidget* area = areas[static_cast<std::size_t>((now + i * step + count * count) % count)];
        if (!area->isVisible())
            continue;
        if (area == m_views)
            return focusView();
        if (focusInto(area))
            return;
    }
}

bool MainWindow::welcomeShown() const
{
    return m_centre->currentWidget() == m_welcome;
}

void MainWindow::refreshShown()
{
    const auto shown = m_selection.shownOnly();
    if (shown == nullptr || overview() == nullptr)
        m_shownBar->setShown({});
    else
        m_shownBar->setShown(tr("%1: %2 of %3")
                                 .arg(shown->name.isEmpty()
                                          ? tr("Only the choice of before")
                                          : tr("Only “%1”").arg(firstLine(toStdString(shown->name), 40)),
                                      countText(std::ssize(shown->documents)),
                                      countText(overview()->documents->count(), tr("document"), tr("documents"))));
    refreshActions();
}

void MainWindow::refreshScheme()
{
    const QString name = QStringLiteral("actionScheme_") % m_settings.text(SettingKey::ColorScheme);
    if (auto* action = findChild<QAction*>(name))
        action->setChecked(true);
}

void MainWindow::buildLabelColors()
{
    QMenu* colors = menu(MenuId::View)->addMenu(tr("Colours of labels"));
    colors->menuAction()->setStatusTip(tr("In every view, and in pictures that are saved"));
    auto* group = new QActionGroup(this);
    for (int i = 0; i < viz::kLabelPalettes; ++i)
    {
        const auto palette = static_cast<viz::LabelPalette>(i);
        QAction* action = makeAction(QStringLiteral("actionLabelColors_") % viz::paletteId(palette),
                                     viz::paletteName(palette), tr("Colours and shapes of labels"));
        action->setCheckable(true);
        group->addAction(action);
        colors->addAction(action);
        connect(action, &QAction::triggered, this,
                [this, palette] { m_settings.setText(SettingKey::LabelColors, viz::paletteId(palette)); });
    }
    // A legend asks the theme, which keeps nothing.
    connect(&Theme::instance(), &Theme::labelPaletteChanged, this,
            [this] { m_settings.setText(SettingKey::LabelColors, viz::paletteId(Theme::instance().labelPalette())); });
    takeLabelColors();
}

void MainWindow::takeLabelColors()
{
    const viz::LabelPalette palette = viz::paletteFromId(m_settings.text(SettingKey::LabelColors));
    Theme::instance().setLabelPalette(palette);
    if (auto* action = findChild<QAction*>(QStringLiteral("actionLabelColors_") % viz::paletteId(palette)))
        action->setChecked(true);
}

void MainWindow::describeCanvases()
{
    ScatterWidget* scatter = m_map->scatter();
    setCanvasSummary(scatter, [this, scatter] {
        const auto map = scatter->map();
        if (map == nullptr)
            return tr("There is no map yet.");
        const QString whole = tr("t-SNE map of layer %1, %2: %3.")
                                  .arg(map->layer.value())
                                  .arg(stageTitle(map->stage), m_map->shownText());
        // The point that keys have stepped on comes first: it is what was asked for.
        const QString point = scatter->pointText();
        return point.isEmpty() ? whole : QString(point % QStringLiteral(". ") % whole);
    });
    HeatmapWidget* heatmap = m_heatmap->heatmap();
    setCanvasSummary(heatmap, [heatmap] {
        if (heatmap->panels().empty())
            return tr("There is no heatmap yet.");
        const HeatmapPanel& first = *heatmap->panels().front();
        const QString whole =
            tr("Heatmaps of %1: cosine of each row with its topic, %2.")
                .arg(countText(static_cast<std::int64_t>(heatmap->panels().size()), tr("stage"), tr("stages")),
                     countText(first.heatmap->values.cols(), tr("document"), tr("documents")));
        const QString cell = heatmap->cellText();
        return cell.isEmpty() ? whole : QString(cell % QStringLiteral(". ") % whole);
    });
    connect(&m_selection, &SelectionHub::documentsChanged, this, [scatter] { noteCanvasChanged(scatter); });
}

WindowLayout MainWindow::layoutNow() const
{
    WindowLayout layout;
    layout.widths = m_splitter->sizes();
    if (m_data->isHidden())
        layout.widths.front() = kDataWidth; // a hidden one is told to have none
    if (m_side->isHidden())
        layout.widths.back() = kInspectorWidth;
    layout.dataShown = m_showData->isChecked();
    layout.sideShown = m_showInspector->isChecked();
    layout.helpShown = m_showHelp->isChecked();
    layout.legendShown = m_showLegend->isChecked();
    layout.toolsShown = m_showTools->isChecked();
    layout.jobsShown = m_jobs->panelShown();
    layout.jobsHeight = m_jobs->panel().panelHeight();
    layout.view = actionOfView(view());
    layout.sidePanel = m_side->currentPage();
    return layout;
}

void MainWindow::applyLayout(const WindowLayout& layout)
{
    m_showData->setChecked(layout.dataShown);
    m_showInspector->setChecked(layout.sideShown);
    m_data->setVisible(layout.dataShown); // the actions may have been so already
    m_side->setVisible(layout.sideShown);
    m_showHelp->setChecked(layout.helpShown);
    m_showLegend->setChecked(layout.legendShown);
    m_showTools->setChecked(layout.toolsShown);
    m_jobs->panel().setPanelHeight(layout.jobsHeight > 0 ? layout.jobsHeight : JobPanel::kDefaultHeight);
    m_jobs->setPanelShown(layout.jobsShown);
    if (layout.widths.size() == m_splitter->count() && std::ranges::any_of(layout.widths, [](int w) { return w > 0; }))
        m_splitter->setSizes(layout.widths);
    else
        m_splitter->setSizes(
            {kDataWidth, std::max(kLeastViewWidth, width() - kDataWidth - kInspectorWidth), kInspectorWidth});
}

void MainWindow::restoreLayout()
{
    const QByteArray geometry = m_settings.bytes(SettingKey::WindowGeometry);
    if (!geometry.isEmpty())
        restoreGeometry(geometry);
    const WindowLayout layout = layoutFromBytes(m_settings.bytes(SettingKey::WindowState)).value_or(WindowLayout());
    applyLayout(layout);
    m_views->setCurrent(viewOfAction(layout.view));
    m_side->showPage(layout.sidePanel);
    // What controllers add later is restored when it comes.
    m_viewToRestore = layout.view;
    m_sidePanelToRestore = layout.sidePanel;
}

void MainWindow::fitToScreen()
{
    // A size that was kept is fitted by Qt itself.
    if (m_settings.bytes(SettingKey::WindowGeometry).isEmpty())
        setGeometry(firstWindowPlace(screen()->availableGeometry()));
}

void MainWindow::resetLayout()
{
    applyLayout({});
}

void MainWindow::keepLayout()
{
    m_settings.setBytes(SettingKey::WindowGeometry, saveGeometry());
    m_settings.setBytes(SettingKey::WindowState, toBytes(layoutNow()));
}

} // namespace headscope::ui

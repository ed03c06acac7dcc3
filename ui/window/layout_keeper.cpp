// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/layout_keeper.h"

#include "ui/jobs/job_panel.h"
#include "ui/jobs/job_strip.h"
#include "ui/panels/data/data_panel.h"
#include "ui/settings/settings.h"
#include "ui/window/main_window.h"
#include "ui/window/side_panels.h"

#include <QScreen>

#include <algorithm>

namespace headscope::ui
{
namespace
{

constexpr int kDataWidth = 264;
constexpr int kInspectorWidth = 280;
constexpr int kMinViewWidth = 400;
constexpr MenuPlace kParts{MenuId::View, 20};

} // namespace

LayoutKeeper::LayoutKeeper(MainWindow& window, QSplitter& splitter)
    : QObject(&window), m_window(window), m_splitter(splitter)
{
    addCommands();
    connect(&window.actions(), &Actions::added, this, &LayoutKeeper::takeAction);
    connect(&window.views(), &ViewStack::currentChanged, this, [this] { m_viewToRestore.clear(); });
    connect(&window.sidePanels(), &SidePanels::currentChanged, this, [this] { m_sidePanelToRestore.clear(); });
    connect(&window.jobStrip(), &JobStrip::panelShownChanged, m_jobs, &QAction::setChecked);
}

void LayoutKeeper::addCommands()
{
    Actions& actions = m_window.actions();
    JobStrip& jobs = m_window.jobStrip();
    m_data = actions.add({.id = QStringLiteral("actionShowData"),
                          .text = tr("Data panel"),
                          .tip = tr("Show or hide the data panel"),
                          .keys = QKeySequence(QStringLiteral("F9")),
                          .place = kParts,
                          .toggled = [this](bool on) { m_window.dataPanel().setVisible(on); },
                          .on = true,
                          .kept = true});
    m_side = actions.add({.id = QStringLiteral("actionShowInspector"),
                          .text = tr("Side panel"),
                          .tip = tr("Show or hide the side panel"),
                          .keys = QKeySequence(QStringLiteral("F10")),
                          .place = kParts,
                          .toggled = [this](bool on) { m_window.sidePanels().setVisible(on); },
                          .on = true,
                          .kept = true});
    actions.add({.id = QStringLiteral("actionShowHelp"),
                 .text = tr("View description"),
                 .tip = tr("Show or hide the line that describes the view"),
                 .place = kParts,
                 .toggled = [this](bool on) { m_window.views().setHelpShown(on); },
                 .on = true,
                 .kept = true});
    m_jobs = actions.add({.id = QStringLiteral("actionShowJobs"),
                          .text = tr("Job panel"),
                          .tip = tr("Show or hide all jobs of this session, with progress and log"),
                          .keys = QKeySequence(QStringLiteral("Ctrl+J")),
                          .place = kParts,
                          .toggled = [&jobs](bool on) { jobs.setPanelShown(on); },
                          .kept = true});
    connect(m_jobs, &QAction::triggered, &jobs, [&jobs](bool on) {
        if (on) // by the user, not with the layout
            jobs.panel().takeFocus();
    });
    actions.add({.id = QStringLiteral("actionShowLog"),
                 .text = tr("Log of all jobs"),
                 .tip = tr("Show or hide the messages of all jobs"),
                 .keys = QKeySequence(QStringLiteral("Ctrl+L")),
                 .place = kParts,
                 .act = [&jobs] { jobs.setLogShown(!jobs.logShown()); }});
    actions.add({.id = QStringLiteral("actionResetLayout"),
                 .text = tr("Reset layout"),
                 .tip = tr("Move all panels back to their default places"),
                 .place = kParts,
                 .act = [this] { reset(); }});
}

void LayoutKeeper::takeAction(QAction* action)
{
    if (const auto on = m_restored.shown.constFind(action->objectName());
        on != m_restored.shown.constEnd() && action->isCheckable())
        action->setChecked(*on);
}

WindowLayout LayoutKeeper::now() const
{
    WindowLayout layout;
    layout.widths = m_splitter.sizes();
    if (m_window.dataPanel().isHidden())
        layout.widths.front() = kDataWidth; // a hidden one is told to have none
    if (m_window.sidePanels().isHidden())
        layout.widths.back() = kInspectorWidth;
    for (const QAction* action : m_window.actions().kept())
        layout.shown[action->objectName()] = action->isChecked();
    layout.jobsHeight = m_window.jobStrip().panel().panelHeight();
    layout.view = m_window.view().key();
    layout.sidePanel = m_window.sidePanels().currentPage();
    return layout;
}

void LayoutKeeper::apply(const WindowLayout& layout)
{
    JobStrip& jobs = m_window.jobStrip();
    for (QAction* action : m_window.actions().kept())
        action->setChecked(layout.shown.value(action->objectName(), m_window.actions().builtIn(action)));
    m_window.dataPanel().setVisible(m_data->isChecked()); // the actions may have been so already
    m_window.sidePanels().setVisible(m_side->isChecked());
    jobs.panel().setPanelHeight(layout.jobsHeight > 0 ? layout.jobsHeight : JobPanel::kDefaultHeight);
    jobs.setPanelShown(m_jobs->isChecked());
    if (layout.widths.size() == m_splitter.count() && std::ranges::any_of(layout.widths, [](int w) { return w > 0; }))
        m_splitter.setSizes(layout.widths);
    else
        m_splitter.setSizes(
            {kDataWidth, std::max(kMinViewWidth, m_window.width() - kDataWidth - kInspectorWidth), kInspectorWidth});
}

void LayoutKeeper::restore()
{
    const QByteArray geometry = m_window.settings().bytes(SettingKey::WindowGeometry);
    if (!geometry.isEmpty())
        m_window.restoreGeometry(geometry);
    m_restored = layoutFromBytes(m_window.settings().bytes(SettingKey::WindowState)).value_or(WindowLayout());
    apply(m_restored);
    m_window.sidePanels().showPage(m_restored.sidePanel);
    m_viewToRestore = m_restored.view;
    m_sidePanelToRestore = m_restored.sidePanel;
}

void LayoutKeeper::takeView(const QString& key)
{
    if (key == m_viewToRestore)
        m_window.views().setCurrent(m_window.views().idOf(key));
}

void LayoutKeeper::takeSidePanel(const QString& id)
{
    if (id == m_sidePanelToRestore)
        m_window.sidePanels().showPage(id);
}

void LayoutKeeper::fitToScreen()
{
    const QRect room = m_window.screen()->availableGeometry();
    const bool fits = m_window.width() <= room.width() && m_window.height() <= room.height();
    // Of a window that covers its screen the system knows the size. One may have been kept on a larger screen.
    if (m_window.settings().bytes(SettingKey::WindowGeometry).isEmpty() ||
        (!fits && !m_window.isMaximized() && !m_window.isFullScreen()))
        m_window.setGeometry(firstWindowPlace(room));
}

void LayoutKeeper::reset()
{
    apply({});
}

void LayoutKeeper::keep()
{
    m_window.settings().setBytes(SettingKey::WindowGeometry, m_window.saveGeometry());
    m_window.settings().setBytes(SettingKey::WindowState, toBytes(now()));
}

} // namespace headscope::ui

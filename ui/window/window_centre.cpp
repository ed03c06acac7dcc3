// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_centre.h"

#include "ui/jobs/job_strip.h"
#include "ui/models/job_list_model.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/document/inspector.h"
#include "ui/settings/settings.h"
#include "ui/state/choices.h"
#include "ui/window/notice_bar.h"
#include "ui/window/shown_bar.h"
#include "ui/window/side_panels.h"
#include "ui/window/view_stack.h"
#include "ui/window/welcome_page.h"
#include "ui/words/wording.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace headscope::ui
{
namespace
{

const QString kDocumentPage = QStringLiteral("document");

} // namespace

WindowCentre::WindowCentre(Settings& settings, Choices& choices, SelectionHub& selection, QWidget* parent)
    : QWidget(parent), m_settings(settings), m_choices(choices), m_selection(selection)
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    m_notices = new NoticeBar(this);
    outer->addWidget(m_notices);
    m_stack = new QStackedWidget(this);
    buildPanels();
    m_stack->addWidget(m_splitter);
    m_welcome = new WelcomePage(m_stack);
    m_stack->addWidget(m_welcome);
    m_middle = new QHBoxLayout;
    m_middle->setSpacing(0);
    m_middle->addWidget(m_stack, 1);
    outer->addLayout(m_middle, 1);
    m_jobs = new JobStrip(this);
    outer->addWidget(m_jobs);
    connect(m_notices, &NoticeBar::detailsRequested, m_jobs, [this] { m_jobs->setLogShown(true); });
    connect(&m_jobs->jobs(), &JobListModel::ended, m_notices, &NoticeBar::takeEnd);
}

void WindowCentre::buildPanels()
{
    m_splitter = new QSplitter(Qt::Horizontal, m_stack);
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
}

void WindowCentre::showDocumentPage()
{
    m_side->showPage(kDocumentPage);
}

void WindowCentre::setWelcomeShown(bool shown)
{
    const auto& overview = m_choices.overview();
    if (shown)
    {
        m_welcome->setRecent(m_settings.list(SettingKey::RecentFiles));
        m_welcome->setOpenFile(overview ? QFileInfo(toQString(overview->path)).fileName() : QString());
    }
    else
    {
        m_welcome->setProblem({});
    }
    if (shown == m_welcomeShown)
        return;
    m_welcomeShown = shown;
    refreshStack();
    if (m_cover != nullptr)
        return;
    if (shown)
        m_welcome->setFocus();
    else if (overview)
        Q_EMIT welcomeLeft();
}

void WindowCentre::setCover(QWidget* page)
{
    if (page != nullptr && m_stack->indexOf(page) < 0)
        m_stack->addWidget(page);
    m_cover = page;
    refreshStack();
}

void WindowCentre::refreshRoom()
{
    m_splitter->refresh();
    m_stack->updateGeometry();
}

void WindowCentre::addColumn(QWidget* column)
{
    m_middle->addWidget(column);
}

void WindowCentre::refreshStack()
{
    m_stack->setCurrentWidget(m_cover != nullptr ? m_cover
                              : m_welcomeShown   ? static_cast<QWidget*>(m_welcome)
                                                 : m_splitter);
}

} // namespace headscope::ui

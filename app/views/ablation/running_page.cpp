// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/ablation/running_page.h"

#include "app/views/ablation/ablation_panel.h"
#include "app/views/ablation/importance_panel.h"
#include "ui/theme/theme.h"

#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

namespace headscope::ui
{

RunningPage::RunningPage(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("runningPage"));
    auto* around = new QVBoxLayout(this);
    around->setContentsMargins(0, 0, 0, 0);
    m_scroll = new QScrollArea(this);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    around->addWidget(m_scroll);
    auto* content = new QWidget(m_scroll);
    content->setAutoFillBackground(false);
    m_scroll->setWidget(content);
    m_scroll->viewport()->setAutoFillBackground(false);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(Metrics::kPanel, Metrics::kRelated, Metrics::kPanel, Metrics::kPanel);
    layout->setSpacing(Metrics::kGroups);
    m_importance = new ImportancePanel(content);
    m_switchOff = new AblationPanel(content);
    layout->addWidget(m_importance, 3);
    layout->addWidget(m_switchOff, 2);
}

void RunningPage::showSwitchOff()
{
    // After the layout that a page in front has only now.
    QTimer::singleShot(0, this, [this] { m_scroll->ensureWidgetVisible(m_switchOff, 0, 0); });
}

} // namespace headscope::ui

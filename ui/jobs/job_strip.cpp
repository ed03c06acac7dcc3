// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/job_strip.h"

#include "ui/jobs/job_panel.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui
{
namespace
{

constexpr int kBarSteps = 1000;
constexpr const char* kDue = "due"; ///< property of a row that may show itself

} // namespace

JobRow::JobRow(JobListModel& jobs, const QString& title, bool canPause, QWidget* parent)
    : QWidget(parent), m_jobs(jobs), m_id(jobs.begin(title, canPause))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 1, 0, 1);
    layout->setSpacing(Metrics::kPanel);
    m_title = new ElidedLabel(title, this); // a long name of a file must not widen the window
    m_title->setFont(Theme::bodyFont(true));
    m_bar = new QProgressBar(this);
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(120);
    m_bar->setRange(0, 0);
    m_bar->setAccessibleName(title);
    m_numbers = new ElidedLabel({}, this); // numbers that change must not move the window's least width
    m_numbers->setProperty("role", QStringLiteral("muted"));
    m_numbers->setObjectName(QStringLiteral("jobNumbers"));
    layout->addWidget(m_title, 1);
    layout->addWidget(m_bar, 0, Qt::AlignVCenter);
    layout->addWidget(m_numbers, 1);
    if (canPause)
    {
        m_pause = new QPushButton(tr("Pause"), this);
        m_pause->setObjectName(QStringLiteral("jobPause"));
        m_pause->setToolTip(tr("Pause or continue this job"));
        connect(m_pause, &QPushButton::clicked, this, [this] { requestPause(!m_paused); });
        layout->addWidget(m_pause);
    }
    m_cancel = new QPushButton(tr("Cancel"), this);
    m_cancel->setObjectName(QStringLiteral("jobCancel"));
    m_cancel->setToolTip(tr("Stop this job"));
    m_cancel->setAccessibleName(tr("Cancel: %1").arg(title));
    connect(m_cancel, &QPushButton::clicked, this, &JobRow::requestCancel);
    layout->addWidget(m_cancel);
}

void JobRow::requestCancel()
{
    if (std::exchange(m_cancelRequested, true))
        return;
    m_cancel->setEnabled(false);
    m_numbers->setFullText(tr("stopping"));
    m_jobs.setState(m_id, JobState::Stopping);
    Q_EMIT cancelRequested();
}

void JobRow::requestPause(bool pause)
{
    if (m_pause != nullptr && !m_cancelRequested)
        Q_EMIT pauseRequested(pause);
}

void JobRow::setProgress(const Progress& progress)
{
    if (m_cancelRequested)
        return;
    m_jobs.setProgress(m_id, progress);
    if (progress.total > 0)
    {
        m_bar->setRange(0, kBarSteps);
        m_bar->setValue(static_cast<int>(kBarSteps * static_cast<double>(std::min(progress.done, progress.total)) /
                                         static_cast<double>(progress.total)));
    }
    else
    {
        m_bar->setRange(0, 0);
    }
    const QString stage = toQString(progress.stage);
    const QString numbers = progressText(progress);
    QStringList parts{stage, numbers};
    parts.removeAll(QString());
    m_numbers->setFullText(parts.join(QStringLiteral(" · ")));
}

void JobRow::setPaused(bool paused)
{
    m_paused = paused;
    if (!m_cancelRequested)
        m_jobs.setState(m_id, paused ? JobState::Paused : JobState::Running);
    if (m_pause != nullptr)
        m_pause->setText(paused ? tr("Continue") : tr("Pause"));
}

void JobRow::setCommandLine(const QString& commandLine)
{
    m_jobs.setCommandLine(m_id, commandLine);
}

void JobRow::addLog(const QString& lines)
{
    m_jobs.addLog(m_id, lines);
}

void JobRow::setError(const QString& sentence)
{
    m_error = sentence;
}

void JobRow::setResult(const QString& result)
{
    m_jobs.setResult(m_id, result);
}

JobStrip::JobStrip(QWidget* parent) : QFrame(parent)
{
    setObjectName(QStringLiteral("bar"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_jobs = new JobListModel(this);
    m_panel = new JobPanel(*m_jobs, this);
    layout->addWidget(m_panel);
    m_panel->hide();
    m_running = new QWidget(this);
    m_running->setObjectName(QStringLiteral("runningJobs"));
    auto* rows = new QHBoxLayout(m_running);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(Metrics::kRelated);
    m_others = new QToolButton(m_running);
    m_others->setObjectName(QStringLiteral("jobOthers"));
    m_others->setProperty("flat", true);
    m_others->setToolTip(tr("Show all jobs"));
    m_others->setFocusPolicy(Qt::TabFocus);
    rows->addWidget(m_others);
    connect(m_others, &QToolButton::clicked, this, [this] { setPanelShown(true); });
    connect(m_panel, &JobPanel::cancelRequested, this, &JobStrip::cancel);
    connect(m_panel, &JobPanel::pauseRequested, this, [this](std::uint64_t id, bool pause) {
        if (JobRow* row = rowOf(id))
            row->requestPause(pause);
    });
    connect(m_panel, &JobPanel::closeRequested, this, [this] { setPanelShown(false); });
    refresh();
}

JobRow* JobStrip::begin(const QString& key, const QString& title, bool canPause, int afterMs)
{
    end(key, JobState::Cancelled);
    auto* row = new JobRow(*m_jobs, title, canPause, m_running);
    m_rows.insert(key, row);
    static_cast<QHBoxLayout*>(m_running->layout())->insertWidget(0, row, 1);
    row->hide();
    if (afterMs == 0)
        row->setProperty(kDue, true);
    else if (afterMs > 0)
        QTimer::singleShot(afterMs, row, [this, row] {
            row->setProperty(kDue, true);
            refresh();
        });
    refresh();
    return row;
}

JobRow* JobStrip::row(const QString& key) const
{
    return m_rows.value(key, nullptr);
}

JobRow* JobStrip::rowOf(std::uint64_t id) const
{
    const auto found = std::ranges::find_if(m_rows, [id](const JobRow* row) { return row->id() == id; });
    return found == m_rows.end() ? nullptr : *found;
}

void JobStrip::cancel(std::uint64_t id)
{
    if (JobRow* row = rowOf(id))
        row->requestCancel();
}

void JobStrip::end(const QString& key)
{
    const JobRow* row = m_rows.value(key, nullptr);
    if (row == nullptr)
        return;
    end(key, !row->error().isEmpty()     ? JobState::Failed
             : row->cancelWasRequested() ? JobState::Cancelled
                                         : JobState::Done);
}

void JobStrip::end(const QString& key, JobState state)
{
    JobRow* row = m_rows.take(key);
    if (row == nullptr)
        return;
    row->hide();
    row->deleteLater();
    refresh();
    m_jobs->end(row->id(), state, row->error());
}

void JobStrip::addLog(const QString& lines)
{
    m_panel->addLog(lines);
}

QString JobStrip::logText() const
{
    return m_panel->logText();
}

void JobStrip::setPanelShown(bool shown)
{
    if (shown == panelShown())
        return;
    m_panel->setVisible(shown);
    refresh();
    Q_EMIT panelShownChanged(shown);
}

bool JobStrip::panelShown() const
{
    return !m_panel->isHidden();
}

void JobStrip::setLogShown(bool shown)
{
    if (shown)
        m_panel->showWholeLog();
    setPanelShown(shown);
}

bool JobStrip::logShown() const
{
    return panelShown() && m_panel->showsWholeLog();
}

void JobStrip::refresh()
{
    JobRow* newest = nullptr;
    int due = 0;
    for (JobRow* row : std::as_const(m_rows))
        if (row->property(kDue).toBool())
        {
            ++due;
            newest = newest == nullptr || row->id() > newest->id() ? row : newest;
        }
    for (JobRow* row : std::as_const(m_rows))
        row->setVisible(row == newest);
    m_others->setText(tr("%1 more").arg(countText(std::max(0, due - 1))));
    m_others->setVisible(due > 1);
    const bool isShown = newest != nullptr && !panelShown(); // the panel lists them already
    const bool isChanged = m_running->isHidden() == isShown;
    m_running->setVisible(isShown);
    setVisible(panelShown());
    if (isChanged)
        Q_EMIT runningShownChanged();
}

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/job_strip.h"

#include "ui/theme/theme.h"
#include "ui/widgets.h"
#include "ui/wording.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui
{
namespace
{

constexpr int kLogLines = 2000;
constexpr int kLogHeight = 160;
constexpr int kBarSteps = 1000;

} // namespace

JobRow::JobRow(const QString& title, bool canPause, QWidget* parent) : QWidget(parent)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(Metrics::kPanel, Metrics::kGrid, Metrics::kPanel, Metrics::kGrid);
    layout->setSpacing(Metrics::kPanel);
    m_title = new QLabel(title, this);
    m_title->setFont(Theme::bodyFont(true));
    m_bar = new QProgressBar(this);
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(168);
    m_bar->setRange(0, 0);
    m_bar->setAccessibleName(title);
    m_numbers = makeMutedLabel({}, this);
    m_numbers->setMinimumWidth(1); // numbers that change must not move the window's least width
    layout->addWidget(m_title);
    layout->addWidget(m_bar, 0, Qt::AlignVCenter);
    layout->addWidget(m_numbers, 1);
    if (canPause)
    {
        m_pause = new QPushButton(tr("Pause"), this);
        m_pause->setObjectName(QStringLiteral("jobPause"));
        connect(m_pause, &QPushButton::clicked, this, [this] { Q_EMIT pauseRequested(!m_paused); });
        layout->addWidget(m_pause);
    }
    m_cancel = new QPushButton(tr("Cancel"), this);
    m_cancel->setObjectName(QStringLiteral("jobCancel"));
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        m_cancel->setEnabled(false);
        m_numbers->setText(tr("stopping"));
        Q_EMIT cancelRequested();
    });
    layout->addWidget(m_cancel);
}

void JobRow::setProgress(const Progress& progress)
{
    if (!m_cancel->isEnabled())
        return;
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
    m_numbers->setText(parts.join(QStringLiteral(" · ")));
}

void JobRow::setPaused(bool paused)
{
    m_paused = paused;
    if (m_pause != nullptr)
        m_pause->setText(paused ? tr("Continue") : tr("Pause"));
}

JobStrip::JobStrip(QWidget* parent) : QFrame(parent)
{
    setObjectName(QStringLiteral("bar"));
    m_layout = new QVBoxLayout(this);
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    m_drawer = new QWidget(this);
    auto* drawer = new QVBoxLayout(m_drawer);
    drawer->setContentsMargins(Metrics::kPanel, Metrics::kRelated, Metrics::kPanel, Metrics::kRelated);
    drawer->setSpacing(Metrics::kGrid);
    drawer->addWidget(makeSectionLabel(tr("Log"), m_drawer));
    m_log = new QPlainTextEdit(m_drawer);
    m_log->setObjectName(QStringLiteral("log"));
    m_log->setAccessibleName(tr("Log"));
    m_log->setReadOnly(true);
    m_log->setFont(Theme::monoFont());
    m_log->setMaximumBlockCount(kLogLines);
    m_log->setFixedHeight(kLogHeight);
    m_log->setPlaceholderText(tr("What jobs say while they run is written here."));
    drawer->addWidget(m_log);
    m_layout->addWidget(m_drawer);
    m_drawer->hide();
    refresh();
}

JobRow* JobStrip::begin(const QString& key, const QString& title, bool canPause, int afterMs)
{
    end(key);
    auto* row = new JobRow(title, canPause, this);
    m_rows.insert(key, row);
    m_layout->insertWidget(m_layout->count() - 1, row);
    if (afterMs > 0)
    {
        row->hide();
        QTimer::singleShot(afterMs, row, [this, row] {
            row->show();
            refresh();
        });
    }
    refresh();
    return row;
}

JobRow* JobStrip::row(const QString& key) const
{
    return m_rows.value(key, nullptr);
}

void JobStrip::end(const QString& key)
{
    if (JobRow* row = m_rows.take(key))
    {
        row->hide();
        row->deleteLater();
    }
    refresh();
}

void JobStrip::addLog(const QString& lines)
{
    m_log->appendPlainText(lines);
}

QString JobStrip::logText() const
{
    return m_log->toPlainText();
}

void JobStrip::setLogShown(bool shown)
{
    m_drawer->setVisible(shown);
    refresh();
}

bool JobStrip::logShown() const
{
    return !m_drawer->isHidden();
}

void JobStrip::refresh()
{
    const bool anyRow = std::any_of(m_rows.begin(), m_rows.end(), [](const JobRow* row) { return !row->isHidden(); });
    setVisible(anyRow || logShown());
}

} // namespace headscope::ui

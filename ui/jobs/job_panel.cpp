// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/job_panel.h"

#include "ui/jobs/job_delegate.h"
#include "ui/jobs/panel_handle.h"
#include "ui/theme/theme.h"
#include "ui/widgets/scrolled_room.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kLogLines = 2000;
constexpr int kMinHeight = 140;
constexpr int kMaxHeight = 720;
constexpr int kTickMs = 1000;
constexpr int kMinLog = 36;

QPushButton* makeButton(const QString& name, const QString& text, const QString& tip, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setObjectName(name);
    button->setToolTip(tip);
    button->setAccessibleName(text);
    return button;
}

QPlainTextEdit* makeLog(const QString& name, const QString& accessibleName, QWidget* parent)
{
    auto* log = new QPlainTextEdit(parent);
    log->setObjectName(name);
    log->setAccessibleName(accessibleName);
    log->setAccessibleDescription(JobPanel::tr("Log lines, newest last"));
    log->setReadOnly(true);
    log->setFont(Theme::monoFont());
    log->setMaximumBlockCount(kLogLines);
    log->document()->setDocumentMargin(0); // in line with the heading
    log->setTabChangesFocus(true);         // Tab walks on, it never ends here
    log->setMinimumHeight(kMinLog);
    log->setPlaceholderText(JobPanel::tr("No messages yet. Messages of running jobs appear here."));
    return log;
}

constexpr int kDoneWidth = 296;
constexpr std::pair<int, int> kWidths[] = {{JobListModel::State, 92},
                                           {JobListModel::Done, kDoneWidth},
                                           {JobListModel::Rate, 68},
                                           {JobListModel::TimeLeft, 84},
                                           {JobListModel::Elapsed, 84}};

} // namespace

JobPanel::JobPanel(JobListModel& jobs, QWidget* parent) : QWidget(parent), m_jobs(jobs)
{
    setObjectName(QStringLiteral("jobPanel"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* handle = new PanelHandle(this);
    connect(handle, &PanelHandle::moved, this,
            [this](int up) { setPanelHeight((up < 0 && m_squeezed ? this->height() : m_height) + up); });
    layout->addWidget(handle);
    buildHeader(layout);
    m_splitter = new QSplitter(Qt::Horizontal, this);
    m_splitter->setHandleWidth(1);
    m_splitter->setChildrenCollapsible(false);
    layout->addWidget(m_splitter, 1);
    buildTable();
    buildDetails();
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({900, 500});
    setPanelHeight(kDefaultHeight);
    m_clock.setInterval(kTickMs);
    connect(&m_clock, &QTimer::timeout, &m_jobs, &JobListModel::tick);
    connect(&m_jobs, &QAbstractItemModel::rowsInserted, this, &JobPanel::refresh);
    connect(&m_jobs, &QAbstractItemModel::rowsRemoved, this, &JobPanel::refresh);
    connect(&m_jobs, &QAbstractItemModel::dataChanged, this, &JobPanel::refresh);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &JobPanel::refresh);
    refresh();
}

void JobPanel::buildHeader(QVBoxLayout* layout)
{
    constexpr int kHeaderHeight = 38;
    auto* header = new QWidget(this);
    header->setFixedHeight(kHeaderHeight);
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(Metrics::kPanel, 0, Metrics::kPanel, 0);
    row->setSpacing(Metrics::kRelated);
    m_title = new SectionLabel(tr("Jobs"), header);
    m_pause = makeButton(QStringLiteral("panelPause"), tr("Pause"), tr("Pause or continue the selected job"), header);
    m_cancel = makeButton(QStringLiteral("panelCancel"), tr("Cancel"), tr("Stop the selected job"), header);
    m_copy = makeButton(QStringLiteral("panelCopyCommand"), tr("Copy as command"),
                        tr("Copy the command that repeats the selected job"), header);
    m_clear = makeButton(QStringLiteral("panelClear"), tr("Clear finished"), tr("Remove finished jobs from the list"),
                         header);
    m_close = new QToolButton(header);
    m_close->setObjectName(QStringLiteral("panelClose"));
    m_close->setText(QStringLiteral("✕"));
    m_close->setToolTip(tr("Close panel"));
    m_close->setAccessibleName(tr("Close the job panel"));
    m_close->setProperty("flat", true);
    m_close->setFocusPolicy(Qt::TabFocus);
    row->addWidget(m_title, 1);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_pause, m_cancel, m_copy, m_clear, m_close})
        row->addWidget(widget);
    layout->addWidget(header);
    connect(m_pause, &QPushButton::clicked, this, [this] {
        if (const JobRecord* job = chosen())
            Q_EMIT pauseRequested(job->id, job->state != JobState::Paused);
    });
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        if (const JobRecord* job = chosen())
            Q_EMIT cancelRequested(job->id);
    });
    connect(m_copy, &QPushButton::clicked, this, [this] {
        if (const JobRecord* job = chosen())
            QApplication::clipboard()->setText(job->commandLine);
    });
    connect(m_clear, &QPushButton::clicked, &m_jobs, &JobListModel::clearEnded);
    connect(m_close, &QToolButton::clicked, this, &JobPanel::closeRequested);
}

void JobPanel::buildTable()
{
    auto* page = new QWidget(m_splitter);
    page->setObjectName(QStringLiteral("canvas"));
    page->setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    m_table = new QTableView(page);
    m_table->setObjectName(QStringLiteral("jobTable"));
    m_table->setAccessibleName(tr("Jobs"));
    m_table->setToolTip(tr("All jobs of this session. Select one to see its log."));
    m_table->setModel(&m_jobs);
    m_table->setItemDelegate(new JobDelegate(m_table));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false); // Tab walks on, arrows walk inside
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(Metrics::kControl);
    QHeaderView* header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setStretchLastSection(false);
    header->setMinimumSectionSize(48);
    header->setSectionResizeMode(QHeaderView::Interactive);
    header->setSectionResizeMode(JobListModel::Title, QHeaderView::Stretch);
    for (const auto& [column, width] : kWidths)
        header->resizeSection(column, width);
    m_table->viewport()->installEventFilter(this);
    m_empty = makeMutedLabel(tr("Running and finished jobs appear here."), page);
    m_empty->setWordWrap(true);
    m_empty->setContentsMargins(Metrics::kPanel, Metrics::kPanel, Metrics::kPanel, Metrics::kPanel);
    layout->addWidget(m_empty, 0, Qt::AlignTop);
    layout->addWidget(m_table);
    m_splitter->addWidget(page);
}

void JobPanel::buildDetails()
{
    constexpr int kMinWidth = 240;
    auto* page = new QWidget;
    page->setObjectName(QStringLiteral("canvas"));
    page->setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(Metrics::kPanel, Metrics::kGrid, Metrics::kPanel, Metrics::kGrid);
    layout->setSpacing(Metrics::kGrid);
    m_heading = new ElidedLabel({}, page);
    m_heading->setFont(Theme::bodyFont(true));
    m_facts = makeMutedLabel({}, page);
    m_facts->setObjectName(QStringLiteral("jobFacts"));
    m_facts->setFont(Theme::smallFont());
    m_facts->setWordWrap(true);
    m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_error = new QLabel(page);
    m_error->setObjectName(QStringLiteral("jobError"));
    m_error->setProperty("role", QStringLiteral("warning"));
    m_error->setTextFormat(Qt::PlainText);
    m_error->setWordWrap(true);
    m_error->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_commandLine = new ElidedLabel({}, page);
    m_commandLine->setObjectName(QStringLiteral("jobCommandLine"));
    m_commandLine->setProperty("role", QStringLiteral("muted"));
    m_commandLine->setFont(Theme::monoFont());
    m_jobLog = makeLog(QStringLiteral("jobLog"), tr("Log of the selected job"), page);
    m_jobLog->setPlaceholderText(tr("This job has no log."));
    m_log = makeLog(QStringLiteral("log"), tr("Log"), page);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_heading, m_facts, m_error, m_commandLine})
        layout->addWidget(widget);
    layout->addWidget(m_jobLog, 1);
    layout->addWidget(m_log, 1);
    QScrollArea* scroll = makeScrolled(page, m_splitter);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumWidth(kMinWidth);
    m_splitter->addWidget(scroll);
}

void JobPanel::addLog(const QString& lines)
{
    m_log->appendPlainText(lines);
}

QString JobPanel::logText() const
{
    return m_log->toPlainText();
}

void JobPanel::showWholeLog()
{
    m_table->clearSelection();
    m_table->setCurrentIndex({});
}

bool JobPanel::showsWholeLog() const
{
    return chosen() == nullptr;
}

void JobPanel::choose(std::uint64_t id)
{
    if (const QModelIndex index = m_jobs.indexOf(id); index.isValid())
        m_table->selectRow(index.row());
}

const JobRecord* JobPanel::chosen() const
{
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    return rows.isEmpty() ? nullptr : &m_jobs.job(rows.constFirst());
}

void JobPanel::setPanelHeight(int height)
{
    m_height = std::clamp(height, kMinHeight, kMaxHeight);
    m_squeezed = m_squeezed && m_height > this->height();
    // In a low window it gives way: else the window would grow beyond its screen.
    setMinimumHeight(kMinHeight);
    setMaximumHeight(m_height);
    updateGeometry();
}

QSize JobPanel::sizeHint() const
{
    return {QWidget::sizeHint().width(), m_height};
}

bool JobPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_table->viewport() && event->type() == QEvent::Resize)
        fitColumns(static_cast<QResizeEvent*>(event)->size().width());
    return QWidget::eventFilter(watched, event);
}

/// The name of a job comes first: next to it the progress, then rate and time left give up their room.
void JobPanel::fitColumns(int width)
{
    constexpr int kName = 180;
    constexpr int kLeastDone = 130;
    int room = width - kName;
    for (const auto& [column, wanted] : kWidths)
        room -= column == JobListModel::Done ? 0 : wanted;
    const bool isNarrow = room < kLeastDone;
    for (const auto& [column, wanted] : kWidths)
        if (column == JobListModel::Rate || column == JobListModel::TimeLeft)
        {
            m_table->setColumnHidden(column, isNarrow);
            room += isNarrow ? wanted : 0;
        }
    m_table->horizontalHeader()->resizeSection(JobListModel::Done, std::clamp(room, kLeastDone, kDoneWidth));
}

void JobPanel::takeFocus()
{
    m_before = QApplication::focusWidget();
    if (m_jobs.rowCount() == 0)
        return m_close->setFocus(Qt::ShortcutFocusReason);
    if (!m_table->currentIndex().isValid())
        m_table->setCurrentIndex(m_jobs.index(0, 0));
    m_table->setFocus(Qt::ShortcutFocusReason);
}

void JobPanel::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape)
        return QWidget::keyPressEvent(event);
    Q_EMIT closeRequested();
    if (m_before != nullptr && m_before->isVisible())
        m_before->setFocus(Qt::OtherFocusReason);
}

void JobPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_squeezed = height() < m_height;
}

void JobPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void JobPanel::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    refreshClock();
}

void JobPanel::refresh()
{
    refreshClock();
    if (isHidden())
        return;
    const int active = m_jobs.activeCount();
    QStringList counts;
    if (active > 0)
        counts << tr("%1 running").arg(active);
    if (m_jobs.endedCount() > 0)
        counts << tr("%1 ended").arg(m_jobs.endedCount());
    m_title->setDetail(counts.join(QStringLiteral(" · ")));
    const QString summary = counts.isEmpty() ? tr("No jobs") : counts.join(QStringLiteral(", "));
    if (summary != accessibleDescription()) // listeners are told of changes only
        setAccessibleDescription(summary);
    m_empty->setVisible(m_jobs.rowCount() == 0);
    m_table->setVisible(m_jobs.rowCount() > 0);
    const JobRecord* job = chosen();
    refreshButtons(job);
    m_heading->setFullText(job == nullptr ? tr("Log of all jobs") : job->title);
    m_facts->setVisible(job != nullptr);
    m_facts->setText(job == nullptr ? QString() : JobListModel::summary(*job));
    m_error->setVisible(job != nullptr && !job->error.isEmpty());
    m_error->setText(job == nullptr ? QString() : job->error);
    m_commandLine->setVisible(job != nullptr && !job->commandLine.isEmpty());
    m_commandLine->setFullText(job == nullptr ? QString() : job->commandLine);
    refreshLog(job);
}

void JobPanel::refreshButtons(const JobRecord* job)
{
    const bool paused = job != nullptr && job->state == JobState::Paused;
    m_pause->setText(paused ? tr("Continue") : tr("Pause"));
    m_pause->setAccessibleName(m_pause->text());
    m_pause->setEnabled(job != nullptr && job->canPause && (paused || job->state == JobState::Running));
    m_cancel->setEnabled(job != nullptr && isActive(job->state) && job->state != JobState::Stopping);
    m_copy->setEnabled(job != nullptr && !job->commandLine.isEmpty());
    m_clear->setEnabled(m_jobs.endedCount() > 0);
}

void JobPanel::refreshLog(const JobRecord* job)
{
    m_log->setVisible(job == nullptr);
    m_jobLog->setVisible(job != nullptr);
    if (job == nullptr)
        return;
    const std::int64_t fresh = job->logged - m_loggedLines;
    if (m_loggedJob != job->id || fresh > job->log.size())
        m_jobLog->setPlainText(job->log.join(u'\n'));
    else if (fresh > 0)
        m_jobLog->appendPlainText(job->log.mid(job->log.size() - static_cast<qsizetype>(fresh)).join(u'\n'));
    m_loggedJob = job->id;
    m_loggedLines = job->logged;
}

void JobPanel::refreshClock()
{
    const bool wanted = isVisible() && m_jobs.activeCount() > 0;
    if (wanted == m_clock.isActive())
        return;
    if (wanted)
        m_clock.start();
    else
        m_clock.stop();
}

} // namespace headscope::ui

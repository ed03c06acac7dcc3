// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/probe_view.h"

#include "ui/models/probe_table_model.h"
#include "ui/plots/recall_chart.h"
#include "ui/theme/theme.h"
#include "ui/widgets.h"
#include "ui/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLocale>
#include <QPushButton>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>

namespace headscope::ui
{

ProbeView::ProbeView(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* pages = new QWidget(this);
    m_stack = new QStackedLayout(pages);
    m_empty = new EmptyState(pages);
    m_page = new QWidget(pages);
    m_page->setObjectName(QStringLiteral("canvas"));
    m_page->setAttribute(Qt::WA_StyledBackground);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_page);
    layout->addWidget(pages, 1);
    buildPage(m_page);

    auto* bar = new QFrame(this);
    bar->setObjectName(QStringLiteral("bar"));
    bar->setFixedHeight(42);
    m_bar = bar;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(Metrics::kPanel, 0, Metrics::kPanel, 0);
    row->setSpacing(Metrics::kRelated);
    m_train = new QPushButton(tr("Train again"), bar);
    m_train->setObjectName(QStringLiteral("probeTrain"));
    m_split = new QComboBox(bar);
    m_split->setObjectName(QStringLiteral("probeSplit"));
    m_split->setAccessibleName(tr("How the rows are divided"));
    m_split->addItem(tr("Split: documents"));
    m_split->addItem(tr("Split: rows (as the paper)"));
    m_split->setToolTip(
        tr("Documents: all heads of a document train, or all test.\nRows: head vectors at random, so one "
           "document’s heads fall on both sides."));
    m_note = makeMutedLabel({}, bar);
    row->addWidget(m_train);
    row->addWidget(m_split);
    row->addStretch(1);
    row->addWidget(m_note);
    layout->addWidget(bar);
    connect(m_train, &QPushButton::clicked, this, &ProbeView::trainRequested);
    connect(m_empty, &EmptyState::actionRequested, this, &ProbeView::emptyActionRequested);
    setResults({}, {});
}

void ProbeView::buildPage(QWidget* page)
{
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(20, Metrics::kGroups, 20, Metrics::kGroups);
    layout->setSpacing(Metrics::kRelated);
    layout->addWidget(makeSectionLabel(tr("Which head is it? One probe per stage"), page));
    m_model = new ProbeTableModel(this);
    m_table = new QTableView(page);
    m_table->setObjectName(QStringLiteral("probeTable"));
    m_table->setAccessibleName(tr("Probe results"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(32);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(ProbeTableModel::StageColumn, QHeaderView::Stretch);
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    layout->addWidget(m_table);
    layout->addSpacing(Metrics::kGroups);
    m_chartTitle = new SectionLabel({}, page);
    layout->addWidget(m_chartTitle);
    m_chart = new RecallChart(page);
    constexpr int kChartHeight = 320;
    m_chart->setMaximumHeight(kChartHeight);
    layout->addWidget(m_chart, 4);
    layout->addStretch(1);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) { showRow(current.row()); });
}

void ProbeView::setResults(std::vector<std::shared_ptr<const ProbeResult>> results, const viz::HeadPalette& palette)
{
    const bool any = !results.empty();
    m_palette = palette;
    m_bar->setVisible(any);
    m_stack->setCurrentWidget(any ? m_page : static_cast<QWidget*>(m_empty));
    m_model->setResults(std::move(results));
    constexpr int kHeader = 30;
    constexpr int kRow = 32;
    m_table->setFixedHeight(kHeader + kRow * m_model->rowCount());
    if (!any)
        return;
    const auto& options = m_model->results().front()->options;
    m_note->setText(tr("C = %1 · L2 · seed %2").arg(QLocale().toString(options.c, 'g', 4)).arg(options.seed));
    m_split->setCurrentIndex(options.split == ProbeSplit::Documents ? 0 : 1);
    m_table->selectRow(0);
    showRow(0);
}

void ProbeView::setEmpty(const QString& title, const QString& text, const QString& action, bool isError)
{
    m_empty->setMessage(title, text, action, isError);
}

ProbeSplit ProbeView::split() const
{
    return m_split->currentIndex() == 1 ? ProbeSplit::Rows : ProbeSplit::Documents;
}

void ProbeView::showRow(int row)
{
    if (row < 0 || row >= m_model->rowCount())
        return;
    const auto& result = m_model->results()[static_cast<std::size_t>(row)];
    m_chart->setResult(result, m_palette);
    m_chartTitle->setTitle(m_chart->title());
    m_chartTitle->setDetail(
        result->stage ? tr("stage %1 · dashed: accuracy of all").arg(toQString(stageName(*result->stage))) : QString());
}

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/probe/probe_charts.h"

#include "model/data/key_sharing.h"
#include "model/data/results/probe_frame.h"
#include "ui/canvas/picture_widget.h"
#include "ui/charts/recall_chart.h"
#include "ui/charts/sweep_chart.h"
#include "ui/models/probe_baseline_model.h"
#include "ui/models/roles.h"
#include "ui/state/bind_controls.h"
#include "ui/theme/theme.h"
#include "ui/view/view_pages.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"
#include "ui/widgets/wrapped_header.h"
#include "ui/words/wording.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace headscope::ui
{

namespace
{

enum ScoreColumn
{
    HeadColumn,
    GroupColumn,
    PrecisionColumn,
    RecallColumn,
    F1Column,
    TakenForColumn,
};

/// The other class that most rows of this one were given, and how many; -1 where there was none.
std::pair<std::int64_t, std::int64_t> takenFor(const ProbeResult& result, std::int64_t row)
{
    std::pair<std::int64_t, std::int64_t> most{-1, 0};
    if (row >= result.confusion.rows())
        return most;
    const auto counts = result.confusion.row(row);
    for (std::size_t other = 0; other < counts.size(); ++other)
        if (static_cast<std::int64_t>(other) != row && counts[other] > most.second)
            most = {static_cast<std::int64_t>(other), counts[other]};
    return most;
}

} // namespace

void dressProbeTable(QTableView* table)
{
    table->setHorizontalHeader(new WrappedHeader(table));
    dressTable(table);
    table->setSortingEnabled(true);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->setIconSize({8, 8});
}

ProbeCharts::ProbeCharts(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, Metrics::kRelated, Metrics::kRelated, 0);
    layout->setSpacing(Metrics::kGrid);
    auto* head = new WrapRow;
    head->setSpacing(2);
    m_title = new SectionLabel({}, this);
    head->addWidget(m_title, 1);
    buildButtons();
    head->addWidget(m_fromZero);
    head->addWidget(makeTogether(
        {m_pageButtons->button(0), m_pageButtons->button(1), m_pageButtons->button(2), m_pageButtons->button(3)}, 2,
        this));
    layout->addLayout(head);
    buildPages();
    layout->addWidget(m_pages, 1);
    connect(m_fromZero, &QToolButton::toggled, this, [this](bool on) {
        m_sweep->picture().setFromZero(on);
        refreshKey();
    });
    connect(m_pageButtons, &QButtonGroup::idClicked, this,
            [this](int chosen) { choosePage(static_cast<Page>(chosen)); });
}

void ProbeCharts::buildButtons()
{
    m_fromZero = new QToolButton(this);
    m_fromZero->setObjectName(QStringLiteral("sweepFromZero"));
    m_fromZero->setText(tr("From 0"));
    m_fromZero->setToolTip(tr("Start the axis at 0, so that chance is visible"));
    m_fromZero->setAccessibleName(tr("Start accuracy axis at 0"));
    m_fromZero->setCheckable(true);
    m_fromZero->setProperty("flat", true);
    m_fromZero->setFocusPolicy(Qt::TabFocus);
    m_pageButtons = new QButtonGroup(this);
    const std::pair<QString, QString> names[] = {
        {tr("Layers"), tr("Accuracy by layer, one curve per stage")},
        {tr("Recall"), tr("Recall of each head or segment, in its colour")},
        {tr("Scores"), tr("Precision, recall and F1 of each head or segment as a table")},
        {tr("Baselines"),
         tr("Accuracy of baselines: chance, noise, a random partition, a control task, other splits")}};
    int id = 0;
    for (const auto& [name, tip] : names)
    {
        const QByteArray called = QByteArrayLiteral("probePage") + QByteArray::number(id);
        m_pageButtons->addButton(makePageButton(called.constData(), name, tip, this), id++);
    }
    stopAtChecked(m_pageButtons);
}

void ProbeCharts::bindTo(ViewState& state)
{
    bind(state, QStringLiteral("sweepFromZero"), *m_fromZero);
    for (int page = 0; page < m_pages->count(); ++page)
        bind(state, QStringLiteral("probePage%1").arg(page), *m_pageButtons->button(page));
    bind(state, QStringLiteral("probeScores"), *m_scoreTable);
}

void ProbeCharts::buildPages()
{
    m_pages = new QStackedWidget(this);
    m_recall = new PictureOf<RecallChart>(m_pages);
    buildScores();
    m_pages->addWidget(buildSweep());
    m_pages->addWidget(m_recall);
    m_pages->addWidget(m_scoreTable);
    m_pages->addWidget(buildBaselines());
}

QWidget* ProbeCharts::buildSweep()
{
    auto* page = new QWidget(m_pages);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    m_sweepKey = new QLabel(page);
    m_sweepKey->setObjectName(QStringLiteral("sweepKey"));
    m_sweepKey->setTextFormat(Qt::RichText);
    m_sweepKey->setWordWrap(true);
    m_sweepKey->setFont(Theme::smallFont());
    m_sweep = new PictureOf<SweepChart>(page);
    layout->addWidget(m_sweepKey);
    layout->addWidget(m_sweep, 1);
    onThemeChange(this, [this] { refreshKey(); });
    return page;
}

void ProbeCharts::refreshKey()
{
    m_sweepKey->setText(m_sweep->picture().key());
}

void ProbeCharts::setSweep(const std::vector<ProbeRow>& rows, std::int64_t layers, const std::set<std::int64_t>& held,
                           std::optional<std::int64_t> finalNorm)
{
    m_sweep->picture().setFinalNorm(finalNorm);
    m_sweep->picture().setRows(rows, layers, held);
    refreshKey();
}

void ProbeCharts::buildScores()
{
    m_scores = new FrameModel(
        {{"head"},
         {"group", Facet::Value, tr("KV")},
         {"precision"},
         {"recall"},
         {"f1"},
         {{},
          Facet::Value,
          tr("Most often confused with"),
          tr("The class that vectors of this class are most often misclassified as, and how often")}},
        [this](int row, int column, int role) { return scoreExtra(row, column, role); }, this);
    m_scoreTable = new QTableView(m_pages);
    m_scoreTable->setObjectName(QStringLiteral("probeScores"));
    m_scoreTable->setAccessibleName(tr("Scores of each head or segment"));
    m_scoreTable->setModel(new FrameOrder(m_scores, this));
    dressProbeTable(m_scoreTable);
    m_scoreTable->sortByColumn(HeadColumn, Qt::AscendingOrder);
    m_scoreTable->horizontalHeader()->setSectionResizeMode(TakenForColumn, QHeaderView::Stretch);
}

void ProbeCharts::refreshScores()
{
    const bool isGrouped = m_result->stage && hasKvGroups(m_info, *m_result->stage);
    Frame frame = probedHeadsFrame(*m_result);
    if (isGrouped)
        frame.add("group", columnValues(m_result->perHead, [this](const HeadScore& score) {
                      return m_info.groupOf(HeadIndex(score.head)).value() + 1;
                  }));
    m_scores->setFrame(std::move(frame));
    m_scores->setTitle(HeadColumn, unitTitle(m_result->stage.value_or(Stage::HeadOutput)));
    m_scoreTable->setColumnHidden(GroupColumn, !isGrouped);
}

QVariant ProbeCharts::scoreExtra(int row, int column, int role) const
{
    const HeadIndex head(m_result->perHead[static_cast<std::size_t>(row)].head);
    if (column == HeadColumn && role == Qt::DecorationRole)
        return m_palette.color(head);
    if (column == HeadColumn && role == Qt::DisplayRole)
        return unitText(m_result->stage.value_or(Stage::HeadOutput), head);
    if (column == GroupColumn && role == Qt::DisplayRole)
        return viz::groupName(m_info.groupOf(head), m_info.groupSize());
    if (column != TakenForColumn || (role != Qt::DisplayRole && role != SortRole))
        return {};
    const auto [other, count] = takenFor(*m_result, row);
    if (role == SortRole)
        return static_cast<double>(count);
    if (other < 0)
        return {};
    const HeadIndex name(m_result->perHead[static_cast<std::size_t>(other)].head);
    return tr("%1  (%2 vectors)").arg(shownNumber(name)).arg(countText(count));
}

QWidget* ProbeCharts::buildBaselines()
{
    auto* page = new QWidget(m_pages);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kGrid);
    m_baselines = new ProbeBaselineModel(this);
    auto* table = new QTableView(page);
    table->setObjectName(QStringLiteral("probeBaselines"));
    table->setAccessibleName(tr("What the accuracy is compared with"));
    table->setModel(m_baselines);
    dressTable(table);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setSectionResizeMode(ProbeBaselineModel::NameColumn, QHeaderView::Stretch);
    m_baselineNote = makeMutedLabel({}, page);
    m_baselineNote->setObjectName(QStringLiteral("probeBaselineNote"));
    m_baselineNote->setWordWrap(true);
    m_baselineNote->setFont(Theme::smallFont());
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
        m_baselineNote->setText(row.isValid() ? row.data(Qt::ToolTipRole).toString() : m_baselineText);
    });
    layout->addWidget(table, 1);
    layout->addWidget(m_baselineNote);
    return page;
}

ProbeCharts::Page ProbeCharts::page() const
{
    return static_cast<Page>(m_pages->currentIndex());
}

void ProbeCharts::setPage(Page page)
{
    auto* button = m_pageButtons->button(static_cast<int>(page));
    if (button->isChecked() && m_pages->currentIndex() == static_cast<int>(page))
        return;
    m_pages->setCurrentIndex(static_cast<int>(page));
    m_fromZero->setVisible(page == Page::Sweep);
    button->setChecked(true);
    Q_EMIT pageChanged();
}

void ProbeCharts::choosePage(Page page)
{
    m_pageChosen = true;
    setPage(page);
}

void ProbeCharts::proposePage(Page page)
{
    if (!m_pageChosen)
        setPage(page);
}

void ProbeCharts::clear(const viz::HeadPalette& palette)
{
    m_sweep->picture().setShown({});
    m_recall->picture().setResult(nullptr, palette);
    m_scores->clear();
    m_baselines->setResult(nullptr);
}

void ProbeCharts::setRow(const ProbeRow& row, const ModelInfo& info, const viz::HeadPalette& palette,
                         std::optional<ProbeTableModel::Place> place)
{
    m_recall->picture().setResult(row.result, palette);
    m_result = row.result;
    m_info = info;
    m_palette = palette;
    refreshScores();
    m_sweep->picture().setShown(place);
    m_baselines->setResult(row.result);
    m_baselineText =
        row.result->baselines
            ? tr("The same probe on other vectors, labels or documents. Select a row to read its description.")
        : !row.result->noBaselines.empty()
            ? tr("Baselines are not possible for these vectors: %1.").arg(toQString(row.result->noBaselines))
            : tr("No baselines: documents × heads × dimensions exceed 1,000,000. Train fewer probes at a time, run "
                 "headscope probe --baselines on, or train again if the probe is from an earlier version.");
    m_baselineNote->setText(m_baselineText);
    switch (page())
    {
    case Page::Sweep:
        m_title->setTitle(tr("Accuracy by layer"));
        break;
    case Page::Recall:
        m_title->setTitle(m_recall->picture().title());
        break;
    case Page::Scores:
        m_title->setTitle(tr("Scores per %1").arg(unitText(row.result->stage.value_or(Stage::HeadOutput))));
        break;
    case Page::Baselines:
        m_title->setTitle(tr("Compared with"));
        break;
    }
}

} // namespace headscope::ui

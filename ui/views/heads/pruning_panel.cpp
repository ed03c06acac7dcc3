// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/heads/pruning_panel.h"

#include "model/data/key_sharing.h"
#include "ui/models/rank_table_model.h"
#include "ui/models/roles.h"
#include "ui/theme/theme.h"
#include "ui/views/view_pages.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kOrderHeight = 120; ///< of the curve or the table, at least

RankCell countCell(std::int64_t count)
{
    return {countText(count), static_cast<double>(count)};
}

} // namespace

PruningPanel::PruningPanel(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kGrid);
    auto* top = new QHBoxLayout;
    top->setSpacing(Metrics::kGrid);
    top->addWidget(makeMutedLabel(tr("Greedy order by match at 5"), this), 1);
    auto* group = new QButtonGroup(this);
    const auto page = [&](const char* name, const QString& text, const QString& tip) {
        QToolButton* button = makePageButton(name, text, tip, this);
        group->addButton(button);
        top->addWidget(button);
        return button;
    };
    m_asCurve = page("orderCurve", tr("Curve"), tr("The match after each step"));
    m_asTable = page("orderTable", tr("Table"), tr("Every step: what goes, and what is left then"));
    m_asCurve->setChecked(true);
    layout->addLayout(top);
    m_unit = new QComboBox(this);
    m_unit->setObjectName(QStringLiteral("maskUnit"));
    m_unit->setAccessibleName(tr("What goes at each step"));
    m_unit->setToolTip(tr("Heads one by one, or whole KV groups"));
    m_unit->addItem(tr("by head"));
    m_unit->addItem(tr("by KV group"));
    layout->addWidget(m_unit, 0, Qt::AlignLeft);
    buildPages();
    layout->addWidget(m_pages, 1);
    connect(m_asTable, &QToolButton::toggled, this, &PruningPanel::setTableShown);
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
        Q_EMIT stepClicked(index.data(RankTableModel::kKeyRole).toLongLong());
    });
    connect(m_unit, &QComboBox::currentIndexChanged, this, &PruningPanel::unitChanged);
    connect(m_curve, &PruningCurve::stepClicked, this, &PruningPanel::stepClicked);
    setModel(m_info, m_stage);
}

void PruningPanel::buildPages()
{
    m_pages = new QStackedWidget(this);
    m_pages->setMinimumHeight(kOrderHeight);
    m_curve = new PruningCurve(m_pages);
    m_model = new RankTableModel(this);
    auto* sorted = new QSortFilterProxyModel(this);
    sorted->setSourceModel(m_model);
    sorted->setSortRole(SortRole);
    m_table = new QTableView(m_pages);
    m_table->setObjectName(QStringLiteral("pruningTable"));
    m_table->setAccessibleName(tr("Greedy order, step by step"));
    m_table->setAccessibleDescription(tr("Return switches off what is off after the step"));
    m_table->setModel(sorted);
    dressTable(m_table);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(0, Qt::AscendingOrder);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_pages->addWidget(m_curve);
    m_pages->addWidget(m_table);
}

void PruningPanel::setModel(const ModelInfo& info, Stage stage)
{
    m_info = info;
    m_stage = stage;
    {
        const QSignalBlocker quiet(m_unit);
        m_unit->setCurrentIndex(0);
    }
    m_unit->setVisible(hasKvGroups(m_info, m_stage));
    m_curve->setAccessibleName(tr("Greedy order of %1").arg(unitsText(m_stage)));
}

PruningCurve::Saves PruningPanel::saves() const
{
    if (unitName(m_stage) != "head")
        return PruningCurve::Saves::Nothing;
    return keepsCache(m_info) ? PruningCurve::Saves::ParametersAndCache : PruningCurve::Saves::Parameters;
}

void PruningPanel::setSteps(std::vector<PruningStep> steps, bool groups)
{
    m_groups = groups;
    m_curve->setSteps(std::move(steps), groups ? tr("KV group") : unitText(m_stage), saves());
    refreshTable();
}

void PruningPanel::refreshTable()
{
    using Saves = PruningCurve::Saves;
    std::vector<RankColumn> columns = {
        {tr("Step"), tr("How many are off then")},
        {m_groups ? tr("KV group") : unitTitle(m_stage), tr("What goes at this step")},
        {tr("Match at 5"), tr("Documents whose own topic is among the 5 nearest, after the step")},
        {tr("Change"), tr("Against all of them, in per cent points")}};
    if (saves() != Saves::Nothing)
        columns.push_back({tr("Parameters"), tr("Of this layer’s attention, saved so far")});
    if (saves() == Saves::ParametersAndCache)
        columns.push_back({tr("Cache"), tr("Bytes of the cache of keys and values a token, saved so far")});
    std::vector<std::vector<RankCell>> rows;
    std::vector<std::int64_t> keys;
    const std::vector<PruningStep>& steps = m_curve->steps();
    for (std::size_t at = 1; at < steps.size(); ++at)
    {
        const PruningStep& step = steps[at];
        const double change = step.value - steps.front().value;
        const QString signedChange =
            QString(change > 0 ? QStringLiteral("+") : QString()) % QLocale().toString(100 * change, 'f', 1);
        std::vector<RankCell> row = {countCell(static_cast<std::int64_t>(at)),
                                     countCell(step.unit + 1),
                                     {percentText(step.value), step.value},
                                     {signedChange, change}};
        if (saves() != Saves::Nothing)
            row.push_back(countCell(step.parametersSaved));
        if (saves() == Saves::ParametersAndCache)
            row.push_back(countCell(step.kvBytesSaved));
        rows.push_back(std::move(row));
        keys.push_back(static_cast<std::int64_t>(at));
    }
    m_model->setRows(std::move(columns), std::move(rows), std::move(keys));
}

void PruningPanel::setCurrentStep(std::optional<std::int64_t> off)
{
    m_curve->setCurrent(off);
}

void PruningPanel::setTableShown(bool shown)
{
    m_pages->setCurrentIndex(shown ? 1 : 0);
    (shown ? m_asTable : m_asCurve)->setChecked(true);
}

bool PruningPanel::isTableShown() const
{
    return m_pages->currentIndex() == 1;
}

bool PruningPanel::byGroups() const
{
    return m_unit->currentIndex() == 1;
}

} // namespace headscope::ui

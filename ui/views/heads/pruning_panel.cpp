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

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kOrderHeight = 120; ///< of the curve or the table, at least

RankCell countCell(std::optional<std::int64_t> count)
{
    return count ? RankCell{countText(*count), static_cast<double>(*count)} : RankCell{QStringLiteral("–"), 0};
}

} // namespace

PruningPanel::PruningPanel(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kGrid);
    auto* top = new QHBoxLayout;
    top->setSpacing(Metrics::kGrid);
    m_title = makeMutedLabel(tr("Greedy order by match at 5"), this);
    m_title->setToolTip(tr("Each step takes away the one without which match at 5 of the vectors that stay is largest. "
                           "The model is not run without it. All documents choose the order and judge it: its values "
                           "are too good, and “other half” tells by how much."));
    top->addWidget(m_title, 1);
    auto* group = new QButtonGroup(this);
    const auto page = [&](const char* name, const QString& text, const QString& tip) {
        QToolButton* button = makePageButton(name, text, tip, this);
        group->addButton(button);
        top->addWidget(button);
        return button;
    };
    m_asCurve = page("orderCurve", tr("Curve"), tr("The match after each step"));
    m_asTable = page("orderTable", tr("Table"), tr("Every step: what goes, and what is left then"));
    m_asAlone = page("orderAlone", tr("Each alone"), tr("Match at 5 without each of them, all others staying"));
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
    m_sentence = makeMutedLabel({}, this);
    m_sentence->setObjectName(QStringLiteral("pruningSentence"));
    m_sentence->setFont(Theme::smallFont());
    m_sentence->setWordWrap(true);
    layout->addWidget(m_sentence);
    connect(m_asCurve, &QToolButton::clicked, this, [this] { setPage(Page::Curve); });
    connect(m_asTable, &QToolButton::clicked, this, [this] { setPage(Page::Table); });
    connect(m_asAlone, &QToolButton::clicked, this, [this] { setPage(Page::Alone); });
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
    m_table = makeTable("pruningTable", tr("Greedy order, step by step"), m_model);
    m_table->setAccessibleDescription(tr("Return switches off what is off after the step"));
    m_aloneModel = new RankTableModel(this);
    m_aloneTable = makeTable("aloneTable", tr("Each taken away alone"), m_aloneModel);
    m_pages->addWidget(m_curve);
    m_pages->addWidget(m_table);
    m_pages->addWidget(m_aloneTable);
}

QTableView* PruningPanel::makeTable(const char* name, const QString& title, RankTableModel* model)
{
    auto* sorted = new QSortFilterProxyModel(this);
    sorted->setSourceModel(model);
    sorted->setSortRole(SortRole);
    auto* table = new QTableView(m_pages);
    table->setObjectName(QLatin1StringView(name));
    table->setAccessibleName(title);
    table->setModel(sorted);
    dressTable(table);
    table->setSortingEnabled(true);
    table->sortByColumn(0, Qt::AscendingOrder);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    return table;
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

void PruningPanel::setFindings(PruningFindings findings, bool groups)
{
    m_groups = groups;
    m_findings = std::move(findings);
    m_curve->setSteps(m_findings.steps, groups ? tr("KV group") : unitText(m_stage), saves());
    m_curve->setValidation(m_findings.validation);
    m_curve->setToolTip(m_curve->legendText());
    refreshTable();
    refreshAlone();
    refreshSentence();
}

void PruningPanel::refreshTable()
{
    using Saves = PruningCurve::Saves;
    const PruningValidation& validation = m_findings.validation;
    const bool validated = validation.byKept.size() == m_findings.steps.size() && !validation.isEmpty();
    std::vector<RankColumn> columns = {
        {tr("Step"), tr("How many are off then")},
        {m_groups ? tr("KV group") : unitTitle(m_stage), tr("What goes at this step")},
        {tr("Match at 5"),
         tr("Documents whose own topic is among the 5 nearest, after the step, over the documents that "
            "also chose it")},
        {tr("Change"), tr("Against all of them, in per cent points; the same documents chose the step")}};
    if (validated)
    {
        columns.push_back({tr("Chosen"), tr("Change of orders that half of the documents chose, on that half: mean")});
        columns.push_back({tr("Elsewhere"), tr("Change of the same orders on the other half: mean, and 2.5 to 97.5 % "
                                               "quantiles of %1 halvings, no confidence interval")
                                                .arg(countText(validation.halvings))});
    }
    if (saves() != Saves::Nothing)
        columns.push_back({tr("Parameters"), tr("Of this layer’s attention, saved so far, were they cut out")});
    if (saves() == Saves::ParametersAndCache)
        columns.push_back({tr("Cache"), tr("Bytes of the cache of keys and values a token, saved so far")});
    std::vector<std::vector<RankCell>> rows;
    std::vector<std::int64_t> keys;
    const std::vector<PruningStep>& steps = m_findings.steps;
    for (std::size_t at = 1; at < steps.size(); ++at)
    {
        const PruningStep& step = steps[at];
        const double change = step.value - steps.front().value;
        std::vector<RankCell> row = {countCell(static_cast<std::int64_t>(at)),
                                     countCell(step.unit + 1),
                                     {percentText(step.value), step.value},
                                     {pointsText(change), change}};
        if (validated)
        {
            const HeldOutGain& gain = validation.byKept[validation.byKept.size() - 1 - at];
            row.push_back({pointsText(gain.chosen), gain.chosen});
            row.push_back({pointsText(gain.elsewhere, gain.elsewhereCi95), gain.elsewhere});
        }
        if (saves() != Saves::Nothing)
            row.push_back(countCell(step.parametersSaved));
        if (saves() == Saves::ParametersAndCache)
            row.push_back(countCell(step.kvBytesSaved));
        rows.push_back(std::move(row));
        keys.push_back(static_cast<std::int64_t>(at));
    }
    m_model->setRows(std::move(columns), std::move(rows), std::move(keys));
}

void PruningPanel::refreshAlone()
{
    std::vector<RankColumn> columns = {
        {m_groups ? tr("KV group") : unitTitle(m_stage), tr("What is taken away, all others staying")},
        {tr("Match at 5"), tr("Documents whose own topic is among the 5 nearest without it")},
        {tr("Change, 95 %"), tr("Against all of them, in per cent points; bootstrap over documents, with and without "
                                "it on the same 1,000 resamples")},
        {tr("p"), tr("With and without it exchanged at random, document by document: how often the change is as large "
                     "by chance. No test where fewer than %1 documents change: none could fall below 0.05. Where few "
                     "change, a p near 1 does not show that nothing is lost")
                      .arg(kMinTested)},
        {tr("q"), tr("p after Benjamini-Hochberg over the rows with a p: the expected share of false alarms among "
                     "rows as small, at most")},
        {tr("Changed"), tr("Documents that match with it and not without, or the reverse")}};
    std::vector<std::vector<RankCell>> rows;
    std::vector<std::int64_t> keys;
    constexpr double kBehind = 2; // all p
    const auto number = [](const PairedDifference& one, double value) {
        return std::isfinite(value) ? RankCell{QLocale().toString(value, 'g', 2), value}
                                    : RankCell{one.hasNoTest() ? tr("no test") : QStringLiteral("–"), kBehind};
    };
    for (std::size_t at = 0; at < std::min(m_findings.alone.size(), m_findings.differences.size()); ++at)
    {
        const PruningStep& step = m_findings.alone[at];
        const PairedDifference& one = m_findings.differences[at];
        rows.push_back({countCell(step.unit + 1),
                        {percentText(step.value), step.value},
                        {pointsText(one.difference, one.ci95), one.difference},
                        number(one, one.p),
                        number(one, one.q),
                        countCell(one.changed)});
        keys.push_back(step.unit);
    }
    m_aloneModel->setRows(std::move(columns), std::move(rows), std::move(keys));
}

QString PruningPanel::sentence() const
{
    const PruningValidation& validation = m_findings.validation;
    if (m_findings.steps.empty())
        return {};
    if (m_findings.isCertain)
        return tr("What is measured cannot come out otherwise, whatever %1 stay: there is nothing to test.")
            .arg(m_groups ? tr("KV groups") : unitsText(m_stage));
    if (validation.isEmpty())
        return m_findings.documents > 0 && m_findings.documents < kMinChanged
                   ? tr("%1: too few to choose on one half and to judge on the other.")
                         .arg(countText(m_findings.documents, tr("document"), tr("documents")))
                   : QString();
    return tr("The number that is best where the order is chosen: %1 points there, %2 on the other documents (means "
              "over "
              "%3 halvings of %4; in the bracket their 2.5 and 97.5 % quantiles, no confidence interval).")
        .arg(pointsText(validation.best.chosen), pointsText(validation.best.elsewhere, validation.best.elsewhereCi95),
             countText(validation.halvings), countText(validation.documents, tr("document"), tr("documents")));
}

void PruningPanel::refreshSentence()
{
    m_sentence->setText(sentence());
    m_sentence->setToolTip(
        tr("The documents are halved again and again: one half chooses the order and the number that stays, the other "
           "judges them. %1")
            .arg(m_curve->legendText()));
}

void PruningPanel::setCurrentStep(std::optional<std::int64_t> off)
{
    m_curve->setCurrent(off);
}

void PruningPanel::setPage(Page page)
{
    m_pages->setCurrentIndex(static_cast<int>(page));
    QToolButton* const buttons[] = {m_asCurve, m_asTable, m_asAlone};
    buttons[static_cast<int>(page)]->setChecked(true);
}

PruningPanel::Page PruningPanel::page() const
{
    return static_cast<Page>(m_pages->currentIndex());
}

void PruningPanel::setTableShown(bool shown)
{
    setPage(shown ? Page::Table : Page::Curve);
}

bool PruningPanel::isTableShown() const
{
    return page() == Page::Table;
}

bool PruningPanel::byGroups() const
{
    return m_unit->currentIndex() == 1;
}

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heads/pruning_panel.h"

#include "model/base/fields/fields.h"
#include "model/data/key_sharing.h"
#include "model/data/results/importance_options.h"
#include "model/data/results/prune_frame.h"
#include "ui/models/result_table.h"
#include "ui/state/bind_controls.h"
#include "ui/theme/theme.h"
#include "ui/view/view_pages.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QHeaderView>
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

constexpr const char* kByHead = "heads";
constexpr int kOrderHeight = 120; ///< of the curve or the table, at least

} // namespace

PruningPanel::PruningPanel(QWidget* parent)
    : QWidget(parent), m_units(kByHead),
      m_form([this](Fields& f) { unitsField(f, m_units).keptAs("unit"); }, QStringLiteral("mask"), this)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kGrid);
    auto* top = new QHBoxLayout;
    top->setSpacing(Metrics::kGrid);
    m_title = makeMutedLabel({}, this);
    m_title->setObjectName(QStringLiteral("pruningTitle"));
    top->addWidget(m_title, 1);
    auto* group = new QButtonGroup(this);
    const auto page = [&](const char* name, const QString& text, const QString& tip) {
        QToolButton* button = makePageButton(name, text, tip, this);
        group->addButton(button);
        top->addWidget(button);
        return button;
    };
    m_asCurve = page("orderCurve", tr("Curve"), tr("The match after each step"));
    m_asTable = page("orderTable", tr("Table"), tr("Every step: what is removed, and the match after the removal"));
    m_asAlone = page("orderAlone", tr("Leave one out"), {});
    m_asCurve->setChecked(true);
    stopAtChecked(group);
    layout->addLayout(top);
    layout->addWidget(m_form.makeAlone("units", this), 0, Qt::AlignLeft);
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
    connect(m_table, &QTableView::activated, this,
            [this](const QModelIndex& index) { Q_EMIT stepClicked(frameRow(index) + 1); });
    connect(&m_form, &FieldForm::edited, this, &PruningPanel::unitChanged);
    connect(m_curve, &PictureWidget::itemClicked, this,
            [this](std::size_t step) { Q_EMIT stepClicked(static_cast<std::int64_t>(step)); });
    setModel(m_info, m_stage);
    refreshTitle();
}

void PruningPanel::refreshTitle()
{
    const std::int64_t at = m_findings.matchAt;
    m_title->setText(tr("Greedy order by match at %1").arg(at));
    m_title->setToolTip(tr("Each step removes the head or segment whose removal leaves the highest match at %1. The "
                           "order is optimistically biased; see the held-out half.")
                            .arg(at));
    m_asAlone->setToolTip(tr("Match at %1 without this head or segment, with all others on").arg(at));
}

QString PruningPanel::title() const
{
    return m_title->text();
}

QString PruningPanel::matchTitle() const
{
    return tr("Match at %1").arg(m_findings.matchAt);
}

void PruningPanel::bindTo(ViewState& state)
{
    bind(state, QStringLiteral("orderCurve"), *m_asCurve);
    bind(state, QStringLiteral("orderTable"), *m_asTable);
    bind(state, QStringLiteral("orderAlone"), *m_asAlone);
    m_form.bindTo(state);
    bind(state, QStringLiteral("aloneTable"), *m_aloneTable);
    bind(state, QStringLiteral("pruningTable"), *m_table);
}

void PruningPanel::buildPages()
{
    m_pages = new QStackedWidget(this);
    m_pages->setMinimumHeight(kOrderHeight);
    m_curve = new PictureOf<PruningCurve>(m_pages);
    m_model = new FrameModel({}, {}, this);
    m_table = makeResultTable(m_model, QStringLiteral("pruningTable"), tr("Greedy order, step by step"), m_pages);
    m_table->setAccessibleDescription(tr("Press Return to turn off the heads of this step and of all earlier steps"));
    m_aloneModel = new FrameModel({}, {}, this);
    m_aloneTable = makeResultTable(m_aloneModel, QStringLiteral("aloneTable"), tr("Leave-one-out values"), m_pages);
    m_pages->addWidget(m_curve);
    for (QTableView* table : {m_table, m_aloneTable})
    {
        table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
        m_pages->addWidget(table);
    }
}

void PruningPanel::setModel(const ModelInfo& info, Stage stage)
{
    m_info = info;
    m_stage = stage;
    m_units = kByHead;
    m_form.refresh();
    m_form.editor("units")->setVisible(hasKvGroups(m_info, m_stage));
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
    m_curve->picture().setSteps(m_findings.steps, groups ? tr("KV group") : unitText(m_stage), saves());
    m_curve->picture().setValidation(m_findings.validation);
    m_curve->setToolTip(m_curve->picture().legendText());
    refreshTitle();
    refreshTable();
    refreshAlone();
    refreshSentence();
}

FrameColumn PruningPanel::unitColumn() const
{
    return {"unit", Facet::Value, m_groups ? tr("KV group") : unitTitle(m_stage)};
}

void PruningPanel::refreshTable()
{
    using Saves = PruningCurve::Saves;
    if (m_findings.steps.size() < 2)
        return m_model->clear();
    const PruningValidation& validation = m_findings.validation;
    std::vector<FrameColumn> columns = {{"step"},
                                        unitColumn(),
                                        {"value", Facet::Value, matchTitle(), {}, NumberStyle::Percent},
                                        {"change", Facet::Value, {}, {}, NumberStyle::Points}};
    if (validation.byKept.size() == m_findings.steps.size() && !validation.isEmpty())
        columns.insert(columns.end(), {{"chosen", Facet::Span, {}, {}, NumberStyle::Points},
                                       {"elsewhere", Facet::Span, {}, {}, NumberStyle::Points}});
    if (saves() != Saves::Nothing)
        columns.push_back({"parameters_saved"});
    if (saves() == Saves::ParametersAndCache)
        columns.push_back({"kv_bytes_saved"});
    m_model->setFrame(orderFrame(m_findings, {}), std::move(columns));
}

void PruningPanel::refreshAlone()
{
    if (m_findings.differences.empty())
        return m_aloneModel->clear();
    m_aloneModel->setFrame(
        aloneFrame(m_findings, {}),
        {unitColumn(),
         {"value", Facet::Value, matchTitle(), {}, NumberStyle::Percent},
         {"difference", Facet::Span, {}, {}, NumberStyle::Points},
         {"difference",
          Facet::P,
          {},
          tr("Permutation test: for each document, the values with and without the head are exchanged at random. No p "
             "if fewer than %1 documents change.")
              .arg(kMinTested)},
         {"difference",
          Facet::Q,
          {},
          tr("p adjusted by Benjamini–Hochberg over all rows that have a p. It limits the expected proportion of false "
             "positives.")},
         {"changed"}});
}

QString PruningPanel::sentence() const
{
    const PruningValidation& validation = m_findings.validation;
    if (m_findings.steps.empty())
        return {};
    if (m_findings.isCertain)
        return tr("The match cannot change for any selection of %1, so there is nothing to test.")
            .arg(m_groups ? tr("KV groups") : unitsText(m_stage));
    if (validation.isEmpty())
        return m_findings.documents > 0 && m_findings.documents < kMinChanged
                   ? tr("%1: too few to split into a selection half and a held-out half.")
                         .arg(countText(m_findings.documents, tr("document"), tr("documents")))
                   : QString();
    return tr("The selection half decides how many to keep. This changes the match by %1 pp on the selection half and "
              "by %2 pp on the held-out half. Values are means over %3 halvings of %4; brackets are 2.5% and 97.5% "
              "quantiles, not a confidence interval.")
        .arg(pointsText(validation.best.chosen), pointsText(validation.best.elsewhere, validation.best.elsewhereCi95),
             countText(validation.halvings), countText(validation.documents, tr("document"), tr("documents")));
}

void PruningPanel::refreshSentence()
{
    m_sentence->setText(sentence());
    m_sentence->setToolTip(tr("The documents are split into halves many times. The order and the number to keep are "
                              "selected on one half and evaluated on the other."));
}

void PruningPanel::setCurrentStep(std::optional<std::int64_t> off)
{
    m_curve->picture().setCurrent(off);
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
    return m_units != kByHead;
}

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/retrieval/result_heads.h"

#include "model/data/circuits/contributions_frame.h"
#include "model/data/key_sharing.h"
#include "ui/models/frame_model.h"
#include "ui/models/result_table.h"
#include "ui/models/roles.h"
#include "ui/state/origin_guard.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace headscope::ui
{
namespace
{

enum Column
{
    RankColumn,
    HeadColumn,
    LayerColumn,
    GroupColumn,
    ValueColumn,
    ShareColumn,
    ReverseColumn,
};

/// What a kind of parts adds to the cosine.
double sumOf(const PairContribution& pair, PartKind kind)
{
    double sum = 0;
    for (const PairTerm& term : pair.terms)
        sum += term.part.kind == kind ? term.value : 0;
    return sum;
}

QString sentenceOf(const ContributionsResult& result, const QString& document)
{
    const PairContribution& pair = *result.pair;
    const double heads = sumOf(pair, PartKind::Head);
    const double mlps = sumOf(pair, PartKind::Mlp);
    const QString norms = result.frozen
                              ? ResultHeads::tr("All norms of this encoder are frozen: an approximation.")
                              : ResultHeads::tr("The final norm is frozen: the parts sum to the cosine exactly.");
    return ResultHeads::tr("Cosine of the query and %1: %2 = heads %3, MLPs %4, token and biases %5. %6")
        .arg(document, fixedText(pair.cosine), fixedText(heads), fixedText(mlps), fixedText(pair.cosine - heads - mlps),
             norms);
}

} // namespace

ResultHeads::ResultHeads(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("resultHeads"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kGrid);
    auto* row = new QHBoxLayout;
    row->setSpacing(Metrics::kRelated);
    m_text = makeMutedLabel({}, this);
    m_text->setObjectName(QStringLiteral("resultHeadsText"));
    m_text->setWordWrap(true);
    m_action = new QPushButton(this);
    m_action->setObjectName(QStringLiteral("resultHeadsAction"));
    row->addWidget(m_text, 1);
    row->addWidget(m_action, 0, Qt::AlignTop);
    layout->addLayout(row);
    m_model = new FrameModel(
        {{.key = "rank", .title = tr("Rank"), .tip = tr("Order by the part of the cosine")},
         {.key = "head", .title = tr("Head")},
         {"layer"},
         {.key = "group", .title = tr("Group"), .tip = tr("KV group: heads that share a KV head")},
         {.key = "value", .title = tr("Adds")},
         {.key = "share", .title = tr("Share")},
         {"reverse"}},
        [this](int at, int column, int role) { return extra(at, column, role); }, this);
    m_table = makeResultTable(m_model, QStringLiteral("resultHeadsTable"), tr("What heads add to the cosine"), this);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    layout->addWidget(m_table, 1);
    layout->addStretch(0);
    connect(m_action, &QPushButton::clicked, this, &ResultHeads::actionRequested);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this](const QItemSelection& chosen) {
                if (chosen.isEmpty())
                    return;
                const viz::ItemHead head = headOf(frameRow(chosen.indexes().constFirst()));
                Q_EMIT headClicked(*head.layer, head.head);
            });
    setWaiting({});
}

void ResultHeads::setModel(const ModelInfo& info, const viz::HeadPalette& palette)
{
    m_info = info;
    m_table->setColumnHidden(GroupColumn, !hasKvGroups(info, Stage::HeadOutput));
    setHeadPalette(palette);
}

void ResultHeads::setHeadPalette(const viz::HeadPalette& palette)
{
    m_palette = palette;
    m_model->refresh();
}

void ResultHeads::setResult(const CircuitResultPtr& result, const QString& document)
{
    const ContributionsResult* found = result != nullptr ? result->contributions() : nullptr;
    if (found == nullptr || !found->pair || !OriginGuard::instance().admits(result->origin, "heads of a result"))
        return;
    m_result = result;
    m_terms = headTerms(*found->pair);
    m_model->setFrame(termsFrame(m_terms, found->pair->cosine));
    m_text->setText(sentenceOf(*found, document));
    m_action->hide();
    m_table->show();
}

void ResultHeads::setWaiting(const QString& text, const QString& action)
{
    m_result.reset();
    m_model->clear();
    m_terms.clear();
    m_table->hide();
    m_text->setText(text);
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
}

QString ResultHeads::text() const
{
    return m_text->text();
}

viz::ItemHead ResultHeads::headOf(int row) const
{
    const VectorPart& part = m_terms[static_cast<std::size_t>(row)].part;
    return {LayerIndex(part.layer), HeadIndex(part.head)};
}

std::optional<viz::ItemHead> ResultHeads::headMeant() const
{
    const QModelIndex current = m_table->currentIndex();
    return m_result != nullptr && current.isValid() ? std::optional(headOf(frameRow(current))) : std::nullopt;
}

QVariant ResultHeads::extra(int row, int column, int role) const
{
    if (column == RankColumn && (role == Qt::DisplayRole || role == SortRole))
        return role == SortRole ? QVariant(static_cast<double>(row)) : QVariant(QString::number(row + 1));
    if (column == HeadColumn && role == Qt::DecorationRole)
        return m_palette.color(headOf(row).head);
    if (column == GroupColumn && role == Qt::DisplayRole)
        return QString::number(shownNumber(m_info.groupOf(headOf(row).head)));
    return {};
}

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/ablation/ablation_panel.h"

#include "app/views/ablation/ablation_text.h"
#include "app/views/ablation/importance_text.h"
#include "model/data/head_ranges.h"
#include "ui/models/result_table.h"
#include "ui/state/bind_controls.h"
#include "ui/state/origin_guard.h"
#include "ui/theme/theme.h"
#include "ui/view/view_pages.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"
#include "ui/words/decimal_text.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kTableHeight = 220;

} // namespace

AblationPanel::AblationPanel(QWidget* parent)
    : UnitsPanel(
          QStringLiteral("switchOff"),
          {.title = tr("Full-model ablation"),
           .run = tr("Ablate"),
           .runTip = tr("Run the sampled documents through the model with the listed heads ablated"),
           .running = tr("Ablating heads"),
           .runningText = tr("The documents are being run through the model with these heads ablated. The job strip "
                             "shows the progress."),
           .obstructed = tr("No heads ablated"),
           .empty = tr("No heads ablated"),
           .emptyText =
               tr("Type head numbers above, or highlight heads in any view and use Heads > Ablate in the model.")},
          [this](Fields& f) { fields(f, m_chosen, m_limits); }, parent)
{
    addFields({"layer", "heads", "ablation", "documents"});
    makeControls();
    makeResult(makePage());
    connectControls();
    refresh();
}

void AblationPanel::bindTo(ViewState& state)
{
    form().bindTo(state);
    bind(state, QStringLiteral("switchOffLines"), *m_lines);
    bind(state, QStringLiteral("switchOffTable"), *m_table);
}

void AblationPanel::makeControls()
{
    constexpr int kHeadsWidth = 96;
    form().editor("heads")->setFixedWidth(kHeadsWidth);
    QWidget* row = controlBar();
    m_lines = new QCheckBox(tr("Lines on the map"), row);
    m_lines->setObjectName(QStringLiteral("switchOffLines"));
    m_lines->setChecked(true);
    m_column = new QPushButton(tr("Save cosines as column"), row);
    m_column->setObjectName(QStringLiteral("switchOffColumn"));
    m_column->setToolTip(tr("Add a number column with each document’s cosine with its original vector. Use it to "
                            "colour, sort and filter."));
    m_forget = new QPushButton(tr("Clear"), row);
    m_forget->setObjectName(QStringLiteral("switchOffForget"));
    m_forget->setToolTip(tr("Clear the ablation and remove its lines from the map"));
    controls().addStretch(1);
    for (QWidget* control : std::initializer_list<QWidget*>{m_lines, m_column, m_forget})
        controls().addWidget(control);
}

QWidget* AblationPanel::makeValues(QWidget* parent)
{
    auto* values = new QWidget(parent);
    auto* grid = new QGridLayout(values);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(Metrics::kGroups);
    grid->setVerticalSpacing(Metrics::kGrid);
    grid->addWidget(makeMutedLabel(tr("Full model"), values), 0, 1, Qt::AlignRight);
    grid->addWidget(makeMutedLabel(tr("Cache only"), values), 0, 2, Qt::AlignRight);
    const std::array<QString, kValues> names = {tr("Mean cosine with the original vectors"),
                                                tr("Nearest documents preserved"),
                                                tr("Documents whose nearest neighbour changes")};
    for (int row = 0; row < kValues; ++row)
    {
        m_names[row] = new QLabel(names[static_cast<std::size_t>(row)], values);
        grid->addWidget(m_names[row], row + 1, 0);
        for (QLabel** label : {&m_inModel[row], &m_byCut[row]})
        {
            *label = new QLabel(values);
            (*label)->setFont(Theme::cellFont());
            (*label)->setAccessibleName(
                tr("%1, %2").arg(m_names[row]->text(), label == &m_inModel[row] ? tr("full model") : tr("cache only")));
        }
        grid->addWidget(m_inModel[row], row + 1, 1, Qt::AlignRight);
        grid->addWidget(m_byCut[row], row + 1, 2, Qt::AlignRight);
    }
    grid->setColumnStretch(3, 1);
    return values;
}

void AblationPanel::makeTables(QWidget* page)
{
    m_model = new FrameModel({}, {}, this);
    m_table = makeResultTable(m_model, QStringLiteral("switchOffTable"), tr("Documents after ablation"), page);
    m_table->setAccessibleDescription(tr("One row per document. Click a column header to sort."));
    m_table->sortByColumn(1, Qt::AscendingOrder);
    m_table->setMinimumHeight(kTableHeight);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_nearest = new QTableWidget(page);
    m_nearest->setObjectName(QStringLiteral("switchOffNearest"));
    m_nearest->setAccessibleName(tr("Nearest documents before and after"));
    dressTable(m_nearest);
    m_nearest->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_nearest->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_nearest->setMinimumHeight(kTableHeight);
}

void AblationPanel::makeResult(QWidget* page)
{
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    layout->addWidget(makeValues(page));
    layout->addWidget(legend());
    makeTables(page);
    auto* tables = new QHBoxLayout;
    tables->setSpacing(Metrics::kGroups);
    tables->addWidget(m_table, 1);
    auto* right = new QVBoxLayout;
    right->setSpacing(Metrics::kGrid);
    m_nearestTitle = makeMutedLabel({}, page);
    m_nearestTitle->setWordWrap(true);
    right->addWidget(m_nearestTitle);
    right->addWidget(m_nearest, 1);
    tables->addLayout(right, 1);
    layout->addLayout(tables, 1);
}

void AblationPanel::connectControls()
{
    connect(qobject_cast<QLineEdit*>(form().editor("heads")), &QLineEdit::returnPressed, this, [this] {
        if (runButton()->isEnabled())
            Q_EMIT runRequested();
    });
    connect(m_lines, &QCheckBox::toggled, this, &AblationPanel::linesToggled);
    connect(m_column, &QPushButton::clicked, this, &AblationPanel::columnRequested);
    connect(m_forget, &QPushButton::clicked, this, &AblationPanel::forgetRequested);
    for (const auto signal : {&QTableView::clicked, &QTableView::activated})
        connect(m_table, signal, this, [this](const QModelIndex& index) {
            Q_EMIT documentClicked(DocumentIndex(m_result->documents[static_cast<std::size_t>(frameRow(index))]));
        });
}

void AblationPanel::setModel(const ModelInfo& info, std::shared_ptr<const DocumentSet> documents)
{
    m_info = info;
    m_documents = std::move(documents);
    m_pointed.reset();
    forgetLayer();
    m_limits = {info.layers, m_documents == nullptr ? 0 : m_documents->count()};
    m_chosen.layer = std::clamp<std::int64_t>(m_chosen.layer, 0, std::max<std::int64_t>(0, info.layers - 1));
    m_chosen.heads.clear();
    m_chosen.documents = std::max<std::int64_t>(2, std::min(m_limits.documents, SwitchOffChoices().documents));
    form().refresh();
    setResult(nullptr);
}

void AblationPanel::setHeads(std::optional<std::int64_t> layer, const std::vector<std::int64_t>& heads)
{
    if (layer)
    {
        m_chosen.layer = *layer;
        keepLayer();
    }
    m_chosen.heads = formatHeadRanges(heads);
    form().refresh();
    refresh();
}

std::vector<std::int64_t> AblationPanel::heads() const
{
    if (const QString text = toQString(m_chosen.heads).trimmed(); !text.isEmpty())
        if (auto found = parseHeadRanges(toStdString(text), m_info.heads))
            return *found;
    return {};
}

void AblationPanel::setResult(std::shared_ptr<const SwitchOffResult> result)
{
    if (result != nullptr && !OriginGuard::instance().admits(result->origin, "ablated heads"))
        result = nullptr;
    m_result = std::move(result);
    refresh();
    refreshValues();
    refreshTable();
    refreshNearest();
}

void AblationPanel::setPointed(std::optional<DocumentIndex> document)
{
    if (std::exchange(m_pointed, document) != document)
        refreshNearest();
}

bool AblationPanel::linesShown() const
{
    return m_lines->isChecked();
}

void AblationPanel::refresh()
{
    const bool shown = m_result != nullptr;
    const bool isUnderstood = !heads().empty();
    const bool isWrong = !isUnderstood && !toQString(m_chosen.heads).trimmed().isEmpty();
    const QString fault = isWrong ? tr("Expected heads from 1 to %1, such as 1-3,9").arg(m_info.heads) : QString();
    form().mark("heads", isWrong);
    form().editor("heads")->setAccessibleDescription(fault);
    showState(shown, isUnderstood, shown ? switchOffOfText(*m_result) : fault);
    m_lines->setVisible(shown && m_result->moved.has_value() && !m_result->moved->points.empty());
    m_column->setVisible(shown);
    m_forget->setVisible(shown);
}

void AblationPanel::refreshValues()
{
    const auto write = [](QLabel* const* labels, const VectorChange* change) {
        const QString none = missingText();
        labels[0]->setText(change == nullptr ? none : lossText(ImportanceMeasure::Cosine, change->meanCosine));
        const auto share = [](double value) { return percentText(value); };
        labels[1]->setText(change == nullptr
                               ? none
                               : tr("%1 of %2 (%3 to %4)")
                                     .arg(share(change->meanKept.value), countText(change->k()),
                                          share(change->meanKept.ci95.low), share(change->meanKept.ci95.high)));
        labels[2]->setText(change == nullptr ? none : otherNearestText(*change));
    };
    write(m_inModel, m_result == nullptr ? nullptr : &m_result->inModel);
    write(m_byCut, m_result == nullptr || !m_result->cut ? nullptr : &*m_result->cut);
    legend()->setText(m_result == nullptr ? QString() : switchOffLegend(*m_result));
}

void AblationPanel::refreshTable()
{
    if (m_result == nullptr || m_documents == nullptr)
        return m_model->clear();
    std::vector<FrameColumn> columns = {{"document"}, {"cosine"}, {"kept"}};
    if (m_result->cut)
        columns.insert(columns.end(), {{"cut_cosine"}, {"cut_kept"}});
    m_model->setFrame(changedFrame(*m_result, *m_documents), std::move(columns));
}

QString AblationPanel::nameOf(std::int64_t row) const
{
    if (m_documents == nullptr || row < 0 || row >= m_documents->count())
        return {};
    return toQString(m_documents->ids[static_cast<std::size_t>(row)]);
}

void AblationPanel::refreshNearest()
{
    m_nearest->clear();
    m_nearest->setRowCount(0);
    const auto place = m_result != nullptr && m_pointed ? m_result->placeOf(m_pointed->value()) : std::nullopt;
    if (!place)
    {
        m_nearest->setColumnCount(0);
        m_nearestTitle->setText(
            m_result == nullptr ? QString()
            : m_pointed
                ? tr("The document under the pointer is not in the sample.")
                : tr("Point at a document, or click one in the table, to see its nearest documents before and after."));
        return;
    }
    const VectorChange& model = m_result->inModel;
    const VectorChange* cut = m_result->cut ? &*m_result->cut : nullptr;
    m_nearestTitle->setText(tr("Nearest to %1. ● marks documents that are new among the nearest %2.")
                                .arg(nameOf(m_pointed->value()))
                                .arg(model.k()));
    QStringList titles = {tr("Before"), tr("After (full model)")};
    if (cut != nullptr)
        titles << tr("Before (heads)") << tr("After (cache only)");
    m_nearest->setColumnCount(static_cast<int>(titles.size()));
    m_nearest->setHorizontalHeaderLabels(titles);
    m_nearest->setRowCount(static_cast<int>(model.k()));
    const auto fill = [this, place](int column, const Matrix<std::int64_t>& list, const Matrix<std::int64_t>* before) {
        const auto at = static_cast<std::int64_t>(*place);
        for (std::int64_t rank = 0; rank < list.cols(); ++rank)
        {
            const std::int64_t other = list(at, rank);
            const auto known = before == nullptr ? std::span<const std::int64_t>() : before->row(at);
            const bool isNew = before != nullptr && std::ranges::find(known, other) == known.end();
            const QString name = nameOf(m_result->documents[static_cast<std::size_t>(other)]);
            m_nearest->setItem(static_cast<int>(rank), column,
                               new QTableWidgetItem(isNew ? tr("● %1").arg(name) : name));
        }
    };
    fill(0, model.before, nullptr);
    fill(1, model.after, &model.before);
    if (cut != nullptr)
    {
        fill(2, cut->before, nullptr);
        fill(3, cut->after, &cut->before);
    }
}

QString AblationPanel::valueText(int row, bool inModel) const
{
    return inModel ? m_inModel[row]->text() : m_byCut[row]->text();
}

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/heads/running/ablation_panel.h"

#include "model/data/head_ranges.h"
#include "ui/models/result_table.h"
#include "ui/state/origin_guard.h"
#include "ui/theme/theme.h"
#include "ui/views/heads/running/ablation_text.h"
#include "ui/views/heads/running/importance_text.h"
#include "ui/views/view_pages.h"
#include "ui/widgets/wheel_guard.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
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

QWidget* named(const QString& name, QWidget* control, QWidget* parent)
{
    auto* title = makeMutedLabel(name, parent);
    title->setBuddy(control);
    control->setAccessibleName(name);
    return makeTogether({title, control}, Metrics::kGrid, parent);
}

} // namespace

AblationPanel::AblationPanel(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("switchOffPanel"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    auto* top = new QHBoxLayout;
    top->addWidget(new SectionLabel(tr("Heads switched off in the model"), this));
    m_of = new ElidedLabel({}, this);
    m_of->setObjectName(QStringLiteral("switchOffOf"));
    m_of->setProperty("role", QStringLiteral("muted"));
    top->addWidget(m_of, 1);
    layout->addLayout(top);
    layout->addWidget(makeControls());
    m_pages = new QStackedWidget(this);
    m_empty = new EmptyState(m_pages);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(makeResult());
    layout->addWidget(m_pages, 1);
    connectControls();
    refresh();
}

QWidget* AblationPanel::makeControls()
{
    auto* row = new QWidget(this);
    auto* controls = new WrapRow(row);
    m_layer = new QSpinBox(row);
    m_layer->setObjectName(QStringLiteral("switchOffLayer"));
    m_layer->setToolTip(tr("Layer whose heads are switched off, from 0"));
    m_heads = new QLineEdit(row);
    m_heads->setObjectName(QStringLiteral("switchOffHeads"));
    m_heads->setPlaceholderText(tr("1-3,9"));
    m_heads->setToolTip(tr("Heads that are switched off together, from 1; heads that are marked anywhere in the window "
                           "come here by “Switch off in the model…”"));
    m_heads->setFixedWidth(96);
    m_ablation = new QComboBox(row);
    m_ablation->setObjectName(QStringLiteral("switchOffAblation"));
    m_ablation->addItems({tr("zero"), tr("their mean")});
    m_ablation->setToolTip(tr("What the outputs of these heads are set to, at every token"));
    m_count = new QSpinBox(row);
    m_count->setObjectName(QStringLiteral("switchOffDocuments"));
    m_count->setToolTip(tr("Documents that the model is run over, drawn by the seed of the settings"));
    m_run = new QPushButton(tr("Switch off"), row);
    m_run->setObjectName(QStringLiteral("switchOffRun"));
    m_run->setToolTip(tr("Runs these documents through the model without these heads"));
    m_lines = new QCheckBox(tr("Lines on the map"), row);
    m_lines->setObjectName(QStringLiteral("switchOffLines"));
    m_lines->setChecked(true);
    m_column = new QPushButton(tr("Cosines as a column"), row);
    m_column->setObjectName(QStringLiteral("switchOffColumn"));
    m_column->setToolTip(tr("Makes the cosine of each document to its vector before a number of the documents, to "
                            "colour, sort and filter by"));
    m_forget = new QPushButton(tr("Forget"), row);
    m_forget->setObjectName(QStringLiteral("switchOffForget"));
    m_forget->setToolTip(tr("All heads are on again: takes the lines off the map"));
    for (QWidget* field :
         {static_cast<QWidget*>(m_layer), static_cast<QWidget*>(m_ablation), static_cast<QWidget*>(m_count)})
        new WheelGuard(field);
    controls->addWidget(named(tr("Layer"), m_layer, row));
    controls->addWidget(named(tr("Heads"), m_heads, row));
    controls->addWidget(named(tr("Set to"), m_ablation, row));
    controls->addWidget(named(tr("Documents"), m_count, row));
    controls->addWidget(m_run);
    controls->addStretch(1);
    controls->addWidget(m_lines);
    controls->addWidget(m_column);
    controls->addWidget(m_forget);
    return row;
}

QWidget* AblationPanel::makeValues(QWidget* parent)
{
    auto* values = new QWidget(parent);
    auto* grid = new QGridLayout(values);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(Metrics::kGroups);
    grid->setVerticalSpacing(Metrics::kGrid);
    grid->addWidget(makeMutedLabel(tr("In the model"), values), 0, 1, Qt::AlignRight);
    grid->addWidget(makeMutedLabel(tr("Cut of the cache"), values), 0, 2, Qt::AlignRight);
    const std::array<QString, kValues> names = {tr("Mean cosine to the vectors before"), tr("Nearest ones that stay"),
                                                tr("Documents with another nearest one")};
    for (int row = 0; row < kValues; ++row)
    {
        m_names[row] = new QLabel(names[static_cast<std::size_t>(row)], values);
        grid->addWidget(m_names[row], row + 1, 0);
        for (QLabel** label : {&m_inModel[row], &m_byCut[row]})
        {
            *label = new QLabel(values);
            (*label)->setFont(Theme::cellFont());
            (*label)->setAccessibleName(tr("%1, %2").arg(
                m_names[row]->text(), label == &m_inModel[row] ? tr("in the model") : tr("cut of the cache")));
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
    m_table = makeResultTable(m_model, QStringLiteral("switchOffTable"), tr("Documents with heads switched off"), page);
    m_table->setAccessibleDescription(tr("One row a document; a column’s title sorts by it"));
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

QWidget* AblationPanel::makeResult()
{
    auto* page = new QWidget(m_pages);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    layout->addWidget(makeValues(page));
    m_legend = makeMutedLabel({}, page);
    m_legend->setObjectName(QStringLiteral("switchOffLegend"));
    m_legend->setFont(Theme::smallFont());
    m_legend->setWordWrap(true);
    layout->addWidget(m_legend);
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
    return page;
}

void AblationPanel::connectControls()
{
    connect(m_layer, &QSpinBox::valueChanged, this, [this] { m_layerChosen = true; });
    connect(m_heads, &QLineEdit::textChanged, this, &AblationPanel::refresh);
    connect(m_heads, &QLineEdit::returnPressed, this, [this] {
        if (m_run->isEnabled())
            Q_EMIT switchOffRequested();
    });
    connect(m_run, &QPushButton::clicked, this, &AblationPanel::switchOffRequested);
    connect(m_lines, &QCheckBox::toggled, this, &AblationPanel::linesToggled);
    connect(m_column, &QPushButton::clicked, this, &AblationPanel::columnRequested);
    connect(m_forget, &QPushButton::clicked, this, &AblationPanel::forgetRequested);
    connect(m_empty, &EmptyState::actionRequested, this, &AblationPanel::obstacleActionRequested);
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
    m_layerChosen = false;
    {
        const QSignalBlocker quietLayer(m_layer);
        m_layer->setRange(0, static_cast<int>(std::max<std::int64_t>(0, info.layers - 1)));
        const std::int64_t count = m_documents == nullptr ? 0 : m_documents->count();
        m_count->setRange(2, static_cast<int>(std::max<std::int64_t>(2, count)));
        m_count->setValue(static_cast<int>(std::min(count, kDefaultDocuments)));
        const QSignalBlocker quietHeads(m_heads);
        m_heads->clear();
    }
    setResult(nullptr);
}

void AblationPanel::setLayer(std::int64_t layer)
{
    if (m_layerChosen)
        return;
    const QSignalBlocker quiet(m_layer);
    m_layer->setValue(static_cast<int>(layer));
}

void AblationPanel::setHeads(std::optional<std::int64_t> layer, const std::vector<std::int64_t>& heads)
{
    if (layer)
        m_layer->setValue(static_cast<int>(*layer));
    m_heads->setText(toQString(formatHeadRanges(heads)));
}

SwitchOffChoices AblationPanel::choices() const
{
    SwitchOffChoices chosen{m_layer->value(), {}, m_ablation->currentIndex() == 1, m_count->value()};
    if (const QString text = m_heads->text().trimmed(); !text.isEmpty())
        if (auto heads = parseHeadRanges(text.toStdString(), m_info.heads))
            chosen.heads = std::move(*heads);
    return chosen;
}

void AblationPanel::setObstacle(const QString& text, const QString& action)
{
    m_obstacle = text;
    m_obstacleAction = action;
    refresh();
}

void AblationPanel::setBusy(bool busy)
{
    m_isBusy = busy;
    refresh();
}

void AblationPanel::setProblem(const QString& title, const QString& text)
{
    m_pages->setCurrentIndex(0);
    m_empty->setMessage(title, text, {}, true);
}

void AblationPanel::setResult(std::shared_ptr<const SwitchOffResult> result)
{
    if (result != nullptr && !OriginGuard::instance().admits(result->origin, "heads that are off in the model"))
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
    m_pages->setCurrentIndex(shown ? 1 : 0);
    if (m_isBusy)
        m_empty->setMessage(tr("Switching off"),
                            tr("The documents run through the model without these heads. The strip "
                               "below shows how far it is, and cancels it."));
    else if (!m_obstacle.isEmpty())
        m_empty->setMessage(tr("All heads are on"), m_obstacle, m_obstacleAction);
    else
        m_empty->setMessage(tr("All heads are on"),
                            tr("How documents change when the model really runs without some heads, beside a mere cut "
                               "of the cached vectors, would be here, and as lines on the map. Write the heads above, "
                               "or mark heads anywhere in the window and choose “Switch off in the model…” in the menu "
                               "Heads."));
    const bool understood = !choices().heads.empty();
    m_run->setEnabled(!m_isBusy && m_obstacle.isEmpty() && understood);
    const bool wrong = !m_heads->text().trimmed().isEmpty() && !understood;
    m_heads->setProperty("wrong", wrong);
    m_heads->setAccessibleDescription(wrong ? tr("Expected heads from 1 to %1, such as 1-3,9").arg(m_info.heads)
                                            : QString());
    m_lines->setVisible(shown && m_result->moved.has_value() && !m_result->moved->points.empty());
    m_column->setVisible(shown);
    m_forget->setVisible(shown);
    m_of->setFullText(shown ? switchOffOfText(*m_result) : wrong ? m_heads->accessibleDescription() : QString());
}

void AblationPanel::refreshValues()
{
    const auto write = [](QLabel* const* labels, const VectorChange* change) {
        const QString none = QStringLiteral("–");
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
    m_legend->setText(m_result == nullptr ? QString() : switchOffLegend(*m_result));
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
        m_nearestTitle->setText(m_result == nullptr ? QString()
                                : m_pointed         ? tr("The document under the pointer was not among those drawn.")
                                                    : tr("Point at a document, or click one in the table: its nearest "
                                                                 "ones before and after are listed here."));
        return;
    }
    const VectorChange& model = m_result->inModel;
    const VectorChange* cut = m_result->cut ? &*m_result->cut : nullptr;
    m_nearestTitle->setText(
        tr("Nearest to %1; ● is new among the nearest %2").arg(nameOf(m_pointed->value())).arg(model.k()));
    QStringList titles = {tr("Before"), tr("In the model")};
    if (cut != nullptr)
        titles << tr("Heads before") << tr("Heads cut");
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

QString AblationPanel::ofText() const
{
    return m_of->fullText();
}

QString AblationPanel::legendText() const
{
    return m_legend->text();
}

QString AblationPanel::valueText(int row, bool inModel) const
{
    return inModel ? m_inModel[row]->text() : m_byCut[row]->text();
}

} // namespace headscope::ui

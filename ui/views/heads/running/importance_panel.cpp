// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/heads/running/importance_panel.h"

#include "model/data/key_sharing.h"
#include "model/data/results/importance_frame.h"
#include "ui/models/result_table.h"
#include "ui/state/origin_guard.h"
#include "ui/theme/theme.h"
#include "ui/views/heads/running/importance_plot.h"
#include "ui/views/heads/running/importance_text.h"
#include "ui/views/view_pages.h"
#include "ui/widgets/wheel_guard.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"
#include "ui/widgets/wrapped_header.h"
#include "ui/words/wording.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableView>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kTableHeight = 240;
constexpr int kMinPlot = 220; ///< width that the plot needs beside the whole table, else it stands below
constexpr int kTableBar = 12; ///< of scrolling

/// A control with its name in front of it.
QWidget* named(const QString& name, QWidget* control, QWidget* parent)
{
    auto* title = makeMutedLabel(name, parent);
    title->setBuddy(control);
    control->setAccessibleName(name);
    return makeTogether({title, control}, Metrics::kGrid, parent);
}

/// What is shown of the rows of a measure.
std::vector<FrameColumn> columnsOf(const ImportanceComparison& comparison, ImportanceMeasure measure)
{
    const bool isMatch = measure == ImportanceMeasure::Match;
    const NumberStyle loss = isMatch ? NumberStyle::Points : NumberStyle::Described;
    const bool hasCut = comparison.cutOf(measure) != nullptr;
    std::vector<FrameColumn> columns = {{comparison.inModel.groups ? "group" : "head"}};
    if (hasCut)
        columns.push_back({"cut", Facet::Span, {}, {}, loss});
    columns.push_back({"left_out", Facet::Span, {}, {}, loss});
    if (hasCut)
        columns.push_back({"intervals"});
    for (const char* key : {"alone", "coefficient"})
        columns.push_back({key, Facet::Span, {}, {}, loss});
    columns.push_back(
        {"standard_error", Facet::Value, {}, {}, isMatch ? NumberStyle::PointsSize : NumberStyle::Described});
    columns.push_back({"q", Facet::Value, {}, {}, NumberStyle::Probability});
    columns.push_back({"role"});
    return columns;
}

} // namespace

ImportancePanel::ImportancePanel(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("importancePanel"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    auto* top = new QHBoxLayout;
    m_title = new SectionLabel(tr("What the model loses without each head"), this);
    m_of = new ElidedLabel({}, this);
    m_of->setObjectName(QStringLiteral("importanceOf"));
    m_of->setProperty("role", QStringLiteral("muted"));
    top->addWidget(m_title);
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

QWidget* ImportancePanel::makeControls()
{
    auto* row = new QWidget(this);
    auto* controls = new WrapRow(row);
    m_layer = new QSpinBox(row);
    m_layer->setObjectName(QStringLiteral("importanceLayer"));
    m_layer->setToolTip(tr("Layer whose heads are switched off, from 0"));
    m_units = new QComboBox(row);
    m_units->setObjectName(QStringLiteral("importanceUnits"));
    m_units->addItems({tr("by head"), tr("by KV group")});
    m_units->setToolTip(tr("What is switched off together"));
    m_ablation = new QComboBox(row);
    m_ablation->setObjectName(QStringLiteral("importanceAblation"));
    m_ablation->addItems({tr("zero"), tr("their mean")});
    m_ablation->setToolTip(
        tr("What the outputs of heads that are off are set to, at every token: zero, or each head’s "
           "mean over all tokens of these documents, which leaves the model nearer to the inputs it was trained on"));
    m_documents = new QSpinBox(row);
    m_documents->setObjectName(QStringLiteral("importanceDocuments"));
    m_documents->setToolTip(tr("Documents that the model is run over, drawn by the seed of the settings"));
    m_run = new QPushButton(tr("Measure"), row);
    m_run->setObjectName(QStringLiteral("importanceRun"));
    m_run->setToolTip(tr("Runs the model without each of them, with each alone, and without random sets"));
    m_measure = new QComboBox(row);
    m_measure->setObjectName(QStringLiteral("importanceMeasure"));
    m_measure->setToolTip(tr("Match at 1: how often the document’s own topic is the nearest, topics run through the "
                             "same model. Cosine: of the full vector with that of the whole model"));
    m_save = new QPushButton(tr("Save table…"), row);
    m_save->setObjectName(QStringLiteral("importanceSave"));
    for (QWidget* field :
         {static_cast<QWidget*>(m_layer), static_cast<QWidget*>(m_units), static_cast<QWidget*>(m_ablation),
          static_cast<QWidget*>(m_documents), static_cast<QWidget*>(m_measure)})
        new WheelGuard(field);
    controls->addWidget(named(tr("Layer"), m_layer, row));
    controls->addWidget(named(tr("Switched off"), m_units, row));
    controls->addWidget(named(tr("Set to"), m_ablation, row));
    controls->addWidget(named(tr("Documents"), m_documents, row));
    controls->addWidget(m_run);
    controls->addStretch(1);
    controls->addWidget(named(tr("Shown"), m_measure, row));
    controls->addWidget(m_save);
    return row;
}

QWidget* ImportancePanel::makeResult()
{
    auto* page = new QWidget(m_pages);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    m_beside = new QBoxLayout(QBoxLayout::LeftToRight);
    m_beside->setSpacing(Metrics::kGroups);
    m_model = new FrameModel({}, {}, this);
    m_table = makeResultTable(m_model, QStringLiteral("importanceTable"), tr("What the model loses without each head"),
                              page, new WrappedHeader(page));
    m_table->setAccessibleDescription(tr("One row a head or KV group; a column’s title sorts by it"));
    m_table->setMinimumHeight(kTableHeight);
    m_plot = new ImportancePlot(page);
    m_beside->addWidget(m_table, 8);
    m_beside->addWidget(m_plot, 4);
    layout->addLayout(m_beside, 1);
    m_legend = makeMutedLabel({}, page);
    m_legend->setObjectName(QStringLiteral("importanceLegend"));
    m_legend->setFont(Theme::smallFont());
    m_legend->setWordWrap(true);
    layout->addWidget(m_legend);
    return page;
}

void ImportancePanel::connectControls()
{
    connect(m_layer, &QSpinBox::valueChanged, this, [this] { m_layerChosen = true; });
    connect(m_run, &QPushButton::clicked, this, &ImportancePanel::measureRequested);
    connect(m_save, &QPushButton::clicked, this, &ImportancePanel::saveRequested);
    connect(m_empty, &EmptyState::actionRequested, this, [this] {
        if (m_obstacle.isEmpty())
            Q_EMIT measureRequested();
        else
            Q_EMIT obstacleActionRequested();
    });
    connect(m_measure, &QComboBox::currentIndexChanged, this, [this] {
        refreshTable();
        refreshPlot();
    });
    connect(m_plot, &ImportancePlot::playerClicked, this, &ImportancePanel::clickPlayer);
    for (const auto signal : {&QTableView::clicked, &QTableView::activated})
        connect(m_table, signal, this, [this](const QModelIndex& index) { clickPlayer(frameRow(index)); });
}

void ImportancePanel::setModel(const ModelInfo& info, const viz::HeadPalette& palette, std::int64_t documents)
{
    m_info = info;
    m_palette = palette;
    m_layerChosen = false;
    {
        const QSignalBlocker quietLayer(m_layer);
        m_layer->setRange(0, static_cast<int>(std::max<std::int64_t>(0, info.layers - 1)));
        const QSignalBlocker quietUnits(m_units);
        m_units->setCurrentIndex(0);
        m_documents->setRange(1, static_cast<int>(std::max<std::int64_t>(1, documents)));
        m_documents->setValue(static_cast<int>(std::min(documents, kDefaultDocuments)));
    }
    m_units->parentWidget()->setVisible(hasKvGroups(info, Stage::HeadOutput));
    setComparison(nullptr);
}

void ImportancePanel::setHeadPalette(const viz::HeadPalette& palette)
{
    m_palette = palette;
    refreshPlot();
}

void ImportancePanel::setLayer(std::int64_t layer)
{
    if (m_layerChosen)
        return;
    const QSignalBlocker quiet(m_layer);
    m_layer->setValue(static_cast<int>(layer));
}

ImportanceChoices ImportancePanel::choices() const
{
    return {m_layer->value(), m_units->currentIndex() == 1, m_ablation->currentIndex() == 1, m_documents->value()};
}

void ImportancePanel::setObstacle(const QString& text, const QString& action)
{
    m_obstacle = text;
    m_obstacleAction = action;
    refresh();
}

void ImportancePanel::setBusy(bool busy)
{
    m_isBusy = busy;
    refresh();
}

void ImportancePanel::setProblem(const QString& title, const QString& text)
{
    m_pages->setCurrentIndex(0);
    m_empty->setMessage(title, text, tr("Measure again"), true);
}

void ImportancePanel::setComparison(std::shared_ptr<const ImportanceComparison> comparison)
{
    if (comparison != nullptr && !OriginGuard::instance().admits(comparison->origin, "what is lost without heads"))
        comparison = nullptr;
    m_comparison = std::move(comparison);
    const QSignalBlocker quiet(m_measure);
    m_measure->clear();
    if (m_comparison != nullptr)
    {
        if (m_comparison->inModel.find(ImportanceMeasure::Match) != nullptr)
            m_measure->addItem(tr("Match at 1"), static_cast<int>(ImportanceMeasure::Match));
        m_measure->addItem(tr("Cosine to the whole"), static_cast<int>(ImportanceMeasure::Cosine));
    }
    refresh();
}

ImportanceMeasure ImportancePanel::measure() const
{
    const QVariant current = m_measure->currentData();
    return current.isValid() ? static_cast<ImportanceMeasure>(current.toInt()) : ImportanceMeasure::Cosine;
}

void ImportancePanel::setMeasure(ImportanceMeasure measure)
{
    m_measure->setCurrentIndex(std::max(0, m_measure->findData(static_cast<int>(measure))));
}

QString ImportancePanel::emptyText() const
{
    return tr("What is lost when the model runs without a head, what a head gives alone, and its share in models with "
              "half of the heads off would be here, beside what a mere cut of the cached vectors says. The model is "
              "run over a sample of the documents.");
}

void ImportancePanel::refresh()
{
    const bool shown = m_comparison != nullptr;
    m_pages->setCurrentIndex(shown ? 1 : 0);
    if (m_isBusy)
        m_empty->setMessage(tr("Measuring"), tr("The model runs with sets of heads off. The strip below shows how far "
                                                "it is, and cancels it."));
    else if (!m_obstacle.isEmpty())
        m_empty->setMessage(tr("Not measured"), m_obstacle, m_obstacleAction);
    else
        m_empty->setMessage(tr("Not measured yet"), emptyText(), tr("Measure"));
    m_run->setEnabled(!m_isBusy && m_obstacle.isEmpty());
    m_measure->parentWidget()->setVisible(shown);
    m_save->setVisible(shown);
    m_of->setFullText(shown ? importanceOfText(*m_comparison) : QString());
    refreshTable();
    refreshPlot();
}

void ImportancePanel::refreshTable()
{
    const std::vector<NamedValues> none;
    const std::vector<NamedValues>& measures = m_comparison == nullptr ? none : m_comparison->inModel.measures;
    const auto shown = std::ranges::find(measures, measure(), &NamedValues::measure);
    m_legend->setText(shown == measures.end() ? QString() : importanceLegend(*m_comparison, measure()));
    if (shown == measures.end())
        return m_model->clear();
    m_model->setFrame(playersFrame(m_comparison->inModel, *shown, m_comparison.get()),
                      columnsOf(*m_comparison, measure()));
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->resizeColumnsToContents();
    m_tableWidth = m_table->horizontalHeader()->length() + 2 * m_table->frameWidth() + kTableBar;
    m_table->horizontalHeader()->setStretchLastSection(true);
    arrange();
}

void ImportancePanel::refreshPlot()
{
    m_plot->setComparison(m_comparison, measure(), m_palette);
    m_plot->setVisible(m_plot->dotCount() > 0);
}

void ImportancePanel::clickPlayer(std::int64_t player)
{
    if (m_comparison == nullptr || player < 0 || player >= std::ssize(m_comparison->inModel.players))
        return;
    const std::int64_t unit = m_comparison->inModel.players[static_cast<std::size_t>(player)].unit;
    const std::int64_t size = m_comparison->inModel.groups ? std::max<std::int64_t>(1, m_info.groupSize()) : 1;
    std::vector<std::int64_t> heads;
    for (std::int64_t member = 0; member < size; ++member)
        heads.push_back(unit * size + member);
    Q_EMIT headsClicked(heads);
}

QString ImportancePanel::ofText() const
{
    return m_of->fullText();
}

QString ImportancePanel::legendText() const
{
    return m_legend->text();
}

void ImportancePanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

/// Table and plot beside each other where no column of the table is cut then.
void ImportancePanel::arrange()
{
    const int left = width() - m_beside->spacing() - m_tableWidth;
    const bool areBeside = left >= kMinPlot;
    m_beside->setDirection(areBeside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_beside->setStretch(0, areBeside ? std::max(m_tableWidth, 2 * left) : 2);
    m_beside->setStretch(1, areBeside ? left : 1);
}

} // namespace headscope::ui

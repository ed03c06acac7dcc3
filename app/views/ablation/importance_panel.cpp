// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/ablation/importance_panel.h"

#include "app/views/ablation/importance_plot.h"
#include "app/views/ablation/importance_text.h"
#include "model/data/key_sharing.h"
#include "model/data/results/importance_frame.h"
#include "ui/models/result_table.h"
#include "ui/state/bind_controls.h"
#include "ui/state/origin_guard.h"
#include "ui/theme/theme.h"
#include "ui/view/view_pages.h"
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
    columns.push_back({"standard_error",
                       Facet::Value,
                       QStringLiteral("SE"),
                       {},
                       isMatch ? NumberStyle::PointsSize : NumberStyle::Described});
    columns.push_back({"q", Facet::Value, {}, {}, NumberStyle::Probability});
    columns.push_back({"role"});
    return columns;
}

} // namespace

ImportancePanel::ImportancePanel(QWidget* parent)
    : UnitsPanel(
          QStringLiteral("importance"),
          {.title = tr("Effect of ablating each head"),
           .run = tr("Measure"),
           .runTip = tr("Run the model without each head in turn, with only one head at a time, and without random "
                        "sets of heads"),
           .running = tr("Measuring"),
           .runningText = tr("The model runs with sets of heads ablated. The job strip shows the progress."),
           .obstructed = tr("Not measured"),
           .empty = tr("Not measured yet"),
           .emptyText = tr("Measure how the output changes when each head is ablated. The model runs on a sample of "
                           "the documents."),
           .emptyAction = tr("Measure"),
           .again = tr("Measure again")},
          [this](Fields& f) { fields(f, m_chosen, m_limits); }, parent)
{
    addFields({"layer", "units", "ablation", "documents"});
    makeControls();
    makeResult(makePage());
    connectControls();
    setComparison(nullptr);
}

void ImportancePanel::bindTo(ViewState& state)
{
    form().bindTo(state);
    bind(state, QStringLiteral("importanceMeasure"), *m_measure);
    bind(state, QStringLiteral("importanceTable"), *m_table);
}

void ImportancePanel::makeControls()
{
    m_measure = new QComboBox(controlBar());
    m_measure->setObjectName(QStringLiteral("importanceMeasure"));
    m_measure->setToolTip(tr("Match at 1: how often the nearest topic is the true topic. Cosine: similarity of the "
                             "full vectors with and without ablation."));
    new WheelGuard(m_measure);
    m_save = new QPushButton(tr("Save table…"), controlBar());
    m_save->setObjectName(QStringLiteral("importanceSave"));
    controls().addStretch(1);
    controls().addWidget(makeNamed(tr("Shown"), m_measure, controlBar()));
    controls().addWidget(m_save);
}

void ImportancePanel::makeResult(QWidget* page)
{
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    m_beside = new QBoxLayout(QBoxLayout::LeftToRight);
    m_beside->setSpacing(Metrics::kGroups);
    m_model = new FrameModel({}, {}, this);
    m_table = makeResultTable(m_model, QStringLiteral("importanceTable"), tr("Effect of ablating each head"), page,
                              new WrappedHeader(page));
    m_table->setAccessibleDescription(tr("One row per head or KV group. Click a column header to sort."));
    m_table->setMinimumHeight(kTableHeight);
    m_plot = new PictureOf<ImportancePlot>(page);
    m_beside->addWidget(m_table, 8);
    m_beside->addWidget(m_plot, 4);
    layout->addLayout(m_beside, 1);
    layout->addWidget(legend());
}

void ImportancePanel::connectControls()
{
    connect(m_save, &QPushButton::clicked, this, &ImportancePanel::saveRequested);
    connect(m_measure, &QComboBox::currentIndexChanged, this, [this] {
        refreshTable();
        refreshPlot();
    });
    connect(m_plot, &PictureWidget::itemClicked, this,
            [this](std::size_t dot) { clickPlayer(static_cast<std::int64_t>(m_plot->picture().playerOf(dot))); });
    for (const auto signal : {&QTableView::clicked, &QTableView::activated})
        connect(m_table, signal, this, [this](const QModelIndex& index) { clickPlayer(frameRow(index)); });
}

void ImportancePanel::setModel(const ModelInfo& info, const viz::HeadPalette& palette, std::int64_t documents)
{
    m_info = info;
    m_palette = palette;
    forgetLayer();
    m_limits = {info.layers, documents};
    m_chosen.layer = std::clamp<std::int64_t>(m_chosen.layer, 0, std::max<std::int64_t>(0, info.layers - 1));
    m_chosen.units = ImportanceChoices().units;
    m_chosen.documents = std::max<std::int64_t>(1, std::min(documents, ImportanceChoices().documents));
    form().refresh();
    form().editor("units")->parentWidget()->setVisible(hasKvGroups(info, Stage::HeadOutput));
    setComparison(nullptr);
}

void ImportancePanel::setHeadPalette(const viz::HeadPalette& palette)
{
    m_palette = palette;
    refreshPlot();
}

void ImportancePanel::setComparison(std::shared_ptr<const ImportanceComparison> comparison)
{
    if (comparison != nullptr && !OriginGuard::instance().admits(comparison->origin, "the effect of ablation"))
        comparison = nullptr;
    m_comparison = std::move(comparison);
    const QSignalBlocker quiet(m_measure);
    m_measure->clear();
    if (m_comparison != nullptr)
    {
        if (m_comparison->inModel.find(ImportanceMeasure::Match) != nullptr)
            m_measure->addItem(tr("Match at 1"), static_cast<int>(ImportanceMeasure::Match));
        m_measure->addItem(tr("Cosine with full model"), static_cast<int>(ImportanceMeasure::Cosine));
    }
    refresh();
    refreshTable();
    refreshPlot();
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

void ImportancePanel::refresh()
{
    const bool shown = m_comparison != nullptr;
    showState(shown, true, shown ? importanceOfText(*m_comparison) : QString());
    m_measure->parentWidget()->setVisible(shown);
    m_save->setVisible(shown);
}

void ImportancePanel::refreshTable()
{
    const std::vector<NamedValues> none;
    const std::vector<NamedValues>& measures = m_comparison == nullptr ? none : m_comparison->inModel.measures;
    const auto shown = std::ranges::find(measures, measure(), &NamedValues::measure);
    legend()->setText(shown == measures.end() ? QString() : importanceLegend(*m_comparison, measure()));
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
    m_plot->picture().setComparison(m_comparison, measure(), m_palette);
    m_plot->setVisible(m_plot->picture().count() > 0);
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

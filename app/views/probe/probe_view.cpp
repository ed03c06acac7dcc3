// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/probe/probe_view.h"

#include "app/views/probe/confusion_pane.h"
#include "app/views/probe/confusion_picture.h"
#include "app/views/probe/probe_charts.h"
#include "model/data/key_sharing.h"
#include "model/data/last_layer.h"
#include "model/data/results/layer_results.h"
#include "ui/canvas/canvas_summary.h"
#include "ui/canvas/picture_widget.h"
#include "ui/charts/recall_chart.h"
#include "ui/charts/sweep_chart.h"
#include "ui/state/bind_controls.h"
#include "ui/state/origin_guard.h"
#include "ui/state/view_state.h"
#include "ui/theme/theme.h"
#include "ui/view/view_pages.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrapped_header.h"
#include "ui/words/wording.h"

#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kPageMargin = 20;
constexpr int kScrollBar = 12;

} // namespace

ProbeView::ProbeView(QWidget* parent) : View(parent)
{
    setObjectName(QStringLiteral("probeView"));
    setAccessibleName(tr("Probe"));
    setCanvasSummary(this, [this] { return summary(); });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_viewPages = new ViewPages(this);
    layout->addWidget(m_viewPages, 1);
    m_sweepTimer = new QTimer(this);
    m_sweepTimer->setSingleShot(true);
    m_sweepTimer->setInterval(60);
    connect(m_sweepTimer, &QTimer::timeout, this, &ProbeView::refreshSweep);
    buildPage(m_viewPages->page());
    m_bar = new ProbeBar(this);
    layout->addWidget(m_bar);
    m_charts->bindTo(viewState());
    m_confusion->bindTo(viewState());
    bind(viewState(), QStringLiteral("probeTable"), *m_table);
    m_bar->bindTo(viewState());
    connect(m_bar, &ProbeBar::trainRequested, this, &ProbeView::trainRequested);
    connect(m_bar, &ProbeBar::stopRequested, this, &ProbeView::stopRequested);
    useEmptyState(m_viewPages);
    m_bar->hide();
}

QWidget* ProbeView::buildTable(QWidget* parent)
{
    auto* box = new QWidget(parent);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, Metrics::kRelated);
    layout->setSpacing(Metrics::kGrid);
    m_tableTitle = makeSectionLabel(tr("Probe: predict the head or segment of a vector"), box);
    layout->addWidget(m_tableTitle);
    m_model = new ProbeTableModel(this);
    m_sorted = new FrameOrder(m_model, this);
    m_table = new QTableView(box);
    m_table->setObjectName(QStringLiteral("probeTable"));
    m_table->setAccessibleName(tr("Probe results"));
    m_table->setAccessibleDescription(tr("One row per layer and stage. The selected row is shown below."));
    m_table->setModel(m_sorted);
    dressProbeTable(m_table);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder); // as the layers stand
    m_table->horizontalHeader()->setSortIndicatorClearable(true);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    layout->addWidget(m_table, 1);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                showRow(m_sorted->mapToSource(current).row());
                if (current.isValid() && !m_placing)
                    viewState().tellActs();
            });
    return box;
}

void ProbeView::buildPage(QWidget* page)
{
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(kPageMargin, Metrics::kPanel, kPageMargin, Metrics::kPanel);
    m_vertical = new QSplitter(Qt::Vertical, page);
    m_vertical->setChildrenCollapsible(false);
    m_vertical->setHandleWidth(1);
    m_vertical->addWidget(buildTable(m_vertical));
    m_horizontal = new QSplitter(Qt::Horizontal, m_vertical);
    m_horizontal->setChildrenCollapsible(false);
    m_horizontal->setHandleWidth(1);
    m_charts = new ProbeCharts(m_horizontal);
    m_horizontal->addWidget(m_charts);
    auto* right = new QWidget(m_horizontal);
    auto* rightLayout = new QVBoxLayout(right);
    rightLayout->setContentsMargins(Metrics::kRelated, Metrics::kRelated, 0, 0);
    m_confusion = new ConfusionPane(right);
    rightLayout->addWidget(m_confusion);
    m_horizontal->addWidget(right);
    m_horizontal->setStretchFactor(0, 1);
    m_horizontal->setStretchFactor(1, 1);
    m_vertical->addWidget(m_horizontal);
    m_vertical->setStretchFactor(0, 0);
    m_vertical->setStretchFactor(1, 1);
    m_horizontal->setSizes({830, 1170}); // the matrix has its names, and the bar of its colours
    layout->addWidget(m_vertical);
    connect(m_vertical, &QSplitter::splitterMoved, this, [this] { m_tableSized = true; });
    connect(m_confusion, &ConfusionPane::documentsChosen, this, &ProbeView::documentsChosen);
    connect(m_confusion->matrix(), &PictureWidget::itemPointed, this, [this](std::optional<std::size_t> cell) {
        Q_EMIT headHovered(cell ? std::optional(m_confusion->matrix()->picture().trueHeadOf(*cell)) : std::nullopt);
    });
    connect(m_charts->recall(), &PictureWidget::itemPointed, this, [this](std::optional<std::size_t> item) {
        Q_EMIT headHovered(item ? std::optional(chart()->picture().headOf(*item)) : std::nullopt);
    });
    connect(m_charts->sweep(), &PictureWidget::itemClicked, this, [this](std::size_t item) {
        viewState().tellActs();
        showPlace(sweep()->picture().pointOf(item));
    });
    connect(m_charts, &ProbeCharts::pageChanged, this, [this] {
        viewState().tellChanged(StatePart::Own, QStringLiteral("probe"));
        takePlace();
    });
    m_charts->proposePage(Page::Recall);
}

void ProbeView::setModelInfo(const ModelInfo& info, const viz::HeadPalette& palette, std::set<std::int64_t> held)
{
    m_held = std::move(held);
    m_info = info;
    m_palette = palette;
    m_bar->show();
    clear();
}

void ProbeView::setPalette(const viz::HeadPalette& palette)
{
    m_palette = palette;
    takePlace();
}

void ProbeView::clear()
{
    m_model->clear();
    m_charts->forgetPage();
    m_sweepTimer->stop();
    refreshSweep();
    m_confusion->setRow({}, m_info);
    m_charts->clear(m_palette);
    refreshStack();
}

void ProbeView::refreshStack()
{
    const bool any = m_model->rowCount() > 0;
    m_viewPages->setFilled(any);
    const int rows = std::max(1, m_model->rowCount());
    fitColumns();
    // In a small window columns scroll in any case, and every line is needed.
    constexpr int kNarrow = 900;
    constexpr int kLow = 560;
    m_tableTitle->setVisible(height() > kLow); // the line above the view says the same
    if (auto* header = qobject_cast<WrappedHeader*>(m_table->horizontalHeader()))
        header->setWrapped(width() > kNarrow);
    const int room = width() - 2 * kPageMargin - 2 * m_table->frameWidth() - kScrollBar;
    const int bar = m_table->horizontalHeader()->length() > room ? kScrollBar : 0;
    const auto heightOf = [this, bar](int shown) {
        return m_table->horizontalHeader()->sizeHint().height() +
               shown * m_table->verticalHeader()->defaultSectionSize() + 2 * m_table->frameWidth() + bar;
    };
    m_table->setMinimumHeight(heightOf(std::min(rows, 3)));
    if (m_tableSized) // by the user
        return;
    constexpr int kMaxRows = 6;
    const QWidget& box = *m_table->parentWidget();
    const int around = box.minimumSizeHint().height() - m_table->minimumHeight();
    const int table = heightOf(std::min(rows, kMaxRows)) + std::max(0, around);
    m_vertical->setSizes({table, std::max(1, m_vertical->height() - table)});
}

void ProbeView::fitColumns()
{
    // Where every head has keys and values of its own there are no groups to err inside or across.
    const bool grouped = hasKvGroups(m_info, Stage::HeadOutput);
    for (const auto column : {ProbeTableModel::WithinColumn, ProbeTableModel::AcrossColumn})
        m_table->setColumnHidden(column, !grouped);
}

void ProbeView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    refreshStack();
}

void ProbeView::addRow(ProbeRow row)
{
    if (!OriginGuard::instance().admits(row.result->origin, "a probe"))
        return;
    const Place place(LayerIndex(row.result->layer.value_or(-1)), row.result->stage.value_or(Stage::HeadOutput));
    const auto shown = shownPlace();
    const bool inSight = m_table->viewport()->rect().intersects(m_table->visualRect(m_table->currentIndex()));
    row.grouped = row.result->stage && hasKvGroups(m_info, *row.result->stage);
    m_model->addRow(std::move(row));
    m_table->horizontalHeader()->resizeSections(QHeaderView::ResizeToContents);
    refreshStack();
    if (!shown || shown == place || m_chosen == place)
        showPlace(place);
    else if (inSight) // rows that join above must not push it away
        m_table->scrollTo(m_table->currentIndex());
    if (!m_sweepTimer->isActive())
        m_sweepTimer->start();
}

void ProbeView::refreshSweep()
{
    const LayerIndex last(m_info.layers - 1);
    m_charts->setSweep(m_model->rows(), m_info.layers, m_held,
                       afterFinalNorm(m_info, last, Stage::OutputSegment) ? std::optional(last.value()) : std::nullopt);
    sweep()->picture().setChosen(m_chosen);
    std::set<std::int64_t> layers;
    for (const ProbeRow& row : m_model->rows())
        layers.insert(row.result->layer.value_or(-1));
    m_charts->proposePage(layers.size() > 1 ? Page::Sweep : Page::Recall);
}

void ProbeView::setChosen(Place place)
{
    m_chosen = place;
    m_model->setChosen(place);
    sweep()->picture().setChosen(place);
    if (m_model->rowOf(place) >= 0)
        showPlace(place);
}

void ProbeView::setHoveredHead(std::optional<HeadIndex> head)
{
    m_confusion->matrix()->picture().setHoveredHead(head);
    chart()->picture().setHoveredHead(head);
}

std::optional<ProbeView::Place> ProbeView::shownPlace() const
{
    const int row = m_sorted->mapToSource(m_table->currentIndex()).row();
    if (row < 0 || row >= m_model->rowCount())
        return std::nullopt;
    const ProbeResult& result = *m_model->rows()[static_cast<std::size_t>(row)].result;
    return Place(LayerIndex(result.layer.value_or(-1)), result.stage.value_or(Stage::HeadOutput));
}

void ProbeView::showPlace(Place place)
{
    const int row = m_model->rowOf(place);
    if (row < 0)
        return;
    const QScopedValueRollback<bool> placing(m_placing, true);
    const QModelIndex index = m_sorted->mapFromSource(m_model->index(row, 0));
    m_table->setCurrentIndex(index);
    m_table->scrollTo(index);
    showRow(row);
}

void ProbeView::takePlace()
{
    const auto place = shownPlace();
    const int row = place ? m_model->rowOf(*place) : -1;
    if (row >= 0)
        showRow(row);
}

void ProbeView::setPage(Page page)
{
    m_charts->choosePage(page);
}

ProbeView::Page ProbeView::page() const
{
    return m_charts->page();
}

QString ProbeView::summary() const
{
    const auto place = shownPlace();
    const int row = place ? m_model->rowOf(*place) : -1;
    if (row < 0)
        return tr("No probe trained.");
    const ProbeResult& result = *m_model->rows()[static_cast<std::size_t>(row)].result;
    const auto share = [](double value) -> QString {
        return QLocale().toString(100 * value, 'f', 1) % QStringLiteral("%");
    };
    return tr("%1. Layer %2, stage %3: accuracy %4 (95% CI %5 to %6), chance %7.")
        .arg(countText(m_model->rowCount(), tr("probe"), tr("probes")))
        .arg(place->first.value())
        .arg(toQString(stageName(place->second)), share(result.accuracy), share(result.ci95Low), share(result.ci95High),
             share(1 / static_cast<double>(std::max<std::int64_t>(1, result.classes))));
}

void ProbeView::showRow(int number)
{
    if (number < 0 || number >= m_model->rowCount())
        return;
    viewState().tellChanged(StatePart::Own, QStringLiteral("probe"));
    const ProbeRow& row = m_model->rows()[static_cast<std::size_t>(number)];
    if (m_confusion->matrix()->picture().result() != row.result)
        m_confusion->setRow(row, m_info);
    m_charts->setRow(row, m_info, m_palette, shownPlace());
    noteCanvasChanged(this);
}

PictureOf<RecallChart>* ProbeView::chart() const
{
    return m_charts->recall();
}

PictureOf<SweepChart>* ProbeView::sweep() const
{
    return m_charts->sweep();
}

FrameModel* ProbeView::scores() const
{
    return m_charts->scores();
}

ProbeBaselineModel* ProbeView::baselines() const
{
    return m_charts->baselines();
}

} // namespace headscope::ui

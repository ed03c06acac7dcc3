// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heads/heads_view.h"

#include "app/views/ablation/ablation_panel.h"
#include "app/views/ablation/importance_panel.h"
#include "app/views/ablation/running_page.h"
#include "app/views/heads/cell_bars.h"
#include "app/views/heads/head_plane.h"
#include "app/views/heads/likeness_matrix.h"
#include "app/views/heads/likeness_panel.h"
#include "app/views/heads/pruning_curve.h"
#include "app/views/heads/pruning_panel.h"
#include "app/views/heads/switch_panel.h"
#include "model/data/key_sharing.h"
#include "ui/canvas/canvas_summary.h"
#include "ui/models/head_table_model.h"
#include "ui/state/bind_controls.h"
#include "ui/state/origin_guard.h"
#include "ui/theme/theme.h"
#include "ui/view/view_pages.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStyle>
#include <QToolButton>

#include <algorithm>
#include <numeric>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kBesideEachOther = 820; ///< from this width on likeness and switches stand beside each other

} // namespace

HeadsView::HeadsView(QWidget* parent) : View(parent)
{
    setObjectName(QStringLiteral("headsView"));
    setAccessibleName(tr("Heads"));
    setCanvasSummary(this, [this] { return summary(); });
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    outer->addWidget(makeSources());
    // Where the window is low or narrow the page scrolls: nothing is squeezed below what it needs.
    auto* around = new QVBoxLayout(m_pages->page());
    around->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea(m_pages->page());
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    around->addWidget(scroll);
    auto* page = m_content = new QWidget(scroll);
    page->setAutoFillBackground(false);
    scroll->setWidget(page);
    scroll->viewport()->setAutoFillBackground(false);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(Metrics::kPanel, Metrics::kRelated, Metrics::kPanel, Metrics::kPanel);
    layout->setSpacing(Metrics::kPanel);
    layout->addWidget(makeTablePart(page), 1);
    m_lower = new QBoxLayout(QBoxLayout::LeftToRight);
    m_lower->setSpacing(Metrics::kGroups);
    m_alike = new LikenessPanel(page);
    m_switches = new SwitchPanel(page);
    m_lower->addWidget(m_alike, 6);
    m_lower->addWidget(m_switches, 5);
    layout->addLayout(m_lower);
    page->installEventFilter(this);
    useEmptyState(m_pages);
    bindState();
    connectPanels();
    setReport(nullptr);
}

void HeadsView::bindState()
{
    bind(viewState(), QStringLiteral("headsCached"), *m_asCached);
    bind(viewState(), QStringLiteral("headsRunning"), *m_asRunning);
    m_running->importance()->bindTo(viewState());
    m_running->switchOff()->bindTo(viewState());
    bind(viewState(), QStringLiteral("headFilter"), *m_filter);
    bind(viewState(), QStringLiteral("headTable"), *m_table);
    bindFold(viewState(), QStringLiteral("headsLegendAll"), *m_legendAll);
    m_alike->bindTo(viewState());
    m_switches->order()->bindTo(viewState());
}

QWidget* HeadsView::makeSources()
{
    auto* around = new QWidget(this);
    auto* layout = new QVBoxLayout(around);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(Metrics::kRelated, Metrics::kGrid, Metrics::kPanel, 0);
    row->setSpacing(Metrics::kGrid);
    m_asCached = makePageButton("headsCached", tr("Cached vectors"),
                                tr("Statistics of the vectors in the cache; the model is not run"), around);
    m_asRunning = makePageButton(
        "headsRunning", tr("Full model"),
        tr("Ablate heads in the full model and measure the effect on performance and on the documents"), around);
    auto* group = new QButtonGroup(this);
    for (QToolButton* button : {m_asCached, m_asRunning})
    {
        group->addButton(button);
        row->addWidget(button, button == m_asRunning ? 1 : 0, Qt::AlignLeft);
    }
    m_asCached->setChecked(true);
    stopAtChecked(group);
    layout->addLayout(row);
    m_sources = new QStackedWidget(around);
    m_pages = new ViewPages(m_sources);
    m_running = new RunningPage(m_sources);
    m_sources->addWidget(m_pages);
    m_sources->addWidget(m_running);
    layout->addWidget(m_sources, 1);
    connect(m_asCached, &QToolButton::clicked, this, [this] { setRunningShown(false); });
    connect(m_asRunning, &QToolButton::clicked, this, [this] { setRunningShown(true); });
    return around;
}

void HeadsView::setRunningShown(bool shown)
{
    m_sources->setCurrentIndex(shown ? 1 : 0);
    (shown ? m_asRunning : m_asCached)->setChecked(true);
}

bool HeadsView::isRunningShown() const
{
    return m_sources->currentIndex() == 1;
}

QWidget* HeadsView::makeTablePart(QWidget* page)
{
    auto* part = new QWidget(page);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kGrid);
    auto* top = new QHBoxLayout;
    m_of = new ElidedLabel({}, part);
    m_of->setProperty("role", QStringLiteral("muted"));
    m_of->setObjectName(QStringLiteral("headsOf"));
    m_filter = new QLineEdit(part);
    m_filter->setObjectName(QStringLiteral("headFilter"));
    m_filter->setAccessibleName(tr("Rows shown in the table"));
    m_filter->setPlaceholderText(tr("Filter: 1-4,9 or a topic"));
    addClearButton(*m_filter);
    m_filter->setFixedWidth(200);
    m_title = new SectionLabel({}, part);
    top->addWidget(m_title);
    top->addWidget(m_of, 1);
    top->addWidget(m_filter);
    layout->addLayout(top);

    m_model = new HeadTableModel(this);
    m_proxy = new HeadTableProxy(this);
    m_proxy->setSourceModel(m_model);
    m_table = new HeadTree(part);
    m_table->setObjectName(QStringLiteral("headTable"));
    m_table->setModel(m_proxy);
    m_table->setItemDelegate(new CellBars(m_table));
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setUniformRowHeights(true);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(HeadTableModel::HeadColumn, Qt::AscendingOrder);
    m_table->setMouseTracking(true);
    m_table->setIndentation(Metrics::kPanel);
    m_table->setTabKeyNavigation(false);
    m_table->header()->setStretchLastSection(true);
    m_table->header()->setSectionResizeMode(QHeaderView::Interactive);
    layout->addWidget(m_table, 1);
    m_legend = makeMutedLabel({}, part);
    m_legend->setObjectName(QStringLiteral("headsLegend"));
    m_legend->setFont(Theme::smallFont());
    m_legend->setWordWrap(true);
    // All of it takes nine lines of a small window, between the table and the square: only who asks for it reads it.
    m_legendAll = new QToolButton(part);
    m_legendAll->setObjectName(QStringLiteral("headsLegendAll"));
    m_legendAll->setProperty("flat", true);
    m_legendAll->setText(tr("Details"));
    m_legendAll->setToolTip(tr("Show how the intervals and tests of the table were computed"));
    m_legendAll->setCheckable(true);
    m_legendAll->setFont(Theme::smallFont());
    connect(m_legendAll, &QToolButton::toggled, this, &HeadsView::showLegend);
    auto* legend = new QHBoxLayout;
    legend->setSpacing(Metrics::kRelated);
    legend->addWidget(m_legend, 1);
    legend->addWidget(m_legendAll, 0, Qt::AlignTop);
    layout->addLayout(legend);
    connectTable();
    return part;
}

void HeadsView::connectTable()
{
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_proxy->setFilter(text);
        m_table->expandAll();
    });
    connect(m_model, &HeadTableModel::headsSwitched, this, &HeadsView::headsSwitched);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { Q_EMIT headsClicked(chosenRows()); });
    connect(m_table, &HeadTree::pointerLeft, this, [this] {
        setHoveredHead({});
        Q_EMIT headHovered({});
    });
    connect(m_table, &HeadTree::entered, this, [this](const QModelIndex& index) {
        const qint64 head = index.data(HeadTableModel::HeadRole).toLongLong();
        const auto hovered = head >= 0 ? std::optional(HeadIndex(head)) : std::nullopt;
        setHoveredHead(hovered);
        Q_EMIT headHovered(hovered);
    });
}

std::vector<std::int64_t> HeadsView::chosenRows() const
{
    std::vector<std::int64_t> heads;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
    {
        const qint64 head = index.data(HeadTableModel::HeadRole).toLongLong();
        if (head >= 0)
            heads.push_back(head);
        else // a group: all its rows
            for (int row = 0; row < m_proxy->rowCount(index); ++row)
                heads.push_back(m_proxy->index(row, 0, index).data(HeadTableModel::HeadRole).toLongLong());
    }
    std::sort(heads.begin(), heads.end());
    heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
    return heads;
}

void HeadsView::connectPanels()
{
    connect(m_alike, &LikenessPanel::headHovered, this, &HeadsView::headHovered);
    connect(m_alike, &LikenessPanel::headsClicked, this, &HeadsView::headsClicked);
    connect(m_switches, &SwitchPanel::undoRequested, this, &HeadsView::undoRequested);
    connect(m_switches, &SwitchPanel::redoRequested, this, &HeadsView::redoRequested);
    connect(m_switches, &SwitchPanel::allOnRequested, this, &HeadsView::allOnRequested);
    connect(m_switches, &SwitchPanel::saveMaskRequested, this, &HeadsView::saveMaskRequested);
    connect(m_switches, &SwitchPanel::unitChanged, this, &HeadsView::unitChanged);
    connect(m_switches, &SwitchPanel::stepClicked, this, &HeadsView::stepClicked);
    connect(m_switches, &SwitchPanel::probeRequested, this, &HeadsView::probeRequested);
}

void HeadsView::setModel(const ModelInfo& info, const viz::HeadPalette& palette, Stage stage)
{
    m_info = info;
    m_palette = palette;
    m_heads.resize(static_cast<std::size_t>(info.heads));
    std::iota(m_heads.begin(), m_heads.end(), 0);
    m_kept.clear();
    m_proxy->setShownHeads(m_heads);
    layOutFor(stage);
    setMask({});
    setCurve({}, false);
    setReport(nullptr);
}

void HeadsView::setStage(Stage stage)
{
    if (stage == m_stage)
        return;
    setReport(nullptr);
    layOutFor(stage);
    m_model->setShownHeads(m_heads);
    if (!m_kept.empty())
        setKept(m_kept);
}

void HeadsView::layOutFor(Stage stage)
{
    m_stage = stage;
    m_pages->setStage(stage);
    m_model->setModel(groupedAt(m_info, stage), m_palette, stage);
    m_switches->setModel(m_info, stage);
    m_title->setTitle(tr("Statistics of each %1").arg(unitText(stage)));
    m_table->setAccessibleName(tr("Statistics of the %1").arg(unitsText(stage)));
    m_table->setAccessibleDescription(m_model->grouped()
                                          ? tr("One row per head under its KV group. Click a column header to sort.")
                                          : tr("One row per %1. Click a column header to sort.").arg(unitText(stage)));
    m_table->setRootIsDecorated(m_model->grouped());
    m_table->expandRows();
    fitColumns();
}

void HeadsView::fitColumns()
{
    // As wide as the title with the arrow of the order beside it, and as a number with its mark.
    const QFontMetrics metrics(m_table->header()->font());
    constexpr int kAround = 28; // margins and the arrow
    const int widest = QFontMetrics(m_table->font()).horizontalAdvance(QStringLiteral("88.8% †")) + kAround;
    m_table->setColumnWidth(HeadTableModel::HeadColumn, 132);
    for (int column = HeadTableModel::StrengthColumn; column < m_model->columnCount(); ++column)
    {
        if (m_model->isWord(column))
            continue;
        const QString title = m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        m_table->setColumnWidth(column, std::max(widest, kAround + metrics.horizontalAdvance(title)));
    }
}

void HeadsView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (!std::exchange(m_fitted, true)) // fonts and style are known now
        fitColumns();
}

void HeadsView::setHeadPalette(const viz::HeadPalette& palette)
{
    m_palette = palette;
    m_model->setHeadPalette(palette);
    m_table->expandAll();
    refreshLikeness();
}

void HeadsView::setReport(std::shared_ptr<const HeadReport> report)
{
    if (report != nullptr && !OriginGuard::instance().admits(report->origin, "a table of head statistics"))
        report = nullptr;
    m_report = std::move(report);
    m_pages->setFilled(m_report != nullptr);
    m_model->setReport(m_report);
    refreshOf();
    refreshLikeness();
    noteCanvasChanged(this);
}

QString HeadsView::summary() const
{
    if (m_report == nullptr || !m_pages->pageShown())
        return tr("No statistics yet.");
    QString text = tr("Statistics of %1.").arg(m_of->fullText());
    if (m_mask)
        text += m_switches->summary();
    return text;
}

void HeadsView::setShownHeads(const std::vector<std::int64_t>& heads)
{
    m_heads = heads;
    m_pages->setAnyHead(!heads.empty());
    m_model->setShownHeads(heads);
    m_proxy->setShownHeads(heads);
    m_table->expandRows();
    refreshOf();
    refreshLikeness();
}

void HeadsView::refreshOf()
{
    if (m_report == nullptr)
        return;
    QString of = tr("%1 · %2").arg(chosenHeadsText(std::ssize(m_heads), m_info.heads, m_stage),
                                   overText(m_report->documents, m_report->allDocuments));
    if (!m_report->notice.empty())
        of += tr(" · %1").arg(toQString(m_report->notice));
    m_of->setFullText(of);
    showLegend();
}

void HeadsView::refreshLikeness()
{
    m_alike->setReport(m_report, m_stage, groupedAt(m_info, m_stage), m_palette, m_heads);
}

void HeadsView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrangeLower();
}

bool HeadsView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_content && event->type() == QEvent::LayoutRequest)
        arrangeLower(); // numbers that arrive need room, too
    return View::eventFilter(watched, event);
}

void HeadsView::arrangeLower()
{
    const int scrollBar = style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    int beside = 2 * Metrics::kPanel + m_lower->spacing() + scrollBar;
    for (int i = 0; i < m_lower->count(); ++i)
        beside += m_lower->itemAt(i)->minimumSize().width();
    const auto wanted =
        width() < std::max(kBesideEachOther, beside) ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
    if (m_lower->direction() == wanted)
        return;
    m_lower->setDirection(wanted);
    m_content->layout()->invalidate(); // all of the page is laid out again, also while it is hidden
}

void HeadsView::setKept(const std::vector<bool>& kept)
{
    m_kept = kept;
    m_model->setKept(kept);
    plane()->picture().setKept(kept);
    m_switches->setKept(kept);
}

void HeadsView::setHistory(bool canUndo, bool canRedo)
{
    m_switches->setHistory(canUndo, canRedo);
}

void HeadsView::setMask(const std::optional<MaskEffects>& values)
{
    m_mask = values && OriginGuard::instance().admits(values->origin, "the effect of removing heads") ? values
                                                                                                      : std::nullopt;
    m_switches->setMask(m_mask);
    noteCanvasChanged(this);
}

void HeadsView::setCurve(PruningFindings findings, bool groups)
{
    m_switches->setCurve(std::move(findings), groups);
}

void HeadsView::setCurrentStep(std::optional<std::int64_t> off)
{
    m_switches->setCurrentStep(off);
}

void HeadsView::setHoveredHead(std::optional<HeadIndex> head)
{
    matrix()->picture().setHoveredHead(head);
    plane()->picture().setHoveredHead(head);
}

void HeadsView::setLitHeads(const std::vector<std::int64_t>& heads)
{
    if (heads.empty() && m_table->selectionModel()->hasSelection())
        m_table->clearSelection();
}

PictureOf<LikenessMatrix>* HeadsView::matrix() const
{
    return m_alike->matrix();
}

PictureOf<HeadPlane>* HeadsView::plane() const
{
    return m_alike->plane();
}

PictureOf<PruningCurve>* HeadsView::curve() const
{
    return m_switches->curve();
}

bool HeadsView::byGroups() const
{
    return m_switches->byGroups();
}

QString HeadsView::valueText(int row, bool on) const
{
    return m_switches->valueText(row, on);
}

QString HeadsView::ofText() const
{
    return m_of->fullText();
}

void HeadsView::showLegend()
{
    const QString all = m_model->legend();
    const QString signs = m_model->signs();
    m_legend->setText(m_legendAll->isChecked() ? all : signs);
    m_legend->setVisible(!all.isEmpty());
    m_legendAll->setVisible(all != signs);
}

QString HeadsView::legendText() const
{
    return QString(m_model->definitions() % u' ' % m_model->legend()).trimmed();
}

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/heads_view.h"

#include "ui/border.h"
#include "ui/canvas_summary.h"
#include "ui/models/head_table_model.h"
#include "ui/plots/cell_bars.h"
#include "ui/plots/head_plane.h"
#include "ui/plots/likeness_matrix.h"
#include "ui/plots/pruning_curve.h"
#include "ui/plots/view_pages.h"
#include "ui/theme/theme.h"
#include "ui/widgets.h"
#include "ui/wording.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kLowerHeight = 296;

QString percent(double share)
{
    return std::isfinite(share) ? HeadsView::tr("%1 %").arg(QLocale().toString(100 * share, 'f', 1))
                                : QStringLiteral("–");
}

QPushButton* makeButton(const char* name, const QString& text, const QString& tip, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setObjectName(QLatin1StringView(name));
    button->setToolTip(tip);
    return button;
}

} // namespace

HeadsView::HeadsView(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("headsView"));
    setAccessibleName(tr("Heads"));
    setCanvasSummary(this, [this] { return summary(); });
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    m_pages = new ViewPages(this);
    outer->addWidget(m_pages);
    QWidget* page = m_pages->page();
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(Metrics::kPanel, Metrics::kRelated, Metrics::kPanel, Metrics::kPanel);
    layout->setSpacing(Metrics::kPanel);
    layout->addWidget(makeTablePart(page), 1);
    auto* lower = new QWidget(page);
    lower->setFixedHeight(kLowerHeight);
    auto* row = new QHBoxLayout(lower);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Metrics::kGroups);
    row->addWidget(makeLikenessPart(lower), 6);
    row->addWidget(makeSwitchPart(lower), 5);
    layout->addWidget(lower);
    connect(m_pages, &ViewPages::emptyActionRequested, this, &HeadsView::emptyActionRequested);
    connect(m_pages, &ViewPages::allHeadsRequested, this, &HeadsView::allHeadsRequested);
    connectPictures();
    setReport(nullptr);
}

QWidget* HeadsView::makeTablePart(QWidget* page)
{
    auto* part = new QWidget(page);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kGrid);
    auto* top = new QHBoxLayout;
    m_of = makeMutedLabel({}, part);
    m_of->setObjectName(QStringLiteral("headsOf"));
    m_filter = new QLineEdit(part);
    m_filter->setObjectName(QStringLiteral("headFilter"));
    m_filter->setAccessibleName(tr("Heads shown in the table"));
    m_filter->setPlaceholderText(tr("Filter: 1-4,9 or a topic"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(200);
    top->addWidget(makeSectionLabel(tr("What each head does"), part));
    top->addWidget(m_of, 1);
    top->addWidget(m_filter);
    layout->addLayout(top);

    m_model = new HeadTableModel(this);
    m_proxy = new HeadTableProxy(this);
    m_proxy->setSourceModel(m_model);
    m_table = new QTreeView(part);
    m_table->setObjectName(QStringLiteral("headTable"));
    m_table->setAccessibleName(tr("Statistics of the heads"));
    m_table->setAccessibleDescription(tr("One row a head under its KV group; a column’s title sorts by it"));
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
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_proxy->setFilter(text);
        m_table->expandAll();
    });
    connect(m_model, &HeadTableModel::headsSwitched, this, &HeadsView::headsSwitched);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
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
        if (!heads.empty())
            Q_EMIT headsClicked(heads);
    });
    connect(m_table, &QTreeView::entered, this, [this](const QModelIndex& index) {
        const qint64 head = index.data(HeadTableModel::HeadRole).toLongLong();
        const auto hovered = head >= 0 ? std::optional<std::int64_t>(head) : std::nullopt;
        setHoveredHead(hovered);
        Q_EMIT headHovered(hovered);
    });
    return part;
}

QWidget* HeadsView::makeLikenessPart(QWidget* page)
{
    auto* part = new QWidget(page);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    auto* top = new QHBoxLayout;
    top->addWidget(makeSectionLabel(tr("How alike heads are"), part));
    top->addStretch(1);
    m_likeness = new QComboBox(part);
    m_likeness->setObjectName(QStringLiteral("headLikeness"));
    m_likeness->setAccessibleName(tr("Measure of likeness"));
    const std::pair<QString, QString> measures[] = {
        {tr("CKA"), tr("Linear centred kernel alignment: do two heads place documents alike?")},
        {tr("Cosine of means"), tr("Cosine of the two heads’ mean vectors")},
        {tr("Shared neighbours"), tr("Share of the 10 nearest documents that two heads have in common")}};
    for (const auto& [name, tip] : measures)
    {
        m_likeness->addItem(name);
        m_likeness->setItemData(m_likeness->count() - 1, tip, Qt::ToolTipRole);
    }
    m_likeness->setToolTip(tr("What the square shows, and by what the map of heads is laid out"));
    top->addWidget(m_likeness);
    layout->addLayout(top);
    auto* pictures = new QHBoxLayout;
    pictures->setSpacing(Metrics::kPanel);
    m_matrix = new LikenessMatrix(part);
    m_plane = new HeadPlane(part);
    pictures->addWidget(m_matrix, 1);
    pictures->addWidget(m_plane, 1);
    layout->addLayout(pictures, 1);
    auto* key = makeMutedLabel(tr("Square: the darker, the more alike. Discs: size strength, filled match, ring "
                                  "selectivity, hull KV group."),
                               part);
    key->setFont(Theme::smallFont());
    key->setWordWrap(true);
    layout->addWidget(key);
    return part;
}

QWidget* HeadsView::makeSwitchPart(QWidget* page)
{
    auto* part = new QWidget(page);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    auto* top = new QHBoxLayout;
    top->setSpacing(Metrics::kGrid);
    auto* title = makeSectionLabel(tr("What if heads were off"), part);
    title->setToolTip(tr("An experiment with all heads of the model: the ticks in the table switch them. It changes no "
                         "other view; what is chosen at the left says which heads have a row."));
    top->addWidget(title);
    top->addStretch(1);
    m_undo = makeButton("maskUndo", tr("Undo"), tr("The switches as they were before"), part);
    m_redo = makeButton("maskRedo", tr("Redo"), tr("The switches as they were after"), part);
    m_allOn = makeButton("maskAllOn", tr("All on"), tr("Every head is on again"), part);
    m_saveMask =
        makeButton("maskSave", tr("Save mask…"), tr("The heads that are on as a file for headscope --mask"), part);
    for (QPushButton* button : {m_undo, m_redo, m_allOn, m_saveMask})
        top->addWidget(button);
    layout->addLayout(top);

    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(Metrics::kGroups);
    grid->setVerticalSpacing(2);
    QLabel* all = makeMutedLabel(tr("all heads"), part);
    all->setToolTip(tr("All heads of this stage, one after another as one vector: not the full vector of the heatmap, "
                       "which is the model’s own embedding"));
    QLabel* on = makeMutedLabel(tr("those on"), part);
    on->setToolTip(tr("The heads that are on, one after another as one vector"));
    grid->addWidget(all, 0, 1, Qt::AlignRight);
    grid->addWidget(on, 0, 2, Qt::AlignRight);
    const QString names[kValues] = {tr("Match at 1"), tr("Match at 5"), tr("Match at 10"), tr("Relevant among 10"),
                                    tr("Topic told by a probe")};
    const QString tips[kValues] = {tr("The document’s own topic is the nearest, by the heads one after another"),
                                   tr("The document’s own topic is among the 5 nearest"),
                                   tr("The document’s own topic is among the 10 nearest"),
                                   tr("Share of a query’s relevant documents among its 10 nearest; give a file of "
                                      "relevant documents in Retrieval"),
                                   tr("Accuracy of a linear probe that tells the label; fitted anew, so it takes a "
                                      "moment")};
    for (int i = 0; i < kValues; ++i)
    {
        auto* label = new QLabel(names[i], part);
        label->setToolTip(tips[i]);
        m_all[i] = makeMutedLabel({}, part);
        m_on[i] = new QLabel(part);
        m_on[i]->setFont(Theme::bodyFont(true));
        m_on[i]->setAccessibleName(tr("%1, heads that are on").arg(names[i]));
        grid->addWidget(label, i + 1, 0);
        grid->addWidget(m_all[i], i + 1, 1, Qt::AlignRight);
        grid->addWidget(m_on[i], i + 1, 2, Qt::AlignRight);
    }
    m_probe = makeButton("maskProbe", tr("Measure"), tips[kValues - 1], part);
    grid->addWidget(m_probe, kValues, 3);
    grid->setColumnStretch(0, 1);
    layout->addLayout(grid);
    m_saved = makeMutedLabel({}, part);
    m_saved->setObjectName(QStringLiteral("maskSaved"));
    m_saved->setFont(Theme::smallFont());
    m_saved->setWordWrap(true);
    layout->addWidget(m_saved);

    auto* under = new QHBoxLayout;
    under->addWidget(makeMutedLabel(tr("Greedy order by match at 5"), part), 1);
    m_unit = new QComboBox(part);
    m_unit->setObjectName(QStringLiteral("maskUnit"));
    m_unit->setAccessibleName(tr("What goes at each step"));
    m_unit->setToolTip(tr("Heads one by one, or whole KV groups"));
    m_unit->addItem(tr("by head"));
    m_unit->addItem(tr("by KV group"));
    under->addWidget(m_unit);
    layout->addLayout(under);
    m_curve = new PruningCurve(part);
    layout->addWidget(m_curve, 1);
    connect(m_undo, &QPushButton::clicked, this, &HeadsView::undoRequested);
    connect(m_redo, &QPushButton::clicked, this, &HeadsView::redoRequested);
    connect(m_allOn, &QPushButton::clicked, this, &HeadsView::allOnRequested);
    connect(m_saveMask, &QPushButton::clicked, this, &HeadsView::saveMaskRequested);
    connect(m_probe, &QPushButton::clicked, this, &HeadsView::probeRequested);
    connect(m_unit, &QComboBox::currentIndexChanged, this, &HeadsView::unitChanged);
    connect(m_curve, &PruningCurve::stepClicked, this, &HeadsView::stepClicked);
    return part;
}

void HeadsView::connectPictures()
{
    connect(m_likeness, &QComboBox::currentIndexChanged, this, &HeadsView::refreshPictures);
    connect(m_matrix, &LikenessMatrix::headHovered, this, [this](std::optional<std::int64_t> head) {
        m_plane->setHoveredHead(head);
        Q_EMIT headHovered(head);
    });
    connect(m_plane, &HeadPlane::headHovered, this, [this](std::optional<std::int64_t> head) {
        m_matrix->setHoveredHead(head);
        Q_EMIT headHovered(head);
    });
    connect(m_matrix, &LikenessMatrix::pairClicked, this, [this](std::int64_t first, std::int64_t second) {
        std::vector<std::int64_t> heads = {std::min(first, second)};
        if (first != second)
            heads.push_back(std::max(first, second));
        Q_EMIT headsClicked(heads);
    });
    connect(m_plane, &HeadPlane::headClicked, this, [this](std::int64_t head) { Q_EMIT headsClicked({head}); });
}

void HeadsView::setModel(const ModelInfo& info, const viz::HeadPalette& palette)
{
    m_info = info;
    m_palette = palette;
    m_heads.resize(static_cast<std::size_t>(info.heads));
    std::iota(m_heads.begin(), m_heads.end(), 0);
    m_model->setModel(info, palette);
    m_proxy->setShownHeads(m_heads);
    m_unit->setVisible(m_model->grouped());
    {
        const QSignalBlocker quiet(m_unit);
        m_unit->setCurrentIndex(0);
    }
    m_table->setRootIsDecorated(m_model->grouped());
    m_table->expandAll();
    fitColumns();
    setMask({});
    setCurve({}, false);
    setReport(nullptr);
}

void HeadsView::fitColumns()
{
    // As wide as the title with the arrow of the order beside it; numbers are narrower.
    const QFontMetrics metrics(m_table->header()->font());
    constexpr int kAround = 28; // margins and the arrow
    m_table->setColumnWidth(HeadTableModel::HeadColumn, 132);
    for (int column = HeadTableModel::StrengthColumn; column < HeadTableModel::TopicColumn; ++column)
        m_table->setColumnWidth(column,
                                kAround + metrics.horizontalAdvance(
                                              m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()));
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
    refreshPictures();
}

void HeadsView::setReport(std::shared_ptr<const HeadReport> report)
{
    if (report != nullptr && !Border::instance().admits(report->origin, "a report on heads"))
        report = nullptr;
    m_report = std::move(report);
    m_pages->setFilled(m_report != nullptr);
    m_model->setReport(m_report);
    refreshOf();
    refreshPictures();
    noteCanvasChanged(this);
}

QString HeadsView::summary() const
{
    if (m_report == nullptr || !m_pages->pageShown())
        return tr("No heads are described.");
    QString text = tr("Statistics of %1.").arg(m_of->text());
    if (m_mask)
        text += tr(" Match at 5: %1, with the heads that are on %2.").arg(valueText(1, false), valueText(1, true));
    return text;
}

EmptyState* HeadsView::emptyState() const
{
    return m_pages->emptyState();
}

void HeadsView::setShownHeads(const std::vector<std::int64_t>& heads)
{
    m_heads = heads;
    m_pages->setAnyHead(!heads.empty());
    m_model->setShownHeads(heads);
    m_proxy->setShownHeads(heads);
    m_table->expandAll();
    refreshOf();
    refreshPictures();
}

void HeadsView::refreshOf()
{
    if (m_report == nullptr)
        return;
    QString of = tr("%1 · %2").arg(chosenHeadsText(std::ssize(m_heads), m_info.heads),
                                   overText(m_report->documents, m_report->allDocuments));
    if (!m_report->notice.empty())
        of += tr(" · %1").arg(toQString(m_report->notice));
    m_of->setText(of);
}

void HeadsView::refreshPictures()
{
    if (m_report == nullptr || !m_report->redundancy)
    {
        m_matrix->clear();
        m_plane->clear();
        return;
    }
    const HeadRedundancy& alike = *m_report->redundancy;
    const HeadPlanes& planes = m_report->planes;
    const MatrixD* values[] = {&alike.cka, &alike.meanCosine, &alike.neighborOverlap};
    const MatrixD* places[] = {&planes.cka, &planes.meanCosine, &planes.neighborOverlap};
    const int chosen = m_likeness->currentIndex();
    m_matrix->setLikeness(*values[chosen], m_likeness->currentText(), m_info, m_palette, m_heads);
    m_plane->setPlane(m_report, *places[chosen], m_info, m_palette, m_heads);
}

HeadsView::Likeness HeadsView::likeness() const
{
    return static_cast<Likeness>(m_likeness->currentIndex());
}

void HeadsView::setEmpty(const QString& title, const QString& text, const QString& action, bool isError)
{
    m_pages->emptyState()->setMessage(title, text, action, isError);
}

void HeadsView::setKept(const std::vector<bool>& kept)
{
    m_model->setKept(kept);
    m_plane->setKept(kept);
    const bool any = std::find(kept.begin(), kept.end(), false) != kept.end();
    m_allOn->setEnabled(any);
    m_saveMask->setEnabled(any && std::find(kept.begin(), kept.end(), true) != kept.end());
}

void HeadsView::setHistory(bool canUndo, bool canRedo)
{
    m_undo->setEnabled(canUndo);
    m_redo->setEnabled(canRedo);
}

void HeadsView::setMask(const std::optional<MaskValues>& values)
{
    m_mask = values && Border::instance().admits(values->origin, "what heads are good for") ? values : std::nullopt;
    refreshMask();
    noteCanvasChanged(this);
}

void HeadsView::refreshMask()
{
    const auto write = [this](int row, const std::optional<double>& all, const std::optional<double>& on) {
        m_all[row]->setText(all ? percent(*all) : QStringLiteral("–"));
        m_on[row]->setText(on ? percent(*on) : QStringLiteral("–"));
    };
    for (int i = 0; i < 3; ++i)
    {
        const auto at = static_cast<std::size_t>(i);
        write(i, m_mask ? std::optional(m_mask->matchAll[at]) : std::nullopt,
              m_mask ? std::optional(m_mask->match[at]) : std::nullopt);
    }
    write(3, m_mask ? m_mask->retrievalAll : std::nullopt, m_mask ? m_mask->retrieval : std::nullopt);
    write(4, m_mask ? m_mask->probeAll : std::nullopt, m_mask ? m_mask->probe : std::nullopt);
    if (!m_mask)
        return m_saved->setText({});
    const QString over = overText(m_mask->documents, m_mask->allDocuments);
    const auto off = std::count(m_mask->kept.begin(), m_mask->kept.end(), false);
    if (off == 0)
        return m_saved->setText(tr("An experiment %1: untick heads in the table. No other view changes.").arg(over));
    m_saved->setText(tr("%1 off, %2: %3 parameters and %4 bytes of KV cache a token less.")
                         .arg(countText(off, tr("head"), tr("heads")), over, countText(m_mask->parametersSaved),
                              countText(m_mask->kvBytesSaved)) %
                     (m_mask->kvBytesSaved == 0 ? tr(" Cache is saved only by whole KV groups.") : QString()));
}

void HeadsView::setCurve(std::vector<PruningStep> steps, bool groups)
{
    m_curve->setSteps(std::move(steps), groups ? tr("KV group") : tr("head"));
}

void HeadsView::setCurrentStep(std::optional<std::int64_t> off)
{
    m_curve->setCurrent(off);
}

void HeadsView::setHoveredHead(std::optional<std::int64_t> head)
{
    m_matrix->setHoveredHead(head);
    m_plane->setHoveredHead(head);
}

bool HeadsView::byGroups() const
{
    return m_unit->currentIndex() == 1;
}

QString HeadsView::valueText(int row, bool on) const
{
    return on ? m_on[row]->text() : m_all[row]->text();
}

} // namespace headscope::ui

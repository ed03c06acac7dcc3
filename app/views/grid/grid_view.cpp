// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/grid/grid_view.h"

#include "app/views/grid/bind_grid.h"
#include "app/views/grid/map_grid.h"
#include "ui/canvas/grow_overlay.h"
#include "ui/canvas/legend/legend_panel.h"
#include "ui/canvas/scatter/scatter_tools.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/models/run_list_model.h"
#include "ui/state/bind_canvas.h"
#include "ui/state/origin_guard.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headscope::ui
{

GridView::GridView(QWidget* parent) : View(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_page = new QWidget(this);
    m_stack = new QStackedLayout(m_page);
    m_empty = new EmptyState(m_page);
    m_cells = new QWidget(m_page);
    m_cells->setObjectName(QStringLiteral("canvas"));
    m_cells->setAttribute(Qt::WA_StyledBackground);
    auto* cellsLayout = new QHBoxLayout(m_cells);
    cellsLayout->setContentsMargins(0, 0, 0, 0);
    cellsLayout->setSpacing(0);
    m_scroll = new QScrollArea(m_cells);
    m_scroll->setObjectName(QStringLiteral("gridScroll"));
    m_scroll->setAccessibleName(tr("Grid of maps, scrolled"));
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_grid = new MapGrid;
    m_scroll->setWidget(m_grid);
    m_scroll->viewport()->installEventFilter(this);
    m_legend = new LegendPanel(m_cells);
    cellsLayout->addWidget(m_scroll, 1);
    cellsLayout->addWidget(m_legend);
    buildFullPage();
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_cells);
    m_stack->addWidget(m_fullPage);
    m_overlay = new GrowOverlay(m_page);
    m_bar = new GridBar(this);
    layout->addWidget(m_page, 1);
    layout->addWidget(m_bar);
    m_bar->hide();
    bind(viewState(), QStringLiteral("scatter0"), *m_full);
    bind(viewState(), QStringLiteral("grid0"), *m_grid);
    bindSearch(viewState(), *m_legend->card());
    m_bar->bindTo(viewState());
    connectGrid();
}

GridView::~GridView()
{
    m_scroll->viewport()->removeEventFilter(this);
    m_full->removeEventFilter(this);
}

bool GridView::catchingUp() const
{
    return m_full->catchingUp();
}

void GridView::buildFullPage()
{
    m_fullPage = new QWidget(m_page);
    m_fullPage->setObjectName(QStringLiteral("canvas"));
    m_fullPage->setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(m_fullPage);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* head = new QWidget(m_fullPage);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(Metrics::kPanel, Metrics::kRelated, Metrics::kPanel, Metrics::kRelated);
    row->setSpacing(Metrics::kRelated);
    m_back = new QPushButton(tr("Back to the grid"), head);
    m_back->setObjectName(QStringLiteral("gridBack"));
    m_back->setToolTip(tr("Return the map to its cell (Escape)"));
    const auto square = [head](const QString& name, const QString& tip) {
        auto* button = new QPushButton(head);
        button->setObjectName(name);
        button->setProperty("square", true);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        return button;
    };
    m_previous = square(QStringLiteral("gridPrevious"), tr("Previous cell (Page Up)"));
    m_next = square(QStringLiteral("gridNext"), tr("Next cell (Page Down)"));
    m_title = new QLabel(head);
    m_title->setObjectName(QStringLiteral("gridTitle"));
    m_title->setFont(Theme::bodyFont(true));
    m_numbers = makeMutedLabel({}, head);
    m_numbers->setObjectName(QStringLiteral("gridNumbers"));
    for (QWidget* widget : std::initializer_list<QWidget*>{m_back, m_previous, m_next, m_title, m_numbers})
        row->addWidget(widget, 0, Qt::AlignVCenter);
    row->addStretch(1);
    m_full = new ScatterWidget(m_fullPage);
    m_full->setObjectName(QStringLiteral("gridFull"));
    m_full->setAccessibleName(tr("Map of one cell"));
    m_full->tools()->setPointsOffered(false); // a document has one there
    m_full->installEventFilter(this);
    layout->addWidget(head);
    layout->addWidget(m_full, 1);
    connect(m_back, &QPushButton::clicked, this, &GridView::closeCell);
    connect(m_previous, &QPushButton::clicked, this, [this] { stepCell(-1); });
    connect(m_next, &QPushButton::clicked, this, [this] { stepCell(1); });
    onThemeChange(this, [this] {
        m_previous->setIcon(Theme::instance().icon(QStringLiteral("back")));
        m_next->setIcon(Theme::instance().icon(QStringLiteral("forward")));
    });
}

void GridView::connectGrid()
{
    useEmptyState(m_empty);
    connect(m_grid, &MapGrid::cellOpened, this, &GridView::openCell);
    connect(m_grid, &MapGrid::documentClicked, this, &GridView::documentClicked);
    connect(m_grid, &MapGrid::documentHovered, this, &GridView::documentHovered);
    connect(m_grid, &MapGrid::choiceCleared, this, &GridView::choiceCleared);
    connect(m_grid, &MapGrid::currentCellChanged, this, [this] {
        if (const auto cell = m_grid->currentCell())
        {
            const QRect box = m_grid->gridLayout().cell(*cell).toAlignedRect();
            m_scroll->ensureVisible(box.center().x(), box.center().y(), 0, box.height() / 2 + Metrics::kPanel);
        }
    });
    connect(m_full, &ScatterWidget::documentClicked, this, [this](DocumentIndex document, HeadIndex head) {
        const bool full = m_opened && !m_grid->contents().cells[*m_opened].edge;
        Q_EMIT documentClicked(document, full ? std::nullopt : std::optional(head));
    });
    connect(m_full, &ScatterWidget::documentsPicked, this, &GridView::documentsPicked);
    connect(m_full, &ScatterWidget::documentHovered, this, &GridView::documentHovered);
    connect(m_full, &ScatterWidget::choiceCleared, this, &GridView::closeCell);
    connect(m_bar, &GridBar::linkedChanged, m_grid, &MapGrid::setLinked);
    connect(m_legend, &LegendPanel::isolatedChanged, this, [this] {
        std::optional<std::uint16_t> shown;
        if (const auto& coloring = m_grid->points().coloring(); coloring && m_legend->isolated())
            if (const auto* categories = std::get_if<viz::CategoryLegend>(&coloring->legend.content))
                for (const auto& entry : categories->entries)
                    if (entry.code == *m_legend->isolated())
                        shown = entry.colorIndex;
        m_grid->setIsolated(shown);
    });
}

bool GridView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_scroll->viewport() && event->type() == QEvent::Resize)
        m_grid->setRoom(m_scroll->viewport()->size());
    if (watched == m_full && event->type() == QEvent::KeyPress)
    {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_PageUp || key == Qt::Key_PageDown)
        {
            stepCell(key == Qt::Key_PageUp ? -1 : 1);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

std::shared_ptr<const HeadMapSet> GridView::set() const
{
    return m_grid->set();
}

void GridView::setSet(std::shared_ptr<const HeadMapSet> set)
{
    if (set != nullptr && !OriginGuard::instance().admits(*set))
        set = nullptr;
    const std::size_t before = m_grid->contents().cells.size();
    m_grid->setSet(std::move(set));
    if (m_opened && (this->set() == nullptr || m_grid->contents().cells.size() != before))
    {
        m_opened.reset();
        m_full->setMap(nullptr);
        Q_EMIT openedChanged();
    }
    if (this->set() == nullptr)
        m_stack->setCurrentWidget(m_empty);
    else if (!m_opened && m_stack->currentWidget() != m_cells)
        m_stack->setCurrentWidget(m_cells);
    if (m_opened)
        refreshFull();
    refreshShown();
}

void GridView::setPalette(const viz::HeadPalette& palette)
{
    m_grid->setPalette(palette);
    if (m_opened)
        m_full->setColoring(m_grid->points().coloringOf(m_grid->contents().cells[*m_opened].map));
}

void GridView::setColoring(std::optional<viz::PointColoring> coloring)
{
    std::optional<viz::Legend> legend;
    if (coloring)
        legend = coloring->legend;
    m_legend->setLegend(std::move(legend));
    m_grid->setColoring(std::move(coloring));
    if (m_opened)
        m_full->setColoring(m_grid->points().coloringOf(m_grid->contents().cells[*m_opened].map));
}

void GridView::setMapColorings(std::vector<std::optional<viz::PointColoring>> own,
                               const std::optional<viz::Legend>& legend)
{
    m_grid->setColoring({});
    m_grid->setMapColorings(std::move(own));
    m_legend->setLegend(legend);
    if (m_opened)
        m_full->setColoring(m_grid->points().coloringOf(m_grid->contents().cells[*m_opened].map));
}

void GridView::setChosen(const std::vector<std::int64_t>& documents)
{
    m_grid->setChosen(documents);
    m_full->setChosen(documents);
}

void GridView::setShownOnly(const std::vector<std::int64_t>& documents)
{
    m_grid->setShownOnly(documents);
    m_full->setShownOnly(documents);
}

void GridView::setPrimary(std::optional<DocumentIndex> document, std::optional<HeadIndex> head)
{
    m_grid->setPrimary(document);
    m_full->setPrimary(document, head);
}

void GridView::setHovered(std::optional<DocumentIndex> document)
{
    m_grid->setHovered(document);
    m_full->setHovered(document);
}

std::shared_ptr<const HeadMap> GridView::mapOf(std::size_t cell) const
{
    const auto all = set();
    const HeadMap& map = all->maps[m_grid->contents().cells[cell].map].map;
    return {all, &map};
}

void GridView::refreshFull()
{
    auto map = mapOf(*m_opened);
    if (map->points->head.size() != map->points->document.size())
    {
        // The full vector is of no head; the canvas wants a number for each point.
        if (m_fullIdsOf != map->points)
        {
            auto ids = std::make_shared<PointIds>(*map->points);
            ids->head.assign(ids->document.size(), 0);
            m_fullIdsOf = map->points;
            m_fullIds = std::move(ids);
        }
        auto numbered = std::make_shared<HeadMap>(*map);
        numbered->points = m_fullIds;
        map = std::move(numbered);
    }
    const bool otherPoints = m_full->map() == nullptr || m_full->map()->points != map->points;
    m_full->setMap(map);
    const viz::GridCell& cell = m_grid->contents().cells[*m_opened];
    if (otherPoints)
        m_full->setColoring(m_grid->points().coloringOf(cell.map));
    m_title->setText(viz::mapTitle(*map));
    m_numbers->setText(cell.numbers);
    m_previous->setEnabled(*m_opened > 0);
    m_next->setEnabled(*m_opened + 1 < m_grid->contents().cells.size());
}

QRect GridView::cellRect(std::size_t cell) const
{
    const QRect inGrid = m_grid->gridLayout().plot(cell).toAlignedRect();
    return {m_grid->mapTo(m_page, inGrid.topLeft()), inGrid.size()};
}

void GridView::openCell(std::size_t cell)
{
    if (set() == nullptr || cell >= m_grid->contents().cells.size())
        return;
    m_grid->setCurrentCell(cell);
    m_grid->hoverCard()->hide(); // it would be in the picture that grows
    const bool step = m_opened.has_value();
    m_opened = cell;
    m_fullPage->setGeometry(m_page->rect());
    m_fullPage->layout()->activate();
    m_full->setLegendShown(m_grid->points().coloring().has_value());
    refreshFull();
    if (m_grid->moved())
    {
        const viz::ViewTransform& view = m_grid->view(cell);
        const QSizeF from = view.viewSize();
        const QSizeF to(m_full->size());
        const double grown = std::min(to.width() / from.width(), to.height() / from.height());
        m_full->setView(viz::ViewTransform(view.centre(), view.scale() * grown, to));
    }
    const auto show = [this] {
        if (!m_opened)
            return;
        m_stack->setCurrentWidget(m_fullPage);
        m_full->setFocus();
    };
    if (step)
        show();
    else
        m_overlay->run(m_grid->grab(m_grid->gridLayout().plot(cell).toAlignedRect()), cellRect(cell),
                       m_fullPage->grab(), m_page->rect(), show);
    Q_EMIT openedChanged();
}

std::optional<viz::ItemHead> GridView::headShown() const
{
    return m_opened && set() != nullptr ? m_grid->headOf(*m_opened) : std::nullopt;
}

void GridView::closeCell()
{
    if (!m_opened)
        return;
    const std::size_t cell = *std::exchange(m_opened, std::nullopt);
    m_full->hoverCard()->hide();
    const QPixmap whole = m_fullPage->grab();
    m_stack->setCurrentWidget(m_cells);
    m_grid->setFocus();
    m_overlay->run(whole, m_page->rect(), m_grid->grab(m_grid->gridLayout().plot(cell).toAlignedRect()), cellRect(cell),
                   [] {});
    Q_EMIT openedChanged();
}

void GridView::stepCell(int step)
{
    if (!m_opened)
        return;
    const auto count = static_cast<std::int64_t>(m_grid->contents().cells.size());
    const std::int64_t next = static_cast<std::int64_t>(*m_opened) + step;
    if (next >= 0 && next < count)
        openCell(static_cast<std::size_t>(next));
}

QString GridView::shownText() const
{
    const auto all = set();
    if (all == nullptr)
        return {};
    QString text = tr("%1 · %2").arg(countText(static_cast<std::int64_t>(all->maps.size()), tr("cell"), tr("cells")),
                                     countText(m_grid->points().documents(), tr("document"), tr("documents")));
    if (const std::int64_t leftOut = all->maps.front().map.leftOut; leftOut > 0)
        text += QStringLiteral(" · ") % tr("%1 excluded (not finite)").arg(countText(leftOut));
    if (all->maps.front().map.floor)
        text += QStringLiteral(" · ") % tr("captions: neighbours preserved by other heads / by noise replicates");
    return text;
}

void GridView::refreshShown()
{
    m_bar->setShownText(shownText());
    const auto made = set();
    const bool begun = made != nullptr && !made->maps.empty() && made->maps.front().map.iteration > 0;
    m_bar->setMade(begun ? iterationsText(made->maps.front().map) : QString());
}

} // namespace headscope::ui

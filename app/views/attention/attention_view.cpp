// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/attention/attention_view.h"

#include "app/views/attention/attention_bar.h"
#include "app/views/attention/attention_text.h"
#include "app/views/attention/attention_text_row.h"
#include "app/views/attention/cell_column.h"
#include "app/views/attention/head_grid_picture.h"
#include "app/views/attention/head_panes.h"
#include "ui/canvas/canvas_summary.h"
#include "ui/canvas/panned_widget.h"
#include "ui/state/bind_controls.h"
#include "ui/state/origin_guard.h"
#include "ui/theme/theme.h"
#include "ui/view/view_pages.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"

#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

bool hasHead(const AttentionRun& run, AttentionHead place)
{
    return run.placeOf(place.layer) && place.head.value() >= 0 && place.head.value() < run.model.heads;
}

} // namespace

AttentionView::AttentionView(QWidget* parent) : View(parent)
{
    setObjectName(QStringLiteral("attentionView"));
    setAccessibleName(tr("Attention"));
    setCanvasSummary(this, [this] { return summary(); });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_row = new AttentionTextRow(this);
    layout->addWidget(m_row);
    m_pages = new ViewPages(this);
    buildPage(m_pages->page());
    layout->addWidget(m_pages, 1);
    m_bar = new AttentionBar(this);
    layout->addWidget(m_bar);
    m_bar->hide();
    m_row->bindTo(viewState());
    bind(viewState(), QStringLiteral("attentionColumns"), *m_columns);
    m_numbers->bindTo(viewState());
    m_bar->bindTo(viewState());
    connectParts();
    setEmpty(tr("No text yet"),
             tr("Type a sentence above, or select a stored run, to see which tokens each head attends to."));
    refresh();
}

void AttentionView::buildPage(QWidget* page)
{
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(Metrics::kPanel, 0, 0, 0);
    m_columns = new QSplitter(Qt::Horizontal, page);
    m_columns->setObjectName(QStringLiteral("attentionColumns"));
    m_columns->setHandleWidth(1);
    m_columns->setChildrenCollapsible(false);
    m_grid = new PannedOf<HeadGridPicture>(m_columns);
    m_panes = new HeadPanes(m_columns);
    m_numbers = new CellColumn(m_columns);
    for (QWidget* part :
         {static_cast<QWidget*>(m_grid), static_cast<QWidget*>(m_panes), static_cast<QWidget*>(m_numbers)})
        m_columns->addWidget(part);
    m_columns->setStretchFactor(1, 1);
    layout->addWidget(m_columns);
    connect(m_columns, &QSplitter::splitterMoved, this, [this] { m_columnsMoved = true; });
}

void AttentionView::connectParts()
{
    connect(m_row, &AttentionTextRow::textAsked, this, &AttentionView::textAsked);
    connect(m_row, &AttentionTextRow::documentWanted, this, &AttentionView::documentWanted);
    connect(m_row, &AttentionTextRow::storedWanted, this, &AttentionView::storedWanted);
    connect(m_row, &AttentionTextRow::modelRequested, this, &AttentionView::modelRequested);
    connect(m_row, &AttentionTextRow::stopRequested, this, &AttentionView::stopRequested);
    useEmptyState(m_pages);
    connect(m_pages, &ViewPages::pageShownChanged, m_bar, &QWidget::setVisible);
    connect(m_grid, &PictureWidget::itemClicked, this, [this](std::size_t item, Qt::KeyboardModifiers keys) {
        const AttentionHead head = m_grid->picture().headOf(item);
        keys.testFlag(Qt::ControlModifier) ? togglePin(head) : choose(head);
    });
    connect(m_grid, &PannedWidget::itemReached, this,
            [this](std::size_t item) { choose(m_grid->picture().headOf(item)); });
    connect(m_panes, &HeadPanes::pinAsked, this, &AttentionView::togglePin);
    connect(m_panes, &HeadPanes::tokenClicked, this, &AttentionView::clickToken);
    connect(m_panes, &HeadPanes::tokenReached, this, [this](viz::LineEnd end) {
        const bool reads = end.side == viz::LineEnd::Side::Reading;
        const TokenIndex token(end.token);
        keepCell(reads ? std::optional(token) : std::nullopt, reads ? mostReadBy(token) : std::optional(token));
    });
    connect(m_panes, &HeadPanes::cellChosen, this, [this](std::optional<viz::WeightCell> cell) {
        keepCell(cell ? std::optional(TokenIndex(cell->reading)) : std::nullopt,
                 cell ? std::optional(TokenIndex(cell->read)) : std::nullopt);
    });
    connect(m_numbers, &CellColumn::switchOffWanted, this, &AttentionView::switchOffWanted);
    connect(m_numbers, &CellColumn::movedDocumentsWanted, this, &AttentionView::movedDocumentsWanted);
    connect(m_bar, &AttentionBar::lookChanged, this, [this] {
        refresh();
        fitColumns();
        Q_EMIT stateChanged();
    });
    onThemeChange(this, [this] { refreshKey(); });
}

void AttentionView::setText(const QString& text)
{
    m_row->setText(text);
}

QString AttentionView::text() const
{
    return m_row->text();
}

void AttentionView::setModel(const QString& model, const QString& need)
{
    m_row->setModel(model, need);
}

void AttentionView::setStoredRuns(const std::vector<StoredRunEntry>& runs)
{
    m_row->setStoredRuns(runs);
}

void AttentionView::setDocumentAllowed(bool allowed, const QString& why)
{
    m_row->setDocumentAllowed(allowed, why);
}

void AttentionView::setDocumentsAllowed(bool allowed)
{
    m_numbers->setDocumentsAllowed(allowed);
}

void AttentionView::setBusy(const QString& text)
{
    m_row->setBusy(text);
}

void AttentionView::setProblem(const QString& sentence)
{
    if (!sentence.isEmpty())
    {
        m_asked.clear(); // what was asked for did not come: it is asked for again when it is to be shown
        m_askedVectors.clear();
    }
    m_row->setProblem(sentence);
}

void AttentionView::setNote(const QString& text)
{
    m_row->setNote(text);
}

bool AttentionView::setRun(AttentionRunPtr run)
{
    if (run != nullptr && run->document &&
        (!OriginGuard::instance().admits(run->documentOrigin, "the attention of a document") ||
         !OriginGuard::instance().hasDocument(*run->document)))
        return false;
    const bool same = m_run != nullptr && run != nullptr && m_run->origin == run->origin;
    const bool sameTokens = m_run != nullptr && run != nullptr && m_run->ids == run->ids;
    m_run = std::move(run);
    if (!same)
    {
        if (!sameTokens) // else a head was switched: the same cell is compared
        {
            m_reading.reset();
            m_read.reset();
        }
        m_asked.clear();
        m_askedVectors.clear();
        m_row->setProblem({});
        m_numbers->setSwitchedOff({}, {}, {});
        m_grid->picture().setOff({});
        if (m_run != nullptr)
        {
            std::erase_if(m_pinned, [this](AttentionHead place) { return !hasHead(*m_run, place); });
            if (m_run->tokenCount() == 1)
                m_reading = m_read = TokenIndex(0);
        }
    }
    if (m_run != nullptr && !m_run->layers.empty() && (!m_chosen || !hasHead(*m_run, *m_chosen)))
        m_chosen = AttentionHead{m_run->layers[m_run->layers.size() / 2], HeadIndex(0)};
    if (m_run != nullptr)
    {
        m_bar->setMeasures(measuresOf(*m_run));
        m_bar->setRunText(runText(*m_run));
    }
    m_grid->picture().setRun(m_run);
    m_pages->setFilled(m_run != nullptr && m_run->tokenCount() > 0 && !m_run->layers.empty());
    refresh();
    if (!same)
        fitColumns();
    return true;
}

void AttentionView::setChosen(LayerIndex layer, HeadIndex head)
{
    const AttentionHead place{layer, head};
    if (m_run != nullptr && !hasHead(*m_run, place))
        return;
    if (std::exchange(m_chosen, place) == place)
        return;
    refresh();
}

void AttentionView::setPinned(const std::vector<AttentionHead>& heads)
{
    m_pinned.clear();
    for (const AttentionHead& place : heads)
        if (m_pinned.size() + 1 < HeadPanes::kMost && (m_run == nullptr || hasHead(*m_run, place)))
            m_pinned.push_back(place);
    refresh();
}

void AttentionView::setCell(std::optional<TokenIndex> reading, std::optional<TokenIndex> read)
{
    const auto inside = [this](std::optional<TokenIndex> token) {
        return token && m_run != nullptr && token->value() >= 0 && token->value() < m_run->tokenCount() ? token
                                                                                                        : std::nullopt;
    };
    m_reading = inside(reading);
    m_read = inside(read);
    m_panes->setCell(m_reading, m_read);
    refreshNumbers();
}

AttentionLook AttentionView::look() const
{
    return m_bar->look();
}

void AttentionView::setLook(const AttentionLook& look)
{
    m_bar->setLook(look);
    refresh();
}

void AttentionView::setSwitchedOff(const QString& text, LayerIndex layer, const std::vector<HeadIndex>& heads)
{
    m_numbers->setSwitchedOff(text, layer, heads);
    std::vector<AttentionHead> off;
    for (const HeadIndex head : text.isEmpty() ? std::vector<HeadIndex>() : heads)
        off.push_back({layer, head});
    m_grid->picture().setOff(off);
}

void AttentionView::setSwitchOffAllowed(bool allowed, const QString& why)
{
    m_numbers->setSwitchOffAllowed(allowed, why);
}

viz::AttentionFigure AttentionView::figure() const
{
    const AttentionLook now = shownLook();
    viz::AttentionFigure figure;
    figure.run = m_run;
    if (m_chosen)
    {
        figure.layer = m_chosen->layer;
        figure.head = m_chosen->head;
    }
    for (const AttentionHead& place : m_pinned)
        if (place != m_chosen)
            figure.beside.emplace_back(place.layer, place.head);
    figure.heads = now.heads;
    figure.lines = now.lines;
    figure.matrix = now.matrix;
    figure.withoutFirst = now.withoutFirst;
    figure.overlay = now.overlay;
    figure.measure = now.measure;
    figure.reading = m_reading;
    figure.read = m_read;
    return figure;
}

QString AttentionView::summary() const
{
    if (m_run == nullptr || !m_pages->pageShown())
        return tr("No text shown.");
    QStringList parts{runText(*m_run)};
    if (m_chosen)
        parts << placeText(*m_chosen) % QStringLiteral(", ") % sharingText(m_run->model, m_chosen->head);
    if (m_reading && m_read)
        parts << readsText(*m_run, *m_reading, *m_read);
    for (const HeadPane* pane : m_panes->panes())
        if (!pane->waiting().isEmpty())
            parts << pane->waiting();
    return parts.join(QStringLiteral(". "));
}

} // namespace headscope::ui

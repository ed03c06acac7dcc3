// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/circuits/circuits_view.h"

#include "app/views/circuits/pair_row.h"
#include "ui/canvas/canvas_summary.h"
#include "ui/state/bind_controls.h"
#include "ui/state/origin_guard.h"
#include "ui/theme/theme.h"
#include "ui/view/view_pages.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"
#include "ui/words/wording.h"
#include "viz/circuits/circuit_text.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr std::size_t kEdges = 30; ///< of the graph

std::size_t at(CircuitPage page)
{
    return static_cast<std::size_t>(page);
}

/// What the numbers of a page are, and what they are not.
QString explanation(CircuitPage page, const CircuitResult& result)
{
    if (const ContributionsResult* found = result.contributions(); found != nullptr)
    {
        const QString norms =
            found->frozen
                ? CircuitsView::tr(" An approximation: the norms of this encoder are frozen at each token’s values.")
                : CircuitsView::tr(" The final norm is frozen at each token’s value; the sum is exact.");
        return (page == CircuitPage::Pair
                    ? CircuitsView::tr(
                          "Each line is the part of the first document times the vector of the second. All "
                          "lines sum to the cosine. Click a layer to unfold its heads.")
                    : CircuitsView::tr(
                          "Each cell is a head’s part along the document’s vector, mean over documents. All "
                          "parts sum to 1.")) %
               norms %
               CircuitsView::tr(" Only direct contributions count: what later layers compute from them is theirs.");
    }
    if (result.composition() != nullptr)
        return CircuitsView::tr(
            "From the weights alone: how much of what a head writes a later head can read. It shows "
            "what could flow, not what flows in a text. Click two layers to see their heads.");
    const LensTables& lens = *result.lens();
    return (lens.weights
                ? CircuitsView::tr("From the weights alone: the logits of what a head writes when it reads the token "
                                   "(OV), and the tokens whose keys and queries match the token best (QK). Heads of a "
                                   "KV group read the same keys and values.")
                : CircuitsView::tr(
                      "Tokens whose logits a head raises or lowers most. Heads of a KV group read the same values "
                      "and write through their own output projections.")) %
           (lens.unembedding == "output head"
                ? CircuitsView::tr(" Logits are those of the output head.")
                : CircuitsView::tr(" Logits are those of the token embeddings, as the model has no output head.")) %
           CircuitsView::tr(" Bars: size of the logit or score, relative to the largest of the list. A dot (·) in a "
                            "token is a blank. A reading aid.");
}

} // namespace

CircuitsView::CircuitsView(QWidget* parent)
    : View(parent), m_form([this](Fields& f) { fields(f, m_choices); }, QStringLiteral("circuits"), this)
{
    setObjectName(QStringLiteral("circuitsView"));
    setAccessibleName(tr("Circuits"));
    setCanvasSummary(this, [this] { return summary(); });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(Metrics::kRelated, Metrics::kGrid, Metrics::kPanel, 0);
    row->setSpacing(Metrics::kGrid);
    m_buttons = new QButtonGroup(this);
    const std::array<std::array<QString, 2>, kCircuitPages.size()> names = {
        {{tr("Two documents"), tr("Why two documents are similar: what each head adds to their cosine")},
         {tr("Contributions"), tr("What each head adds to the vectors of documents")},
         {tr("Composition"), tr("Which heads read what earlier heads write, from the weights")},
         {tr("Tokens"), tr("What each head of a layer says in tokens of the vocabulary")}}};
    constexpr std::array<const char*, kCircuitPages.size()> kNames = {"circuitsPair", "circuitsCorpus",
                                                                      "circuitsComposition", "circuitsTokens"};
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        QToolButton* button = makePageButton(kNames[i], names[i][0], names[i][1], this);
        m_buttons->addButton(button, static_cast<int>(i));
        row->addWidget(button);
        bind(viewState(), QString::fromLatin1(kNames[i]), *button);
    }
    row->addStretch(1);
    m_buttons->button(0)->setChecked(true);
    layout->addLayout(row);
    buildPages();
    layout->addWidget(m_pages, 1);
    buildBar();
    layout->addWidget(m_bar);
    useEmptyState(m_pages);
    connectPictures();
    connect(m_buttons, &QButtonGroup::idToggled, this, [this](int, bool checked) {
        if (!checked)
            return;
        refresh();
        Q_EMIT pageChanged();
    });
    refresh();
}

QScrollArea* CircuitsView::scrolled(QWidget* content) const
{
    auto* scroll = new QScrollArea(m_stack);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* around = new QWidget(scroll);
    auto* layout = new QVBoxLayout(around);
    layout->setContentsMargins(Metrics::kPanel, Metrics::kRelated, Metrics::kPanel, Metrics::kPanel);
    layout->addWidget(content);
    around->setAutoFillBackground(false);
    scroll->setWidget(around);
    scroll->viewport()->setAutoFillBackground(false);
    return scroll;
}

void CircuitsView::buildPages()
{
    m_pages = new ViewPages(this);
    auto* page = new QVBoxLayout(m_pages->page());
    page->setContentsMargins(0, 0, 0, 0);
    page->setSpacing(0);
    m_pairRow = new PairRow(m_pages->page());
    connect(m_pairRow, &PairRow::firstRequested, this, &CircuitsView::firstRequested);
    connect(m_pairRow, &PairRow::secondRequested, this, &CircuitsView::secondRequested);
    connect(m_pairRow, &PairRow::swapRequested, this, &CircuitsView::swapRequested);
    page->addWidget(m_pairRow);
    m_explains = makeMutedLabel({}, m_pages->page());
    m_explains->setObjectName(QStringLiteral("circuitsExplains"));
    m_explains->setWordWrap(true);
    m_explains->setContentsMargins(Metrics::kPanel, Metrics::kRelated, Metrics::kPanel, 0);
    page->addWidget(m_explains);
    m_stack = new QStackedWidget(m_pages->page());
    m_waterfall = new PictureOf<viz::WaterfallPicture>(m_stack);
    m_grid = new PictureOf<viz::PartGridPicture>(m_stack);
    m_words = new PictureOf<viz::LensTable>(m_stack);
    auto* both = new QWidget(m_stack);
    auto* pair = new QVBoxLayout(both);
    pair->setContentsMargins(0, 0, 0, 0);
    pair->setSpacing(Metrics::kGroups);
    m_matrix = new PictureOf<viz::CompositionMatrix>(both);
    m_graph = new PictureOf<viz::CompositionGraph>(both);
    m_matrix->setMinimumHeight(360);
    m_graph->setMinimumHeight(300);
    pair->addWidget(m_matrix, 3);
    pair->addWidget(m_graph, 2);
    for (QWidget* content : std::initializer_list<QWidget*>{m_waterfall, m_grid, both, m_words})
        m_stack->addWidget(scrolled(content));
    page->addWidget(m_stack, 1);
}

void CircuitsView::buildBar()
{
    WrapRow* row = nullptr;
    QFrame* bar = makeViewBar(this, &row);
    m_bar = bar;
    m_run = new QPushButton(tr("Run"), bar);
    m_run->setObjectName(QStringLiteral("circuitsRun"));
    m_run->setToolTip(tr("Run the model again for this page"));
    m_stop = new QPushButton(tr("Stop"), bar);
    m_stop->setObjectName(QStringLiteral("circuitsStop"));
    m_stop->setToolTip(tr("Stop the run"));
    m_kind = m_form.makeNamed("kind", bar);
    m_center = m_form.makeAlone("center", bar);
    m_documents = m_form.makeNamed("documents", bar);
    m_weights = m_form.makeAlone("weights", bar);
    m_token = m_form.makeNamed("token", bar);
    m_read = new QComboBox(bar);
    m_read->setObjectName(QStringLiteral("circuitsRead"));
    m_read->setAccessibleName(tr("Token that is read"));
    m_read->setToolTip(tr("Token of the text whose lists are shown"));
    m_note = new ElidedLabel({}, bar);
    m_note->setObjectName(QStringLiteral("circuitsNote"));
    m_note->setProperty("role", QStringLiteral("muted"));
    m_note->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    for (QWidget* each :
         std::initializer_list<QWidget*>{m_run, m_stop, m_kind, m_weights, m_token, m_read, m_center, m_documents})
        row->addWidget(each);
    row->addWidget(m_note, 1);
    m_form.bindTo(viewState());
    bind(viewState(), QStringLiteral("circuitsRead"), *m_read);
    connect(m_run, &QPushButton::clicked, this, &CircuitsView::runRequested);
    connect(m_stop, &QPushButton::clicked, this, &CircuitsView::stopRequested);
    connect(&m_form, &FieldForm::edited, this, [this](const QString& key) {
        if (key == QStringLiteral("kind"))
            return showComposition();
        if (key == QStringLiteral("token"))
            return; // asked for by Return
        if (key == QStringLiteral("weights"))
            refresh();
        m_grid->picture().setResult(m_results[at(CircuitPage::Corpus)], m_choices.center); // both are in the result
        Q_EMIT optionsChanged();
    });
    auto* const line = qobject_cast<QLineEdit*>(m_form.editor("token"));
    connect(line, &QLineEdit::returnPressed, this, &CircuitsView::runRequested);
    connect(m_read, &QComboBox::activated, this, &CircuitsView::showTokens);
    m_stop->hide();
}

void CircuitsView::connectPictures()
{
    connect(m_waterfall, &PictureWidget::itemClicked, this, [this](std::size_t item) {
        const auto& rows = m_waterfall->picture().rows();
        if (item < rows.size() && rows[item].kind == viz::WaterfallRow::Kind::Part &&
            rows[item].part->kind == PartKind::Head)
            Q_EMIT headChosen(rows[item].part->layer, rows[item].part->head);
    });
    connect(m_grid, &PictureWidget::itemClicked, this, [this](std::size_t item) {
        const auto [layer, head] = m_grid->picture().headOf(item);
        Q_EMIT headChosen(layer, head);
    });
    connect(m_words, &PictureWidget::itemClicked, this, [this](std::size_t item) {
        Q_EMIT headChosen(m_words->picture().layer(), m_words->picture().headOf(item));
    });
    connect(m_graph, &PictureWidget::itemClicked, this, [this](std::size_t item) {
        const CompositionEdge& edge = m_graph->picture().edges()[item];
        m_matrix->picture().setLayers(std::pair(edge.fromLayer, edge.toLayer));
    });
}

CircuitPage CircuitsView::page() const
{
    return kCircuitPages[static_cast<std::size_t>(std::max(0, m_buttons->checkedId()))];
}

void CircuitsView::setPage(CircuitPage page)
{
    m_buttons->button(static_cast<int>(page))->setChecked(true);
}

void CircuitsView::setResult(CircuitPage page, const CircuitResultPtr& result)
{
    if (result && !OriginGuard::instance().admits(result->origin, "circuits"))
        return;
    m_results[at(page)] = result;
    switch (page)
    {
    case CircuitPage::Pair:
        m_waterfall->picture().setPair(result);
        break;
    case CircuitPage::Corpus:
        m_grid->picture().setResult(result, m_choices.center);
        break;
    case CircuitPage::Composition:
        showComposition();
        break;
    case CircuitPage::Tokens:
    {
        m_words->picture().setResult(result);
        m_read->clear();
        for (const std::string& read : m_words->picture().reads())
            m_read->addItem(viz::spelledToken(read), toQString(read));
        break;
    }
    }
    m_waiting[at(page)] = {};
    refresh();
    noteCanvasChanged(this);
}

void CircuitsView::showTokens()
{
    m_words->picture().setResult(m_results[at(CircuitPage::Tokens)], {}, toStdString(m_read->currentData().toString()));
    noteCanvasChanged(this);
}

const CircuitResultPtr& CircuitsView::result(CircuitPage page) const
{
    return m_results[at(page)];
}

void CircuitsView::showComposition()
{
    const CircuitResultPtr& result = m_results[at(CircuitPage::Composition)];
    const CompositionScores* scores = result ? result->composition() : nullptr;
    const auto kind = m_choices.compositionKind();
    const CompositionKind shown = kind.value_or(scores == nullptr ? CompositionKind::V : strongestKind(*scores));
    m_matrix->picture().setResult(result, shown);
    m_graph->picture().setResult(
        result,
        kind ? std::vector{shown} : std::vector<CompositionKind>(kCompositionKinds.begin(), kCompositionKinds.end()),
        kEdges);
}

void CircuitsView::setPair(const QString& first, const QString& second)
{
    m_pairRow->setTitles(first, second);
}

void CircuitsView::setDocumentAllowed(bool allowed)
{
    m_pairRow->setDocumentAllowed(allowed);
}

void CircuitsView::setWaiting(CircuitPage page, const QString& title, const QString& text, const QString& action,
                              bool isError)
{
    m_waiting[at(page)] = {title, text, action, isError};
    refresh();
}

void CircuitsView::refresh()
{
    const CircuitPage shown = page();
    const CircuitResultPtr& result = m_results[at(shown)];
    m_stack->setCurrentIndex(static_cast<int>(shown));
    m_pairRow->setVisible(shown == CircuitPage::Pair);
    m_explains->setText(result ? explanation(shown, *result) : QString());
    m_kind->setVisible(shown == CircuitPage::Composition);
    const bool ofWeights = shown == CircuitPage::Tokens && m_choices.weights;
    m_weights->setVisible(shown == CircuitPage::Tokens);
    m_token->setVisible(ofWeights);
    m_read->setVisible(ofWeights && m_read->count() > 1);
    m_center->setVisible(shown != CircuitPage::Composition && !ofWeights);
    m_documents->setVisible(shown != CircuitPage::Composition && !ofWeights);
    const Waiting& waiting = m_waiting[at(shown)];
    m_pages->setFilled(result != nullptr && waiting.title.isEmpty());
    if (!waiting.title.isEmpty())
        setEmpty(waiting.title, waiting.text, waiting.action, waiting.isError);
}

void CircuitsView::setRunning(bool running)
{
    showRunning(*m_run, *m_stop, running);
}

void CircuitsView::setNote(const QString& text)
{
    m_note->setFullText(text);
}

QString CircuitsView::note() const
{
    return m_note->fullText();
}

void CircuitsView::setMarkedHead(std::optional<std::pair<std::int64_t, std::int64_t>> head)
{
    m_grid->picture().setMarked(head);
}

PictureWidget* CircuitsView::picture() const
{
    switch (page())
    {
    case CircuitPage::Pair:
        return m_waterfall;
    case CircuitPage::Corpus:
        return m_grid;
    case CircuitPage::Composition:
        break;
    case CircuitPage::Tokens:
        return m_words;
    }
    return m_graph->hasFocus() ? static_cast<PictureWidget*>(m_graph) : m_matrix;
}

QString CircuitsView::summary() const
{
    if (!m_pages->pageShown())
        return tr("No circuits shown.");
    const viz::Picture& shown = picture()->shown();
    return shown.summary();
}

} // namespace headscope::ui

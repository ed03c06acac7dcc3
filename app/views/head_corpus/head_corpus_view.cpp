// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/head_corpus/head_corpus_view.h"

#include "app/views/head_corpus/activation_histogram.h"
#include "app/views/head_corpus/example_list.h"
#include "app/views/head_corpus/token_canvas.h"
#include "app/views/head_corpus/token_words.h"
#include "ui/canvas/canvas_summary.h"
#include "ui/state/bind_controls.h"
#include "ui/state/origin_guard.h"
#include "ui/theme/theme.h"
#include "ui/view/view_pages.h"
#include "ui/widgets/widgets.h"
#include "ui/widgets/wrap_row.h"
#include "ui/words/wording.h"
#include "viz/color/head_palette.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

std::size_t placeOf(TokenMapKind kind)
{
    return kind == TokenMapKind::QueriesAndKeys ? 0 : 1;
}

QComboBox* makeBox(const char* name, const QString& title, const QString& tip, QWidget* parent)
{
    auto* box = new QComboBox(parent);
    box->setObjectName(QLatin1StringView(name));
    box->setAccessibleName(title);
    box->setToolTip(tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    return box;
}

/// Buttons of which one is down, in a group with the ids 0, 1, ...
QButtonGroup* makeChoice(std::initializer_list<QToolButton*> buttons, QObject* parent)
{
    auto* group = new QButtonGroup(parent);
    for (QToolButton* button : buttons)
        group->addButton(button, static_cast<int>(group->buttons().size()));
    group->button(0)->setChecked(true);
    stopAtChecked(group);
    return group;
}

} // namespace

HeadCorpusView::HeadCorpusView(QWidget* parent)
    : View(parent), m_place([this](Fields& f) { fields(f, m_choices, m_model); }, QStringLiteral("headCorpus"), this),
      m_mapped([this](Fields& f) { fields(f, m_choices, m_model); }, QStringLiteral("map"), this)
{
    setObjectName(QStringLiteral("headCorpusView"));
    setAccessibleName(tr("Head over a corpus"));
    setCanvasSummary(this, [this] { return summary(); });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_pages = new ViewPages(this);
    auto* page = new QVBoxLayout(m_pages->page());
    page->setContentsMargins(0, 0, 0, 0);
    auto* splitter = new QSplitter(Qt::Horizontal, m_pages->page());
    splitter->setObjectName(QStringLiteral("headCorpusSplitter"));
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(1);
    splitter->addWidget(buildLeft());
    splitter->addWidget(buildRight());
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    page->addWidget(splitter);
    layout->addWidget(m_pages, 1);
    buildBar();
    layout->addWidget(m_bar);
    bind(viewState(), QStringLiteral("headCorpusSplitter"), *splitter);
    bindState();
    useEmptyState(m_pages);
    onThemeChange(this, [this] { refreshColors(); });
    setRunning(false);
}

void HeadCorpusView::bindState()
{
    bind(viewState(), QStringLiteral("tokenColors"), *m_colors);
    m_mapped.bindTo(viewState());
    bind(viewState(), QStringLiteral("mapQueriesKeys"), *m_maps->button(0));
    bind(viewState(), QStringLiteral("mapOutputs"), *m_maps->button(1));
    bind(viewState(), QStringLiteral("examplesStrongest"), *m_kinds->button(0));
    bind(viewState(), QStringLiteral("examplesDeciles"), *m_kinds->button(1));
    m_place.bindTo(viewState());
    bind(viewState(), QStringLiteral("headCorpusTexts"), *m_source);
}

QWidget* HeadCorpusView::buildLeft()
{
    auto* left = new QWidget(this);
    left->setMinimumWidth(250);
    auto* layout = new QVBoxLayout(left);
    layout->setContentsMargins(0, Metrics::kPanel, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    auto* head = new QVBoxLayout;
    head->setContentsMargins(Metrics::kPanel, 0, Metrics::kPanel, 0);
    head->setSpacing(Metrics::kGrid);
    m_title = new QLabel(left);
    m_title->setObjectName(QStringLiteral("headCorpusTitle"));
    m_title->setFont(Theme::bodyFont(true));
    m_facts = new ElidedLabel({}, left);
    m_facts->setObjectName(QStringLiteral("headCorpusFacts"));
    m_facts->setProperty("role", QStringLiteral("muted"));
    m_histogram = new PictureOf<ActivationHistogram>(left);
    m_histogram->setToolTip(
        tr("L2 norm of the head’s output z at every token. Click a bar to see examples from its decile."));
    head->addWidget(m_title);
    head->addWidget(m_facts);
    head->addWidget(m_histogram);
    layout->addLayout(head);
    auto* row = new WrapRow;
    row->setContentsMargins(Metrics::kPanel, 0, Metrics::kPanel, 0);
    row->setSpacing(Metrics::kGrid);
    auto* strongest = makePageButton("examplesStrongest", tr("Strongest"),
                                     tr("Tokens with the largest norm of z, at most 3 per document"), left);
    auto* deciles = makePageButton(
        "examplesDeciles", tr("Every decile"),
        tr("Random tokens from each decile of the norm of z, which show the typical behaviour of the head"), left);
    m_kinds = makeChoice({strongest, deciles}, this);
    row->addWidget(strongest);
    row->addWidget(deciles);
    layout->addLayout(row);
    m_exampleNote = makeMutedLabel({}, left);
    m_exampleNote->setObjectName(QStringLiteral("examplesNote"));
    m_exampleNote->setWordWrap(true);
    m_exampleNote->setContentsMargins(Metrics::kPanel, 0, Metrics::kPanel, 0);
    layout->addWidget(m_exampleNote);
    m_examples = new ExampleList(left);
    layout->addWidget(m_examples, 1);
    connect(m_kinds, &QButtonGroup::idClicked, this, [this] { refreshExamples(); });
    connect(m_histogram, &PictureWidget::itemClicked, this, [this](std::size_t decile) {
        if (exampleKind() != ExampleKind::Deciles)
        {
            m_kinds->button(1)->setChecked(true);
            refreshExamples();
        }
        m_examples->showDecile(decile);
    });
    connect(m_examples, &ExampleList::tokenChosen, this, &HeadCorpusView::chooseToken);
    connect(m_examples, &ExampleList::tokenCurrent, this, [this](std::int64_t token) {
        m_canvas->setMarkedToken(token);
        m_histogram->picture().setMarked(
            token >= 0 && m_corpus != nullptr
                ? std::optional(static_cast<double>(m_corpus->activations[static_cast<std::size_t>(token)]))
                : std::nullopt);
    });
    return left;
}

QWidget* HeadCorpusView::buildRight()
{
    auto* right = new QWidget(this);
    right->setMinimumWidth(270); // both next to the panels of a small window
    auto* layout = new QVBoxLayout(right);
    layout->setContentsMargins(0, Metrics::kPanel, 0, 0);
    layout->setSpacing(Metrics::kRelated);
    auto* row = new WrapRow;
    row->setContentsMargins(Metrics::kPanel, 0, Metrics::kPanel, 0);
    row->setSpacing(Metrics::kGrid);
    auto* joint = makePageButton("mapQueriesKeys", tr("Queries and keys"),
                                 tr("Queries (circles) and keys (triangles) in one map"), right);
    auto* outputs =
        makePageButton("mapOutputs", tr("Outputs"), tr("The outputs z of the head, one point per token"), right);
    m_maps = makeChoice({joint, outputs}, this);
    m_colors = makeBox("tokenColors", tr("Colour of the tokens"), tr("What the colours of the points show"), right);
    auto* tokens = qobject_cast<QComboBox*>(m_mapped.makeAlone("tokens", right));
    tokens->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    row->addWidget(makeTogether({joint, outputs}, Metrics::kGrid, right));
    row->addWidget(m_colors);
    row->addWidget(tokens);
    layout->addLayout(row);
    m_canvas = new TokenCanvas(right);
    layout->addWidget(m_canvas, 1);
    m_mapNote = makeMutedLabel({}, right);
    m_mapNote->setObjectName(QStringLiteral("tokenMapNote"));
    m_mapNote->setWordWrap(true);
    m_mapNote->setContentsMargins(Metrics::kPanel, 0, Metrics::kPanel, Metrics::kRelated);
    layout->addWidget(m_mapNote);
    connect(m_maps, &QButtonGroup::idClicked, this, [this] {
        refreshColors();
        refreshMap();
        if (m_mapOf[placeOf(mapKind())] == nullptr)
            Q_EMIT mapRequested();
    });
    connect(&m_mapped, &FieldForm::edited, this, &HeadCorpusView::mapRequested);
    connect(m_colors, &QComboBox::currentIndexChanged, this, [this] {
        m_canvas->setColor({static_cast<TokenColor>(m_colors->currentData().toInt()),
                            toStdString(m_colors->currentData(Qt::UserRole + 1).toString())});
    });
    connect(m_canvas, &TokenCanvas::tokenChosen, this, &HeadCorpusView::chooseToken);
    connect(m_canvas, &TokenCanvas::tokenHovered, this, [this](std::optional<std::int64_t> token) {
        Q_EMIT documentHovered(token ? documentOf(*token) : std::nullopt);
    });
    return right;
}

void HeadCorpusView::buildBar()
{
    WrapRow* row = nullptr;
    m_bar = makeViewBar(this, &row);
    m_asked =
        makeTogether({m_place.makeNamed("layer", m_bar), m_place.makeNamed("head", m_bar)}, Metrics::kRelated, m_bar);
    m_source = makeBox("headCorpusTexts", tr("Texts to record"), tr("Where the texts come from"), m_bar);
    m_source->addItem(tr("documents of this cache"));
    m_source->addItem(tr("texts of a file…"));
    m_run = new QPushButton(tr("Record activations"), m_bar);
    m_run->setObjectName(QStringLiteral("headCorpusRun"));
    m_run->setToolTip(
        tr("Run all texts through the model up to the layer of the head. You can stop and continue later."));
    m_stop = new QPushButton(tr("Stop"), m_bar);
    m_stop->setObjectName(QStringLiteral("headCorpusStop"));
    m_stop->setToolTip(tr("Stop recording. Finished documents are saved, and the next run continues from there."));
    m_note = new ElidedLabel({}, m_bar);
    m_note->setObjectName(QStringLiteral("headCorpusNote"));
    m_note->setProperty("role", QStringLiteral("muted"));
    m_note->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row->addWidget(m_asked);
    row->addWidget(m_source);
    row->addWidget(m_run);
    row->addWidget(m_stop);
    row->addWidget(m_note, 1);
    connect(&m_place, &FieldForm::edited, this, &HeadCorpusView::headChanged);
    connect(m_source, &QComboBox::activated, this, [this](int index) {
        if (index == static_cast<int>(CorpusChoice::File))
            Q_EMIT textsRequested();
        else
            Q_EMIT corpusChoiceChanged();
    });
    connect(m_run, &QPushButton::clicked, this, &HeadCorpusView::runRequested);
    connect(m_stop, &QPushButton::clicked, this, &HeadCorpusView::stopRequested);
    m_bar->setVisible(false);
}

void HeadCorpusView::setModel(const ModelInfo& model)
{
    m_model = model;
    m_choices.layer = std::clamp<std::int64_t>(m_choices.layer, 0, std::max<std::int64_t>(1, model.layers) - 1);
    m_choices.head = std::clamp<std::int64_t>(m_choices.head, 1, std::max<std::int64_t>(1, model.heads));
    m_place.refresh();
    m_bar->setVisible(true);
}

void HeadCorpusView::setHead(LayerIndex layer, HeadIndex head)
{
    m_place.set("layer", std::to_string(layer.value()));
    m_place.set("head", std::to_string(shownNumber(head)));
}

LayerIndex HeadCorpusView::layer() const
{
    return LayerIndex(m_choices.layer);
}

HeadIndex HeadCorpusView::head() const
{
    return indexFromShown<HeadIndex>(m_choices.head);
}

CorpusChoice HeadCorpusView::corpusChoice() const
{
    return static_cast<CorpusChoice>(m_source->currentIndex());
}

void HeadCorpusView::setTextsName(const QString& name)
{
    m_source->setItemText(static_cast<int>(CorpusChoice::File), name.isEmpty() ? tr("texts of a file…") : name);
}

void HeadCorpusView::chooseCacheDocuments()
{
    const QSignalBlocker blocked(m_source);
    m_source->setCurrentIndex(static_cast<int>(CorpusChoice::Cache));
}

void HeadCorpusView::chooseTextsFile()
{
    const QSignalBlocker blocked(m_source);
    m_source->setCurrentIndex(static_cast<int>(CorpusChoice::File));
}

TokenMapKind HeadCorpusView::mapKind() const
{
    return m_maps->checkedId() == 0 ? TokenMapKind::QueriesAndKeys : TokenMapKind::Outputs;
}

std::int64_t HeadCorpusView::mapTokens() const
{
    return countOf(m_choices.tokens);
}

ExampleKind HeadCorpusView::exampleKind() const
{
    return m_kinds->checkedId() == 0 ? ExampleKind::Strongest : ExampleKind::Deciles;
}

void HeadCorpusView::setCorpus(HeadCorpusPtr corpus, std::shared_ptr<const DocumentSet> documents)
{
    if (corpus != nullptr && !OriginGuard::instance().admits(corpus->origin, "the recording of a head"))
        corpus = nullptr;
    m_corpus = std::move(corpus);
    m_documents = m_corpus != nullptr ? std::move(documents) : nullptr;
    m_mapOf = {};
    m_pages->setFilled(m_corpus != nullptr);
    if (m_corpus != nullptr)
    {
        m_title->setText(headName(*m_corpus));
        m_facts->setFullText(tr("%1 · %2 · activation: L2 norm of the output z (stage 1)")
                                 .arg(countText(m_corpus->tokenCount(), tr("token"), tr("tokens")),
                                      countText(m_corpus->documentCount(), tr("document"), tr("documents"))));
    }
    refreshColors();
    refreshExamples();
    refreshMap();
    noteCanvasChanged(this);
}

void HeadCorpusView::setDocuments(std::shared_ptr<const DocumentSet> documents)
{
    m_documents = std::move(documents);
    refreshColors();
    refreshMap();
}

void HeadCorpusView::refreshColors()
{
    if (m_corpus == nullptr)
        return;
    const viz::HeadPalette palette(m_corpus->source.model, Theme::instance().vizTheme());
    const QColor color = palette.color(m_corpus->source.head);
    m_histogram->picture().setCounts({m_corpus->activations, decileBounds(m_corpus->activations)}, color);
    m_examples->setShade(color);
    const auto before = m_colors->currentText();
    {
        const QSignalBlocker blocked(m_colors);
        m_colors->clear();
        const auto add = [this](const QString& title, TokenColor by, const std::string& column = {}) {
            m_colors->addItem(title, static_cast<int>(by));
            m_colors->setItemData(m_colors->count() - 1, toQString(column), Qt::UserRole + 1);
        };
        if (mapKind() == TokenMapKind::QueriesAndKeys)
            add(tr("by query or key"), TokenColor::Kind);
        add(tr("by activation"), TokenColor::Activation);
        add(tr("by position"), TokenColor::Position);
        add(tr("by token"), TokenColor::Token);
        add(tr("by document"), TokenColor::Document);
        if (m_documents != nullptr)
            for (const LabelColumn& column : m_documents->labels)
                add(tr("by %1").arg(toQString(column.name)), TokenColor::Label, column.name);
        m_colors->setCurrentIndex(std::max(0, m_colors->findText(before)));
    }
    m_canvas->setColor({static_cast<TokenColor>(m_colors->currentData().toInt()),
                        toStdString(m_colors->currentData(Qt::UserRole + 1).toString())});
}

void HeadCorpusView::refreshExamples()
{
    m_examples->setExamples(m_corpus, exampleKind());
    if (m_corpus == nullptr)
        return;
    m_exampleNote->setText(
        (exampleKind() == ExampleKind::Strongest
             ? tr("The %1 top-activating tokens, at most 3 per document. They do not show the typical behaviour of the "
                  "head.")
                   .arg(m_corpus->top.size())
             : tr("Random tokens from each decile of all %1 tokens.").arg(countText(m_corpus->tokenCount()))) %
        u' ' %
        tr("Framed: the query token. Shaded: the tokens it attends to, in proportion to the square root of the "
           "weight."));
}

void HeadCorpusView::setMap(TokenMapPtr map)
{
    if (map == nullptr || map->corpus != m_corpus)
        return;
    m_mapOf[placeOf(map->kind)] = map;
    if (map->kind == mapKind())
        refreshMap();
}

void HeadCorpusView::setMapRunning(bool running)
{
    m_mapRunning = running;
    refreshMap();
}

void HeadCorpusView::setMapProblem(const QString& sentence)
{
    m_canvas->setWaiting(sentence);
}

void HeadCorpusView::refreshMap()
{
    const TokenMapPtr& map = m_mapOf[placeOf(mapKind())];
    m_canvas->setWaiting(m_mapRunning ? tr("Computing the map…") : tr("No map of these tokens yet."));
    m_canvas->setMap(map, m_documents);
    m_mapNote->setText(map != nullptr ? mapSentence(*map) : QString());
    m_mapNote->setVisible(map != nullptr);
}

std::optional<DocumentIndex> HeadCorpusView::documentOf(std::int64_t token) const
{
    if (m_corpus == nullptr || m_documents == nullptr)
        return std::nullopt;
    const DocumentIndex document = m_corpus->placeOf(token).document;
    return OriginGuard::instance().hasDocument(document) ? std::optional(document) : std::nullopt;
}

void HeadCorpusView::chooseToken(std::int64_t token)
{
    if (const auto document = documentOf(token))
        Q_EMIT documentClicked(*document);
}

void HeadCorpusView::setRunning(bool running)
{
    showRunning(*m_run, *m_stop, running);
    m_asked->setEnabled(!running);
    m_source->setEnabled(!running);
}

void HeadCorpusView::setNote(const QString& text)
{
    m_note->setFullText(text);
}

QString HeadCorpusView::note() const
{
    return m_note->fullText();
}

QString HeadCorpusView::summary() const
{
    if (m_corpus == nullptr)
        return tr("No head shown.");
    return tr("%1. %2. %3").arg(headName(*m_corpus), m_facts->fullText(), m_exampleNote->text());
}

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/circuits/circuits_controller.h"

#include "app/desktop/shell/model_choice.h"
#include "app/desktop/shell/view_files.h"
#include "app/views/ablation/model_texts.h"
#include "model/base/clock.h"
#include "ui/settings/settings.h"
#include "ui/state/view_state.h"
#include "ui/words/wording.h"

#include <QFileInfo>
#include <QJsonArray>

#include <algorithm>
#include <utility>

namespace headscope::desktop
{
namespace
{

using ui::CircuitPage;

const QString kPairState = QStringLiteral("circuitsPairRows"); ///< in a work file
constexpr int kTitle = 60;                                     ///< characters of a document's title

} // namespace

CircuitsController::CircuitsController(Study& study, EngineServers& engines, QObject* parent)
    : AnalysisController(
          study,
          {ui::kCircuitsView,
           tr("Circuits"),
           tr("What each head adds to a cosine and to the vectors, which heads read others, and what heads say in "
              "tokens."),
           tableAndPictureFilters(),
           {QStringLiteral("circuits")},
           tr("Contributions: a document’s vector is a sum of the token’s embedding, every head, every MLP and biases, "
              "each scaled as the norms scale this document. Only direct contributions count: what later layers "
              "compute from them is theirs (Elhage et al. 2021; Gandelsman et al. 2024).\n\nComposition: norm of the "
              "product of two heads’ matrices over the norms of both, minus its value for random rotations. It shows "
              "what could flow.\n\nTokens: parts of heads times the output head, or the token embeddings where a model "
              "has none: a reading aid."),
           tr("contributions, composition and lens")},
          parent),
      m_engines(engines), m_view(new ui::CircuitsView)
{
    addView(m_view);
    own({&m_runner});
    m_view->setEmpty(tr("No circuits yet"), tr("Circuits shows what each head adds to the vectors of documents. Open a "
                                               "cache first."));
    connectView();
}

void CircuitsController::connectView()
{
    connect(&m_study, &Study::cacheChanged, this, &CircuitsController::onCacheOpened);
    connect(&window().selection(), &ui::SelectionHub::primaryChanged, this,
            [this] { m_view->setDocumentAllowed(window().selection().selection().primary.has_value()); });
    connect(m_view, &ui::CircuitsView::pageChanged, this, [this] {
        m_view->setNote(noteOf(m_view->page()));
        if (inFront() && lacks())
            begin();
    });
    connect(m_view, &ui::CircuitsView::runRequested, this, &CircuitsController::run);
    connect(m_view, &ui::CircuitsView::emptyActionRequested, this,
            [this] { modelOfCache(m_study).isEmpty() ? chooseModel() : run(); });
    connect(m_view, &ui::CircuitsView::stopRequested, &m_runner, &ui::JobRunner::requestStop);
    connect(&m_runner, &ui::JobRunner::cancelled, this, [this] {
        m_view->setRunning(false);
        if (m_runs)
            sayStopped(*m_runs);
        m_runs.reset();
    });
    const auto primary = [this]() -> std::optional<std::int64_t> {
        const auto shown = window().selection().selection().primary;
        return shown ? std::optional(shown->value()) : std::nullopt;
    };
    connect(m_view, &ui::CircuitsView::firstRequested, this, [this, primary] { choosePair(primary(), m_second); });
    connect(m_view, &ui::CircuitsView::secondRequested, this, [this, primary] { choosePair(m_first, primary()); });
    connect(m_view, &ui::CircuitsView::swapRequested, this, [this] { choosePair(m_second, m_first); });
    connect(m_view, &ui::CircuitsView::optionsChanged, this, [this] {
        for (const CircuitPage page : {CircuitPage::Pair, CircuitPage::Tokens})
            isStale(page) = true;
        if (inFront() && lacks() && !m_view->viewState().isSetting())
            begin();
    });
    connect(m_view, &ui::CircuitsView::headChosen, this, [this](std::int64_t layer, std::int64_t head) {
        m_view->setMarkedHead(std::pair(layer, head));
        m_study.choices().setLayer(LayerIndex(layer));
    });
}

void CircuitsController::leave()
{
    m_runner.cancel();
    m_runs.reset();
    m_first.reset();
    m_second.reset();
    m_stale.fill(true);
    for (const CircuitPage page : ui::kCircuitPages)
        m_view->setResult(page, nullptr);
    m_view->setMarkedHead({});
}

void CircuitsController::saveState(QJsonObject& state) const
{
    if (m_first && m_second)
        state[kPairState] = QJsonArray{static_cast<double>(*m_first), static_cast<double>(*m_second)};
}

void CircuitsController::restoreState(const QJsonObject& state)
{
    const QJsonArray rows = state.value(kPairState).toArray();
    if (!m_study.cache() || rows.size() != 2)
        return;
    const std::int64_t count = m_study.cache()->overview->documents->count();
    const auto first = static_cast<std::int64_t>(rows[0].toDouble(-1));
    const auto second = static_cast<std::int64_t>(rows[1].toDouble(-1));
    if (first >= 0 && second >= 0 && first < count && second < count)
        setPair(first, second);
}

QString CircuitsController::titleOf(std::optional<std::int64_t> row) const
{
    if (!row || !m_study.cache())
        return {};
    const DocumentSet& documents = *m_study.cache()->overview->documents;
    const auto at = static_cast<std::size_t>(*row);
    QString title = at < documents.texts.size() ? ui::toQString(documents.texts[at]).simplified() : QString();
    if (title.size() > kTitle)
        title = title.left(kTitle - 1) % QChar(u'…');
    const QString id = ui::toQString(documents.ids[at]);
    return title.isEmpty() ? id : tr("%1: %2").arg(id, title);
}

void CircuitsController::onCacheOpened()
{
    m_stale.fill(true);
    const std::int64_t count = m_study.cache()->overview->documents->count();
    const auto primary = window().selection().selection().primary;
    m_first = primary ? primary->value() : 0;
    m_second = count < 2 ? std::nullopt : std::optional<std::int64_t>(*m_first == 0 ? 1 : 0);
    m_view->setPair(titleOf(m_first), titleOf(m_second));
    m_view->setDocumentAllowed(primary.has_value());
    m_view->setNote({});
    renew();
}

void CircuitsController::setPair(std::optional<std::int64_t> first, std::optional<std::int64_t> second)
{
    if (!m_study.cache())
        return;
    m_first = first;
    m_second = second;
    m_view->setPair(titleOf(first), titleOf(second));
    isStale(CircuitPage::Pair) = true;
    if (inFront() && m_view->page() == CircuitPage::Pair)
        begin();
}

void CircuitsController::choosePair(std::optional<std::int64_t> first, std::optional<std::int64_t> second)
{
    setPair(first, second);
    if (hasSubject(CircuitPage::Pair))
        run();
}

QString CircuitsController::whyNoDocument() const
{
    if (!m_study.cache())
        return tr("No cache is open");
    const std::string why =
        obstacleToRunning(m_study.cache()->reader->info().header, *m_study.cache()->overview->documents);
    return ui::toQString(why);
}

void CircuitsController::explainPair(DocumentIndex first, DocumentIndex second)
{
    m_view->setPage(CircuitPage::Pair);
    choosePair(first.value(), second.value());
    bringForward();
}

bool CircuitsController::lacks() const
{
    return m_stale[static_cast<std::size_t>(m_view->page())];
}

void CircuitsController::chooseModel()
{
    askModelOfCache(m_study, [this](const QString&) { run(); });
}

void CircuitsController::showObstacle()
{
    const CircuitPage page = m_view->page();
    if (const QString why = whyNoDocument(); !why.isEmpty() && needsDocuments(page))
        return m_view->setWaiting(page, tr("Circuits need the model and its texts"), why);
    if (page == CircuitPage::Pair && !hasSubject(page))
        return m_view->setWaiting(page, tr("Two documents are needed"), tr("This cache has one document."));
    if (!hasSubject(page))
        return m_view->setWaiting(page, tr("No text yet"),
                                  tr("Type a token or a word below and press Return. Its tokens are read by every "
                                     "head of the layer."));
    m_view->setWaiting(page, tr("The model is not known"),
                       tr("Circuits run the model that made this cache. Choose its file or folder."),
                       tr("Choose model…"));
}

bool CircuitsController::needsDocuments(CircuitPage page) const
{
    return page != CircuitPage::Composition && !(page == CircuitPage::Tokens && m_view->choices().weights);
}

bool CircuitsController::hasSubject(CircuitPage page) const
{
    if (page == CircuitPage::Pair)
        return m_first && m_second;
    return page != CircuitPage::Tokens || !m_view->choices().weights || !m_view->choices().token.empty();
}

bool CircuitsController::isReady(CircuitPage page) const
{
    return hasSubject(page) && (!needsDocuments(page) || whyNoDocument().isEmpty()) && !modelOfCache(m_study).isEmpty();
}

/// A run takes the model a minute: it is offered, and what is there stays.
void CircuitsController::begin()
{
    settleOn();
    const CircuitPage page = m_view->page();
    if (!isReady(page))
        return showObstacle();
    if (m_runs == page)
        return;
    if (m_view->result(page) != nullptr)
        return m_view->setNote(tr("Options or documents have changed. Run again."));
    m_view->setWaiting(page, tr("Not computed yet"),
                       page == CircuitPage::Composition
                           ? tr("Composition is computed from the weights of all heads of the model.")
                       : needsDocuments(page)
                           ? tr("The model runs on the documents that this page needs, at most %1.")
                                 .arg(ui::countText(m_view->choices().documents))
                           : tr("The tokens of the text are decoded through the weights of every head of the layer."),
                       tr("Run"));
}

void CircuitsController::sayStopped(CircuitPage page)
{
    isStale(page) = true;
    if (m_view->result(page) == nullptr)
        m_view->setWaiting(page, tr("Stopped"), tr("The run was stopped. Nothing was computed."), tr("Run"));
    m_view->setNote(tr("stopped"));
}

CircuitsRequest CircuitsController::request(CircuitPage page, const QString& model) const
{
    CircuitsRequest ask;
    ask.model = ui::toStdString(model);
    ask.reader = m_study.cache()->reader;
    ask.documents = window().selection().shownDocuments();
    ask.most = m_view->choices().documents;
    ask.seed = window().settings().seed();
    ask.threads = m_study.threads();
    switch (page)
    {
    case CircuitPage::Pair:
    {
        commands::ContributionsCommand command;
        command.center = m_view->choices().center;
        ask.command = command;
        ask.pair = {*m_first, *m_second};
        break;
    }
    case CircuitPage::Corpus:
        ask.command = commands::ContributionsCommand();
        break;
    case CircuitPage::Composition:
        ask.command = commands::CompositionCommand();
        break;
    case CircuitPage::Tokens:
    {
        commands::LensCommand command;
        command.center = m_view->choices().center;
        command.layers = std::to_string(m_study.layer().value());
        command.weights = m_view->choices().weights;
        if (command.weights)
        {
            command.center = false;
            command.token = m_view->choices().token;
        }
        ask.command = command;
        break;
    }
    }
    return ask;
}

void CircuitsController::run()
{
    if (!m_study.cache())
        return;
    const QString model = modelOfCache(m_study);
    if (model.isEmpty())
        return chooseModel();
    const CircuitPage page = m_view->page();
    if (!isReady(page))
        return showObstacle();
    m_runner.cancel();
    if (const auto other = std::exchange(m_runs, page); other && *other != page)
        sayStopped(*other);
    isStale(page) = false;
    m_view->setResult(page, nullptr);
    m_view->setWaiting(
        page, tr("Running the model"),
        tr("%1 is asked. The page appears when the answer is complete.").arg(QFileInfo(model).fileName()));
    m_view->setRunning(true);
    m_view->setNote(tr("running"));
    m_study.beginJob(QStringLiteral("circuits"), tr("Circuits of %1").arg(QFileInfo(model).fileName()), m_runner);
    m_study.run<CircuitResultPtr>(
        m_runner,
        [ask = request(page, model), engine = m_engines.of(model)](JobContext& job) {
            return measureCircuits(*engine, ask, job);
        },
        [this, page, start = Clock::now()](Result<CircuitResultPtr> result) {
            m_seconds[static_cast<std::size_t>(page)] = secondsSince(start);
            take(page, std::move(result));
        });
}

void CircuitsController::take(CircuitPage page, Result<CircuitResultPtr> result)
{
    m_runs.reset();
    m_view->setRunning(false);
    if (!result)
    {
        const Error error = result.error();
        m_view->setNote(failed(error));
        if (error.code != ErrorCode::Cancelled)
            m_view->setWaiting(page, tr("No result"), ui::toQString(error.message), tr("Run"), true);
        return;
    }
    m_view->setResult(page, *result);
    m_view->setNote(noteOf(m_view->page()));
    if (!(*result)->notice.empty())
        window().showNotice(ui::toQString((*result)->notice));
    settle();
}

QString CircuitsController::noteOf(CircuitPage page) const
{
    const CircuitResultPtr& result = m_view->result(page);
    if (!result)
        return {};
    QStringList parts;
    if (const ContributionsResult* found = result->contributions(); found != nullptr)
    {
        if (found->pair)
            parts << tr("cosine %1").arg(found->pair->cosine, 0, 'f', 4);
        parts << ui::countText(found->documents, tr("document"), tr("documents"));
        parts << (found->frozen ? tr("all norms frozen") : tr("final norm frozen"));
        parts << tr("sum exact within %1").arg(found->additiveError, 0, 'e', 0);
    }
    else if (const CompositionScores* scores = result->composition(); scores != nullptr)
        parts << tr("%1 layers of %2 heads").arg(scores->layers).arg(scores->heads);
    else
        parts << tr("layer %1").arg(m_view->words()->picture().layer())
              << (result->lens()->weights ? tr("weights only")
                                          : ui::countText(result->lens()->documents, tr("document"), tr("documents")))
              << ui::toQString(result->lens()->unembedding);
    parts << ui::durationText(m_seconds[static_cast<std::size_t>(page)]);
    return parts.join(QStringLiteral(" · "));
}

} // namespace headscope::desktop

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/retrieval/retrieval_controller.h"

#include "app/cli/retrieval_input.h"
#include "app/commands/command_line.h"
#include "app/commands/retrieve_command.h"
#include "app/desktop/shell/copied_command.h"
#include "app/desktop/shell/model_choice.h"
#include "app/desktop/shell/view_files.h"
#include "app/desktop/shell/view_parts.h"
#include "app/desktop/work/state_values.h"
#include "app/views/map/map_view.h"
#include "app/views/retrieval/head_mixer.h"
#include "app/views/retrieval/query_row.h"
#include "app/views/retrieval/result_heads.h"
#include "app/views/retrieval/retrieval_view.h"
#include "model/data/results/retrieval_frame.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/settings/settings.h"
#include "ui/state/linked_selection.h"
#include "ui/words/wording.h"

#include <QFileInfo>
#include <QLineEdit>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace headscope::desktop
{

namespace
{

const QString kRetrievalState = QStringLiteral("retrieval"); ///< in a work file

std::vector<std::int32_t> codesOf(const Study& study)
{
    const LabelColumn* column = study.cache()->overview->documents->label(study.labelColumn());
    return column == nullptr ? std::vector<std::int32_t>() : column->codes;
}

} // namespace

RetrievalController::RetrievalController(Study& study, EngineServers& engines, QObject* parent)
    : AnalysisController(
          study,
          {ui::kRetrievalView,
           tr("Retrieval"),
           tr("Each selected head or segment votes for the documents nearest to the query. Strategies and "
              "sliders weight the votes."),
           tableAndPictureFilters(),
           {QStringLiteral("retrieve")},
           tr("Each head or segment lists the documents nearest to the query and votes for them. The strategies "
              "combine the votes: six are from multi-head RAG (arXiv 2406.05085); reciprocal rank fusion and Borda "
              "count are older.\n\nThe sliders weight the votes of heads. The query document is not among its own "
              "results. With a file of relevant documents, both lists are evaluated."),
           tr("votes of heads (retrieve)")},
          parent),
      m_engines(engines), m_view(new ui::RetrievalView)
{
    addView(m_view);
    m_explain = new ExplainResult(study, engines, *m_view->resultHeads(), this);
    own({&m_searchRunner, &m_measureRunner});
    ownQuietly({&m_explain->runner()});
    ownQuietly({&m_voteRunner});
    connectView();
    connect(&m_study, &Study::cacheChanged, this, [this] {
        const ui::CacheOverview& overview = *m_study.cache()->overview;
        m_view->setStudy(overview.model, m_study.palette(), overview.documents, m_study.labelColumn());
        m_view->setShownHeads(m_study.heads());
    });
    connect(&m_study, &Study::sourceChanged, this, [this] {
        if (m_study.cache())
        {
            m_view->setStage(m_study.stage(), m_study.cache()->overview->model, m_study.palette());
            m_view->setShownHeads(m_study.heads());
        }
        forgetSource();
    });
    connect(&m_study, &Study::sourceLoaded, this, &RetrievalController::look);
    connect(&m_study, &Study::labelsChanged, this, [this] {
        m_view->setLabelColumn(m_study.cache()->overview->documents, m_study.labelColumn());
        measureAgain();
    });
    connect(&m_study, &Study::paletteChanged, this, [this] { m_view->setHeadPalette(m_study.palette()); });
    connect(&m_study, &Study::headsChanged, this, [this] { m_view->setShownHeads(m_study.heads()); });
    ui::SelectionHub& selection = m_study.window().selection();
    connect(&selection, &ui::SelectionHub::primaryChanged, this, [this] {
        refreshAsking();
        look();
    });
    ui::linkHeads(m_view, selection, m_study.choices());
    connect(&selection, &ui::SelectionHub::shownChanged, this, [this] {
        m_lists.reset();
        m_measured.reset();
        look();
    });
    m_view->setEmpty(tr("No cache is open"),
                     tr("Retrieval finds documents by the votes of heads. Open a cache first."));
    refreshAsking();
}

void RetrievalController::connectView()
{
    using ui::RetrievalView;
    connect(m_view, &RetrievalView::votesChanged, this, &RetrievalController::vote);
    connect(m_view, &RetrievalView::topChanged, this, [this] {
        m_measured.reset();
        search();
        measure();
    });
    connect(m_view, &RetrievalView::documentAsked, this, &RetrievalController::askDocument);
    ui::QueryRow* row = m_view->queryRow();
    connect(row, &ui::QueryRow::modelRequested, this, &RetrievalController::chooseModel);
    connect(row, &ui::QueryRow::chosenDocumentAsked, this, [this] {
        if (const auto primary = m_study.window().selection().selection().primary)
            askDocument(*primary);
    });
    connect(m_view, &RetrievalView::emptyActionRequested, this, [this] { m_study.window().setView(ui::kMapView); });
    connect(row, &ui::QueryRow::textAsked, this, &RetrievalController::askText);
    connect(&m_searchRunner, &ui::JobRunner::cancelled, this, [this] {
        m_view->queryRow()->setBusy({});
        if (m_lists == nullptr)
            m_view->queryRow()->setProblem(tr("Stopped. The search was not run."));
    });
    connect(m_view, &RetrievalView::resultClicked, this,
            [this](DocumentIndex document, const std::vector<std::int64_t>& heads) {
                ui::SelectionHub& selection = m_study.window().selection();
                selection.showDocument(document, selection.selection().primaryHead);
                selection.setLitHeads(heads);
                m_explained = document;
                if (m_view->headsShown())
                    explainSelected();
            });
    connect(m_view, &RetrievalView::headsWanted, this, &RetrievalController::explainSelected);
    connect(m_view->resultHeads(), &ui::ResultHeads::headClicked, this, [this](LayerIndex layer, HeadIndex head) {
        if (layer == m_study.layer())
            m_study.window().selection().setLitHeads({head.value()});
    });
    connect(m_view, &RetrievalView::relevantRequested, this, [this] {
        ui::MainWindow& window = m_study.window();
        window.dialogs().openFile(
            &window, tr("Open relevant documents"), window.settings().text(ui::SettingKey::LastFolder),
            tr("Relevant sets (*.jsonl *.json);;All files (*)"), [this](const QString& path) {
                m_study.window().settings().setText(ui::SettingKey::LastFolder, QFileInfo(path).absolutePath());
                loadRelevant(path);
            });
    });
}

void RetrievalController::explain(DocumentIndex document)
{
    m_explained = document;
    bringForward();
    m_view->showHeads();
}

void RetrievalController::explainSelected()
{
    if (!m_explained)
        m_explained = m_view->selectedResult();
    if (!m_asked || !m_explained)
        return m_explain->forget();
    m_explain->ask(ExplainedResult{m_asked->document, m_asked->document ? QString() : m_asked->text, *m_explained});
}

void RetrievalController::leave()
{
    m_asked.reset();
    forgetSource();
    m_view->setRelevant({}, 0);
    m_view->queryRow()->setProblem({});
}

void RetrievalController::saveState(QJsonObject& state) const
{
    if (!m_asked || !m_study.cache())
        return;
    const auto& ids = m_study.cache()->overview->documents->ids;
    state[kRetrievalState] =
        m_asked->document ? QJsonObject{{QStringLiteral("document"), ui::toQString(ids[m_asked->document->index()])}}
                          : QJsonObject{{QStringLiteral("text"), m_asked->text}};
}

void RetrievalController::restoreState(const QJsonObject& state)
{
    if (!m_study.cache() || !state.contains(kRetrievalState))
        return;
    constexpr qsizetype kLongest = 1'000'000;
    const QJsonObject object = state.value(kRetrievalState).toObject();
    Asked asked{{}, state::text(object, QStringLiteral("text"), kLongest)};
    const auto& ids = m_study.cache()->overview->documents->ids;
    const std::string id = ui::toStdString(state::text(object, QStringLiteral("document"), kLongest));
    if (const auto found = std::ranges::find(ids, id); !id.empty() && found != ids.end())
        asked.document = DocumentIndex(found - ids.begin());
    if ((asked.text.isEmpty() && !asked.document) || (m_asked && *m_asked == asked))
        return;
    m_asked = asked;
    m_lists.reset();
    if (!asked.document)
        m_view->queryRow()->field()->setText(asked.text);
    look();
}

void RetrievalController::forgetSource()
{
    m_searchRunner.cancel();
    m_measureRunner.cancel();
    m_voteRunner.cancel();
    m_base.reset();
    m_lists.reset();
    m_measured.reset();
    m_explained.reset();
    m_explain->forget();
    m_study.window().selection().setLitHeads({});
    m_view->setComparison(nullptr);
    m_view->setEmpty(tr("No search yet"), tr("Type a query above, or select a document on the map."), tr("Go to map"));
    refreshAsking();
}

std::vector<std::int64_t> RetrievalController::relevantHere() const
{
    if (m_study.relevant() == nullptr || m_lists == nullptr)
        return {};
    const auto found = m_study.relevant()->find(m_lists->document ? m_lists->query : "query");
    return found == m_study.relevant()->end() ? std::vector<std::int64_t>() : found->second;
}

void RetrievalController::vote()
{
    if (m_lists == nullptr || m_base == nullptr)
        return;
    m_study.run<Comparison>(
        m_voteRunner,
        [base = m_base, lists = m_lists, relevant = relevantHere(), measured = m_measured, codes = codesOf(m_study),
         options = VoteOptions{m_view->first(), m_view->second(), m_view->mixer()->factors()}](
            JobContext&) -> Result<Comparison> {
            return compareStrategies(*base, *lists, relevant, measured.get(), codes, options);
        },
        [this](Result<Comparison> comparison) { takeComparison(std::move(comparison)); });
}

void RetrievalController::measureAgain()
{
    const Comparison shown = m_view->comparison();
    if (shown == nullptr || m_study.relevant() == nullptr)
        return;
    if (m_voteRunner.running())
        return vote(); // what comes was measured with the former labels
    m_study.run<Comparison>(
        m_voteRunner,
        [base = m_base, shown, measured = m_measured, codes = codesOf(m_study), factors = m_view->mixer()->factors()](
            JobContext&) -> Result<Comparison> { return withMeasures(*shown, *base, measured.get(), codes, factors); },
        [this](Result<Comparison> comparison) { takeComparison(std::move(comparison)); });
}

void RetrievalController::takeComparison(Result<Comparison> comparison)
{
    if (!comparison)
        return m_study.report(comparison.error());
    m_view->setComparison(*comparison);
    m_study.window().actions().refresh();
    settle();
}

void RetrievalController::loadRelevant(const QString& path)
{
    if (!m_study.cache())
        return;
    m_study.beginJob(QStringLiteral("relevant"), tr("Reading %1").arg(QFileInfo(path).fileName()), m_measureRunner);
    m_study.run<Study::Relevant>(
        m_measureRunner,
        [documents = m_study.cache()->overview->documents, file = std::filesystem::path(ui::toStdString(path))](
            JobContext&) { return cli::readRelevant(file, *documents); },
        [this, path](Result<Study::Relevant> relevant) {
            if (!relevant)
                return m_study.report(relevant.error());
            m_measured.reset();
            m_study.setRelevant(path, std::make_shared<const Study::Relevant>(std::move(*relevant)));
            measure();
            vote();
        });
}

void RetrievalController::measure()
{
    if (m_study.relevant() == nullptr || m_base == nullptr)
        return;
    m_study.beginJob(QStringLiteral("relevant"),
                     tr("Searching with the queries of %1").arg(QFileInfo(m_study.relevantFile()).fileName()),
                     m_measureRunner);
    m_study.run<std::shared_ptr<const MeasuredQueries>>(
        m_measureRunner,
        [relevant = m_study.relevant(), base = m_base, documents = m_study.cache()->overview->documents,
         top = m_view->top(),
         count = m_study.threads()](JobContext& job) -> Result<std::shared_ptr<const MeasuredQueries>> {
            auto measured = std::make_shared<MeasuredQueries>();
            for (std::size_t row = 0; row < documents->ids.size(); ++row)
            {
                const auto wanted = relevant->find(documents->ids[row]);
                if (wanted == relevant->end())
                    continue;
                HEADSCOPE_CHECK(job.checkStop());
                job.report("searching", measured->lists.size(), relevant->size(), "queries");
                HEADSCOPE_TRY(QueryLists lists,
                              desktop::askDocument(*base, DocumentIndex(static_cast<std::int64_t>(row)),
                                                   documents->ids[row], top, count, job));
                measured->lists.push_back(std::move(lists));
                measured->relevant.push_back(wanted->second);
            }
            return std::shared_ptr<const MeasuredQueries>(std::move(measured));
        },
        [this](Result<std::shared_ptr<const MeasuredQueries>> measured) {
            if (!measured)
                return m_study.report(measured.error());
            m_measured = *measured;
            m_view->setRelevant(m_study.relevantFile(), std::ssize(m_measured->lists));
            vote();
        });
}

QString RetrievalController::commandLine() const
{
    const auto comparison = m_view->comparison();
    if (comparison == nullptr || !m_study.cache())
        return {};
    commands::CommandLine<commands::RetrieveCommand> command;
    commands::RetrieveCommand& typed = command.command;
    typed.input.cache = m_study.cache()->overview->path;
    typed.input.layer = std::to_string(m_study.layer().value());
    typed.input.stage = stageName(m_study.stage());
    typed.input.heads = chosenHeads(m_study);
    if (comparison->document)
        typed.queryDocument = comparison->query;
    else
    {
        typed.query = comparison->query;
        typed.model = modelOfCache(m_study).isEmpty() ? m_study.cache()->overview->model.name
                                                      : ui::toStdString(modelOfCache(m_study));
    }
    typed.retrieval = {comparison->first.strategy, m_view->top()};
    typed.relevant = ui::toStdString(m_study.relevantFile());
    QString line = ui::toQString(command.text());
    if (!m_view->mixer()->isPlain())
    {
        QStringList factors;
        for (const double factor : m_view->mixer()->factors())
            factors << QString::number(factor, 'g', 4);
        line += QStringLiteral(" --weights <(echo '[%1]')").arg(factors.join(u','));
    }
    return line;
}

std::optional<ViewOutput> RetrievalController::output(const QString& path, const viz::FigureOptions&)
{
    const auto comparison = m_view->comparison();
    if (comparison == nullptr)
        return nothing(tr("There are no results to save yet."));
    return partsOutput(path, retrievalParts(*m_view, m_study.cache()->overview->model), commandLine(),
                       [comparison, documents = m_study.cache()->overview->documents, labels = m_study.labelColumn()] {
                           return rankingsFrame(*comparison, *documents, labels);
                       });
}

void RetrievalController::copy()
{
    const auto comparison = m_view->comparison();
    if (comparison == nullptr)
        return m_study.window().showNotice(tr("There is nothing to copy yet."));
    copyView(m_study.window(), rankingsFrame(*comparison, *m_study.cache()->overview->documents, m_study.labelColumn()),
             m_view->grab().toImage());
}

} // namespace headscope::desktop

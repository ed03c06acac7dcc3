// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/head_corpus/head_corpus_controller.h"

#include "app/desktop/shell/model_choice.h"
#include "app/desktop/shell/view_files.h"
#include "app/shell/request_params.h"
#include "app/views/head_corpus/head_corpus_view.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/jobs/job_strip.h"
#include "ui/settings/settings.h"
#include "ui/words/wording.h"

#include <QFileInfo>
#include <QStandardPaths>

#include <nlohmann/json.hpp>

#include <system_error>
#include <utility>

namespace headscope::desktop
{
namespace
{

const QString kRunJob = QStringLiteral("head-corpus");
const QString kMapJob = QStringLiteral("head-map");

QString runTitle(const HeadQuestion& asked)
{
    return HeadCorpusController::tr("Recording layer %1, head %2")
        .arg(asked.layer.value())
        .arg(shownNumber(asked.head));
}

} // namespace

HeadCorpusController::HeadCorpusController(Study& study, EngineServers& engines, QObject* parent)
    : AnalysisController(
          study,
          {ui::kHeadCorpusView,
           tr("Head"),
           tr("What one head does at every token of many documents: its activations, examples, and maps of "
              "its vectors."),
           tableAndPictureFilters(),
           {kRunJob, kMapJob},
           tr("The activation of a token is the L2 norm of the head output z (stage 1). Examples are the tokens with "
              "the largest activation and random tokens from every decile. The largest activations alone do not show "
              "the typical behaviour of a head.\n\nThe maps show queries and keys in one space (after AttentionViz, "
              "arXiv 2305.03210), and the outputs z."),
           tr("one head at every token of documents (attention --corpus)")},
          parent),
      m_engines(engines), m_view(new ui::HeadCorpusView)
{
    addView(m_view);
    own({&m_runner, &m_mapRunner});
    ownQuietly({&m_reader});
    const QString data = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation);
    m_home = ui::toStdString(data % QStringLiteral("/headscope/heads"));
    m_view->setEmpty(
        tr("No head yet"),
        tr("Head shows the activations of one head over many documents, with examples and maps. Open a cache first."));
    connectView();
    connect(&m_study, &Study::cacheChanged, this, &HeadCorpusController::onCacheOpened);
    connect(&m_study, &Study::sourceChanged, this, &HeadCorpusController::followChoice);
    connect(&m_study, &Study::headsChanged, this, &HeadCorpusController::followChoice);
    connect(&m_study.window().selection(), &ui::SelectionHub::litHeadsChanged, this, &HeadCorpusController::followLit);
    connect(&m_study, &Study::labelsChanged, this, [this] {
        if (const auto& corpus = m_view->corpus(); corpus != nullptr && !corpus->source.cacheIdentity.empty())
            m_view->setDocuments(m_study.cache()->overview->documents);
    });
    connect(&m_runner, &ui::JobRunner::cancelled, this, [this] { m_view->setRunning(false); });
    connect(&m_mapRunner, &ui::JobRunner::cancelled, this, [this] {
        m_live.end();
        m_view->setMapRunning(false);
    });
}

void HeadCorpusController::connectView()
{
    connect(m_view, &ui::HeadCorpusView::headChanged, this, [this] {
        renew();
        if (inFront() && m_study.cache()) // a choice made here is one for every view
            m_study.window().selection().setLitHeads({m_view->head().value()});
    });
    connect(m_view, &ui::HeadCorpusView::corpusChoiceChanged, this, &HeadCorpusController::renew);
    connect(m_view, &ui::HeadCorpusView::textsRequested, this, &HeadCorpusController::chooseTexts);
    connect(m_view, &ui::HeadCorpusView::runRequested, this, &HeadCorpusController::run);
    connect(m_view, &ui::HeadCorpusView::emptyActionRequested, this, &HeadCorpusController::run);
    connect(m_view, &ui::HeadCorpusView::stopRequested, this, [this] {
        if (ui::JobRow* row = m_study.window().jobStrip().row(kRunJob))
            row->requestCancel();
    });
    connect(m_view, &ui::HeadCorpusView::mapRequested, this, &HeadCorpusController::makeMap);
    ui::SelectionHub& selection = m_study.window().selection();
    connect(m_view, &ui::HeadCorpusView::documentClicked, &selection,
            [&selection](DocumentIndex document) { selection.showDocument(document); });
    connect(m_view, &ui::HeadCorpusView::documentHovered, &selection, &ui::SelectionHub::setHovered);
}

QString HeadCorpusController::lossOfStopping() const
{
    return m_runner.running() ? tr("A recording is running. Finished documents are saved, and the next recording "
                                   "continues from there.")
                              : QString();
}

void HeadCorpusController::leave()
{
    m_live.end();
    m_texts.clear();
    renewLater();
    m_view->setCorpus(nullptr, nullptr);
    m_view->setTextsName({});
    m_view->chooseCacheDocuments();
}

void HeadCorpusController::onCacheOpened()
{
    m_view->setModel(m_study.cache()->overview->model);
    m_view->setHead(m_study.layer(), HeadIndex(m_study.headsOfLayers().empty() ? 0 : m_study.headsOfLayers().front()));
    renew();
}

void HeadCorpusController::followChoice()
{
    if (!m_study.cache() || m_runner.running())
        return;
    // The head that is chosen alone; of several the one that is shown stays.
    const auto& heads = m_study.headsOfLayers();
    showHead(heads.size() == 1 ? HeadIndex(heads.front()) : m_view->head());
}

void HeadCorpusController::followLit()
{
    // By a click in another view.
    const auto& lit = m_study.window().selection().litHeads();
    if (m_study.cache() && !m_runner.running() && lit.size() == 1)
        showHead(HeadIndex(lit.front()));
}

void HeadCorpusController::showHead(HeadIndex head)
{
    if (m_view->layer() == m_study.layer() && m_view->head() == head)
        return;
    m_view->setHead(m_study.layer(), head);
    renew();
}

HeadQuestion HeadCorpusController::question() const
{
    HeadQuestion asked;
    asked.cache = m_study.cache()->overview->path;
    asked.identity = m_study.cache()->reader->info().identity;
    asked.origin = m_study.origin();
    asked.model = m_study.cache()->overview->model;
    asked.layer = m_view->layer();
    asked.head = m_view->head();
    if (m_view->corpusChoice() == ui::CorpusChoice::File)
        asked.texts = ui::toStdString(m_texts);
    return asked;
}

std::filesystem::path HeadCorpusController::answerFile() const
{
    const HeadQuestion asked = question();
    return headFile(asked, !m_study.window().isDemo(ui::toQString(asked.cache)), m_home);
}

void HeadCorpusController::chooseTexts()
{
    ui::MainWindow& window = m_study.window();
    if (m_texts.isEmpty())
        m_view->chooseCacheDocuments(); // until a file is chosen
    window.dialogs().openFile(
        &window, tr("Open texts"), window.settings().text(ui::SettingKey::LastFolder),
        tr("Texts (*.jsonl *.ndjson *.json *.csv *.tsv *.txt *.parquet *.gz *.zst);;All files (*)"),
        [this](const QString& path) {
            m_texts = path;
            m_view->setTextsName(QFileInfo(path).fileName());
            m_view->chooseTextsFile();
            renew();
        });
}

void HeadCorpusController::begin()
{
    m_mapRunner.cancel();
    m_view->setCorpus(nullptr, nullptr);
    showNote();
    const HeadQuestion asked = question();
    const std::filesystem::path file = answerFile();
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        return showLack();
    m_view->setEmpty(tr("Reading %1…").arg(ui::toQString(file.filename().string())), {});
    m_study.run<HeadCorpusPtr>(
        m_reader, [file, asked](JobContext& job) { return readAnswer(file, asked, job); },
        [this, asked](Result<HeadCorpusPtr> answer) { takeAnswer(asked, std::move(answer)); });
}

void HeadCorpusController::takeAnswer(const HeadQuestion& asked, Result<HeadCorpusPtr> answer)
{
    if (!(asked == question()))
        return;
    if (!answer)
    {
        if (answer.error().code == ErrorCode::Cancelled)
            return;
        return m_view->setError(answer.error(), tr("Record again"));
    }
    m_view->setCorpus(*answer, asked.texts.empty() ? m_study.cache()->overview->documents : nullptr);
    showNote();
    makeMap();
    settle();
}

void HeadCorpusController::showLack()
{
    const ui::CacheOverview& overview = *m_study.cache()->overview;
    const QString head = tr("layer %1, head %2").arg(m_view->layer().value()).arg(shownNumber(m_view->head()));
    if (overview.model.changes.any())
        return m_view->setEmpty(tr("Not available for this cache"),
                                tr("The cache was made with ablated heads or merged KV groups, so the original model "
                                   "would give different activations."));
    const bool ofCache = m_view->corpusChoice() == ui::CorpusChoice::Cache;
    if (ofCache && overview.documents->texts.empty())
        return m_view->setEmpty(tr("The cache holds no texts"),
                                tr("To record %1, select a file of texts below.").arg(head));
    const QString texts = ofCache
                              ? tr("the %1 of this cache")
                                    .arg(ui::countText(overview.documents->count(), tr("document"), tr("documents")))
                              : tr("the texts of %1").arg(QFileInfo(m_texts).fileName());
    std::error_code ignored;
    const bool begun = std::filesystem::exists(answerFile().string() + ".run", ignored);
    const QString how = tr("Recording runs %1 through the model, up to layer %2. %3")
                            .arg(texts)
                            .arg(m_view->layer().value())
                            .arg(begun ? tr("It continues an earlier run.") : tr("The result is saved."));
    m_view->setEmpty(tr("No activations for %1").arg(head),
                     modelOfCache(m_study).isEmpty()
                         ? tr("%1 This needs the model %2.").arg(how, ui::toQString(overview.model.name))
                         : how,
                     modelOfCache(m_study).isEmpty() ? tr("Open model…") : tr("Record activations"));
}

HeadCorpusController::Line HeadCorpusController::lineOf(const HeadQuestion& asked) const
{
    Line line;
    line.command.model = ui::toStdString(modelOfCache(m_study));
    line.command.corpus = asked.texts.empty() ? asked.cache : asked.texts;
    line.command.activations = std::to_string(asked.layer.value()) + ":" + std::to_string(shownNumber(asked.head));
    line.command.output = headFile(asked, !m_study.window().isDemo(ui::toQString(asked.cache)), m_home).string();
    line.common.threads = m_study.threads();
    line.common.seed = m_study.window().settings().seed();
    line.common.overwrite = true; // what is there could not be read, or is to be made again
    return line;
}

void HeadCorpusController::run()
{
    if (!m_study.cache() || m_runner.running())
        return;
    if (m_study.cache()->overview->model.changes.any())
        return showLack();
    if (modelOfCache(m_study).isEmpty())
        return askModelOfCache(m_study, [this](const QString& path) {
            if (modelOfCache(m_study).isEmpty())
                return m_study.window().showNotice(tr("There is no model at %1.").arg(path));
            run();
        });
    const HeadQuestion asked = question();
    const Line line = lineOf(asked);
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(line.command.output).parent_path(), ignored);
    const QString title = runTitle(asked);
    m_study.beginJob(kRunJob, title, m_runner, Study::OnCancel::Await);
    m_study.run<std::int64_t>(
        m_runner,
        [engine = m_engines.forOneJob(), params = shell::requestParams(line),
         log = m_study.logOf(kRunJob)](JobContext& job) -> Result<std::int64_t> {
            HEADSCOPE_TRY(const nlohmann::json made, engine->ask(commands::AttentionCommand::kVerb, params, job, log));
            return made.value("tokens", std::int64_t{0});
        },
        [this](const Result<std::int64_t>& tokens) { takeRun(tokens); });
    m_view->setRunning(true);
    if (m_view->corpus() == nullptr)
        m_view->setEmpty(tr("%1…").arg(title),
                         tr("Progress is shown below. You can stop at any time: finished documents are saved."));
}

void HeadCorpusController::takeRun(const Result<std::int64_t>& tokens)
{
    m_view->setRunning(false);
    if (tokens)
    {
        m_study.noteResult(kRunJob, ui::countText(*tokens, tr("token"), tr("tokens")));
        return renew();
    }
    const Error& error = tokens.error();
    if (error.code == ErrorCode::Cancelled)
    {
        if (m_view->corpus() == nullptr)
            showLack();
        return;
    }
    const QString sentence = ui::errorText(error);
    m_study.window().jobStrip().addLog(sentence);
    m_study.window().showError(tr("Recording failed"), sentence);
    if (m_view->corpus() == nullptr)
        m_view->setEmpty(ui::errorHeading(error.code), sentence, tr("Try again"), true);
}

void HeadCorpusController::makeMap()
{
    if (m_view->corpus() == nullptr)
        return;
    const TokenMapRequest request{m_view->corpus(), m_view->mapKind(), m_view->mapTokens(), m_study.threads()};
    const auto live =
        m_live.begin(this, [this](const TokenMap& map) { m_view->setMap(std::make_shared<const TokenMap>(map)); });
    m_view->setMapRunning(true);
    m_study.beginJob(kMapJob,
                     request.kind == TokenMapKind::Outputs ? tr("Mapping outputs of the head")
                                                           : tr("Mapping queries and keys of the head"),
                     m_mapRunner);
    m_study.run<TokenMapPtr>(
        m_mapRunner,
        [request, live](JobContext& job) {
            return placeTokens(
                request, [&live](const TokenMapPtr& map) { live->publish(map); }, job);
        },
        [this](Result<TokenMapPtr> map) {
            m_live.end();
            m_view->setMapRunning(false);
            if (map)
                m_view->setMap(*map);
            else if (map.error().code != ErrorCode::Cancelled)
                m_view->setMapProblem(ui::errorText(map.error()));
            settle();
        });
}

void HeadCorpusController::showNote()
{
    const auto& corpus = m_view->corpus();
    if (corpus == nullptr)
        return m_view->setNote({});
    QStringList parts;
    parts << tr("%1 sampled").arg(ui::countText(std::ssize(corpus->sampled), tr("token"), tr("tokens")));
    if (corpus->truncated > 0)
        parts << tr("%1 truncated").arg(ui::countText(corpus->truncated, tr("document"), tr("documents")));
    parts << ui::toQString(std::filesystem::path(corpus->source.corpus).filename().string());
    m_view->setNote(parts.join(QStringLiteral(" · ")));
}

QString HeadCorpusController::commandLine() const
{
    if (!m_study.cache() || modelOfCache(m_study).isEmpty())
        return {};
    return ui::toQString(lineOf(question()).text());
}

} // namespace headscope::desktop

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/retrieval_controller.h"

#include "app/cli/cache_input.h"
#include "app/cli/retrieval_input.h"
#include "app/desktop/model_memory.h"
#include "app/desktop/view_files.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/jobs/job_strip.h"
#include "ui/panels/data_panel.h"
#include "ui/panels/head_picker.h"
#include "ui/plots/head_mixer.h"
#include "ui/plots/query_row.h"
#include "ui/plots/retrieval_view.h"
#include "ui/settings/settings.h"
#include "ui/wording.h"

#include <QFileInfo>
#include <QLineEdit>

#include <filesystem>
#include <utility>

namespace headscope::desktop
{

/// What a search brings: the base it was made on (for the next ones), and the lists.
struct RetrievalController::Searched
{
    std::shared_ptr<const SearchBase> base;
    QueryLists lists;
    std::shared_ptr<const FullVectors> full;
    std::vector<std::string> notices;
};

namespace
{

/// The full vectors and the base of a search, where they are not there yet.
Status prepare(std::shared_ptr<const FullVectors>& full, std::shared_ptr<const SearchBase>& base, CacheReader& reader,
               const std::shared_ptr<const HeadVectors>& vectors, std::int64_t modelHeads,
               const std::vector<std::int64_t>& shown, int numThreads, JobContext& job)
{
    if (full == nullptr)
    {
        HEADSCOPE_TRY(FullPair read, fullVectors(reader, vectors->layer(), vectors->stage(), std::nullopt, job));
        full = std::make_shared<const FullVectors>(std::move(read.documents));
    }
    if (base == nullptr)
    {
        HEADSCOPE_TRY(base, makeSearchBase(vectors, full->vectors, full->source, modelHeads, numThreads, job));
    }
    base = withCandidates(base, shown);
    return {};
}

std::vector<std::int32_t> codesOf(const Study& study)
{
    const LabelColumn* column = study.cache()->overview->documents->label(study.labelColumn());
    return column == nullptr ? std::vector<std::int32_t>() : column->codes;
}

} // namespace

RetrievalController::RetrievalController(Study& study, QString engine, QObject* parent)
    : Controller(parent), m_study(study), m_engine(std::move(engine)), m_save(study)
{
    m_view = new ui::RetrievalView;
    registerView();
    connectView();
    connect(&m_study, &Study::cacheChanged, this, [this] {
        const ui::CacheOverview& overview = *m_study.cache()->overview;
        m_asked.reset();
        m_view->setStudy(overview.model, m_study.palette(), overview.documents, m_study.labelColumn());
        m_view->setShownHeads(m_study.heads());
    });
    connect(&m_study, &Study::sourceChanged, this, &RetrievalController::forgetSource);
    connect(&m_study, &Study::sourceLoaded, this, &RetrievalController::askAgain);
    connect(&m_study, &Study::labelsChanged, this, [this] {
        m_view->setLabelColumn(m_study.cache()->overview->documents, m_study.labelColumn());
        measureAgain();
    });
    connect(&m_study, &Study::paletteChanged, this, [this] { m_view->setHeadPalette(m_study.palette()); });
    connect(&m_study, &Study::headsChanged, this, [this] { m_view->setShownHeads(m_study.heads()); });
    connect(m_view, &ui::RetrievalView::allHeadsRequested, m_study.window().dataPanel().headPicker(),
            &ui::HeadPicker::chooseAll);
    ui::SelectionHub& selection = m_study.window().selection();
    connect(&selection, &ui::SelectionHub::primaryChanged, this, [this] {
        refreshAsking();
        askAgain();
    });
    connect(&selection, &ui::SelectionHub::litHeadsChanged, this,
            [this] { m_view->setLitHeads(m_study.window().selection().litHeads()); });
    connect(&selection, &ui::SelectionHub::shownChanged, this, [this] {
        m_lists.reset();
        m_measured.reset();
        askAgain();
    });
    connect(&m_study.window(), &ui::MainWindow::viewChanged, this, &RetrievalController::askAgain);
    connect(&m_save, &SaveJob::saved, this, &Controller::saved);
    m_view->setEmpty(tr("No cache is open"), tr("Documents found by each head, and how their votes make a ranking, "
                                                "would be here. Open a cache first."));
    refreshAsking();
}

void RetrievalController::registerView()
{
    ui::ViewEntry entry;
    entry.id = ui::View::Retrieval;
    entry.title = tr("Retrieval");
    entry.widget = m_view;
    entry.help = tr("Each chosen head votes for the documents nearest to the query; strategies and faders weigh the "
                    "votes (multi-head RAG, arXiv 2406.05085).");
    entry.filters = tableAndPictureFilters();
    entry.save = [this](const QString& path) { save(path); };
    entry.copy = [this] { copy(); };
    entry.commandLine = [this] { return commandLineOf(); };
    m_study.window().addView(std::move(entry));
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
    connect(m_view, &RetrievalView::emptyActionRequested, this, [this] { m_study.window().setView(ui::View::Map); });
    connect(row, &ui::QueryRow::textAsked, this, &RetrievalController::askText);
    connect(&m_searchRunner, &ui::JobRunner::cancelled, this, [this] {
        m_view->queryRow()->setBusy({});
        if (m_lists == nullptr)
            m_view->queryRow()->setProblem(tr("Stopped: nothing was asked"));
    });
    connect(m_view, &RetrievalView::resultClicked, this,
            [this](std::int64_t document, const std::vector<std::int64_t>& heads) {
                ui::SelectionHub& selection = m_study.window().selection();
                selection.setPrimary(document, selection.selection().primaryHead);
                selection.setLitHeads(heads);
            });
    connect(m_view, &RetrievalView::relevantRequested, this, [this] {
        ui::MainWindow& window = m_study.window();
        window.dialogs().openFile(
            &window, tr("Relevant documents of queries"), window.settings().text(ui::SettingKey::LastFolder),
            tr("Relevant sets (*.jsonl *.json);;All files (*)"), [this](const QString& path) {
                m_study.window().settings().setText(ui::SettingKey::LastFolder, QFileInfo(path).absolutePath());
                loadRelevant(path);
            });
    });
}

void RetrievalController::stop()
{
    m_searchRunner.cancel();
    m_measureRunner.cancel();
    m_voteRunner.cancel();
    m_save.stop();
}

bool RetrievalController::busy() const
{
    return m_searchRunner.running() || m_measureRunner.running() || m_save.busy();
}

void RetrievalController::forgetSource()
{
    m_searchRunner.cancel();
    m_measureRunner.cancel();
    m_voteRunner.cancel();
    m_base.reset();
    m_lists.reset();
    m_measured.reset();
    m_study.window().selection().setLitHeads({});
    m_view->setComparison(nullptr);
    m_view->setEmpty(tr("Nothing is asked yet"),
                     tr("Choose a document on the map and ask with it, or ask with a text: the documents that the "
                        "heads find would be here, each with the votes it got."),
                     tr("To the map"));
    refreshAsking();
}

void RetrievalController::refreshAsking()
{
    ui::QueryRow* row = m_view->queryRow();
    const bool open = m_study.cache().has_value();
    row->setOpen(open);
    row->setDocumentAllowed(open && m_study.window().selection().selection().primary.has_value());
    if (!open)
        return;
    const ModelInfo& model = m_study.cache()->overview->model;
    row->setModel(modelOfTexts(),
                  tr("To ask with a text, this cache’s model is needed: %1")
                      .arg(model.name.empty() ? tr("the one that made it") : ui::toQString(model.name)));
}

QString RetrievalController::modelOfTexts() const
{
    return m_study.cache() ? knownModel(m_study.window().settings(), m_study.cache()->overview->model) : QString();
}

void RetrievalController::chooseModel()
{
    if (!m_study.cache())
        return;
    ui::MainWindow& window = m_study.window();
    window.dialogs().openFile(
        &window, tr("The model %1").arg(ui::toQString(m_study.cache()->overview->model.name)),
        window.settings().text(ui::SettingKey::LastFolder), tr("Models (*.gguf *.safetensors *.json);;All files (*)"),
        [this](const QString& path) {
            if (!m_study.cache())
                return;
            m_study.window().settings().setText(ui::SettingKey::LastFolder, QFileInfo(path).absolutePath());
            rememberModel(m_study.window().settings(), ui::toQString(m_study.cache()->overview->model.name), path);
            refreshAsking();
            // Whoever has written a text waits for this alone.
            if (const QString text = m_view->queryRow()->field()->text().trimmed(); !text.isEmpty())
                askText(text);
        });
}

void RetrievalController::askAgain()
{
    // Nothing is searched before somebody looks.
    if (m_study.window().view() != ui::View::Retrieval || m_study.source().vectors == nullptr || m_lists != nullptr)
        return;
    const auto primary = m_study.window().selection().selection().primary;
    if (!m_asked && primary)
        m_asked = Asked{primary, {}};
    if (m_asked && m_asked->document)
        search();
    else if (m_asked)
        askText(m_asked->text);
}

void RetrievalController::askDocument(std::int64_t document)
{
    m_asked = Asked{document, {}};
    search();
}

void RetrievalController::search()
{
    const SourceData& source = m_study.source();
    if (!m_asked || source.vectors == nullptr)
        return;
    if (!m_asked->document)
        return askText(m_asked->text);
    const OpenedCache& cache = *m_study.cache();
    const std::int64_t document = *m_asked->document;
    m_study.beginJob(QStringLiteral("retrieve"), tr("Searching"), m_searchRunner);
    m_searchRunner.start<Searched>(
        [reader = cache.reader, base = m_base, shown = m_study.window().selection().shownDocuments(),
         full = source.full, vectors = source.vectors, heads = cache.overview->model.heads, document,
         id = cache.overview->documents->ids[static_cast<std::size_t>(document)], top = m_view->top(),
         count = m_study.threads()](JobContext& job) -> Result<Searched> {
            Searched searched{base, {}, full, {}};
            HEADSCOPE_CHECK(prepare(searched.full, searched.base, *reader, vectors, heads, shown, count, job));
            HEADSCOPE_TRY(searched.lists, desktop::askDocument(*searched.base, document, id, top, count, job));
            return searched;
        },
        [this](Result<Searched> searched) { takeSearched(std::move(searched)); });
}

void RetrievalController::askText(const QString& text)
{
    if (!m_study.cache())
        return;
    m_asked = Asked{{}, text};
    if (const QString model = modelOfTexts(); !model.isEmpty())
        embedWith(model, text);
}

void RetrievalController::embedWith(const QString& model, const QString& text)
{
    if (m_study.source().vectors == nullptr)
        return;
    const OpenedCache& cache = *m_study.cache();
    cli::CacheInput input{cache.reader, cache.overview->documents, {m_study.layer()}, {m_study.stage()}, {}, {}};
    const QString doing =
        tr("Embedding “%1” with %2").arg(ui::firstLine(ui::toStdString(text), 40), QFileInfo(model).fileName());
    m_study.beginJob(QStringLiteral("retrieve"), doing, m_searchRunner);
    m_view->queryRow()->setBusy(tr("%1…").arg(doing));
    m_searchRunner.start<Searched>(
        [input, base = m_base, shown = m_study.window().selection().shownDocuments(),
         vectors = m_study.source().vectors, full = m_study.source().full, heads = cache.overview->model.heads,
         model = ui::toStdString(model), text = ui::toStdString(text),
         engine = std::filesystem::path(ui::toStdString(m_engine)), top = m_view->top(),
         count = m_study.threads()](JobContext& job) -> Result<Searched> {
            Searched searched{base, {}, full, {}};
            HEADSCOPE_CHECK(prepare(searched.full, searched.base, *input.cache, vectors, heads, shown, count, job));
            const cli::SearchVectors searching{vectors, searched.full->vectors, searched.full->source};
            HEADSCOPE_TRY(const cli::Queries queries, cli::queryText(text, model, {}, engine, input, searching, job));
            if (!queries.notice.empty())
                searched.notices.push_back(queries.notice);
            HEADSCOPE_TRY(searched.lists, askVectors(*searched.base, *queries.vectors.heads, *queries.vectors.full,
                                                     text, top, count, job));
            return searched;
        },
        [this](Result<Searched> searched) { takeSearched(std::move(searched)); });
}

void RetrievalController::takeSearched(Result<Searched> searched)
{
    m_view->queryRow()->setBusy({});
    if (!searched)
    {
        m_study.report(searched.error());
        m_view->queryRow()->setProblem(ui::errorText(searched.error()));
        return m_view->setEmpty(ui::errorHeading(searched.error().code), ui::errorText(searched.error()), {}, true);
    }
    for (const std::string& notice : searched->notices)
    {
        m_study.window().jobStrip().addLog(ui::toQString(notice));
        m_study.window().showNotice(ui::toQString(notice));
    }
    m_study.keepFull(searched->full);
    m_base = searched->base;
    m_view->setScores(m_base->headScores, m_base->segmentScores);
    m_lists = std::make_shared<const QueryLists>(std::move(searched->lists));
    vote();
    if (m_study.relevant() != nullptr && m_measured == nullptr)
        measure();
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
    m_voteRunner.start<Comparison>(
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
    m_voteRunner.start<Comparison>(
        [base = m_base, shown, measured = m_measured, codes = codesOf(m_study), factors = m_view->mixer()->factors()](
            JobContext&) -> Result<Comparison> { return withMeasures(*shown, *base, measured.get(), codes, factors); },
        [this](Result<Comparison> comparison) { takeComparison(std::move(comparison)); });
}

void RetrievalController::takeComparison(Result<Comparison> comparison)
{
    if (!comparison)
        return m_study.report(comparison.error());
    m_view->setComparison(*comparison);
    m_study.window().refreshActions();
    Q_EMIT shown(ui::View::Retrieval);
}

void RetrievalController::loadRelevant(const QString& path)
{
    if (!m_study.cache())
        return;
    m_study.beginJob(QStringLiteral("relevant"), tr("Reading %1").arg(QFileInfo(path).fileName()), m_measureRunner);
    m_measureRunner.start<Study::Relevant>(
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
                     tr("Asking with the queries of %1").arg(QFileInfo(m_study.relevantFile()).fileName()),
                     m_measureRunner);
    m_measureRunner.start<std::shared_ptr<const MeasuredQueries>>(
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
                HEADSCOPE_TRY(QueryLists lists, desktop::askDocument(*base, static_cast<std::int64_t>(row),
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

} // namespace headscope::desktop

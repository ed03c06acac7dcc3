// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/retrieval_controller.h"

#include "app/cli/cache_input.h"
#include "app/cli/result_table.h"
#include "app/cli/retrieval_input.h"
#include "app/desktop/command_line.h"
#include "app/desktop/view_files.h"
#include "model/data/head_ranges.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/panels/data_panel.h"
#include "ui/plots/head_mixer.h"
#include "ui/plots/retrieval_view.h"
#include "ui/settings/settings.h"
#include "ui/wording.h"

#include <QFileInfo>

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

/// Both rankings as a table: as `headscope retrieve -o` writes one.
cli::ResultTable tableOf(const RetrievalComparison& comparison, const DocumentSet& documents)
{
    cli::ResultTable table({"query", "strategy", "rank", "document", "id", "votes", "heads", "who"});
    for (const RankedDocuments* ranked : {&comparison.first, &comparison.second})
    {
        std::int64_t rank = 0;
        for (const RetrievedDocument& result : ranked->results)
        {
            std::vector<std::int64_t> voters;
            for (const HeadVote& vote : result.byHead)
                voters.push_back(vote.head);
            table.add({comparison.query, std::string(votingName(ranked->strategy)), rank++, result.document,
                       documents.ids[static_cast<std::size_t>(result.document)], result.votes,
                       static_cast<std::int64_t>(voters.size()), formatHeadRanges(voters)});
        }
    }
    return table;
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
    });
    connect(&m_study, &Study::sourceChanged, this, &RetrievalController::forgetSource);
    connect(&m_study, &Study::sourceLoaded, this, &RetrievalController::askAgain);
    connect(&m_study, &Study::labelsChanged, this, [this] {
        m_view->setLabelColumn(m_study.cache()->overview->documents, m_study.labelColumn());
        vote();
    });
    connect(&m_study, &Study::paletteChanged, this, [this] { m_view->setHeadPalette(m_study.palette()); });
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
    entry.help = tr("Each head votes for the documents nearest to the query; strategies and faders say what a vote "
                    "counts (multi-head RAG, arXiv 2406.05085).");
    entry.filters = tableAndPictureFilters();
    entry.save = [this](const QString& path) { save(path); };
    entry.copy = [this] { copyPictureOf(*m_view); };
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
    connect(m_view, &RetrievalView::chosenDocumentAsked, this, [this] {
        if (const auto primary = m_study.window().selection().selection().primary)
            askDocument(*primary);
    });
    connect(m_view, &RetrievalView::emptyActionRequested, this, [this] { m_study.window().setView(ui::View::Map); });
    connect(m_view, &RetrievalView::textAsked, this, &RetrievalController::askText);
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
    const bool open = m_study.cache().has_value();
    m_view->setDocumentAllowed(open && m_study.window().selection().selection().primary.has_value());
    m_view->setTextAllowed(open, open ? tr("The model embeds the text; then it asks as a document does")
                                      : tr("Open a cache first"));
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
            Searched searched{base, {}, full};
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
    const QString known = m_model.isEmpty() ? ui::toQString(m_study.cache()->overview->model.path) : m_model;
    if (!known.isEmpty() && QFileInfo::exists(known))
        return embedWith(known, text);
    ui::MainWindow& window = m_study.window();
    window.dialogs().openFile(&window, tr("The model that made this cache, to embed the text"),
                              window.settings().text(ui::SettingKey::LastFolder),
                              tr("Models (*.gguf *.safetensors *.json);;All files (*)"),
                              [this, text](const QString& path) {
                                  m_model = path;
                                  embedWith(path, text);
                              });
}

void RetrievalController::embedWith(const QString& model, const QString& text)
{
    if (m_study.source().vectors == nullptr)
        return;
    const OpenedCache& cache = *m_study.cache();
    cli::CacheInput input{cache.reader, cache.overview->documents, {m_study.layer()}, {m_study.stage()}, {}, {}};
    m_study.beginJob(QStringLiteral("retrieve"), tr("Embedding the query"), m_searchRunner);
    m_searchRunner.start<Searched>(
        [input, base = m_base, shown = m_study.window().selection().shownDocuments(),
         vectors = m_study.source().vectors, full = m_study.source().full, heads = cache.overview->model.heads,
         model = ui::toStdString(model), text = ui::toStdString(text),
         engine = std::filesystem::path(ui::toStdString(m_engine)), top = m_view->top(),
         count = m_study.threads()](JobContext& job) -> Result<Searched> {
            Searched searched{base, {}, full};
            HEADSCOPE_CHECK(prepare(searched.full, searched.base, *input.cache, vectors, heads, shown, count, job));
            const cli::SearchVectors searching{vectors, searched.full->vectors, searched.full->source};
            HEADSCOPE_TRY(const cli::Queries queries, cli::queryText(text, model, {}, engine, input, searching, job));
            HEADSCOPE_TRY(searched.lists, askVectors(*searched.base, *queries.vectors.heads, *queries.vectors.full,
                                                     text, top, count, job));
            return searched;
        },
        [this](Result<Searched> searched) { takeSearched(std::move(searched)); });
}

void RetrievalController::takeSearched(Result<Searched> searched)
{
    if (!searched)
    {
        m_study.report(searched.error());
        return m_view->setEmpty(ui::errorHeading(searched.error().code), ui::errorText(searched.error()), {}, true);
    }
    m_study.keepFull(searched->full);
    m_base = searched->base;
    m_view->setScores(m_base->headScores, m_base->segmentScores);
    m_lists = std::make_shared<const QueryLists>(std::move(searched->lists));
    vote();
    if (m_study.relevant() != nullptr && m_measured == nullptr)
        measure();
}

void RetrievalController::vote()
{
    if (m_lists == nullptr || m_base == nullptr)
        return;
    VoteOptions options{m_view->first(), m_view->second(), m_view->mixer()->factors()};
    std::vector<std::int64_t> relevant;
    if (m_study.relevant() != nullptr)
        if (const auto found = m_study.relevant()->find(m_lists->document ? m_lists->query : "query");
            found != m_study.relevant()->end())
            relevant = found->second;
    m_voteRunner.start<std::shared_ptr<const RetrievalComparison>>(
        [base = m_base, lists = m_lists, relevant, measured = m_measured, codes = codesOf(m_study),
         options](JobContext&) -> Result<std::shared_ptr<const RetrievalComparison>> {
            return compareStrategies(*base, *lists, relevant, measured.get(), codes, options);
        },
        [this](Result<std::shared_ptr<const RetrievalComparison>> comparison) {
            if (!comparison)
                return m_study.report(comparison.error());
            m_view->setComparison(*comparison);
            m_study.window().refreshActions();
            Q_EMIT shown(ui::View::Retrieval);
        });
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

QString RetrievalController::commandLineOf() const
{
    const auto comparison = m_view->comparison();
    if (comparison == nullptr || !m_study.cache())
        return {};
    QStringList words = {QStringLiteral("retrieve"), ui::toQString(m_study.cache()->overview->path),
                         QStringLiteral("--layer"),  QString::number(m_study.layer().value()),
                         QStringLiteral("--stage"),  ui::toQString(stageName(m_study.stage()))};
    if (comparison->document)
        words << QStringLiteral("--query-document") << ui::toQString(comparison->query);
    else
        words << QStringLiteral("--query") << ui::toQString(comparison->query) << QStringLiteral("--model")
              << (m_model.isEmpty() ? ui::toQString(m_study.cache()->overview->model.path) : m_model);
    words << QStringLiteral("--strategy") << ui::toQString(votingName(comparison->first.strategy))
          << QStringLiteral("--top") << QString::number(m_view->top());
    if (!m_study.relevantFile().isEmpty())
        words << QStringLiteral("--relevant") << m_study.relevantFile();
    QString line = commandLine(words);
    if (!m_view->mixer()->isPlain())
    {
        QStringList factors;
        for (const double factor : m_view->mixer()->factors())
            factors << QString::number(factor, 'g', 4);
        line += QStringLiteral(" --weights <(echo '[%1]')").arg(factors.join(u','));
    }
    return line;
}

void RetrievalController::save(const QString& path)
{
    const auto comparison = m_view->comparison();
    if (comparison == nullptr)
        return m_study.window().showNotice(tr("There are no results to save yet."));
    saveWidgetView(
        m_save, path, *m_view, commandLineOf(),
        [comparison, documents = m_study.cache()->overview->documents] { return tableOf(*comparison, *documents); });
}

} // namespace headscope::desktop

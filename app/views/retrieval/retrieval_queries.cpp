// SPDX-License-Identifier: GPL-3.0-or-later
// Who asks: a document, or a text by the model of the cache; and the search itself.
#include "app/cli/retrieval_input.h"
#include "app/desktop/engine/embed_query.h"
#include "app/desktop/shell/model_choice.h"
#include "app/results/cache_input.h"
#include "app/views/retrieval/query_row.h"
#include "app/views/retrieval/retrieval_controller.h"
#include "app/views/retrieval/retrieval_view.h"
#include "model/io/cache/full_vectors.h"
#include "ui/jobs/job_strip.h"
#include "ui/settings/settings.h"
#include "ui/words/wording.h"

#include <QFileInfo>
#include <QLineEdit>

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
        auto named = std::make_shared<SearchBase>(*base); // the same vectors
        named->origin = reader.origin();
        base = std::move(named);
    }
    base = withCandidates(base, shown);
    return {};
}

} // namespace

void RetrievalController::refreshAsking()
{
    ui::QueryRow* row = m_view->queryRow();
    const bool open = m_study.cache().has_value();
    row->setOpen(open);
    row->setDocumentAllowed(open && m_study.window().selection().selection().primary.has_value());
    if (!open)
        return;
    const ModelInfo& model = m_study.cache()->overview->model;
    row->setModel(modelOfCache(m_study),
                  tr("To search with a text, open the model of this cache (%1)")
                      .arg(model.name.empty() ? tr("name not recorded") : ui::toQString(model.name)));
}

void RetrievalController::chooseModel()
{
    askModelOfCache(m_study, [this](const QString&) {
        refreshAsking();
        // Whoever has written a text waits for this alone.
        if (const QString text = m_view->queryRow()->field()->text().trimmed(); !text.isEmpty())
            askText(text);
    });
}

bool RetrievalController::lacks() const
{
    return m_study.source().vectors != nullptr && m_lists == nullptr;
}

void RetrievalController::begin()
{
    const auto primary = m_study.window().selection().selection().primary;
    if (!m_asked && primary)
        m_asked = Asked{primary, {}};
    if (m_asked && m_asked->document)
        search();
    else if (m_asked)
        askText(m_asked->text);
}

void RetrievalController::askDocument(DocumentIndex document)
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
    const DocumentIndex document = *m_asked->document;
    m_study.beginJob(QStringLiteral("retrieve"), tr("Searching"), m_searchRunner);
    m_study.run<Searched>(
        m_searchRunner,
        [reader = cache.reader, base = m_base, shown = m_study.window().selection().shownDocuments(),
         full = source.full, vectors = source.vectors, heads = cache.overview->model.heads, document,
         id = cache.overview->documents->ids[document.index()], top = m_view->top(),
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
    if (const QString model = modelOfCache(m_study); !model.isEmpty())
        embedWith(model, text);
}

void RetrievalController::embedWith(const QString& model, const QString& text)
{
    if (m_study.source().vectors == nullptr)
        return;
    const OpenedCache& cache = *m_study.cache();
    CacheInput input{cache.reader, cache.overview->documents, {m_study.layer()}, {m_study.stage()}, {}, {}};
    const QString doing =
        tr("Embedding “%1” with %2").arg(ui::firstLine(ui::toStdString(text), 40), QFileInfo(model).fileName());
    m_study.beginJob(QStringLiteral("retrieve"), doing, m_searchRunner);
    m_view->queryRow()->setBusy(tr("%1…").arg(doing));
    m_study.run<Searched>(
        m_searchRunner,
        [input, base = m_base, shown = m_study.window().selection().shownDocuments(),
         vectors = m_study.source().vectors, full = m_study.source().full, heads = cache.overview->model.heads,
         model = ui::toStdString(model), text = ui::toStdString(text), engine = m_engines.of(model),
         top = m_view->top(), count = m_study.threads()](JobContext& job) -> Result<Searched> {
            Searched searched{base, {}, full, {}};
            HEADSCOPE_CHECK(prepare(searched.full, searched.base, *input.cache, vectors, heads, shown, count, job));
            const cli::SearchVectors searching{input.model(), vectors, searched.full->vectors, searched.full->source};
            HEADSCOPE_TRY(const cli::RetrievalQueries queries, embedQuery(*engine, text, model, input, searching, job));
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
        return m_view->setError(searched.error());
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
    m_explained.reset(); // results of another query
    m_explain->forget();
    vote();
    if (m_study.relevant() != nullptr && m_measured == nullptr)
        measure();
}

} // namespace headscope::desktop

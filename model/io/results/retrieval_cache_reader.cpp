// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/retrieval_cache_reader.h"

#include "model/base/assert.h"
#include "model/io/cache/cache_checks.h"
#include "model/io/cache/cache_identity.h"
#include "model/io/cache/cache_schema.h"

#include <algorithm>
#include <cstddef>
#include <system_error>
#include <utility>

namespace headscope
{

RetrievalCacheReader::RetrievalCacheReader(std::filesystem::path path, RetrievalPart part, RetrievalContents contents)
    : m_path(std::move(path)), m_part(part), m_vectors(std::move(contents.embeddings)),
      m_relevant(std::move(contents.relevant)),
      m_documents(std::make_shared<const DocumentSet>(std::move(contents.documents)))
{
    std::error_code ignored;
    m_info.header = std::move(contents.header);
    m_info.version = schema::kVersion;
    m_info.documents = m_documents->count();
    m_info.hasTexts = !m_documents->texts.empty();
    m_info.fileBytes = std::filesystem::file_size(m_path, ignored);
    m_info.notices = std::move(contents.notices);
    for (const LabelColumn& label : m_documents->labels)
        m_info.labels.push_back(label.name);
    std::sort(m_vectors.begin(), m_vectors.end(), [](const auto& a, const auto& b) {
        return a->layer() != b->layer() ? a->layer() < b->layer() : a->stage() < b->stage();
    });
    for (const auto& each : m_vectors)
        m_info.embeddings.push_back(
            {each->layer(), each->stage(), each->documents(), each->heads(), each->dims(), NumberType::F32});
    m_info.identity = identityOf(m_info, *m_documents, m_vectors);
    m_origin = originOf(m_path, m_info, {});
}

Result<std::shared_ptr<RetrievalCacheReader>> RetrievalCacheReader::open(const std::filesystem::path& path,
                                                                         JobContext& job, RetrievalPart part)
{
    HEADSCOPE_TRY(RetrievalContents contents, readRetrievalJson(path, part, job));
    return std::shared_ptr<RetrievalCacheReader>(new RetrievalCacheReader(path, part, std::move(contents)));
}

Result<std::shared_ptr<CacheReader>> RetrievalCacheReader::openAgain() const
{
    JobContext unwatched;
    HEADSCOPE_TRY(auto reader, open(m_path, unwatched, m_part));
    reader->m_origin = m_origin;
    return std::shared_ptr<CacheReader>(std::move(reader));
}

Result<std::shared_ptr<const DocumentSet>> RetrievalCacheReader::documents(JobContext& /*job*/)
{
    return m_documents;
}

Result<std::shared_ptr<const HeadVectors>> RetrievalCacheReader::load(LayerIndex layer, Stage stage,
                                                                      DocumentRange range, JobContext& /*job*/)
{
    if (find(layer, stage) == nullptr)
        return noVectors(m_info, layer, stage, m_path);
    const auto found = std::find_if(m_vectors.begin(), m_vectors.end(),
                                    [&](const auto& each) { return each->layer() == layer && each->stage() == stage; });
    HEADSCOPE_ASSERT(found != m_vectors.end());
    const HeadVectors& all = **found;
    HEADSCOPE_TRY(const DocumentRange rows, rowsWithin(range, all.documents(), m_path, {}));
    if (rows.begin == 0 && rows.end == all.documents())
        return *found;
    const auto rowSize = all.heads() * all.dims();
    const auto values = all.values().subspan(static_cast<std::size_t>(rows.begin * rowSize),
                                             static_cast<std::size_t>((rows.end - rows.begin) * rowSize));
    return std::make_shared<const HeadVectors>(stage, layer, rows.end - rows.begin, all.heads(), all.dims(),
                                               std::vector<float>(values.begin(), values.end()));
}

Result<TopicVectors> RetrievalCacheReader::topics(std::string_view column, LayerIndex layer, Stage stage,
                                                  JobContext& /*job*/)
{
    return noTopics(m_info, column, layer, stage, m_path);
}

Result<HeadMap> RetrievalCacheReader::map(const std::string& name, JobContext& /*job*/)
{
    return noMap(m_info, name, m_path);
}

Result<HeadMapSet> RetrievalCacheReader::mapSet(const std::string& name, JobContext& /*job*/)
{
    return noMapSet(m_info, name, m_path);
}

} // namespace headscope

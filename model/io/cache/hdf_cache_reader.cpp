// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/hdf_cache_reader.h"

#include "model/io/cache/cache_checks.h"
#include "model/io/cache/cache_identity.h"
#include "model/io/cache/cache_opening.h"
#include "model/io/cache/cache_schema.h"
#include "model/io/cache/map_io.h"
#include "model/io/hdf5/file_seal.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace headscope
{

HdfCacheReader::HdfCacheReader(std::filesystem::path path, Hdf5Reader file, CacheInfo info, Origin origin)
    : m_path(std::move(path)), m_datasets(std::move(file)), m_info(std::move(info)), m_origin(std::move(origin))
{}

Result<std::shared_ptr<HdfCacheReader>> HdfCacheReader::open(const std::filesystem::path& path, JobContext& job)
{
    HEADSCOPE_TRY(Hdf5Reader file, Hdf5Reader::open(path, job));
    HEADSCOPE_TRY(CacheInfo info, readCacheInfo(file));
    info.identity = identityOf(file, file.checksums(), info);
    Origin origin = originOf(path, info, file.checksums());
    if (file.seal() == SealState::None && info.hasChecksums)
        info.notices.emplace_back("another program changed this cache after Headscope wrote it");
    return std::shared_ptr<HdfCacheReader>(
        new HdfCacheReader(path, std::move(file), std::move(info), std::move(origin)));
}

Result<std::shared_ptr<CacheReader>> HdfCacheReader::openAgain() const
{
    JobContext unwatched;
    HEADSCOPE_TRY(auto reader, open(m_path, unwatched));
    reader->m_origin = m_origin;
    return std::shared_ptr<CacheReader>(std::move(reader));
}

Result<LabelColumn> HdfCacheReader::label(const std::string& name) const
{
    const std::string group = fmt::format("{}/{}", schema::kLabels, schema::stepFromName(name));
    LabelColumn column;
    column.name = name;
    HEADSCOPE_TRY(column.categories, m_datasets.strings(group + "/categories", -1));
    HEADSCOPE_TRY(column.codes, m_datasets.numbers<std::int32_t>(group + "/codes", m_info.documents));
    const auto bad = std::find_if(column.codes.begin(), column.codes.end(), [&](std::int32_t code) {
        return code < -1 || code >= static_cast<std::int32_t>(column.categories.size());
    });
    if (bad != column.codes.end())
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected codes from -1 to {}, found {} for document {}",
                                 static_cast<std::int64_t>(column.categories.size()) - 1, *bad,
                                 bad - column.codes.begin()),
                     m_path.string(), group + "/codes"};
    return column;
}

Result<DocumentSet> HdfCacheReader::readDocuments(JobContext& job) const
{
    DocumentSet set;
    HEADSCOPE_CHECK(job.checkStop());
    if (m_datasets.file().has(schema::kIds))
    {
        HEADSCOPE_TRY(set.ids, m_datasets.strings(schema::kIds, m_info.documents));
    }
    else
    {
        for (std::int64_t row = 0; row < m_info.documents; ++row)
            set.ids.push_back(std::to_string(row));
    }
    if (m_info.hasTexts)
    {
        HEADSCOPE_TRY(set.texts, m_datasets.strings(schema::kTexts, m_info.documents));
    }
    if (m_datasets.file().has(schema::kTokens))
    {
        HEADSCOPE_TRY(set.tokens, m_datasets.numbers<std::int32_t>(schema::kTokens, m_info.documents));
    }
    if (m_datasets.file().has(schema::kFlags))
    {
        HEADSCOPE_TRY(set.flags, m_datasets.numbers<std::uint8_t>(schema::kFlags, m_info.documents));
    }
    for (const std::string& name : m_info.labels)
    {
        HEADSCOPE_CHECK(job.checkStop());
        HEADSCOPE_TRY(auto column, label(name));
        set.labels.push_back(std::move(column));
    }
    return set;
}

Result<std::shared_ptr<const DocumentSet>> HdfCacheReader::documents(JobContext& job)
{
    {
        const std::scoped_lock lock(m_mutex);
        if (m_documents)
            return m_documents;
    }
    HEADSCOPE_TRY(auto set, readDocuments(job));
    auto shared = std::make_shared<const DocumentSet>(std::move(set));
    const std::scoped_lock lock(m_mutex);
    m_documents = shared;
    return shared;
}

Result<std::shared_ptr<const HeadVectors>> HdfCacheReader::load(LayerIndex layer, Stage stage, DocumentRange range,
                                                                JobContext& job)
{
    const VectorsInfo* shape = find(layer, stage);
    if (shape == nullptr)
        return noVectors(m_info, layer, stage, m_path);
    return m_datasets.vectors(schema::vectorsPath(layer, stage), *shape, range, job);
}

Result<TopicVectors> HdfCacheReader::topics(std::string_view column, LayerIndex layer, Stage stage, JobContext& job)
{
    const VectorsInfo* shape = topicsIn(m_info, column, layer, stage);
    if (shape == nullptr)
        return noTopics(m_info, column, layer, stage, m_path);
    TopicVectors result;
    result.column = column;
    const std::string group = fmt::format("{}/{}", schema::kLabels, schema::stepFromName(column));
    HEADSCOPE_TRY(result.names, m_datasets.strings(group + "/categories", -1));
    const std::string dataset = schema::topicVectorsPath(column, layer, stage);
    if (shape->documents != static_cast<std::int64_t>(result.names.size()))
        return Error{
            ErrorCode::BadFormat,
            fmt::format("expected one row for each of {} categories, found {}", result.names.size(), shape->documents),
            m_path.string(), dataset};
    HEADSCOPE_TRY(result.vectors, m_datasets.vectors(dataset, *shape, {}, job));
    return result;
}

Result<HeadMap> HdfCacheReader::map(const std::string& name, JobContext& job)
{
    if (!mapIn(m_info, name))
        return noMap(m_info, name, m_path);
    HEADSCOPE_CHECK(job.checkStop());
    HEADSCOPE_TRY(HeadMap map, readMapGroup(m_datasets.file(), name));
    HEADSCOPE_CHECK(expectPointsIn(m_info, map, m_path));
    map.origin = m_origin;
    return map;
}

Result<HeadMapSet> HdfCacheReader::mapSet(const std::string& name, JobContext& job)
{
    if (!mapSetIn(m_info, name))
        return noMapSet(m_info, name, m_path);
    HEADSCOPE_CHECK(job.checkStop());
    HEADSCOPE_TRY(HeadMapSet set, readMapSetGroup(m_datasets.file(), name));
    set.origin = m_origin;
    for (MapOfSet& each : set.maps)
    {
        HEADSCOPE_CHECK(expectPointsIn(m_info, each.map, m_path));
        each.map.origin = m_origin;
    }
    return set;
}

} // namespace headscope

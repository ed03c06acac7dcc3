// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/cache/cache_reader.h"

#include "model/io/cache/cache_checks.h"
#include "model/io/cache/hdf_cache_reader.h"
#include "model/io/results/retrieval_cache_reader.h"
#include "model/io/results/retrieval_json.h"

namespace headscope
{

CacheReader::~CacheReader() = default;

Result<std::shared_ptr<CacheReader>> CacheReader::open(const std::filesystem::path& path, CachePart part)
{
    JobContext unwatched;
    return open(path, unwatched, part);
}

Result<std::shared_ptr<CacheReader>> CacheReader::open(const std::filesystem::path& path, JobContext& job,
                                                       CachePart part)
{
    if (isRetrievalJson(path))
    {
        HEADSCOPE_TRY(auto reader,
                      RetrievalCacheReader::open(
                          path, job, part == CachePart::Queries ? RetrievalPart::Queries : RetrievalPart::Articles));
        return std::shared_ptr<CacheReader>(std::move(reader));
    }
    HEADSCOPE_TRY(auto reader, HdfCacheReader::open(path, job));
    return std::shared_ptr<CacheReader>(std::move(reader));
}

const VectorsInfo* CacheReader::find(LayerIndex layer, Stage stage) const
{
    return vectorsIn(info(), layer, stage);
}

bool CacheReader::hasTopics(std::string_view column, LayerIndex layer, Stage stage) const
{
    return topicsIn(info(), column, layer, stage) != nullptr;
}

} // namespace headscope

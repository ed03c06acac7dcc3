// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/shards/cache_growth.h"

#include "model/io/cache/cache_reader.h"
#include "model/io/cache/cache_writer.h"
#include "model/io/hdf5/checksums.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/shards/shard_manifest.h"
#include "model/io/shards/shard_placing.h"
#include "model/io/shards/vector_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace headscope
{
namespace
{

Error notOurs(const std::filesystem::path& path, std::string_view found)
{
    return {
        ErrorCode::BadFormat,
        fmt::format("expected a cache as extract or merge wrote it, found {}: extract -o creates a new cache", found),
        path.string(),
        {}};
}

/// What nobody can add to.
Status checkWhole(const Hdf5Reader& file, const CacheInfo& info)
{
    if (info.header.range)
        return notOurs(file.path(),
                       fmt::format("a part of a run (documents {} to {} of {}), which merge joins",
                                   info.header.range->begin, info.header.range->end - 1, info.header.range->documents));
    if (file.seal() != SealState::Good)
        return notOurs(file.path(), "a cache that another program wrote or changed (it has no seal)");
    const NumberType type = info.embeddings.front().type;
    if (std::any_of(info.embeddings.begin(), info.embeddings.end(),
                    [type](const VectorsInfo& each) { return each.type != type; }))
        return notOurs(file.path(), "a cache with vectors of several number types");
    return {};
}

/// Every category's vectors of a layer and stage: computed now, or those of the cache.
Status copyTopicVectors(CacheReader& cache, const CacheGrowth& growth, const LabelColumn& column,
                        const VectorsInfo& vectors, CacheWriter& target, JobContext& job)
{
    const auto computed = std::find_if(growth.topics.begin(), growth.topics.end(), [&](const TopicVectors& each) {
        return each.column == column.name && each.vectors->layer() == vectors.layer &&
               each.vectors->stage() == vectors.stage;
    });
    if (computed != growth.topics.end())
        return target.writeTopics(*computed, vectors.type);
    if (!cache.hasTopics(column.name, vectors.layer, vectors.stage))
        return {};
    HEADSCOPE_TRY(const auto there, cache.topics(column.name, vectors.layer, vectors.stage, job));
    return target.writeTopics(there, vectors.type);
}

Status copyMaps(CacheReader& cache, CacheWriter& target, JobContext& job)
{
    for (const std::string& name : cache.info().maps)
    {
        HEADSCOPE_TRY(const HeadMap map, cache.map(name, job));
        HEADSCOPE_CHECK(target.writeMap(map));
    }
    for (const std::string& name : cache.info().mapSets)
    {
        HEADSCOPE_TRY(const HeadMapSet set, cache.mapSet(name, job));
        HEADSCOPE_CHECK(target.writeMapSet(set));
    }
    return {};
}

/// The rows of the old file, and over them and behind them those of the shards.
Status copyAllVectors(const AppendTarget& cache, const CacheGrowth& growth, CacheDraft& target, JobContext& job)
{
    {
        HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(cache.path, job));
        std::uint64_t done = 0;
        for (const VectorsInfo& vectors : cache.info.embeddings)
        {
            HEADSCOPE_CHECK(copyChecked(file, vectors, 0, target, job));
            job.report("copying", ++done, cache.info.embeddings.size(), "datasets");
        }
    }
    for (const GrowthShards& shards : growth.shards)
    {
        HEADSCOPE_TRY(const ShardManifest manifest, readManifest(shards.folder));
        HEADSCOPE_CHECK(mergeBlocks(shards.folder, manifest, shards.begin, target, job));
    }
    return {};
}

} // namespace

Result<AppendTarget> openGrowingCache(const std::filesystem::path& path, JobContext& job)
{
    HEADSCOPE_TRY(const auto cache, CacheReader::open(path, job));
    {
        HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(path, job));
        HEADSCOPE_CHECK(checkWhole(file, cache->info()));
    }
    AppendTarget growing{path, cache->info(), cache->origin(), nullptr};
    HEADSCOPE_TRY(growing.documents, cache->documents(job));
    if (growing.documents->texts.empty() || growing.documents->tokens.empty() || growing.documents->flags.empty())
        return notOurs(path, "a cache without texts, tokens and flags of its documents");
    return growing;
}

Status verifyGrowingCache(const AppendTarget& cache, JobContext& job)
{
    HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(cache.path, job));
    std::uint64_t done = 0;
    for (const std::string& name : checkedNames(file))
    {
        if (!file.checksums().contains(name))
            return checksumMismatch(file, name);
        HEADSCOPE_CHECK(file.verify(name, job));
        job.report("checking the cache", ++done, file.checksums().size(), "datasets");
    }
    return {};
}

Result<MergeSummary> growCache(const AppendTarget& cache, CacheGrowth growth, JobContext& job)
{
    HEADSCOPE_TRY(const auto old, CacheReader::open(cache.path, job));
    if (old->origin() != cache.origin)
        return changedMeanwhile(cache.path);
    for (const GrowthShards& shards : growth.shards)
    {
        HEADSCOPE_TRY(const ShardManifest manifest, readManifest(shards.folder));
        HEADSCOPE_CHECK(mergeColumns(shards.folder, manifest, shards.begin, growth.documents, job));
    }
    const MergeSummary summary = summaryOf(growth.documents);
    growth.header.truncated = summary.truncated;

    const NumberType store = cache.info.embeddings.front().type;
    std::vector<VectorsInfo> all;
    for (const ExtractionBlock& block : growth.blocks)
        all.push_back({block.layer, block.stage, growth.documents.count(), block.heads, block.dims, store});
    HEADSCOPE_TRY(CacheDraft written, CacheDraft::create(cache.path, all));
    HEADSCOPE_CHECK(copyAllVectors(cache, growth, written, job));
    HEADSCOPE_TRY(CacheWriter target, CacheWriter::create(std::move(written), growth.header));
    HEADSCOPE_CHECK(target.writeDocuments(growth.documents));
    for (const LabelColumn& column : growth.documents.labels)
        for (const VectorsInfo& vectors : all)
            HEADSCOPE_CHECK(copyTopicVectors(*old, growth, column, vectors, target, job));
    if (growth.keepsMaps)
        HEADSCOPE_CHECK(copyMaps(*old, target, job));
    HEADSCOPE_CHECK(target.publish(job));
    return summary;
}

} // namespace headscope

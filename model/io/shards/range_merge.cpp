// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/shards/range_merge.h"

#include "model/base/output/disk_space.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/cache/cache_schema.h"
#include "model/io/cache/cache_writer.h"
#include "model/io/hdf5/checksums.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/shards/vector_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

Result<std::shared_ptr<CacheReader>> openAgain(const RangePart& part, JobContext& job)
{
    HEADSCOPE_TRY(auto cache, CacheReader::open(part.path, job));
    if (cache->info().identity != part.info.identity || cache->info().header.range != part.info.header.range)
        return changedMeanwhile(part.path);
    return cache;
}

/// Label columns come in the order of the inputs; a column that --topics made stands behind them.
std::vector<std::string> columnOrder(const RangePart& part)
{
    std::vector<std::string> order = part.range().labelColumns;
    for (const std::string& name : part.info.labels)
        if (std::find(order.begin(), order.end(), name) == order.end())
            order.push_back(name);
    return order;
}

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more)
{
    all.insert(all.end(), more.begin(), more.end());
}

Status appendLabels(const RangePart& part, const DocumentSet& more, const std::vector<std::string>& order,
                    DocumentSet& all)
{
    const bool first = all.labels.empty();
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        const LabelColumn* column = more.label(order[i]);
        if (column != nullptr && first)
            all.labels.push_back({column->name, {}, column->categories});
        if (column == nullptr || more.labels.size() != order.size() || all.labels[i].categories != column->categories)
            return Error{ErrorCode::BadFormat,
                         fmt::format("expected the label column \"{}\" with the categories of the other parts, found "
                                     "other categories: --topics or --label-map of the runs differ",
                                     order[i]),
                         part.path.string(),
                         {}};
        append(all.labels[i].codes, column->codes);
    }
    return {};
}

Result<DocumentSet> allDocuments(const RangeParts& parts, JobContext& job)
{
    const auto order = columnOrder(parts.parts.front());
    DocumentSet all;
    for (const RangePart& part : parts.parts)
    {
        HEADSCOPE_TRY(const auto cache, openAgain(part, job));
        HEADSCOPE_TRY(const auto documents, cache->documents(job));
        append(all.ids, documents->ids);
        append(all.texts, documents->texts);
        append(all.tokens, documents->tokens);
        append(all.flags, documents->flags);
        HEADSCOPE_CHECK(appendLabels(part, *documents, order, all));
    }
    return all;
}

/// The topic vectors of the first part: those of all are the same.
Status copyTopics(const RangePart& part, CacheWriter& target, JobContext& job)
{
    HEADSCOPE_TRY(const auto cache, openAgain(part, job));
    for (const std::string& column : columnOrder(part))
    {
        for (const VectorsInfo& vectors : part.info.embeddings)
        {
            if (!cache->hasTopics(column, vectors.layer, vectors.stage))
                continue;
            HEADSCOPE_TRY(const auto topics, cache->topics(column, vectors.layer, vectors.stage, job));
            HEADSCOPE_CHECK(target.writeTopics(topics, vectors.type));
        }
    }
    return {};
}

/// Also what is not copied: a damaged part is said to be one.
Status verifyTopics(const Hdf5Reader& file, JobContext& job)
{
    for (const auto& [name, digest] : file.checksums())
        if (name.starts_with(schema::kTopics) && !name.ends_with('@'))
            HEADSCOPE_CHECK(file.verify(name, job));
    return {};
}

Status copyVectors(const RangePart& part, CacheDraft& target, JobContext& job)
{
    HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(part.path, job));
    for (const VectorsInfo& vectors : part.info.embeddings)
        HEADSCOPE_CHECK(copyChecked(file, vectors, part.range().begin, target, job));
    return verifyTopics(file, job);
}

std::uint64_t vectorBytes(const std::vector<VectorsInfo>& all)
{
    std::uint64_t bytes = 0;
    for (const VectorsInfo& vectors : all)
        bytes +=
            static_cast<std::uint64_t>(vectors.documents * vectors.heads * vectors.dims) * numberBytes(vectors.type);
    return bytes;
}

std::uint64_t topicBytes(const CacheInfo& info)
{
    std::uint64_t bytes = 0;
    for (const TopicColumnInfo& topics : info.topics)
        bytes += vectorBytes(topics.vectors);
    return bytes;
}

} // namespace

std::uint64_t mergedBytes(const RangeParts& parts)
{
    std::uint64_t bytes = parts.parts.empty() ? 0 : topicBytes(parts.parts.front().info);
    for (const RangePart& part : parts.parts)
        bytes += part.info.fileBytes - std::min(part.info.fileBytes, topicBytes(part.info));
    return bytes;
}

Result<MergeSummary> mergeRanges(const RangeParts& parts, const std::filesystem::path& target,
                                 const std::string& command, JobContext& job)
{
    HEADSCOPE_CHECK(checkFreeSpace(target, mergedBytes(parts)));
    HEADSCOPE_TRY(const DocumentSet documents, allDocuments(parts, job));
    const MergeSummary summary = summaryOf(documents);
    const RangePart& first = parts.parts.front();
    CacheHeader header = first.info.header;
    header.created.clear();
    header.command = command;
    header.range.reset();
    header.truncated = summary.truncated;

    // In the order in which extract writes: so the bytes are the same.
    std::vector<VectorsInfo> all = first.info.embeddings;
    for (VectorsInfo& vectors : all)
        vectors.documents = documents.count();
    HEADSCOPE_TRY(CacheDraft vectors, CacheDraft::create(target, all));
    std::uint64_t done = 0;
    for (const RangePart& part : parts.parts)
    {
        HEADSCOPE_CHECK(copyVectors(part, vectors, job));
        job.report("merging", ++done, parts.parts.size(), "parts");
    }
    HEADSCOPE_TRY(CacheWriter cache, CacheWriter::create(std::move(vectors), header));
    HEADSCOPE_CHECK(cache.writeDocuments(documents));
    HEADSCOPE_CHECK(copyTopics(first, cache, job));
    HEADSCOPE_CHECK(cache.publish(job));
    return summary;
}

} // namespace headscope

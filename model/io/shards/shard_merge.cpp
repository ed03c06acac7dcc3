// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/shards/shard_merge.h"

#include "model/base/hash.h"
#include "model/base/output/disk_space.h"
#include "model/io/cache/cache_writer.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/shards/shard_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace headscope
{
namespace
{

/// Reads a dataset of a shard whole and compares it with the manifest.
template <class T>
Result<std::vector<T>> readChecked(const Hdf5Reader& file, const std::string& dataset, const ShardRecord& record,
                                   std::int64_t expectedNumbers, NumberType type)
{
    HEADSCOPE_TRY(const DatasetInfo info, file.describe(dataset));
    if (info.number != type || info.rows() != record.rows || info.rows() * info.rowSize() != expectedNumbers)
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected {} numbers of {} in {} rows, found {}", expectedNumbers,
                                 numberTypeName(type), record.rows, info.describe()),
                     file.path().string(), dataset};
    std::vector<T> values(static_cast<std::size_t>(expectedNumbers) * numberBytes(type) / sizeof(T));
    HEADSCOPE_CHECK(file.readRows(dataset, 0, info.rows(), type, std::as_writable_bytes(std::span(values))));
    const auto digest = record.xxh3.find(dataset);
    if (digest == record.xxh3.end() || digest->second != xxh3Hex(std::as_bytes(std::span(values))))
        return checksumMismatch(file, dataset);
    return values;
}

/// The small columns of every shard into the documents.
Status mergeColumns(const std::filesystem::path& folder, const ShardManifest& manifest, DocumentSet& documents,
                    JobContext& job)
{
    const auto count = static_cast<std::size_t>(documents.count());
    std::vector<std::uint8_t> seen(count, 0);
    documents.tokens.assign(count, 0);
    documents.flags.resize(count, 0);
    for (const ShardRecord& record : manifest.shards)
    {
        HEADSCOPE_CHECK(job.checkStop());
        HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(folder / record.file, job));
        HEADSCOPE_TRY(const auto index,
                      readChecked<std::int64_t>(file, "/index", record, record.rows, NumberType::I64));
        HEADSCOPE_TRY(const auto tokens,
                      readChecked<std::int32_t>(file, "/tokens", record, record.rows, NumberType::I32));
        HEADSCOPE_TRY(const auto flags, readChecked<std::uint8_t>(file, "/flags", record, record.rows, NumberType::U8));
        for (std::size_t row = 0; row < index.size(); ++row)
        {
            if (index[row] < 0 || index[row] >= documents.count())
                return Error{ErrorCode::BadFormat,
                             fmt::format("expected documents 0 to {}, found {}", documents.count() - 1, index[row]),
                             file.path().string(), "/index"};
            const auto document = static_cast<std::size_t>(index[row]);
            seen[document] = 1;
            documents.tokens[document] = tokens[row];
            documents.flags[document] |= flags[row];
        }
    }
    const auto missing = std::find(seen.begin(), seen.end(), std::uint8_t{0});
    if (missing != seen.end())
    {
        const auto document = static_cast<std::size_t>(missing - seen.begin());
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected vectors of {} documents, found none for document {} (id \"{}\")", count,
                                 document, documents.ids[document]),
                     folder.string(),
                     {}};
    }
    return {};
}

/// Writes the rows of one block of one shard to their documents, consecutive ones in one go.
Status placeRows(CacheWriter& cache, const ExtractionBlock& block, std::span<const std::int64_t> index,
                 std::span<const std::byte> raw)
{
    const std::size_t rowBytes = index.empty() ? 0 : raw.size() / index.size();
    std::vector<std::size_t> order(index.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return index[a] < index[b]; });
    std::vector<std::byte> run;
    for (std::size_t i = 0; i < order.size();)
    {
        const std::int64_t first = index[order[i]];
        std::int64_t next = first;
        run.clear();
        for (; i < order.size() && index[order[i]] == next; ++i, ++next)
        {
            const auto row = raw.subspan(order[i] * rowBytes, rowBytes);
            run.insert(run.end(), row.begin(), row.end());
        }
        HEADSCOPE_CHECK(cache.writeRawRows(block.layer, block.stage, first, next - first, run));
    }
    return {};
}

Status mergeBlocks(const std::filesystem::path& folder, const ShardManifest& manifest, CacheWriter& cache,
                   JobContext& job)
{
    std::uint64_t done = 0;
    for (const ShardRecord& record : manifest.shards)
    {
        HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(folder / record.file, job));
        HEADSCOPE_TRY(const auto index,
                      readChecked<std::int64_t>(file, "/index", record, record.rows, NumberType::I64));
        for (std::size_t b = 0; b < manifest.blocks.size(); ++b)
        {
            HEADSCOPE_CHECK(job.checkStop());
            const ExtractionBlock& block = manifest.blocks[b];
            HEADSCOPE_TRY(const auto raw,
                          readChecked<std::byte>(file, shardBlockName(b), record,
                                                 record.rows * block.heads * block.dims, manifest.store));
            HEADSCOPE_CHECK(placeRows(cache, block, index, raw));
        }
        job.report("merging", ++done, manifest.shards.size(), "shards");
    }
    return {};
}

MergeSummary summaryOf(const DocumentSet& documents)
{
    MergeSummary summary;
    summary.documents = documents.count();
    for (std::size_t i = 0; i < documents.ids.size(); ++i)
    {
        summary.tokens += documents.tokens[i];
        summary.empty += hasFlag(documents.flags[i], DocumentFlag::Empty) ? 1 : 0;
        summary.truncated += hasFlag(documents.flags[i], DocumentFlag::Truncated) ? 1 : 0;
        summary.nonFinite += hasFlag(documents.flags[i], DocumentFlag::NonFinite) ? 1 : 0;
    }
    return summary;
}

} // namespace

Result<MergeSummary> mergeShards(const std::filesystem::path& folder, const std::filesystem::path& target,
                                 CacheHeader header, DocumentSet documents, const std::vector<TopicVectors>& topics,
                                 JobContext& job)
{
    HEADSCOPE_TRY(const ShardManifest manifest, readManifest(folder));
    HEADSCOPE_CHECK(mergeColumns(folder, manifest, documents, job));
    const MergeSummary summary = summaryOf(documents);
    header.truncated = summary.truncated;

    std::uint64_t bytes = 0;
    for (const ExtractionBlock& block : manifest.blocks)
        bytes += static_cast<std::uint64_t>(documents.count() * block.heads * block.dims) * numberBytes(manifest.store);
    HEADSCOPE_CHECK(checkFreeSpace(target, bytes));
    HEADSCOPE_TRY(CacheWriter cache, CacheWriter::create(target, header));
    HEADSCOPE_CHECK(cache.writeDocuments(documents));
    for (const ExtractionBlock& block : manifest.blocks)
        HEADSCOPE_CHECK(
            cache.beginVectors({block.layer, block.stage, documents.count(), block.heads, block.dims, manifest.store}));
    HEADSCOPE_CHECK(mergeBlocks(folder, manifest, cache, job));
    for (const TopicVectors& topic : topics)
        HEADSCOPE_CHECK(cache.writeTopics(topic, manifest.store));
    HEADSCOPE_CHECK(cache.publish(job));
    return summary;
}

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/shards/shard_merge.h"

#include "model/base/output/disk_space.h"
#include "model/io/cache/cache_writer.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/shards/placed_vectors.h"
#include "model/io/shards/row_runs.h"
#include "model/io/shards/shard_placing.h"
#include "model/io/shards/shard_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace headscope
{
namespace
{

/// The first document that no shard has.
Status checkAllSeen(const std::vector<std::uint8_t>& seen, std::int64_t begin, const DocumentSet& documents,
                    const std::filesystem::path& folder)
{
    const auto missing = std::find(seen.begin(), seen.end(), std::uint8_t{0});
    if (missing == seen.end())
        return {};
    const auto document = static_cast<std::size_t>(begin + (missing - seen.begin()));
    return Error{ErrorCode::BadFormat,
                 fmt::format("expected vectors of {} documents, found none for document {} (id \"{}\")", seen.size(),
                             document, documents.ids[document]),
                 folder.string(),
                 {}};
}

/// Whether a shard's vectors lie in a file already.
bool liesIn(const CacheDraft& draft, const std::filesystem::path& folder, const ShardRecord& record)
{
    return record.placed && folder / record.placed->file == draft.path();
}

/// The vectors of a shard, wherever they lie.
struct ShardVectors
{
    const std::filesystem::path& folder;
    const ShardManifest& manifest;
    const ShardRecord& record;
    Hdf5Reader file;
    std::vector<std::int64_t> index;
    std::optional<File> placed;

    static Result<ShardVectors> open(const std::filesystem::path& folder, const ShardManifest& manifest,
                                     const ShardRecord& record, JobContext& job)
    {
        HEADSCOPE_TRY(Hdf5Reader file, openShard(folder, record, job));
        HEADSCOPE_TRY(auto index, readChecked<std::int64_t>(file, "/index", record, record.rows, NumberType::I64));
        std::optional<File> placed;
        if (record.placed)
        {
            HEADSCOPE_TRY(placed, openPlaced(folder, record, manifest));
        }
        return ShardVectors{folder, manifest, record, std::move(file), std::move(index), std::move(placed)};
    }

    /// [rows, heads, dims], verified.
    [[nodiscard]] Result<std::vector<std::byte>> read(std::size_t block) const
    {
        if (placed)
            return readPlaced(*placed, folder, record, manifest, block, index);
        const ExtractionBlock& shape = manifest.blocks[block];
        return readChecked<std::byte>(file, shardBlockName(block), record, record.rows * shape.heads * shape.dims,
                                      manifest.store);
    }
};

/// Writes some rows of all blocks of a shard to their documents, consecutive ones in one go.
Status placeRows(const ShardVectors& shard, std::vector<std::size_t> rows, std::int64_t begin, CacheDraft& draft,
                 JobContext& job)
{
    const RowRuns order(shard.index, std::move(rows));
    std::vector<std::byte> scratch;
    for (std::size_t b = 0; b < shard.manifest.blocks.size(); ++b)
    {
        HEADSCOPE_CHECK(job.checkStop());
        const ExtractionBlock& block = shard.manifest.blocks[b];
        HEADSCOPE_TRY(const auto raw, shard.read(b));
        const std::size_t rowBytes = shard.index.empty() ? 0 : raw.size() / shard.index.size();
        for (const RowRun& run : order.runs())
            HEADSCOPE_CHECK(draft.writeRows(block.layer, block.stage, begin + run.first, run.count(),
                                            RowRuns::gathered(run, raw, rowBytes, scratch)));
    }
    return {};
}

/// Reads vectors that are in their place.
Status verifyRows(const ShardVectors& shard, JobContext& job)
{
    for (std::size_t b = 0; b < shard.manifest.blocks.size(); ++b)
    {
        HEADSCOPE_CHECK(job.checkStop());
        HEADSCOPE_TRY(const auto read, shard.read(b));
    }
    return {};
}

/// Bytes of the vectors that have still to be written into a draft, or (none) of all.
std::uint64_t bytesToWrite(const std::filesystem::path& folder, const ShardManifest& manifest, const CacheDraft* draft)
{
    std::uint64_t rowBytes = 0;
    for (const ExtractionBlock& block : manifest.blocks)
        rowBytes += static_cast<std::uint64_t>(block.heads * block.dims) * numberBytes(manifest.store);
    std::uint64_t bytes = 0;
    for (const ShardRecord& record : manifest.shards)
        if (draft == nullptr || !liesIn(*draft, folder, record))
            bytes += static_cast<std::uint64_t>(record.rows) * rowBytes;
    return bytes;
}

/// What a cache takes beside the vectors of its documents, at least.
std::uint64_t bytesAround(const DocumentSet& documents, const std::vector<TopicVectors>& topics, NumberType store)
{
    constexpr std::uint64_t kOfText = 40;    // that HDF5 adds to each
    constexpr std::uint64_t kOfRow = 8;      // tokens and flags
    constexpr std::uint64_t kOther = 65'536; // attributes, groups, checksums, the seal
    std::uint64_t bytes = kOther;
    for (const auto* texts : {&documents.ids, &documents.texts})
        for (const std::string& text : *texts)
            bytes += text.size() + kOfText;
    bytes += documents.ids.size() * (kOfRow + documents.labels.size() * sizeof(std::int32_t));
    for (const TopicVectors& topic : topics)
        bytes += topic.vectors->values().size() * numberBytes(store);
    return bytes;
}

} // namespace

Status mergeColumns(const std::filesystem::path& folder, const ShardManifest& manifest, std::int64_t begin,
                    DocumentSet& documents, JobContext& job)
{
    const std::int64_t count = documents.count() - begin;
    std::vector<std::uint8_t> seen(static_cast<std::size_t>(count), 0);
    for (const ShardRecord& record : manifest.shards)
    {
        HEADSCOPE_CHECK(job.checkStop());
        HEADSCOPE_TRY(const Hdf5Reader file, openShard(folder, record, job));
        HEADSCOPE_TRY(const auto index,
                      readChecked<std::int64_t>(file, "/index", record, record.rows, NumberType::I64));
        HEADSCOPE_TRY(const auto tokens,
                      readChecked<std::int32_t>(file, "/tokens", record, record.rows, NumberType::I32));
        HEADSCOPE_TRY(const auto flags, readChecked<std::uint8_t>(file, "/flags", record, record.rows, NumberType::U8));
        for (std::size_t row = 0; row < index.size(); ++row)
        {
            if (index[row] < 0 || index[row] >= count)
                return Error{ErrorCode::BadFormat,
                             fmt::format("expected documents 0 to {}, found {}", count - 1, index[row]),
                             file.path().string(), "/index"};
            const auto document = static_cast<std::size_t>(begin + index[row]);
            seen[static_cast<std::size_t>(index[row])] = 1;
            documents.tokens[document] = tokens[row];
            documents.flags[document] |= flags[row];
        }
    }
    return checkAllSeen(seen, begin, documents, folder);
}

Status mergeBlocks(const std::filesystem::path& folder, const ShardManifest& manifest, std::int64_t begin,
                   CacheDraft& draft, JobContext& job)
{
    std::vector<bool> inPlace(static_cast<std::size_t>(draft.documents()), false);
    std::uint64_t done = 0;
    for (const bool itsOwn : {true, false}) // of a document that two shards have, the row that is there stays
    {
        for (const ShardRecord& record : manifest.shards)
        {
            if (liesIn(draft, folder, record) != itsOwn)
                continue;
            HEADSCOPE_TRY(const ShardVectors shard, ShardVectors::open(folder, manifest, record, job));
            std::vector<std::size_t> rows;
            for (std::size_t row = 0; row < shard.index.size(); ++row)
                if (!inPlace[static_cast<std::size_t>(begin + shard.index[row])])
                    rows.push_back(row);
            HEADSCOPE_CHECK(itsOwn ? verifyRows(shard, job) : placeRows(shard, std::move(rows), begin, draft, job));
            for (const std::int64_t document : shard.index)
                inPlace[static_cast<std::size_t>(begin + document)] =
                    inPlace[static_cast<std::size_t>(begin + document)] || itsOwn;
            job.report("merging", ++done, manifest.shards.size(), "shards");
        }
    }
    return {};
}

std::vector<VectorsInfo> vectorPlaces(const ShardManifest& manifest, std::int64_t documents)
{
    std::vector<VectorsInfo> vectors;
    for (const ExtractionBlock& block : manifest.blocks)
        vectors.push_back({block.layer, block.stage, documents, block.heads, block.dims, manifest.store});
    return vectors;
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

Result<MergeSummary> mergeShards(const std::filesystem::path& folder, const std::filesystem::path& target,
                                 CacheHeader header, DocumentSet documents, const std::vector<TopicVectors>& topics,
                                 JobContext& job, std::optional<CacheDraft> draft)
{
    HEADSCOPE_TRY(const ShardManifest manifest, readManifest(folder));
    documents.tokens.assign(documents.ids.size(), 0);
    documents.flags.resize(documents.ids.size(), 0);
    HEADSCOPE_CHECK(mergeColumns(folder, manifest, 0, documents, job));
    const MergeSummary summary = summaryOf(documents);
    header.truncated = summary.truncated;

    const bool fits = draft && draft->documents() == documents.count();
    HEADSCOPE_CHECK(checkFreeSpace(target, bytesToWrite(folder, manifest, fits ? &*draft : nullptr) +
                                               bytesAround(documents, topics, manifest.store)));
    if (!fits)
    {
        HEADSCOPE_TRY(CacheDraft made, CacheDraft::create(target, vectorPlaces(manifest, documents.count())));
        draft.reset();
        draft.emplace(std::move(made));
    }
    HEADSCOPE_CHECK(mergeBlocks(folder, manifest, 0, *draft, job));
    HEADSCOPE_TRY(CacheWriter cache, CacheWriter::create(std::move(*draft), header));
    HEADSCOPE_CHECK(cache.writeDocuments(documents));
    for (const TopicVectors& topic : topics)
        HEADSCOPE_CHECK(cache.writeTopics(topic, manifest.store));
    HEADSCOPE_CHECK(cache.publish(job));
    return summary;
}

} // namespace headscope

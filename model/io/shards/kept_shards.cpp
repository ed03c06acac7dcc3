// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/shards/kept_shards.h"

#include "model/base/file.h"
#include "model/io/shards/placed_vectors.h"
#include "model/io/shards/range_differences.h"
#include "model/io/shards/shard_folder.h"
#include "model/io/shards/shard_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <system_error>

namespace headscope
{
namespace
{

/// What tells two runs apart: "layers was 3, is 5"; empty where nothing does.
std::string differenceOf(const ShardManifest& there, const ShardOptions& ours)
{
    Difference found = settingsDifference(there.settings, ours.settings);
    if (found.what.empty())
        found = textDifference("--store", std::string(numberTypeName(there.store)),
                               std::string(numberTypeName(ours.store)));
    if (found.what.empty())
        found = textDifference("set of stored vectors", blockWords(there.blocks), blockWords(ours.blocks));
    return found.what.empty() ? std::string() : fmt::format("{} was {}, is {}", found.what, found.one, found.other);
}

std::int64_t numberOf(const std::string& file)
{
    constexpr std::string_view kBeginning = "shard_";
    std::int64_t number = -1;
    if (file.starts_with(kBeginning))
        std::from_chars(file.data() + kBeginning.size(), file.data() + file.size(), number);
    return number;
}

/// Reads vectors that lie in a part file: nothing but the manifest tells whether all of it is what was written.
Status checkPlaced(const std::filesystem::path& folder, const ShardManifest& manifest, const ShardRecord& record,
                   std::span<const std::int64_t> index, JobContext& job)
{
    HEADSCOPE_TRY(const File file, openPlaced(folder, record, manifest));
    for (std::size_t b = 0; b < manifest.blocks.size(); ++b)
    {
        HEADSCOPE_CHECK(job.checkStop());
        HEADSCOPE_TRY(const auto read, readPlaced(file, folder, record, manifest, b, index));
    }
    return {};
}

/// Reads vectors that lie in the shard.
Status checkBlocks(const Hdf5Reader& file, const ShardManifest& manifest, const ShardRecord& record, JobContext& job)
{
    for (std::size_t b = 0; b < manifest.blocks.size(); ++b)
    {
        const ExtractionBlock& shape = manifest.blocks[b];
        HEADSCOPE_CHECK(job.checkStop());
        HEADSCOPE_TRY(const auto read, readChecked<std::byte>(file, shardBlockName(b), record,
                                                              record.rows * shape.heads * shape.dims, manifest.store));
    }
    return {};
}

/// The documents of a shard, all of which is verified: what is damaged is computed again now, and not missed at the
/// end.
Status addDocuments(const std::filesystem::path& folder, const ShardManifest& manifest, const ShardRecord& record,
                    KeptDocuments& documents, JobContext& job)
{
    HEADSCOPE_TRY(const Hdf5Reader file, openShard(folder, record, job));
    const auto column = [&](const char* name) {
        return readChecked<std::int64_t>(file, name, record, record.rows, NumberType::I64);
    };
    HEADSCOPE_TRY(const auto index, column("/index"));
    HEADSCOPE_TRY(const auto digests, column("/digest"));
    HEADSCOPE_TRY(const auto tokens, readChecked<std::int32_t>(file, "/tokens", record, record.rows, NumberType::I32));
    HEADSCOPE_TRY(const auto flags, readChecked<std::uint8_t>(file, "/flags", record, record.rows, NumberType::U8));
    HEADSCOPE_CHECK(record.placed ? checkPlaced(folder, manifest, record, index, job)
                                  : checkBlocks(file, manifest, record, job));
    for (std::size_t row = 0; row < index.size(); ++row)
        documents.emplace(index[row], static_cast<std::uint64_t>(digests[row]));
    return {};
}

std::string computedAgain(std::int64_t documents, const Error& error)
{
    return fmt::format("{} documents are computed again, because their part cannot be used: {}", documents,
                       error.sentence());
}

/// Files with the vectors of many shards that are gone or too short: told of once.
struct LostDrafts
{
    struct Lost
    {
        std::int64_t rows = 0;
        Error error;
    };
    std::map<std::string, Lost> files;

    /// Whether the vectors of a shard are lost so; its documents are counted then.
    bool contains(const std::filesystem::path& folder, const ShardManifest& manifest, const ShardRecord& record)
    {
        if (!record.placed)
            return false;
        const auto open = openPlaced(folder, record, manifest);
        if (open)
            return false;
        Lost& lost = files.try_emplace(record.placed->file, Lost{0, open.error()}).first->second;
        lost.rows += record.rows;
        return true;
    }
};

} // namespace

Result<KeptShards> findKeptShards(const ShardOptions& options, JobContext& job)
{
    KeptShards kept;
    std::error_code ignored;
    if (!std::filesystem::exists(options.folder / kShardManifest, ignored))
    {
        if (hasLostManifest(options.folder))
            kept.notices.push_back(fmt::format(
                "the parts of an earlier run cannot be used and are computed again: their list, {} in {}, is missing",
                kShardManifest, options.folder.filename().string()));
        return kept;
    }
    auto manifest = readManifest(options.folder);
    if (!manifest)
    {
        kept.notices.push_back(fmt::format("the parts of an earlier run cannot be used and are computed again: {}",
                                           manifest.error().sentence()));
        return kept;
    }
    if (const std::string difference = differenceOf(*manifest, options); !difference.empty())
        return Error{ErrorCode::Resource,
                     fmt::format("expected the parts of this run in {}, found parts of another run ({}): --no-resume "
                                 "starts over without them, another -o keeps them",
                                 options.folder.filename().string(), difference),
                     outputOfShards(options.folder).string(),
                     {}};
    LostDrafts lost;
    std::uint64_t done = 0;
    for (const ShardRecord& record : manifest->shards)
    {
        HEADSCOPE_CHECK(job.checkStop());
        job.report("checking completed parts", done++, manifest->shards.size(), "shards");
        kept.next = std::max(kept.next, numberOf(record.file) + 1);
        if (lost.contains(options.folder, *manifest, record))
            continue;
        KeptDocuments own;
        if (const Status read = addDocuments(options.folder, *manifest, record, own, job); !read)
        {
            const Error& error = read.error();
            if (error.code == ErrorCode::Cancelled || error.code == ErrorCode::OutOfMemory)
                return error;
            kept.notices.push_back(computedAgain(record.rows, error));
            continue;
        }
        kept.documents.merge(own);
        kept.shards.push_back(record);
    }
    for (const auto& [file, one] : lost.files)
        kept.notices.push_back(computedAgain(one.rows, one.error));
    return kept;
}

} // namespace headscope

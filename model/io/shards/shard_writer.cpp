// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/shards/shard_writer.h"

#include "model/base/clock.h"
#include "model/base/file.h"
#include "model/base/hash.h"
#include "model/base/output/disk_space.h"
#include "model/base/output/folder_of.h"
#include "model/base/output/output_file.h"
#include "model/base/output/process_tag.h"
#include "model/data/documents/document_set.h"
#include "model/io/hdf5/checksums.h"
#include "model/io/hdf5/hdf5_writer.h"
#include "model/io/shards/kept_shards.h"
#include "model/io/shards/row_runs.h"
#include "model/io/shards/shard_folder.h"
#include "model/io/shards/shard_manifest.h"
#include "model/io/shards/shard_placing.h"

#include <fmt/format.h>

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <optional>
#include <set>

namespace headscope
{
namespace
{

/// A failure to write a file of the folder, told of the output.
Error toldOfOutput(Error error, const std::filesystem::path& folder)
{
    if (error.file.starts_with(folder.string()))
        error.file = outputOfShards(folder).string();
    return error;
}

/// Whether a file of the folder can be renamed to the cache (if any): somebody may have put another disk there.
bool canRename(const std::filesystem::path& folder, const std::filesystem::path& cache)
{
    struct stat from = {};
    struct stat to = {};
    return !cache.empty() && ::stat(folder.c_str(), &from) == 0 && ::stat(folderOf(cache).c_str(), &to) == 0 &&
           from.st_dev == to.st_dev;
}

Status appendManifest(const std::filesystem::path& folder, const std::string& line)
{
    return appendToFile(folder / kShardManifest, line + "\n", "adding a line");
}

} // namespace

struct ShardWriter::State
{
    ShardOptions options;
    KeptDocuments kept;
    std::vector<std::string> notices;
    std::size_t rowValues = 0; ///< floats of one document
    std::int64_t stored = 0;   ///< documents in whole shards
    std::int64_t next = 0;     ///< number of the next shard
    std::uint64_t bufferedBytes = 0;
    Clock::time_point since;               ///< when the first document came that waits
    Clock::time_point last = Clock::now(); ///< when the last shard was whole
    std::vector<std::int64_t> index;
    std::vector<std::int64_t> digests;
    std::vector<std::int32_t> tokens;
    std::vector<std::uint8_t> flags;
    std::vector<std::vector<std::byte>> blocks; ///< raw rows of each block
    std::optional<Error> failed;
    std::optional<CacheDraft> draft; ///< of the cache, where vectors go there
    std::vector<bool> inDraft;       ///< [documents of the draft] whether it came: a row is written once

    void makeRoom();
    void dropAfter(std::size_t rows) noexcept;
    Status begin(JobContext& job);
    Status take(const ExtractedDocument& document);
    [[nodiscard]] bool isFull() const;
    [[nodiscard]] bool cameBefore(std::int64_t document) const
    {
        return draft && inDraft[static_cast<std::size_t>(document)];
    }
    [[nodiscard]] std::string nextName();
    Status writeShard();
    Status writeFile(const std::string& name, ShardRecord& record);
    Status makeDraft();
    Status placeVectors(ShardRecord& record);
};

Status ShardWriter::State::take(const ExtractedDocument& document)
{
    if (document.values.size() != rowValues)
        return Error{ErrorCode::ShapeMismatch,
                     fmt::format("expected {} numbers for document {}, found {}", rowValues, document.index,
                                 document.values.size()),
                     options.folder.string(),
                     {}};
    std::uint8_t documentFlags = document.flags;
    std::size_t at = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b)
    {
        const auto size = static_cast<std::size_t>(options.blocks[b].heads * options.blocks[b].dims);
        const auto values = std::span(document.values).subspan(at, size);
        const std::size_t bytes = size * numberBytes(options.store);
        blocks[b].resize(blocks[b].size() + bytes);
        rawFromFloats(options.store, values, std::span(blocks[b]).last(bytes));
        at += size;
        bufferedBytes += bytes;
        constexpr float kHalfOverflow = 65'520.0F; // rounds to infinity in half precision
        if (options.store == NumberType::F16)
        {
            for (const float value : values)
                documentFlags |= std::abs(value) >= kHalfOverflow ? static_cast<std::uint8_t>(DocumentFlag::NonFinite)
                                                                  : std::uint8_t{0};
        }
    }
    if (index.empty())
        since = Clock::now();
    index.push_back(document.index);
    digests.push_back(static_cast<std::int64_t>(document.digest));
    tokens.push_back(document.tokens);
    flags.push_back(documentFlags);
    if (draft)
        inDraft[static_cast<std::size_t>(document.index)] = true;
    return {};
}

/// Leaves the first rows alone: a document that met a lack of memory is in none of the columns, or in all.
void ShardWriter::State::dropAfter(std::size_t rows) noexcept
{
    bufferedBytes = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b)
    {
        const auto values = static_cast<std::size_t>(options.blocks[b].heads * options.blocks[b].dims);
        blocks[b].resize(std::min(blocks[b].size(), rows * values * numberBytes(options.store)));
        bufferedBytes += blocks[b].size();
    }
    index.resize(std::min(index.size(), rows));
    digests.resize(std::min(digests.size(), rows));
    tokens.resize(std::min(tokens.size(), rows));
    flags.resize(std::min(flags.size(), rows));
}

bool ShardWriter::State::isFull() const
{
    constexpr double kLongest = 60; // seconds of work that a kill may cost
    return bufferedBytes >= options.shardBytes || secondsSince(since) >= kLongest;
}

Status ShardWriter::State::writeFile(const std::string& name, ShardRecord& record)
{
    HEADSCOPE_TRY(Hdf5Writer file, Hdf5Writer::create(options.folder / name));
    const auto rows = static_cast<std::int64_t>(index.size());
    const auto write = [&](const std::string& dataset, std::span<const std::int64_t> shape, NumberType type,
                           std::span<const std::byte> raw) -> Status {
        record.xxh3[dataset] = xxh3Hex(raw);
        return file.write(dataset, shape, type, raw);
    };
    const std::array flat = {rows};
    HEADSCOPE_CHECK(write("/index", flat, NumberType::I64, std::as_bytes(std::span(index))));
    HEADSCOPE_CHECK(write("/digest", flat, NumberType::I64, std::as_bytes(std::span(digests))));
    HEADSCOPE_CHECK(write("/tokens", flat, NumberType::I32, std::as_bytes(std::span(tokens))));
    HEADSCOPE_CHECK(write("/flags", flat, NumberType::U8, std::as_bytes(std::span(flags))));
    for (std::size_t b = 0; b < blocks.size() && !draft; ++b)
    {
        const std::array shape = {rows, options.blocks[b].heads, options.blocks[b].dims};
        HEADSCOPE_CHECK(write(shardBlockName(b), shape, options.store, blocks[b]));
    }
    // The manifest has checksums of the numbers; the seal is of what HDF5 reads to find them.
    JobContext unwatched;
    return file.publish([&unwatched](const std::filesystem::path& part) { return sealAroundNumbers(part, unwatched); });
}

/// To their places, where they are on the disk before any line says so.
Status ShardWriter::State::placeVectors(ShardRecord& record)
{
    if (!draft)
        return {};
    const RowRuns order(index);
    std::vector<std::byte> scratch;
    for (std::size_t b = 0; b < blocks.size(); ++b)
    {
        const ExtractionBlock& block = options.blocks[b];
        const std::size_t rowBytes = blocks[b].size() / index.size();
        for (const RowRun& run : order.runs())
            HEADSCOPE_CHECK(draft->writeRows(block.layer, block.stage, run.first, run.count(),
                                             RowRuns::gathered(run, blocks[b], rowBytes, scratch)));
        record.xxh3[shardBlockName(b)] = xxh3Hex(blocks[b]);
    }
    record.placed = {draft->path().filename().string(), draft->documents(), draft->offsets()};
    return draft->sync();
}

/// One that is not there: who writes beside this process, where files have no locks, keeps its own.
std::string ShardWriter::State::nextName()
{
    std::error_code ignored;
    auto name = fmt::format("shard_{:06}.h5", next);
    while (std::filesystem::exists(options.folder / name, ignored))
        name = fmt::format("shard_{:06}.h5", ++next);
    return name;
}

Status ShardWriter::State::writeShard()
{
    if (index.empty())
        return {};
    HEADSCOPE_CHECK(checkFreeSpace(outputOfShards(options.folder), bufferedBytes));
    ShardRecord record;
    record.file = nextName();
    record.rows = static_cast<std::int64_t>(index.size());
    HEADSCOPE_CHECK(placeVectors(record));
    HEADSCOPE_CHECK(writeFile(record.file, record));
    record.seconds = secondsSince(last);
    last = Clock::now();
    HEADSCOPE_CHECK(appendManifest(options.folder, manifestLine(record)));
    ++next;
    stored += record.rows;
    bufferedBytes = 0;
    index.clear();
    digests.clear();
    tokens.clear();
    flags.clear();
    for (auto& block : blocks)
        block.clear();
    return {};
}

ShardWriter::ShardWriter(std::unique_ptr<State> state) : m_state(std::move(state)) {}
ShardWriter::~ShardWriter() = default;

/// At once what a shard can hold: blocks that grow by turns leave holes of their former sizes.
void ShardWriter::State::makeRoom()
{
    for (const ExtractionBlock& block : options.blocks)
        rowValues += static_cast<std::size_t>(block.heads * block.dims);
    const std::uint64_t rowBytes = rowValues * numberBytes(options.store);
    const std::uint64_t rows = options.shardBytes / std::max<std::uint64_t>(1, rowBytes) + 1;
    blocks.resize(options.blocks.size());
    for (std::size_t b = 0; b < options.blocks.size(); ++b)
    {
        const auto values = static_cast<std::uint64_t>(options.blocks[b].heads * options.blocks[b].dims);
        blocks[b].reserve(rows * values * numberBytes(options.store));
    }
}

/// A folder with the shards that are gone on with, and a manifest of these alone.
Status ShardWriter::State::begin(JobContext& job)
{
    HEADSCOPE_CHECK(checkShardFolder(options.folder));
    KeptShards there;
    if (options.resume)
    {
        HEADSCOPE_TRY(there, findKeptShards(options, job));
    }
    kept = std::move(there.documents);
    notices = std::move(there.notices);
    next = there.next;
    if (there.shards.empty())
        removeShards(options.folder);
    std::error_code refused;
    std::filesystem::create_directories(options.folder, refused);
    if (refused)
        return systemError(refused.value(), options.folder, "creating the folder of its parts");
    std::set<std::string> used;
    for (const ShardRecord& record : there.shards)
        if (record.placed)
            used.insert(record.placed->file);
    // Anew in every case: its last line may have been in flight when the earlier run ended.
    HEADSCOPE_CHECK(writeManifest(options.folder, {options.run, options.settings, options.store, options.blocks,
                                                   options.documents, std::move(there.shards)}));
    removeUnusedParts(options.folder, used);
    const bool known = options.documents.end > options.documents.begin;
    return known && canRename(options.folder, options.cache) ? makeDraft() : Status();
}

Status ShardWriter::State::makeDraft()
{
    static std::atomic<unsigned> number = 0; // one process may write a folder twice
    const auto name = fmt::format("{}{}.{}", kPartBeginning, processTag(), number++);
    const ShardManifest shape = {{}, {}, options.store, options.blocks, {}, {}};
    const std::int64_t count = options.documents.end - options.documents.begin;
    HEADSCOPE_TRY(CacheDraft made,
                  CacheDraft::createAt(options.cache, options.folder / name, vectorPlaces(shape, count)));
    draft.emplace(std::move(made));
    inDraft.assign(static_cast<std::size_t>(count), false);
    return {};
}

Result<std::unique_ptr<ShardWriter>> ShardWriter::create(ShardOptions options, JobContext& job)
{
    auto state = std::make_unique<State>();
    state->options = std::move(options);
    state->makeRoom();
    if (const Status begun = state->begin(job); !begun)
        return toldOfOutput(begun.error(), state->options.folder);
    return std::unique_ptr<ShardWriter>(new ShardWriter(std::move(state)));
}

Status ShardWriter::add(std::span<const ExtractedDocument> documents)
{
    if (m_state->failed)
        return *m_state->failed;
    for (const ExtractedDocument& document : documents)
    {
        const ShardedDocuments& wanted = m_state->options.documents;
        const bool outside = document.index < 0 || (wanted.end > 0 && document.index >= wanted.end - wanted.begin);
        if (outside || m_state->kept.contains(document.index) || m_state->cameBefore(document.index))
            continue; // computed again with others that were not kept
        const std::size_t whole = m_state->index.size();
        Status done;
        try
        {
            done = m_state->take(document);
        }
        catch (...)
        {
            m_state->dropAfter(whole);
            throw;
        }
        if (done && m_state->isFull())
            done = m_state->writeShard();
        if (!done)
        {
            m_state->failed = toldOfOutput(done.error(), m_state->options.folder);
            return *m_state->failed;
        }
    }
    return {};
}

Status ShardWriter::finish()
{
    if (m_state->failed)
        return *m_state->failed;
    if (const Status done = m_state->writeShard(); !done)
        return toldOfOutput(done.error(), m_state->options.folder);
    return {};
}

std::optional<CacheDraft> ShardWriter::takeDraft()
{
    std::optional<CacheDraft> taken = std::move(m_state->draft);
    m_state->draft.reset();
    return taken;
}

std::int64_t ShardWriter::stored() const
{
    return m_state->stored;
}

const KeptDocuments& ShardWriter::kept() const
{
    return m_state->kept;
}

const std::vector<std::string>& ShardWriter::notices() const
{
    return m_state->notices;
}

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/shards/shard_writer.h"

#include "model/base/file.h"
#include "model/base/hash.h"
#include "model/base/output/disk_space.h"
#include "model/base/output/output_file.h"
#include "model/data/documents/document_set.h"
#include "model/formats/json.h"
#include "model/formats/json_text.h"
#include "model/io/hdf5/checksums.h"
#include "model/io/hdf5/hdf5_writer.h"
#include "model/io/shards/shard_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace headscope
{
namespace
{

constexpr const char* kManifestFormat = "headscope-shards";

/// A failure to write a file of the folder, told of the output.
Error toldOfOutput(Error error, const std::filesystem::path& folder)
{
    if (error.file.starts_with(folder.string()))
        error.file = outputOfShards(folder).string();
    return error;
}

Status appendManifest(const std::filesystem::path& folder, const std::string& line)
{
    return appendToFile(folder / kShardManifest, line + "\n", "adding a line");
}

std::string headLine(const ShardOptions& options)
{
    std::string blocks;
    for (const ExtractionBlock& block : options.blocks)
        blocks +=
            fmt::format("{}{{\"layer\": {}, \"stage\": {}, \"heads\": {}, \"dims\": {}}}", blocks.empty() ? "" : ", ",
                        block.layer.value(), jsonQuoted(stageName(block.stage)), block.heads, block.dims);
    return fmt::format("{{\"format\": {}, \"version\": 1, \"run\": {}, \"store\": {}, \"blocks\": [{}]}}",
                       jsonQuoted(kManifestFormat), jsonQuoted(options.run), jsonQuoted(numberTypeName(options.store)),
                       blocks);
}

std::string recordLine(const ShardRecord& record)
{
    std::string digests;
    for (const auto& [name, digest] : record.xxh3)
        digests += fmt::format("{}{}: {}", digests.empty() ? "" : ", ", jsonQuoted(name), jsonQuoted(digest));
    return fmt::format("{{\"shard\": {}, \"rows\": {}, \"xxh3\": {{{}}}}}", jsonQuoted(record.file), record.rows,
                       digests);
}

Result<ShardRecord> recordFrom(JsonView line)
{
    ShardRecord record;
    const auto file = line.find("shard");
    const auto rows = line.find("rows");
    const auto digests = line.find("xxh3");
    if (!file || !rows || !digests)
        return Error{ErrorCode::BadFormat, "expected the keys shard, rows and xxh3", {}, {}};
    HEADSCOPE_TRY(record.file, file->asString());
    HEADSCOPE_TRY(record.rows, rows->asInt());
    for (const auto& [name, value] : digests->members())
    {
        HEADSCOPE_TRY(const std::string_view digest, value.asString());
        record.xxh3[std::string(name)] = digest;
    }
    return record;
}

Status headFrom(JsonView line, ShardManifest& manifest)
{
    const auto text = [&](JsonView object, const char* key) -> std::string {
        const auto value = object.find(key);
        return value && value->isString() ? std::string(*value->asString()) : std::string();
    };
    if (text(line, "format") != kManifestFormat)
        return Error{ErrorCode::BadFormat, "expected the manifest of a folder of shards", {}, {}};
    manifest.run = text(line, "run");
    for (const NumberType type : {NumberType::F32, NumberType::F16, NumberType::Bf16})
    {
        if (text(line, "store") == numberTypeName(type))
            manifest.store = type;
    }
    const auto blocks = line.find("blocks");
    if (!blocks)
        return Error{ErrorCode::BadFormat, "expected the key blocks", {}, {}};
    for (const JsonView each : blocks->elements())
    {
        ExtractionBlock block;
        const auto integer = [&](const char* key) {
            const auto value = each.find(key);
            return value ? value->asInt().value_or(-1) : -1;
        };
        const auto stage = stageFromName(text(each, "stage"));
        block.layer = LayerIndex(integer("layer"));
        block.heads = integer("heads");
        block.dims = integer("dims");
        if (!stage || block.layer.value() < 0 || block.heads < 1 || block.dims < 1)
            return Error{ErrorCode::BadFormat, "expected blocks with layer, stage, heads and dims", {}, {}};
        block.stage = *stage;
        manifest.blocks.push_back(block);
    }
    return {};
}

} // namespace

std::string shardBlockName(std::size_t block)
{
    return fmt::format("/block_{}", block);
}

Result<ShardManifest> readManifest(const std::filesystem::path& folder)
{
    const auto path = folder / kShardManifest;
    HEADSCOPE_TRY(const std::string text, readTextFile(path));
    ShardManifest manifest;
    JsonParser parser;
    std::size_t begin = 0;
    for (std::size_t number = 1;; ++number)
    {
        const std::size_t end = text.find('\n', begin);
        if (end == std::string::npos) // a line in flight when the program was killed
            break;
        const auto place = fmt::format("line {}", number);
        auto line = parser.parseLine(std::string_view(text).substr(begin, end - begin));
        if (!line)
            return std::move(line).error().inFile(path.string()).atPlace(place);
        if (number == 1)
        {
            if (auto read = headFrom(*line, manifest); !read)
                return std::move(read).error().inFile(path.string()).atPlace(place);
        }
        else
        {
            auto record = recordFrom(*line);
            if (!record)
                return std::move(record).error().inFile(path.string()).atPlace(place);
            manifest.shards.push_back(std::move(*record));
        }
        begin = end + 1;
    }
    if (manifest.blocks.empty())
        return Error{
            ErrorCode::BadFormat, "expected a first line that describes the shards, found none", path.string(), {}};
    return manifest;
}

struct ShardWriter::State
{
    ShardOptions options;
    std::size_t rowValues = 0; ///< floats of one document
    std::int64_t taken = 0;
    std::int64_t shards = 0;
    std::uint64_t bufferedBytes = 0;
    std::vector<std::int64_t> index;
    std::vector<std::int32_t> tokens;
    std::vector<std::uint8_t> flags;
    std::vector<std::vector<std::byte>> blocks; ///< raw rows of each block
    std::optional<Error> failed;

    Status take(const ExtractedDocument& document);
    Status writeShard();
    Status writeFile(const std::string& name, ShardRecord& record);
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
    index.push_back(document.index);
    tokens.push_back(document.tokens);
    flags.push_back(documentFlags);
    ++taken;
    return {};
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
    HEADSCOPE_CHECK(write("/tokens", flat, NumberType::I32, std::as_bytes(std::span(tokens))));
    HEADSCOPE_CHECK(write("/flags", flat, NumberType::U8, std::as_bytes(std::span(flags))));
    for (std::size_t b = 0; b < blocks.size(); ++b)
    {
        const std::array shape = {rows, options.blocks[b].heads, options.blocks[b].dims};
        HEADSCOPE_CHECK(write(shardBlockName(b), shape, options.store, blocks[b]));
    }
    // The manifest has checksums of the numbers; the seal is of what HDF5 reads to find them.
    JobContext unwatched;
    return file.publish([&unwatched](const std::filesystem::path& part) { return sealAroundNumbers(part, unwatched); });
}

Status ShardWriter::State::writeShard()
{
    if (index.empty())
        return {};
    HEADSCOPE_CHECK(checkFreeSpace(outputOfShards(options.folder), bufferedBytes));
    ShardRecord record;
    record.file = fmt::format("shard_{:06}.h5", shards);
    record.rows = static_cast<std::int64_t>(index.size());
    HEADSCOPE_CHECK(writeFile(record.file, record));
    HEADSCOPE_CHECK(appendManifest(options.folder, recordLine(record)));
    ++shards;
    bufferedBytes = 0;
    index.clear();
    tokens.clear();
    flags.clear();
    for (auto& block : blocks)
        block.clear();
    return {};
}

ShardWriter::ShardWriter(std::unique_ptr<State> state) : m_state(std::move(state)) {}
ShardWriter::~ShardWriter() = default;

Result<std::unique_ptr<ShardWriter>> ShardWriter::create(ShardOptions options)
{
    auto state = std::make_unique<State>();
    for (const ExtractionBlock& block : options.blocks)
        state->rowValues += static_cast<std::size_t>(block.heads * block.dims);
    // At once what a shard can hold: blocks that grow by turns leave holes of their former sizes.
    const std::uint64_t rowBytes = state->rowValues * numberBytes(options.store);
    const std::uint64_t rows = options.shardBytes / std::max<std::uint64_t>(1, rowBytes) + 1;
    state->blocks.resize(options.blocks.size());
    for (std::size_t b = 0; b < options.blocks.size(); ++b)
    {
        const auto values = static_cast<std::uint64_t>(options.blocks[b].heads * options.blocks[b].dims);
        state->blocks[b].reserve(rows * values * numberBytes(options.store));
    }
    HEADSCOPE_CHECK(checkShardFolder(options.folder));
    removeShards(options.folder);
    std::error_code failed;
    std::filesystem::create_directories(options.folder, failed);
    if (failed)
        return toldOfOutput(systemError(failed.value(), options.folder, "creating the folder of its parts"),
                            options.folder);
    if (const Status begun = appendManifest(options.folder, headLine(options)); !begun)
        return toldOfOutput(begun.error(), options.folder);
    state->options = std::move(options);
    return std::unique_ptr<ShardWriter>(new ShardWriter(std::move(state)));
}

Status ShardWriter::add(std::span<const ExtractedDocument> documents)
{
    if (m_state->failed)
        return *m_state->failed;
    for (const ExtractedDocument& document : documents)
    {
        Status done = m_state->take(document);
        if (done && m_state->bufferedBytes >= m_state->options.shardBytes)
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

std::int64_t ShardWriter::documents() const
{
    return m_state->taken;
}

} // namespace headscope

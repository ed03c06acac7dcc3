// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/shards/shard_manifest.h"

#include "model/base/file.h"
#include "model/base/output/output_file.h"
#include "model/formats/json.h"
#include "model/formats/json_text.h"
#include "model/io/shards/shard_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

namespace headscope
{
namespace
{

constexpr const char* kManifestFormat = "headscope-shards";
constexpr std::int64_t kManifestVersion = 3;
constexpr std::int64_t kOldestVersion = 2; ///< whose shards all hold their vectors

/// The name of a file alone: a manifest never leads out of its folder.
bool isPlainName(std::string_view name)
{
    return !name.empty() && name.find('/') == std::string_view::npos;
}

Result<PlacedVectors> placedFrom(JsonView object)
{
    PlacedVectors placed;
    const auto file = object.find("file");
    const auto documents = object.find("documents");
    const auto offsets = object.find("offsets");
    if (!file || !documents || !offsets)
        return Error{ErrorCode::BadFormat, "expected the keys file, documents and offsets of vectors", {}, {}};
    HEADSCOPE_TRY(placed.file, file->asString());
    HEADSCOPE_TRY(placed.documents, documents->asInt());
    for (const JsonView each : offsets->elements())
    {
        HEADSCOPE_TRY(const std::int64_t offset, each.asInt());
        placed.offsets.push_back(static_cast<std::uint64_t>(std::max<std::int64_t>(offset, 0)));
    }
    if (!isPlainName(placed.file))
        return Error{ErrorCode::BadFormat, "expected the name of a file in the same folder", {}, {}};
    return placed;
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
    if (const auto seconds = line.find("seconds"))
        record.seconds = seconds->asDouble().value_or(0);
    for (const auto& [name, value] : digests->members())
    {
        HEADSCOPE_TRY(const std::string_view digest, value.asString());
        record.xxh3[std::string(name)] = digest;
    }
    if (const auto vectors = line.find("vectors"))
    {
        HEADSCOPE_TRY(record.placed, placedFrom(*vectors));
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
    const auto version = line.find("version");
    if (const std::int64_t found = version ? version->asInt().value_or(-1) : -1;
        found < kOldestVersion || found > kManifestVersion)
        return Error{ErrorCode::Unsupported,
                     fmt::format("expected shards of version {}, found {}", kManifestVersion, found),
                     {},
                     {}};
    manifest.run = text(line, "run");
    if (const auto settings = line.find("settings"))
    {
        for (const auto& [name, value] : settings->members())
            manifest.settings[std::string(name)] = value.isString() ? std::string(*value.asString()) : std::string();
    }
    for (const NumberType type : {NumberType::F32, NumberType::F16, NumberType::Bf16})
    {
        if (text(line, "store") == numberTypeName(type))
            manifest.store = type;
    }
    if (const auto documents = line.find("documents"))
    {
        const auto number = [&](const char* key) {
            const auto value = documents->find(key);
            return value ? value->asInt().value_or(0) : 0;
        };
        manifest.documents = {number("begin"), number("end"), number("all")};
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

std::string manifestHead(const ShardManifest& manifest)
{
    std::string blocks;
    for (const ExtractionBlock& block : manifest.blocks)
        blocks +=
            fmt::format("{}{{\"layer\": {}, \"stage\": {}, \"heads\": {}, \"dims\": {}}}", blocks.empty() ? "" : ", ",
                        block.layer.value(), jsonQuoted(stageName(block.stage)), block.heads, block.dims);
    std::string settings;
    for (const auto& [name, value] : manifest.settings)
        settings += fmt::format("{}{}: {}", settings.empty() ? "" : ", ", jsonQuoted(name), jsonQuoted(value));
    return fmt::format(
        "{{\"format\": {}, \"version\": {}, \"run\": {}, \"settings\": {{{}}}, \"store\": {}, \"blocks\": [{}], "
        "\"documents\": {{\"begin\": {}, \"end\": {}, \"all\": {}}}}}",
        jsonQuoted(kManifestFormat), kManifestVersion, jsonQuoted(manifest.run), settings,
        jsonQuoted(numberTypeName(manifest.store)), blocks, manifest.documents.begin, manifest.documents.end,
        manifest.documents.all);
}

std::string manifestLine(const ShardRecord& record)
{
    std::string digests;
    for (const auto& [name, digest] : record.xxh3)
        digests += fmt::format("{}{}: {}", digests.empty() ? "" : ", ", jsonQuoted(name), jsonQuoted(digest));
    std::string vectors;
    if (record.placed)
        vectors = fmt::format(", \"vectors\": {{\"file\": {}, \"documents\": {}, \"offsets\": [{}]}}",
                              jsonQuoted(record.placed->file), record.placed->documents,
                              fmt::join(record.placed->offsets, ", "));
    return fmt::format("{{\"shard\": {}, \"rows\": {}, \"seconds\": {:.3f}, \"xxh3\": {{{}}}{}}}",
                       jsonQuoted(record.file), record.rows, record.seconds, digests, vectors);
}

Status writeManifest(const std::filesystem::path& folder, const ShardManifest& manifest)
{
    std::string lines = manifestHead(manifest) + "\n";
    for (const ShardRecord& record : manifest.shards)
        lines += manifestLine(record) + "\n";
    return writeFileAtomically(folder / kShardManifest, lines);
}

bool forgetShard(const std::filesystem::path& folder, const std::filesystem::path& shard)
{
    auto manifest = readManifest(folder);
    if (!manifest || shard.parent_path() != folder)
        return false;
    const auto name = shard.filename().string();
    const auto gone =
        std::erase_if(manifest->shards, [&name](const ShardRecord& record) { return record.file == name; });
    return gone > 0 && writeManifest(folder, *manifest).has_value();
}

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

} // namespace headscope

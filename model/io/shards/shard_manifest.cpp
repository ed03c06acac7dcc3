// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/shards/shard_manifest.h"

#include "model/base/file.h"
#include "model/base/output/output_file.h"
#include "model/formats/json.h"
#include "model/io/records/record_json.h"
#include "model/io/shards/shard_folder.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

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

std::string storeText(const NumberType& type)
{
    return std::string(numberTypeName(type));
}

std::string takeStore(NumberType& type, const std::string& text)
{
    for (const NumberType each : {NumberType::F32, NumberType::F16, NumberType::Bf16})
        if (text == numberTypeName(each))
            type = each;
    return storeText(type) == text ? "" : "float32, float16 or bfloat16";
}

std::string blockStageText(const Stage& stage)
{
    return std::string(stageName(stage));
}

std::string takeBlockStage(Stage& stage, const std::string& text)
{
    const auto found = stageFromName(text);
    stage = found.value_or(stage);
    return found ? "" : "a stage";
}

/// The first line, with what kind of file it is.
struct ManifestHead
{
    std::string format = kManifestFormat;
    std::int64_t version = kManifestVersion;
    ShardManifest manifest;
};

void fields(RecordFields& record, ManifestHead& head)
{
    record("format", head.format);
    record("version", head.version);
    fields(record, head.manifest);
}

Status checkFormat(JsonView line)
{
    const auto format = line.find("format");
    if (!format || format->asString().value_or("") != kManifestFormat)
        return Error{ErrorCode::BadFormat, "expected the manifest of a folder of shards", {}, {}};
    const auto version = line.find("version");
    const std::int64_t found = version ? version->asInt().value_or(-1) : -1;
    if (found >= kOldestVersion && found <= kManifestVersion)
        return {};
    return Error{ErrorCode::Unsupported,
                 fmt::format("expected shards of version {}, found {}", kManifestVersion, found),
                 {},
                 {}};
}

Status readHead(JsonView line, ShardManifest& manifest)
{
    HEADSCOPE_CHECK(checkFormat(line));
    return readRecord(line, recordOf(manifest));
}

Status readShard(JsonView line, ShardManifest& manifest)
{
    ShardRecord shard;
    HEADSCOPE_CHECK(readRecord(line, recordOf(shard)));
    if (shard.placed && !isPlainName(shard.placed->file))
        return Error{ErrorCode::BadFormat, "expected the name of a file in the same folder", {}, {}};
    manifest.shards.push_back(std::move(shard));
    return {};
}

} // namespace

void fields(RecordFields& record, ExtractionBlock& block)
{
    record("layer", block.layer).required().countFrom(0);
    record.text<&blockStageText, &takeBlockStage>("stage", block.stage);
    record("heads", block.heads).required().countFrom(1);
    record("dims", block.dims).required().countFrom(1);
}

void fields(RecordFields& record, ShardedDocuments& documents)
{
    record("begin", documents.begin);
    record("end", documents.end);
    record("all", documents.all);
}

void fields(RecordFields& record, ShardManifest& manifest)
{
    record("run", manifest.run);
    record.names("settings", manifest.settings);
    record.text<&storeText, &takeStore>("store", manifest.store);
    record.list("blocks", manifest.blocks);
    record.group("documents", manifest.documents);
}

void fields(RecordFields& record, PlacedVectors& placed)
{
    record("file", placed.file).required();
    record("documents", placed.documents).required();
    record.numbers("offsets", placed.offsets);
}

void fields(RecordFields& record, ShardRecord& shard)
{
    record("shard", shard.file).required();
    record("rows", shard.rows).required();
    record("seconds", shard.seconds);
    record.names("xxh3", shard.xxh3);
    record.perhaps("vectors", shard.placed);
}

std::string manifestHead(const ShardManifest& manifest)
{
    ManifestHead head;
    head.manifest = manifest;
    return recordJson(recordOf(head));
}

std::string manifestLine(const ShardRecord& shard)
{
    return recordJson(recordOf(shard));
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
            if (auto read = readHead(*line, manifest); !read)
                return std::move(read).error().inFile(path.string()).atPlace(place);
        }
        else if (auto read = readShard(*line, manifest); !read)
            return std::move(read).error().inFile(path.string()).atPlace(place);
        begin = end + 1;
    }
    if (manifest.blocks.empty())
        return Error{
            ErrorCode::BadFormat, "expected a first line that describes the shards, found none", path.string(), {}};
    return manifest;
}

} // namespace headscope

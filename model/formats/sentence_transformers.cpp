// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/sentence_transformers.h"

#include "model/formats/json.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kPoolings = {{
    {"pooling_mode_lasttoken", "last"},
    {"pooling_mode_mean_tokens", "mean"},
    {"pooling_mode_cls_token", "first"},
}};

/// Parses a file of the folder, or nothing when it is not there.
Result<std::optional<JsonDocument>> parseIfThere(const std::filesystem::path& path)
{
    auto document = JsonDocument::parseFile(path);
    if (!document && document.error().code == ErrorCode::FileNotFound)
        return std::optional<JsonDocument>();
    if (!document)
        return std::move(document).error();
    return std::optional<JsonDocument>(std::move(*document));
}

Error wrongField(const std::filesystem::path& file, std::string_view field, std::string_view wanted,
                 const JsonView& found)
{
    return {ErrorCode::BadFormat, fmt::format("expected {}, found {}", wanted, jsonKindName(found.kind())),
            file.string(), std::string(field)};
}

/// Folder of the Pooling module, and whether a Normalize module follows.
Result<std::filesystem::path> readModules(const std::filesystem::path& folder, SentenceTransformersFiles& files)
{
    const auto path = folder / "modules.json";
    HEADSCOPE_TRY(const auto document, parseIfThere(path));
    std::filesystem::path pooling = "1_Pooling";
    if (!document)
        return pooling;
    if (!document->root().isArray())
        return wrongField(path, "", "an array of modules", document->root());
    for (const auto module : document->root().elements())
    {
        const auto type = module.find("type");
        const auto name = type ? type->asString() : Result<std::string_view>(std::string_view());
        if (!name)
            return wrongField(path, "type", "a string", *type);
        files.normalizes = files.normalizes || name->ends_with(".Normalize");
        if (!name->ends_with(".Pooling"))
            continue;
        const auto where = module.find("path");
        const auto text = where ? where->asString() : Result<std::string_view>(std::string_view("1_Pooling"));
        if (!text)
            return wrongField(path, "path", "a string", *where);
        pooling = *text;
        if (pooling.is_absolute() || pooling.lexically_normal().string().starts_with(".."))
            return Error{ErrorCode::BadFormat, fmt::format("expected a folder inside the model's, found \"{}\"", *text),
                         path.string(), "path"};
    }
    return pooling;
}

Status readPooling(const std::filesystem::path& path, SentenceTransformersFiles& files)
{
    HEADSCOPE_TRY(const auto document, parseIfThere(path));
    if (!document)
        return {};
    for (const auto& [key, value] : document->root().members())
    {
        if (!key.starts_with("pooling_mode_"))
            continue;
        const auto chosen = value.asBool();
        if (!chosen)
            return wrongField(path, key, "true or false", value);
        if (!*chosen)
            continue;
        if (!files.pooling.empty() || !files.unknownPooling.empty())
            return Error{ErrorCode::Unsupported, "expected one kind of pooling, found several", path.string(),
                         std::string(key)};
        files.unknownPooling = key;
        for (const auto& [name, ours] : kPoolings)
            if (name == key)
            {
                files.pooling = ours;
                files.unknownPooling.clear();
            }
    }
    return {};
}

Status readMaxSeqLength(const std::filesystem::path& path, SentenceTransformersFiles& files)
{
    HEADSCOPE_TRY(const auto document, parseIfThere(path));
    const auto length = document ? document->root().find("max_seq_length") : std::nullopt;
    if (!length || length->isNull())
        return {};
    const auto value = length->asInt();
    if (!value)
        return wrongField(path, "max_seq_length", "an integer", *length);
    if (*value < 1)
        return Error{ErrorCode::BadFormat, fmt::format("expected 1 or more, found {}", *value), path.string(),
                     "max_seq_length"};
    files.maxSeqLength = *value;
    return {};
}

} // namespace

Result<SentenceTransformersFiles> readSentenceTransformers(const std::filesystem::path& folder)
{
    SentenceTransformersFiles files;
    HEADSCOPE_TRY(const auto pooling, readModules(folder, files));
    HEADSCOPE_CHECK(readPooling(folder / pooling / "config.json", files));
    HEADSCOPE_CHECK(readMaxSeqLength(folder / "sentence_bert_config.json", files));
    return files;
}

} // namespace headscope

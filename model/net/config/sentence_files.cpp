// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/config/sentence_files.h"

#include "model/formats/json.h"

#include <fmt/format.h>

#include <array>

namespace headscope
{
namespace
{

namespace fs = std::filesystem;

/// The document, or nothing where there is no such file.
Result<std::optional<JsonDocument>> readOptional(const fs::path& path)
{
    std::error_code failed;
    if (!fs::exists(path, failed) && !failed)
        return std::optional<JsonDocument>();
    HEADSCOPE_TRY(JsonDocument document, JsonDocument::parseFile(path));
    return std::optional(std::move(document));
}

Error wrong(const fs::path& path, std::string_view key, std::string_view expected, JsonView found)
{
    return {ErrorCode::BadFormat, fmt::format("expected {}, found {}", expected, jsonKindName(found.kind())),
            path.string(), std::string(key)};
}

/// A member that is a string, or "" where there is none.
Result<std::string_view> stringOf(JsonView object, std::string_view key, const fs::path& path)
{
    const auto member = object.find(key);
    if (!member || member->isNull())
        return std::string_view();
    if (member->kind() != JsonKind::String)
        return wrong(path, key, "a string", *member);
    return member->asString();
}

/// A member that is true or false, or `otherwise` where there is none.
Result<bool> flagOf(JsonView object, std::string_view key, bool otherwise, const fs::path& path)
{
    const auto member = object.find(key);
    if (!member || member->isNull())
        return otherwise;
    if (member->kind() != JsonKind::Bool)
        return wrong(path, key, "true or false", *member);
    return member->asBool();
}

/// The folder of the Pooling module; "1_Pooling" where no modules.json says otherwise.
Result<std::string> poolingFolder(const fs::path& folder, SentenceSettings& settings)
{
    HEADSCOPE_TRY(const auto modules, readOptional(folder / "modules.json"));
    if (!modules)
        return std::string("1_Pooling");
    if (!modules->root().isArray())
        return wrong(folder / "modules.json", "", "an array of modules", modules->root());
    std::string found;
    for (const JsonView& module : modules->root().elements())
    {
        if (!module.isObject())
            return wrong(folder / "modules.json", "", "an object for each module", module);
        HEADSCOPE_TRY(const std::string_view type, stringOf(module, "type", folder / "modules.json"));
        HEADSCOPE_TRY(const std::string_view path, stringOf(module, "path", folder / "modules.json"));
        if (type.ends_with(".Pooling"))
            found = path;
        else if (type.ends_with(".Dense"))
            settings.warnings.push_back(fmt::format(
                "the dense layer {} after the pooling is not applied: vectors are those of the model itself",
                printableName(path)));
    }
    // A name, not a way out of the model's folder.
    const bool plain = found.find("..") == std::string::npos && !fs::path(found).is_absolute();
    return plain ? found : std::string();
}

/// One flag a mode (pooling_mode_cls_token: true), or, since sentence-transformers 5, its name.
Status readPoolingModes(const JsonView& root, const fs::path& path, SentenceSettings& settings)
{
    if (!root.isObject())
        return wrong(path, "", "an object", root);
    struct Mode
    {
        std::string_view flag;
        std::string_view name;
        std::optional<Pooling> pooling;
    };
    constexpr std::array<Mode, 6> kModes = {Mode{"pooling_mode_cls_token", "cls", Pooling::First},
                                            Mode{"pooling_mode_mean_tokens", "mean", Pooling::Mean},
                                            Mode{"pooling_mode_lasttoken", "lasttoken", Pooling::Last},
                                            Mode{"pooling_mode_max_tokens", "max", {}},
                                            Mode{"pooling_mode_mean_sqrt_len_tokens", "mean_sqrt_len_tokens", {}},
                                            Mode{"pooling_mode_weightedmean_tokens", "weightedmean", {}}};
    HEADSCOPE_TRY(const std::string_view name, stringOf(root, "pooling_mode", path));
    std::vector<Mode> chosen;
    for (const Mode& mode : kModes)
    {
        HEADSCOPE_TRY(const bool flag, flagOf(root, mode.flag, false, path));
        if (flag || (!name.empty() && name == mode.name))
            chosen.push_back(mode);
    }
    if (chosen.empty() && !name.empty())
        settings.warnings.push_back(
            fmt::format("pooling by {} is not supported: choose last, first or mean", printableName(name)));
    if (chosen.size() == 1 && chosen.front().pooling)
        settings.pooling = chosen.front().pooling;
    else if (!chosen.empty())
        settings.warnings.push_back(
            chosen.size() == 1
                ? fmt::format("pooling by {} is not supported: choose last, first or mean", chosen.front().name)
                : std::string("pooling by several modes at once is not supported: choose last, first or mean"));
    HEADSCOPE_TRY(settings.includePrompt, flagOf(root, "include_prompt", true, path));
    return {};
}

Result<SentenceSettings> settingsOfGguf(const ModelFiles& files)
{
    SentenceSettings settings;
    const auto key = std::string(files.config.traits().gguf) + ".pooling_type";
    HEADSCOPE_TRY(const auto type, files.metadata.integer(key));
    if (type && *type != 0) // 0 = none
    {
        constexpr std::array<Pooling, 3> kTypes = {Pooling::Mean, Pooling::First, Pooling::Last};
        if (*type >= 1 && *type <= 3)
            settings.pooling = kTypes[static_cast<std::size_t>(*type - 1)];
        else
            settings.warnings.push_back(fmt::format("{}: {} is not supported: choose last, first or mean", key, *type));
    }
    return settings;
}

} // namespace

std::vector<fs::path> sentenceFiles(const ModelFiles& files)
{
    if (files.isGguf())
        return {};
    SentenceSettings ignored;
    const auto pooling = poolingFolder(files.folder, ignored);
    std::vector<fs::path> paths = {files.folder / "modules.json", files.folder / "sentence_bert_config.json"};
    if (pooling && !pooling->empty())
        paths.push_back(files.folder / *pooling / "config.json");
    return paths;
}

Result<SentenceSettings> readSentenceSettings(const ModelFiles& files)
{
    if (files.isGguf())
        return settingsOfGguf(files);
    SentenceSettings settings;
    HEADSCOPE_TRY(const std::string folder, poolingFolder(files.folder, settings));
    if (!folder.empty())
    {
        const fs::path path = files.folder / folder / "config.json";
        HEADSCOPE_TRY(const auto pooling, readOptional(path));
        if (pooling)
            HEADSCOPE_CHECK(readPoolingModes(pooling->root(), path, settings));
    }
    HEADSCOPE_TRY(const auto sentence, readOptional(files.folder / "sentence_bert_config.json"));
    if (sentence)
        if (const auto length = sentence->root().find("max_seq_length"); length && !length->isNull())
        {
            const auto tokens = length->asInt();
            if (!tokens || *tokens < 1)
                return Error{ErrorCode::BadFormat, "expected an integer from 1 on",
                             (files.folder / "sentence_bert_config.json").string(), "max_seq_length"};
            settings.maxSequenceLength = *tokens;
        }
    return settings;
}

} // namespace headscope

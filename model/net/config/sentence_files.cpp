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

/// The document, or nothing where there is no such file; a broken one becomes a warning.
std::optional<JsonDocument> readOptional(const fs::path& path, std::vector<std::string>& warnings)
{
    std::error_code ignored;
    if (!fs::exists(path, ignored))
        return std::nullopt;
    Result<JsonDocument> document = JsonDocument::parseFile(path);
    if (document)
        return std::move(*document);
    warnings.push_back(document.error().sentence());
    return std::nullopt;
}

/// The folder of the Pooling module; "1_Pooling" where no modules.json says otherwise.
std::string poolingFolder(const fs::path& folder, SentenceSettings& settings)
{
    const auto modules = readOptional(folder / "modules.json", settings.warnings);
    if (!modules)
        return "1_Pooling";
    std::string found;
    for (const JsonView& module : modules->root().elements())
    {
        const auto typeField = module.find("type");
        const auto pathField = module.find("path");
        const std::string_view type = typeField ? typeField->asString().value_or("") : "";
        const std::string_view path = pathField ? pathField->asString().value_or("") : "";
        if (type.ends_with(".Pooling"))
            found = path;
        else if (type.ends_with(".Dense"))
            settings.warnings.push_back(
                fmt::format("the dense layer {} after the pooling is not applied: vectors are the model's own",
                            printableName(path)));
    }
    // A name, not a way out of the model's folder.
    const bool plain = found.find("..") == std::string::npos && !fs::path(found).is_absolute();
    return plain ? found : std::string();
}

/// One flag a mode (pooling_mode_cls_token: true), or, since sentence-transformers 5, its name.
void readPoolingModes(const JsonView& root, SentenceSettings& settings)
{
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
    const auto nameField = root.find("pooling_mode");
    const std::string_view name = nameField ? nameField->asString().value_or("") : "";
    std::vector<Mode> chosen;
    for (const Mode& mode : kModes)
    {
        const auto flag = root.find(mode.flag);
        if ((flag && flag->asBool().value_or(false)) || (!name.empty() && name == mode.name))
            chosen.push_back(mode);
    }
    if (chosen.size() == 1 && chosen.front().pooling)
        settings.pooling = chosen.front().pooling;
    else if (!chosen.empty())
        settings.warnings.push_back(
            chosen.size() == 1
                ? fmt::format("pooling by {} is not offered: choose last, first or mean", chosen.front().name)
                : std::string("pooling by several modes at once is not offered: choose last, first or mean"));
    if (const auto prompt = root.find("include_prompt"))
        settings.includePrompt = prompt->asBool().value_or(true);
}

SentenceSettings settingsOfGguf(const ModelFiles& files)
{
    SentenceSettings settings;
    const auto key = std::string(familyName(files.config.family)) + ".pooling_type";
    const auto type = files.metadata.integer(key);
    if (!type)
        settings.warnings.push_back(type.error().sentence());
    else if (*type && **type != 0) // 0 = none
    {
        constexpr std::array<Pooling, 3> kTypes = {Pooling::Mean, Pooling::First, Pooling::Last};
        if (**type >= 1 && **type <= 3)
            settings.pooling = kTypes[static_cast<std::size_t>(**type - 1)];
        else
            settings.warnings.push_back(fmt::format("{}: {} is not offered: choose last, first or mean", key, **type));
    }
    return settings;
}

} // namespace

SentenceSettings readSentenceSettings(const ModelFiles& files)
{
    if (files.isGguf())
        return settingsOfGguf(files);
    SentenceSettings settings;
    if (const std::string folder = poolingFolder(files.folder, settings); !folder.empty())
        if (const auto pooling = readOptional(files.folder / folder / "config.json", settings.warnings))
            readPoolingModes(pooling->root(), settings);
    if (const auto sentence = readOptional(files.folder / "sentence_bert_config.json", settings.warnings))
        if (const auto length = sentence->root().find("max_seq_length"); length && !length->isNull())
        {
            const auto tokens = length->asInt();
            if (tokens && *tokens >= 1)
                settings.maxSequenceLength = *tokens;
            else
                settings.warnings.emplace_back("sentence_bert_config.json: max_seq_length: expected an integer from 1, "
                                               "so it is not used");
        }
    return settings;
}

} // namespace headscope

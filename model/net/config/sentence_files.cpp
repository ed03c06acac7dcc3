// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/config/sentence_files.h"

#include "model/formats/json.h"
#include "model/net/config/known_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope
{
namespace
{

namespace fs = std::filesystem;

constexpr const char* kPromptsName = "config_sentence_transformers.json";

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

/// Adds what the file asks for and is not done.
/// @param name  of the file, for the sentences
void say(KeyTable table, JsonView object, const fs::path& name, SentenceSettings& settings)
{
    const auto notices = keyNotices(table, object, name.string());
    settings.warnings.insert(settings.warnings.end(), notices.begin(), notices.end());
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

/// An entry of modules.json.
struct ModuleEntry
{
    std::string_view type;
    std::string_view path;

    /// The last part of the type: "Pooling"; code of the model's own has none.
    [[nodiscard]] std::string_view kind() const
    {
        return type.starts_with("sentence_transformers.") ? type.substr(type.rfind('.') + 1) : std::string_view();
    }
};

/// What a module of sentence-transformers would do to the vectors, and is not done.
void refuseStep(const ModuleEntry& module, const std::string& why, SentenceSettings& settings)
{
    settings.warnings.push_back(fmt::format(
        "modules.json: the module {}{} is not applied, because {}: head vectors come from the network without it, and "
        "the sentence embedding is not computed",
        settings.modules.back(), module.path.empty() ? "" : fmt::format(" ({})", printableName(module.path)), why));
    if (settings.embedding.notDone.empty())
        settings.embedding.notDone = fmt::format("the module {} is not applied", settings.modules.back());
}

/// A module that is neither the network nor its pooling.
void addStep(const ModelFiles& files, const ModuleEntry& module, bool isPooled, SentenceSettings& settings)
{
    if (module.kind().empty())
        return refuseStep(module, "it is the model's own code", settings);
    if (!isPooled)
        return refuseStep(module, "it comes before the pooling", settings);
    if (!staysInside(module.path))
        return refuseStep(module, "its path leads out of the model's folder", settings);
    const auto& steps = settings.embedding.steps;
    auto step = readEmbeddingStep(module.kind(), files.root / module.path,
                                  steps.empty() ? files.config.modelDim : steps.back().out, settings.warnings);
    if (!step)
        return refuseStep(module, step.error().message, settings);
    if (*step)
        settings.embedding.steps.push_back(std::move(**step));
}

/// Reads modules.json. @return  the folder of the Pooling module; "1_Pooling" where no modules.json says otherwise
Result<std::string> readModules(const ModelFiles& files, SentenceSettings& settings)
{
    const fs::path& folder = files.root;
    HEADSCOPE_TRY(const auto modules, readOptional(folder / "modules.json"));
    if (!modules)
        return std::string("1_Pooling");
    if (!modules->root().isArray())
        return wrong(folder / "modules.json", "", "an array of modules", modules->root());
    std::optional<std::string> found;
    for (const JsonView& each : modules->root().elements())
    {
        if (!each.isObject())
            return wrong(folder / "modules.json", "", "an object for each module", each);
        say(KeyTable::Module, each, "modules.json", settings);
        ModuleEntry module;
        HEADSCOPE_TRY(module.type, stringOf(each, "type", folder / "modules.json"));
        HEADSCOPE_TRY(module.path, stringOf(each, "path", folder / "modules.json"));
        settings.modules.push_back(printableName(module.type.substr(module.type.rfind('.') + 1)));
        if (module.type.ends_with(".Pooling"))
            found = module.path;
        else if (module.kind() != "Transformer")
            addStep(files, module, found.has_value(), settings);
    }
    return found && staysInside(*found) ? *found : std::string();
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
        settings.otherPooling = printableName(name);
    else if (chosen.size() == 1 && chosen.front().pooling)
        settings.pooling = chosen.front().pooling;
    else
        for (const Mode& mode : chosen)
            settings.otherPooling += (settings.otherPooling.empty() ? "" : " and ") + std::string(mode.name);
    HEADSCOPE_TRY(settings.includePrompt, flagOf(root, "include_prompt", settings.includePrompt, path));
    say(KeyTable::Pooling, root, path.parent_path().filename() / path.filename(), settings);
    return {};
}

/// A number from 1 on, or nothing where there is none.
Result<std::optional<double>> lengthOf(const fs::path& path, std::string_view key, KeyTable table,
                                       SentenceSettings& settings)
{
    HEADSCOPE_TRY(const auto document, readOptional(path));
    if (document)
        say(table, document->root(), path.filename(), settings);
    const auto length = document ? document->root().find(key) : std::nullopt;
    if (!length || length->isNull())
        return std::optional<double>();
    const auto tokens = length->asDouble();
    if (!tokens || !(*tokens >= 1) || *tokens != std::floor(*tokens))
        return Error{ErrorCode::BadFormat, "expected an integer of 1 or more", path.string(), std::string(key)};
    return std::optional(*tokens);
}

/// The longest text, as sentence-transformers finds it.
Status readLength(const fs::path& folder, SentenceSettings& settings)
{
    constexpr double kNoLimit = 1e9; // transformers writes 1e30
    HEADSCOPE_TRY(auto length,
                  lengthOf(folder / "sentence_bert_config.json", "max_seq_length", KeyTable::Sentence, settings));
    HEADSCOPE_TRY(const auto tokenizer,
                  lengthOf(folder / "tokenizer_config.json", "model_max_length", KeyTable::Tokenizer, settings));
    settings.lengthIsOwn = length.has_value();
    if (!length)
        length = tokenizer;
    if (length && *length < kNoLimit)
        settings.maxSequenceLength = static_cast<std::int64_t>(*length);
    return {};
}

/// The texts that queries and documents begin with.
Status readPrompts(const fs::path& path, SentenceSettings& settings)
{
    HEADSCOPE_TRY(const auto document, readOptional(path));
    if (!document)
        return {};
    const JsonView root = document->root();
    if (!root.isObject())
        return wrong(path, "", "an object", root);
    const auto prompts = root.find("prompts");
    if (prompts && !prompts->isNull())
    {
        if (!prompts->isObject())
            return wrong(path, "prompts", "an object", *prompts);
        for (const auto& [name, value] : prompts->members())
        {
            HEADSCOPE_TRY(const std::string_view text, stringOf(*prompts, name, path));
            settings.prompts.push_back({std::string(name), std::string(text)});
        }
    }
    HEADSCOPE_TRY(settings.defaultPrompt, stringOf(root, "default_prompt_name", path));
    if (!settings.defaultPrompt.empty() && settings.prompt(settings.defaultPrompt) == nullptr)
        return Error{
            ErrorCode::BadFormat,
            fmt::format("expected the name of one of the prompts, found {}", printableName(settings.defaultPrompt)),
            path.string(), "default_prompt_name"};
    if (const auto dim = root.find("truncate_dim"); dim && !dim->isNull())
    {
        settings.embedding.truncateDim = dim->asInt().value_or(0);
        if (settings.embedding.truncateDim < 1)
            return wrong(path, "truncate_dim", "an integer of 1 or more", *dim);
    }
    say(KeyTable::Prompts, root, path.filename(), settings);
    return {};
}

/// Dense modules behind the pooling that the converter of EmbeddingGemma puts beside the network.
void addDenseTensors(const ModelFiles& files, EmbeddingPlan& plan)
{
    const auto stored = [&files](const std::string& name) -> std::optional<StepTensor> {
        const TensorInfo* const info = files.directory.find(name);
        if (info == nullptr)
            return std::nullopt;
        return StepTensor{files.directory.files[static_cast<std::size_t>(info->file)].path, *info};
    };
    std::int64_t in = files.config.modelDim;
    for (const std::string name : {"dense_2", "dense_3"})
    {
        EmbeddingStep step{.kind = EmbeddingStepKind::Dense, .in = in};
        step.weight = stored(name + ".weight");
        step.bias = stored(name + ".bias");
        if (!step.weight)
            continue;
        const std::vector<std::int64_t>& shape = step.weight->info.shape;
        if (shape.size() != 2 || shape[1] != in ||
            (step.bias && step.bias->info.shape != std::vector<std::int64_t>{shape[0]}))
        {
            plan.notDone = fmt::format("{}.weight cannot be applied to a vector of {} numbers", name, in);
            return;
        }
        in = step.out = shape[0];
        plan.steps.push_back(std::move(step));
    }
}

Result<SentenceSettings> settingsOfGguf(const ModelFiles& files)
{
    SentenceSettings settings;
    HEADSCOPE_TRY(const std::string_view architecture, files.metadata.requiredString("general.architecture"));
    const auto key = std::string(architecture) + ".pooling_type";
    HEADSCOPE_TRY(const auto type, files.metadata.integer(key));
    if (type && *type != 0) // 0 = none
    {
        constexpr std::array<Pooling, 3> kTypes = {Pooling::Mean, Pooling::First, Pooling::Last};
        if (*type >= 1 && *type <= 3)
            settings.pooling = kTypes[static_cast<std::size_t>(*type - 1)];
        else
            settings.otherPooling = *type == 4 ? "rank" : fmt::format("{} {}", key, *type);
    }
    addDenseTensors(files, settings.embedding);
    return settings;
}

} // namespace

const NamedPrompt* SentenceSettings::prompt(std::string_view name) const
{
    const auto found = std::ranges::find(prompts, name, &NamedPrompt::name);
    return found == prompts.end() ? nullptr : &*found;
}

std::vector<fs::path> sentenceFiles(const ModelFiles& files)
{
    if (files.isGguf())
        return {};
    SentenceSettings ignored;
    const auto pooling = readModules(files, ignored);
    std::vector<fs::path> paths = {files.root / "modules.json", files.root / kPromptsName,
                                   files.folder / "sentence_bert_config.json"};
    if (pooling && !pooling->empty())
        paths.push_back(files.root / *pooling / "config.json");
    for (const EmbeddingStep& step : ignored.embedding.steps)
        if (step.weight)
        {
            paths.push_back(step.weight->file);
            paths.push_back(step.weight->file.parent_path() / "config.json");
        }
    return paths;
}

Result<SentenceSettings> readSentenceSettings(const ModelFiles& files)
{
    if (files.isGguf())
        return settingsOfGguf(files);
    SentenceSettings settings;
    const EmbeddingHints& hints = files.config.embedding;
    settings.includePrompt = hints.includePrompt;
    HEADSCOPE_TRY(const std::string folder, readModules(files, settings));
    if (!folder.empty())
    {
        const fs::path path = files.root / folder / "config.json";
        HEADSCOPE_TRY(const auto pooling, readOptional(path));
        if (pooling)
            HEADSCOPE_CHECK(readPoolingModes(pooling->root(), path, settings));
    }
    if (!settings.pooling && settings.otherPooling.empty())
    {
        settings.pooling = hints.pooling;
        settings.otherPooling = hints.otherPooling;
    }
    if (!settings.otherPooling.empty())
        settings.embedding.notDone = fmt::format("pooling by {} is not supported", settings.otherPooling);
    HEADSCOPE_CHECK(readLength(files.folder, settings));
    HEADSCOPE_CHECK(readPrompts(files.root / kPromptsName, settings));
    return settings;
}

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/figure_recipe.h"

#include "app/frames/json_type.h"
#include "app/results/provenance.h"
#include "app/shell/quoted_command.h"
#include "model/data/input_digest.h"
#include "model/io/cache/cache_reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::string_view kFormat = "headscope-figure";
constexpr std::int64_t kVersion = 1;
constexpr std::int64_t kPanelsVersion = 2; ///< of those with panels, which version 1 does not know
constexpr std::size_t kMaxPanels = 26;
constexpr std::size_t kMaxWords = 1'000;
constexpr std::size_t kLongestWord = 100'000; // a list of document numbers
constexpr std::size_t kMaxInputs = 1'000;
constexpr int kDeepest = 32;

constexpr std::array<std::string_view, 12> kInputOptions = {"CACHE",     "RESULT",    "--mask",      "--label-map",
                                                            "--vectors", "--labels",  "--test-rows", "--init",
                                                            "--map",     "--queries", "--relevant",  "--importance"};
/// Files that verbs read for something other than a figure that can be made again.
constexpr std::array<std::string_view, 5> kOtherInputs = {"RECIPE", "--input", "--against", "--compare", "--model"};
/// A file or a folder, which is large. It has no hash in a recipe: a verb that runs it compares it with the cache.
constexpr std::string_view kModel = "--model";
constexpr std::array<std::string_view, 11> kLeftOut = {"-o",         "--figure", "--save",     "--save-mask",
                                                       "--state",    "--recipe", "--also",     "--threads",
                                                       "--progress", "--json",   "--overwrite"};

/// Calls the files among the parameters what the recipe calls them.
void nameInputs(Json& parameters, const std::vector<RecipeInput>& inputs)
{
    constexpr std::array<std::pair<std::string_view, const char*>, 4> kKeys = {
        {{"CACHE", "cache"}, {"--vectors", "vectors"}, {"--mask", "mask"}, {"--label-map", "label_map"}}};
    for (const RecipeInput& input : inputs)
        for (const auto& [option, key] : kKeys)
            if (input.option == option && parameters.contains(key))
                parameters[key] = std::filesystem::path(input.path).filename().string();
    if (const auto model = parameters.find("model"); model != parameters.end() && model->is_string())
        *model = recordedPath(model->get<std::string>(), {});
}

Error badRecipe(const std::string& what)
{
    return {ErrorCode::BadFormat, "expected a recipe of a figure, " + what, {}, {}};
}

/// A text of an object, of a length that makes sense.
Result<std::string> textIn(const Json& object, const char* key)
{
    const auto found = object.find(key);
    if (found == object.end() || !found->is_string() || found->get_ref<const std::string&>().size() > kLongestWord ||
        found->get_ref<const std::string&>().find('\0') != std::string::npos)
        return badRecipe(fmt::format("found no string \"{}\" in it", key));
    return found->get<std::string>();
}

Result<std::vector<std::string>> wordsIn(const Json& object)
{
    const auto found = object.find("options");
    if (found == object.end() || !found->is_array() || found->size() > kMaxWords)
        return badRecipe("found no list \"options\" in it");
    std::vector<std::string> words;
    for (const Json& each : *found)
    {
        if (!each.is_string() || each.get_ref<const std::string&>().size() > kLongestWord ||
            each.get_ref<const std::string&>().find('\0') != std::string::npos)
            return badRecipe("found an option that is not a string");
        words.push_back(each.get<std::string>());
    }
    return words;
}

Result<std::vector<RecipeInput>> inputsIn(const Json& object)
{
    const auto found = object.find("inputs");
    if (found == object.end() || !found->is_array() || found->size() > kMaxInputs)
        return badRecipe("found no list \"inputs\" in it");
    std::vector<RecipeInput> inputs;
    for (const Json& each : *found)
    {
        if (!each.is_object())
            return badRecipe("found an input that is not an object");
        RecipeInput input;
        HEADSCOPE_TRY(input.option, textIn(each, "option"));
        HEADSCOPE_TRY(input.path, textIn(each, "path"));
        HEADSCOPE_TRY(input.hash, textIn(each, "hash"));
        inputs.push_back(std::move(input));
    }
    return inputs;
}

Result<std::vector<std::string>> panelsIn(const Json& object)
{
    std::vector<std::string> panels;
    const auto found = object.find("panels");
    if (found == object.end())
        return panels;
    if (!found->is_array() || found->empty() || found->size() > kMaxPanels)
        return badRecipe(fmt::format("found no list of 1 to {} panels under \"panels\"", kMaxPanels));
    for (const Json& each : *found)
    {
        if (!each.is_object())
            return badRecipe("found a panel that is not an object");
        panels.push_back(each.dump(2, ' ', true, Json::error_handler_t::replace) + '\n');
    }
    return panels;
}

} // namespace

std::vector<std::string*> inputsOf(const Field& row)
{
    std::vector<std::string*> files;
    if (std::ranges::find(kInputOptions, row.names.front()) == kInputOptions.end())
        return files;
    if (std::string* text = row.text(); text != nullptr && !text->empty())
        files.push_back(text);
    if (const auto* several = std::get_if<std::vector<std::string>*>(&row.target))
        for (std::string& value : **several)
            files.push_back(&value);
    return files;
}

std::vector<std::filesystem::path> filesRead(const Fields& table)
{
    std::vector<std::filesystem::path> files;
    for (const Field& row : table.options())
    {
        const bool other = std::ranges::find(kOtherInputs, row.names.front()) != kOtherInputs.end();
        if (const auto* several = std::get_if<std::vector<std::string>*>(&row.target); other && several != nullptr)
            for (const std::string& value : **several)
                files.emplace_back(fileOf(value));
        for (const std::string* value : inputsOf(row))
            files.emplace_back(fileOf(*value));
        if (other && row.text() != nullptr)
            files.emplace_back(fileOf(*row.text()));
    }
    return files;
}

std::string recordedPath(const std::string& file, std::span<const RecordedName> names)
{
    for (const RecordedName& name : names)
        if (name.file == file)
            return name.path;
    const std::filesystem::path path(file);
    if (!path.is_absolute())
        return file;
    return (path.has_filename() ? path : path.parent_path()).filename().string();
}

std::string fileOf(const std::string& value)
{
    return value.substr(0, value.find(":/"));
}

bool isLeftOutOfRecipes(const Field& row)
{
    return std::ranges::find(kLeftOut, row.names.front()) != kLeftOut.end();
}

std::vector<RecipeInput> keepForRecipe(const Fields& wanted, const Fields& usual, std::span<const RecordedName> names)
{
    std::vector<RecipeInput> inputs;
    const auto usualOptions = usual.options();
    std::size_t next = 0;
    for (const Field& row : wanted.options())
    {
        const Field& usualRow = usualOptions[next++];
        if (isLeftOutOfRecipes(row))
            copyValue(usualRow, row);
        if (std::string* model = row.text(); model != nullptr && row.typedName() == kModel)
            *model = recordedPath(*model, names);
        for (std::string* value : inputsOf(row))
        {
            const std::string file = fileOf(*value);
            RecipeInput input{row.names.front(), recordedPath(file, names), {}, file};
            *value = input.path + value->substr(file.size());
            inputs.push_back(std::move(input));
        }
    }
    return inputs;
}

Result<std::string> recipeHash(const std::filesystem::path& file, std::string_view option, const CacheReader* cache,
                               JobContext& job)
{
    std::shared_ptr<const CacheReader> opened;
    if (option == "CACHE" && cache == nullptr)
    {
        HEADSCOPE_TRY(opened, CacheReader::open(file, job));
        cache = opened.get();
    }
    if (option == "CACHE" && cache->info().hasChecksums)
        return "origin:" + cache->origin().hash;
    HEADSCOPE_TRY(const InputDigest digest, InputDigest::ofFile(file, job));
    return digest.text();
}

std::string recipeText(const FigureRecipe& recipe, const Provenance& provenance)
{
    Json inputs = Json::array();
    for (const RecipeInput& input : recipe.inputs)
        inputs.push_back({{"option", input.option}, {"path", input.path}, {"hash", input.hash}});
    std::vector<std::string> line = {recipe.verb};
    line.insert(line.end(), recipe.words.begin(), recipe.words.end());
    Json json = {{"format", kFormat},
                 {"version", recipe.panels.empty() ? kVersion : kPanelsVersion},
                 {"verb", recipe.verb},
                 {"options", recipe.words},
                 {"command", recipe.command.empty() && recipe.verb != kWindowVerb
                                 ? shell::quotedCommand("headscope", line)
                                 : recipe.command},
                 {"inputs", inputs}};
    provenance.writeTo(json);
    nameInputs(json["parameters"], recipe.inputs);
    json["versions"] = {{"headscope", recipe.headscope}, {"qt", recipe.qt}};
    if (!recipe.window.empty())
        json["window"] = Json::parse(recipe.window, nullptr, false);
    for (const std::string& panel : recipe.panels)
        json["panels"].push_back(Json::parse(panel, nullptr, false));
    return json.dump(2, ' ', true, Json::error_handler_t::replace) + '\n';
}

Result<FigureRecipe> readRecipe(std::string_view text)
{
    bool isDeep = false; // what is nested deeply is not even kept: writing it again would need a deep stack
    const Json json = Json::parse(
        text,
        [&isDeep](int depth, Json::parse_event_t, const Json&) {
            isDeep = isDeep || depth > kDeepest;
            return !isDeep;
        },
        false);
    if (isDeep)
        return badRecipe(fmt::format("found one nested more than {} levels deep", kDeepest));
    if (!json.is_object())
        return badRecipe("found something that is not a JSON object");
    HEADSCOPE_TRY(const std::string format, textIn(json, "format"));
    if (format != kFormat)
        return badRecipe(fmt::format("found the format \"{}\"", format.substr(0, 40)));
    const auto version = json.find("version");
    if (version == json.end() || !version->is_number_integer())
        return badRecipe("found no number \"version\" in it");
    if (!version->is_number_unsigned() || version->get<std::uint64_t>() > static_cast<std::uint64_t>(kPanelsVersion))
        return Error{
            ErrorCode::Unsupported,
            fmt::format("expected a recipe of version {} at most, found version {}; open it with a newer Headscope",
                        kPanelsVersion, version->dump()),
            {},
            {}};
    FigureRecipe recipe;
    HEADSCOPE_TRY(recipe.verb, textIn(json, "verb"));
    HEADSCOPE_TRY(recipe.words, wordsIn(json));
    HEADSCOPE_TRY(recipe.inputs, inputsIn(json));
    const auto versions = json.find("versions");
    if (versions == json.end() || !versions->is_object())
        return badRecipe("found no \"versions\" in it");
    HEADSCOPE_TRY(recipe.headscope, textIn(*versions, "headscope"));
    HEADSCOPE_TRY(recipe.qt, textIn(*versions, "qt"));
    if (const auto window = json.find("window"); window != json.end())
    {
        if (!window->is_object())
            return badRecipe("found a \"window\" that is not an object");
        recipe.window = window->dump(-1, ' ', true, Json::error_handler_t::replace);
    }
    HEADSCOPE_TRY(recipe.panels, panelsIn(json));
    if (recipe.panels.empty() != (version->get<std::int64_t>() < kPanelsVersion))
        return badRecipe(fmt::format("found version {} {} panels", version->get<std::int64_t>(),
                                     recipe.panels.empty() ? "without" : "with"));
    return recipe;
}

} // namespace headscope

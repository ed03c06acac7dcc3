// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/load/tokenizer_config.h"

#include "model/tokenize/load/added_token_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace headscope::tokenize
{
namespace
{

Result<std::optional<bool>> optionalBool(const JsonPlace& json, std::string_view key)
{
    if (!json.find(key))
        return std::optional<bool>();
    HEADSCOPE_TRY(const bool value, json.boolean(key, false));
    return std::optional<bool>(value);
}

/// A token by its spelling, or an object that has it as `content`.
Result<std::optional<std::string>> optionalToken(const JsonPlace& json, std::string_view key)
{
    const auto token = json.find(key);
    if (!token)
        return std::optional<std::string>();
    HEADSCOPE_TRY(const std::string_view text, token->view().isObject() ? token->string("content") : token->string());
    return std::optional<std::string>(std::string(text));
}

/// auto_map.AutoTokenizer: a name, or a list of the slow and the fast class.
std::string ownCodeOf(const JsonPlace& json)
{
    const auto map = json.find("auto_map");
    const auto entry = map ? map->find("AutoTokenizer") : std::nullopt;
    if (!entry)
        return {};
    if (const auto name = entry->string())
        return std::string(*name);
    std::string found;
    for (const JsonView item : entry->view().elements())
    {
        if (const auto name = item.asString())
            found = *name;
    }
    return found;
}

/// The classes that put their options in place of the normalizer's in tokenizer.json.
bool hasOptionsOfBert(std::string_view name)
{
    constexpr std::array<std::string_view, 5> kClasses = {"BertTokenizer", "DistilBertTokenizer", "ElectraTokenizer",
                                                          "MobileBertTokenizer", "MPNetTokenizer"};
    if (name.ends_with("Fast"))
        name.remove_suffix(4);
    return std::ranges::find(kClasses, name) != kClasses.end();
}

constexpr std::array<std::string_view, 7> kSpecialKeys = {"bos_token", "eos_token", "unk_token", "sep_token",
                                                          "pad_token", "cls_token", "mask_token"};

/// The spellings of an array of tokens, each a string or an object.
Status addListed(const JsonPlace& json, std::vector<std::string>& tokens)
{
    for (const std::string_view key : {"additional_special_tokens", "extra_special_tokens"}) // transformers 4 and 5
    {
        const auto found = json.find(key);
        if (!found || found->view().isObject()) // names of tokens that are in other places, too
            continue;
        HEADSCOPE_TRY(const auto list, found->list());
        for (const JsonPlace& entry : list)
        {
            HEADSCOPE_TRY(const std::string_view text,
                          entry.view().isObject() ? entry.string("content") : entry.string());
            tokens.emplace_back(text);
        }
    }
    return {};
}

/// The tokens that steer the model: those of tokenizer_config.json, and of each kind that it does not name those of
/// special_tokens_map.json.
Status readSpecialTokens(const JsonPlace& json, const std::optional<JsonPlace>& map, TokenizerConfig& config)
{
    for (const std::string_view key : kSpecialKeys)
    {
        HEADSCOPE_TRY(auto token, optionalToken(json, key));
        if (!token && map && !json.view().find(key))
        {
            HEADSCOPE_TRY(token, optionalToken(*map, key));
            config.usesSpecialMap = config.usesSpecialMap || token;
        }
        if (!token)
            continue;
        if (key == "bos_token")
            config.bosToken = token;
        if (key == "eos_token")
            config.eosToken = token;
        config.specialTokens.push_back(std::move(*token));
    }
    if (json.find("additional_special_tokens") || !map)
        return addListed(json, config.specialTokens);
    config.usesSpecialMap = config.usesSpecialMap || map->find("additional_special_tokens");
    return addListed(*map, config.specialTokens);
}

Status readBert(const JsonPlace& json, BertOverrides& bert)
{
    HEADSCOPE_TRY(bert.lowercase, optionalBool(json, "do_lower_case"));
    HEADSCOPE_TRY(bert.spaceIdeographs, optionalBool(json, "tokenize_chinese_chars"));
    HEADSCOPE_TRY(bert.stripAccents, optionalBool(json, "strip_accents"));
    return {};
}

/// @param map  special_tokens_map.json
Result<TokenizerConfig> readFields(const JsonPlace& json, const std::optional<JsonPlace>& map)
{
    TokenizerConfig config;
    if (json.find("tokenizer_class"))
    {
        HEADSCOPE_TRY(config.tokenizerClass, json.string("tokenizer_class"));
    }
    HEADSCOPE_CHECK(readSpecialTokens(json, map, config));
    if (const auto decoder = json.find("added_tokens_decoder"))
    {
        HEADSCOPE_TRY(config.addedTokens, addedTokensFromDecoder(*decoder));
    }
    HEADSCOPE_TRY(config.addBos, optionalBool(json, "add_bos_token"));
    HEADSCOPE_TRY(config.addEos, optionalBool(json, "add_eos_token"));
    config.ownCode = ownCodeOf(json);
    if (config.isLlama())
    {
        // What the class itself says about tokens that the file does not name.
        if (!config.bosToken && !json.view().find("bos_token"))
            config.bosToken = "<s>";
        if (!config.eosToken && !json.view().find("eos_token"))
            config.eosToken = "</s>";
    }
    // Without a class it is that of the model; only BERT's has a normalizer that these change.
    config.mayBeBert = config.tokenizerClass.empty() || hasOptionsOfBert(config.tokenizerClass);
    if (config.mayBeBert)
        HEADSCOPE_CHECK(readBert(json, config.bert));
    if (const auto side = json.find("truncation_side"))
    {
        HEADSCOPE_TRY(const std::string_view name, side->string());
        if (name != "left" && name != "right")
            return side->error(ErrorCode::BadFormat, fmt::format("expected left or right, found \"{}\"", name));
        config.truncatesLeft = name == "left";
    }
    return config;
}

/// The document of a file, or nothing where there is none.
Result<std::optional<JsonDocument>> optionalDocument(const std::string& text, std::string_view file)
{
    if (text.empty())
        return std::optional<JsonDocument>();
    HEADSCOPE_TRY(JsonDocument document, JsonDocument::parse(text, file));
    if (!document.root().isObject())
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected an object, found {}", jsonKindName(document.root().kind())),
                     std::string(file),
                     {}};
    return std::optional(std::move(document));
}

/// added_tokens.json does not say which of its tokens are special.
Status takeAddedTokens(const JsonPlace& json, TokenizerConfig& config)
{
    HEADSCOPE_TRY(config.addedTokens, addedTokensFromMap(json));
    for (AddedToken& token : config.addedTokens)
    {
        token.special = std::ranges::find(config.specialTokens, token.content) != config.specialTokens.end();
        token.normalized = !token.special;
    }
    return {};
}

} // namespace

Result<TokenizerConfig> readTokenizerConfig(const ConfigTexts& texts)
{
    HEADSCOPE_TRY(const auto document, optionalDocument(texts.config.empty() ? "{}" : texts.config, kConfigFile));
    HEADSCOPE_TRY(const auto special, optionalDocument(texts.specialTokens, kSpecialTokensFile));
    HEADSCOPE_TRY(const auto added, optionalDocument(texts.addedTokens, kAddedTokensFile));
    const JsonPlace root(document->root(), "");
    auto config = readFields(root, special ? std::optional(JsonPlace(special->root(), "")) : std::nullopt);
    if (!config)
        return std::move(config).error().inFile(std::string(kConfigFile));
    if (added && config->addedTokens.empty())
        if (auto taken = takeAddedTokens(JsonPlace(added->root(), ""), *config); !taken)
            return std::move(taken).error().inFile(std::string(kAddedTokensFile));
    if (added && !config->addedTokens.empty() && !root.find("added_tokens_decoder"))
        config->otherTexts += texts.addedTokens;
    if (config->usesSpecialMap)
        config->otherTexts += texts.specialTokens;
    return config;
}

} // namespace headscope::tokenize

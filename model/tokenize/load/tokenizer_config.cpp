// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/load/tokenizer_config.h"

#include <fmt/format.h>

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

Status readBert(const JsonPlace& json, BertOverrides& bert)
{
    HEADSCOPE_TRY(bert.lowercase, optionalBool(json, "do_lower_case"));
    HEADSCOPE_TRY(bert.spaceIdeographs, optionalBool(json, "tokenize_chinese_chars"));
    HEADSCOPE_TRY(bert.stripAccents, optionalBool(json, "strip_accents"));
    return {};
}

Result<TokenizerConfig> readFields(const JsonPlace& json)
{
    TokenizerConfig config;
    if (json.find("tokenizer_class"))
    {
        HEADSCOPE_TRY(config.tokenizerClass, json.string("tokenizer_class"));
    }
    HEADSCOPE_TRY(config.bosToken, optionalToken(json, "bos_token"));
    HEADSCOPE_TRY(config.eosToken, optionalToken(json, "eos_token"));
    HEADSCOPE_TRY(config.addBos, optionalBool(json, "add_bos_token"));
    HEADSCOPE_TRY(config.addEos, optionalBool(json, "add_eos_token"));
    config.ownCode = ownCodeOf(json);
    if (config.isLlama())
    {
        // What the class itself says about tokens that the file does not name.
        if (!json.view().find("bos_token"))
            config.bosToken = "<s>";
        if (!json.view().find("eos_token"))
            config.eosToken = "</s>";
    }
    if (config.tokenizerClass == "BertTokenizer" || config.tokenizerClass == "BertTokenizerFast")
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

} // namespace

Result<TokenizerConfig> readTokenizerConfig(std::string_view text, std::string_view file)
{
    if (text.empty())
        return TokenizerConfig();
    HEADSCOPE_TRY(const JsonDocument document, JsonDocument::parse(text, file));
    const JsonPlace root(document.root(), "");
    if (!root.view().isObject())
    {
        return root
            .error(ErrorCode::BadFormat, fmt::format("expected an object, found {}", jsonKindName(root.view().kind())))
            .inFile(file);
    }
    auto config = readFields(root);
    if (!config)
        return std::move(config).error().inFile(file);
    return config;
}

} // namespace headscope::tokenize

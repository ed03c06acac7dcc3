// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/load/tokenizer_json.h"

#include "model/base/file.h"
#include "model/base/hash.h"
#include "model/tokenize/load/model_json.h"
#include "model/tokenize/load/normalizer_json.h"
#include "model/tokenize/load/post_processor_json.h"
#include "model/tokenize/load/pre_tokenizer_json.h"
#include "model/tokenize/load/tokenizer_config.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope::tokenize
{
namespace
{

constexpr std::size_t kMaxAddedTokenBytes = 4096;
constexpr std::string_view kTokenizerFile = "tokenizer.json";
constexpr std::string_view kConfigFile = "tokenizer_config.json";

Result<AddedToken> addedTokenFromJson(const JsonPlace& json)
{
    AddedToken token;
    HEADSCOPE_TRY(token.content, json.string("content"));
    HEADSCOPE_TRY(token.singleWord, json.boolean("single_word", false));
    HEADSCOPE_TRY(token.stripLeft, json.boolean("lstrip", false));
    HEADSCOPE_TRY(token.stripRight, json.boolean("rstrip", false));
    HEADSCOPE_TRY(token.special, json.boolean("special", false));
    HEADSCOPE_TRY(token.normalized, json.boolean("normalized", !token.special));
    if (token.content.size() > kMaxAddedTokenBytes)
    {
        return json.error(ErrorCode::Unsupported, fmt::format("expected an added token of at most {} bytes, found {}",
                                                              kMaxAddedTokenBytes, token.content.size()));
    }
    return token;
}

/// Numbers added tokens as the reference does: a token of the vocabulary keeps its id, a new one
/// gets the next; a file that says otherwise contradicts itself.
Status addToken(const JsonPlace& json, TokenizerParts& parts, TokenId& next)
{
    HEADSCOPE_TRY(AddedToken token, addedTokenFromJson(json));
    HEADSCOPE_TRY(const std::int64_t id, json.integer("id"));
    const auto known = parts.vocabulary.find(token.content);
    token.id = known.value_or(next);
    if (id != token.id)
    {
        return json.error(ErrorCode::BadFormat,
                          fmt::format("expected the added token \"{}\" to have the id {} ({}), found {}", token.content,
                                      token.id, known ? "that of the vocabulary" : "the next free one", id));
    }
    next = std::max(next, token.id + 1);
    if (!known)
    {
        if (auto added = parts.vocabulary.addHidden(token.content, id); !added)
            return std::move(added).error().atPlace(json.place());
    }
    std::string spelling = token.content;
    bool keepsStart = true;
    if (token.normalized)
        HEADSCOPE_CHECK(parts.normalizer.apply(spelling, keepsStart));
    (token.normalized ? parts.normalizedTokens : parts.rawTokens).add(spelling, token);
    return {};
}

Status addTokens(const JsonPlace& root, TokenizerParts& parts)
{
    HEADSCOPE_TRY(const auto tokens, root.list("added_tokens"));
    auto next = static_cast<TokenId>(parts.vocabulary.count());
    for (const JsonPlace& token : tokens)
        HEADSCOPE_CHECK(addToken(token, parts, next));
    return {};
}

std::optional<TokenId> idOf(const std::optional<std::string>& spelling, const TokenizerParts& parts)
{
    if (!spelling)
        return std::nullopt;
    if (const auto found = parts.vocabulary.find(*spelling))
        return found;
    for (TokenId id = parts.vocabulary.size() - 1; id >= 0; --id)
    {
        if (parts.vocabulary.has(id) && parts.vocabulary.text(id) == *spelling)
            return id;
    }
    return std::nullopt;
}

Result<TokenId> flaggedToken(std::string_view name, const std::optional<std::string>& spelling,
                             const std::optional<TokenId>& id)
{
    if (id)
        return *id;
    return Error{ErrorCode::BadFormat,
                 spelling ? fmt::format("expected the {} \"{}\" in the vocabulary, found none", name, *spelling)
                          : fmt::format("expected a {} because add_{} is true, found none", name, name),
                 std::string(kConfigFile), std::string(name)};
}

/// What tokenizer.json puts around a text, as it stands.
Result<Frame> templateOf(const JsonPlace& root, const TokenizerParts& parts)
{
    Frame frame;
    if (const auto processor = root.find("post_processor"))
        HEADSCOPE_CHECK(addPostProcessor(*processor, parts.vocabulary, frame));
    return frame;
}

std::string endRuleOf(const TokenizerParts& parts, std::string_view reason)
{
    const std::string end =
        parts.suffix.empty() ? "nothing" : std::string(parts.vocabulary.text(parts.suffix.back()));
    return fmt::format("{} is appended{}", end, reason);
}

/// The BOS and EOS rule of the Llama classes: a flag that tokenizer_config.json has wins over the template of
/// tokenizer.json; for a flag that it lacks the template is right, where there is one. Files that transformers 5 saves
/// have no add_eos_token.
Status frameFromFlags(const JsonPlace& root, const TokenizerConfig& config, TokenizerParts& parts)
{
    HEADSCOPE_TRY(Frame frame, templateOf(root, parts));
    const bool hasTemplate = !frame.prefix.empty() || !frame.suffix.empty();
    if (!config.addBos && hasTemplate)
        parts.prefix = std::move(frame.prefix);
    else if (config.addBos.value_or(true))
    {
        HEADSCOPE_TRY(const TokenId bos, flaggedToken("bos_token", config.bosToken, parts.bos));
        parts.prefix = {bos};
    }
    if (!config.addEos)
        parts.suffix = std::move(frame.suffix);
    else if (*config.addEos)
    {
        HEADSCOPE_TRY(const TokenId eos, flaggedToken("eos_token", config.eosToken, parts.eos));
        parts.suffix = {eos};
    }
    parts.endRule = endRuleOf(parts, !config.addEos && hasTemplate ? " (post_processor)" : " (add_eos_token)");
    return {};
}

Status frameFromTemplate(const JsonPlace& root, const TokenizerConfig& config, TokenizerParts& parts)
{
    HEADSCOPE_TRY(Frame frame, templateOf(root, parts));
    parts.prefix = std::move(frame.prefix);
    parts.suffix = std::move(frame.suffix);
    // The Python code that comes with gte-Qwen2 and stella appends the end token by this flag.
    if (config.ownCode.starts_with("tokenization_qwen.") && config.addEos.value_or(false) && parts.suffix.empty())
    {
        HEADSCOPE_TRY(const TokenId eos, flaggedToken("eos_token", config.eosToken, parts.eos));
        parts.suffix = {eos};
        parts.endRule = *config.eosToken + " is appended (add_eos_token, " + config.ownCode + ")";
        return {};
    }
    if (!config.ownCode.empty())
    {
        parts.warnings.push_back(
            fmt::format("{}: the tokenizer has its own Python code ({}), which is not run; only tokenizer.json is used",
                        kConfigFile, config.ownCode));
    }
    parts.endRule = endRuleOf(parts, parts.suffix.empty() ? "" : " (post_processor)");
    return {};
}

void nameKind(const PreTokenizerTraits& traits, const TokenizerConfig& config, TokenizerParts& parts)
{
    parts.isByteLevel = traits.isByteLevel;
    if (std::holds_alternative<WordPiece>(parts.model))
    {
        if (config.bert.lowercase)
            parts.kind += *config.bert.lowercase ? ", lowercase" : ", cased";
        return;
    }
    if (!traits.isByteLevel)
        return;
    const std::string digits = traits.individualDigits ? ", single digits" : "";
    parts.kind =
        traits.pattern.empty() ? "byte-level BPE" : fmt::format("byte-level BPE ({}{})", traits.pattern, digits);
}

Status fill(const JsonPlace& root, const TokenizerConfig& config, TokenizerParts& parts)
{
    if (!root.view().isObject())
        return root.error(ErrorCode::BadFormat,
                          fmt::format("expected an object, found {}", jsonKindName(root.view().kind())));
    HEADSCOPE_TRY(const JsonPlace model, root.at("model"));
    HEADSCOPE_CHECK(addModel(model, parts));
    if (const auto normalizer = root.find("normalizer"))
        HEADSCOPE_CHECK(addNormalizer(*normalizer, config.bert, parts.normalizer));
    PreTokenizerTraits traits;
    if (const auto preTokenizer = root.find("pre_tokenizer"))
        HEADSCOPE_CHECK(addPreTokenizer(*preTokenizer, parts.preTokenizer, traits));
    HEADSCOPE_CHECK(addTokens(root, parts));
    parts.bos = idOf(config.bosToken, parts);
    parts.eos = idOf(config.eosToken, parts);
    parts.keepsEnd = config.truncatesLeft;
    nameKind(traits, config, parts);
    return config.isLlama() ? frameFromFlags(root, config, parts) : frameFromTemplate(root, config, parts);
}

std::string hashOf(std::string_view json, std::string_view config)
{
    Sha256 hash;
    hash.update(std::as_bytes(std::span(json)));
    hash.update(std::as_bytes(std::span(config)));
    return hash.finishHex();
}

Error missingTokenizer(const std::filesystem::path& folder, const std::filesystem::path& file)
{
    std::string message = "expected a tokenizer.json, found none";
    std::error_code ignored;
    if (std::filesystem::exists(folder / "tokenizer.model", ignored))
        message +=
            ", only a tokenizer.model: transformers' AutoTokenizer(...).save_pretrained(...) writes a tokenizer.json";
    return {ErrorCode::FileNotFound, std::move(message), file.string(), {}};
}

} // namespace

Result<std::unique_ptr<const TokenizerParts>> partsFromJson(std::string_view json, std::string_view config,
                                                            std::string_view file)
{
    HEADSCOPE_TRY(const TokenizerConfig settings, readTokenizerConfig(config, kConfigFile));
    HEADSCOPE_TRY(const JsonDocument document, JsonDocument::parse(json, file));
    auto parts = std::make_unique<TokenizerParts>();
    if (auto filled = fill(JsonPlace(document.root(), ""), settings, *parts); !filled)
        return std::move(filled).error().inFile(file);
    parts->sha256 = hashOf(json, config);
    return std::unique_ptr<const TokenizerParts>(std::move(parts));
}

Result<std::unique_ptr<const TokenizerParts>> partsFromFolder(const std::filesystem::path& folder)
{
    const std::filesystem::path file = folder / kTokenizerFile;
    const std::filesystem::path configFile = folder / kConfigFile;
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        return missingTokenizer(folder, file);
    HEADSCOPE_TRY(const std::string json, readTextFile(file, std::uint64_t{1} << 28));
    std::string config;
    const bool hasConfig = std::filesystem::exists(configFile, ignored);
    if (hasConfig)
    {
        HEADSCOPE_TRY(config, readTextFile(configFile, std::uint64_t{1} << 26));
        if (config.empty())
            return Error{ErrorCode::BadFormat, "expected a JSON object, found an empty file", configFile.string(), {}};
    }
    auto parts = partsFromJson(json, config, file.string());
    if (!parts)
    {
        Error error = std::move(parts).error();
        if (error.file == kConfigFile)
            error.file = configFile.string();
        return error;
    }
    return parts;
}

} // namespace headscope::tokenize

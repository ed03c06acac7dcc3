// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/load/tokenizer_json.h"

#include "model/base/file.h"
#include "model/base/hash.h"
#include "model/formats/tensor_info.h"
#include "model/tokenize/load/added_token_json.h"
#include "model/tokenize/load/model_json.h"
#include "model/tokenize/load/normalizer_json.h"
#include "model/tokenize/load/post_processor_json.h"
#include "model/tokenize/load/pre_tokenizer_json.h"
#include "model/tokenize/load/tokenizer_config.h"
#include "model/tokenize/load/vocab_txt.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope::tokenize
{
namespace
{

constexpr std::string_view kTokenizerFile = "tokenizer.json";
constexpr std::string_view kVocabularyFile = "vocab.txt"; ///< of BERT, before there was a tokenizer.json

/// An added token, and where it stands in its file.
struct PlacedToken
{
    AddedToken token;
    std::string place;
    std::string_view file; ///< "" = tokenizer.json
};

/// Numbers added tokens as the reference does: a token of the vocabulary keeps its id, a new one
/// gets the next; a file that says otherwise contradicts itself.
Status addToken(const PlacedToken& placed, TokenizerParts& parts, TokenId& next)
{
    const AddedToken& token = placed.token;
    const auto known = parts.vocabulary.find(token.content);
    if (const TokenId expected = known.value_or(next); token.id != expected)
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected the added token \"{}\" to have the id {} ({}), found {}", token.content,
                                 expected, known ? "its id in the vocabulary" : "the next free id", token.id),
                     std::string(placed.file), placed.place};
    next = std::max(next, token.id + 1);
    if (!known)
    {
        if (auto added = parts.vocabulary.addHidden(token.content, token.id); !added)
            return std::move(added).error().atPlace(placed.place);
    }
    std::string spelling = token.content;
    bool keepsStart = true;
    if (token.normalized)
        HEADSCOPE_CHECK(parts.normalizer.apply(spelling, keepsStart));
    (token.normalized ? parts.normalizedTokens : parts.rawTokens).add(spelling, token);
    if (auto* const unigram = std::get_if<Unigram>(&parts.model); unigram != nullptr && token.special && known)
        unigram->markSpecial(token.id);
    return {};
}

/// Those of tokenizer.json.
Result<std::vector<PlacedToken>> listedTokens(const JsonPlace& root)
{
    std::vector<PlacedToken> tokens;
    HEADSCOPE_TRY(const auto list, root.list("added_tokens"));
    for (const JsonPlace& json : list)
    {
        HEADSCOPE_TRY(AddedToken token, addedTokenFromJson(json));
        HEADSCOPE_TRY(const std::int64_t id, json.integer("id"));
        if (id < 0 || id >= kMaxVocabulary)
            return json.error(ErrorCode::BadFormat,
                              fmt::format("expected the id of a token, below {}, found {}", kMaxVocabulary, id));
        token.id = static_cast<TokenId>(id);
        tokens.push_back({std::move(token), json.place(), {}});
    }
    return tokens;
}

/// Adds the tokens of tokenizer.json, then those that only the other files have. transformers adds these when it reads
/// the folder; where both have one, its flags are those of the other file.
Status addTokens(const JsonPlace& root, const TokenizerConfig& config, TokenizerParts& parts)
{
    HEADSCOPE_TRY(std::vector<PlacedToken> tokens, listedTokens(root));
    const auto find = [&tokens](std::string_view spelling) {
        return std::ranges::find(tokens, spelling, [](const PlacedToken& each) { return each.token.content; });
    };
    for (const AddedToken& token : config.addedTokens)
    {
        if (const auto same = find(token.content); same == tokens.end())
            tokens.push_back({token, fmt::format("added_tokens_decoder.{}", token.id), kConfigFile});
        else
        {
            const TokenId id = same->token.id;
            same->token = token;
            same->token.id = id;
        }
    }
    // The tokens of a list count, those of one text, too; of a map only those that can be found.
    const bool isList = std::holds_alternative<Unigram>(parts.model);
    auto next = isList ? parts.vocabulary.size() : static_cast<TokenId>(parts.vocabulary.count());
    for (const PlacedToken& token : tokens)
        HEADSCOPE_CHECK(addToken(token, parts, next));
    for (const std::string& spelling : config.specialTokens)
    {
        if (spelling.empty() || find(spelling) != tokens.end())
            continue;
        const auto id = parts.vocabulary.find(spelling);
        if (!id)
        {
            parts.warnings.push_back(
                fmt::format("{}: the special token {} is not in the vocabulary, so it is not looked for in texts",
                            kConfigFile, printableName(spelling)));
            continue;
        }
        tokens.push_back({AddedToken{.content = spelling, .id = *id, .special = true}, {}, {}});
        HEADSCOPE_CHECK(addToken(tokens.back(), parts, next));
    }
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
                 spelling ? fmt::format("the {} \"{}\" is not in the vocabulary", name, *spelling)
                          : fmt::format("add_{} is true, but there is no {}", name, name),
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
    const std::string end = parts.suffix.empty() ? "nothing" : std::string(parts.vocabulary.text(parts.suffix.back()));
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
    if (!traits.isByteLevel || !std::holds_alternative<Bpe>(parts.model))
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
    HEADSCOPE_CHECK(addTokens(root, config, parts));
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

/// The text of tokenizer.json, or of what stands for it.
/// @param file  becomes the name of the other
Result<std::string> tokenizerText(const std::filesystem::path& folder, std::filesystem::path& file)
{
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored))
        return readTextFile(file, std::uint64_t{1} << 28);
    if (!std::filesystem::exists(folder / kVocabularyFile, ignored))
        return missingTokenizer(folder, file);
    file = folder / kVocabularyFile;
    HEADSCOPE_TRY(const std::string vocabulary, readTextFile(file, std::uint64_t{1} << 26));
    return tokenizerJsonOfVocabulary(vocabulary, file.string());
}

/// The text of a file beside tokenizer.json; "" where there is none.
Result<std::string> optionalText(const std::filesystem::path& file)
{
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        return std::string();
    HEADSCOPE_TRY(std::string text, readTextFile(file, std::uint64_t{1} << 26));
    if (text.empty())
        return Error{ErrorCode::BadFormat, "expected a JSON object, found an empty file", file.string(), {}};
    return text;
}

} // namespace

Result<std::unique_ptr<const TokenizerParts>> partsFromJson(std::string_view json, const ConfigTexts& texts,
                                                            std::string_view file)
{
    HEADSCOPE_TRY(const TokenizerConfig settings, readTokenizerConfig(texts));
    HEADSCOPE_TRY(const JsonDocument document, JsonDocument::parse(json, file));
    auto parts = std::make_unique<TokenizerParts>();
    if (auto filled = fill(JsonPlace(document.root(), ""), settings, *parts); !filled)
        return std::move(filled).error().inFile(file);
    parts->sha256 = hashOf(json, texts.config + settings.otherTexts);
    return std::unique_ptr<const TokenizerParts>(std::move(parts));
}

Result<std::unique_ptr<const TokenizerParts>> partsFromFolder(const std::filesystem::path& folder)
{
    std::filesystem::path file = folder / kTokenizerFile;
    HEADSCOPE_TRY(const std::string json, tokenizerText(folder, file));
    ConfigTexts texts;
    HEADSCOPE_TRY(texts.config, optionalText(folder / kConfigFile));
    HEADSCOPE_TRY(texts.addedTokens, optionalText(folder / kAddedTokensFile));
    HEADSCOPE_TRY(texts.specialTokens, optionalText(folder / kSpecialTokensFile));
    auto parts = partsFromJson(json, texts, file.string());
    if (parts && file.filename() == kVocabularyFile)
    {
        HEADSCOPE_TRY(const TokenizerConfig config, readTokenizerConfig(texts));
        if (!config.mayBeBert)
            return Error{ErrorCode::Unsupported,
                         fmt::format("expected the tokenizer of BERT where there is no {}, found {}", kTokenizerFile,
                                     printableName(config.tokenizerClass)),
                         (folder / kConfigFile).string(), "tokenizer_class"};
    }
    if (!parts)
    {
        Error error = std::move(parts).error();
        if (error.file != file.string())
            error.file = (folder / error.file).string();
        return error;
    }
    return parts;
}

} // namespace headscope::tokenize

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/load/tokenizer_gguf.h"

#include "model/base/hash.h"
#include "model/base/utf8.h"
#include "model/formats/gguf.h"
#include "model/tokenize/load/gguf_pre_tokenizer.h"
#include "model/tokenize/load/model_json.h"
#include "model/tokenize/spm_merges.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <span>

namespace headscope::tokenize
{
namespace
{

constexpr std::string_view kTokens = "tokenizer.ggml.tokens";
constexpr std::string_view kWordMark = "\xE2\x96\x81"; // U+2581

/// tokenizer.ggml.token_type
enum class TokenType : std::int64_t
{
    Normal = 1,
    Unknown = 2,
    Control = 3,
    UserDefined = 4,
    Unused = 5,
    Byte = 6,
};

Error badValue(std::string_view key, std::string message, ErrorCode code = ErrorCode::BadFormat)
{
    return {code, std::move(message), {}, std::string(key)};
}

Result<std::optional<TokenId>> tokenIdAt(const GgufMetadata& metadata, std::string_view key, TokenId size)
{
    HEADSCOPE_TRY(const auto id, metadata.integer(key));
    // Converters write 2^32 - 1 or -1 for "none".
    if (!id || *id == -1 || *id == 0xFFFF'FFFF)
        return std::optional<TokenId>();
    if (*id < 0 || *id >= size)
        return badValue(key, fmt::format("expected the id of a token, below {}, found {}", size, *id));
    return std::optional<TokenId>(static_cast<TokenId>(*id));
}

Result<bool> flagAt(const GgufMetadata& metadata, std::string_view key, bool otherwise)
{
    HEADSCOPE_TRY(const auto flag, metadata.boolean(key));
    return flag.value_or(otherwise);
}

/// The byte that `<0x0A>` spells.
std::optional<std::size_t> byteFromSpelling(std::string_view text)
{
    std::size_t byte = 0;
    if (text.size() != 6 || !text.starts_with("<0x") || text.back() != '>')
        return std::nullopt;
    const auto [end, error] = std::from_chars(text.data() + 3, text.data() + 5, byte, 16);
    return error == std::errc() && end == text.data() + 5 ? std::optional(byte) : std::nullopt;
}

/// Reads a GGUF vocabulary into the parts of a tokenizer.
class Loader
{
public:
    Loader(const GgufMetadata& metadata, TokenizerParts& parts) : m_metadata(metadata), m_parts(parts) {}

    Status load()
    {
        HEADSCOPE_TRY(const std::string_view model, m_metadata.requiredString("tokenizer.ggml.model"));
        if (model != "llama" && model != "gpt2")
        {
            return badValue("tokenizer.ggml.model",
                            fmt::format("expected a tokenizer of kind llama or gpt2, found \"{}\"", model),
                            ErrorCode::Unsupported);
        }
        const bool isSpm = model == "llama";
        HEADSCOPE_CHECK(loadTokens());
        HEADSCOPE_CHECK(isSpm ? loadSpm() : loadBpe());
        return loadFrame(isSpm ? std::optional<TokenId>(1) : std::nullopt,
                         isSpm ? std::optional<TokenId>(2) : std::nullopt);
    }

private:
    Status loadTokens();
    Status addVocabularyEntry(std::string_view text, TokenType type, TokenId id);
    Status loadSpm();
    Status loadBpe();
    Result<MergeTable> loadMerges();
    Status loadFrame(std::optional<TokenId> defaultBos, std::optional<TokenId> defaultEos);

    const GgufMetadata& m_metadata;
    TokenizerParts& m_parts;
    std::array<TokenId, 256> m_bytes = BpeOptions().bytes;
    bool m_addBosByDefault = true;
};

Status Loader::loadTokens()
{
    HEADSCOPE_TRY(const GgufStrings* const tokens, m_metadata.strings(kTokens));
    if (tokens == nullptr || tokens->size() == 0)
        return badValue(kTokens, "expected the tokens of the vocabulary, found none");
    if (tokens->size() > static_cast<std::size_t>(kMaxVocabulary))
        return badValue(kTokens, fmt::format("expected at most {} tokens, found {}", kMaxVocabulary, tokens->size()));
    HEADSCOPE_TRY(const auto types, m_metadata.integers("tokenizer.ggml.token_type"));
    if (types && types->size() != tokens->size())
    {
        return badValue("tokenizer.ggml.token_type",
                        fmt::format("expected {} types, one for each token, found {}", tokens->size(), types->size()));
    }
    m_parts.vocabulary.reserve(tokens->size(), tokens->size() * 8);
    for (std::size_t i = 0; i < tokens->size(); ++i)
    {
        const TokenType type = types ? static_cast<TokenType>((*types)[i]) : TokenType::Normal;
        if (auto added = addVocabularyEntry((*tokens)[i], type, static_cast<TokenId>(i)); !added)
            return std::move(added).error().atPlace(fmt::format("{}[{}]", kTokens, i));
    }
    return {};
}

Status Loader::addVocabularyEntry(std::string_view text, TokenType type, TokenId id)
{
    std::string spelling(text);
    if (repairUtf8(spelling))
        return m_parts.vocabulary.addHidden(spelling, id);
    if (type == TokenType::Control || type == TokenType::UserDefined || type == TokenType::Unknown)
    {
        AddedToken token;
        token.content = spelling;
        token.id = id;
        token.special = type != TokenType::UserDefined;
        m_parts.rawTokens.add(spelling, token);
    }
    if (type == TokenType::Byte)
    {
        const auto byte = byteFromSpelling(spelling);
        if (!byte)
        {
            return Error{ErrorCode::BadFormat,
                         fmt::format("expected a byte token such as <0x0A>, found \"{}\"", spelling),
                         {},
                         {}};
        }
        m_bytes[*byte] = id;
    }
    // Text becomes an ordinary token only by merges; control tokens and bytes are put in by rules.
    const bool reachable = type == TokenType::Normal || type == TokenType::UserDefined || type == TokenType::Unused;
    const bool isFirst = !m_parts.vocabulary.find(spelling);
    return reachable && isFirst ? m_parts.vocabulary.add(spelling, id) : m_parts.vocabulary.addHidden(spelling, id);
}

Status Loader::loadSpm()
{
    HEADSCOPE_TRY(const auto scores, m_metadata.floats("tokenizer.ggml.scores"));
    const auto count = static_cast<std::size_t>(m_parts.vocabulary.size());
    if (!scores || scores->size() != count)
    {
        return badValue("tokenizer.ggml.scores", fmt::format("expected {} scores, one for each token, found {}", count,
                                                             scores ? scores->size() : 0));
    }
    HEADSCOPE_TRY(const bool squeezes, flagAt(m_metadata, "tokenizer.ggml.remove_extra_whitespaces", false));
    if (squeezes)
    {
        return badValue("tokenizer.ggml.remove_extra_whitespaces",
                        "expected a llama vocabulary that keeps white space unchanged, found true",
                        ErrorCode::Unsupported);
    }
    if (m_metadata.contains("tokenizer.ggml.precompiled_charsmap"))
    {
        return badValue("tokenizer.ggml.precompiled_charsmap",
                        "expected a llama vocabulary without its own normalizer, found one", ErrorCode::Unsupported);
    }
    BpeOptions options;
    options.fuseUnknown = true;
    HEADSCOPE_TRY(const auto unknown,
                  tokenIdAt(m_metadata, "tokenizer.ggml.unknown_token_id", m_parts.vocabulary.size()));
    options.unknown = unknown.value_or(0);
    options.bytes = m_bytes;
    HEADSCOPE_TRY(const bool prefix, flagAt(m_metadata, "tokenizer.ggml.add_space_prefix", true));
    if (prefix)
        m_parts.normalizer.add(normalize::Prepend{std::string(kWordMark)});
    m_parts.normalizer.add(normalize::ReplaceText{" ", std::string(kWordMark)});
    SpmMerges spm = mergesFromScores(m_parts.vocabulary, *scores);
    m_parts.model.emplace<Bpe>(m_parts.vocabulary, std::move(spm.merges), options, std::move(spm.characters));
    m_parts.kind = "SentencePiece BPE (llama)";
    return {};
}

Result<MergeTable> Loader::loadMerges()
{
    constexpr std::string_view key = "tokenizer.ggml.merges";
    HEADSCOPE_TRY(const GgufStrings* const list, m_metadata.strings(key));
    if (list == nullptr)
        return badValue(key, "expected the merges of a byte-level vocabulary, found none");
    MergeTable merges;
    merges.reserve(list->size());
    for (std::size_t i = 0; i < list->size(); ++i)
    {
        const std::string_view text = (*list)[i];
        const std::size_t space = text.find(' ', 1);
        if (space == std::string_view::npos || !isValidUtf8(text))
        {
            return badValue(fmt::format("{}[{}]", key, i),
                            "expected two tokens with a space between them, found something else");
        }
        auto added = addMerge(text.substr(0, space), text.substr(space + 1), i, m_parts.vocabulary, merges);
        if (!added)
            return std::move(added).error().atPlace(fmt::format("{}[{}]", key, i));
    }
    return merges;
}

Status Loader::loadBpe()
{
    constexpr std::string_view key = "tokenizer.ggml.pre";
    HEADSCOPE_TRY(const auto named, m_metadata.string(key));
    const std::string_view name = named.value_or("default");
    const auto pre = ggufPreTokenizerFromName(name);
    if (!pre)
    {
        return badValue(key, fmt::format("expected a pre-tokenizer that Headscope knows, found \"{}\"", name),
                        ErrorCode::Unsupported);
    }
    HEADSCOPE_TRY(MergeTable merges, loadMerges());
    HEADSCOPE_TRY(const bool prefix, flagAt(m_metadata, "tokenizer.ggml.add_space_prefix", false));
    if (prefix)
        m_parts.preTokenizer.add(cut::PrefixSpace{});
    HEADSCOPE_CHECK(addGgufPreTokenizer(pre->cutting, m_parts.normalizer, m_parts.preTokenizer));
    if (pre->cutting == GgufCutting::Default)
    {
        m_parts.warnings.emplace_back("tokenizer.ggml.pre: the file names no pre-tokenizer; texts are split as "
                                      "llama.cpp does in this case, which may differ from the training of the model");
    }
    BpeOptions options;
    options.ignoreMerges = pre->ignoreMerges;
    m_addBosByDefault = pre->addBos;
    m_parts.model.emplace<Bpe>(m_parts.vocabulary, std::move(merges), options);
    m_parts.isByteLevel = true;
    m_parts.kind = fmt::format("byte-level BPE ({})", name);
    return {};
}

Status Loader::loadFrame(std::optional<TokenId> defaultBos, std::optional<TokenId> defaultEos)
{
    const TokenId size = m_parts.vocabulary.size();
    HEADSCOPE_TRY(m_parts.bos, tokenIdAt(m_metadata, "tokenizer.ggml.bos_token_id", size));
    HEADSCOPE_TRY(m_parts.eos, tokenIdAt(m_metadata, "tokenizer.ggml.eos_token_id", size));
    if (!m_parts.bos && defaultBos && *defaultBos < size)
        m_parts.bos = defaultBos;
    if (!m_parts.eos && defaultEos && *defaultEos < size)
        m_parts.eos = defaultEos;
    HEADSCOPE_TRY(const bool addBos, flagAt(m_metadata, "tokenizer.ggml.add_bos_token", m_addBosByDefault));
    HEADSCOPE_TRY(const bool addEos, flagAt(m_metadata, "tokenizer.ggml.add_eos_token", false));
    if (addBos && !m_parts.bos)
        return badValue("tokenizer.ggml.bos_token_id",
                        "expected a begin token because add_bos_token is true, found none");
    if (addEos && !m_parts.eos)
        return badValue("tokenizer.ggml.eos_token_id",
                        "expected an end token because add_eos_token is true, found none");
    if (addBos)
        m_parts.prefix = {*m_parts.bos};
    m_parts.endRule = "nothing is appended (add_eos_token)";
    if (addEos)
    {
        m_parts.suffix = {*m_parts.eos};
        m_parts.endRule = std::string(m_parts.vocabulary.text(*m_parts.eos)) + " is appended (add_eos_token)";
    }
    return {};
}

/// Every value below tokenizer.ggml, with its key.
std::string hashOf(const GgufMetadata& metadata)
{
    Sha256 hash;
    const auto add = [&](std::string_view text) {
        const auto size = static_cast<std::uint64_t>(text.size());
        hash.update(std::as_bytes(std::span(&size, 1)));
        hash.update(std::as_bytes(std::span(text)));
    };
    for (const auto& [key, value] : metadata.values())
    {
        if (!key.starts_with("tokenizer.ggml."))
            continue;
        add(key);
        if (const auto* text = std::get_if<std::string>(&value.value))
            add(*text);
        else if (const auto* numbers = std::get_if<GgufNumbers>(&value.value))
            hash.update(numbers->bytes);
        else if (const auto* strings = std::get_if<GgufStrings>(&value.value))
        {
            for (std::size_t i = 0; i < strings->size(); ++i)
                add((*strings)[i]);
        }
        else if (const auto* whole = std::get_if<std::uint64_t>(&value.value))
            add(fmt::format("{}", *whole));
        else if (const auto* integer = std::get_if<std::int64_t>(&value.value))
            add(fmt::format("{}", *integer));
        else if (const auto* number = std::get_if<double>(&value.value))
            add(fmt::format("{}", *number));
    }
    return hash.finishHex();
}

} // namespace

Result<std::unique_ptr<const TokenizerParts>> partsFromGguf(const GgufMetadata& metadata, std::string_view file)
{
    auto parts = std::make_unique<TokenizerParts>();
    if (auto loaded = Loader(metadata, *parts).load(); !loaded)
        return std::move(loaded).error().inFile(file);
    parts->sha256 = hashOf(metadata);
    return std::unique_ptr<const TokenizerParts>(std::move(parts));
}

} // namespace headscope::tokenize

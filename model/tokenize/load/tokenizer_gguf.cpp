// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/load/tokenizer_gguf.h"

#include "model/base/hash.h"
#include "model/base/utf8.h"
#include "model/formats/gguf.h"
#include "model/tokenize/load/gguf_pre_tokenizer.h"
#include "model/tokenize/load/model_json.h"
#include "model/tokenize/spm_merges.h"
#include "model/unicode/unicode.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>
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

    Status load();

private:
    /// A kind of vocabulary, and what llama.cpp takes where a file of it is silent.
    struct Kind
    {
        std::string_view model; ///< tokenizer.ggml.model
        Status (Loader::*load)();
        std::optional<TokenId> bos, eos;
        bool addBos, addEos;
    };
    static const std::array<Kind, 4> kKinds;

    Status loadTokens();
    Status addVocabularyEntry(std::string_view text, TokenType type, TokenId id);
    Result<TokenId> unknownToken(TokenId otherwise);
    Result<std::vector<float>> loadScores();
    Status loadSpm();
    Status loadBpe();
    Status loadUnigram();
    Status loadWordPiece();
    Result<MergeTable> loadMerges();
    Result<std::optional<TokenId>> namedToken(std::initializer_list<std::string_view> keys,
                                              std::optional<TokenId> otherwise);
    Status loadFrame();

    [[nodiscard]] bool is(std::string_view model) const { return m_kind.model == model; }

    const GgufMetadata& m_metadata;
    TokenizerParts& m_parts;
    Kind m_kind{};
    std::array<TokenId, 256> m_bytes = BpeOptions().bytes;
};

const std::array<Loader::Kind, 4> Loader::kKinds = {
    Kind{"llama", &Loader::loadSpm, 1, 2, true, false},
    Kind{"gpt2", &Loader::loadBpe, std::nullopt, std::nullopt, false, false},
    Kind{"bert", &Loader::loadWordPiece, 101, 102, true, true},
    Kind{"t5", &Loader::loadUnigram, std::nullopt, 1, false, true},
};

Status Loader::load()
{
    constexpr std::string_view key = "tokenizer.ggml.model";
    HEADSCOPE_TRY(const std::string_view model, m_metadata.requiredString(key));
    const auto* const kind = std::ranges::find(kKinds, model, &Kind::model);
    if (kind == kKinds.end())
        return badValue(key, fmt::format("expected a tokenizer of kind llama, gpt2, bert or t5, found \"{}\"", model),
                        ErrorCode::Unsupported);
    m_kind = *kind;
    HEADSCOPE_CHECK(loadTokens());
    HEADSCOPE_CHECK((this->*m_kind.load)());
    return loadFrame();
}

Status Loader::loadTokens()
{
    HEADSCOPE_TRY(const GgufStrings* const tokens, m_metadata.strings(kTokens));
    if (tokens == nullptr || tokens->size() == 0)
        return badValue(kTokens, "the tokens of the vocabulary are missing");
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
    // A token that begins a word has U+2581 in front there, one that continues a word nothing.
    if (is("bert") && type != TokenType::Control)
        spelling =
            spelling.starts_with(kWordMark) ? spelling.substr(kWordMark.size()) : WordPieceOptions().prefix + spelling;
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
    // Text becomes an ordinary token only by merges; control tokens and bytes are put in by rules. Those that fill a
    // Unigram vocabulary up cost more than any other.
    const bool reachable =
        type == TokenType::Normal || type == TokenType::UserDefined || (type == TokenType::Unused && !is("t5"));
    const bool isFirst = !m_parts.vocabulary.find(spelling);
    return reachable && isFirst ? m_parts.vocabulary.add(spelling, id) : m_parts.vocabulary.addHidden(spelling, id);
}

Result<std::vector<float>> Loader::loadScores()
{
    constexpr std::string_view key = "tokenizer.ggml.scores";
    HEADSCOPE_TRY(auto scores, m_metadata.floats(key));
    const auto count = static_cast<std::size_t>(m_parts.vocabulary.size());
    if (!scores || scores->size() != count)
        return badValue(
            key, fmt::format("expected {} scores, one for each token, found {}", count, scores ? scores->size() : 0));
    for (std::size_t i = 0; i < count; ++i)
        if (!std::isfinite((*scores)[i]))
            return badValue(fmt::format("{}[{}]", key, i),
                            fmt::format("expected a finite score, found {}", (*scores)[i]));
    return std::move(*scores);
}

Result<TokenId> Loader::unknownToken(TokenId otherwise)
{
    HEADSCOPE_TRY(const auto unknown,
                  tokenIdAt(m_metadata, "tokenizer.ggml.unknown_token_id", m_parts.vocabulary.size()));
    if (!unknown && otherwise >= m_parts.vocabulary.size())
        return badValue("tokenizer.ggml.unknown_token_id", "the vocabulary has no unknown token");
    return unknown.value_or(otherwise);
}

Status Loader::loadSpm()
{
    HEADSCOPE_TRY(const std::vector<float> scores, loadScores());
    HEADSCOPE_TRY(const bool squeezes, flagAt(m_metadata, "tokenizer.ggml.remove_extra_whitespaces", false));
    if (squeezes)
    {
        return badValue("tokenizer.ggml.remove_extra_whitespaces",
                        "expected false (a llama vocabulary that keeps white space unchanged), found true",
                        ErrorCode::Unsupported);
    }
    if (m_metadata.contains("tokenizer.ggml.precompiled_charsmap"))
    {
        return badValue("tokenizer.ggml.precompiled_charsmap",
                        "expected a llama vocabulary without its own normalizer, found one", ErrorCode::Unsupported);
    }
    BpeOptions options;
    options.fuseUnknown = true;
    HEADSCOPE_TRY(options.unknown, unknownToken(0));
    options.bytes = m_bytes;
    HEADSCOPE_TRY(const bool prefix, flagAt(m_metadata, "tokenizer.ggml.add_space_prefix", true));
    if (prefix)
        m_parts.normalizer.add(normalize::Prepend{std::string(kWordMark)});
    m_parts.normalizer.add(normalize::ReplaceText{" ", std::string(kWordMark)});
    SpmMerges spm = mergesFromScores(m_parts.vocabulary, scores);
    m_parts.model.emplace<Bpe>(m_parts.vocabulary, std::move(spm.merges), options, std::move(spm.characters));
    m_parts.kind = "SentencePiece BPE (llama)";
    return {};
}

Result<MergeTable> Loader::loadMerges()
{
    constexpr std::string_view key = "tokenizer.ggml.merges";
    HEADSCOPE_TRY(const GgufStrings* const list, m_metadata.strings(key));
    if (list == nullptr)
        return badValue(key, "the merges of the byte-level vocabulary are missing");
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
    const std::string_view name = named.value_or(kGgufDefaultPreTokenizer);
    const GgufPreTokenizer* const pre = ggufPreTokenizerFromName(name);
    if (pre == nullptr)
    {
        return badValue(key, fmt::format("expected a pre-tokenizer that Headscope knows, found \"{}\"", name),
                        ErrorCode::Unsupported);
    }
    HEADSCOPE_TRY(MergeTable merges, loadMerges());
    HEADSCOPE_TRY(const bool prefix, flagAt(m_metadata, "tokenizer.ggml.add_space_prefix", false));
    if (prefix)
        m_parts.preTokenizer.add(cut::PrefixSpace{});
    HEADSCOPE_CHECK(addGgufPreTokenizer(*pre, m_parts.normalizer, m_parts.preTokenizer));
    if (name == kGgufDefaultPreTokenizer)
    {
        m_parts.warnings.emplace_back(
            "tokenizer.ggml.pre: the file names no pre-tokenizer; texts are split as llama.cpp splits them in this "
            "case, which may differ from the training of the model");
    }
    BpeOptions options;
    options.ignoreMerges = pre->ignoreMerges;
    m_kind.addBos = pre->addBos;
    m_parts.model.emplace<Bpe>(m_parts.vocabulary, std::move(merges), options);
    m_parts.isByteLevel = true;
    m_parts.kind = fmt::format("byte-level BPE ({})", name);
    return {};
}

/// XLM-RoBERTa and its kin, as tokenizer.json says it: white space as SentencePiece cuts it, or each space by itself.
Status Loader::loadUnigram()
{
    HEADSCOPE_TRY(const std::vector<float> stored, loadScores());
    std::vector<double> scores(stored.begin(), stored.end());
    for (std::size_t i = 0; i < scores.size(); ++i)
    {
        const std::string_view text = m_parts.vocabulary.text(static_cast<TokenId>(i));
        if (text.size() > kMaxPieceBytes)
            return badValue(
                fmt::format("{}[{}]", kTokens, i),
                fmt::format("expected a token of at most {} bytes, found {} bytes", kMaxPieceBytes, text.size()),
                ErrorCode::Unsupported);
        if (!m_parts.vocabulary.find(text))
            scores[i] = 0; // what cannot be reached is not the least probable token
    }
    UnigramOptions options;
    HEADSCOPE_TRY(options.unknown, unknownToken(2));
    constexpr std::string_view key = "tokenizer.ggml.precompiled_charsmap";
    HEADSCOPE_TRY(const auto table, m_metadata.integers(key));
    if (table && !table->empty())
    {
        std::string bytes(table->size(), '\0');
        std::ranges::transform(*table, bytes.begin(), [](std::int64_t byte) { return static_cast<char>(byte); });
        auto charsmap = Charsmap::fromBytes(bytes);
        if (!charsmap)
            return std::move(charsmap).error().atPlace(std::string(key));
        m_parts.normalizer.add(normalize::Precompiled{std::move(*charsmap)});
    }
    HEADSCOPE_TRY(const bool prefix, flagAt(m_metadata, "tokenizer.ggml.add_space_prefix", true));
    HEADSCOPE_TRY(const bool squeezes, flagAt(m_metadata, "tokenizer.ggml.remove_extra_whitespaces", false));
    if (squeezes)
        m_parts.preTokenizer.add(cut::Characters{isWhitespace, SplitBehavior::Removed});
    const auto marks = prefix || squeezes ? cut::Metaspace::Prefix::Always : cut::Metaspace::Prefix::Never;
    m_parts.preTokenizer.add(cut::Metaspace{std::string(kWordMark), marks});
    m_parts.preTokenizer.add(cut::Text{std::string(kWordMark), SplitBehavior::MergedWithNext, false});
    m_parts.model.emplace<Unigram>(m_parts.vocabulary, std::move(scores), options);
    m_parts.kind = "Unigram";
    return {};
}

Status Loader::loadWordPiece()
{
    constexpr std::string_view key = "tokenizer.ggml.normalizer.lowercase";
    normalize::Bert bert;
    HEADSCOPE_TRY(bert.lowercase, flagAt(m_metadata, key, true));
    HEADSCOPE_TRY(bert.stripAccents, flagAt(m_metadata, "tokenizer.ggml.normalizer.strip_accents", bert.lowercase));
    m_parts.normalizer.add(bert);
    m_parts.preTokenizer.add(cut::Characters{isWhitespace, SplitBehavior::Removed});
    m_parts.preTokenizer.add(cut::Characters{isBertPunctuation, SplitBehavior::Isolated});
    WordPieceOptions options;
    HEADSCOPE_TRY(options.unknown, unknownToken(100));
    m_parts.model.emplace<WordPiece>(m_parts.vocabulary, std::move(options));
    m_parts.kind = bert.lowercase ? "WordPiece, lowercase" : "WordPiece, cased";
    // Converters wrote nothing of this for years.
    if (m_parts.vocabulary.find("The") && !m_metadata.contains(key))
        m_parts.warnings.emplace_back(
            "tokenizer.ggml.normalizer.lowercase: the file does not say whether texts are lowercased; they are, as in "
            "llama.cpp, but the vocabulary has words with capitals");
    return {};
}

/// The first token that a key names.
Result<std::optional<TokenId>> Loader::namedToken(std::initializer_list<std::string_view> keys,
                                                  std::optional<TokenId> otherwise)
{
    const TokenId size = m_parts.vocabulary.size();
    for (const std::string_view key : keys)
    {
        HEADSCOPE_TRY(const auto id, tokenIdAt(m_metadata, key, size));
        if (id)
            return id;
    }
    return otherwise && *otherwise < size ? otherwise : std::nullopt;
}

Status Loader::loadFrame()
{
    constexpr std::string_view kBos = "tokenizer.ggml.bos_token_id";
    constexpr std::string_view kEos = "tokenizer.ggml.eos_token_id";
    bool addBos = m_kind.addBos;
    bool addEos = m_kind.addEos;
    if (is("bert")) // whatever the flags say
    {
        HEADSCOPE_TRY(m_parts.bos, namedToken({kBos, "tokenizer.ggml.cls_token_id"}, m_kind.bos));
        HEADSCOPE_TRY(m_parts.eos, namedToken({"tokenizer.ggml.seperator_token_id", kEos}, m_kind.eos));
    }
    else
    {
        HEADSCOPE_TRY(m_parts.bos, namedToken({kBos}, m_kind.bos));
        HEADSCOPE_TRY(m_parts.eos, namedToken({kEos}, m_kind.eos));
        HEADSCOPE_TRY(addBos, flagAt(m_metadata, "tokenizer.ggml.add_bos_token", addBos));
        HEADSCOPE_TRY(addEos, flagAt(m_metadata, "tokenizer.ggml.add_eos_token", addEos));
    }
    if (addBos && !m_parts.bos)
        return badValue(kBos, "expected a begin token because add_bos_token is true, found none");
    if (addEos && !m_parts.eos)
        return badValue(kEos, "expected an end token because add_eos_token is true, found none");
    if (addBos)
        m_parts.prefix = {*m_parts.bos};
    m_parts.endRule = "nothing is appended (add_eos_token)";
    if (addEos)
    {
        m_parts.suffix = {*m_parts.eos};
        m_parts.endRule = std::string(m_parts.vocabulary.text(*m_parts.eos)) +
                          (is("bert") ? " is appended (WordPiece)" : " is appended (add_eos_token)");
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

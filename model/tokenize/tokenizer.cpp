// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/tokenizer.h"

#include "model/base/utf8.h"
#include "model/formats/gguf.h"
#include "model/tokenize/byte_level.h"
#include "model/tokenize/load/tokenizer_gguf.h"
#include "model/tokenize/load/tokenizer_json.h"
#include "model/tokenize/tokenizer_parts.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope
{
namespace
{

using tokenize::PieceBuffer;
using tokenize::TextPart;

constexpr std::size_t kMaxTextBytes = std::size_t{1} << 30;

/// One run of the tokenizer over one text.
class Run
{
public:
    /// @param enough  more tokens than this need not be found
    Run(const TokenizerParts& parts, bool withSpecial, std::size_t enough)
        : m_parts(parts), m_withSpecial(withSpecial), m_enough(enough)
    {}

    Status encode(std::string_view text, std::vector<TokenId>& ids)
    {
        for (const TextPart& part : m_parts.rawTokens.split(text, m_withSpecial))
        {
            if (ids.size() > m_enough)
                break;
            if (part.token != tokenize::kNoToken)
                ids.push_back(part.token);
            else
                HEADSCOPE_CHECK(encodeRaw(part.range.of(text), part.range.begin == 0, ids));
        }
        return {};
    }

private:
    Status encodeRaw(std::string_view text, bool atStart, std::vector<TokenId>& ids)
    {
        if (m_parts.normalizer.empty() && m_parts.normalizedTokens.empty())
            return encodeNormalized(text, atStart, ids);
        std::string normalized(text);
        HEADSCOPE_CHECK(m_parts.normalizer.apply(normalized, atStart));
        for (const TextPart& part : m_parts.normalizedTokens.split(normalized, m_withSpecial))
        {
            const bool first = atStart && part.range.begin == 0;
            if (part.token != tokenize::kNoToken)
                ids.push_back(part.token);
            else
                HEADSCOPE_CHECK(encodeNormalized(part.range.of(normalized), first, ids));
        }
        return {};
    }

    Status encodeNormalized(std::string_view text, bool atStart, std::vector<TokenId>& ids)
    {
        m_buffer.text = text;
        m_buffer.atStart = atStart;
        HEADSCOPE_CHECK(m_parts.preTokenizer.apply(m_buffer));
        for (const tokenize::ByteRange piece : m_buffer.pieces)
        {
            if (ids.size() > m_enough)
                break;
            if (const auto* bpe = std::get_if<tokenize::Bpe>(&m_parts.model))
                bpe->append(piece.of(m_buffer.text), ids, m_bpeScratch);
            else if (const auto* wordPiece = std::get_if<tokenize::WordPiece>(&m_parts.model))
                wordPiece->append(piece.of(m_buffer.text), ids);
            else if (const auto* unigram = std::get_if<tokenize::Unigram>(&m_parts.model))
                unigram->append(piece.of(m_buffer.text), m_withSpecial, ids, m_unigramScratch);
        }
        return {};
    }

    const TokenizerParts& m_parts;
    bool m_withSpecial;
    std::size_t m_enough;
    PieceBuffer m_buffer;
    tokenize::Bpe::Scratch m_bpeScratch;
    tokenize::Unigram::Scratch m_unigramScratch;
};

} // namespace

Result<Tokenizer> Tokenizer::open(const std::filesystem::path& path)
{
    if (path.extension() == ".gguf")
    {
        HEADSCOPE_TRY(const GgufFile file, openGguf(path));
        return fromGguf(file.metadata, path.string());
    }
    std::error_code ignored;
    return fromFolder(std::filesystem::is_directory(path, ignored) ? path : path.parent_path());
}

Result<Tokenizer> Tokenizer::fromFolder(const std::filesystem::path& folder)
{
    HEADSCOPE_TRY(auto parts, tokenize::partsFromFolder(folder));
    return Tokenizer(std::move(parts));
}

Result<Tokenizer> Tokenizer::fromJson(std::string_view json, std::string_view config, std::string_view file)
{
    HEADSCOPE_TRY(auto parts, tokenize::partsFromJson(
                                  json, {.config = std::string(config), .addedTokens = {}, .specialTokens = {}}, file));
    return Tokenizer(std::move(parts));
}

Result<Tokenizer> Tokenizer::fromGguf(const GgufMetadata& metadata, std::string_view file)
{
    HEADSCOPE_TRY(auto parts, tokenize::partsFromGguf(metadata, file));
    return Tokenizer(std::move(parts));
}

Tokenizer::Tokenizer(std::unique_ptr<const TokenizerParts> parts) : m_parts(std::move(parts)) {}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

Result<Encoding> Tokenizer::encode(std::string_view text, const EncodeOptions& options) const
{
    if (text.size() >= kMaxTextBytes)
    {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected a text of less than 1 GiB, found {} bytes", text.size()),
                     {},
                     {}};
    }
    if (options.maxTokens == std::size_t{0})
        return Error{ErrorCode::WrongUse, "expected at least 1 token for each text, found 0", {}, {}};
    std::vector<TokenId> before;
    std::vector<TokenId> after;
    if (options.addSpecialTokens)
    {
        before = m_parts->prefix;
        HEADSCOPE_TRY(after, suffix(options.eos));
    }
    Encoding encoding;
    std::string repaired;
    if (!isValidUtf8(text))
    {
        repaired = text;
        encoding.repaired = repairUtf8(repaired);
        text = repaired;
    }

    const std::size_t most = options.maxTokens.value_or(SIZE_MAX);
    const std::size_t added = before.size() + after.size();
    const std::size_t room = most - std::min(most, added);
    std::vector<TokenId> ids;
    Run run(*m_parts, options.specialTokens == SpecialTokens::Parse, m_parts->keepsEnd ? SIZE_MAX : room);
    HEADSCOPE_CHECK(run.encode(text, ids));

    encoding.truncated = ids.size() > room;
    if (encoding.truncated && m_parts->keepsEnd)
        ids.erase(ids.begin(), ids.end() - static_cast<std::ptrdiff_t>(room));
    else if (encoding.truncated)
        ids.resize(room);
    encoding.numSuffix = std::min(after.size(), most);
    encoding.numPrefix = std::min(before.size(), most - encoding.numSuffix);
    encoding.ids.reserve(encoding.numPrefix + ids.size() + encoding.numSuffix);
    const auto appendLast = [&](const std::vector<TokenId>& from, std::size_t count) {
        encoding.ids.insert(encoding.ids.end(), from.end() - static_cast<std::ptrdiff_t>(count), from.end());
    };
    appendLast(before, encoding.numPrefix);
    appendLast(ids, ids.size());
    appendLast(after, encoding.numSuffix);
    return encoding;
}

TokenId Tokenizer::vocabularySize() const
{
    return m_parts->vocabulary.size();
}

std::string Tokenizer::tokenText(TokenId id) const
{
    const std::string_view spelling = m_parts->vocabulary.text(id);
    std::string text = m_parts->isByteLevel ? tokenize::bytesFromByteLevel(spelling) : std::string(spelling);
    constexpr std::string_view wordMark = "\xE2\x96\x81";
    for (std::size_t at = text.find(wordMark); !m_parts->isByteLevel && at != std::string::npos;
         at = text.find(wordMark, at + 1))
        text.replace(at, wordMark.size(), " ");
    std::string readable;
    std::string_view rest = text;
    while (!rest.empty())
    {
        const std::size_t good = validUtf8Prefix(rest);
        readable.append(rest.substr(0, good));
        rest.remove_prefix(good);
        if (rest.empty())
            break;
        readable.append(fmt::format("<0x{:02X}>", static_cast<unsigned char>(rest.front())));
        rest.remove_prefix(1);
    }
    return readable;
}

std::optional<TokenId> Tokenizer::tokenId(std::string_view spelling) const
{
    if (const auto found = m_parts->vocabulary.find(spelling))
        return found;
    for (TokenId id = 0; id < m_parts->vocabulary.size(); ++id)
    {
        if (m_parts->vocabulary.has(id) && m_parts->vocabulary.text(id) == spelling)
            return id;
    }
    return std::nullopt;
}

const std::string& Tokenizer::kind() const
{
    return m_parts->kind;
}

std::optional<TokenId> Tokenizer::bosId() const
{
    return m_parts->bos;
}

std::optional<TokenId> Tokenizer::eosId() const
{
    return m_parts->eos;
}

std::vector<TokenId> Tokenizer::prefix() const
{
    return m_parts->prefix;
}

Result<std::vector<TokenId>> Tokenizer::suffix(EosPolicy eos) const
{
    if (eos == EosPolicy::Never)
        return std::vector<TokenId>();
    if (eos == EosPolicy::Config || !m_parts->suffix.empty())
        return m_parts->suffix;
    if (!m_parts->eos)
        return Error{ErrorCode::WrongUse, "an end token was requested, but the tokenizer has none", {}, {}};
    return std::vector<TokenId>{*m_parts->eos};
}

const std::string& Tokenizer::endRule() const
{
    return m_parts->endRule;
}

const std::vector<std::string>& Tokenizer::warnings() const
{
    return m_parts->warnings;
}

const std::string& Tokenizer::sha256() const
{
    return m_parts->sha256;
}

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope
{

class GgufMetadata;

/// Number of a token: the row of the embedding matrix. Never negative in a result.
using TokenId = std::int32_t;

/// What special tokens written inside a text (`</s>`) are.
enum class SpecialTokens
{
    Parse, ///< the tokens they spell, as the reference does it
    Text,  ///< text like any other: for untrusted documents
};

/// Whether the end token follows the text.
enum class EosPolicy
{
    Config, ///< as the model's files say
    Always, ///< the files' own ending, or else the model's end token
    Never,  ///< nothing follows the text
};

struct EncodeOptions
{
    SpecialTokens specialTokens = SpecialTokens::Parse;
    EosPolicy eos = EosPolicy::Config;
    /// Most tokens of a result, at least 1. Only the text is cut, not the added tokens around it: the text gets as
    /// many of maxTokens as those leave. Where even these do not fit, the last of them are kept.
    std::optional<std::size_t> maxTokens;
    /// Whether tokens are added around the text at all.
    bool addSpecialTokens = true;
};

/// The tokens of one text.
struct Encoding
{
    std::vector<TokenId> ids;  ///< [T], each 0 <= id < vocabularySize()
    bool truncated = false;    ///< the text had more tokens than maxTokens left room for
    bool repaired = false;     ///< the text was not UTF-8: U+FFFD stands for what was not
    std::size_t numPrefix = 0; ///< ids at the front that were added
    std::size_t numSuffix = 0; ///< ids at the end that were added
};

struct TokenizerParts;

/// Turns texts into token ids exactly as the model's authors do it: a Hugging Face tokenizer.json
/// with its tokenizer_config.json, or the vocabulary of a GGUF file.
///
/// Every part that is not known is refused by its name; nothing is guessed.
/// @threads encode() and all other const members from any number of threads
class Tokenizer
{
public:
    /// From a file or folder as a user names it: a .gguf file, a folder, or any file in it.
    /// @errors as fromFolder and fromGguf
    [[nodiscard]] static Result<Tokenizer> open(const std::filesystem::path& path);

    /// From the folder that holds tokenizer.json and, as a rule, tokenizer_config.json.
    /// @errors FileNotFound (no tokenizer.json), BadFormat (malformed or contradicts itself),
    ///         Unsupported (a component by its name)
    [[nodiscard]] static Result<Tokenizer> fromFolder(const std::filesystem::path& folder);

    /// From the texts of the two files; `config` may be empty. `file` names the first in errors.
    [[nodiscard]] static Result<Tokenizer> fromJson(std::string_view json, std::string_view config,
                                                    std::string_view file);

    /// From the metadata of a GGUF file, which is not needed afterwards. `file` names it in errors.
    /// @errors BadFormat, Unsupported (a kind of vocabulary or pre-tokenizer by its name)
    [[nodiscard]] static Result<Tokenizer> fromGguf(const GgufMetadata& metadata, std::string_view file);

    Tokenizer(Tokenizer&&) noexcept;
    Tokenizer& operator=(Tokenizer&&) noexcept;
    ~Tokenizer();

    /// The tokens of a text of any length, any bytes, U+0000 included.
    ///
    /// @errors WrongUse (maxTokens 0; EOS asked for where the model has none), BadFormat (a pattern
    ///         of the tokenizer needs too many steps on this text), InvalidArgument (1 GiB and more)
    /// @cost   O(n log n); tens of MB/s on ordinary text
    [[nodiscard]] Result<Encoding> encode(std::string_view text, const EncodeOptions& options = {}) const;

    /// One more than the largest id that encode() can give. A model's embedding matrix needs at least this many rows.
    [[nodiscard]] TokenId vocabularySize() const;
    /// What a token spells, for people: byte-level characters are turned back into text, the word
    /// mark U+2581 into a space, bytes that are no UTF-8 by themselves are written `<0x..>`.
    /// "" for an id that has no token.
    [[nodiscard]] std::string tokenText(TokenId id) const;
    /// The id of a token by its spelling in the vocabulary, added tokens included.
    [[nodiscard]] std::optional<TokenId> tokenId(std::string_view spelling) const;

    /// In words, for people: "byte-level BPE (smollm)", "WordPiece, lowercase".
    [[nodiscard]] const std::string& kind() const;
    /// The begin and end tokens that the files name; a model may have none.
    [[nodiscard]] std::optional<TokenId> bosId() const;
    [[nodiscard]] std::optional<TokenId> eosId() const;
    /// The ids that encode() puts before and after a text under this policy.
    /// @errors WrongUse (Always, where the model has no end token)
    [[nodiscard]] std::vector<TokenId> prefix() const;
    [[nodiscard]] Result<std::vector<TokenId>> suffix(EosPolicy eos) const;
    /// What follows a text and why, in words: "</s> is appended (add_eos_token)".
    [[nodiscard]] const std::string& endRule() const;
    /// What a careful user should know, one sentence each.
    [[nodiscard]] const std::vector<std::string>& warnings() const;
    /// SHA-256 of what determines the ids (tokenizer.json and its configuration, or the
    /// vocabulary's metadata), 64 hexadecimal digits.
    [[nodiscard]] const std::string& sha256() const;

private:
    explicit Tokenizer(std::unique_ptr<const TokenizerParts> parts);

    std::unique_ptr<const TokenizerParts> m_parts;
};

} // namespace headscope

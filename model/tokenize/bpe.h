// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/tokenize/merge_table.h"
#include "model/tokenize/merger.h"
#include "model/tokenize/vocabulary.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headscope::tokenize
{

/// How a byte-pair model treats what its vocabulary lacks.
struct BpeOptions
{
    /// Token for a character without token and without bytes; kNoToken: such characters vanish.
    TokenId unknown = kNoToken;
    /// Whether neighbouring unknown characters share one unknown token.
    bool fuseUnknown = false;
    /// A piece that is a token as it stands is taken whole, whatever the merges say (Llama 3).
    bool ignoreMerges = false;
    /// Tokens of the single bytes (`<0x00>` to `<0xFF>`), for characters without a token; kNoToken
    /// where the vocabulary lacks one. A character falls back only if all its bytes have one.
    std::array<TokenId, 256> bytes = [] {
        std::array<TokenId, 256> none{};
        none.fill(kNoToken);
        return none;
    }();
};

/// Byte-pair encoding: characters become tokens, and neighbours join by rank.
/// @threads append() from any number of threads, each with its own Scratch
class Bpe
{
public:
    /// Memory that one thread uses again and again.
    struct Scratch
    {
        std::vector<TokenId> tokens;
        std::vector<std::uint32_t> offsets; ///< where in the piece each token begins
        std::vector<TokenId> probe;
        TokenId pendingUnknown = kNoToken;
        std::uint32_t pendingOffset = 0;
        Merger merger;
    };

    /// @param vocabulary  outlives the model
    /// @param merges      pairs of ids of the vocabulary, or of `characters`
    /// @param characters  characters that have no token but occur in one: character i takes part in the merges as id
    ///                    vocabulary.size() + i, and falls back to bytes if it joins no neighbour
    Bpe(const Vocabulary& vocabulary, MergeTable merges, const BpeOptions& options,
        std::vector<char32_t> characters = {});

    /// Appends the tokens of one piece.
    ///
    /// @param piece   well-formed UTF-8
    /// @param tokens  [.. + n]; ids are those of the vocabulary
    /// @cost  O(n log n) in the characters of the piece; a piece that is one token costs two hashes
    void append(std::string_view piece, std::vector<TokenId>& tokens, Scratch& scratch) const;

    [[nodiscard]] const MergeTable& merges() const { return m_merges; }

private:
    enum class Whole : std::uint8_t
    {
        Untried,
        Reached, ///< the merges make this token of its own text
        Missed,
    };

    [[nodiscard]] TokenId characterToken(char32_t c) const;
    /// The token of the first or last character of a token's text.
    [[nodiscard]] TokenId outerCharacter(TokenId token, bool first) const;
    void indexCharacters();
    void findJoints();
    void spell(std::string_view piece, Scratch& scratch) const;
    void spellUnknown(std::string_view character, std::size_t offset, Scratch& scratch) const;
    [[nodiscard]] bool isWhole(TokenId token, Scratch& scratch) const;
    void appendParts(std::string_view piece, std::vector<TokenId>& tokens, Scratch& scratch) const;
    void deliver(std::span<const TokenId> merged, std::vector<TokenId>& tokens) const;

    const Vocabulary* m_vocabulary;
    MergeTable m_merges;
    BpeOptions m_options;
    std::vector<char32_t> m_characters;             ///< those without a token of their own
    std::vector<TokenId> m_plane;                   ///< token of each character below U+10000
    std::unordered_map<char32_t, TokenId> m_beyond; ///< of the others
    std::size_t m_longest = 0;                      ///< bytes of the longest token
    /// Pairs of characters that stand side by side inside a joined token. Where two characters do
    /// not, nothing ever joins across, and a text may be cut there.
    MergeTable m_joints;
    bool m_canCut = true;
    std::unique_ptr<std::atomic<Whole>[]> m_whole; ///< by token; found out when first asked
};

} // namespace headscope::tokenize

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/tokenize/piece_trie.h"
#include "model/tokenize/regex.h"
#include "model/tokenize/vocabulary.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace headscope::tokenize
{

struct UnigramOptions
{
    TokenId unknown = 0; ///< stands for neighbouring characters that no token has
    /// Tokens of the single bytes, as of BpeOptions: what is unknown is written by them where all its bytes have one.
    std::array<TokenId, 256> bytes = [] {
        std::array<TokenId, 256> none{};
        none.fill(kNoToken);
        return none;
    }();
};

/// SentencePiece makes no token of more than 512 characters. What longer ones cost, each place of a text would pay.
inline constexpr std::size_t kMaxPieceBytes = 2048;

/// The unigram model: of all ways to write a piece in tokens the one with the greatest sum of scores, which are
/// log-probabilities. A character without a token costs 10 more than the least probable one.
/// @threads append() from any number of threads, each with its own Scratch
/// @source  Kudo 2018 (arXiv 1804.10959); ties and sums as the reference has them
class Unigram
{
public:
    /// The end of the best path to a place of the piece.
    struct Step
    {
        double score = 0;        ///< of the path
        std::uint32_t begin = 0; ///< of its last token
        TokenId token = kNoToken;
    };
    /// Memory that one thread uses again and again.
    struct Scratch
    {
        std::vector<Step> best;       ///< by the byte where they end
        std::vector<ByteRange> path;  ///< from the last token to the first
        std::vector<TokenId> reverse; ///< the tokens of `path`
    };

    /// @param vocabulary  outlives the model
    /// @param scores      [V], finite
    Unigram(const Vocabulary& vocabulary, std::vector<double> scores, const UnigramOptions& options);

    /// Makes a token one that is taken from a text only where special tokens are.
    void markSpecial(TokenId token) { m_isSpecial[static_cast<std::size_t>(token)] = true; }

    /// Appends the tokens of one piece.
    ///
    /// @param piece        well-formed UTF-8, below 2^32 bytes
    /// @param withSpecial  whether special tokens are taken, too, where a normalizer has made their spelling
    /// @cost  one step for each byte of each token that begins at each character; 16 bytes of memory for each byte
    void append(std::string_view piece, bool withSpecial, std::vector<TokenId>& tokens, Scratch& scratch) const;

private:
    void findPaths(std::string_view piece, bool withSpecial, std::vector<Step>& best) const;
    void appendUnknown(std::string_view text, std::vector<TokenId>& tokens) const;

    PieceTrie m_trie;
    std::vector<double> m_scores;
    std::vector<bool> m_isSpecial;
    UnigramOptions m_options;
    double m_unknownScore = 0;
};

} // namespace headscope::tokenize

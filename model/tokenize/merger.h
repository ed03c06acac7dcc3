// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/tokenize/merge_table.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope::tokenize
{

/// Joins neighbouring tokens by a MergeTable until no pair is left that joins: always the pair of
/// the smallest rank, of equals the leftmost. Keeps its memory from one run to the next.
/// @threads one object per thread
class Merger
{
public:
    /// @param table   outlives the call
    /// @param tokens  [n] the symbols of a text in order, n < 2^32; joined in place
    /// @return        how many tokens are left, at the front of `tokens`
    /// @cost          n^2 / 2 steps without a look-up for n <= 48, else O(n log n): a heap of pairs
    ///                over a doubly linked list
    [[nodiscard]] std::size_t merge(const MergeTable& table, std::span<TokenId> tokens);

private:
    struct Link
    {
        std::uint32_t previous;
        std::uint32_t next;
    };
    struct Candidate
    {
        std::uint64_t order; ///< rank, then place
        TokenId result;
    };

    [[nodiscard]] std::size_t mergeFew(const MergeTable& table, std::span<TokenId> tokens);
    [[nodiscard]] std::size_t mergeMany(const MergeTable& table, std::span<TokenId> tokens);
    void consider(const MergeTable& table, std::span<const TokenId> tokens, std::uint32_t place);

    std::vector<Link> m_links;
    std::vector<Candidate> m_heap;
};

} // namespace headscope::tokenize

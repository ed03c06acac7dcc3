// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/attention/attention_measures.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <vector>

namespace headscope
{

/// Small pictures of the attention of a layer's heads, from rows that come piece by piece: a text of T tokens becomes
/// n x n pixels, n = min(side, T). Pixel (i, j) has the mean weight of the queries [i T/n, (i + 1) T/n) on the keys
/// [j T/n, (j + 1) T/n), over those entries alone that the query may see; 0 where there are none. With n = T these are
/// the weights themselves.
/// @threads one at a time
/// @cost    memory: n x n sums a head, never T x T
class AttentionThumbnails
{
public:
    /// @param text  its tokens, and what a token may see: causal, window
    AttentionThumbnails(AttentionText text, std::int64_t heads, std::int64_t side);

    /// Adds rows of a head, each once.
    /// @param rows  [r, T]
    void add(HeadIndex head, TokenIndex first, ConstMatrixView rows);
    /// n
    [[nodiscard]] std::int64_t side() const { return m_side; }
    /// [H, n n], of the rows so far.
    [[nodiscard]] MatrixF take() const;

    /// n of a text.
    [[nodiscard]] static std::int64_t sideOf(std::int64_t side, std::int64_t tokens);

private:
    [[nodiscard]] std::int64_t beginOf(std::int64_t pixel) const; ///< its first token

    AttentionText m_text;
    std::int64_t m_side;
    MatrixD m_sums;   ///< [H, n n]
    MatrixD m_counts; ///< [H, n n] entries of the rows so far that may be seen
};

} // namespace headscope

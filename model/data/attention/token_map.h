// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/attention/head_corpus.h"
#include "model/data/matrix.h"
#include "model/data/origin.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace headscope
{

/// Which vectors of a head's tokens a map shows.
enum class TokenMapKind
{
    QueriesAndKeys, ///< both in one map: every token is two points
    Outputs,        ///< z: every token is one
};

/// A map of tokens of a head over a corpus. Never changed once handed out.
struct TokenMap
{
    HeadCorpusPtr corpus; ///< whose tokens these are
    TokenMapKind kind = TokenMapKind::QueriesAndKeys;
    std::vector<std::int64_t> rows; ///< [n] rows of the corpus's sample, ascending
    MatrixF xy;                     ///< [n, 2], or [2 n, 2]: the queries, then the keys of the same tokens
    double scale = 1;               ///< queries were multiplied by it, and keys divided
    double perplexity = 30;
    int iteration = 0; ///< of `iterations`
    int iterations = 0;
    double kl = 0; ///< divergence at the last check; 0: not checked yet

    [[nodiscard]] std::int64_t pointCount() const { return xy.rows(); }
    [[nodiscard]] bool isKey(std::int64_t point) const { return point >= std::ssize(rows); }
    /// The token of a point, numbered over all documents.
    [[nodiscard]] std::int64_t tokenOf(std::int64_t point) const
    {
        const std::int64_t at = isKey(point) ? point - std::ssize(rows) : point;
        return corpus->sampled[static_cast<std::size_t>(rows[static_cast<std::size_t>(at)])];
    }
};

using TokenMapPtr = std::shared_ptr<const TokenMap>;

} // namespace headscope

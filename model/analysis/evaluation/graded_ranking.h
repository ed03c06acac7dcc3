// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// A document that somebody judged for a query; relevant where the grade is above 0.
struct Judgement
{
    std::int64_t document = 0;
    std::int32_t grade = 0;

    friend bool operator==(const Judgement&, const Judgement&) = default;
};

/// How well the first k results of one query hold what is relevant to it, each 0 to 1.
struct RankingScores
{
    double ndcg = 0;   ///< sum of grade / log2(rank + 1) over that of the best order of all judged documents
    double recall = 0; ///< relevant results of all relevant documents
    double mrr = 0;    ///< 1 / rank of the first relevant result; 0: none
    double map = 0;    ///< precision at the rank of each relevant result, of all relevant documents
};

/// Measures one ranking.
/// @param ranked  documents, best first; the first k count
/// @param judged  without repeats, at least one of them relevant
/// @param k       at least 1
/// @source  Järvelin & Kekäläinen 2002 (doi 10.1145/582415.582418), gains linear as in trec_eval and BEIR
[[nodiscard]] RankingScores scoreRanking(std::span<const std::int32_t> ranked, std::span<const Judgement> judged,
                                         std::int64_t k);

/// What scoreRanking gives on average for documents in random order: exact expectations, nothing is drawn.
/// @param judged      as for scoreRanking
/// @param findable    of each judged document, whether a ranking can have it
/// @param candidates  documents that a ranking can have, at least as many as are findable
[[nodiscard]] RankingScores scoreByChance(std::span<const Judgement> judged, const std::vector<bool>& findable,
                                          std::int64_t candidates, std::int64_t k);

/// The documents of largest cosine for each query, equal cosines by the lower document. A document without a direction
/// (all zeros, NaN or infinity) is not ranked, and a query without one ranks nothing.
///
/// Candidates come from float32 products with a bound on their rounding and are ranked by cosines in double, so that
/// equal documents are equal.
/// @param documents  [N, D]
/// @param queries    [Q, D]
/// @param own        [Q] the document that a query is, which it does not find; -1: none. Empty: of no query
/// @param k          at least 1
/// @return [Q, min(k, N)], -1 where there are no more
/// @errors  Cancelled
/// @threads reentrant; uses numThreads threads; result independent of their number
/// @cost    Q N D multiply-adds in float32
[[nodiscard]] Result<Matrix<std::int32_t>> rankByCosine(ConstMatrixView documents, ConstMatrixView queries,
                                                        std::span<const std::int64_t> own, std::int64_t k,
                                                        int numThreads, JobContext& job);

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/words/text_pursuit.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"
#include "model/data/results/interval.h"

#include <cstdint>

namespace headscope
{

struct NamingOptions
{
    PursuitOptions pursuit;
    std::int64_t permutations = 99; ///< of the texts' vectors, for p; 0: none
    std::uint64_t seed = 1;         ///< of the documents that are held out, of resamples and permutations
};

/// The texts that explain some vectors, and how much of held-out ones.
struct NamedVectors
{
    TextPursuit pursuit;           ///< `chosen` are rows of the texts
    std::int64_t documents = 0;    ///< by which texts were chosen
    std::int64_t heldOut = 0;      ///< documents of the held-out share
    std::int64_t leftOut = 0;      ///< documents with NaN or infinity
    std::int64_t leftOutTexts = 0; ///< likewise
    Interval heldOutCi95;          ///< of the share of all chosen texts: bootstrap over the held-out documents
    PermutationNull null;          ///< of the same share: values of each dimension permuted among the texts
};

/// Chooses texts by four fifths of the documents, and measures them on the rest. The vectors of the texts are centred
/// over the texts and scaled to length 1, so that what all texts share, and how long they are, chooses nothing.
/// @param rows   [N, D]
/// @param texts  [M, D]
/// @errors  InvalidArgument (fewer than 10 usable documents or 2 usable texts; steps or rank below 1), Cancelled
/// @threads reentrant; uses numThreads threads; result independent of their number
/// @cost    that of pursueTexts, for each permutation once more
/// @source  as pursueTexts
[[nodiscard]] Result<NamedVectors> nameVectors(ConstMatrixView rows, ConstMatrixView texts,
                                               const NamingOptions& options, int numThreads, JobContext& job);

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/head_vectors.h"
#include "model/data/matrix.h"
#include "model/data/origin.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope::ui
{

/// The L2 norms of the head vectors of one stage and layer, with what is needed to rank one of them among all.
/// Immutable once published.
struct Strengths
{
    MatrixF values;            ///< [N, H]; NaN where a vector is not finite
    std::vector<float> sorted; ///< the finite ones, ascending
    Origin origin{};

    /// Share of the head vectors that are at least this strong, 0..1; 1 when there is none.
    [[nodiscard]] double topShare(float strength) const;
    /// Its rank among all, 1 for the strongest, ties sharing the lowest rank; nothing when it is not finite.
    [[nodiscard]] std::optional<std::int64_t> place(float strength) const;
};

/// @cost O(N H D + N H log(N H)); to be called on a worker
/// @threads reentrant; the result does not depend on numThreads
[[nodiscard]] Strengths strengthsOf(const HeadVectors& vectors, int numThreads);

} // namespace headscope::ui

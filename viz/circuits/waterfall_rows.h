// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/circuits/contribution_results.h"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace headscope::viz
{

/// A line of a waterfall: what it adds, in three kinds, to what those above it add up to.
struct WaterfallRow
{
    enum class Kind
    {
        Token, ///< embedding of the tokens
        Layer, ///< all parts of a layer
        Part,  ///< one part of a layer whose row stands above and adds nothing itself
        Total, ///< the cosine, or the sum of all
    };
    Kind kind = Kind::Token;
    std::optional<VectorPart> part{}; ///< of Token and Part
    std::int64_t layer = 0;
    bool isUnfolded = false; ///< a Layer whose parts follow: its numbers are theirs
    double start = 0;        ///< the sum of all rows above
    double heads = 0;
    double mlp = 0;
    double other = 0; ///< tokens and biases

    [[nodiscard]] double sum() const { return heads + mlp + other; }
};

/// The lines of a pair's terms: token, layers, total. The numbers of all lines but unfolded layers add up to the total,
/// which is the sum of the terms.
[[nodiscard]] std::vector<WaterfallRow> waterfallRows(const PairContribution& pair, std::int64_t layers,
                                                      const std::set<std::int64_t>& unfolded);
/// The layer whose heads add most by size, which pictures unfold unless told otherwise.
[[nodiscard]] std::int64_t busiestLayer(const PairContribution& pair, std::int64_t layers);

} // namespace headscope::viz

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/frame.h"
#include "model/data/results/interval.h"
#include "model/data/results/topic_results.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

/// What a match says of the full vector, a pooling of heads, or a head.
struct MatchRow
{
    std::string name;
    std::optional<std::int64_t> head;
    std::int64_t measured = 0;           ///< documents
    std::vector<std::int64_t> hits;      ///< [K]
    std::vector<std::int64_t> poolHeads; ///< of a pooling, 0-based
    bool chosen = false;                 ///< heads that these same labels chose: nothing tells how well
    std::vector<PermutationNull> null;   ///< [K]; empty: none
    std::vector<double> q;               ///< [K] of a head; empty: none

    [[nodiscard]] double share(std::size_t k) const;
    /// None of what was chosen by the labels: no interval around a share that is too high covers the true one.
    [[nodiscard]] Interval interval(std::size_t k) const;
};

/// The match of rows: a column "top" for each k.
extern const FrameInfo kMatchFrame;

/// The full vector of a match, and the head that matches most: a row for each stage and k.
extern const FrameInfo kMatchSummaryFrame;

/// @param result  its k and topics; where all topics are among the k nearest, nothing could be otherwise
[[nodiscard]] Frame matchFrame(std::span<const MatchRow> rows, const MatchResult& result);
/// The same as people are shown it: the header says where all topics are among the k nearest, and there is no null.
[[nodiscard]] Frame shownMatchFrame(std::span<const MatchRow> rows, const MatchResult& result);

} // namespace headscope

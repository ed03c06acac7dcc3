// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/cache_input.h"
#include "model/base/numbers/all_finite.h"
#include "model/data/frame/frame.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::cli
{

/// Where some head vectors have no direction.
struct VectorGaps
{
    std::vector<std::int64_t> zero;      ///< [H] rows whose vector of this head is zero
    std::vector<std::int64_t> notFinite; ///< [H] rows whose vector of this head has NaN or infinity
    std::int64_t anyZero = 0;            ///< rows with such a vector
    std::int64_t anyNotFinite = 0;
    /// [rows] Points where any of the heads has a direction; else NotFinite where any has NaN or infinity, else Zero.
    std::vector<Pointing> rows;
};
/// @param heads  that count; the others have no gaps
[[nodiscard]] VectorGaps gapsOf(const HeadVectors& vectors, std::span<const std::int64_t> rows,
                                std::span<const std::int64_t> heads);
/// "heads 1-4: 3, head 7: 1": runs of neighbours with equal counts; "" where all are 0.
[[nodiscard]] std::string byHead(const std::vector<std::int64_t>& counts, std::string_view unit);

/// Documents or queries that are neither ranked nor measured, because they have no vector with a direction. Every verb
/// counts and names them in this way.
struct LeftOut
{
    std::vector<std::string> zero;      ///< ids, in the order of the rows
    std::vector<std::string> notFinite; ///< ids; NaN or infinity

    /// Nothing is added where there is a direction.
    void add(Pointing direction, const std::string& id);
    [[nodiscard]] std::int64_t count() const { return std::ssize(zero) + std::ssize(notFinite); }
    /// count, zero, not_finite (numbers) and ids, of which the first are named.
    [[nodiscard]] Members members() const;
    /// "excluded 3 documents without a direction (zero vectors: d3, d7; NaN or infinity: d9)"; "": there is none.
    [[nodiscard]] std::string notice(std::string_view one, std::string_view several) const;
};

/// Warnings about the data, as sentences for standard error; none when there is nothing to warn about.

/// Documents with vectors that are not finite, and with zero vectors, counted by head.
[[nodiscard]] std::vector<std::string> vectorNotices(const HeadVectors& vectors, const std::vector<std::int64_t>& rows);
/// The same for the labelled documents of a topic analysis, and: topics without a usable vector, a single label, as
/// many labels as documents.
[[nodiscard]] std::vector<std::string> topicNotices(const TopicData& data);
/// As many labels as documents, or almost; part of topicNotices().
[[nodiscard]] std::vector<std::string> labelNotices(const LabelColumn& labels);
/// Ids that occur more than once.
[[nodiscard]] std::vector<std::string> idNotices(const DocumentSet& documents);

} // namespace headscope::cli

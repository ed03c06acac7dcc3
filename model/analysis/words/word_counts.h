// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

/// How often the words of a vocabulary stand in each of some texts. Immutable once made.
struct WordCounts
{
    std::vector<std::string> words;      ///< [W] ascending by their bytes
    std::vector<std::int64_t> counts;    ///< [W] in all texts
    std::vector<std::int64_t> documents; ///< [W] texts that hold it
    std::vector<std::int64_t> starts;    ///< [N + 1] of each text in the two lists below
    std::vector<std::int32_t> ids;       ///< words of the text, ascending
    std::vector<std::int32_t> times;     ///< how often

    [[nodiscard]] std::int64_t texts() const { return static_cast<std::int64_t>(starts.size()) - 1; }
};

/// Counts the words (forEachWord) that stand in at least `minDocuments` texts.
/// @param texts  well-formed UTF-8
/// @errors  Cancelled
/// @threads uses numThreads threads; result independent of their number
/// @cost    one pass over the texts; memory: each word of each text once
[[nodiscard]] Result<WordCounts> countWords(std::span<const std::string> texts, std::int64_t minDocuments,
                                            int numThreads, JobContext& job);

} // namespace headscope

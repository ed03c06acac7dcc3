// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/cache_input.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/results/card/head_card.h"
#include "model/data/results/probe_result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

/// What the cards of one layer have in common.
struct CardLayer
{
    std::shared_ptr<const HeadVectors> vectors; ///< of the chosen documents
    std::optional<TopicData> topics;            ///< rows of all documents
    std::string noTopics;                       ///< why there are none
    std::optional<ProbeResult> probe;
    std::string noProbe;
};

/// Norms and cosines of the head's vectors, each with its interval over documents, and how many are left out.
void addLengths(HeadCard& card, const CardLayer& of);

/// Sets the intervals of the CKA of a head with these.
/// @param layers  of the heads, each of the same documents
/// @errors Cancelled
[[nodiscard]] Status addIntervals(std::vector<CardSimilarHead>& heads, const HeadVectors& own, HeadIndex head,
                                  std::span<const std::shared_ptr<const HeadVectors>> layers, int numThreads,
                                  JobContext& job);

/// What the match of the cached vectors loses without the head, or why it is not known.
[[nodiscard]] Status addCut(HeadCard& card, const CardLayer& of, std::uint64_t seed, int numThreads, JobContext& job);

/// What the probe of the layer says of the head, or why there is none.
void addProbeOf(HeadCard& card, const CardLayer& of);

} // namespace headscope

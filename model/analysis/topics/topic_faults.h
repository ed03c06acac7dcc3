// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_set.h"
#include "model/data/head_vectors.h"

#include <cstdint>
#include <vector>

namespace headscope
{

/// Vectors of topic names that say nothing of the topic. A decoder's first token takes the attention that goes
/// nowhere: its state is long and the same for every word ("attention sink"), and a name of one token is just that.
struct TopicFaults
{
    /// Topics whose vector, all heads in a row, is more than kFarAbove times as long as the median document's.
    std::vector<std::int32_t> tooLong;
    double topicLength = 0;    ///< median of those
    double documentLength = 0; ///< median
    /// Topics whose cosine with another topic is at least kNearOne: in SmolLM2's last layer names of one token have
    /// 0.995 to 1.000 with each other at every stage, longer ones at most 0.95, names in a template 0.98; lengths tell
    /// them apart in the residual stream before the final norm (9,693 against 597), not elsewhere.
    std::vector<std::int32_t> alike;

    static constexpr double kFarAbove = 10;
    static constexpr double kNearOne = 0.99;

    [[nodiscard]] bool any() const { return !tooLong.empty() || !alike.empty(); }
};

/// @param labels  of the documents; topics and documents that it does not connect are not looked at
/// @cost    O(N H D + C^2 H D); beyond 1,000 topics their cosines are not looked at
/// @source  Xiao et al. 2024, Efficient streaming language models with attention sinks (arXiv 2309.17453)
[[nodiscard]] TopicFaults topicFaults(const HeadVectors& documents, const HeadVectors& topics,
                                      const LabelColumn& labels);

} // namespace headscope

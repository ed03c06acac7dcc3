// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/cache_input.h"

#include <string>
#include <vector>

namespace headscope::cli
{

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

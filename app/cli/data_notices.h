// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/cache_input.h"

#include <string>
#include <vector>

namespace headscope::cli
{

using namespace results;

/// Sentences on what a user should know of the data before believing a number, for standard error;
/// none where all is as it should be.

/// Documents with vectors that are not finite, and with zero vectors, counted by head.
[[nodiscard]] std::vector<std::string> vectorNotices(const HeadVectors& vectors, const std::vector<std::int64_t>& rows);
/// The same for the labelled documents of a topic analysis; topics without a usable vector, one label
/// only, as many labels as documents.
[[nodiscard]] std::vector<std::string> topicNotices(const TopicData& data);
/// Ids that occur more than once.
[[nodiscard]] std::vector<std::string> idNotices(const DocumentSet& documents);

} // namespace headscope::cli

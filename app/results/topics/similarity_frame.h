// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/frame.h"
#include "model/data/results/topic_results.h"

namespace headscope
{

/// How similar topics are: a row and a column for each.
extern const FrameInfo kSimilarityFrame;

[[nodiscard]] Frame similarityFrame(const TopicSimilarity& similarity);

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/topic_merge.h"

namespace headscope
{

/// Joins the two most similar groups, by the mean similarity of their members, as long as that is
/// at least `threshold` (agglomerative, average linkage; ties: the lower codes first).
/// @cost O(T^2) as a rule, O(T^3) at worst; 8 T^2 bytes
[[nodiscard]] TopicMerge proposeMerge(const TopicSimilarity& similarity, double threshold);

/// Every joining there is, so that the groups of any threshold follow at once: mergeAt(path, t) are the
/// groups of proposeMerge(similarity, t). Pairs without a similarity (NaN) are never joined.
/// @cost as proposeMerge
[[nodiscard]] TopicMergePath mergePath(const TopicSimilarity& similarity);

} // namespace headscope

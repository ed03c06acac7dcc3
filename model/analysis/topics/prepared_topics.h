// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/documents/document_set.h"
#include "model/data/topic_vectors.h"

#include <cstdint>
#include <memory>

namespace headscope
{

/// Makes vectors as they were read into those that are compared: centroids in place of names, means taken away.
///
/// Documents whose vector of a head is not finite, and documents without a label, are in no mean of that head.
/// With centroids the mean over documents is taken from the documents alone, before their centroids are made: these
/// are centred by it, too, and leaving a document out of its own centroid stays exact.
/// @param raw     topics may be null where centroids are asked for
/// @param labels  codes [N]
/// @return  what is not changed is shared
/// @errors  ShapeMismatch (labels of another number of documents, names without vectors), Cancelled
/// @threads uses `numThreads` threads; result independent of their number
/// @cost    O(N H D), and a copy of the documents where they are centred
[[nodiscard]] Result<TopicVectorSet> prepareTopics(const TopicVectorSet& raw, const LabelColumn& labels,
                                                   const TopicVectorChoice& choice, int numThreads, JobContext& job);

/// Means of the documents of each category.
struct ClassCentroids
{
    std::shared_ptr<const HeadVectors> vectors; ///< [C, H, D]; zero without a member
    Matrix<std::int64_t> members;               ///< [H, C] documents that are in each
};

/// @param whole  the heads of a document are one vector: a document that is not finite in one is in none
[[nodiscard]] ClassCentroids classCentroids(const HeadVectors& documents, const LabelColumn& labels, bool whole,
                                            int numThreads);

} // namespace headscope

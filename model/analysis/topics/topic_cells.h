// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/topics/topics.h"

/// Helpers that the topic analyses share; not for code outside this folder.
namespace headscope
{

/// @errors ShapeMismatch (documents, topics, labels and full vectors do not fit together)
[[nodiscard]] Status checkShapes(const TopicInput& input);

/// Cosine of a document with a topic in one row of the heatmap: 0 the full vector, 1 + h a head.
[[nodiscard]] double rowCosine(const TopicInput& input, std::int64_t row, DocumentIndex document, std::int32_t topic);

/// The cells [1 + H, M] of a heatmap's columns in double.
/// @errors Cancelled
[[nodiscard]] Result<MatrixD> cellsOf(const TopicInput& input, const Heatmap& heatmap, int numThreads, JobContext& job);

} // namespace headscope

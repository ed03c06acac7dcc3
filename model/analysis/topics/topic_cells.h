// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/topics/topics.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Helpers that the topic analyses share; not for code outside this folder.
namespace headscope
{

/// @errors ShapeMismatch (documents, topics, labels and full vectors do not fit together)
[[nodiscard]] Status checkShapes(const TopicInput& input);

/// @errors InvalidArgument (no vector of this topic)
[[nodiscard]] Status checkTopic(const TopicInput& input, std::int32_t topic);

[[nodiscard]] double vectorLength(std::span<const float> vector);
[[nodiscard]] std::vector<double> vectorLengths(ConstMatrixView rows);
/// cosine() of vectors whose lengths are known.
[[nodiscard]] double cosineOfLengths(std::span<const float> a, double lengthA, std::span<const float> b,
                                     double lengthB);
/// Identity of documents, topics and labels.
[[nodiscard]] std::string topicInputHash(const TopicInput& input);

/// Cosine of a document with a topic in one row of the heatmap: 0 the full vector, 1 + h a head. With centroids a
/// document is left out of its own topic's; NaN where it is alone there.
[[nodiscard]] double rowCosine(const TopicInput& input, std::int64_t row, DocumentIndex document, std::int32_t topic);

/// The cells [1 + H, M] of a heatmap's columns in double.
/// @errors Cancelled
[[nodiscard]] Result<MatrixD> cellsOf(const TopicInput& input, const Heatmap& heatmap, int numThreads, JobContext& job);

} // namespace headscope

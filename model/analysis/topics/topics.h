// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/documents/document_set.h"
#include "model/data/head_vectors.h"
#include "model/data/results/topic_results.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace headscope
{

/// Documents and the topics they belong to. Row c of the topics is the label column's category c.
struct TopicInput
{
    const HeadVectors* documents = nullptr; ///< [N, H, D]
    const HeadVectors* topics = nullptr;    ///< [C, H, D]
    ConstMatrixView fullDocuments;          ///< [N, F]
    ConstMatrixView fullTopics;             ///< [C, F]
    const LabelColumn* labels = nullptr;    ///< codes [N], -1 = none
    std::string fullSource;                 ///< what the full vectors are, for results to say
    /// [1 + H, C] where topics are the means of the documents of each label (prepared_topics.h): of how many. A
    /// document is then compared with the mean of the others of its label. Null: topics are vectors of their own.
    const Matrix<std::int64_t>* members = nullptr;
    std::string topicSource{}; ///< what the topics are, for results to say
};

/// The heatmap of head vectors' cosines with their own topic.
///
/// Columns: topics in options.topics' order; inside a topic its documents by descending cosine in
/// options.order, ties by lower index. Cells of zero or non-finite vectors are NaN and
/// sort last.
/// @errors  ShapeMismatch, InvalidArgument (unknown topic or head, no document of these topics),
///          WrongUse (perTopic < 1), Cancelled
/// @threads uses `numThreads` threads; result independent of their number
[[nodiscard]] Result<Heatmap> makeHeatmap(const TopicInput& input, const HeatmapOptions& options, int numThreads,
                                          JobContext& job);

/// The same with the columns of another heatmap, in their order: stages under each other with locked
/// columns. Cells are those that makeHeatmap gives these documents.
/// @param columns  of the same documents and labels
/// @errors  as makeHeatmap
[[nodiscard]] Result<Heatmap> makeHeatmapLike(const TopicInput& input, const Heatmap& columns, int numThreads,
                                              JobContext& job);

/// NaN cells are left out. Topics that the heatmap does not show, and constant rows, are NaN.
/// @errors as makeHeatmap
[[nodiscard]] Result<HeatmapStatistics> heatmapStatistics(const TopicInput& input, const Heatmap& heatmap,
                                                          int numThreads, JobContext& job);

/// Cosines between all topics' vectors (full ones, or those of one head); NaN for zero vectors, a
/// diagonal of exactly 1.
/// @param topics  [C, D]
/// @errors ShapeMismatch
/// @threads uses `numThreads` threads; result independent of their number
[[nodiscard]] Result<TopicSimilarity> topicSimilarity(ConstMatrixView topics, const std::vector<std::string>& names,
                                                      int numThreads = 1);

/// Share of the labelled documents whose own topic is among the k nearest, by the full vector and
/// by each head. A topic comes before the document's own when its cosine is larger, or equal with
/// a lower code; k beyond the number of topics means all. A document with a zero vector in a row never
/// hits there; one whose vector is not finite, and with centroids one that is alone in its topic, is left out of
/// the row (MatchResult::measured). Without a shuffle MatchResult::null stays empty.
/// @errors  ShapeMismatch, InvalidArgument (no labelled document, a label without a topic vector),
///          WrongUse (no k, or k < 1), Cancelled
[[nodiscard]] Result<MatchResult> matchTopics(const TopicInput& input, const std::vector<std::int64_t>& k,
                                              int numThreads, JobContext& job);

/// Where the shares of a match stand among those of labels shuffled among the labelled documents. Centroids are made
/// again for every permutation.
/// @param match  of the same input
/// @return  [1 + H, K]
/// @errors  ShapeMismatch, Cancelled
/// @threads uses `numThreads` threads; result independent of their number
/// @cost    vectors of their own: that of matchTopics, and `permutations` look-ups a document and row; centroids: that
///          of matchTopics for each permutation
[[nodiscard]] Result<Matrix<PermutationNull>> matchNull(const TopicInput& input, const MatchResult& match,
                                                        const NullOptions& options, int numThreads, JobContext& job);

/// The contrast of the rows of a heatmap, and what shuffled labels make of rows. Without the null where
/// HeatmapNull::leftOut says why.
/// @errors  as makeHeatmap
/// @threads uses `numThreads` threads; result independent of their number
/// @cost    M T cosines for each row; with centroids for each row and permutation
[[nodiscard]] Result<HeatmapNull> heatmapNull(const TopicInput& input, const Heatmap& heatmap,
                                              const NullOptions& options, int numThreads, JobContext& job);

/// Cosine of two vectors of equal size in double; NaN when either is zero or not finite.
[[nodiscard]] double cosine(std::span<const float> a, std::span<const float> b);

/// Spearman's rank correlation; equal values share the mean of their ranks. NaN for constant or
/// fewer than 2 values.
[[nodiscard]] double spearman(std::span<const double> a, std::span<const double> b);

} // namespace headscope

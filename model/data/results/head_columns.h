// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/frame.h"

namespace headscope
{

/// Numbers of a head or segment that both the table of one layer (heads_frame) and the measures of all heads
/// (head_measures) have.
// clang-format off
inline constexpr ColumnInfo kMeanNormColumn = {"mean_norm", "Norm", "",
    "L2 norm of the vectors, mean over the documents",
    "The output projection scales every head differently: a long vector need not have a large influence"};
inline constexpr ColumnInfo kSpreadColumn = {"spread", "Spread", "",
    "1 - |mean unit vector|^2, the mean cosine distance of two documents: 0 where all vectors point the same way, "
    "near 1 where their directions cancel",
    "A large common offset makes the spread small, even where the variation around the offset is informative"};
inline constexpr ColumnInfo kScoreColumn = {"score", "Score", "", "Mean norm x spread: the weight of the head in "
                                                                  "multi-head RAG",
    "A weight, not a quality measure; it uses no labels"};
inline constexpr ColumnInfo kSimilarityColumn = {"mean_similarity", "Similarity", "",
    "Cosine of a document's vector with the vector of its labelled topic, -1 to 1, mean over the labelled documents"};
inline constexpr ColumnInfo kSelectivityColumn = {"selectivity_unbiased", "Selectivity (unbiased)", "",
    "Epsilon squared, which is eta squared without its bias: the proportion of the variance of the cosines with the "
    "labelled topic that lies between topics. By default each topic's mean cosine over all documents is subtracted "
    "first. The value is 0 on average where topics do not differ, and at most 1",
    "Single values may be slightly negative"};
inline constexpr ColumnInfo kFollowsColumn = {"follows_full", "Follows full", "",
    "Spearman's rank correlation of the cosines of this head with those of the full vector within a topic; mean over "
    "topics, -1 to 1",
    "At stage 3, a segment is a part of the full vector; by default, that vector is used without the segment"};
inline constexpr ColumnInfo kMatchColumn = {"match", "Match at 1", "",
    "Proportion of labelled documents for which the nearest topic vector, by cosine, is that of the document's label; "
    "chance is 1 / topics",
    "If labels have unequal sizes, always predicting the most common label may exceed chance", Shown::Share};
inline constexpr ColumnInfo kEvennessColumn = {"evenness", "Evenness", "",
    "Participation ratio (sum c)^2 / (n sum c^2) of the n cosines with the labelled topic, with negative cosines "
    "counted as 0: 1 where all are equal, 1/n where only one is positive",
    "Describes how evenly a head responds, not how well: a head with weak but even responses has a high value"};
// clang-format on

} // namespace headscope

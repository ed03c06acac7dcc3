// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/frame.h"

namespace headscope
{

/// Numbers of a layer's stage that its table (layers_frame), its curves and their captions have.
// clang-format off
inline constexpr ColumnInfo kProbeAccuracyColumn = {"accuracy", "Probe accuracy", "",
    "Proportion of held-out vectors whose head or segment a linear probe predicts correctly; chance is 1 / heads",
    "Heads and segments differ in mean and scale, so accuracy is often near 1 whatever they represent: compare it with "
    "the baselines of `probe`", Shown::Share};
inline constexpr ColumnInfo kPurityColumn = {"purity", "Topic purity", "",
    "Proportion of a document's nearest labelled documents that have the document's label, mean over the labelled "
    "documents, compared with chance and with permuted labels. Nearness is the cosine of the concatenated vectors of "
    "all heads",
    "It falls with more and smaller labels, and rises with near-duplicate documents", Shown::Share};
inline constexpr ColumnInfo kRedundancyColumn = {"redundancy", "Redundancy", "",
    "Linear CKA of the vectors of two heads over the same documents, mean over the pairs of heads; 1 where the "
    "similarities between documents are the same up to scale",
    "The debiased estimate is about 0 on average for unrelated heads and may be negative; the biased estimate is above "
    "0, more so with fewer documents"};
// clang-format on

} // namespace headscope

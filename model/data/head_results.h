// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/matrix.h"
#include "model/data/stage.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headscope
{

/// How strong and how spread out the vectors of one head are over a set of documents.
struct HeadStatistics
{
    std::int64_t head = 0;      ///< 0-based
    std::int64_t documents = 0; ///< that counted: finite, for the spread also not zero
    double meanNorm = 0;        ///< mean strength
    double sdNorm = 0;          ///< population standard deviation of the strengths
    double spread = 0; ///< mean cosine distance over all ordered pairs, self included: 1 - |mean unit vector|^2
    double spreadWithoutSelf = 0; ///< the same without the pairs (j, j)
    double score = 0;             ///< meanNorm x spread, the head score of multi-head retrieval
};

/// How alike the heads are, each [H, H], symmetric.
struct HeadRedundancy
{
    MatrixD cka;             ///< linear centred kernel alignment of the heads' document matrices
    MatrixD meanCosine;      ///< cosine of the mean raw vectors
    MatrixD neighborOverlap; ///< share of common documents among the k nearest, mean over documents
    int neighbors = 10;
};

/// One step of taking heads (or whole KV groups) away.
struct PruningStep
{
    std::int64_t unit = -1; ///< head or group removed (backward, single) or added (forward); -1 for the starting point
    double value = 0;       ///< the measure afterwards
    std::int64_t hits = 0;  ///< documents that the value counts, where it is a share of documents
    std::int64_t parametersSaved = 0; ///< of this layer's attention, in all steps so far
    std::int64_t kvBytesSaved = 0;    ///< per token in this layer at 2 bytes a value; only whole groups save any
    bool onFront = false;             ///< no other step is at least as good in value and savings and better in one
};

} // namespace headscope

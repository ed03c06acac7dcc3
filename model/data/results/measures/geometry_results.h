// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/matrix.h"
#include "model/data/results/interval.h"
#include "model/data/stage.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace headscope
{

/// The shape of one cloud of vectors: of a head over the documents, or of all heads together. What the vectors do not
/// allow is NaN: the centred measures of vectors that are all equal, a dimension of fewer than three distinct ones.
struct VectorGeometry
{
    static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

    std::int64_t head = -1; ///< from 0; -1: all heads together
    std::int64_t dims = 0;
    std::int64_t documents = 0; ///< that were measured
    std::int64_t leftOut = 0;   ///< zero vectors, and vectors with NaN or infinity
    std::int64_t distinct = 0;  ///< vectors after equal ones were merged: what twonn is of

    double effectiveRank = kNone;
    double effectiveRankCentred = kNone;
    double participation = kNone;
    double participationCentred = kNone;
    double twonn = kNone;
    double twonnHalf = kNone; ///< of a random half of the distinct vectors
    double anisotropy = kNone;
    Interval anisotropyCi95; ///< jackknife by document
    double anisotropyCentred = kNone;
    Interval anisotropyCentredCi95;
};

/// The shapes of a stage of a layer.
struct LayerGeometry
{
    VectorGeometry full;
    std::vector<VectorGeometry> heads;
};

/// Debiased linear CKA between all layers of a stage.
struct LayerSimilarity
{
    std::vector<LayerIndex> layers;
    Stage stage = Stage::HeadOutput;
    std::vector<std::int64_t> heads; ///< [H] from 0, of each layer
    std::int64_t documents = 0;      ///< with finite vectors in every layer
    MatrixD layerCka;                ///< [L, L] of the vectors of all heads together
    MatrixD headCka;                 ///< [L H, L H] layers outer, heads inner; NaN where a head does not vary
};

} // namespace headscope

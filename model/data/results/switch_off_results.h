// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_set.h"
#include "model/data/frame/frame.h"
#include "model/data/maps/head_map.h"
#include "model/data/matrix.h"
#include "model/data/origin.h"
#include "model/data/results/importance_results.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope
{

/// How the vectors of documents differ before and after a change, by document.
struct VectorChange
{
    std::string what;               ///< which vectors, for people
    std::vector<double> cosine;     ///< [documents] of before and after; NaN where one of them is zero
    std::vector<std::int64_t> kept; ///< [documents] of the nearest before so many are among the nearest after
    Matrix<std::int64_t> before;    ///< [documents, k] nearest ones, nearest first, as places among the documents
    Matrix<std::int64_t> after;     ///< [documents, k]
    Estimate meanCosine;
    Estimate meanKept; ///< share of k

    [[nodiscard]] std::int64_t k() const { return before.cols(); }
};

/// Points of a map that moved, on the map that is held still.
struct MovedPoints
{
    std::shared_ptr<const HeadMap> map;
    std::vector<std::int64_t> points; ///< of the map, ascending
    MatrixF places;                   ///< [points, 2] where they are now
    std::int64_t unmoved = 0;         ///< points whose vectors are the same, but for the rounding of the cache
    std::int64_t unplaced = 0;        ///< whose vectors are nothing but zeros now: they have no direction
    std::int64_t neighbors = 0;       ///< old points whose places were averaged
    double perplexity = 0;            ///< of their weights
};

/// The documents of a cache by its model with some heads off, and by a cut of the cached vectors.
struct SwitchOffResult
{
    std::int64_t layer = 0;
    std::vector<std::int64_t> heads;     ///< off, from 0, ascending
    std::string ablation;                ///< what they were set to: "zero" or "mean"
    std::vector<std::int64_t> documents; ///< rows of the cache, ascending
    std::int64_t allDocuments = 0;       ///< that they were drawn from
    VectorChange inModel;                ///< of the embedding
    std::optional<VectorChange> cut;     ///< of the layer's stage-1 vectors, the model not run
    std::string cutMissing;              ///< why there is no cut
    std::optional<MovedPoints> moved;
    std::string movedMissing; ///< why nothing is shown on the map
    std::vector<std::string> notices;
    double seconds = 0;
    Origin origin{};

    /// The place of a row among the documents; nothing: it was not drawn.
    [[nodiscard]] std::optional<std::size_t> placeOf(std::int64_t row) const;
};

/// How the vector of each document changed: a row for each that was drawn.
extern const FrameInfo kChangedFrame;
/// @param documents  of the cache of the result
[[nodiscard]] Frame changedFrame(const SwitchOffResult& result, const DocumentSet& documents);

} // namespace headscope

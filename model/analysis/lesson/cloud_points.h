// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace headscope
{

/// Points whose arrangement is known, because we made it.
struct CloudPoints
{
    MatrixF rows;                     ///< [P, D]
    std::vector<std::int32_t> clouds; ///< [P] which cloud a point is of
};

/// Normal clouds, drawn by the seed:
///   "sizes"      two of 75 points in a plane, one ten times as wide as the other
///   "distances"  three of 50 points in a plane; the third is five times as far away as the second
///   "noise"      one of 150 points in 50 dimensions: no groups at all
///   "seeds"      five of 40 points in 20 dimensions, each as far from every other on average
/// @return none for another name
[[nodiscard]] CloudPoints cloudPoints(std::string_view name, std::uint64_t seed);

/// How wide clouds are, and how far apart.
struct CloudMeasures
{
    std::vector<double> radius; ///< [C] root mean square distance from the cloud's mean
    MatrixD distance;           ///< [C, C] of the means
};

/// @param rows  [P, D], of data or of a map
[[nodiscard]] CloudMeasures measureClouds(const MatrixF& rows, const std::vector<std::int32_t>& clouds);

/// A map of the points by the program's own t-SNE.
/// @param randomStart  from the seed; else from principal components
/// @errors  those of TsneState::create and run
[[nodiscard]] Result<MatrixF> mapClouds(const CloudPoints& points, double perplexity, bool randomStart,
                                        std::uint64_t seed, int numThreads, JobContext& job);

} // namespace headscope

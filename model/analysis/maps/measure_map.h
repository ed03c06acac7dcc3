// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/maps/map_trust.h"
#include "model/data/maps/tsne_options.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

struct MapTrustOptions
{
    /// Of the probabilities that the divergence is taken from; several as a multiscale map has them.
    std::vector<double> perplexities = {30.0};
    Metric metric = Metric::Euclidean;
    /// Of the kernel that the map was made with (TsneOptions): its divergence is that of the same kernel.
    double degreesOfFreedom = 1.0;
    /// Points whose neighbours are looked at; 0: all up to 20,000 points, else 2,000 of them.
    std::int64_t sample = 0;
    std::uint64_t seed = 1; ///< of the samples
    /// [P] classes from 0 whose means are compared, -1 = none; empty: no comparison of classes.
    std::span<const std::int32_t> classes;
    /// [P] head or segment of each point, for what a map that only knows these would have; empty: not measured.
    std::span<const std::int32_t> heads{};

    /// For a map that was made with these.
    [[nodiscard]] static MapTrustOptions of(const TsneOptions& made)
    {
        MapTrustOptions options;
        if (!made.perplexities.empty())
            options.perplexities = made.perplexities;
        options.metric = made.metric;
        options.degreesOfFreedom = made.degreesOfFreedom;
        options.seed = made.seed;
        return options;
    }
};

/// Up to this many points every pair of distances is ranked, above 500,000 sampled pairs.
inline constexpr std::int64_t kAllDistancesBelow = 2'000;
inline constexpr std::int64_t kSampledDistances = 500'000;

/// The numbers that say how far a map can be trusted, all with one definition for every map.
///
/// P comes from the exact 3 x perplexity nearest neighbours, whatever the map was made from, and Z
/// from all pairs: so maps of different programs and settings can be compared.
/// @param rows  [P, D] finite; for the cosine metric a copy of unit length is made
/// @param xy    [P, 2] finite
/// @param perPoint  when given, receives what every point contributes, and knn10 is the mean over all
///                  points whatever the sample is
/// @errors  ShapeMismatch, InvalidArgument (a perplexity that these points do not allow, a number
///          that is not finite), Cancelled
/// @threads uses `numThreads` threads; result independent of their number
/// @cost    exact neighbours (P^2 D / 2 multiply-adds) and P^2 / 2 kernel values in double (time
///          not measured)
[[nodiscard]] Result<MapTrust> measureMap(ConstMatrixView rows, ConstMatrixView xy, const MapTrustOptions& options,
                                          int numThreads, JobContext& job, PointTrust* perPoint = nullptr);

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/results/interval.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace headscope
{

/// How far a map can be trusted: what `quality` measures, one number each.
struct MapTrust
{
    double klExact = 0;         ///< Kullback-Leibler divergence, Z over all pairs, in double
    double knn10 = 0;           ///< mean share of the 10 nearest neighbours that the map keeps
    double trustworthiness = 0; ///< 1 = no strangers among the 10 nearest of the map
    double continuity = 0;      ///< 1 = the map separates none of the 10 nearest of the data
    double spearman = 0;        ///< rank correlation of distances in the data and in the map
    std::int64_t sampled = 0;   ///< points whose neighbours were looked at, all or a seeded sample
    /// Share of the `classNeighbors` nearest class means that the map keeps; with fewer than three
    /// classes classNeighbors is 0 and there is no such share.
    double classesKept = 0;
    std::int64_t classNeighbors = 0;
    std::int64_t classes = 0;      ///< that occur
    PermutationNull classesNull{}; ///< classesKept with the classes of the map permuted
    /// Trustworthiness of a map that only knows the head of each point (trustWithinClasses); NaN: not measured.
    double trustworthinessWithin = std::numeric_limits<double>::quiet_NaN();
};

/// The same, point by point.
struct PointTrust
{
    std::vector<double> divergence; ///< [P] parts of klExact
    std::vector<double> kept;       ///< [P] share of the 10 nearest neighbours that the map keeps
};

} // namespace headscope

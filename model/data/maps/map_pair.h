// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace headscope
{

/// How the points of two maps were matched.
enum class MapMatch
{
    Points,    ///< the same document and head
    Documents, ///< the same document; the maps share no head
};

/// How much of the neighbourhoods of one map another one keeps.
struct MapDifference
{
    std::int64_t neighbors = 10;         ///< k; fewer where there are too few points
    std::vector<float> changed;          ///< [P] share of the k nearest in A that are not among those in B
    double mean = 0;                     ///< of changed
    std::vector<std::int64_t> histogram; ///< [k + 1] number of points with this many changed neighbours
};

/// Two maps, matched and aligned: matched points alone, B moved onto A and scaled to its spread.
struct MapPair
{
    std::shared_ptr<const HeadMap> a; ///< as they were
    std::shared_ptr<const HeadMap> b;
    MapMatch match = MapMatch::Points;
    std::shared_ptr<const PointIds> points; ///< [P] as in A
    std::vector<std::int32_t> headInB;      ///< [P]
    MatrixF xyA;                            ///< [P, 2]
    MatrixF xyB;                            ///< [P, 2] after alignment
    std::int64_t onlyInA = 0;               ///< points without a partner, or not finite
    std::int64_t onlyInB = 0;
    double correlation = 0; ///< Procrustes correlation, 0..1
    MapDifference difference;
};

} // namespace headscope

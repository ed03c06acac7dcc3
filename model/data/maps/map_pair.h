// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
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
    std::optional<double> keptWithin{};          ///< as in MapAgreement
    std::optional<double> shuffledCorrelation{}; ///< as in MapAgreement

    [[nodiscard]] MapAgreement agreement() const
    {
        return {difference.neighbors, 1 - difference.mean, correlation, keptWithin, shuffledCorrelation};
    }
};

/// The noise floors that a pair can be held against: those of maps of which every point is matched. Among fewer
/// points other neighbours are near.
struct PairFloors
{
    std::optional<NoiseFloor> a;
    std::optional<NoiseFloor> b;
    std::optional<FloorVerdict> ofA; ///< the pair against the floor of A
    std::optional<FloorVerdict> ofB;
    /// What both say together: Above and Within only where every known floor says so, or one says Within and the
    /// other Above (then noise alone differs as much for one of them: Within); Method in place of Above where both
    /// maps are of the same vectors (makingOf); nothing: no floor is known.
    std::optional<FloorFinding> finding;
    /// Undecided where r of the pair is among the twins of a known floor; else what it says of all.
    CorrelationFinding correlation = CorrelationFinding::Unknown;

    /// @cost O(P log P)
    explicit PairFloors(const MapPair& pair);

    /// Whether the maps differ by more than noise; nothing where there is no verdict.
    [[nodiscard]] std::optional<bool> exceeded() const;
};

} // namespace headscope

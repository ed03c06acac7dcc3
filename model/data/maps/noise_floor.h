// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/chance_kept.h"
#include "model/data/results/interval.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace headscope
{

/// How much two maps of the same points agree, whatever their rotation, mirroring and scale.
struct MapAgreement
{
    std::int64_t neighbors = 0; ///< k; fewer than asked for where there are too few points
    double kept = 0;            ///< mean share of a point's k nearest in one map that are its k nearest in the other
    double correlation = 0;     ///< Procrustes correlation, 0..1
    /// `kept` of maps that only know of which head or segment each point is; nothing where there is one alone, or where
    /// it is not known.
    std::optional<double> keptWithin{};
    /// `correlation` after the documents are permuted inside each head (shuffledCorrelation); nothing: not known.
    std::optional<double> shuffledCorrelation{};

    bool operator==(const MapAgreement&) const = default;
};

/// How much a map agrees with its noise replicates: maps of the same vectors after a little noise, recomputed with the
/// same options. Two maps that agree as much do not differ by more than noise does.
struct NoiseFloor
{
    MapAgreement mean;      ///< with the twins
    double leastKept = 0;   ///< by one twin
    double mostKept = 0;    ///< by one twin
    std::int64_t twins = 0; ///< at least 1
    double noise = 0;       ///< sd of each number of a vector, as a share of that vector's root mean square
    std::uint64_t noiseSeed = 0;
    /// [P] share of each point's nearest that the twins keep, mean over them; empty where it is not known (a file
    /// that was written without it).
    std::vector<float> keptByPoint{};
    /// Standard deviation of the share over the twins (divisor twins - 1); nothing with one twin, or not known.
    std::optional<double> keptSd{};
    std::optional<double> leastCorrelation{}; ///< with one twin; nothing: not known
    std::optional<double> mostCorrelation{};

    bool operator==(const NoiseFloor&) const = default;
};

/// So many twins are needed before anything is said: the share that one twin keeps, and its r, move with the draw of
/// the noise.
inline constexpr std::int64_t kVerdictTwins = 3;

/// What a comparison with a noise floor shows.
enum class FloorFinding
{
    Unknown,    ///< no interval: shares by point or the spread are not known, or of fewer than two documents
    Unstable,   ///< the map's own twins are near chance: no comparison of it says anything
    FewTwins,   ///< fewer than kVerdictTwins
    Undecided,  ///< the interval of the difference holds 0, or the other map lies among the twins
    Contradict, ///< neighbours and correlation point in opposite ways
    Above,      ///< differs by more than noise does
    Within,     ///< differs by less than noise does
    Method,     ///< differs by more than noise does, but both maps are of the same vectors
};

/// What the Procrustes correlation says to a finding Above or Within.
enum class CorrelationFinding
{
    Unknown,
    Agrees,      ///< beyond all twins on the same side as the neighbours
    Undecided,   ///< among those of the twins
    Contradicts, ///< beyond all twins on the other side
};

struct FloorVerdict
{
    FloorFinding finding = FloorFinding::Unknown;
    CorrelationFinding correlation = CorrelationFinding::Unknown;
    /// Share of neighbours kept by the twins less that kept by the other map.
    double difference = 0;
    /// 95% over documents (jackknife) and draws of the noise (Student's t over the twins); NaN with fewer than
    /// kVerdictTwins.
    Interval ci95{};
};

/// Below this share of what lies between chance and 1 a floor counts as near chance.
inline constexpr double kStableFloor = 0.1;

/// Whether a floor is so near to chance that the map does not reproduce itself.
/// @param points  of the map
[[nodiscard]] constexpr bool nearChance(const NoiseFloor& floor, std::int64_t points)
{
    const double chance = chanceKept(floor.mean.neighbors, points);
    return floor.mean.kept - chance < kStableFloor * (1 - chance);
}

/// Compares how much another map agrees with a map with how much its noise replicates do.
/// @param maps       agreement with the other map
/// @param kept       [P] share of each point's nearest that the other map keeps, in any order of the points
/// @param documents  [P] of `kept`
/// @param own        [P] documents of floor.keptByPoint; the same points
/// @return  Unknown where lengths differ
[[nodiscard]] FloorVerdict floorVerdict(const MapAgreement& maps, std::span<const float> kept,
                                        std::span<const std::int32_t> documents, const NoiseFloor& floor,
                                        std::span<const std::int32_t> own);

} // namespace headscope

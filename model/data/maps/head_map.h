// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/head_vectors.h"
#include "model/data/maps/map_trust.h"
#include "model/data/maps/noise_floor.h"
#include "model/data/maps/tsne_options.h"
#include "model/data/matrix.h"
#include "model/data/origin.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope
{

/// A change that the user made to a run: options and seed alone do not reproduce such a map.
struct MapTurn
{
    enum class Kind
    {
        Exaggeration, ///< from here on `value` is the late exaggeration; at iteration 0: what it began with
        Noise,        ///< the points were moved by normal noise of `value` times the map's spread
        Start,        ///< it began at the positions of another map
        FixedLength,  ///< from here on it no longer stopped by itself
    };
    int iteration = 0; ///< iterations done before it
    Kind kind = Kind::Exaggeration;
    double value = 0;
    std::string name; ///< of Start: the map it began from

    bool operator==(const MapTurn&) const = default;
};

/// A 2-D t-SNE of head vectors, finished or on its way. Immutable once published.
struct HeadMap
{
    std::string name = "map";
    std::shared_ptr<const PointIds> points; ///< P (document, head) pairs
    MatrixF xy;                             ///< [P, 2]
    Stage stage = Stage::HeadOutput;
    LayerIndex layer;
    TsneOptions options;
    int iteration = 0;                 ///< iterations done
    double kl = 0;                     ///< Kullback-Leibler divergence at the last check; NaN before the first
    std::string hash;                  ///< XXH3 of the coordinates' bytes, when finished
    std::string inputHash;             ///< XXH3 of the vectors' bytes
    std::int64_t leftOut = 0;          ///< rows left out because they hold NaN or infinity
    std::int64_t equalPoints = 0;      ///< points moved off an earlier one with the same vector at the start
    std::optional<MapTrust> trust;     ///< when it was measured
    std::optional<NoiseFloor> floor{}; ///< when it was measured
    std::vector<MapTurn> turns;        ///< in their order; empty: the options say it all
    Origin origin{};                   ///< the cache whose documents and heads its points are
    std::string application{};         ///< the program that made it, "Headscope 0.1.0"; empty: not known
};

/// Whether a map has a noise floor of enough twins for a verdict.
[[nodiscard]] inline bool hasVerdictTwins(const HeadMap& map)
{
    return map.floor && map.floor->twins >= kVerdictTwins;
}

} // namespace headscope

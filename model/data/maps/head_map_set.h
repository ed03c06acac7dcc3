// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map.h"

#include <string>
#include <vector>

namespace headscope
{

/// One map of a set: those of one head's vectors, or of the full vector.
struct MapOfSet
{
    HeadMap map;            ///< name: "s1_h00", "l007_s1_h00" or "full"; 0-based head
    double correlation = 0; ///< Procrustes correlation with the mean of all maps
    /// Mean agreement with the other maps of heads, when it was measured; the full vector's map is no other.
    std::optional<MapAgreement> others{};
    /// [P] share of each document's nearest that those maps keep, mean over them; empty where it is not known.
    std::vector<float> othersByPoint{};

    /// How the other maps differ from this one, against its noise floor; nothing where either was not measured.
    /// @cost O(P log P)
    [[nodiscard]] std::optional<FloorVerdict> verdict() const
    {
        if (!map.floor || !others || map.points == nullptr)
            return std::nullopt;
        return floorVerdict(*others, othersByPoint, map.points->document, *map.floor, map.points->document);
    }
};

/// Maps of the same documents, aligned: small multiples. The maps' points share their documents.
struct HeadMapSet
{
    std::string name = "map";
    MatrixF start; ///< [N, 2] where all maps began
    std::vector<MapOfSet> maps;
    std::string fullSource; ///< what "full" is; empty when it is not among them
    std::string hash;       ///< XXH3 of the coordinates' bytes of all maps, one after another
    Origin origin{};        ///< that of every map
};

} // namespace headscope

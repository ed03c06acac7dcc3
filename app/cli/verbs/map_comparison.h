// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/frame/facts.h"
#include "model/data/maps/head_map.h"
#include "model/data/maps/map_making.h"

#include <cstdint>
#include <optional>
#include <string>

namespace headscope::cli
{

/// The map that FILE.h5:/maps/NAME/xy names, with its layer, stage and points; nothing where the file does not tell
/// them, or for another array. The points of a full vector's map have no heads.
/// @errors those of Hdf5Reader and readMapGroup
[[nodiscard]] Result<std::optional<HeadMap>> readNamedMap(const std::string& source, JobContext& job);

/// How far two maps agree, and the noise floors that their files carry.
struct MapComparison
{
    std::string other;        ///< as it was named
    bool byPoint = true;      ///< the points of both maps are the same documents and heads; else documents alone
    bool ofOtherRows = false; ///< by point, but of another layer or stage: rows of the same number alone
    std::int64_t points = 0;  ///< in both
    MapAgreement agreement;
    Interval keptCi95; ///< of agreement.kept, over documents whose neighbours stay; NaN: not known, or too few
    std::string units = "heads";     ///< what the points of a document are: "heads", "segments" or "heads or segments"
    std::optional<NoiseFloor> floor; ///< of the map, where all its points are in both
    std::optional<NoiseFloor> otherFloor; ///< of the other
    std::optional<bool> exceeds;          ///< whether they differ by more than these; nothing: no verdict
    std::optional<FloorFinding> finding;  ///< what both floors say together; nothing: none is known
    CorrelationFinding correlation = CorrelationFinding::Unknown; ///< what r says to it
    std::optional<MapMaking> making{};                            ///< nothing: of plain matrices
    std::optional<FloorVerdict> ofMap;                            ///< against the floor of the map
    std::optional<FloorVerdict> ofOther;
};

/// Matches the points by document and head, or by document where no such pair is shared (pairMaps); maps of plain
/// matrices row by row.
/// @param map,other  FILE.h5:/maps/NAME/xy or any matrix [P, 2]
/// @errors those of readNamedMap, readMatrix and pairMaps; ShapeMismatch (matrices of other lengths)
[[nodiscard]] Result<MapComparison> compareWith(const std::string& map, const std::string& other, int numThreads,
                                                JobContext& job);

[[nodiscard]] Members againstMembers(const MapComparison& against);
[[nodiscard]] FactLines againstLines(const MapComparison& against);

} // namespace headscope::cli

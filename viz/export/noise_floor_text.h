// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map_set.h"
#include "model/data/maps/map_pair.h"
#include "model/data/maps/noise_floor.h"

#include <QString>

#include <optional>

namespace headscope::viz
{

/// "1e-4", not 0.0001.
[[nodiscard]] QString noiseWords(double noise);

/// "47% of neighbours kept (r 0.52)".
[[nodiscard]] QString agreementWords(const MapAgreement& agreement);

/// "same data with 1e-4 noise: 47% (r 0.52)".
[[nodiscard]] QString floorWords(const NoiseFloor& floor);

/// What the floor is, for a caption: "Noise floor, of one noise replicate: a map of the same vectors, each moved by
/// Gaussian noise of 1e-4 of its root mean square, keeps 47% of the 10 nearest (chance: unrelated maps 0.6%), r 0.52."
/// @param map  whose floor it is
[[nodiscard]] QString floorSentence(const HeadMap& map, const NoiseFloor& floor);

/// "chance: unrelated maps 1%, maps that only know the heads 5%": the shares that such maps keep.
/// @param units  "heads" or "segments"
[[nodiscard]] QString chanceWords(const MapAgreement& agreement, std::int64_t points, const QString& units);

/// "r 0.52 (documents permuted inside heads: 0.43)".
[[nodiscard]] QString correlationWords(const MapAgreement& agreement, const QString& units);

/// What a comparison with the floor shows, as a sentence.
[[nodiscard]] QString findingWords(FloorFinding finding, CorrelationFinding correlation);
/// The same of a pair, where a floor is known, and what the maps were made of and with (makingText), where that may be
/// why they differ; empty of other vectors, made alike, without a floor.
[[nodiscard]] QString findingWords(const MapPair& pair);

/// Neighbours that the other heads' maps keep of a map of a set, and its noise replicates: "25 / 47%", or
/// "47 ≈ 47% · within noise" where noise differs by more; "· above noise", "· undecided", "· r contradicts",
/// "· unstable", or of fewer than kVerdictTwins "· 1 replicate". Empty where it was not measured.
[[nodiscard]] QString othersWords(const MapOfSet& map);

} // namespace headscope::viz

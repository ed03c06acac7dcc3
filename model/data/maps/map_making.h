// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/map_pair.h"

#include <string>

namespace headscope
{

/// What two maps were made of, and how differently: why they may differ beside their vectors.
struct MapMaking
{
    bool isOfSameVectors = false; ///< each matched point stands for the same vector on both
    std::string differs;          ///< "perplexity 30 / 50, affinities sparse / dense"; empty: made alike
};

/// Vectors are told by their hash, or, of maps of one opened cache, by layer, stage and points.
[[nodiscard]] MapMaking makingOf(const MapPair& pair);

/// What that means for a difference of the maps, as a sentence without capital and full stop: "both maps are of the
/// same vectors: what differs beyond noise can only come from perplexity 30 / 50, and not from the data", or, of other
/// vectors, "the maps were made differently, too (perplexity 30 / 50): what differs may come from that". Empty of other
/// vectors whose maps were made alike.
[[nodiscard]] std::string makingText(const MapMaking& making);

} // namespace headscope

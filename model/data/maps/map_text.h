// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map.h"

#include <cstdint>
#include <string>

namespace headscope
{

/// Whether the seed had a part in a map: seedMatters, or points moved by noise on the way.
[[nodiscard]] bool seedMatters(const HeadMap& map);

/// Where a run began, and its seed where that had a part in it: "PCA initialization", "random initialization, seed 3",
/// "PCA initialization jittered by 1% of its spread, seed 2", "PCA initialization, neighbours searched with seed 1",
/// "given initialization".
[[nodiscard]] std::string startText(const TsneOptions& options, std::int64_t points);
/// The same of a map; coordinates of another map are named: "initialized from \"MAP\"".
[[nodiscard]] std::string startText(const HeadMap& map);

/// What the objective's P is made of: "sparse affinities (90 neighbours)", "dense affinities (all pairs)".
[[nodiscard]] std::string affinitiesText(const TsneOptions& options, std::int64_t points);

/// Whether a run ended (or stands) while attraction is still exaggerated: it has not begun to fit the affinities
/// themselves, and clusters are drawn together more than the vectors ask for.
[[nodiscard]] bool isExaggerated(const HeadMap& map);

/// Says where a map was not made by this version of the program: "Headscope 0.0.9, this is Headscope 0.1.0: another
/// version may place points otherwise"; empty where it was.
[[nodiscard]] std::string otherVersionText(const HeadMap& map);

} // namespace headscope

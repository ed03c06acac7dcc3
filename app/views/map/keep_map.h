// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map.h"
#include "model/data/maps/head_map_set.h"
#include "model/data/model_info.h"
#include "model/io/cache/cache_reader.h"
#include "viz/color/head_palette.h"
#include "viz/color/inks.h"

#include <QImage>

#include <memory>

namespace headscope::desktop
{

/// Up to this many points a kept map is measured as by `headscope tsne --quality`. Above, the exact divergence would
/// take minutes: only the neighbourhoods of the same 2,000 sampled points are measured.
inline constexpr std::int64_t kMeasuredWhole = 60'000;

/// A map with its trust numbers.
/// @param vectors  of the map's layer and stage
/// @errors those of measureMap; ShapeMismatch (points that these vectors do not have)
/// @cost   up to kMeasuredWhole points that of measureMap; above, one pass over the vectors for each of
///         2,000 points (times not measured)
[[nodiscard]] Result<HeadMap> withTrust(const HeadMap& map, const HeadVectors& vectors, int numThreads,
                                        JobContext& job);

/// A map as a small picture on a transparent background, coloured by head.
/// @param side  pixels
[[nodiscard]] QImage mapThumbnail(const HeadMap& map, const viz::HeadPalette& palette, viz::InkTheme theme, int side);

/// Puts a map into a cache file, under its name, and opens the file again: the former reader holds the replaced file,
/// whose disk space it would keep.
/// @param replace  whether a map of that name may be replaced
/// @param cache  as it was opened: nothing is put into another one that has taken its place
/// @errors those of saveMap; InvalidArgument: another cache is there now
/// @cost   that of saveMap; where the cache has no checksums, two reads of all vectors besides
[[nodiscard]] Result<std::shared_ptr<CacheReader>> storeMap(CacheReader& cache, HeadMap map, bool replace,
                                                            JobContext& job);

/// The same for the maps of a grid.
[[nodiscard]] Result<std::shared_ptr<CacheReader>> storeMapSet(CacheReader& cache, HeadMapSet set, bool replace,
                                                               JobContext& job);

} // namespace headscope::desktop

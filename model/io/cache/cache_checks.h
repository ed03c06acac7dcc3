// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/error.h"
#include "model/base/result.h"
#include "model/data/maps/head_map.h"
#include "model/io/cache/cache_info.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace headscope
{

// What every CacheReader checks before it reads, and the errors of what is not there: the same sentences whatever a
// cache is kept in. Paths are those of the cache.

/// The vectors of this layer and stage, or null. They live as long as `info`.
[[nodiscard]] const VectorsInfo* vectorsIn(const CacheInfo& info, LayerIndex layer, Stage stage);

/// The topic vectors of a label column for this layer and stage, or null. They live as long as `info`.
[[nodiscard]] const VectorsInfo* topicsIn(const CacheInfo& info, std::string_view column, LayerIndex layer,
                                          Stage stage);

/// Whether a name is one of the maps, or "SET/MEMBER" of one of the sets (whether the set has that member is not
/// known from `info`).
[[nodiscard]] bool mapIn(const CacheInfo& info, const std::string& name);

[[nodiscard]] bool mapSetIn(const CacheInfo& info, const std::string& name);

/// InvalidArgument: there are no such vectors, and which there are.
[[nodiscard]] Error noVectors(const CacheInfo& info, LayerIndex layer, Stage stage, const std::filesystem::path& path);

/// InvalidArgument: there are no such topic vectors, and which there are of this column.
[[nodiscard]] Error noTopics(const CacheInfo& info, std::string_view column, LayerIndex layer, Stage stage,
                             const std::filesystem::path& path);

/// InvalidArgument: there is no such map, and which there are.
[[nodiscard]] Error noMap(const CacheInfo& info, const std::string& name, const std::filesystem::path& path);

/// InvalidArgument: there is no such aligned set, and which there are.
[[nodiscard]] Error noMapSet(const CacheInfo& info, const std::string& name, const std::filesystem::path& path);

/// A range with its end filled in: 0 <= begin <= end <= documents.
/// @param place  what the rows are of, for the error; may be empty
/// @errors InvalidArgument (out of bounds)
[[nodiscard]] Result<DocumentRange> rowsWithin(DocumentRange range, std::int64_t documents,
                                               const std::filesystem::path& path, const std::string& place);

/// Whether every point of a map is a document and a head of this cache.
/// @errors BadFormat (with the first point that is not)
[[nodiscard]] Status expectPointsIn(const CacheInfo& info, const HeadMap& map, const std::filesystem::path& path);

} // namespace headscope

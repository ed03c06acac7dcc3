// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/maps/head_map.h"
#include "model/io/cache/cache_info.h"

#include <filesystem>

namespace headscope
{

/// Whether every point of a map is a document and a head of this cache.
/// @errors BadFormat (with the first point that is not)
[[nodiscard]] Status expectPointsIn(const CacheInfo& info, const HeadMap& map, const std::filesystem::path& path);

} // namespace headscope

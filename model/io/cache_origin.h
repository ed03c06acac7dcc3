// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/head_map.h"
#include "model/data/origin.h"
#include "model/io/cache_info.h"
#include "model/io/checksums.h"

#include <filesystem>

namespace headscope
{

/// The identity of a cache, from what its opening has read: no number of it is read for this.
///
/// Of a cache with checksums: the hash of those of its model, documents, vectors and topics. A copy of the file has
/// the same, and so has the file after a map was put into it; other documents or vectors have another. Where a
/// dataset of these has no checksum, the file itself counts: its path, size and time of change.
[[nodiscard]] Origin originOf(const std::filesystem::path& path, const CacheInfo& info, const ChecksumTable& checksums);

/// Whether every point of a map is a document and a head of this cache.
/// @errors BadFormat (with the first point that is not)
[[nodiscard]] Status expectPointsIn(const CacheInfo& info, const HeadMap& map, const std::filesystem::path& path);

} // namespace headscope

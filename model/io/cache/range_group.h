// SPDX-License-Identifier: GPL-3.0-or-later
// The group /range of a cache that holds some documents of a run.
#pragma once

#include "model/base/result.h"
#include "model/io/cache/cache_info.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/hdf5/hdf5_writer.h"

#include <cstdint>
#include <optional>

namespace headscope
{

[[nodiscard]] Status writeRangeGroup(Hdf5Writer& file, const CacheRange& range);

/// @param documents  that the cache holds
/// @return nothing where the cache has no such group: it is of a whole run
/// @errors BadFormat (numbers that do not fit together, texts that are no JSON)
[[nodiscard]] Result<std::optional<CacheRange>> readRangeGroup(const Hdf5Reader& file, std::int64_t documents);

} // namespace headscope

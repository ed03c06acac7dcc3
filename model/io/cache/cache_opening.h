// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/io/cache/cache_info.h"
#include "model/io/hdf5/hdf5_reader.h"

namespace headscope
{

/// Reads and checks what CacheInfo holds: format and version, model sizes, shapes of all datasets,
/// and that the table of checksums names what is there.
/// @errors BadFormat, Unsupported (newer version, data outside of the file)
[[nodiscard]] Result<CacheInfo> readCacheInfo(const Hdf5Reader& file);

} // namespace headscope

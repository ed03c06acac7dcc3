// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/document_set.h"
#include "model/data/head_vectors.h"
#include "model/io/cache_info.h"
#include "model/io/checksums.h"
#include "model/io/hdf5_reader.h"

#include <memory>
#include <string>
#include <vector>

namespace headscope
{

/// Which documents and head vectors a cache holds, as 32 hexadecimal digits: what is kept beside a cache
/// (work_file.h) belongs to it by this.
///
/// It stays when maps are stored in the cache, when the file is moved or renamed, and when the same
/// extraction is made again with the same result; other documents, another order of them, other texts
/// or other vectors give another one.
///
/// originOf (cache_origin.h) is stricter: without checksums a file that was touched is another one there.
/// Taken from the checksums, without reading a vector. Where a dataset has none, its shape and up to
/// 64 rows spread over it stand for it; what cannot be read is told by who needs it.
[[nodiscard]] std::string identityOf(const Hdf5Reader& file, const ChecksumTable& checksums, const CacheInfo& info);

/// The same for a cache of another format, which is held in memory whole.
[[nodiscard]] std::string identityOf(const CacheInfo& info, const DocumentSet& documents,
                                     const std::vector<std::shared_ptr<const HeadVectors>>& vectors);

} // namespace headscope

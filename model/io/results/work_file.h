// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/origin.h"
#include "model/data/result_store.h"
#include "model/io/cache/cache_info.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace headscope
{

/// The work that is kept beside a cache: CACHE.h5.headscope.
///
/// An HDF5 file with a seal, so that any damaged or missing byte is found before it is read:
///
///     /                attrs: format "headscope-work", version 1, application, identity, cache (path),
///                      saved (ms since 1970), grids (how many)
///     /sets/NNN        attrs: name, color ("#rrggbb"), on_map; documents [n] int64, id [n] UTF-8
///     /map_order       [M] UTF-8
///     /maps/NAME       as in a cache
///     /maps/grid%2FNNN as an aligned set of a cache; attrs: key, name
///     /probes/NNN      heads [H] int64, documents (of these alone) [n] int64; result and control with everything a
///     probe's result holds
///     /figures         file, recipe (JSON) [F] UTF-8
struct WorkFile
{
    std::string identity; ///< of the cache (cache_identity.h)
    std::string cache;    ///< its path, for people
    std::int64_t savedMs = 0;
    ResultStore work;
};

class RecordFields;

/// What the root says, and the sets of documents.
void fields(RecordFields& record, WorkFile& work);
void fields(RecordFields& record, KeptSet& set);

/// "CACHE.h5.headscope".
[[nodiscard]] std::filesystem::path workPathBeside(const std::filesystem::path& cache);

/// Writes it whole, or leaves what was there.
/// @errors Resource
[[nodiscard]] Status writeWorkFile(const std::filesystem::path& target, const WorkFile& file);

/// Reads the work of this cache; a file of another cache is refused.
/// @errors FileNotFound, BadFormat (damaged, cut short, another kind of file), Unsupported (a newer Headscope
///         wrote it), InvalidArgument (of another cache), Resource
/// @param origin  of that cache: what is read belongs to it
[[nodiscard]] Result<WorkFile> readWorkFile(const std::filesystem::path& path, const CacheInfo& cache,
                                            const Origin& origin = {});

} // namespace headscope

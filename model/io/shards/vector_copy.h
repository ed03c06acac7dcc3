// SPDX-License-Identifier: GPL-3.0-or-later
// Takes what a cache holds into another; for the other files of this folder alone.
#pragma once

#include "model/base/error.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/io/cache/cache_draft.h"
#include "model/io/hdf5/hdf5_reader.h"

#include <cstdint>
#include <filesystem>

namespace headscope
{

/// Of a cache that was opened twice, and was not the same.
[[nodiscard]] Error changedMeanwhile(const std::filesystem::path& cache);

/// Copies the vectors of a layer and stage into a cache that comes to be. They are verified as they are copied: what
/// was copied of damaged numbers must never be published.
/// @param begin  the row that the first one becomes
/// @errors BadFormat (another shape, another checksum or none), Resource, Cancelled
/// @cost   memory: some 8 MB
[[nodiscard]] Status copyChecked(const Hdf5Reader& file, const VectorsInfo& vectors, std::int64_t begin,
                                 CacheDraft& target, JobContext& job);

} // namespace headscope

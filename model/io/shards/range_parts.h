// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/io/cache/cache_info.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headscope
{

/// The cache of one range of a run.
struct RangePart
{
    std::filesystem::path path;
    CacheInfo info; ///< with its range

    [[nodiscard]] const CacheRange& range() const { return *info.header.range; }
};

/// The caches of ranges of one run.
struct RangeParts
{
    std::vector<RangePart> parts;     ///< ascending, each range once
    std::vector<std::string> notices; ///< of ranges that are there twice, and of files that are passed over

    /// Documents of the whole run.
    [[nodiscard]] std::int64_t documents() const;
    /// What no part holds, in pieces as long as the longest part, which begin where such a part would.
    [[nodiscard]] std::vector<DocumentRange> missing() const;
};

/// The pieces of [0, documents) that no range holds, cut at the multiples of `step`.
/// @param ranges  ascending
[[nodiscard]] std::vector<DocumentRange> missingRanges(const std::vector<DocumentRange>& ranges, std::int64_t documents,
                                                       std::int64_t step);

/// Opens the caches of ranges, verifies their seals, and checks that all are of one run. Of two with the same range
/// one counts.
/// @param paths  files, and folders, of which the .h5 files are taken that are such caches
/// @return  no part where folders hold none
/// @errors those of CacheReader::open; BadFormat (no cache of a range; another run, by what differs; two ranges that
///         overlap; no seal), Cancelled
[[nodiscard]] Result<RangeParts> openRangeParts(const std::vector<std::filesystem::path>& paths, JobContext& job);

} // namespace headscope

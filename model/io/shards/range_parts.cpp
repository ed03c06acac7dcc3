// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/shards/range_parts.h"

#include "model/base/file.h"
#include "model/base/folder_entries.h"
#include "model/io/cache/cache_identity.h"
#include "model/io/cache/cache_opening.h"
#include "model/io/hdf5/checksums.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/shards/range_differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace headscope
{
namespace
{

namespace fs = std::filesystem;

/// A file that was named, or found in a folder that was.
struct Candidate
{
    fs::path path;
    bool named = false;
};

Result<std::vector<Candidate>> candidatesIn(const std::vector<fs::path>& paths)
{
    std::vector<Candidate> found;
    for (const fs::path& path : paths)
    {
        std::error_code failed;
        if (!fs::is_directory(path, failed))
        {
            found.push_back({path, true});
            continue;
        }
        std::vector<fs::path> inside;
        for (const auto& entry : entriesOf(path, FolderDepth::Folder, failed))
            if (entry.path().extension() == ".h5" && entry.is_regular_file(failed))
                inside.push_back(entry.path());
        if (failed)
            return systemError(failed.value(), path, "reading the folder");
        std::sort(inside.begin(), inside.end());
        for (fs::path& each : inside)
            found.push_back({std::move(each), false});
    }
    return found;
}

Error badPart(const fs::path& path, std::string message)
{
    return {ErrorCode::BadFormat, std::move(message), path.string(), {}};
}

Result<RangePart> openPart(const fs::path& path, JobContext& job)
{
    HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(path, job));
    HEADSCOPE_TRY(CacheInfo info, readCacheInfo(file));
    info.identity = identityOf(file, file.checksums(), info);
    if (info.header.range && file.seal() != SealState::Good)
        return badPart(path, "expected a cache as extract --range wrote it, found a cache that another program changed "
                             "(it has no seal)");
    return RangePart{path, std::move(info)};
}

Status checkSameRun(const RangePart& first, const RangePart& part)
{
    const Difference found = runDifference(first.info, part.info);
    if (found.what.empty())
        return {};
    return badPart(part.path, fmt::format("expected a part of the same run as {}, found a part of another run: {}",
                                          first.path.string(), found.words()));
}

/// Ascending, each range once.
Status putInOrder(RangeParts& all)
{
    std::stable_sort(all.parts.begin(), all.parts.end(), [](const RangePart& a, const RangePart& b) {
        return std::pair(a.range().begin, a.range().end) < std::pair(b.range().begin, b.range().end);
    });
    std::vector<RangePart> kept;
    for (RangePart& part : all.parts)
    {
        const RangePart* before = kept.empty() ? nullptr : &kept.back();
        if (before != nullptr && before->range().begin == part.range().begin && before->range().end == part.range().end)
        {
            all.notices.push_back(fmt::format("{} and {} contain the same documents: the first one is used",
                                              before->path.string(), part.path.string()));
            continue;
        }
        if (before != nullptr && before->range().end > part.range().begin)
            return badPart(
                part.path,
                fmt::format(
                    "expected ranges that do not overlap, found {}:{} here and {}:{} in {}: omit one of the two",
                    part.range().begin, part.range().end, before->range().begin, before->range().end,
                    before->path.string()));
        kept.push_back(std::move(part));
    }
    all.parts = std::move(kept);
    return {};
}

} // namespace

std::int64_t RangeParts::documents() const
{
    return parts.empty() ? 0 : parts.front().range().documents;
}

std::vector<DocumentRange> RangeParts::missing() const
{
    std::vector<DocumentRange> ranges;
    std::int64_t longest = 1;
    for (const RangePart& part : parts)
    {
        ranges.push_back({part.range().begin, part.range().end});
        longest = std::max(longest, part.range().end - part.range().begin);
    }
    return missingRanges(ranges, documents(), longest);
}

std::vector<DocumentRange> missingRanges(const std::vector<DocumentRange>& ranges, std::int64_t documents,
                                         std::int64_t step)
{
    std::vector<DocumentRange> missing;
    std::int64_t next = 0;
    const auto addUntil = [&](std::int64_t end) {
        while (next < end)
        {
            const std::int64_t piece = std::min(end, (next / step + 1) * step);
            missing.push_back({next, piece});
            next = piece;
        }
    };
    for (const DocumentRange& range : ranges)
    {
        addUntil(range.begin);
        next = std::max(next, range.end);
    }
    addUntil(documents);
    return missing;
}

Result<RangeParts> openRangeParts(const std::vector<fs::path>& paths, JobContext& job)
{
    HEADSCOPE_TRY(const auto candidates, candidatesIn(paths));
    RangeParts all;
    std::uint64_t done = 0;
    for (const Candidate& candidate : candidates)
    {
        HEADSCOPE_CHECK(job.checkStop());
        job.report("opening", done++, candidates.size(), "files");
        HEADSCOPE_TRY(RangePart part, openPart(candidate.path, job));
        if (!part.info.header.range && candidate.named)
            return badPart(candidate.path,
                           "expected the cache of a range (extract --range), found the cache of a whole run");
        if (!part.info.header.range)
        {
            all.notices.push_back(
                fmt::format("{} is ignored: it is the cache of a whole run, not of a range", candidate.path.string()));
            continue;
        }
        if (!all.parts.empty())
            HEADSCOPE_CHECK(checkSameRun(all.parts.front(), part));
        all.parts.push_back(std::move(part));
    }
    HEADSCOPE_CHECK(putInOrder(all));
    return all;
}

} // namespace headscope

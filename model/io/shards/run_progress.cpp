// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/shards/run_progress.h"

#include "model/base/file.h"
#include "model/base/folder_entries.h"
#include "model/base/output/output_lock.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/shards/range_differences.h"
#include "model/io/shards/range_parts.h"
#include "model/io/shards/shard_folder.h"
#include "model/io/shards/shard_manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

namespace headscope
{
namespace
{

namespace fs = std::filesystem;

constexpr const char* kRangeSetting = "--range";
constexpr const char* kIntoSetting = "--into";            ///< of a run that adds to a cache
constexpr const char* kTopicSetting = "--topic-template"; ///< which the vectors of documents do not depend on

bool isShardFolder(const fs::path& folder)
{
    std::error_code ignored;
    return fs::is_regular_file(folder / kShardManifest, ignored);
}

/// Where the caches and the parts of a run lie.
struct Places
{
    std::vector<fs::path> caches;  ///< or a folder of them
    std::vector<fs::path> folders; ///< of shards
};

Result<Places> placesOf(const fs::path& path)
{
    Places places;
    std::error_code failed;
    if (isShardFolder(path))
    {
        places.folders.push_back(path);
        return places;
    }
    if (fs::is_directory(path, failed))
    {
        places.caches.push_back(path);
        for (const auto& entry : entriesOf(path, FolderDepth::Folder, failed))
            if (isShardFolder(entry.path()))
                places.folders.push_back(entry.path());
        if (failed)
            return systemError(failed.value(), path, "reading the folder");
        std::sort(places.folders.begin(), places.folders.end());
        return places;
    }
    if (fs::exists(path, failed))
        places.caches.push_back(path);
    if (isShardFolder(shardFolder(path)))
        places.folders.push_back(shardFolder(path));
    if (places.caches.empty() && places.folders.empty())
        return Error{ErrorCode::FileNotFound,
                     "expected a folder of caches of ranges, a cache, or a cache in progress, found nothing",
                     path.string(),
                     {}};
    return places;
}

/// Gathers the parts of one run, and refuses those of others.
class Gathering
{
public:
    explicit Gathering(JobContext& job) : m_job(job) {}

    Status addCaches(const std::vector<fs::path>& paths)
    {
        std::error_code ignored;
        if (paths.size() == 1 && !fs::is_directory(paths.front(), ignored))
        {
            HEADSCOPE_TRY(const auto cache, CacheReader::open(paths.front(), m_job));
            const CacheInfo& info = cache->info();
            if (!info.header.range)
            {
                addDone(paths.front(), info, {0, info.documents});
                m_progress.documents = info.documents;
                return {};
            }
        }
        HEADSCOPE_TRY(const RangeParts parts, openRangeParts(paths, m_job));
        for (const RangePart& part : parts.parts)
        {
            addDone(part.path, part.info, {part.range().begin, part.range().end});
            m_progress.documents = part.range().documents;
            m_settings = part.range().settings;
            m_settings->erase(kTopicSetting);
        }
        m_progress.notices = parts.notices;
        return {};
    }

    Status addShards(const fs::path& folder)
    {
        const auto manifest = readManifest(folder);
        if (!manifest && manifest.error().code == ErrorCode::FileNotFound)
            return {}; // its cache has become whole meanwhile
        if (!manifest)
            return manifest.error();
        if (manifest->settings.contains(kIntoSetting))
        {
            const RunRange added = rangeOf(folder, *manifest, {manifest->documents.begin, manifest->documents.end});
            m_progress.notices.push_back(
                fmt::format("{}: {} of {} documents to add to a cache are done; {} is adding documents now: {}",
                            folder.string(), added.done, added.range.end - added.range.begin,
                            added.holder.empty() ? "no process" : added.holder, added.command));
            return {};
        }
        HEADSCOPE_CHECK(checkSameRun(folder, *manifest));
        const DocumentRange range{manifest->documents.begin, manifest->documents.end};
        const auto same = [&range](const RunRange& each) {
            return each.range.begin == range.begin && each.range.end == range.end;
        };
        if (std::any_of(m_progress.ranges.begin(), m_progress.ranges.end(), same))
        {
            m_progress.notices.push_back(
                fmt::format("{} is not counted: its documents are already done in another part", folder.string()));
            return {};
        }
        m_progress.ranges.push_back(rangeOf(folder, *manifest, range));
        return {};
    }

    Result<RunProgress> finish(const fs::path& path)
    {
        if (m_progress.ranges.empty())
            return Error{ErrorCode::BadFormat,
                         "expected caches of ranges (extract --range) or parts of a run, found none",
                         path.string(),
                         {}};
        std::stable_sort(m_progress.ranges.begin(), m_progress.ranges.end(),
                         [](const RunRange& a, const RunRange& b) { return a.range.begin < b.range.begin; });
        std::vector<DocumentRange> begun;
        std::int64_t longest = 1;
        for (const RunRange& each : m_progress.ranges)
        {
            begun.push_back(each.range);
            longest = std::max(longest, each.range.end - each.range.begin);
        }
        m_progress.untouched = missingRanges(begun, m_progress.documents, longest);
        return std::move(m_progress);
    }

private:
    void addDone(const fs::path& file, const CacheInfo& info, DocumentRange range)
    {
        m_progress.ranges.push_back({range, RunState::Done, range.end - range.begin, 0, file, info.header.command, {}});
    }

    /// Of one run with all that came before it.
    Status checkSameRun(const fs::path& folder, const ShardManifest& manifest)
    {
        const auto& documents = manifest.documents;
        if (documents.end <= documents.begin || documents.begin < 0 || documents.all < documents.end)
            return Error{ErrorCode::Unsupported,
                         "expected parts that list their documents, found parts of an older Headscope",
                         folder.string(),
                         {}};
        auto settings = manifest.settings;
        settings.erase(kRangeSetting);
        Difference found;
        if (m_settings)
            found = settingsDifference(*m_settings, settings);
        if (found.what.empty() && m_progress.documents > 0)
            found = textDifference("the number of documents of the whole run", std::to_string(m_progress.documents),
                                   std::to_string(documents.all));
        if (!found.what.empty())
            return Error{ErrorCode::BadFormat,
                         fmt::format("expected parts of the same run as {}, found parts of another run: {}",
                                     m_progress.ranges.front().file.string(), found.words()),
                         folder.string(),
                         {}};
        m_settings = std::move(settings);
        m_progress.documents = documents.all;
        return {};
    }

    static RunRange rangeOf(const fs::path& folder, const ShardManifest& manifest, DocumentRange range)
    {
        RunRange result;
        result.range = range;
        result.file = outputOfShards(folder);
        result.command = manifest.run;
        double seconds = 0;
        std::int64_t timed = 0;
        for (const ShardRecord& shard : manifest.shards)
        {
            result.done += shard.rows;
            seconds += shard.seconds;
            timed += shard.seconds > 0 ? shard.rows : 0;
        }
        result.done = std::min(result.done, range.end - range.begin);
        result.rate = seconds > 0 ? static_cast<double>(timed) / seconds : 0;
        const auto holder = OutputLock::holder(result.file);
        result.state = holder ? RunState::Running : RunState::Stopped;
        result.holder = holder.value_or("");
        return result;
    }

    JobContext& m_job;
    RunProgress m_progress;
    std::optional<std::map<std::string, std::string>> m_settings; ///< of the run
};

} // namespace

std::int64_t RunProgress::done() const
{
    std::int64_t sum = 0;
    for (const RunRange& each : ranges)
        sum += each.done;
    return std::min(sum, documents);
}

std::int64_t RunProgress::running() const
{
    std::int64_t sum = 0;
    for (const RunRange& each : ranges)
        sum += each.state == RunState::Running ? each.range.end - each.range.begin - each.done : 0;
    return sum;
}

double RunProgress::rate() const
{
    double sum = 0;
    for (const RunRange& each : ranges)
        sum += each.state == RunState::Running ? each.rate : 0;
    return sum;
}

Result<RunProgress> readRunProgress(const fs::path& path, JobContext& job)
{
    HEADSCOPE_TRY(const Places places, placesOf(path));
    Gathering gathering(job);
    if (!places.caches.empty())
        HEADSCOPE_CHECK(gathering.addCaches(places.caches));
    for (const fs::path& folder : places.folders)
    {
        HEADSCOPE_CHECK(job.checkStop());
        HEADSCOPE_CHECK(gathering.addShards(folder));
    }
    return gathering.finish(path);
}

} // namespace headscope

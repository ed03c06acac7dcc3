// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/extract_command.h"
#include "app/engine/engine_verb.h"
#include "app/engine/range_command.h"
#include "model/base/clock.h"
#include "model/base/hash.h"
#include "model/base/output/output_lock.h"
#include "model/base/output/output_path.h"
#include "model/io/shards/cache_join.h"
#include "model/io/shards/range_merge.h"
#include "model/io/shards/range_parts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace headscope::engine
{
namespace
{

using commands::MergeCommand;

/// All documents of the run, or what is missing and how to make it.
Status checkComplete(const RangeParts& parts, const MergeCommand& command)
{
    if (parts.parts.empty())
        return Error{
            ErrorCode::BadFormat, "expected caches of ranges (extract --range), found none", command.parts.front(), {}};
    const auto missing = parts.missing();
    if (missing.empty())
        return {};
    std::int64_t documents = 0;
    for (const DocumentRange& range : missing)
        documents += range.end - range.begin;
    return Error{ErrorCode::BadFormat,
                 fmt::format("expected all {} documents of the run, found {} in {} parts; these commands compute the "
                             "missing documents:{}",
                             parts.documents(), parts.documents() - documents, parts.parts.size(),
                             missingText(parts.parts.front().info.header.command, missing)),
                 command.parts.front(),
                 {}};
}

struct MergeAnswer
{
    MergeSummary summary;
    std::size_t parts = 0;
    double seconds = 0;
    std::string sha256;
};

std::string answerJson(const MergeAnswer& answer, const std::string& output)
{
    const nlohmann::ordered_json object = {{"documents", answer.summary.documents},
                                           {"parts", answer.parts},
                                           {"tokens", answer.summary.tokens},
                                           {"empty", answer.summary.empty},
                                           {"truncated", answer.summary.truncated},
                                           {"non_finite", answer.summary.nonFinite},
                                           {"seconds", answer.seconds},
                                           {"output", output},
                                           {"sha256", answer.sha256}};
    return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// Whether all that was named are caches of whole runs, and no folders.
Result<bool> areWholeCaches(const std::vector<std::filesystem::path>& paths, JobContext& job)
{
    std::error_code ignored;
    if (paths.size() < 2)
        return false;
    for (const auto& path : paths)
    {
        if (std::filesystem::is_directory(path, ignored))
            return false;
        HEADSCOPE_TRY(const bool whole, isWholeCache(path, job));
        if (!whole)
            return false;
    }
    return true;
}

/// Caches of whole runs into one.
Result<MergeAnswer> join(const std::vector<std::filesystem::path>& paths, const std::filesystem::path& output,
                         VerbContext& context)
{
    HEADSCOPE_TRY(const JoinedCaches joined, openCachesToJoin(paths, context.job));
    sayNotices(context, joined.notices);
    MergeAnswer answer;
    HEADSCOPE_TRY(answer.summary, joinCaches(joined, output, context.command, context.job));
    answer.parts = paths.size();
    return answer;
}

/// Caches of all ranges of a run into one.
Result<MergeAnswer> mergeAllRanges(const MergeCommand& command, const std::vector<std::filesystem::path>& paths,
                                   const std::filesystem::path& output, VerbContext& context)
{
    HEADSCOPE_TRY(const RangeParts parts, openRangeParts(paths, context.job));
    sayNotices(context, parts.notices);
    HEADSCOPE_CHECK(checkComplete(parts, command));
    std::vector<std::filesystem::path> files;
    for (const RangePart& part : parts.parts)
        files.push_back(part.path);
    HEADSCOPE_CHECK(checkIsNoInput(output, files));
    const std::string whole = commandOfWholeRun(parts.parts.front().info.header.command, command.output);
    MergeAnswer answer;
    HEADSCOPE_TRY(answer.summary, mergeRanges(parts, output, whole, context.job));
    answer.parts = parts.parts.size();
    return answer;
}

Result<MergeAnswer> merge(const MergeCommand& command, VerbContext& context)
{
    namespace fs = std::filesystem;
    const auto start = Clock::now();
    const std::vector<fs::path> paths(command.parts.begin(), command.parts.end());
    HEADSCOPE_CHECK(checkOutputPath(command.output, context.common.overwrite, paths));
    HEADSCOPE_TRY(const fs::path output, placeBehindLinks(command.output));
    HEADSCOPE_TRY(const auto lock, OutputLock::take(output));
    HEADSCOPE_CHECK(checkOutputPath(output, context.common.overwrite, paths)); // who held it may have made it
    HEADSCOPE_TRY(const bool whole, areWholeCaches(paths, context.job));
    HEADSCOPE_TRY(MergeAnswer answer,
                  whole ? join(paths, output, context) : mergeAllRanges(command, paths, output, context));
    // The cache is there: from here on a stop request changes nothing any more.
    JobContext unstoppable;
    HEADSCOPE_TRY(answer.sha256, sha256OfFile(output, unstoppable));
    answer.seconds = secondsSince(start);
    return answer;
}

Status runMerge(const MergeCommand& command, VerbContext& context)
{
    HEADSCOPE_TRY(const MergeAnswer found, merge(command, context));
    answer(
        context, [&] { return answerJson(found, command.output); },
        [&] {
            return fmt::format("{}: {} documents, {} tokens, from {} parts; {:.1f} s\n", command.output,
                               found.summary.documents, found.summary.tokens, found.parts, found.seconds);
        });
    return {};
}

} // namespace

RunVerb declareMerge(Fields& table)
{
    return verbOf(table, runMerge);
}

} // namespace headscope::engine

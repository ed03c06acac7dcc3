// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/aligned_tsne.h"

#include "app/cli/verb.h"
#include "model/analysis/aligned_maps.h"
#include "model/analysis/measure_map.h"
#include "model/base/clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::cli
{
namespace
{

/// What one map is made of.
struct Member
{
    std::string name;
    std::shared_ptr<const HeadVectors> vectors;
    std::int64_t head = -1; ///< -1: the full vector
    ConstMatrixView rows;
};

/// The chosen vectors of a cache, full first.
struct Members
{
    std::vector<Member> all;
    std::vector<std::int64_t> documents; ///< those of which every vector is finite
    std::int64_t leftOut = 0;
    std::string fullSource;
};

std::string memberName(const CacheInput& input, const HeadVectors& vectors, std::int64_t head)
{
    const std::string layer = input.layers.size() > 1 ? fmt::format("l{:03}_", vectors.layer().value()) : std::string();
    return fmt::format("{}s{}_h{:02}", layer, stageName(vectors.stage()), head);
}

bool isFinite(std::span<const float> values)
{
    return std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
}

/// Reads everything, keeps the documents that can be in every map, and points each member at its rows.
Result<Members> loadMembers(const CacheInput& input, const InputOptions& options, JobContext& job)
{
    Members members;
    HEADSCOPE_TRY(const FullPair full,
                  fullVectors(*input.cache, input.layers.front(), input.stages.front(), std::nullopt, job));
    members.fullSource = full.documents.source;
    members.all.push_back({"full", full.documents.vectors, -1, {}});
    for (const LayerIndex layer : input.layers)
    {
        for (const Stage stage : input.stages)
        {
            HEADSCOPE_TRY(const auto vectors, input.cache->load(layer, stage, {}, job));
            HEADSCOPE_TRY(const auto heads, input.headsOf(*vectors, options.heads));
            for (const std::int64_t head : heads)
                members.all.push_back({memberName(input, *vectors, head), vectors, head, {}});
        }
    }
    const auto row = [](const Member& member, std::int64_t document) {
        return member.head < 0 ? member.vectors->full(document) : member.vectors->vector(document, member.head);
    };
    for (const std::int64_t document : input.rows)
    {
        if (std::all_of(members.all.begin(), members.all.end(),
                        [&](const Member& member) { return isFinite(row(member, document)); }))
            members.documents.push_back(document);
        else
            ++members.leftOut;
    }
    std::shared_ptr<const HeadVectors> from;
    std::shared_ptr<const HeadVectors> chosen;
    for (Member& member : members.all)
    {
        if (member.vectors != from) // heads of one stage stand together and share their rows
        {
            from = member.vectors;
            chosen = takeRows(from, members.documents);
        }
        member.vectors = chosen;
        member.rows = member.head < 0 ? ConstMatrixView{chosen->values().data(), chosen->documents(),
                                                        chosen->heads() * chosen->dims()}
                                      : chosen->head(member.head);
    }
    return members;
}

HeadMap headMap(const Member& member, AlignedMap made, const std::vector<std::int32_t>& documents,
                const TsneOptions& options)
{
    HeadMap map;
    map.name = member.name;
    auto points = std::make_shared<PointIds>();
    points->document = documents;
    if (member.head >= 0)
        points->head.assign(documents.size(), static_cast<std::int32_t>(member.head));
    map.points = std::move(points);
    map.xy = std::move(made.xy);
    map.stage = member.vectors->stage();
    map.layer = member.vectors->layer();
    map.options = options;
    map.iteration = options.iterations;
    map.kl = made.kl;
    map.hash = std::move(made.hash);
    map.inputHash = std::move(made.inputHash);
    return map;
}

Status measureAll(const Members& members, HeadMapSet& set, const TsneOptions& options, int numThreads, JobContext& job)
{
    MapTrustOptions wanted;
    wanted.perplexities = options.perplexities;
    wanted.metric = options.metric;
    wanted.seed = options.seed;
    for (std::size_t m = 0; m < set.maps.size(); ++m)
    {
        job.report("measuring the maps", m, set.maps.size(), "maps");
        JobContext silent(job.stopToken());
        HeadMap& map = set.maps[m].map;
        HEADSCOPE_TRY(map.trust, measureMap(members.all[m].rows, map.xy.view(), wanted, numThreads, silent));
    }
    return {};
}

} // namespace

Result<AlignedRun> runAligned(const InputOptions& input, const TsneOptions& options, const MatrixF* given, bool quality,
                              int numThreads, JobContext& job)
{
    HEADSCOPE_TRY(const CacheInput cache, openCacheInput(input, job));
    HEADSCOPE_TRY(const Members members, loadMembers(cache, input, job));
    std::vector<AlignedSet> sets;
    for (const Member& member : members.all)
        sets.push_back({member.rows, member.head >= 0});
    const auto begin = Clock::now();
    HEADSCOPE_TRY(AlignedMaps made, alignedMaps(sets, options, numThreads, job, given));
    AlignedRun run;
    run.documents = static_cast<std::int64_t>(members.documents.size());
    run.leftOut = members.leftOut;
    run.set.start = std::move(made.start);
    run.set.fullSource = members.fullSource;
    run.set.hash = made.hash;
    const std::vector<std::int32_t> documents(members.documents.begin(), members.documents.end());
    for (std::size_t m = 0; m < made.maps.size(); ++m)
    {
        const double correlation = made.maps[m].fit.correlation;
        run.set.maps.push_back({headMap(members.all[m], std::move(made.maps[m]), documents, options), correlation});
        run.set.maps.back().map.leftOut = members.leftOut;
    }
    run.seconds = secondsSince(begin);
    if (quality)
        HEADSCOPE_CHECK(measureAll(members, run.set, options, numThreads, job));
    return run;
}

} // namespace headscope::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs/seed_runs.h"

#include "model/analysis/maps/measure_map.h"
#include "model/base/clock.h"

#include <fmt/format.h>

#include <utility>

namespace headscope::cli
{

Result<SeedRuns> runSeeds(const TsneSource& source, const TsneOptions& options, int count, const MatrixF* given,
                          const std::string& name, bool quality, int numThreads, JobContext& job)
{
    const auto begin = Clock::now();
    SeedRuns runs;
    std::vector<MatrixF> positions;
    for (int i = 0; i < count; ++i)
    {
        TsneOptions own = options;
        own.seed += static_cast<std::uint64_t>(i);
        JobContext part(job.stopToken(), [&](const Progress& progress) {
            job.report(fmt::format("map {} of {}: {}", i + 1, count, progress.stage), progress.done, progress.total,
                       progress.unit);
        });
        HEADSCOPE_TRY(TsneRun run, runTsne(source, own, given, {}, numThreads, part));
        run.map.name = fmt::format("{}-seed{}", name, own.seed);
        positions.push_back(run.map.xy);
        runs.maps.push_back(std::move(run.map));
    }
    runs.seconds = secondsSince(begin);
    HEADSCOPE_TRY(runs.agreement,
                  mapsAgreement(positions, numThreads, job, kAgreementNeighbors, runs.maps.front().points->head));
    if (quality)
    {
        for (HeadMap& map : runs.maps)
        {
            HEADSCOPE_TRY(map.trust, trustOf(map, source, numThreads, job));
        }
    }
    return runs;
}

Result<MapTrust> trustOf(const HeadMap& map, const TsneSource& source, int numThreads, JobContext& job)
{
    MapTrustOptions wanted = MapTrustOptions::of(map.options);
    if (map.points != nullptr && std::ssize(map.points->head) == map.xy.rows())
        wanted.heads = map.points->head;
    return measureMap(source.points.vectors.view(), map.xy.view(), wanted, numThreads, job);
}

} // namespace headscope::cli

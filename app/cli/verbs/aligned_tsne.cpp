// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs/aligned_tsne.h"

#include "app/cli/verb.h"
#include "model/analysis/maps/aligned_heads.h"
#include "model/analysis/maps/measure_noise_floor.h"
#include "model/base/clock.h"
#include "model/io/cache/full_vectors.h"

#include <utility>
#include <vector>

namespace headscope::cli
{

Result<AlignedRun> runAligned(const InputOptions& input, const TsneOptions& options, const MatrixF* given,
                              const AlignedMeasures& measures, int numThreads, JobContext& job)
{
    HEADSCOPE_TRY(const CacheInput cache, openCacheInput(input, job));
    HEADSCOPE_TRY(const FullPair full,
                  fullVectors(*cache.cache, cache.layers.front(), cache.stages.front(), std::nullopt, job));
    std::vector<AlignedMember> members = {{"full", full.documents.vectors, -1}};
    for (const LayerIndex layer : cache.layers)
    {
        for (const Stage stage : cache.stages)
        {
            HEADSCOPE_TRY(const auto vectors, cache.cache->load(layer, stage, {}, job));
            HEADSCOPE_TRY(const auto heads, cache.headsOf(*vectors, input.heads));
            for (const std::int64_t head : heads)
                members.push_back({memberName(*vectors, head, cache.layers.size() > 1), vectors, head});
        }
    }
    AlignedHeadsOptions wanted;
    wanted.tsne = options;
    wanted.given = given;
    wanted.fullSource = full.documents.source;
    const auto begin = Clock::now();
    AlignedRun run;
    HEADSCOPE_TRY(run.set, alignedHeadMaps(members, cache.rows, wanted, numThreads, job));
    run.changed = cache.model().changes.words(cache.model().kvHeads);
    run.set.origin = cache.cache->origin();
    run.documents = run.set.start.rows();
    run.leftOut = run.set.maps.front().map.leftOut;
    run.seconds = secondsSince(begin);
    if (measures.quality)
        HEADSCOPE_CHECK(measureHeadMaps(members, run.set, numThreads, job));
    if (measures.noiseTwins > 0)
        HEADSCOPE_CHECK(
            measureHeadFloors(members, run.set, {.twins = measures.noiseTwins, .seed = options.seed}, numThreads, job));
    return run;
}

} // namespace headscope::cli

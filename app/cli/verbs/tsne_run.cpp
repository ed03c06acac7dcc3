// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs/tsne_run.h"

#include "model/base/clock.h"
#include "model/base/hash.h"
#include "model/io/results/tsne_state_file.h"

#include <fmt/format.h>

#include <chrono>
#include <span>
#include <system_error>
#include <utility>

namespace headscope::cli
{
namespace
{

/// What a crash or a power cut may cost at most.
constexpr auto kSaveInterval = std::chrono::minutes(1);

TsneIdentity identityOf(const TsneSource& source, const HeadMap& frame, const TsneOptions& options,
                        const MatrixF* given)
{
    return {source.points.vectors.rows(), source.points.vectors.cols(), frame.inputHash,
            given != nullptr ? xxh3Hex(std::as_bytes(std::span(given->values()))) : std::string(), options};
}

/// The checkpoint to go on from; none where there is no file yet.
Result<std::optional<TsneCheckpoint>> storedCheckpoint(const std::filesystem::path& path, const TsneIdentity& identity)
{
    std::error_code ignored;
    if (path.empty() || !std::filesystem::exists(path, ignored))
        return std::optional<TsneCheckpoint>();
    HEADSCOPE_TRY(TsneStateFile stored, readTsneState(path));
    if (auto same = checkSameRun(stored, identity); !same)
        return std::move(same).error().inFile(path.string());
    return std::optional(std::move(stored.checkpoint));
}

/// Advances to the last iteration, saving on the way and when stopped.
Status advance(TsneState& state, const TsneIdentity& identity, const std::filesystem::path& path, JobContext& job)
{
    if (path.empty())
        return state.run(identity.options.iterations, job);
    const auto save = [&] { return writeTsneState(path, {identity, state.checkpoint()}); };
    for (;;)
    {
        // A run in slices of a minute: run() may be left and entered between any two iterations.
        std::stop_source slice;
        const std::stop_callback passOn(job.stopToken(), [&slice] { slice.request_stop(); });
        JobContext part(slice.get_token(), [&job](const Progress& progress) {
            job.report(progress.stage, progress.done, progress.total, progress.unit);
        });
        const auto begin = Clock::now();
        const Status ran = state.run(identity.options.iterations, part, [&](const TsneState&) {
            if (Clock::now() - begin >= kSaveInterval)
                slice.request_stop();
        });
        if (!ran && ran.error().code != ErrorCode::Cancelled)
            return ran;
        const bool stopped = job.stopRequested(); // heard before what is kept is written, which takes its time
        HEADSCOPE_CHECK(save());
        if (ran)
            return {};
        if (stopped)
            return Error{ErrorCode::Cancelled,
                         fmt::format("stopped after {} of {} iterations, which are saved", state.iteration(),
                                     identity.options.iterations),
                         path.string(),
                         {}};
    }
}

} // namespace

Result<TsneSource> loadTsneSource(const InputOptions& options, int numThreads, JobContext& job)
{
    TsneSource source;
    if (!options.vectors.empty())
    {
        HEADSCOPE_TRY(source.points, readPoints(options.vectors, job));
        source.model.heads = 1;
        source.model.kvHeads = 1;
        source.model.name = options.vectors;
        return source;
    }
    HEADSCOPE_TRY(CacheInput input, openCacheInput(options, job));
    HEADSCOPE_CHECK(oneLayerAndStage(input, "a map"));
    source.layer = input.layers.front();
    source.stage = input.stages.front();
    HEADSCOPE_TRY(source.vectors, input.cache->load(source.layer, source.stage, {}, job));
    HEADSCOPE_TRY(const auto heads, input.headsOf(*source.vectors, options.heads));
    source.points = gatherPoints(*source.vectors, input.rows, heads, numThreads);
    source.model = input.model();
    source.input = std::move(input);
    return source;
}

Result<TsneRun> runTsne(const TsneSource& source, const TsneOptions& options, const MatrixF* given,
                        const std::filesystem::path& state, int numThreads, JobContext& job)
{
    const auto begin = Clock::now();
    const HeadMap frame = frameOfMap(source.points, source.stage, source.layer, options);
    const TsneIdentity identity = identityOf(source, frame, options, given);
    HEADSCOPE_TRY(const auto stored, storedCheckpoint(state, identity));
    TsneRun run;
    const auto kept = [&](Error error) {
        if (error.code == ErrorCode::Cancelled && stored && error.file.empty())
            return Error{ErrorCode::Cancelled,
                         fmt::format("stopped; the {} earlier iterations are saved", stored->iteration),
                         state.string(),
                         {}};
        return error;
    };
    auto made = TsneState::create(source.points.vectors.view(), options, numThreads, job, given);
    if (!made)
        return kept(std::move(made).error());
    TsneState tsne = std::move(*made);
    if (stored)
    {
        if (auto restored = tsne.restore(*stored); !restored)
            return std::move(restored).error().inFile(state.string());
        run.resumedFrom = stored->iteration;
    }
    if (auto ran = advance(tsne, identity, state, job); !ran)
        return kept(std::move(ran).error());
    tsne.updateKl();
    run.map = snapshotMap(tsne, frame);
    run.map.hash = tsne.hash();
    run.seconds = tsne.seconds();
    run.seconds.optimise = secondsSince(begin) - run.seconds.neighbors - run.seconds.affinities;
    return run;
}

} // namespace headscope::cli

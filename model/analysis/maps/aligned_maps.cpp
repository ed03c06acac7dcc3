// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/aligned_maps.h"

#include "model/analysis/maps/aligned_rounds.h"
#include "model/analysis/tsne/affinities.h"
#include "model/analysis/tsne/principal_components.h"
#include "model/analysis/tsne/tsne_state.h"
#include "model/base/hash.h"
#include "model/base/parallel.h"
#include "model/base/size_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stop_token>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::int64_t kAxes = 8;           // of each set in the consensus
constexpr std::int64_t kExactBelow = 1'000; // above, the mesh is faster on the one thread of a map

Status checkSets(std::span<const AlignedSet> sets)
{
    if (sets.empty())
        return Error{ErrorCode::InvalidArgument, "expected at least one set of vectors, found none", {}, {}};
    for (std::size_t m = 0; m < sets.size(); ++m)
    {
        const auto place = fmt::format("set {}", m);
        if (sets[m].rows.rows() != sets.front().rows.rows())
            return Error{ErrorCode::ShapeMismatch,
                         fmt::format("expected {} documents in every set, as in the first set, found {}",
                                     sets.front().rows.rows(), sets[m].rows.rows()),
                         {},
                         place};
        if (auto finite = checkFinite(sets[m].rows); !finite)
            return std::move(finite).error().atPlace(place);
    }
    return {};
}

std::string hashOf(ConstMatrixView rows)
{
    Xxh3 hash;
    for (std::int64_t i = 0; i < rows.rows(); ++i)
        hash.update(std::as_bytes(rows.row(i)));
    return hash.hex();
}

MatrixF asFloats(const MatrixD& values)
{
    MatrixF floats(values.rows(), values.cols());
    for (std::size_t i = 0; i < values.values().size(); ++i)
        floats.values()[i] = static_cast<float>(values.values()[i]);
    return floats;
}

std::vector<double> scalesFor(ConstMatrixView rows, Metric metric)
{
    return metric == Metric::Cosine ? unitScales(rows, 1) : std::vector<double>();
}

/// The leading axes of one set, in columns [first, first + kAxes) of the consensus; its first axis
/// has length 1. A set whose rows are all equal leaves zeros.
Status addAxes(ConstMatrixView rows, Metric metric, std::int64_t first, MatrixF& consensus, JobContext& job)
{
    const std::vector<double> scales = scalesFor(rows, metric);
    HEADSCOPE_TRY(const PrincipalComponents axes, principalComponents(rows, scales, kAxes, 1, job));
    const double weight = axes.singularValues.empty() ? 0 : axes.singularValues.front();
    if (weight <= 0)
        return {};
    std::vector<double> own(sizeOf(rows.cols()));
    for (std::int64_t i = 0; i < rows.rows(); ++i)
    {
        const double scale = scales.empty() ? 1.0 : scales[sizeOf(i)];
        for (std::int64_t k = 0; k < rows.cols(); ++k)
            own[sizeOf(k)] = static_cast<double>(rows(i, k)) * scale - axes.mean[sizeOf(k)];
        for (std::int64_t c = 0; c < axes.directions.rows(); ++c)
        {
            double sum = 0;
            for (std::int64_t k = 0; k < rows.cols(); ++k)
                sum += own[sizeOf(k)] * axes.directions(c, k);
            consensus(i, first + c) = static_cast<float>(sum / weight);
        }
    }
    return {};
}

Result<AlignedMap> mapOf(ConstMatrixView rows, const TsneOptions& options, const MatrixF& start, int numThreads,
                         const std::stop_token& stop, JointProgress& progress)
{
    JobContext job(stop);
    HEADSCOPE_TRY(TsneState state, TsneState::create(rows, options, numThreads, job, &start));
    HEADSCOPE_CHECK(state.run(options.iterations, job, [&](const TsneState&) { progress.oneMore(); }));
    AlignedMap map;
    map.kl = state.updateKl();
    map.iteration = state.iteration();
    map.xy = state.positions();
    return map;
}

/// All maps where they came to lie. The first failure stops the others.
Status runAll(std::span<const AlignedSet> sets, const TsneOptions& options, const MatrixF& start, int numThreads,
              JobContext& job, std::vector<AlignedMap>& maps)
{
    std::stop_source stop;
    const std::stop_callback passOn(job.stopToken(), [&stop] { stop.request_stop(); });
    JointProgress progress(job, sets.size() * static_cast<std::uint64_t>(options.iterations));
    std::vector<std::optional<Error>> failed(sets.size());
    const bool beside = start.rows() <= kBesideEachOther &&
                        (options.affinities == TsneAffinities::Sparse ||
                         numThreads * denseAffinityBytes(start.rows()) <= static_cast<double>(kTogetherBytes));
    const auto one = [&](std::size_t m, int threads) {
        auto made = mapOf(sets[m].rows, options, start, threads, stop.get_token(), progress);
        if (made)
            maps[m] = std::move(*made);
        else
        {
            failed[m] = made.error().code == ErrorCode::Cancelled
                            ? std::move(made).error()
                            : std::move(made).error().atPlace(fmt::format("set {}", m));
            stop.request_stop();
        }
    };
    if (beside)
        parallelForBlocks(numThreads, static_cast<std::int64_t>(sets.size()), 1,
                          [&](const Block& block, int) { one(sizeOf(block.begin), 1); });
    else
    {
        for (std::size_t m = 0; m < sets.size() && !stop.stop_requested(); ++m)
            one(m, numThreads);
    }
    HEADSCOPE_CHECK(job.checkStop());
    for (const auto& error : failed)
    {
        if (error && error->code != ErrorCode::Cancelled)
            return *error;
    }
    progress.finish();
    return {};
}

} // namespace

Result<MatrixF> commonStart(std::span<const AlignedSet> sets, Metric metric, int numThreads, JobContext& job)
{
    HEADSCOPE_CHECK(checkSets(sets));
    std::vector<ConstMatrixView> voters;
    for (const AlignedSet& set : sets)
    {
        if (set.votes)
            voters.push_back(set.rows);
    }
    if (voters.empty())
    {
        for (const AlignedSet& set : sets)
            voters.push_back(set.rows);
    }
    job.report("finding a common initialization", 0, 1);
    if (voters.size() == 1)
    {
        HEADSCOPE_TRY(const MatrixD own, pcaStart(voters.front(), scalesFor(voters.front(), metric), numThreads, job));
        return asFloats(own);
    }
    MatrixF consensus(voters.front().rows(), static_cast<std::int64_t>(voters.size()) * kAxes);
    parallelForBlocks(numThreads, static_cast<std::int64_t>(voters.size()), 1, [&](const Block& block, int) {
        JobContext silent(job.stopToken());
        // It can only fail by being stopped, which is asked for below.
        const Status added = addAxes(voters[sizeOf(block.begin)], metric, block.begin * kAxes, consensus, silent);
        static_cast<void>(added);
    });
    HEADSCOPE_CHECK(job.checkStop());
    HEADSCOPE_TRY(const MatrixD start, pcaStart(consensus.view(), {}, numThreads, job));
    return asFloats(start);
}

Result<AlignedMaps> alignedMaps(std::span<const AlignedSet> sets, const TsneOptions& options, int numThreads,
                                JobContext& job, const MatrixF* given, const AlignedViewer* viewer)
{
    HEADSCOPE_CHECK(checkTsneOptions(options));
    HEADSCOPE_CHECK(checkSets(sets));
    HEADSCOPE_CHECK(checkPerplexities(options.perplexities, sets.front().rows.rows()));
    AlignedMaps all;
    if (given != nullptr)
        all.start = *given;
    else
    {
        HEADSCOPE_TRY(all.start, commonStart(sets, options.metric, numThreads, job));
    }
    TsneOptions own = options;
    own.start = TsneStart::Given;
    own.exactBelow = std::min(own.exactBelow, kExactBelow);
    all.maps.resize(sets.size());
    HEADSCOPE_CHECK(viewer != nullptr ? runInRounds(sets, own, *viewer, numThreads, job, all)
                                      : runAll(sets, own, all.start, numThreads, job, all.maps));
    job.report("aligning the maps", 0, 1);
    HEADSCOPE_CHECK(layOnEachOther(all, job));
    Xxh3 hash;
    for (std::size_t m = 0; m < sets.size(); ++m)
    {
        AlignedMap& map = all.maps[m];
        map.inputHash = hashOf(sets[m].rows);
        const auto bytes = std::as_bytes(std::span(map.xy.values()));
        map.hash = xxh3Hex(bytes);
        hash.update(bytes);
    }
    all.hash = hash.hex();
    return all;
}

} // namespace headscope

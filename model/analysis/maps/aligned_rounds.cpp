// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/aligned_rounds.h"

#include "model/analysis/tsne/affinities.h"
#include "model/analysis/tsne/tsne_state.h"
#include "model/base/clock.h"
#include "model/base/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

constexpr std::int64_t kBytesPerDocument = 5'000; // of a map at work
constexpr double kRoundSeconds = 0.05;
constexpr int kLongestRound = 50; // iterations

/// How many maps advance together.
std::size_t groupSize(std::int64_t documents, const TsneOptions& options, int numThreads)
{
    if (options.affinities == TsneAffinities::Dense)
        return static_cast<std::size_t>(
            std::max(1.0, static_cast<double>(kTogetherBytes) / denseAffinityBytes(documents)));
    if (documents > kBesideEachOther)
        return 1;
    const std::int64_t fitting = kTogetherBytes / (kBytesPerDocument * std::max<std::int64_t>(1, documents));
    return static_cast<std::size_t>(std::max<std::int64_t>(numThreads, fitting));
}

/// The maps that advance together now.
class Group
{
public:
    Group(std::span<const AlignedSet> sets, std::size_t first, int numThreads, JobContext& job)
        : m_sets(sets), m_first(first), m_states(sets.size()), m_failed(sets.size()), m_numThreads(numThreads),
          m_job(job)
    {}

    Status create(const TsneOptions& options, const MatrixF& start)
    {
        return forAll([&](std::size_t i, int threads, JobContext& job) -> Status {
            HEADSCOPE_TRY(m_states[i], TsneState::create(m_sets[i].rows, options, threads, job, &start));
            return {};
        });
    }

    Status advance(int iterations, int limit, JointProgress& progress)
    {
        return forAll([&](std::size_t i, int, JobContext& job) -> Status {
            TsneState& state = *m_states[i];
            return state.run(std::min(limit, state.iteration() + iterations), job,
                             [&](const TsneState&) { progress.oneMore(); });
        });
    }

    Status finish()
    {
        return forAll([&](std::size_t i, int, JobContext&) -> Status {
            m_states[i]->updateKl();
            return {};
        });
    }

    [[nodiscard]] bool done(int limit) const
    {
        return std::all_of(m_states.begin(), m_states.end(),
                           [limit](const auto& state) { return state->iteration() >= limit || state->finished(); });
    }

    /// Where the maps of the group are now.
    void write(std::vector<AlignedMap>& maps) const
    {
        for (std::size_t i = 0; i < m_states.size(); ++i)
        {
            AlignedMap& map = maps[m_first + i];
            m_states[i]->copyPositions(map.xy);
            map.iteration = m_states[i]->iteration();
            map.kl = m_states[i]->kl();
        }
    }

private:
    /// Calls one(i, threads, job) for every map: beside each other, or a single one with all threads.
    template <class One>
    Status forAll(const One& one)
    {
        const auto guarded = [&](std::size_t i, int threads) {
            JobContext silent(m_job.stopToken());
            if (Status made = one(i, threads, silent); !made)
                m_failed[i] = std::move(made).error();
        };
        if (m_states.size() == 1)
            guarded(0, m_numThreads);
        else
            parallelForBlocks(m_numThreads, static_cast<std::int64_t>(m_states.size()), 1,
                              [&](const Block& block, int) { guarded(static_cast<std::size_t>(block.begin), 1); });
        HEADSCOPE_CHECK(m_job.checkStop());
        for (std::size_t i = 0; i < m_failed.size(); ++i)
        {
            if (m_failed[i])
                return std::move(*m_failed[i]).atPlace(fmt::format("set {}", m_first + i));
        }
        return {};
    }

    std::span<const AlignedSet> m_sets;
    std::size_t m_first;
    std::vector<std::optional<TsneState>> m_states;
    std::vector<std::optional<Error>> m_failed;
    int m_numThreads;
    JobContext& m_job;
};

/// Shows the maps as they lie now, if anybody wants to see them.
Status look(const AlignedViewer& viewer, const Group& group, AlignedMaps& all, JobContext& job)
{
    if (!viewer.show || (viewer.wanted && !viewer.wanted()))
        return {};
    group.write(all.maps);
    AlignedMaps copy = all;
    JobContext silent(job.stopToken());
    HEADSCOPE_CHECK(layOnEachOther(copy, silent));
    viewer.show(std::move(copy));
    return {};
}

} // namespace

void JointProgress::oneMore()
{
    const std::uint64_t done = ++m_done;
    if (const std::unique_lock lock(m_mutex, std::try_to_lock); lock)
        m_job.report("optimising the maps", done, m_total, "iterations");
}

void JointProgress::finish()
{
    m_job.report("optimising the maps", m_total, m_total, "iterations");
}

Status layOnEachOther(AlignedMaps& all, JobContext& job)
{
    std::vector<MatrixF> positions;
    for (AlignedMap& map : all.maps)
        positions.push_back(std::move(map.xy));
    HEADSCOPE_TRY(const std::vector<PlanarFit> fits, alignMaps(positions, all.start.view(), job));
    for (std::size_t m = 0; m < all.maps.size(); ++m)
    {
        AlignedMap& map = all.maps[m];
        map.xy = std::move(positions[m]);
        map.fit = fits[m];
        applyMotion(map.fit.motion, map.xy.view());
    }
    return {};
}

Status runInRounds(std::span<const AlignedSet> sets, const TsneOptions& options, const AlignedViewer& viewer,
                   int numThreads, JobContext& job, AlignedMaps& all)
{
    all.maps.assign(sets.size(), {});
    for (AlignedMap& map : all.maps)
    {
        map.xy = all.start;
        map.kl = std::numeric_limits<double>::quiet_NaN();
    }
    JointProgress progress(job, sets.size() * static_cast<std::uint64_t>(options.iterations));
    const std::size_t together = groupSize(all.start.rows(), options, numThreads);
    for (std::size_t first = 0; first < sets.size(); first += together)
    {
        Group group(sets.subspan(first, std::min(together, sets.size() - first)), first, numThreads, job);
        job.report("finding neighbours", first, sets.size(), "maps");
        HEADSCOPE_CHECK(group.create(options, all.start));
        int iterations = 1;
        while (!group.done(options.iterations))
        {
            const auto begin = Clock::now();
            HEADSCOPE_CHECK(group.advance(iterations, options.iterations, progress));
            const double seconds = std::max(1e-6, secondsSince(begin));
            const double wanted = static_cast<double>(iterations) * kRoundSeconds / seconds;
            iterations = static_cast<int>(std::clamp(wanted, 1.0, static_cast<double>(kLongestRound)));
            HEADSCOPE_CHECK(look(viewer, group, all, job));
            if (viewer.between)
                viewer.between();
            HEADSCOPE_CHECK(job.checkStop());
        }
        HEADSCOPE_CHECK(group.finish());
        group.write(all.maps);
    }
    progress.finish();
    return {};
}

} // namespace headscope

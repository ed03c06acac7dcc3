// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/maps/aligned_maps.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>

namespace headscope
{

/// Iterations of all maps of a set as one progress; reports come from one thread at a time.
/// @threads oneMore() from any
class JointProgress
{
public:
    JointProgress(JobContext& job, std::uint64_t total) : m_job(job), m_total(total) {}

    void oneMore();
    /// After the loop: the last reports may have met a busy lock.
    void finish();

private:
    JobContext& m_job;
    std::uint64_t m_total;
    std::atomic<std::uint64_t> m_done = 0;
    std::mutex m_mutex;
};

/// Runs all maps of a set from all.start in rounds of a few iterations, so that they advance together and a viewer
/// may look between two rounds; all.maps[m].xy gets the positions of map m.
///
/// The iterations of a map do not depend on how they are divided among rounds: the maps are those of
/// runs without a viewer. A round has as many iterations as take some 50 ms.
/// @param all  with its start; maps is made here
/// @errors  those of TsneState::create, Cancelled; all.maps then holds what there was
/// @threads uses `numThreads` threads; result independent of their number
[[nodiscard]] Status runInRounds(std::span<const AlignedSet> sets, const TsneOptions& options,
                                 const AlignedViewer& viewer, int numThreads, JobContext& job, AlignedMaps& all);

/// Aligns the maps as alignMaps does, in place, and records their motions.
/// @errors those of alignMaps
[[nodiscard]] Status layOnEachOther(AlignedMaps& all, JobContext& job);

} // namespace headscope

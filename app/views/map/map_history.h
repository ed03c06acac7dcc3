// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/tsne/tsne_state.h"
#include "model/data/maps/head_map.h"
#include "model/data/maps/run_curve.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace headscope::desktop
{

/// The history of a run of the map: its divergence, and snapshots to look back at.
///
/// Snapshots are taken at equal steps, from the first iteration on; when there are too many every second one goes and
/// the step doubles, so that any part of a run of any length is kept equally well and always between half and all of
/// snapshotLimit(). Which iterations are kept depends on iterations alone, never on the time.
///
/// Memory: a coordinate is 16 bits of the snapshot's own extent, 1/65,535 of it, which no screen
/// shows: 4 bytes a point. At most 96 snapshots, fewer from 700,000 points on so that they stay below 256 MiB, but
/// never fewer than 8: 123 MB for 320,000 points; for 10,000,000 the 8 snapshots take 40 MB each.
/// @threads note() on the worker; everything else on any
class MapHistory
{
public:
    static constexpr std::size_t kMaxSnapshots = 96;
    static constexpr std::size_t kMinSnapshots = 8;
    static constexpr std::size_t kMaxBytes = std::size_t{256} << 20;
    static constexpr std::size_t kBytesPerPoint = 4;

    /// Largest number of snapshots kept of a map of this many points.
    [[nodiscard]] static std::size_t snapshotLimit(std::int64_t points);

    /// Begins a run.
    /// @param frame  what every map of the run has in common
    void begin(const HeadMap& frame, int iterations);
    /// Records the state of the run; called before the first and after each iteration.
    void note(const TsneState& state, int numThreads);
    void noteTurn(const MapTurn& turn);

    [[nodiscard]] RunCurve curve() const;
    [[nodiscard]] std::vector<MapTurn> turns() const;
    /// Iterations of the snapshots, ascending.
    [[nodiscard]] std::vector<int> iterations() const;
    /// The map as it was at the snapshot nearest to an iteration; null before the first.
    /// @cost  one pass over the points (time not measured)
    [[nodiscard]] std::shared_ptr<const HeadMap> at(int iteration) const;
    /// What the snapshots take.
    [[nodiscard]] std::size_t bytes() const;

private:
    struct Snapshot
    {
        int iteration = 0;
        double kl = 0;
        float left = 0;
        float bottom = 0;
        float width = 0;
        float height = 0;
        std::vector<std::uint16_t> xy; ///< [P, 2], 0..65,535 over width and height
    };

    void noteKl(const TsneState& state);
    [[nodiscard]] static std::shared_ptr<const Snapshot> snapshotOf(const MatrixF& xy, int numThreads);

    mutable std::mutex m_mutex;
    HeadMap m_frame;
    RunCurve m_curve;
    std::vector<std::shared_ptr<const Snapshot>> m_snapshots;
    std::size_t m_limit = kMaxSnapshots;
    int m_step = 1;
    double m_lastKl = 0;
    MatrixF m_scratch; ///< worker only
};

} // namespace headscope::desktop

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/tsne/affinities.h"
#include "model/analysis/tsne/start_positions.h"
#include "model/analysis/tsne/tsne_forces.h"
#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/maps/tsne_checkpoint.h"
#include "model/data/maps/tsne_options.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace headscope
{

/// Where the time of a run went.
struct TsneSeconds
{
    double neighbors =
        0; ///< above exactBelow with their conditional probabilities, which are computed as they are found
    double affinities = 0;
    double optimise = 0;
};

/// A t-SNE in progress: advanced by run(), inspected between iterations.
///
/// One step (tests/golden/analysis/README.md, section 2): gains +0.2 where gradient and velocity differ
/// in sign, else x 0.8, at least 0.01; velocity = momentum velocity - rate gain gradient, cut to
/// maxStep per point; positions move and are centred. Same bits on any number of threads, and
/// however the iterations are divided among calls of run().
/// @threads one call at a time
class TsneState
{
public:
    using OnIteration = std::function<void(const TsneState&)>;

    /// Finds neighbours and affinities, and puts the points on their start.
    ///
    /// With sparse affinities affinityNeighbors() neighbours of each point count, exact up to
    /// options.exactNeighborsBelow points; with dense ones all pairs.
    /// @param rows   [P, D] finite numbers; not needed afterwards
    /// @param given  [P, 2] start, for TsneStart::Given
    /// @errors InvalidArgument (a perplexity that these points do not allow, with the allowed
    ///         range; rows that are not finite), WrongUse (an option out of its range), OutOfMemory (what the
    ///         machine's free memory does not hold), Cancelled
    [[nodiscard]] static Result<TsneState> create(ConstMatrixView rows, const TsneOptions& options, int numThreads,
                                                  JobContext& job, const MatrixF* given = nullptr);

    /// A run on affinities from elsewhere.
    /// @param start  [P, 2]
    TsneState(TsneForces forces, const MatrixF& start, const TsneOptions& options, int numThreads);

    /// Iterates until iteration() == limit, or until finished().
    /// @param onIteration  called on this thread after each iteration, for example to publish a snapshot
    /// @errors Cancelled, also in the middle of an iteration: the state stays as the last whole one
    ///         left it
    Status run(int limit, JobContext& job, const OnIteration& onIteration = {});

    [[nodiscard]] std::int64_t points() const { return m_forces.points(); }
    [[nodiscard]] int iteration() const { return m_iteration; }
    /// Whether a run with autoStop has ended by its own rule; setOptions() lets it go on.
    [[nodiscard]] bool finished() const { return m_phase.finished; }
    /// A copy of the positions in the order of the input, [P, 2].
    [[nodiscard]] MatrixF positions() const { return inInputOrder(m_xy); }
    /// The same into a matrix that is made [P, 2] if it is not: for viewers that look often.
    /// @threads uses the state's threads
    void copyPositions(MatrixF& into) const;
    /// KL divergence at the last check: every setKlInterval()th iteration (every 10th with autoStop),
    /// and at updateKl(); NaN before. A check looks at the points before the iteration moves them.
    [[nodiscard]] double kl() const { return m_kl; }
    /// Iterations between two checks: for viewers that draw the divergence. Changes no position.
    /// @param iterations  at least 1
    void setKlInterval(int iterations) { m_klInterval = iterations; }
    /// Evaluates the divergence where the points are now; costs one iteration.
    double updateKl();
    /// Steps that maxStep cut, counted over points and iterations of this object.
    [[nodiscard]] std::int64_t clipped() const { return m_clipped; }
    /// Points that had the same vector as an earlier one and were moved off its place at the start (startPositions).
    [[nodiscard]] std::int64_t equalPoints() const { return m_equalPoints; }
    /// XXH3 of the bytes of positions().
    [[nodiscard]] std::string hash() const;
    [[nodiscard]] const TsneSeconds& seconds() const { return m_seconds; }

    [[nodiscard]] const TsneOptions& options() const { return m_options; }
    /// How far a run that stops by itself has come.
    [[nodiscard]] const TsnePhase& phase() const { return m_phase; }
    /// Other parameters of the optimiser from here on: iterations, exaggerations, learning rate,
    /// momentum, maxStep, autoStop. Those that made the affinities and the degrees of freedom stay
    /// what they were.
    /// @errors WrongUse
    [[nodiscard]] Status setOptions(const TsneOptions& options);

    [[nodiscard]] TsneCheckpoint checkpoint() const;
    /// @errors ShapeMismatch
    [[nodiscard]] Status restore(const TsneCheckpoint& checkpoint);

    /// The rate of an iteration: as asked, or points / exaggeration and later points / 3.
    [[nodiscard]] static double learningRate(const TsneOptions& options, std::int64_t points, int iteration);

private:
    /// Puts the points on their start, in the order of the affinities.
    void begin(const TsneStartPlaces& start, std::vector<std::int32_t> order, const TsneSeconds& seconds,
               double affinitySeconds);
    [[nodiscard]] Status step(const JobContext& job);
    [[nodiscard]] bool exaggerating() const;
    void checkAutoStop();
    [[nodiscard]] MatrixF inInputOrder(const std::vector<float>& values) const;
    [[nodiscard]] std::vector<float> inOwnOrder(const MatrixF& values) const;

    TsneForces m_forces;
    TsneOptions m_options;
    int m_numThreads = 1;
    int m_iteration = 0;
    int m_klInterval = 50;
    double m_kl = std::numeric_limits<double>::quiet_NaN();
    std::int64_t m_clipped = 0;
    std::int64_t m_equalPoints = 0;
    TsnePhase m_phase;
    TsneSeconds m_seconds;
    std::vector<std::int32_t> m_order; ///< position -> point; empty = as they are
    std::vector<float> m_xy;           ///< [P, 2]
    std::vector<float> m_velocity;
    std::vector<float> m_gain;
    std::vector<float> m_gradient;
};

/// Refuses options that no data could make right.
/// @errors WrongUse
[[nodiscard]] Status checkTsneOptions(const TsneOptions& options);

} // namespace headscope

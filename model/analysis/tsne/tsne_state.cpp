// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/tsne/tsne_state.h"

#include "model/analysis/neighbors/neighbors.h"
#include "model/analysis/tsne/start_positions.h"
#include "model/base/clock.h"
#include "model/base/fields/fields.h"
#include "model/base/free_memory.h"
#include "model/base/hash.h"
#include "model/base/parallel.h"
#include "model/base/size_of.h"
#include "model/kernels/descent.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::int64_t kPointBlock = 2048;
constexpr int kAutoInterval = 10;     // iterations between two checks of a run that stops by itself
constexpr int kAutoPatience = 3;      // slower checks in a row that end exaggeration
constexpr double kAutoNoise = 1e-4;   // a smaller fall of the divergence is no sign of anything
constexpr double kAutoShare = 5000.0; // the run ends when the divergence falls by less than this part
constexpr double kSmallestRate = 50;

/// Refuses a run that the memory does not hold, before anything is computed.
Status checkMapMemory(const TsneOptions& options, std::int64_t points, std::int64_t dims)
{
    if (options.affinities != TsneAffinities::Dense)
        return checkMemory({sparseAffinityBytes(points, dims, affinityNeighbors(options.perplexities, points)),
                            fmt::format("a map of {} points", points), "use fewer points or a smaller perplexity"});
    return checkMemory({denseAffinityBytes(points),
                        fmt::format("a map with dense affinities (all pairs of {} points)", points),
                        "sparse affinities need far less"});
}

} // namespace

Status checkTsneOptions(const TsneOptions& options)
{
    TsneOptions checked = options;
    Fields rows;
    fields(rows, checked);
    for (const Field& row : rows.rows())
    {
        // Which perplexities are possible depends on the points, and a rate of any size ends in numbers.
        if (row.key == "perplexity" ||
            (row.key == "learning_rate" && std::isfinite(options.learningRate) && options.learningRate >= 0))
            continue;
        if (!row.valueFault().empty())
            return Error{ErrorCode::WrongUse,
                         fmt::format("expected {} {}, found {}", row.labelInside(), row.rangeText(), row.valueText()),
                         {},
                         {}};
    }
    return {};
}

double TsneState::learningRate(const TsneOptions& options, std::int64_t points, int iteration)
{
    if (options.learningRate > 0)
        return options.learningRate;
    const bool early = iteration < options.exaggerationIterations;
    const double share = early ? options.exaggeration : std::max(3.0, options.lateExaggeration);
    return std::max(kSmallestRate, static_cast<double>(points) / share);
}

Result<TsneState> TsneState::create(ConstMatrixView rows, const TsneOptions& options, int numThreads, JobContext& job,
                                    const MatrixF* given)
{
    HEADSCOPE_CHECK(checkTsneOptions(options));
    HEADSCOPE_CHECK(checkPerplexities(options.perplexities, rows.rows()));
    HEADSCOPE_CHECK(checkMapMemory(options, rows.rows(), rows.cols()));
    HEADSCOPE_CHECK(checkFinite(rows, numThreads));
    const std::vector<double> scales =
        options.metric == Metric::Cosine ? unitScales(rows, numThreads) : std::vector<double>();
    HEADSCOPE_TRY(const TsneStartPlaces start, startPositions(rows, scales, options, given, numThreads, job));
    auto clock = Clock::now();
    TsneSeconds seconds;
    if (options.affinities == TsneAffinities::Dense)
    {
        job.report("computing affinities", 0, 1);
        HEADSCOPE_TRY(const MatrixD affinities, denseAffinities(rows, scales, options.perplexities, numThreads, job));
        TsneState state(TsneForces(affinities, options.degreesOfFreedom), start.xy, options, numThreads);
        state.m_equalPoints = start.equalPoints;
        state.m_seconds.affinities = secondsSince(clock);
        return state;
    }
    NeighborOptions wanted;
    wanted.k = affinityNeighbors(options.perplexities, rows.rows());
    wanted.metric = options.metric;
    wanted.seed = options.seed;
    wanted.method = rows.rows() <= options.exactNeighborsBelow ? NeighborMethod::Exact : NeighborMethod::Approximate;
    if (rows.rows() <= options.exactBelow)
    {
        HEADSCOPE_TRY(Neighbors neighbors, findNeighbors(rows, wanted, numThreads, job));
        seconds.neighbors = secondsSince(clock);
        clock = Clock::now();
        job.report("computing affinities", 0, 1);
        std::vector<std::int32_t> order = std::move(neighbors.order);
        HEADSCOPE_TRY(const SparseAffinities affinities,
                      neighborAffinities(neighbors, options.perplexities, numThreads, job));
        TsneState state(TsneForces(affinities, order, true, numThreads, options.degreesOfFreedom), {}, options,
                        numThreads);
        state.begin(start, std::move(order), seconds, secondsSince(clock));
        return state;
    }
    HEADSCOPE_TRY(JointNeighbors neighbors, findJointNeighbors(rows, wanted, options.perplexities, numThreads, job));
    seconds.neighbors = secondsSince(clock);
    clock = Clock::now();
    job.report("computing affinities", 0, 1);
    HEADSCOPE_TRY(TsneForces forces, TsneForces::onMesh(neighbors.rows, options.degreesOfFreedom, numThreads, job));
    TsneState state(std::move(forces), {}, options, numThreads);
    state.begin(start, std::move(neighbors.order), seconds, secondsSince(clock));
    return state;
}

void TsneState::begin(const TsneStartPlaces& start, std::vector<std::int32_t> order, const TsneSeconds& seconds,
                      double affinitySeconds)
{
    m_order = std::move(order);
    m_xy = inOwnOrder(start.xy);
    m_equalPoints = start.equalPoints;
    m_seconds = seconds;
    m_seconds.affinities = affinitySeconds;
}

TsneState::TsneState(TsneForces forces, const MatrixF& start, const TsneOptions& options, int numThreads)
    : m_forces(std::move(forces)), m_options(options), m_numThreads(numThreads), m_xy(start.values()),
      m_velocity(sizeOf(2 * m_forces.points())), m_gain(m_velocity.size(), 1.0F), m_gradient(m_velocity.size())
{}

Status TsneState::run(int limit, JobContext& job, const OnIteration& onIteration)
{
    while (m_iteration < limit && !m_phase.finished)
    {
        HEADSCOPE_CHECK(job.checkStop());
        const auto clock = Clock::now();
        const Status stepped = step(job);
        m_seconds.optimise += secondsSince(clock);
        HEADSCOPE_CHECK(stepped);
        if (m_phase.finished)
            break;
        job.report("optimising", static_cast<std::uint64_t>(m_iteration), static_cast<std::uint64_t>(limit),
                   "iterations");
        if (onIteration)
            onIteration(*this);
    }
    return {};
}

bool TsneState::exaggerating() const
{
    return m_iteration < m_options.exaggerationIterations && m_phase.exaggerationEnd < 0;
}

/// Takes the divergence of this iteration into account.
/// @source Belkina et al. 2019, "Automated optimized parameters for t-SNE" (doi 10.1038/s41467-019-13055-y)
void TsneState::checkAutoStop()
{
    const double former = std::exchange(m_phase.kl, m_kl);
    if (!(former > 0))
        return;
    const double fall = (former - m_kl) / former;
    if (exaggerating())
    {
        m_phase.slower = fall < m_phase.fastest && m_phase.fastest > kAutoNoise ? m_phase.slower + 1 : 0;
        m_phase.fastest = std::max(m_phase.fastest, fall);
        if (m_phase.slower >= kAutoPatience)
            m_phase.exaggerationEnd = m_iteration;
        return;
    }
    const int ended = m_phase.exaggerationEnd >= 0 ? m_phase.exaggerationEnd : m_options.exaggerationIterations;
    // Between two checks that both lie behind the end of exaggeration.
    m_phase.finished = m_iteration - ended >= 2 * kAutoInterval && fall < kAutoInterval / kAutoShare;
}

Status TsneState::step(const JobContext& job)
{
    const int interval = m_options.autoStop ? kAutoInterval : m_klInterval;
    const bool withKl = m_iteration > 0 && m_iteration % interval == 0;
    const auto sums = m_forces.evaluate(m_xy, exaggerating() ? m_options.exaggeration : m_options.lateExaggeration,
                                        withKl, m_numThreads, m_gradient, &job);
    HEADSCOPE_CHECK(job.checkStop());
    if (withKl)
        m_kl = sums.kl;
    if (withKl && m_options.autoStop)
    {
        checkAutoStop();
        if (m_phase.finished)
            return {};
    }
    // The rate belongs to the phase, whenever that ended.
    const int iteration = exaggerating() ? 0 : std::max(m_iteration, m_options.exaggerationIterations);
    const DescentRates rates{static_cast<float>(learningRate(m_options, points(), iteration)),
                             static_cast<float>(m_options.momentum), static_cast<float>(m_options.maxStep)};
    std::vector<DescentSums> partial(sizeOf(blockCount(points(), kPointBlock)));
    parallelForBlocks(m_numThreads, points(), kPointBlock, [&](const Block& block, int) {
        const auto at = sizeOf(2 * block.begin);
        partial[sizeOf(block.index)] = descend(m_gradient.data() + at, m_gain.data() + at, m_velocity.data() + at,
                                               m_xy.data() + at, block.end - block.begin, rates);
    });
    DescentSums total;
    for (const DescentSums& own : partial)
    {
        total.x += own.x;
        total.y += own.y;
        total.clipped += own.clipped;
    }
    m_clipped += total.clipped;
    const auto meanX = static_cast<float>(total.x / static_cast<double>(points()));
    const auto meanY = static_cast<float>(total.y / static_cast<double>(points()));
    parallelFor(m_numThreads, points(), kPointBlock, [&](std::int64_t begin, std::int64_t end) {
        for (auto i = sizeOf(2 * begin); i < sizeOf(2 * end); i += 2)
        {
            m_xy[i] -= meanX;
            m_xy[i + 1] -= meanY;
        }
    });
    ++m_iteration;
    return {};
}

double TsneState::updateKl()
{
    m_kl = m_forces.evaluate(m_xy, 1.0, true, m_numThreads, m_gradient).kl;
    return m_kl;
}

std::string TsneState::hash() const
{
    const MatrixF xy = positions();
    return xxh3Hex(std::as_bytes(std::span(xy.values())));
}

Status TsneState::setOptions(const TsneOptions& options)
{
    HEADSCOPE_CHECK(checkTsneOptions(options));
    const double degrees = m_options.degreesOfFreedom;
    m_options = options;
    m_options.degreesOfFreedom = degrees;
    m_phase.finished = false;
    m_phase.kl = 0; // other parameters begin another comparison
    return {};
}

TsneCheckpoint TsneState::checkpoint() const
{
    return {inInputOrder(m_xy), inInputOrder(m_velocity), inInputOrder(m_gain), m_iteration, m_phase};
}

Status TsneState::restore(const TsneCheckpoint& checkpoint)
{
    for (const MatrixF* part : {&checkpoint.positions, &checkpoint.velocities, &checkpoint.gains})
    {
        if (part->rows() != points() || part->cols() != 2)
        {
            return Error{ErrorCode::ShapeMismatch,
                         fmt::format("expected the state of a run on {} points, found the state of a run on {} points",
                                     points(), part->rows()),
                         {},
                         {}};
        }
        HEADSCOPE_CHECK(checkPositions(*part));
    }
    m_xy = inOwnOrder(checkpoint.positions);
    m_velocity = inOwnOrder(checkpoint.velocities);
    m_gain = inOwnOrder(checkpoint.gains);
    m_iteration = checkpoint.iteration;
    m_phase = checkpoint.phase;
    return {};
}

void TsneState::copyPositions(MatrixF& into) const
{
    if (into.rows() != points() || into.cols() != 2)
        into = MatrixF(points(), 2);
    parallelFor(m_numThreads, points(), 4 * kPointBlock, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t at = begin; at < end; ++at)
        {
            const std::int64_t to = m_order.empty() ? at : m_order[sizeOf(at)];
            into(to, 0) = m_xy[sizeOf(2 * at)];
            into(to, 1) = m_xy[sizeOf(2 * at + 1)];
        }
    });
}

MatrixF TsneState::inInputOrder(const std::vector<float>& values) const
{
    if (m_order.empty())
        return {points(), 2, values};
    MatrixF ordered(points(), 2);
    for (std::size_t at = 0; at < m_order.size(); ++at)
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(2 * at), 2, ordered.row(m_order[at]).begin());
    return ordered;
}

std::vector<float> TsneState::inOwnOrder(const MatrixF& values) const
{
    if (m_order.empty())
        return values.values();
    std::vector<float> own(values.values().size());
    for (std::size_t at = 0; at < m_order.size(); ++at)
        std::copy_n(values.row(m_order[at]).begin(), 2, own.begin() + static_cast<std::ptrdiff_t>(2 * at));
    return own;
}

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/tsne_state.h"

#include "model/analysis/neighbors.h"
#include "model/analysis/principal_components.h"
#include "model/base/hash.h"
#include "model/base/parallel.h"
#include "model/base/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace headscope
{
namespace
{

constexpr std::int64_t kPointBlock = 2048;
constexpr int kKlInterval = 50;
constexpr double kSmallestRate = 50;
constexpr double kStartSpread = 1e-4;

using Clock = std::chrono::steady_clock;

std::size_t sizeOf(std::int64_t count)
{
    return static_cast<std::size_t>(count);
}

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

int sign(float value)
{
    return static_cast<int>(value > 0) - static_cast<int>(value < 0);
}

Error wrongUse(std::string message)
{
    return {ErrorCode::WrongUse, std::move(message), {}, {}};
}

/// Positions so far out that their differences leave float32 are no map.
Status checkPositions(const MatrixF& positions)
{
    constexpr float kFarthest = 1e9F;
    HEADSCOPE_CHECK(checkFinite(positions.view()));
    for (const float value : positions.values())
    {
        if (std::abs(value) > kFarthest)
        {
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected positions from -1e9 to 1e9, found {:g}", value),
                         {},
                         {}};
        }
    }
    return {};
}

Result<MatrixF> startPositions(ConstMatrixView rows, std::span<const double> scales, const TsneOptions& options,
                               const MatrixF* given, int numThreads, JobContext& job)
{
    if (options.start == TsneStart::Given)
    {
        if (given == nullptr || given->rows() != rows.rows() || given->cols() != 2)
        {
            return Error{ErrorCode::ShapeMismatch,
                         fmt::format("expected a start of shape [{}, 2], found [{}, {}]", rows.rows(),
                                     given != nullptr ? given->rows() : 0, given != nullptr ? given->cols() : 0),
                         {},
                         {}};
        }
        HEADSCOPE_CHECK(checkPositions(*given));
        return *given;
    }
    MatrixF start(rows.rows(), 2);
    if (options.start == TsneStart::Random)
    {
        const CounterRandom random(options.seed, 0x7473);
        for (std::size_t i = 0; i < start.values().size(); ++i)
            start.values()[i] = static_cast<float>(kStartSpread * random.normal(i));
        return start;
    }
    HEADSCOPE_TRY(const MatrixD components, pcaStart(rows, scales, numThreads, job));
    for (std::size_t i = 0; i < start.values().size(); ++i)
        start.values()[i] = static_cast<float>(components.values()[i]);
    return start;
}

} // namespace

Status checkTsneOptions(const TsneOptions& options)
{
    const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
    if (options.iterations < 0 || options.exaggerationIterations < 0)
    {
        return wrongUse(fmt::format("expected no negative number of iterations, found {} and {}", options.iterations,
                                    options.exaggerationIterations));
    }
    if (!positive(options.exaggeration) || !positive(options.lateExaggeration))
    {
        return wrongUse(fmt::format("expected positive exaggerations, found {} and {}", options.exaggeration,
                                    options.lateExaggeration));
    }
    if (!std::isfinite(options.learningRate) || options.learningRate < 0)
        return wrongUse(
            fmt::format("expected a learning rate above 0, or 0 for automatic, found {}", options.learningRate));
    if (!(options.momentum >= 0 && options.momentum < 1))
        return wrongUse(fmt::format("expected a momentum from 0 to below 1, found {}", options.momentum));
    if (!positive(options.maxStep))
        return wrongUse(fmt::format("expected a positive longest step, found {}", options.maxStep));
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
    HEADSCOPE_CHECK(checkFinite(rows));
    const std::vector<double> scales =
        options.metric == Metric::Cosine ? unitScales(rows, numThreads) : std::vector<double>();
    HEADSCOPE_TRY(const MatrixF start, startPositions(rows, scales, options, given, numThreads, job));
    auto clock = Clock::now();
    TsneSeconds seconds;
    if (rows.rows() <= options.exactBelow)
    {
        job.report("computing affinities", 0, 1);
        HEADSCOPE_TRY(const MatrixD affinities, denseAffinities(rows, scales, options.perplexities, numThreads, job));
        TsneState state(TsneForces(affinities), start, options, numThreads);
        state.m_seconds.affinities = secondsSince(clock);
        return state;
    }
    NeighborOptions wanted;
    wanted.k = static_cast<std::int64_t>(
        std::ceil(3 * *std::max_element(options.perplexities.begin(), options.perplexities.end())));
    wanted.metric = options.metric;
    wanted.seed = options.seed;
    wanted.method = rows.rows() <= options.exactNeighborsBelow ? NeighborMethod::Exact : NeighborMethod::Approximate;
    HEADSCOPE_TRY(Neighbors neighbors, findNeighbors(rows, wanted, numThreads, job));
    seconds.neighbors = secondsSince(clock);
    clock = Clock::now();
    job.report("computing affinities", 0, 1);
    HEADSCOPE_TRY(const SparseAffinities affinities,
                  neighborAffinities(neighbors, options.perplexities, numThreads, job));
    std::vector<std::int32_t> order = std::move(neighbors.order);
    neighbors = {}; // hundreds of megabytes for many points
    TsneState state(TsneForces(affinities, order, false, numThreads), {}, options, numThreads);
    state.m_order = std::move(order);
    state.m_xy = state.inOwnOrder(start);
    state.m_seconds = seconds;
    state.m_seconds.affinities = secondsSince(clock);
    return state;
}

TsneState::TsneState(TsneForces forces, const MatrixF& start, const TsneOptions& options, int numThreads)
    : m_forces(std::move(forces)), m_options(options), m_numThreads(numThreads), m_xy(start.values()),
      m_velocity(sizeOf(2 * m_forces.points())), m_gain(m_velocity.size(), 1.0F), m_gradient(m_velocity.size())
{}

Status TsneState::run(int limit, JobContext& job, const OnIteration& onIteration)
{
    while (m_iteration < limit)
    {
        HEADSCOPE_CHECK(job.checkStop());
        const auto clock = Clock::now();
        step();
        m_seconds.optimise += secondsSince(clock);
        job.report("optimising", static_cast<std::uint64_t>(m_iteration), static_cast<std::uint64_t>(limit),
                   "iterations");
        if (onIteration)
            onIteration(*this);
    }
    return {};
}

void TsneState::step()
{
    const bool early = m_iteration < m_options.exaggerationIterations;
    const double exaggeration = early ? m_options.exaggeration : m_options.lateExaggeration;
    const bool withKl = m_iteration > 0 && m_iteration % kKlInterval == 0;
    const auto sums = m_forces.evaluate(m_xy, exaggeration, withKl, m_numThreads, m_gradient);
    if (withKl)
        m_kl = sums.kl;

    const auto rate = static_cast<float>(learningRate(m_options, points(), m_iteration));
    const auto momentum = static_cast<float>(m_options.momentum);
    const auto longest = static_cast<float>(m_options.maxStep);
    struct Partial
    {
        double x = 0;
        double y = 0;
        std::int64_t clipped = 0;
    };
    std::vector<Partial> partial(sizeOf(blockCount(points(), kPointBlock)));
    parallelForBlocks(m_numThreads, points(), kPointBlock, [&](const Block& block, int) {
        Partial& own = partial[sizeOf(block.index)];
        for (auto i = sizeOf(2 * block.begin); i < sizeOf(2 * block.end); i += 2)
        {
            float step[2];
            for (std::size_t c = 0; c < 2; ++c)
            {
                const float gradient = m_gradient[i + c];
                float& gain = m_gain[i + c];
                gain = sign(gradient) != sign(m_velocity[i + c]) ? gain + 0.2F : std::max(0.8F * gain, 0.01F);
                step[c] = momentum * m_velocity[i + c] - rate * gain * gradient;
            }
            const float length = std::hypot(step[0], step[1]);
            const bool lost = !std::isfinite(length); // a rate beyond float32: the point stays
            const bool cut = length > longest;
            own.clipped += cut ? 1 : 0;
            for (std::size_t c = 0; c < 2; ++c)
            {
                m_velocity[i + c] = lost ? 0.0F : cut ? longest * (step[c] / length) : step[c];
                m_xy[i + c] += m_velocity[i + c];
            }
            own.x += static_cast<double>(m_xy[i]);
            own.y += static_cast<double>(m_xy[i + 1]);
        }
    });
    Partial total;
    for (const Partial& own : partial)
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
    m_options = options;
    return {};
}

TsneCheckpoint TsneState::checkpoint() const
{
    return {inInputOrder(m_xy), inInputOrder(m_velocity), inInputOrder(m_gain), m_iteration};
}

Status TsneState::restore(const TsneCheckpoint& checkpoint)
{
    for (const MatrixF* part : {&checkpoint.positions, &checkpoint.velocities, &checkpoint.gains})
    {
        if (part->rows() != points() || part->cols() != 2)
        {
            return Error{
                ErrorCode::ShapeMismatch,
                fmt::format("expected the state of a run on {} points, found one of {}", points(), part->rows()),
                {},
                {}};
        }
        HEADSCOPE_CHECK(checkPositions(*part));
    }
    m_xy = inOwnOrder(checkpoint.positions);
    m_velocity = inOwnOrder(checkpoint.velocities);
    m_gain = inOwnOrder(checkpoint.gains);
    m_iteration = checkpoint.iteration;
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

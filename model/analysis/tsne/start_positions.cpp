// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/tsne/start_positions.h"

#include "model/analysis/neighbors/neighbors.h"
#include "model/analysis/tsne/principal_components.h"
#include "model/base/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace headscope
{
namespace
{

constexpr double kStartSpread = 1e-4;

/// Moves the points of a start by normal noise of this share of its wider coordinate's standard deviation.
void jitter(MatrixF& start, double share, std::uint64_t seed)
{
    constexpr std::uint64_t kStream = 0x6a69; // apart from that of a random start
    double widest = 0;
    for (std::int64_t c = 0; c < 2; ++c)
    {
        double sum = 0;
        double squares = 0;
        for (std::int64_t i = 0; i < start.rows(); ++i)
            sum += static_cast<double>(start(i, c));
        const double mean = sum / static_cast<double>(start.rows());
        for (std::int64_t i = 0; i < start.rows(); ++i)
            squares += (static_cast<double>(start(i, c)) - mean) * (static_cast<double>(start(i, c)) - mean);
        widest = std::max(widest, squares / static_cast<double>(start.rows()));
    }
    const double sd = share * std::sqrt(widest);
    const CounterRandom random(seed, kStream);
    for (std::size_t i = 0; i < start.values().size(); ++i)
        start.values()[i] += static_cast<float>(sd * random.normal(i));
}

} // namespace

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
        MatrixF moved = *given;
        if (options.startJitter > 0)
            jitter(moved, options.startJitter, options.seed);
        return moved;
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
    if (options.startJitter > 0)
        jitter(start, options.startJitter, options.seed);
    return start;
}

} // namespace headscope

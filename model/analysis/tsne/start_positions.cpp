// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/tsne/start_positions.h"

#include "model/analysis/neighbors/neighbors.h"
#include "model/analysis/tsne/principal_components.h"
#include "model/base/hash.h"
#include "model/base/parallel.h"
#include "model/base/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

constexpr double kStartSpread = 1e-4;

/// The standard deviation of a start along its wider coordinate.
double spreadOf(const MatrixF& start)
{
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
    return std::sqrt(widest);
}

/// Moves the points of a start by normal noise of this share of its spread.
void jitter(MatrixF& start, double share, std::uint64_t seed)
{
    constexpr std::uint64_t kStream = 0x6a69; // apart from that of a random start
    const double sd = share * spreadOf(start);
    const CounterRandom random(seed, kStream);
    for (std::size_t i = 0; i < start.values().size(); ++i)
        start.values()[i] += static_cast<float>(sd * random.normal(i));
}

/// Of each point the first one with the same vector, bit for bit: itself as a rule.
std::vector<std::int64_t> firstEqual(ConstMatrixView rows, int numThreads)
{
    constexpr std::int64_t kBlock = 1024;
    constexpr std::uint64_t kParts = 16; // of the digests: equal vectors are in one
    std::vector<std::uint64_t> digests(static_cast<std::size_t>(rows.rows()));
    parallelFor(numThreads, rows.rows(), kBlock, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
            digests[static_cast<std::size_t>(i)] = xxh3Short(std::as_bytes(rows.row(i)));
    });
    std::vector<std::int64_t> first(digests.size());
    parallelForBlocks(numThreads, kParts, 1, [&](const Block& part, int) {
        std::unordered_multimap<std::uint64_t, std::int64_t> firstOfDigest;
        for (std::int64_t i = 0; i < rows.rows(); ++i)
        {
            const std::uint64_t digest = digests[static_cast<std::size_t>(i)];
            if (digest % kParts != static_cast<std::uint64_t>(part.index))
                continue;
            const auto bytes = std::as_bytes(rows.row(i));
            const auto [begin, end] = firstOfDigest.equal_range(digest);
            const auto same = std::find_if(begin, end, [&](const auto& entry) {
                return std::ranges::equal(std::as_bytes(rows.row(entry.second)), bytes);
            });
            first[static_cast<std::size_t>(i)] = same == end ? i : same->second;
            if (same == end)
                firstOfDigest.emplace(digest, i);
        }
    });
    return first;
}

/// Moves points off the spot of an earlier one with the same vector.
/// @return  how many were moved
std::int64_t separateEqual(ConstMatrixView rows, std::uint64_t seed, int numThreads, MatrixF& start)
{
    constexpr std::uint64_t kStream = 0x6571;
    constexpr double kShare = 0.01;   // openTSNE's
    constexpr double kOneSpot = 1e-4; // of the spread: equal vectors have components that differ by rounding
    const double spread = std::max(spreadOf(start), kStartSpread);
    const auto first = firstEqual(rows, numThreads);
    const CounterRandom random(seed, kStream);
    std::int64_t moved = 0;
    for (std::int64_t i = 0; i < rows.rows(); ++i)
    {
        const auto there = start.row(first[static_cast<std::size_t>(i)]);
        const auto here = start.row(i);
        if (first[static_cast<std::size_t>(i)] == i || std::abs(here[0] - there[0]) > kOneSpot * spread ||
            std::abs(here[1] - there[1]) > kOneSpot * spread)
            continue;
        ++moved;
        for (std::size_t c = 0; c < 2; ++c)
            here[c] += static_cast<float>(kShare * spread * random.normal(2 * static_cast<std::uint64_t>(i) + c));
    }
    return moved;
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

Result<TsneStartPlaces> startPositions(ConstMatrixView rows, std::span<const double> scales, const TsneOptions& options,
                                       const MatrixF* given, int numThreads, JobContext& job)
{
    if (options.start == TsneStart::Given)
    {
        if (given == nullptr || given->rows() != rows.rows() || given->cols() != 2)
        {
            return Error{ErrorCode::ShapeMismatch,
                         fmt::format("expected an initialization of shape [{}, 2], found [{}, {}]", rows.rows(),
                                     given != nullptr ? given->rows() : 0, given != nullptr ? given->cols() : 0),
                         {},
                         {}};
        }
        HEADSCOPE_CHECK(checkPositions(*given));
        TsneStartPlaces places{*given};
        if (options.startJitter > 0)
            jitter(places.xy, options.startJitter, options.seed);
        places.equalPoints = separateEqual(rows, options.seed, numThreads, places.xy);
        return places;
    }
    MatrixF start(rows.rows(), 2);
    if (options.start == TsneStart::Random)
    {
        const CounterRandom random(options.seed, 0x7473);
        for (std::size_t i = 0; i < start.values().size(); ++i)
            start.values()[i] = static_cast<float>(kStartSpread * random.normal(i));
        return TsneStartPlaces{std::move(start)};
    }
    HEADSCOPE_TRY(const MatrixD components, pcaStart(rows, scales, numThreads, job));
    for (std::size_t i = 0; i < start.values().size(); ++i)
        start.values()[i] = static_cast<float>(components.values()[i]);
    if (options.startJitter > 0)
        jitter(start, options.startJitter, options.seed);
    const std::int64_t moved = separateEqual(rows, options.seed, numThreads, start);
    return TsneStartPlaces{std::move(start), moved};
}

} // namespace headscope

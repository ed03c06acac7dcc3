// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/maps/maps_agreement.h"

#include "model/analysis/maps/procrustes.h"
#include "model/analysis/maps/shuffled_correlation.h"
#include "model/analysis/neighbors/planar_neighbors.h"
#include "model/base/parallel.h"
#include "model/data/maps/chance_kept.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace headscope
{
namespace
{

constexpr std::int64_t kBlockPoints = 1024;

Status checkMaps(std::span<const MatrixF> maps)
{
    if (maps.size() < 2)
        return Error{
            ErrorCode::InvalidArgument, fmt::format("expected at least two maps, found {}", maps.size()), {}, {}};
    const std::int64_t points = maps.front().rows();
    for (const MatrixF& map : maps)
    {
        if (map.rows() != points || map.cols() != 2)
            return Error{ErrorCode::ShapeMismatch,
                         fmt::format("expected maps of shape [{}, 2], found [{}, {}]", points, map.rows(), map.cols()),
                         {},
                         {}};
    }
    if (points < 2)
        return Error{ErrorCode::InvalidArgument, fmt::format("expected at least two points, found {}", points), {}, {}};
    return {};
}

/// Share of the neighbours that two maps have in common, for each point.
void sharedNeighbors(const Matrix<std::int32_t>& a, const Matrix<std::int32_t>& b, int numThreads,
                     std::span<double> shares)
{
    parallelFor(numThreads, a.rows(), kBlockPoints, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
        {
            const auto there = b.row(i);
            const auto common = std::count_if(a.row(i).begin(), a.row(i).end(), [there](std::int32_t j) {
                return std::find(there.begin(), there.end(), j) != there.end();
            });
            shares[static_cast<std::size_t>(i)] = static_cast<double>(common) / static_cast<double>(a.cols());
        }
    });
}

} // namespace

Result<MapsAgreement> mapsAgreement(std::span<const MatrixF> maps, int numThreads, JobContext& job, std::int64_t k,
                                    std::span<const std::int32_t> classes)
{
    HEADSCOPE_CHECK(checkMaps(maps));
    const std::int64_t points = maps.front().rows();
    std::vector<Matrix<std::int32_t>> neighbors;
    for (const MatrixF& map : maps)
    {
        job.report("comparing the maps", neighbors.size(), maps.size(), "maps");
        HEADSCOPE_TRY(neighbors.emplace_back(), planarNeighbors(map.view(), k, numThreads, job));
    }
    MapsAgreement agreement;
    agreement.k = neighbors.front().cols();
    agreement.keptByChance = chanceKept(agreement.k, points);
    agreement.keptWithin = keptWithinClasses(agreement.k, classes);
    agreement.keptByPoint.assign(static_cast<std::size_t>(points), 0);
    const auto pairs = static_cast<double>(maps.size() * (maps.size() - 1) / 2);
    std::vector<double> shares(static_cast<std::size_t>(points));
    for (std::size_t a = 0; a < maps.size(); ++a)
    {
        for (std::size_t b = a + 1; b < maps.size(); ++b)
        {
            HEADSCOPE_CHECK(job.checkStop());
            sharedNeighbors(neighbors[a], neighbors[b], numThreads, shares);
            HEADSCOPE_TRY(const PlanarFit fit, fitMotion(maps[a].view(), maps[b].view()));
            for (std::size_t i = 0; i < shares.size(); ++i)
                agreement.keptByPoint[i] += shares[i] / pairs;
            const double kept = std::accumulate(shares.begin(), shares.end(), 0.0) / static_cast<double>(points);
            agreement.pairs.push_back(
                {static_cast<std::int64_t>(a), static_cast<std::int64_t>(b), kept, fit.correlation});
            agreement.kept += kept / pairs;
            agreement.correlation += fit.correlation / pairs;
            HEADSCOPE_TRY(const double shuffled, shuffledCorrelation(maps[a].view(), maps[b].view(), classes));
            agreement.shuffledCorrelation += shuffled / pairs;
        }
    }
    return agreement;
}

} // namespace headscope

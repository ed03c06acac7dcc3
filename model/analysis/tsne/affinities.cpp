// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/tsne/affinities.h"

#include "model/analysis/neighbors/neighbor_search.h"
#include "model/base/parallel.h"
#include "model/base/size_of.h"
#include "model/kernels/exponentials.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope
{
namespace
{

constexpr std::int64_t kRowBlock = 512;

/// Mean over the perplexities of the conditional probabilities of one row; returns the first beta.
double averagedProbabilities(std::span<const double> squared, std::span<const double> perplexities,
                             std::span<double> into)
{
    const double beta = conditionalProbabilities(squared, perplexities.front(), into);
    if (perplexities.size() == 1)
        return beta;
    std::vector<double> scratch(squared.size());
    for (std::size_t s = 1; s < perplexities.size(); ++s)
    {
        conditionalProbabilities(squared, perplexities[s], scratch);
        for (std::size_t j = 0; j < squared.size(); ++j)
            into[j] += scratch[j];
    }
    for (double& p : into)
        p /= static_cast<double>(perplexities.size());
    return beta;
}

Status refusePerplexity(double perplexity, double largest, std::string_view among)
{
    if (perplexity >= 1.0 && perplexity <= largest)
        return {};
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("expected a perplexity from 1 to {:.4g} ({}), found {:.4g}", largest, among, perplexity),
                 {},
                 {}};
}

/// Refuses perplexities that k neighbours do not allow.
Status checkForNeighbors(std::int64_t k, std::span<const double> perplexities)
{
    for (const double perplexity : perplexities)
    {
        HEADSCOPE_CHECK(
            refusePerplexity(perplexity, static_cast<double>(k), fmt::format("{} neighbours of each point", k)));
    }
    return {};
}

} // namespace

double conditionalProbabilities(std::span<const double> squared, double perplexity, std::span<double> into)
{
    constexpr int kSteps = 100;
    constexpr double kTolerance = 1e-13; // on the entropy
    const auto count = static_cast<std::int64_t>(squared.size());
    const double shift = *std::min_element(squared.begin(), squared.end());
    const double target = std::log(perplexity);
    double mean = 0;
    for (const double distance : squared)
        mean += distance - shift;
    mean /= static_cast<double>(count);
    if (mean == 0) // all equal: every beta gives the uniform distribution
    {
        std::fill(into.begin(), into.end(), 1.0 / static_cast<double>(count));
        return 1.0;
    }
    // H(beta) = ln W + beta S1 / W falls from ln K to ln(number of minima); H' = -beta Var(d).
    double low = 0;
    double high = std::numeric_limits<double>::infinity();
    double beta = 1.0 / mean;
    GaussianSums sums;
    for (int step = 0; step < kSteps; ++step)
    {
        sums = gaussianWeights(squared.data(), count, shift, beta, into.data());
        const double average = sums.first / sums.weight;
        const double excess = std::log(sums.weight) + beta * average - target;
        if (std::abs(excess) <= kTolerance)
            break;
        (excess > 0 ? low : high) = beta;
        const double slope = -beta * (sums.second / sums.weight - average * average);
        double next = beta - excess / slope;
        if (!(next > low && next < high)) // Newton left the bracket, or the slope vanished
            next = std::isinf(high) ? beta * 4 : low + (high - low) / 2;
        if (next == beta || beta * mean > 1e30)
            break;
        beta = next;
    }
    for (double& p : into)
        p /= sums.weight;
    return beta;
}

double largestPerplexity(std::int64_t points)
{
    return static_cast<double>(std::max<std::int64_t>(0, points - 1));
}

Status checkPerplexities(std::span<const double> perplexities, std::int64_t points)
{
    if (perplexities.empty())
        return Error{ErrorCode::InvalidArgument, "expected at least one perplexity, found none", {}, {}};
    if (points < 2)
    {
        return Error{
            ErrorCode::InvalidArgument, fmt::format("expected at least 2 points for a map, found {}", points), {}, {}};
    }
    for (const double perplexity : perplexities)
        HEADSCOPE_CHECK(refusePerplexity(perplexity, largestPerplexity(points), fmt::format("{} points", points)));
    return {};
}

Result<SparseAffinities> neighborAffinities(const Neighbors& neighbors, std::span<const double> perplexities,
                                            int numThreads, JobContext& job, std::vector<double>* betas)
{
    HEADSCOPE_CHECK(checkPerplexities(perplexities, neighbors.points()));
    HEADSCOPE_CHECK(checkForNeighbors(neighbors.k(), perplexities));
    const std::int64_t points = neighbors.points();
    if (betas != nullptr)
        betas->assign(sizeOf(points), 0);
    JointRows<double> rows(points, neighbors.k());
    parallelFor(numThreads, points, kRowBlock, [&](std::int64_t begin, std::int64_t end) {
        std::vector<JointEdge<double>> edges;
        std::vector<double> conditional(sizeOf(neighbors.k()));
        for (std::int64_t i = begin; i < end && !job.stopRequested(); ++i)
        {
            const double beta = averagedProbabilities(neighbors.squared.row(i), perplexities, conditional);
            if (betas != nullptr)
                (*betas)[sizeOf(i)] = beta;
            edges.clear();
            for (std::size_t k = 0; k < conditional.size(); ++k)
                edges.push_back({neighbors.indices(i, static_cast<std::int64_t>(k)), conditional[k]});
            rows.setRow(i, edges);
        }
    });
    HEADSCOPE_CHECK(job.checkStop());
    SparseAffinities joint;
    joint.rowStart.assign(sizeOf(points + 1), 0);
    // Merged twice, first for the lengths alone: the rows then go to their place without a copy.
    for (const bool store : {false, true})
    {
        const auto take = [&](const Block& block, int, const JointRows<double>::RowOf& rowOf) {
            std::vector<JointEdge<double>> row;
            for (std::int64_t i = block.begin; i < block.end; ++i)
            {
                rowOf(i, row);
                if (!store)
                {
                    joint.rowStart[sizeOf(i) + 1] = static_cast<std::int64_t>(row.size());
                    continue;
                }
                std::size_t at = sizeOf(joint.rowStart[sizeOf(i)]);
                for (const auto& [column, value] : row)
                {
                    joint.columns[at] = column;
                    joint.values[at++] = value;
                }
            }
        };
        HEADSCOPE_CHECK(rows.visit(take, numThreads, job));
        if (!store)
        {
            std::partial_sum(joint.rowStart.begin(), joint.rowStart.end(), joint.rowStart.begin());
            joint.columns.resize(sizeOf(joint.rowStart.back()));
            joint.values.resize(joint.columns.size());
        }
    }
    return joint;
}

Result<JointNeighbors> findJointNeighbors(ConstMatrixView rows, const NeighborOptions& options,
                                          std::span<const double> perplexities, int numThreads, JobContext& job)
{
    const std::int64_t points = rows.rows();
    HEADSCOPE_CHECK(checkPerplexities(perplexities, points));
    HEADSCOPE_TRY(NeighborSearch search,
                  NeighborSearch::prepare(rows, options, sizeof(JointEdge<float>), numThreads, job));
    HEADSCOPE_CHECK(checkForNeighbors(search.k, perplexities));
    std::vector<std::int32_t> position(search.order.size()); // point -> position
    for (std::size_t at = 0; at < search.order.size(); ++at)
        position[sizeOf(search.order[at])] = static_cast<std::int32_t>(at);
    JointRows<float> kept(points, search.k);
    const auto keep = [&](std::int64_t at, std::span<const RankedNeighbor> nearest) {
        thread_local std::vector<double> squared;
        thread_local std::vector<double> conditional;
        thread_local std::vector<JointEdge<float>> edges;
        squared.clear();
        for (const RankedNeighbor& neighbor : nearest)
            squared.push_back(neighbor.first);
        conditional.resize(squared.size());
        averagedProbabilities(squared, perplexities, conditional);
        edges.clear();
        for (std::size_t k = 0; k < nearest.size(); ++k)
        {
            const std::int32_t neighbor = nearest[k].second;
            edges.push_back(
                {position.empty() ? neighbor : position[sizeOf(neighbor)], static_cast<float>(conditional[k])});
        }
        kept.setRow(at, edges);
    };
    HEADSCOPE_CHECK(search.run(keep, numThreads, job));
    return JointNeighbors{std::move(kept), std::move(search.order)};
}

double sparseAffinityBytes(std::int64_t points, std::int64_t dims, std::int64_t neighbors)
{
    constexpr double kOfPoint = 120;   // the start, the state of the iterations, and edges that fill up a row
    constexpr double kConditional = 8; // a column and a float32
    constexpr double kJoint = 2 * 6;   // a column and a float16, in both directions: less where pairs are mutual
    const auto edges = static_cast<double>(points) * static_cast<double>(neighbors);
    const double searched = NeighborSearch::bytes(points, dims, neighbors);
    const double joined = edges * (kConditional + kJoint) + JointRows<float>::visitBytes(points, neighbors);
    return static_cast<double>(points) * kOfPoint + std::max(searched, joined);
}

double denseAffinityBytes(std::int64_t points)
{
    constexpr double kBytesOfPair = sizeof(double) + sizeof(float);
    return kBytesOfPair * static_cast<double>(points) * static_cast<double>(points);
}

Result<MatrixD> denseAffinities(ConstMatrixView rows, std::span<const double> scales,
                                std::span<const double> perplexities, int numThreads, JobContext& job,
                                std::vector<double>* betas)
{
    const std::int64_t points = rows.rows();
    HEADSCOPE_CHECK(checkPerplexities(perplexities, points));
    MatrixD joint(points, points);
    if (betas != nullptr)
        betas->assign(sizeOf(points), 0);
    parallelFor(numThreads, points, 16, [&](std::int64_t begin, std::int64_t end) {
        std::vector<double> squared(sizeOf(points));
        for (std::int64_t i = begin; i < end && !job.stopRequested(); ++i)
        {
            distancesToAll(rows, scales, i, squared);
            std::copy(squared.begin() + i + 1, squared.end(), squared.begin() + i); // itself left out
            const auto p = joint.row(i);
            const double beta = averagedProbabilities(std::span(squared).first(sizeOf(points - 1)), perplexities,
                                                      p.first(sizeOf(points - 1)));
            std::copy_backward(p.begin() + i, p.end() - 1, p.end());
            p[sizeOf(i)] = 0;
            if (betas != nullptr)
                (*betas)[sizeOf(i)] = beta;
        }
    });
    HEADSCOPE_CHECK(job.checkStop());
    parallelFor(numThreads, points, 16, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
        {
            for (std::int64_t j = i + 1; j < points; ++j) // the pair (i, j) is this block's alone
            {
                const double p = (joint(i, j) + joint(j, i)) / (2.0 * static_cast<double>(points));
                joint(i, j) = p;
                joint(j, i) = p;
            }
        }
    });
    return joint;
}

} // namespace headscope

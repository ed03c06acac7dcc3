// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/class_moments.h"

#include "model/analysis/probe/row_sums.h"
#include "model/base/parallel.h"
#include "model/base/size_of.h"
#include "model/kernels/skinny_gemm.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace headscope
{
namespace
{

/// The sums of one part of the rows.
struct PartSums
{
    std::vector<double> undecided;
    std::vector<double> strength;
    std::vector<double> means; ///< sum_i q_ik x_ij, q = p (1 - p)
    std::vector<double> overlap;
    std::vector<double> strongOverlap;
};

/// Adds up one of the sums over all parts, in their order.
std::vector<double> addUp(std::vector<PartSums>& parts, std::vector<double> PartSums::*sum, std::int64_t size)
{
    std::vector<std::vector<double>> each;
    for (PartSums& part : parts)
        each.push_back(std::move(part.*sum));
    return addParts(each, sizeOf(size));
}

/// Adds rows from `begin` on to the sums of their part.
void addRows(const SoftmaxObjective& objective, const std::vector<float>& energies, std::int64_t begin,
             std::int64_t count, PartSums& sums)
{
    const std::int64_t stride = objective.stride();
    const std::int64_t dims = objective.dims();
    sums.undecided.resize(sizeOf(stride));
    sums.strength.resize(sizeOf(stride));
    const float* p = objective.probabilities().row(begin).data();
    std::vector<float> q(sizeOf(count * stride)); // [count, stride]
    std::vector<float> strong(q.size());          // e_i p_ik
    for (std::int64_t i = 0; i < count; ++i)
    {
        const float energy = energies[sizeOf(begin + i)];
        for (std::int64_t k = 0; k < stride; ++k)
        {
            const float value = p[i * stride + k];
            q[sizeOf(i * stride + k)] = value * (1.0F - value);
            sums.undecided[sizeOf(k)] += static_cast<double>(value * (1.0F - value));
            strong[sizeOf(i * stride + k)] = energy * value;
            sums.strength[sizeOf(k)] += static_cast<double>(energy * value * (1.0F - value));
        }
    }
    std::vector<float> block;
    if (stride <= ClassMoments::kMaxCoupled)
    {
        block.assign(sizeOf(stride * stride), 0.0F);
        addNarrowProduct(stride, stride, count, p, 1, stride, p, stride, block.data(), stride);
        addInDouble(sums.overlap, block);
        std::fill(block.begin(), block.end(), 0.0F);
        addNarrowProduct(stride, stride, count, p, 1, stride, strong.data(), stride, block.data(), stride);
        addInDouble(sums.strongOverlap, block);
    }
    const ConstMatrixView rows = objective.floatRows();
    block.assign(sizeOf(dims * stride), 0.0F);
    addNarrowProduct(dims, stride, count, rows.data() + begin * rows.stride(), 1, rows.stride(), q.data(), stride,
                     block.data(), stride);
    addInDouble(sums.means, block);
}

} // namespace

std::vector<double> rowEnergies(const SoftmaxObjective& objective)
{
    const ConstMatrixView rows = objective.floatRows();
    const std::vector<float> shift(objective.floatShift().begin(), objective.floatShift().end());
    std::vector<double> energies(sizeOf(rows.rows()));
    parallelFor(objective.numThreads(), rows.rows(), kSumBlock, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
        {
            const auto row = rows.row(i);
            double square = 0;
            for (std::size_t j = 0; j < row.size(); ++j)
            {
                const auto value = static_cast<double>(row[j] - shift[j]);
                square += value * value;
            }
            energies[sizeOf(i)] = square;
        }
    });
    return energies;
}

ClassMoments::ClassMoments(const SoftmaxObjective& objective)
{
    const std::vector<double> squares = rowEnergies(objective);
    energy.assign(squares.begin(), squares.end());
    const double sum = std::accumulate(energy.begin(), energy.end(), 0.0);
    const auto scale = static_cast<float>(sum > 0 ? static_cast<double>(energy.size()) / sum : 0.0);
    for (float& each : energy)
        each = scale > 0 ? each * scale : 1.0F;
    follow(objective);
}

void ClassMoments::follow(const SoftmaxObjective& objective)
{
    const std::int64_t stride = objective.stride();
    const std::int64_t dims = objective.dims();
    std::vector<PartSums> parts(sizeOf(kSumParts));
    forRowParts(objective.numThreads(), objective.rows(),
                [&](std::size_t part, std::int64_t begin, std::int64_t count) {
                    addRows(objective, energy, begin, count, parts[part]);
                });
    undecided = addUp(parts, &PartSums::undecided, stride);
    strength = addUp(parts, &PartSums::strength, stride);
    means = addUp(parts, &PartSums::means, dims * stride);
    for (std::int64_t j = 0; j < dims; ++j)
    {
        for (std::int64_t k = 0; k < stride; ++k)
        {
            double& mean = means[sizeOf(j * stride + k)];
            const double weight = undecided[sizeOf(k)];
            mean = weight > 1e-9 ? mean / weight - objective.floatShift()[sizeOf(j)] : 0.0;
        }
    }
    if (stride <= kMaxCoupled)
    {
        overlap = addUp(parts, &PartSums::overlap, stride * stride);
        strongOverlap = addUp(parts, &PartSums::strongOverlap, stride * stride);
    }
}

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/low_rank_preconditioner.h"

#include "model/analysis/probe/cholesky.h"
#include "model/analysis/probe/class_moments.h"
#include "model/analysis/probe/label_curvature.h"
#include "model/base/parallel.h"
#include "model/base/size_of.h"
#include "model/kernels/gemm.h"
#include "model/kernels/skinny_gemm.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace headscope
{
namespace
{

/// A pair that adds less than this to the penalty's 1 is left to the diagonal.
constexpr double kMinPair = 0.1;

} // namespace

double LowRankPreconditioner::costInProducts(const SoftmaxObjective& objective)
{
    const auto dims = static_cast<double>(objective.dims());
    const auto pairs = static_cast<double>(kMaxPairs);
    const auto vectors =
        static_cast<double>(std::min(LabelCurvature::kMaxVectors, LabelCurvature::kMaxOfLabel * objective.classes()));
    const double sketches = 3 * vectors / static_cast<double>(objective.classes()) * dims *
                            static_cast<double>(std::min(objective.rows(), LabelCurvature::kMaxRows));
    const double all = pairs * pairs * pairs / 3 + vectors * vectors * dims / 2 + sketches;
    return all / (2 * static_cast<double>(objective.work()));
}

double LowRankPreconditioner::bytes(std::int64_t rows, std::int64_t dims, std::int64_t classes, int numThreads)
{
    const auto vectors =
        static_cast<double>(std::min(LabelCurvature::kMaxVectors, LabelCurvature::kMaxOfLabel * classes) + classes);
    const auto pairs = std::min(static_cast<double>(kMaxPairs), 4 * vectors); // four modes of each label
    const auto sample =
        static_cast<double>(std::min(rows / classes, std::max<std::int64_t>(512, LabelCurvature::kMaxRows / classes)));
    const double learned = (2 * vectors + numThreads * sample) * static_cast<double>(dims);
    return 4 * (learned + vectors * vectors + pairs * pairs);
}

LowRankPreconditioner::LowRankPreconditioner(const SoftmaxObjective& objective)
    : m_dims(objective.dims()), m_stride(objective.stride()), m_c(objective.c()), m_numThreads(objective.numThreads()),
      m_energy(rowEnergies(objective))
{
    follow(objective);
}

void LowRankPreconditioner::follow(const SoftmaxObjective& objective)
{
    std::vector<std::vector<std::int64_t>> rows(sizeOf(objective.classes()));
    for (std::int64_t i = 0; i < objective.rows(); ++i)
        rows[sizeOf(objective.labels()[sizeOf(i)])].push_back(i);
    std::vector<LabelCurvature> labels(rows.size());
    parallelForBlocks(m_numThreads, objective.classes(), 1, [&](const Block& each, int) {
        labels[sizeOf(each.index)] = labelCurvature(objective, rows[sizeOf(each.index)], m_energy);
    });
    choosePairs(labels);
    setDiagonal(objective, labels);
    factorise();
}

void LowRankPreconditioner::choosePairs(std::vector<LabelCurvature>& labels)
{
    std::int64_t vectors = 0;
    std::int64_t modes = 0;
    for (const LabelCurvature& label : labels)
    {
        vectors += label.vectors.rows();
        modes += label.modes.rows();
    }
    m_pairs.clear();
    m_diagonal.clear();
    m_vectors = MatrixF(vectors, m_dims);
    m_ones.assign(sizeOf(vectors), 0.0F);
    m_modes = MatrixF(modes, m_stride);
    std::vector<std::tuple<double, std::int64_t, std::int64_t>> candidates;
    vectors = 0;
    modes = 0;
    const auto square = [](std::span<const float> values) {
        return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
    };
    for (LabelCurvature& label : labels)
    {
        for (std::int64_t v = 0; v < label.vectors.rows(); ++v)
        {
            const double variance = square(label.vectors.row(v));
            for (std::int64_t m = 0; m < label.modes.rows(); ++m)
            {
                const double strength = variance * square(label.modes.row(m));
                if (v == 0) // the only one with an intercept
                    candidates.emplace_back(-std::numeric_limits<double>::max(), vectors, modes + m);
                else if (strength > kMinPair)
                    candidates.emplace_back(-strength, vectors + v, modes + m);
            }
        }
        if (!label.vectors.empty())
            m_ones[sizeOf(vectors)] = static_cast<float>(label.meanOne);
        std::copy(label.vectors.values().begin(), label.vectors.values().end(), m_vectors.data() + vectors * m_dims);
        std::copy(label.modes.values().begin(), label.modes.values().end(), m_modes.data() + modes * m_stride);
        vectors += label.vectors.rows();
        modes += label.modes.rows();
        label.vectors = {};
    }
    std::sort(candidates.begin(), candidates.end());
    candidates.resize(std::min(candidates.size(), sizeOf(kMaxPairs)));
    for (const auto& [strength, vector, mode] : candidates)
        m_pairs.push_back({vector, mode});
    std::sort(m_pairs.begin(), m_pairs.end(),
              [](const Pair& a, const Pair& b) { return std::tie(a.vector, a.mode) < std::tie(b.vector, b.mode); });
}

/// What the pairs leave out of sum_i e_i p_ik (1 - p_ik), evenly along all columns.
void LowRankPreconditioner::setDiagonal(const SoftmaxObjective& objective, const std::vector<LabelCurvature>& labels)
{
    std::vector<double> left(sizeOf(m_stride));
    double doubt = 0;
    for (const LabelCurvature& label : labels)
    {
        doubt += label.doubt;
        for (std::size_t k = 0; k < left.size(); ++k)
            left[k] += m_c * label.curvature[k];
    }
    std::vector<double> variances;
    for (std::int64_t v = 0; v < m_vectors.rows(); ++v)
    {
        const auto row = std::as_const(m_vectors).row(v);
        variances.push_back(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
    }
    for (const Pair& pair : m_pairs)
    {
        for (std::size_t k = 0; k < left.size(); ++k)
        {
            const double mode = static_cast<double>(m_modes(pair.mode, static_cast<std::int64_t>(k)));
            left[k] -= variances[sizeOf(pair.vector)] * mode * mode;
        }
    }
    for (const double value : left)
        m_diagonal.push_back(1 + std::max(0.0, value) / static_cast<double>(m_dims));
    // Pairs hold nearly all that bends along intercepts; what is free must not blow up.
    m_interceptDiagonal = 1e-4 * m_c * doubt / static_cast<double>(objective.classes()) + 1e-12;
}

/// 1 + P^T D^-1 P and its factor, P the pairs as columns.
void LowRankPreconditioner::factorise()
{
    const std::int64_t vectors = m_vectors.rows();
    const std::int64_t modes = m_modes.rows();
    MatrixF products(vectors, vectors);
    parallelFor(m_numThreads, vectors, 128, [&](std::int64_t begin, std::int64_t end) {
        gemmNT(end - begin, end, m_dims, 1.0F, m_vectors.row(begin).data(), m_dims, m_vectors.data(), m_dims, 0.0F,
               products.row(begin).data(), vectors);
    });
    MatrixF along(modes, modes);      // of modes, about weights
    MatrixF intercepts(modes, modes); // and about intercepts
    for (std::int64_t a = 0; a < modes; ++a)
    {
        for (std::int64_t b = 0; b < modes; ++b)
        {
            double weights = 0;
            double plain = 0;
            for (std::int64_t k = 0; k < m_stride; ++k)
            {
                const auto product = static_cast<double>(m_modes(a, k) * m_modes(b, k));
                weights += product / m_diagonal[sizeOf(k)];
                plain += product;
            }
            along(a, b) = static_cast<float>(weights);
            intercepts(a, b) = static_cast<float>(plain / m_interceptDiagonal);
        }
    }
    const auto form = [&](float ridge) {
        m_factor = MatrixF(pairs(), pairs());
        parallelFor(m_numThreads, pairs(), 64, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i)
            {
                const Pair& a = m_pairs[sizeOf(i)];
                for (std::int64_t j = 0; j <= i; ++j)
                {
                    const Pair& b = m_pairs[sizeOf(j)];
                    m_factor(i, j) = products(a.vector, b.vector) * along(a.mode, b.mode) +
                                     m_ones[sizeOf(a.vector)] * m_ones[sizeOf(b.vector)] * intercepts(a.mode, b.mode);
                }
                m_factor(i, i) = m_factor(i, i) * (1 + ridge) + 1;
            }
        });
    };
    form(0);
    for (float ridge = 1e-5F; !factorCholesky(m_factor, m_numThreads) && ridge < 1; ridge *= 10)
        form(ridge);
}

void LowRankPreconditioner::solve(std::span<const double> residual, std::span<double> solution) const
{
    const std::size_t n = sizeOf(m_stride);
    const std::size_t size = sizeOf(m_dims) * n;
    std::vector<float> scaled(size + n); // D^-1 residual
    for (std::size_t i = 0; i < size; i += n)
    {
        for (std::size_t k = 0; k < n; ++k)
            scaled[i + k] = static_cast<float>(residual[i + k] / m_diagonal[k]);
    }
    for (std::size_t k = 0; k < n; ++k)
        scaled[size + k] = static_cast<float>(residual[size + k] / m_interceptDiagonal);
    const std::int64_t vectors = m_vectors.rows();
    MatrixF along(vectors, m_stride);
    parallelFor(m_numThreads, vectors, 64, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t v = begin; v < end; ++v)
        {
            for (std::size_t k = 0; k < n; ++k)
                along(v, static_cast<std::int64_t>(k)) = m_ones[sizeOf(v)] * scaled[size + k];
        }
        addNarrowProduct(end - begin, m_stride, m_dims, m_vectors.row(begin).data(), m_dims, 1, scaled.data(), m_stride,
                         along.row(begin).data(), m_stride);
    });
    std::vector<float> shares(m_pairs.size());
    for (std::size_t i = 0; i < m_pairs.size(); ++i)
    {
        const auto mode = m_modes.row(m_pairs[i].mode);
        const auto row = std::as_const(along).row(m_pairs[i].vector);
        shares[i] = static_cast<float>(std::inner_product(mode.begin(), mode.end(), row.begin(), 0.0));
    }
    solveCholesky(m_factor, shares);
    std::fill(along.values().begin(), along.values().end(), 0.0F);
    for (std::size_t i = 0; i < m_pairs.size(); ++i)
    {
        const auto mode = m_modes.row(m_pairs[i].mode);
        const auto row = along.row(m_pairs[i].vector);
        for (std::size_t k = 0; k < n; ++k)
            row[k] -= shares[i] * mode[k];
    }
    std::vector<float> correction(size);
    parallelFor(m_numThreads, m_dims, 256, [&](std::int64_t begin, std::int64_t end) {
        addNarrowProduct(end - begin, m_stride, vectors, m_vectors.data() + begin, 1, m_dims, along.data(), m_stride,
                         correction.data() + begin * m_stride, m_stride);
        for (std::size_t i = sizeOf(begin) * n; i < sizeOf(end) * n; i += n)
        {
            for (std::size_t k = 0; k < n; ++k)
                solution[i + k] = (residual[i + k] + static_cast<double>(correction[i + k])) / m_diagonal[k];
        }
    });
    for (std::size_t k = 0; k < n; ++k)
    {
        double sum = residual[size + k];
        for (std::int64_t v = 0; v < vectors; ++v)
            sum += static_cast<double>(m_ones[sizeOf(v)] * along(v, static_cast<std::int64_t>(k)));
        solution[size + k] = sum / m_interceptDiagonal;
    }
}

} // namespace headscope

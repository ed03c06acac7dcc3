// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/label_curvature.h"

#include "model/base/random.h"
#include "model/base/size_of.h"
#include "model/kernels/gemm.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope
{
namespace
{

using RowMajorF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::int64_t kModes = 4;
/// A row less undecided than this teaches no vectors.
constexpr double kCertain = 1e-4;

/// sum_k p_k (1 - p_k)
double undecided(std::span<const float> p)
{
    double left = 0;
    for (const float value : p)
        left += static_cast<double>(value * (1.0F - value));
    return std::max(left, 0.0);
}

/// A_h at trace 1 by its leading vectors, and the curvature of each class.
/// @param doubt  of each row
void findModes(const SoftmaxObjective& objective, std::span<const std::int64_t> rows, std::span<const double> doubt,
               std::span<const double> energies, LabelCurvature& label)
{
    const std::int64_t classes = objective.classes();
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(classes, classes);
    label.curvature.assign(sizeOf(objective.stride()), 0.0);
    double total = 0;
    for (std::size_t row = 0; row < rows.size(); ++row)
    {
        const double energy = energies[sizeOf(rows[row])];
        const auto p = objective.probabilities().row(rows[row]);
        total += energy * doubt[row];
        Eigen::VectorXd probabilities(classes);
        for (std::int64_t k = 0; k < classes; ++k)
        {
            const auto value = static_cast<double>(p[sizeOf(k)]);
            probabilities(k) = value;
            const double own = energy * static_cast<double>(p[sizeOf(k)] * (1.0F - p[sizeOf(k)]));
            label.curvature[sizeOf(k)] += own;
            sum(k, k) += own + energy * value * value; // keeps the digits of p (1 - p)
        }
        sum.selfadjointView<Eigen::Lower>().rankUpdate(probabilities, -energy);
    }
    if (!(total > 0))
        return;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(sum / total);
    label.modes = MatrixF(std::min(kModes, classes), objective.stride());
    for (std::int64_t m = 0; m < label.modes.rows(); ++m)
    {
        const std::int64_t column = classes - 1 - m; // values ascend
        const double scale = std::sqrt(objective.c() * std::max(0.0, solver.eigenvalues()(column)));
        for (std::int64_t k = 0; k < classes; ++k)
            label.modes(m, k) = static_cast<float>(scale * solver.eigenvectors()(k, column));
    }
}

/// The rows of a label that its vectors are learned from.
struct LabelSample
{
    std::vector<std::size_t> rows; ///< places in the label
    double doubt = 0;              ///< of these, together
};

LabelSample sampleLabel(const SoftmaxObjective& objective, std::span<const double> doubt)
{
    LabelSample sample;
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < doubt.size(); ++i)
    {
        if (doubt[i] > kCertain)
            chosen.push_back(i);
    }
    const auto most = sizeOf(std::max<std::int64_t>(512, LabelCurvature::kMaxRows / objective.classes()));
    const std::size_t step = (chosen.size() + most - 1) / most;
    for (std::size_t s = 0; s < chosen.size(); s += step)
    {
        sample.rows.push_back(chosen[s]);
        sample.doubt += doubt[chosen[s]];
    }
    return sample;
}

/// F [rank, D] with F^T F near Y^T Y, by the Nystroem method with one power step from random signs; empty where
/// rounding leaves nothing to factor.
/// @param scaled  Y, [n', D]
MatrixF leaningVectors(const MatrixF& scaled, std::int64_t rank)
{
    const std::int64_t n = scaled.rows();
    const std::int64_t dims = scaled.cols();
    MatrixF signs(n, rank);
    const CounterRandom random(1, 0x6c63);
    for (std::int64_t i = 0; i < n * rank; ++i)
        signs.data()[i] = (random.bits(static_cast<std::uint64_t>(i / 64)) >> (i % 64) & 1U) != 0 ? 1.0F : -1.0F;
    // sketch = G^T Y, image = Y sketch^T
    MatrixF sketch(rank, dims);
    gemmTN(rank, dims, n, 1.0F, signs.data(), rank, scaled.data(), dims, 0.0F, sketch.data(), dims);
    RowMajorF image(n, rank);
    gemmNT(n, rank, dims, 1.0F, scaled.data(), dims, sketch.data(), dims, 0.0F, image.data(), rank);
    gemmTN(rank, dims, n, 1.0F, image.data(), rank, scaled.data(), dims, 0.0F, sketch.data(), dims);
    const Eigen::MatrixXd wide = image.cast<double>();
    Eigen::MatrixXd core = wide.transpose() * wide;
    core.diagonal().array() += 1e-7 * core.trace();
    const Eigen::LLT<Eigen::MatrixXd> factor(core);
    if (factor.info() != Eigen::Success)
        return {};
    const RowMajorF inverse =
        factor.matrixL().solve(Eigen::MatrixXd(Eigen::MatrixXd::Identity(rank, rank))).cast<float>();
    MatrixF leaning(rank, dims);
    gemmNN(rank, dims, rank, 1.0F, inverse.data(), rank, sketch.data(), dims, 0.0F, leaning.data(), dims);
    return leaning;
}

/// Writes vectors turned to their principal axes, so that the weak ones can be told and left out; the strongest first.
/// @param out  as many rows as `leaning`
void writePrincipalAxes(const MatrixF& leaning, float* out)
{
    const std::int64_t rank = leaning.rows();
    const std::int64_t dims = leaning.cols();
    RowMajorF squares(rank, rank);
    gemmNT(rank, rank, dims, 1.0F, leaning.data(), dims, leaning.data(), dims, 0.0F, squares.data(), rank);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(squares.cast<double>());
    const RowMajorF turn = solver.eigenvectors().rowwise().reverse().transpose().cast<float>();
    gemmNN(rank, dims, rank, 1.0F, turn.data(), rank, leaning.data(), dims, 0.0F, out, dims);
}

/// S_h: the mean of the rows, and F with F^T F near their scatter about it.
void findVectors(const SoftmaxObjective& objective, std::span<const std::int64_t> rows, std::span<const double> doubt,
                 LabelCurvature& label)
{
    const LabelSample sample = sampleLabel(objective, doubt);
    const auto count = std::ssize(sample.rows);
    if (count < 2 || label.modes.empty())
        return; // every row is certain: all is left to the penalty
    const std::int64_t dims = objective.dims();
    const double scale = label.doubt / sample.doubt;
    std::vector<double> mean(sizeOf(dims));
    for (const std::size_t place : sample.rows)
    {
        const auto row = objective.floatRows().row(rows[place]);
        const double weight = doubt[place] / sample.doubt;
        for (std::size_t j = 0; j < row.size(); ++j)
            mean[j] += weight * (static_cast<double>(row[j]) - objective.floatShift()[j]);
    }
    MatrixF scaled(count, dims);
    for (std::int64_t s = 0; s < count; ++s)
    {
        const std::size_t place = sample.rows[sizeOf(s)];
        const auto row = objective.floatRows().row(rows[place]);
        const auto root = static_cast<float>(std::sqrt(scale * doubt[place]));
        const auto out = scaled.row(s);
        for (std::size_t j = 0; j < row.size(); ++j)
            out[j] = root * (row[j] - static_cast<float>(objective.floatShift()[j] + mean[j]));
    }
    const std::int64_t rank = std::min(
        {std::clamp<std::int64_t>(LabelCurvature::kMaxVectors / objective.classes(), 16, LabelCurvature::kMaxOfLabel),
         count - 1, dims});
    const MatrixF leaning = leaningVectors(scaled, rank);
    if (leaning.empty())
        return;
    label.vectors = MatrixF(rank + 1, dims);
    writePrincipalAxes(leaning, label.vectors.row(1).data());
    label.meanOne = std::sqrt(label.doubt);
    const auto first = label.vectors.row(0);
    for (std::size_t j = 0; j < first.size(); ++j)
        first[j] = static_cast<float>(label.meanOne * mean[j]);
}

} // namespace

LabelCurvature labelCurvature(const SoftmaxObjective& objective, std::span<const std::int64_t> rows,
                              std::span<const double> energy)
{
    std::vector<double> doubt;
    doubt.reserve(rows.size());
    for (const std::int64_t i : rows)
        doubt.push_back(undecided(objective.probabilities().row(i)));
    LabelCurvature label;
    label.doubt = std::accumulate(doubt.begin(), doubt.end(), 0.0);
    findModes(objective, rows, doubt, energy, label);
    findVectors(objective, rows, doubt, label);
    return label;
}

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/class_scatter.h"

#include "model/analysis/probe/row_sums.h"
#include "model/base/parallel.h"
#include "model/base/random.h"
#include "model/base/size_of.h"
#include "model/kernels/gemm.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace headscope
{
namespace
{

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MapD = Eigen::Map<RowMajor>;
using ConstMapD = Eigen::Map<const RowMajor>;

constexpr std::int64_t kLeading = 128; // vectors of S at most
constexpr int kSweeps = 2;             // of subspace iteration
/// Rows that the leading vectors are learned from: a sample is enough for a preconditioner.
constexpr std::int64_t kSampleRows = 8192;

/// How undecided a row is: 1 - sum_k p_k^2.
float undecided(std::span<const float> p)
{
    float left = 0; // sum p (1 - p): keeps its digits where one p is nearly 1
    for (const float value : p)
        left += value * (1.0F - value);
    return std::max(left, 0.0F);
}

/// How undecided a row is about some classes.
float undecidedAbout(std::span<const float> p, const std::vector<std::int64_t>& classes)
{
    float sum = 0;
    for (const std::int64_t k : classes)
        sum += p[sizeOf(k)] * (1.0F - p[sizeOf(k)]);
    return sum;
}

double totalStrength(const ClassMoments& moments, const std::vector<std::int64_t>& classes)
{
    double sum = 0;
    for (const std::int64_t k : classes)
        sum += moments.strength[sizeOf(k)];
    return std::max(1e-300, sum);
}

/// sum_i t_i x x^T about the centre, t how undecided a row is; [D, D]
std::vector<double> undecidedSquares(const SoftmaxObjective& objective)
{
    const std::int64_t dims = objective.dims();
    const ConstMatrixView rows = objective.floatRows();
    std::vector<std::vector<double>> parts(sizeOf(kSumParts));
    forRowParts(
        objective.numThreads(), objective.rows(), [&](std::size_t part, std::int64_t begin, std::int64_t count) {
            std::vector<float> scaled(sizeOf(count * dims));
            for (std::int64_t i = 0; i < count; ++i)
            {
                const float root = std::sqrt(undecided(objective.probabilities().row(begin + i)));
                for (std::int64_t j = 0; j < dims; ++j)
                    scaled[sizeOf(i * dims + j)] =
                        root * (rows(begin + i, j) - static_cast<float>(objective.floatShift()[sizeOf(j)]));
            }
            std::vector<float> product(sizeOf(dims * dims));
            gemmTN(dims, dims, count, 1.0F, scaled.data(), dims, scaled.data(), dims, 0.0F, product.data(), dims);
            addInDouble(parts[part], product);
        });
    return addParts(parts, sizeOf(dims * dims));
}

/// The rows that leading vectors are learned from.
struct ScatterSample
{
    MatrixF scaled;     ///< sqrt(t_i) (x_i - mean), [n', D]
    double total = 0;   ///< sum of e_i t_i
    double squares = 0; ///< sum of the squared lengths of `scaled`
};

/// Rows that are undecided about some classes, evenly over all.
ScatterSample sampleRows(const SoftmaxObjective& objective, const ClassMoments& moments,
                         const std::vector<std::int64_t>& classes)
{
    constexpr float kCertain = 0.01F; // a row less uncertain than this adds nothing worth its time
    const auto uncertainty = [&](std::int64_t i) { return undecidedAbout(objective.probabilities().row(i), classes); };
    std::vector<std::int64_t> chosen;
    for (std::int64_t i = 0; i < objective.rows(); ++i)
    {
        if (uncertainty(i) > kCertain)
            chosen.push_back(i);
    }
    ScatterSample sample;
    sample.total = 1e-300;
    const std::size_t step = std::max<std::size_t>(1, chosen.size() / sizeOf(kSampleRows));
    std::int64_t count = 0;
    for (std::size_t s = 0; s < chosen.size(); s += step, ++count)
    {
        chosen[sizeOf(count)] = chosen[s];
        sample.total += static_cast<double>(moments.energy[sizeOf(chosen[s])] * uncertainty(chosen[s]));
    }
    const ConstMatrixView rows = objective.floatRows();
    sample.scaled = MatrixF(count, objective.dims());
    std::vector<double> squares(sizeOf(count));
    parallelFor(objective.numThreads(), count, 64, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t s = begin; s < end; ++s)
        {
            const float root = std::sqrt(uncertainty(chosen[sizeOf(s)]));
            double square = 0;
            for (std::int64_t j = 0; j < rows.cols(); ++j)
            {
                const float value =
                    root * (rows(chosen[sizeOf(s)], j) - static_cast<float>(objective.floatShift()[sizeOf(j)]));
                sample.scaled(s, j) = value;
                square += static_cast<double>(value) * static_cast<double>(value);
            }
            squares[sizeOf(s)] = square;
        }
    });
    sample.squares = std::accumulate(squares.begin(), squares.end(), 0.0);
    return sample;
}

/// What the classes' means take off the scatter of a sample: M diag(shares) M^T.
struct MeanPart
{
    RowMajor means;         ///< M, [D, classes]
    Eigen::VectorXd shares; ///< [classes]
};

MeanPart meanPart(const SoftmaxObjective& objective, const ClassMoments& moments,
                  const std::vector<std::int64_t>& classes)
{
    MeanPart part{RowMajor(objective.dims(), std::ssize(classes)), Eigen::VectorXd(std::ssize(classes))};
    const double total = totalStrength(moments, classes);
    for (std::int64_t k = 0; k < part.means.cols(); ++k)
    {
        const auto place = sizeOf(classes[sizeOf(k)]);
        part.shares(k) = moments.undecided[place] / total;
        for (std::int64_t j = 0; j < objective.dims(); ++j)
            part.means(j, k) = moments.means[sizeOf(j * objective.stride()) + place];
    }
    return part;
}

/// S basis, S the scatter of the sample; [D, rank]
RowMajor scatterTimes(const ScatterSample& sample, const MeanPart& part, const RowMajor& basis, int numThreads)
{
    const std::int64_t dims = basis.rows();
    const std::int64_t rank = basis.cols();
    const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> narrow = basis.cast<float>();
    std::vector<std::vector<double>> parts(sizeOf(blockCount(sample.scaled.rows(), 1024)));
    parallelForBlocks(numThreads, sample.scaled.rows(), 1024, [&](const Block& block, int) {
        const std::int64_t count = block.end - block.begin;
        std::vector<float> projected(sizeOf(count * rank));
        std::vector<float> back(sizeOf(dims * rank));
        gemmNN(count, rank, dims, 1.0F, sample.scaled.row(block.begin).data(), dims, narrow.data(), rank, 0.0F,
               projected.data(), rank);
        gemmTN(dims, rank, count, 1.0F, sample.scaled.row(block.begin).data(), dims, projected.data(), rank, 0.0F,
               back.data(), rank);
        addInDouble(parts[sizeOf(block.index)], back);
    });
    const auto sum = addParts(parts, sizeOf(dims * rank));
    return ConstMapD(sum.data(), dims, rank) / sample.total -
           part.means * (part.shares.asDiagonal() * (part.means.transpose() * basis));
}

RowMajor randomBasis(std::int64_t dims, std::int64_t rank)
{
    RowMajor basis(dims, rank);
    const CounterRandom random(1, 0x6375);
    for (std::int64_t i = 0; i < basis.size(); ++i)
        basis.data()[i] = random.normal(static_cast<std::uint64_t>(i));
    return basis;
}

} // namespace

/// S = (sum_i t_i x x^T - sum_k N_k m_k m_k^T) / sum_i t_i
ClassScatter fullScatter(const SoftmaxObjective& objective, const ClassMoments& moments,
                         std::vector<std::int64_t> classes)
{
    const std::int64_t dims = objective.dims();
    const auto sum = undecidedSquares(objective);
    const ConstMapD means(moments.means.data(), dims, objective.stride());
    const Eigen::Map<const Eigen::VectorXd> weights(moments.undecided.data(), objective.stride());
    const double total = totalStrength(moments, classes);
    const RowMajor within =
        (ConstMapD(sum.data(), dims, dims) - means * weights.asDiagonal() * means.transpose()) / total;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(Eigen::MatrixXd((within + within.transpose()) / 2));
    ClassScatter scatter;
    scatter.classes = std::move(classes);
    scatter.rank = dims;
    scatter.vectors.resize(sizeOf(dims * dims));
    MapD(scatter.vectors.data(), dims, dims) = solver.eigenvectors();
    for (std::int64_t j = 0; j < dims; ++j)
        scatter.variances.push_back(std::max(0.0, solver.eigenvalues()(j)));
    return scatter;
}

ClassScatter leadingScatter(const SoftmaxObjective& objective, const ClassMoments& moments,
                            std::vector<std::int64_t> classes)
{
    const std::int64_t dims = objective.dims();
    ClassScatter scatter;
    scatter.classes = std::move(classes);
    const ScatterSample sample = sampleRows(objective, moments, scatter.classes);
    if (sample.scaled.rows() < 2)
        return scatter; // every row is certain: all is left to the penalty
    const MeanPart part = meanPart(objective, moments, scatter.classes);
    const std::int64_t rank = std::min({kLeading, dims, sample.scaled.rows()});
    RowMajor basis = randomBasis(dims, rank);
    RowMajor image;
    for (int sweep = 0; sweep <= kSweeps; ++sweep)
    {
        const Eigen::HouseholderQR<Eigen::MatrixXd> qr{Eigen::MatrixXd(basis)};
        basis = qr.householderQ() * Eigen::MatrixXd::Identity(dims, rank);
        image = scatterTimes(sample, part, basis, objective.numThreads());
        if (sweep < kSweeps)
            basis = image;
    }
    const RowMajor small = basis.transpose() * image;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(Eigen::MatrixXd((small + small.transpose()) / 2));
    scatter.rank = rank;
    scatter.vectors.resize(sizeOf(dims * rank));
    MapD(scatter.vectors.data(), dims, rank) = basis * solver.eigenvectors();
    double kept = 0;
    for (std::int64_t k = 0; k < rank; ++k)
    {
        scatter.variances.push_back(std::max(0.0, solver.eigenvalues()(k)));
        kept += scatter.variances.back();
    }
    const double trace =
        sample.squares / sample.total - part.shares.dot(part.means.colwise().squaredNorm().transpose());
    scatter.restVariance = dims > rank ? std::max(0.0, trace - kept) / static_cast<double>(dims - rank) : 0.0;
    return scatter;
}

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/multinomial.h"

#include "model/analysis/lbfgs.h"
#include "model/analysis/neighbors.h"
#include "model/base/parallel.h"
#include "model/kernels/double_product.h"
#include "model/kernels/exponentials.h"
#include "model/kernels/gemm.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope
{
namespace
{

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MapD = Eigen::Map<RowMajor>;
using ConstMapD = Eigen::Map<const RowMajor>;

constexpr std::int64_t kRowBlock = 256;
constexpr std::int64_t kPartials = 16;
/// Up to this many columns the rows are fully whitened; above, column by column: forming and
/// applying the factor would cost more than the iterations it saves.
constexpr std::int64_t kFullWhitening = 1024;
/// Below this many multiply-adds an evaluation in double is too quick to be worth a coarse phase.
constexpr std::int64_t kCoarseFrom = 20'000'000;
/// Below this many one thread is done before a second has begun.
constexpr std::int64_t kParallelFrom = 2'000'000;

std::size_t sizeOf(std::int64_t count)
{
    return static_cast<std::size_t>(count);
}

/// c[m, n] = a[m, k] b[k, n] for rows of float32 by weights of either precision.
void rowsTimes(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda, const float* b,
               float* c)
{
    gemmNN(m, n, k, 1.0F, a, lda, b, n, 0.0F, c, n);
}

void rowsTimes(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda, const double* b,
               double* c)
{
    std::fill(c, c + m * n, 0.0);
    addProductInDouble(m, n, k, a, lda, 1, b, n, c, n);
}

/// sum[d, n] += a[m, d]^T r[m, n].
void addTransposedTimes(std::int64_t d, std::int64_t n, std::int64_t m, const float* a, std::int64_t lda,
                        const float* r, std::vector<float>& scratch, double* sum)
{
    scratch.resize(sizeOf(d * n));
    gemmTN(d, n, m, 1.0F, a, lda, r, n, 0.0F, scratch.data(), n);
    for (std::size_t i = 0; i < scratch.size(); ++i)
        sum[i] += static_cast<double>(scratch[i]);
}

void addTransposedTimes(std::int64_t d, std::int64_t n, std::int64_t m, const float* a, std::int64_t lda,
                        const double* r, std::vector<float>&, double* sum)
{
    addProductInDouble(d, n, m, a, 1, lda, r, n, sum, n);
}

/// The data term and its gradients with weights as columns.
struct DataTerm
{
    double loss = 0;
    RowMajor weightGradient;     ///< [D, K]
    Eigen::VectorXd residualSum; ///< [K]
};

/// One pass over the rows in the precision of `weights` [D, K] and `bias` [K].
template <class T>
DataTerm dataTerm(ConstMatrixView rows, std::span<const std::int32_t> labels, const std::vector<T>& weights,
                  const std::vector<T>& bias, int numThreads)
{
    const auto classes = static_cast<std::int64_t>(bias.size());
    const std::int64_t dims = rows.cols();
    if (rows.rows() * dims * classes < kParallelFrom)
        numThreads = 1;
    const std::int64_t share =
        std::max(kRowBlock, blockCount(blockCount(rows.rows(), kRowBlock), kPartials) * kRowBlock);
    std::vector<DataTerm> partial(sizeOf(blockCount(rows.rows(), share)));
    parallelForBlocks(numThreads, rows.rows(), share, [&](const Block& part, int) {
        DataTerm& own = partial[sizeOf(part.index)];
        own.weightGradient = RowMajor::Zero(dims, classes);
        own.residualSum = Eigen::VectorXd::Zero(classes);
        std::vector<T> logits(sizeOf(kRowBlock * classes));
        std::vector<float> scratch;
        for (std::int64_t begin = part.begin; begin < part.end; begin += kRowBlock)
        {
            const std::int64_t count = std::min(kRowBlock, part.end - begin);
            const float* block = rows.data() + begin * rows.stride();
            rowsTimes(count, classes, dims, block, rows.stride(), weights.data(), logits.data());
            own.loss += softmaxResiduals(logits.data(), count, classes, classes, bias.data(), labels.data() + begin,
                                         own.residualSum.data());
            addTransposedTimes(dims, classes, count, block, rows.stride(), logits.data(), scratch,
                               own.weightGradient.data());
        }
    });
    DataTerm total{0, RowMajor::Zero(dims, classes), Eigen::VectorXd::Zero(classes)};
    for (const DataTerm& own : partial)
    {
        total.loss += own.loss;
        total.weightGradient += own.weightGradient;
        total.residualSum += own.residualSum;
    }
    return total;
}

std::vector<double> transposed(const MatrixD& weights)
{
    std::vector<double> columns(weights.values().size());
    for (std::int64_t k = 0; k < weights.rows(); ++k)
    {
        for (std::int64_t j = 0; j < weights.cols(); ++j)
            columns[sizeOf(j * weights.rows() + k)] = weights(k, j);
    }
    return columns;
}

/// Variables in which the problem is nearly round: W^T = T w', with T T^T the inverse of
/// C Xc^T Xc / K + I (the shape of the Hessian's bound), and b = scale b'.
class Whitening
{
public:
    Whitening(ConstMatrixView rows, std::int64_t classes, double c, int numThreads);

    [[nodiscard]] const Eigen::VectorXd& mean() const { return m_mean; }
    [[nodiscard]] double interceptScale() const { return m_interceptScale; }
    /// T w'
    [[nodiscard]] RowMajor weights(const RowMajor& white) const
    {
        return m_full.size() == 0 ? RowMajor(m_diagonal.asDiagonal() * white) : RowMajor(m_full * white);
    }
    /// T^T g
    [[nodiscard]] RowMajor gradient(const RowMajor& g) const
    {
        return m_full.size() == 0 ? RowMajor(m_diagonal.asDiagonal() * g) : RowMajor(m_full.transpose() * g);
    }
    /// (X - mean) T in float32
    [[nodiscard]] MatrixF rows(ConstMatrixView rows, int numThreads) const;

private:
    Eigen::VectorXd m_mean;
    RowMajor m_full; ///< [D, D], or empty
    Eigen::VectorXd m_diagonal;
    double m_interceptScale = 1;
};

Whitening::Whitening(ConstMatrixView rows, std::int64_t classes, double c, int numThreads)
{
    const std::int64_t dims = rows.cols();
    const auto count = static_cast<double>(rows.rows());
    const std::int64_t share =
        std::max(kRowBlock, blockCount(blockCount(rows.rows(), kRowBlock), kPartials) * kRowBlock);
    const auto parts = sizeOf(blockCount(rows.rows(), share));
    std::vector<Eigen::VectorXd> sums(parts, Eigen::VectorXd::Zero(dims));
    parallelForBlocks(numThreads, rows.rows(), share, [&](const Block& part, int) {
        for (std::int64_t i = part.begin; i < part.end; ++i)
        {
            for (std::int64_t j = 0; j < dims; ++j)
                sums[sizeOf(part.index)](j) += static_cast<double>(rows(i, j));
        }
    });
    m_mean = std::accumulate(sums.begin(), sums.end(), Eigen::VectorXd(Eigen::VectorXd::Zero(dims))) / count;

    const bool full = dims <= kFullWhitening;
    std::vector<RowMajor> scatters(parts, full ? RowMajor(RowMajor::Zero(dims, dims)) : RowMajor());
    std::vector<Eigen::VectorXd> squares(parts, Eigen::VectorXd::Zero(dims));
    parallelForBlocks(numThreads, rows.rows(), share, [&](const Block& part, int) {
        RowMajor centred(kRowBlock, dims);
        for (std::int64_t begin = part.begin; begin < part.end; begin += kRowBlock)
        {
            const std::int64_t end = std::min(part.end, begin + kRowBlock);
            for (std::int64_t i = begin; i < end; ++i)
            {
                for (std::int64_t j = 0; j < dims; ++j)
                {
                    const double value = static_cast<double>(rows(i, j)) - m_mean(j);
                    centred(i - begin, j) = value;
                    squares[sizeOf(part.index)](j) += value * value;
                }
            }
            if (full) // X^T Xc is Xc^T Xc, because the columns of Xc sum to zero over all rows
                addProductInDouble(dims, dims, end - begin, rows.data() + begin * rows.stride(), 1, rows.stride(),
                                   centred.data(), dims, scatters[sizeOf(part.index)].data(), dims);
        }
    });
    const double weight = c / static_cast<double>(classes);
    const Eigen::VectorXd square =
        std::accumulate(squares.begin(), squares.end(), Eigen::VectorXd(Eigen::VectorXd::Zero(dims)));
    m_diagonal = (weight * square.array() + 1).sqrt().inverse();
    m_interceptScale = 1 / std::sqrt(std::max(1e-12, weight * count));
    if (!full)
        return;
    RowMajor scatter = RowMajor::Zero(dims, dims);
    for (const RowMajor& part : scatters)
        scatter += part;
    // Scaled to a unit diagonal first, so that columns of very different size keep their digits.
    const RowMajor scaled = m_diagonal.asDiagonal() *
                            (weight * (scatter + scatter.transpose()) / 2 + Eigen::MatrixXd::Identity(dims, dims)) *
                            m_diagonal.asDiagonal();
    const Eigen::LLT<Eigen::MatrixXd> factor(scaled);
    if (factor.info() != Eigen::Success)
        return;
    const Eigen::MatrixXd lower = factor.matrixL();
    m_full = m_diagonal.asDiagonal() *
             lower.triangularView<Eigen::Lower>().solve(Eigen::MatrixXd::Identity(dims, dims)).transpose();
}

MatrixF Whitening::rows(ConstMatrixView rows, int numThreads) const
{
    const std::int64_t dims = rows.cols();
    MatrixF white(rows.rows(), dims);
    // Columns get unit size before the product in float32, which then sees numbers of one scale.
    const RowMajor unit = m_full.size() == 0 ? RowMajor() : RowMajor(m_diagonal.cwiseInverse().asDiagonal() * m_full);
    const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> factor = unit.cast<float>();
    parallelFor(numThreads, rows.rows(), kRowBlock, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> scaled(sizeOf((end - begin) * dims));
        for (std::int64_t i = begin; i < end; ++i)
        {
            for (std::int64_t j = 0; j < dims; ++j)
                scaled[sizeOf((i - begin) * dims + j)] =
                    static_cast<float>((static_cast<double>(rows(i, j)) - m_mean(j)) * m_diagonal(j));
        }
        if (m_full.size() == 0)
            std::copy(scaled.begin(), scaled.end(), white.row(begin).begin());
        else
            gemmNN(end - begin, dims, dims, 1.0F, scaled.data(), dims, factor.data(), dims, 0.0F,
                   white.row(begin).data(), dims);
    });
    return white;
}

/// The objective in white variables [D K weights, K intercepts], in double on the rows as given or
/// coarsely on float32 copies of white rows.
class WhiteProblem
{
public:
    WhiteProblem(ConstMatrixView rows, std::span<const std::int32_t> labels, std::int64_t classes, double c,
                 int numThreads)
        : m_rows(rows), m_labels(labels), m_classes(classes), m_c(c), m_numThreads(numThreads),
          m_whitening(rows, classes, c, numThreads)
    {}

    [[nodiscard]] std::size_t size() const { return sizeOf((m_rows.cols() + 1) * m_classes); }
    void makeWhiteRows() { m_white = m_whitening.rows(m_rows, m_numThreads); }
    void dropWhiteRows() { m_white = {}; }

    double exact(std::span<const double> x, std::span<double> gradient);
    double coarse(std::span<const double> x, std::span<double> gradient);

    /// Gradient norms of the last exact evaluation in W and b themselves.
    [[nodiscard]] double weightNorm() const { return m_weightNorm; }
    [[nodiscard]] double interceptNorm() const { return m_interceptNorm; }
    [[nodiscard]] double interceptScale() const { return m_whitening.interceptScale(); }
    /// W [D, K] and b [K] of white variables.
    [[nodiscard]] RowMajor weightsOf(std::span<const double> x) const
    {
        return m_whitening.weights(ConstMapD(x.data(), m_rows.cols(), m_classes));
    }
    [[nodiscard]] Eigen::VectorXd interceptsOf(std::span<const double> x, const RowMajor& weights) const
    {
        const Eigen::Map<const Eigen::VectorXd> white(x.data() + m_rows.cols() * m_classes, m_classes);
        return white * m_whitening.interceptScale() - weights.transpose() * m_whitening.mean();
    }

private:
    ConstMatrixView m_rows;
    std::span<const std::int32_t> m_labels;
    std::int64_t m_classes;
    double m_c;
    int m_numThreads;
    Whitening m_whitening;
    MatrixF m_white;
    double m_weightNorm = 0;
    double m_interceptNorm = 0;
};

double WhiteProblem::exact(std::span<const double> x, std::span<double> gradient)
{
    const RowMajor weights = weightsOf(x);
    const Eigen::VectorXd intercepts = interceptsOf(x, weights);
    const DataTerm data =
        dataTerm(m_rows, m_labels, std::vector<double>(weights.data(), weights.data() + weights.size()),
                 std::vector<double>(intercepts.data(), intercepts.data() + intercepts.size()), m_numThreads);
    const RowMajor full = m_c * data.weightGradient + weights;
    m_weightNorm = full.norm();
    m_interceptNorm = m_c * data.residualSum.norm();
    const std::int64_t dims = m_rows.cols();
    MapD(gradient.data(), dims, m_classes) =
        m_whitening.gradient(full - m_c * m_whitening.mean() * data.residualSum.transpose());
    Eigen::Map<Eigen::VectorXd>(gradient.data() + dims * m_classes, m_classes) =
        m_c * m_whitening.interceptScale() * data.residualSum;
    return m_c * data.loss + 0.5 * weights.squaredNorm();
}

double WhiteProblem::coarse(std::span<const double> x, std::span<double> gradient)
{
    const std::int64_t dims = m_rows.cols();
    const ConstMapD white(x.data(), dims, m_classes);
    const double scale = m_whitening.interceptScale();
    std::vector<float> bias(sizeOf(m_classes));
    for (std::size_t k = 0; k < bias.size(); ++k)
        bias[k] = static_cast<float>(scale * x[sizeOf(dims * m_classes) + k]);
    const DataTerm data = dataTerm(m_white.view(), m_labels,
                                   std::vector<float>(x.begin(), x.begin() + dims * m_classes), bias, m_numThreads);
    const RowMajor weights = m_whitening.weights(white);
    MapD(gradient.data(), dims, m_classes) = m_c * data.weightGradient + m_whitening.gradient(weights);
    Eigen::Map<Eigen::VectorXd>(gradient.data() + dims * m_classes, m_classes) = m_c * scale * data.residualSum;
    return m_c * data.loss + 0.5 * weights.squaredNorm();
}

Status checkLabels(std::span<const std::int32_t> labels, std::int64_t rows, std::int64_t classes)
{
    if (static_cast<std::int64_t>(labels.size()) != rows)
    {
        return Error{
            ErrorCode::ShapeMismatch, fmt::format("expected {} labels, found {}", rows, labels.size()), {}, {}};
    }
    std::vector<bool> seen(sizeOf(std::max<std::int64_t>(0, classes)));
    for (std::size_t i = 0; i < labels.size(); ++i)
    {
        if (labels[i] < 0 || labels[i] >= classes)
        {
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected labels from 0 to {}, found {} in row {}", classes - 1, labels[i], i),
                         {},
                         {}};
        }
        seen[sizeOf(labels[i])] = true;
    }
    const auto present = std::count(seen.begin(), seen.end(), true);
    if (present < 2)
    {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected at least 2 classes to tell apart, found {} in {} rows", present, rows),
                     {},
                     {}};
    }
    return {};
}

} // namespace

double MultinomialObjective::gradientNorm() const
{
    double sum = 0;
    for (const double g : weightGradient.values())
        sum += g * g;
    for (const double g : interceptGradient)
        sum += g * g;
    return std::sqrt(sum);
}

MultinomialObjective multinomialObjective(ConstMatrixView rows, std::span<const std::int32_t> labels,
                                          const MatrixD& weights, std::span<const double> intercepts, double c,
                                          int numThreads)
{
    const DataTerm data = dataTerm(rows, labels, transposed(weights),
                                   std::vector<double>(intercepts.begin(), intercepts.end()), numThreads);
    MultinomialObjective objective{0, MatrixD(weights.rows(), weights.cols()), {}};
    double square = 0;
    for (std::int64_t k = 0; k < weights.rows(); ++k)
    {
        for (std::int64_t j = 0; j < weights.cols(); ++j)
        {
            objective.weightGradient(k, j) = c * data.weightGradient(j, k) + weights(k, j);
            square += weights(k, j) * weights(k, j);
        }
        objective.interceptGradient.push_back(c * data.residualSum(k));
    }
    objective.value = c * data.loss + 0.5 * square;
    return objective;
}

Result<MultinomialFit> fitMultinomial(ConstMatrixView rows, std::span<const std::int32_t> labels, std::int64_t classes,
                                      const MultinomialOptions& options, int numThreads, JobContext& job)
{
    constexpr double kCoarseDecrease = 1e-7; // of the objective in one step: float32 sees little below
    HEADSCOPE_CHECK(checkLabels(labels, rows.rows(), classes));
    HEADSCOPE_CHECK(checkFinite(rows));
    WhiteProblem problem(rows, labels, classes, options.c, numThreads);
    Lbfgs lbfgs(std::vector<double>(problem.size(), 0.0));
    MultinomialFit fit;
    const auto advance = [&](double smallestDecrease) -> Result<bool> {
        HEADSCOPE_CHECK(job.checkStop());
        const double former = lbfgs.value();
        if (!lbfgs.step())
            return false;
        ++fit.iterations;
        job.report("fitting", static_cast<std::uint64_t>(fit.iterations), 0, "iterations");
        return former - lbfgs.value() > smallestDecrease * std::abs(lbfgs.value());
    };
    if (rows.rows() * rows.cols() * classes >= kCoarseFrom)
    {
        problem.makeWhiteRows();
        lbfgs.setFunction([&](auto x, auto gradient) { return problem.coarse(x, gradient); });
        while (fit.iterations < options.maxIterations)
        {
            HEADSCOPE_TRY(const bool more, advance(kCoarseDecrease));
            if (!more)
                break;
        }
        problem.dropWhiteRows();
    }
    lbfgs.setFunction([&](auto x, auto gradient) { return problem.exact(x, gradient); });
    std::vector<double> scratch(problem.size());
    const auto bound = [&] {
        // Strong convexity in W; the intercepts' curvature is about C n / K, as their scale says.
        const double b = problem.interceptNorm() * problem.interceptScale();
        return 0.5 * (problem.weightNorm() * problem.weightNorm() + b * b);
    };
    const auto reached = [&] { return bound() <= options.relativeGap * lbfgs.value(); };
    bool atFloor = false;
    while (!reached() && !atFloor && fit.iterations < options.maxIterations)
    {
        HEADSCOPE_TRY(const bool more, advance(-1.0));
        atFloor = !more;
    }
    fit.objective = problem.exact(lbfgs.x(), scratch);
    fit.converged = reached() || (atFloor && bound() <= 1e-9 * lbfgs.value());
    fit.gradientNorm = std::hypot(problem.weightNorm(), problem.interceptNorm());
    fit.evaluations = lbfgs.evaluations();
    const RowMajor weights = problem.weightsOf(lbfgs.x());
    Eigen::VectorXd intercepts = problem.interceptsOf(lbfgs.x(), weights);
    intercepts.array() -= intercepts.mean(); // a constant on all changes nothing
    fit.weights = MatrixD(classes, rows.cols());
    MapD(fit.weights.data(), classes, rows.cols()) = weights.transpose();
    fit.intercepts.assign(intercepts.data(), intercepts.data() + classes);
    return fit;
}

MatrixD multinomialLogits(ConstMatrixView rows, const MatrixD& weights, std::span<const double> intercepts,
                          int numThreads)
{
    const std::vector<double> columns = transposed(weights);
    MatrixD logits(rows.rows(), weights.rows());
    parallelFor(numThreads, rows.rows(), kRowBlock, [&](std::int64_t begin, std::int64_t end) {
        rowsTimes(end - begin, weights.rows(), rows.cols(), rows.data() + begin * rows.stride(), rows.stride(),
                  columns.data(), logits.row(begin).data());
        for (std::int64_t i = begin; i < end; ++i)
        {
            for (std::int64_t k = 0; k < weights.rows(); ++k)
                logits(i, k) += intercepts[sizeOf(k)];
        }
    });
    return logits;
}

} // namespace headscope

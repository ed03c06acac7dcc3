// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/softmax_objective.h"

#include "model/base/parallel.h"
#include "model/base/size_of.h"
#include "model/kernels/exponentials.h"
#include "model/kernels/skinny_gemm.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <type_traits>
#include <utility>

namespace headscope
{
namespace
{

/// Sums over rows are kept in this many parts, whatever the number of threads.
constexpr std::int64_t kParts = 16;
/// Below this many multiply-adds one thread is done before a second has begun.
constexpr std::int64_t kParallelFrom = 2'000'000;
/// Rows this many standard deviations from the origin are centred before float32 sees them.
constexpr double kFarFromOrigin = 8;

/// Rows that are looked at together: both products find them in the second-level cache.
std::int64_t rowBlock(std::int64_t dims, std::size_t bytes)
{
    constexpr std::int64_t kBlockBytes = 256 * 1024;
    return std::clamp<std::int64_t>(kBlockBytes / (dims * static_cast<std::int64_t>(bytes)) / 8 * 8, 48, 256);
}

/// Rows of one part of the sums: whole blocks.
std::int64_t partRows(std::int64_t rows, std::int64_t block)
{
    return std::max(block, blockCount(blockCount(rows, block), kParts) * block);
}

/// What one part of the rows adds to the gradient, or to a product with the Hessian.
struct Part
{
    double loss = 0;
    std::vector<double> weights;    ///< [D, stride]
    std::vector<double> intercepts; ///< [stride]
};

/// A block of rows in the precision of the products: as it lies, or converted and centred.
template <class T>
struct RowBlock
{
    const T* data;
    std::int64_t stride;
};

RowBlock<float> blockOf(ConstMatrixView rows, const std::vector<double>&, std::int64_t begin, std::int64_t,
                        std::vector<float>&)
{
    return {rows.data() + begin * rows.stride(), rows.stride()};
}

RowBlock<double> blockOf(ConstMatrixView rows, const std::vector<double>& mean, std::int64_t begin, std::int64_t count,
                         std::vector<double>& scratch)
{
    const std::int64_t dims = rows.cols();
    scratch.resize(sizeOf(count * dims));
    for (std::int64_t i = 0; i < count; ++i)
    {
        const float* row = rows.data() + (begin + i) * rows.stride();
        double* out = scratch.data() + i * dims;
        for (std::int64_t j = 0; j < dims; ++j)
            out[j] = static_cast<double>(row[j]) - mean[sizeOf(j)];
    }
    return {scratch.data(), dims};
}

/// c[m, n] = a[m, k] b[k, n], rows as they lie.
template <class T>
void times(std::int64_t m, std::int64_t n, std::int64_t k, const RowBlock<T>& a, const T* b, T* c)
{
    std::fill(c, c + m * n, T(0));
    addNarrowProduct(m, n, k, a.data, a.stride, 1, b, n, c, n);
}

/// sum[d, n] += a[m, d]^T r[m, n]; in float32 one block's product is formed first, then added in double.
void addTransposed(std::int64_t d, std::int64_t n, std::int64_t m, const RowBlock<float>& a, const float* r,
                   std::vector<float>& scratch, std::vector<double>& sum)
{
    scratch.assign(sizeOf(d * n), 0.0F);
    addNarrowProduct(d, n, m, a.data, 1, a.stride, r, n, scratch.data(), n);
    std::ranges::transform(scratch, sum, sum.begin(),
                           [](float product, double before) { return before + static_cast<double>(product); });
}

void addTransposed(std::int64_t d, std::int64_t n, std::int64_t m, const RowBlock<double>& a, const double* r,
                   std::vector<double>&, std::vector<double>& sum)
{
    addNarrowProduct(d, n, m, a.data, 1, a.stride, r, n, sum.data(), n);
}

/// Parts in their order.
Part addUp(std::vector<Part>& parts)
{
    Part total = std::move(parts.front());
    for (std::size_t p = 1; p < parts.size(); ++p)
    {
        total.loss += parts[p].loss;
        std::ranges::transform(parts[p].weights, total.weights, total.weights.begin(), std::plus());
        std::ranges::transform(parts[p].intercepts, total.intercepts, total.intercepts.begin(), std::plus());
    }
    return total;
}

/// Intercepts for rows of which `shift` is still to be taken off: b - shift . W.
template <class T>
std::vector<T> shiftedIntercepts(std::span<const double> theta, const std::vector<double>& shift, std::int64_t stride)
{
    std::vector<double> intercepts(theta.end() - stride, theta.end());
    const double* weights = theta.data();
    for (const double off : shift)
        for (double& intercept : intercepts)
            intercept -= off * *weights++;
    return {intercepts.begin(), intercepts.end()};
}

/// Walks the rows in blocks: logits (or their changes) X W of a block, what `transform` makes of them,
/// and X^T times that. Parts of the rows are added in their order.
/// @param theta      W [D, stride], then the intercepts, which are the transform's business
/// @param transform  (values [count, stride], first row, count, part), also adds loss and intercepts to its part
template <class T, class Transform>
Part sumOverRows(ConstMatrixView rows, const std::vector<double>& mean, std::span<const double> theta,
                 std::int64_t stride, int numThreads, const Transform& transform)
{
    const std::int64_t dims = rows.cols();
    const std::vector<T> weights(theta.begin(), theta.end() - stride);
    const std::int64_t block = rowBlock(dims, sizeof(T));
    const std::int64_t share = partRows(rows.rows(), block);
    std::vector<Part> parts(sizeOf(blockCount(rows.rows(), share)));
    parallelForBlocks(numThreads, rows.rows(), share, [&](const Block& part, int) {
        Part& own = parts[sizeOf(part.index)];
        own.weights.resize(weights.size());
        own.intercepts.resize(sizeOf(stride));
        std::vector<T> values(sizeOf(block * stride));
        std::vector<T> converted;
        std::vector<T> scratch;
        for (std::int64_t begin = part.begin; begin < part.end; begin += block)
        {
            const std::int64_t count = std::min(block, part.end - begin);
            const auto each = blockOf(rows, mean, begin, count, converted);
            times(count, stride, dims, each, weights.data(), values.data());
            transform(values.data(), begin, count, own);
            addTransposed(dims, stride, count, each, values.data(), scratch, own.weights);
        }
    });
    return addUp(parts);
}

/// C times the sum over rows, the shift taken off, plus theta for the penalty: a gradient, or a product
/// with the Hessian. Intercepts pay no penalty.
void addPenalty(const Part& total, const std::vector<double>& shift, std::span<const double> theta, std::int64_t stride,
                double c, std::span<double> into)
{
    const double* weight = total.weights.data();
    const double* before = theta.data();
    double* out = into.data();
    const std::int64_t dims = std::ssize(total.weights) / stride;
    for (std::int64_t row = 0; row < dims; ++row)
    {
        const double off = shift.empty() ? 0.0 : shift[sizeOf(row)];
        for (const double intercept : total.intercepts)
            *out++ = c * (*weight++ - off * intercept) + *before++;
    }
    for (const double intercept : total.intercepts)
        *out++ = c * intercept;
}

/// Mean and standard deviation of each column, in double.
struct Moments
{
    std::vector<double> mean;
    std::vector<double> deviation;
};

Moments momentsOf(ConstMatrixView rows, int numThreads)
{
    const std::int64_t dims = rows.cols();
    const std::int64_t share = partRows(rows.rows(), 256);
    const auto parts = sizeOf(blockCount(rows.rows(), share));
    std::vector<std::vector<double>> sums(parts, std::vector<double>(sizeOf(2 * dims)));
    // About the first row, so that the squares of rows far from the origin keep their digits.
    const float* origin = rows.data();
    parallelForBlocks(numThreads, rows.rows(), share, [&](const Block& part, int) {
        double* sum = sums[sizeOf(part.index)].data();
        for (std::int64_t i = part.begin; i < part.end; ++i)
        {
            const float* row = rows.data() + i * rows.stride();
            for (std::int64_t j = 0; j < dims; ++j)
            {
                const double value = static_cast<double>(row[j]) - static_cast<double>(origin[j]);
                sum[j] += value;
                sum[dims + j] += value * value;
            }
        }
    });
    Moments moments;
    const auto count = static_cast<double>(rows.rows());
    for (std::size_t j = 0; j < sizeOf(dims); ++j)
    {
        double sum = 0;
        double squares = 0;
        for (const auto& part : sums)
        {
            sum += part[j];
            squares += part[sizeOf(dims) + j];
        }
        moments.mean.push_back(static_cast<double>(origin[j]) + sum / count);
        moments.deviation.push_back(std::sqrt(std::max(0.0, squares / count - sum / count * (sum / count))));
    }
    return moments;
}

} // namespace

SoftmaxObjective::SoftmaxObjective(ConstMatrixView rows, std::span<const std::int32_t> labels, std::int64_t classes,
                                   double c, int numThreads, bool centred)
    : m_rows(rows), m_labels(labels), m_classes(classes),
      m_stride(blockCount(classes, kNarrowColumns) * kNarrowColumns), m_c(c),
      m_numThreads(rows.rows() * rows.cols() * m_stride < kParallelFrom ? 1 : numThreads), m_mean(sizeOf(rows.cols())),
      m_floatRows(rows), m_floatShift(sizeOf(rows.cols())), m_probabilities(rows.rows(), m_stride)
{
    if (!centred)
        return;
    Moments moments = momentsOf(rows, m_numThreads);
    m_mean = std::move(moments.mean);
    m_floatShift = m_mean;
    bool far = false;
    for (std::size_t j = 0; j < m_mean.size(); ++j)
        far = far || std::abs(m_mean[j]) > kFarFromOrigin * moments.deviation[j];
    if (!far)
        return;
    m_centredRows = MatrixF(rows.rows(), rows.cols());
    parallelFor(m_numThreads, rows.rows(), 256, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
        {
            for (std::int64_t j = 0; j < rows.cols(); ++j)
                m_centredRows(i, j) = static_cast<float>(static_cast<double>(rows(i, j)) - m_mean[sizeOf(j)]);
        }
    });
    m_floatRows = std::as_const(m_centredRows).view();
    std::fill(m_floatShift.begin(), m_floatShift.end(), 0.0);
}

template <class T>
double SoftmaxObjective::evaluateAs(std::span<const double> theta, std::span<double> gradient)
{
    constexpr bool inDouble = std::is_same_v<T, double>;
    const std::vector<double> none;
    const std::vector<double>& shift = inDouble ? none : m_floatShift;
    const auto intercepts = shiftedIntercepts<T>(theta, shift, m_stride);
    const Part total = sumOverRows<T>(inDouble ? m_rows : m_floatRows, m_mean, theta, m_stride, m_numThreads,
                                      [&](T* logits, std::int64_t begin, std::int64_t count, Part& own) {
                                          own.loss +=
                                              softmaxResiduals(logits, count, m_classes, m_stride, intercepts.data(),
                                                               m_labels.data() + begin, own.intercepts.data());
                                          for (std::int64_t i = 0; i < count; ++i)
                                          {
                                              float* kept = m_probabilities.row(begin + i).data();
                                              for (std::int64_t k = 0; k < m_classes; ++k)
                                                  kept[k] = static_cast<float>(logits[i * m_stride + k]);
                                              kept[m_labels[sizeOf(begin + i)]] += 1.0F;
                                          }
                                      });
    double square = 0;
    for (const double weight : theta.first(theta.size() - sizeOf(m_stride)))
        square += weight * weight;
    addPenalty(total, shift, theta, m_stride, m_c, gradient);
    return m_c * total.loss + 0.5 * square;
}

template <class T>
void SoftmaxObjective::hessianVectorProductAs(std::span<const double> direction, std::span<double> product) const
{
    constexpr bool inDouble = std::is_same_v<T, double>;
    const std::vector<double> none;
    const std::vector<double>& shift = inDouble ? none : m_floatShift;
    const auto intercepts = shiftedIntercepts<T>(direction, shift, m_stride);
    const Part total = sumOverRows<T>(inDouble ? m_rows : m_floatRows, m_mean, direction, m_stride, m_numThreads,
                                      [&](T* changes, std::int64_t begin, std::int64_t count, Part& own) {
                                          softmaxChanges(changes, m_probabilities.row(begin).data(), count, m_stride,
                                                         intercepts.data(), own.intercepts.data());
                                      });
    addPenalty(total, shift, direction, m_stride, m_c, product);
}

double SoftmaxObjective::evaluate(std::span<const double> theta, std::span<double> gradient, ProductPrecision precision)
{
    return precision == ProductPrecision::Double ? evaluateAs<double>(theta, gradient)
                                                 : evaluateAs<float>(theta, gradient);
}

void SoftmaxObjective::hessianVectorProduct(std::span<const double> direction, std::span<double> product,
                                            ProductPrecision precision) const
{
    if (precision == ProductPrecision::Double)
        hessianVectorProductAs<double>(direction, product);
    else
        hessianVectorProductAs<float>(direction, product);
}

double SoftmaxObjective::gapBound(std::span<const double> gradient) const
{
    const auto weights = sizeOf(dims() * m_stride);
    const double curvature = std::max(1e-12, m_c * static_cast<double>(rows()) / static_cast<double>(m_classes));
    const auto square = [](double sum, double value) { return sum + value * value; };
    const auto middle = gradient.begin() + static_cast<std::ptrdiff_t>(weights);
    return 0.5 * (std::accumulate(gradient.begin(), middle, 0.0, square) +
                  std::accumulate(middle, gradient.end(), 0.0, square) / curvature);
}

} // namespace headscope

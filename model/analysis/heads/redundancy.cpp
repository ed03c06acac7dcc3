// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/redundancy.h"

#include "model/analysis/neighbors/neighbors.h"
#include "model/analysis/statistics/jackknife.h"
#include "model/base/parallel.h"
#include "model/data/matrix_rows.h"
#include "model/kernels/gemm_f64.h"

#include <fmt/format.h>

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::vector<std::int64_t> finiteDocuments(const HeadVectors& vectors)
{
    return finiteRows({vectors.values().data(), vectors.documents(), vectors.heads() * vectors.dims()});
}

/// The usable documents' vectors of one head, [n, D].
MatrixF headRows(const HeadVectors& vectors, const std::vector<std::int64_t>& documents, HeadIndex head)
{
    MatrixF rows(static_cast<std::int64_t>(documents.size()), vectors.dims());
    for (std::int64_t i = 0; i < rows.rows(); ++i)
        std::ranges::copy(vectors.vector(DocumentIndex(documents[static_cast<std::size_t>(i)]), head),
                          rows.row(i).begin());
    return rows;
}

/// Runs `fill` for every pair a <= b of heads and mirrors the result.
template <class Fill>
MatrixD symmetric(std::int64_t heads, int numThreads, const Fill& fill)
{
    MatrixD matrix(heads, heads);
    parallelFor(numThreads, heads, 1, [&](std::int64_t a, std::int64_t) {
        for (std::int64_t b = a; b < heads; ++b)
            matrix(a, b) = fill(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
    });
    for (std::int64_t a = 0; a < heads; ++a)
        for (std::int64_t b = 0; b < a; ++b)
            matrix(a, b) = matrix(b, a);
    return matrix;
}

/// The heads' vectors as double, minus their means: [n, D] each.
struct CentredHeads
{
    std::vector<MatrixF> rows; ///< as they are
    std::vector<Rows> values;
    std::vector<Eigen::VectorXd> means;
    std::vector<bool> varying;

    void add(MatrixF head)
    {
        const Rows wide = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
                              head.data(), head.rows(), head.cols())
                              .cast<double>();
        means.emplace_back(wide.colwise().mean());
        values.emplace_back(wide.rowwise() - means.back().transpose());
        varying.push_back(rowsVary(head.view()));
        rows.push_back(std::move(head));
    }
    /// X_a^T X_b of centred rows, [D, D]: one side has to be centred.
    [[nodiscard]] Rows cross(std::size_t a, std::size_t b) const
    {
        constexpr std::int64_t kBlock = 256; // documents, which stay in the cache
        const std::int64_t dims = rows[a].cols();
        Rows product = Rows::Zero(dims, values[b].cols());
        for (std::int64_t begin = 0; begin < rows[a].rows(); begin += kBlock)
            addProductInDouble(dims, product.cols(), std::min(kBlock, rows[a].rows() - begin),
                               rows[a].data() + begin * dims, 1, dims, values[b].data() + begin * product.cols(),
                               product.cols(), product.data(), product.cols());
        return product;
    }
    /// X_a M of centred rows, [n, D].
    [[nodiscard]] Rows times(std::size_t a, const Rows& matrix) const
    {
        const Eigen::RowVectorXd ofMean = means[a].transpose() * matrix;
        Rows product = (-ofMean).replicate(rows[a].rows(), 1);
        addProductInDouble(rows[a].rows(), matrix.cols(), rows[a].cols(), rows[a].data(), rows[a].cols(), 1,
                           matrix.data(), matrix.cols(), product.data(), matrix.cols());
        return product;
    }
};

/// Biased CKA of every pair; unfinished when the job is stopped: the caller asks and gives up.
MatrixD biasedCka(const CentredHeads& centred, int numThreads, const JobContext& job)
{
    const std::int64_t heads = std::ssize(centred.values);
    const MatrixD cross = symmetric(heads, numThreads, [&](std::size_t a, std::size_t b) {
        if (job.stopRequested())
            return 0.0;
        return centred.cross(a, b).squaredNorm();
    });
    return symmetric(heads, numThreads, [&](std::size_t a, std::size_t b) {
        const auto i = static_cast<std::int64_t>(a);
        const auto j = static_cast<std::int64_t>(b);
        const bool both = centred.varying[a] && centred.varying[b];
        return both ? cross(i, j) / std::sqrt(cross(i, i) * cross(j, j)) : kNaN;
    });
}

/// Mean over the pairs of different heads.
void fillMean(HeadRedundancy& result)
{
    double sum = 0;
    result.pairs = 0;
    for (std::int64_t a = 0; a < result.cka.rows(); ++a)
        for (std::int64_t b = a + 1; b < result.cka.cols(); ++b)
            if (std::isfinite(result.cka(a, b)))
            {
                sum += result.cka(a, b);
                ++result.pairs;
            }
    result.meanCka = result.pairs > 0 ? sum / static_cast<double>(result.pairs) : kNaN;
}

/// What the debiased estimate needs of one head's Gram matrix K without its diagonal.
struct GramSums
{
    Eigen::VectorXd squares; ///< [n] the diagonal that was taken out
    Eigen::VectorXd rows;    ///< [n] K 1
    double all = 0;          ///< 1^T K 1

    explicit GramSums(const Rows& x)
        : squares(x.rowwise().squaredNorm()), rows(x * x.colwise().sum().transpose() - squares), all(rows.sum())
    {}
};

/// n (n - 3) HSIC_1 of two heads, of all documents and without each of them.
struct Hsic
{
    double value = 0;
    Eigen::VectorXd without; ///< [n]
};

Hsic hsicOf(const CentredHeads& centred, const std::vector<GramSums>& sums, std::size_t a, std::size_t b)
{
    const Rows& x = centred.values[a];
    const Rows& y = centred.values[b];
    const GramSums& k = sums[a];
    const GramSums& l = sums[b];
    const auto n = static_cast<double>(x.rows());
    const Rows cross = centred.cross(a, b);
    const double trace = cross.squaredNorm() - k.squares.dot(l.squares);
    const double rows = k.rows.dot(l.rows);
    Hsic result;
    result.value = trace + k.all * l.all / ((n - 1) * (n - 2)) - 2 / (n - 2) * rows;
    // Diagonal of K L, and the rows of K times L 1 and the other way round.
    const Eigen::ArrayXd both =
        (centred.times(a, cross).cwiseProduct(y)).rowwise().sum().array() - k.squares.array() * l.squares.array();
    const Eigen::ArrayXd kl = (x * (x.transpose() * l.rows)).array() - k.squares.array() * l.rows.array();
    const Eigen::ArrayXd lk = (y * (y.transpose() * k.rows)).array() - l.squares.array() * k.rows.array();
    const Eigen::ArrayXd rowsLeft = rows - k.rows.array() * l.rows.array() - kl - lk + both;
    result.without = trace - 2 * both +
                     (k.all - 2 * k.rows.array()) * (l.all - 2 * l.rows.array()) / ((n - 2) * (n - 3)) -
                     2 / (n - 3) * rowsLeft;
    return result;
}

/// What the debiased CKA of pairs needs of each head.
struct OwnParts
{
    std::vector<GramSums> sums;
    std::vector<Hsic> own; ///< of each with itself

    OwnParts(const CentredHeads& centred, int numThreads, const JobContext& job) : own(centred.values.size())
    {
        for (const Rows& x : centred.values)
            sums.emplace_back(x);
        parallelFor(numThreads, std::ssize(own), 1, [&](std::int64_t head, std::int64_t) {
            const auto h = static_cast<std::size_t>(head);
            if (!job.stopRequested())
                own[h] = hsicOf(centred, sums, h, h);
        });
    }
};

constexpr std::int64_t kLeastForInterval = 5; ///< documents: four are left

/// Debiased CKA of two different heads that vary.
struct PairCka
{
    double value = kNaN;
    Eigen::ArrayXd without; ///< [n] each document left out
    Interval ci95;

    PairCka(const CentredHeads& centred, const OwnParts& parts, std::size_t a, std::size_t b)
    {
        const Hsic pair = hsicOf(centred, parts.sums, a, b);
        value = pair.value / std::sqrt(parts.own[a].value * parts.own[b].value);
        without = pair.without.array() / (parts.own[a].without.array() * parts.own[b].without.array()).sqrt();
        if (without.size() >= kLeastForInterval)
            ci95 = jackknifeInterval(value, {without.data(), static_cast<std::size_t>(without.size())});
    }
};

/// Debiased CKA of every pair with its interval, and their mean; unfinished when the job is stopped.
void fillDebiased(const CentredHeads& centred, int numThreads, const JobContext& job, HeadRedundancy& result)
{
    const std::int64_t heads = std::ssize(centred.values);
    const std::int64_t documents = heads > 0 ? centred.values.front().rows() : 0;
    const OwnParts parts(centred, numThreads, job);
    result.cka = MatrixD(heads, heads);
    result.ckaLow = MatrixD(heads, heads);
    result.ckaHigh = MatrixD(heads, heads);
    std::vector<Eigen::ArrayXd> sumWithout(static_cast<std::size_t>(heads), Eigen::ArrayXd::Zero(documents));
    parallelFor(numThreads, heads, 1, [&](std::int64_t a, std::int64_t) {
        const auto i = static_cast<std::size_t>(a);
        for (std::int64_t b = a; b < heads && !job.stopRequested(); ++b)
        {
            const auto j = static_cast<std::size_t>(b);
            const bool both = centred.varying[i] && centred.varying[j];
            Interval interval;
            result.cka(a, b) = kNaN;
            if (both && a == b)
            {
                result.cka(a, b) = 1;
                interval = {1, 1};
            }
            else if (both)
            {
                const PairCka pair(centred, parts, i, j);
                result.cka(a, b) = pair.value;
                interval = pair.ci95;
                if (std::isfinite(pair.value))
                    sumWithout[i] += pair.without;
            }
            for (auto [matrix, value] : {std::pair(&result.ckaLow, interval.low), {&result.ckaHigh, interval.high}})
                (*matrix)(a, b) = (*matrix)(b, a) = value;
            result.cka(b, a) = result.cka(a, b);
        }
    });
    Eigen::ArrayXd all = Eigen::ArrayXd::Zero(documents);
    for (const Eigen::ArrayXd& each : sumWithout)
        all += each;
    fillMean(result);
    all /= static_cast<double>(result.pairs);
    if (documents >= kLeastForInterval && result.pairs > 0)
        result.meanCkaCi95 = jackknifeInterval(result.meanCka, {all.data(), static_cast<std::size_t>(all.size())});
}

void fillCka(const CentredHeads& centred, int numThreads, const JobContext& job, HeadRedundancy& result)
{
    result.documents = centred.values.empty() ? 0 : centred.values.front().rows();
    if (result.method == CkaMethod::Debiased)
        return fillDebiased(centred, numThreads, job, result);
    result.cka = biasedCka(centred, numThreads, job);
    fillMean(result);
}

Status checkCount(const std::vector<std::int64_t>& documents, CkaMethod method)
{
    const std::int64_t least = leastDocuments(method);
    if (std::ssize(documents) >= least)
        return {};
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("expected at least {} documents with finite vectors for the {} CKA, found {}", least,
                             ckaName(method), documents.size()),
                 {},
                 {}};
}

/// Documents in common among the neighbours of the same document, as a share of k.
double overlap(const Matrix<std::int32_t>& a, const Matrix<std::int32_t>& b)
{
    std::int64_t common = 0;
    for (std::int64_t i = 0; i < a.rows(); ++i)
        for (const std::int32_t neighbor : a.row(i))
            common += std::ranges::count(b.row(i), neighbor);
    return static_cast<double>(common) / static_cast<double>(a.rows() * a.cols());
}

} // namespace

Result<HeadRedundancy> headRedundancy(const HeadVectors& vectors, const RedundancyOptions& options, int numThreads,
                                      JobContext& job)
{
    const auto documents = finiteDocuments(vectors);
    HEADSCOPE_CHECK(checkCount(documents, options.cka));
    HeadRedundancy result;
    result.method = options.cka;
    result.neighbors = static_cast<int>(std::min<std::int64_t>(options.neighbors, std::ssize(documents) - 1));

    CentredHeads centred;
    std::vector<Matrix<std::int32_t>> nearest;
    NeighborOptions search;
    search.k = result.neighbors;
    search.metric = Metric::Cosine;
    for (std::int64_t head = 0; head < vectors.heads(); ++head)
    {
        job.report("comparing heads", static_cast<std::uint64_t>(head), static_cast<std::uint64_t>(vectors.heads()),
                   "heads");
        MatrixF rows = headRows(vectors, documents, HeadIndex(head));
        HEADSCOPE_TRY(Neighbors found, findNeighbors(rows.view(), search, numThreads, job));
        nearest.push_back(std::move(found.indices));
        centred.add(std::move(rows));
    }
    HEADSCOPE_CHECK(job.checkStop());

    fillCka(centred, numThreads, job, result);
    HEADSCOPE_CHECK(job.checkStop());
    const auto& means = centred.means;
    result.meanCosine = symmetric(vectors.heads(), numThreads, [&](std::size_t a, std::size_t b) {
        return means[a].dot(means[b]) / std::sqrt(means[a].squaredNorm() * means[b].squaredNorm());
    });
    result.neighborOverlap = symmetric(vectors.heads(), numThreads,
                                       [&](std::size_t a, std::size_t b) { return overlap(nearest[a], nearest[b]); });
    return result;
}

Result<HeadRedundancy> headCka(const HeadVectors& vectors, CkaMethod method, int numThreads, JobContext& job)
{
    const auto documents = finiteDocuments(vectors);
    HEADSCOPE_CHECK(checkCount(documents, method));
    CentredHeads centred;
    for (std::int64_t head = 0; head < vectors.heads(); ++head)
        centred.add(headRows(vectors, documents, HeadIndex(head)));
    HeadRedundancy result;
    result.method = method;
    fillCka(centred, numThreads, job, result);
    HEADSCOPE_CHECK(job.checkStop());
    return result;
}

Result<std::vector<Interval>> ckaIntervals(const HeadVectors& vectors, int numThreads, JobContext& job)
{
    const auto documents = finiteDocuments(vectors);
    HEADSCOPE_CHECK(checkCount(documents, CkaMethod::Debiased));
    CentredHeads centred;
    for (std::int64_t head = 0; head < vectors.heads(); ++head)
        centred.add(headRows(vectors, documents, HeadIndex(head)));
    const OwnParts parts(centred, numThreads, job);
    std::vector<Interval> intervals(static_cast<std::size_t>(vectors.heads() - 1));
    parallelFor(numThreads, std::ssize(intervals), 1, [&](std::int64_t other, std::int64_t) {
        const auto at = static_cast<std::size_t>(other);
        if (!job.stopRequested() && centred.varying[0] && centred.varying[at + 1])
            intervals[at] = PairCka(centred, parts, 0, at + 1).ci95;
    });
    HEADSCOPE_CHECK(job.checkStop());
    return intervals;
}

} // namespace headscope

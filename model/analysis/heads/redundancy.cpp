// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/redundancy.h"

#include "model/analysis/neighbors/neighbors.h"
#include "model/base/parallel.h"

#include <fmt/format.h>

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <vector>

namespace headscope
{
namespace
{

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::vector<std::int64_t> finiteDocuments(const HeadVectors& vectors)
{
    std::vector<std::int64_t> documents;
    for (std::int64_t document = 0; document < vectors.documents(); ++document)
    {
        const auto all = vectors.full(DocumentIndex(document));
        if (std::all_of(all.begin(), all.end(), [](float value) { return std::isfinite(value); }))
            documents.push_back(document);
    }
    return documents;
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
    std::vector<Rows> values;
    std::vector<Eigen::VectorXd> means;

    void add(const MatrixF& rows)
    {
        const Rows head = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
                              rows.data(), rows.rows(), rows.cols())
                              .cast<double>();
        means.emplace_back(head.colwise().mean());
        values.emplace_back(head.rowwise() - means.back().transpose());
    }
};

/// CKA of every pair; unfinished when the job is stopped: the caller asks and gives up.
MatrixD ckaOf(const CentredHeads& centred, int numThreads, const JobContext& job)
{
    const std::int64_t heads = std::ssize(centred.values);
    const MatrixD cross = symmetric(heads, numThreads, [&](std::size_t a, std::size_t b) {
        if (job.stopRequested())
            return 0.0;
        return (centred.values[a].transpose() * centred.values[b]).squaredNorm();
    });
    return symmetric(heads, numThreads, [&](std::size_t a, std::size_t b) {
        const auto i = static_cast<std::int64_t>(a);
        const auto j = static_cast<std::int64_t>(b);
        return cross(i, j) / std::sqrt(cross(i, i) * cross(j, j)); // 0/0 = NaN for a head without variance
    });
}

Status checkCount(const std::vector<std::int64_t>& documents)
{
    if (documents.size() >= 2)
        return {};
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("expected at least 2 documents with finite vectors, found {}", documents.size()),
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

Result<HeadRedundancy> headRedundancy(const HeadVectors& vectors, int neighbors, int numThreads, JobContext& job)
{
    const auto documents = finiteDocuments(vectors);
    HEADSCOPE_CHECK(checkCount(documents));
    HeadRedundancy result;
    result.neighbors = static_cast<int>(std::min<std::int64_t>(neighbors, std::ssize(documents) - 1));

    CentredHeads centred;
    std::vector<Matrix<std::int32_t>> nearest;
    NeighborOptions options;
    options.k = result.neighbors;
    options.metric = Metric::Cosine;
    for (std::int64_t head = 0; head < vectors.heads(); ++head)
    {
        job.report("comparing heads", static_cast<std::uint64_t>(head), static_cast<std::uint64_t>(vectors.heads()),
                   "heads");
        const MatrixF rows = headRows(vectors, documents, HeadIndex(head));
        HEADSCOPE_TRY(Neighbors found, findNeighbors(rows.view(), options, numThreads, job));
        nearest.push_back(std::move(found.indices));
        centred.add(rows);
    }
    HEADSCOPE_CHECK(job.checkStop());

    result.cka = ckaOf(centred, numThreads, job);
    HEADSCOPE_CHECK(job.checkStop());
    const auto& means = centred.means;
    result.meanCosine = symmetric(vectors.heads(), numThreads, [&](std::size_t a, std::size_t b) {
        return means[a].dot(means[b]) / std::sqrt(means[a].squaredNorm() * means[b].squaredNorm());
    });
    result.neighborOverlap = symmetric(vectors.heads(), numThreads,
                                       [&](std::size_t a, std::size_t b) { return overlap(nearest[a], nearest[b]); });
    return result;
}

Result<MatrixD> headCka(const HeadVectors& vectors, int numThreads, JobContext& job)
{
    const auto documents = finiteDocuments(vectors);
    HEADSCOPE_CHECK(checkCount(documents));
    CentredHeads centred;
    for (std::int64_t head = 0; head < vectors.heads(); ++head)
        centred.add(headRows(vectors, documents, HeadIndex(head)));
    MatrixD cka = ckaOf(centred, numThreads, job);
    HEADSCOPE_CHECK(job.checkStop());
    return cka;
}

} // namespace headscope

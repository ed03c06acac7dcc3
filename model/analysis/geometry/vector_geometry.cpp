// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/geometry/vector_geometry.h"

#include "model/analysis/geometry/intrinsic_dimension.h"
#include "model/analysis/geometry/singular_values.h"
#include "model/analysis/statistics/draws.h"
#include "model/analysis/statistics/jackknife.h"
#include "model/base/free_memory.h"
#include "model/base/numbers/all_finite.h"
#include "model/base/parallel.h"
#include "model/data/matrix_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

/// Rows that have a direction, and how many have none.
MatrixF usableRows(ConstMatrixView rows)
{
    std::vector<std::int64_t> usable;
    for (std::int64_t i = 0; i < rows.rows(); ++i)
    {
        const auto row = rows.row(i);
        if (hasDirection(row))
            usable.push_back(i);
    }
    MatrixF taken(std::ssize(usable), rows.cols());
    for (std::int64_t i = 0; i < taken.rows(); ++i)
        std::ranges::copy(rows.row(usable[static_cast<std::size_t>(i)]), taken.row(i).begin());
    return taken;
}

std::vector<double> meanOf(ConstMatrixView rows)
{
    std::vector<double> mean(static_cast<std::size_t>(rows.cols()), 0.0);
    for (std::int64_t i = 0; i < rows.rows(); ++i)
        for (std::size_t d = 0; d < mean.size(); ++d)
            mean[d] += static_cast<double>(rows.row(i)[d]);
    for (double& value : mean)
        value /= static_cast<double>(rows.rows());
    return mean;
}

/// A random half of the rows, in their order.
MatrixF halfOf(ConstMatrixView rows, std::uint64_t seed)
{
    std::vector<std::int64_t> order = shuffledIndices(Draws(seed), rows.rows());
    order.resize(order.size() / 2);
    std::sort(order.begin(), order.end());
    return takeRows(rows, order);
}

/// What takes one thread: spectrum and directions.
Status measureShape(ConstMatrixView rows, int numThreads, JobContext& job, VectorGeometry& geometry)
{
    HEADSCOPE_TRY(const SingularValues values, singularValues(rows, numThreads, job));
    geometry.effectiveRank = effectiveRank(values.raw);
    geometry.effectiveRankCentred = effectiveRank(values.centred);
    geometry.participation = participationRatio(values.raw);
    geometry.participationCentred = participationRatio(values.centred);
    const Anisotropy raw = anisotropy(rows, {});
    geometry.anisotropy = raw.value;
    geometry.anisotropyCi95 = raw.ci95;
    if (!std::isfinite(geometry.effectiveRankCentred)) // all rows are equal: what is left of them is rounding
        return {};
    const Anisotropy centred = anisotropy(rows, meanOf(rows));
    geometry.anisotropyCentred = centred.value;
    geometry.anisotropyCentredCi95 = centred.ci95;
    return {};
}

Status measureDimension(ConstMatrixView rows, std::uint64_t seed, int numThreads, JobContext& job,
                        VectorGeometry& geometry)
{
    HEADSCOPE_TRY(const IntrinsicDimension all, intrinsicDimension(rows, numThreads, job));
    geometry.distinct = all.distinct;
    geometry.twonn = all.fit;
    const std::vector<std::int64_t> kept = distinctRows(rows);
    MatrixF distinct(std::ssize(kept), rows.cols());
    for (std::int64_t i = 0; i < distinct.rows(); ++i)
        std::ranges::copy(rows.row(kept[static_cast<std::size_t>(i)]), distinct.row(i).begin());
    HEADSCOPE_TRY(const IntrinsicDimension half,
                  intrinsicDimension(halfOf(distinct.view(), seed).view(), numThreads, job));
    geometry.twonnHalf = half.fit;
    return {};
}

VectorGeometry emptyOf(ConstMatrixView all, const MatrixF& rows)
{
    VectorGeometry geometry;
    geometry.dims = all.cols();
    geometry.documents = rows.rows();
    geometry.leftOut = all.rows() - rows.rows();
    return geometry;
}

} // namespace

Anisotropy anisotropy(ConstMatrixView rows, std::span<const double> mean)
{
    const auto dims = static_cast<std::size_t>(rows.cols());
    std::vector<double> scales(static_cast<std::size_t>(rows.rows()), 0.0);
    std::vector<double> sum(dims, 0.0);
    const auto at = [&](std::span<const float> row, std::size_t d) {
        return static_cast<double>(row[d]) - (mean.empty() ? 0.0 : mean[d]);
    };
    std::int64_t count = 0;
    for (std::size_t i = 0; i < scales.size(); ++i)
    {
        const auto row = rows.row(static_cast<std::int64_t>(i));
        double square = 0;
        for (std::size_t d = 0; d < dims; ++d)
            square += at(row, d) * at(row, d);
        if (!(square > 0))
            continue;
        ++count;
        scales[i] = 1 / std::sqrt(square);
        for (std::size_t d = 0; d < dims; ++d)
            sum[d] += at(row, d) * scales[i];
    }
    Anisotropy result;
    if (count < 2)
        return result;
    const double square = std::inner_product(sum.begin(), sum.end(), sum.begin(), 0.0);
    const auto n = static_cast<double>(count);
    result.value = (square - n) / (n * (n - 1));
    if (count < 3)
        return result;
    std::vector<double> without;
    for (std::size_t i = 0; i < scales.size(); ++i)
        if (scales[i] > 0)
        {
            const auto row = rows.row(static_cast<std::int64_t>(i));
            double along = 0;
            for (std::size_t d = 0; d < dims; ++d)
                along += at(row, d) * sum[d];
            without.push_back((square - 2 * along * scales[i] + 1 - (n - 1)) / ((n - 1) * (n - 2)));
        }
    result.ci95 = jackknifeInterval(result.value, without);
    return result;
}

Result<VectorGeometry> vectorGeometry(ConstMatrixView all, std::uint64_t seed, int numThreads, JobContext& job)
{
    const MatrixF rows = usableRows(all);
    VectorGeometry geometry = emptyOf(all, rows);
    if (rows.rows() == 0)
        return geometry;
    HEADSCOPE_CHECK(measureShape(rows.view(), numThreads, job, geometry));
    HEADSCOPE_CHECK(measureDimension(rows.view(), seed, numThreads, job, geometry));
    return geometry;
}

Result<LayerGeometry> layerGeometry(const HeadVectors& vectors, std::span<const std::int64_t> heads, std::uint64_t seed,
                                    int numThreads, JobContext& job)
{
    const auto count = std::ssize(heads);
    const std::int64_t dims = count * vectors.dims();
    const auto smaller = static_cast<double>(std::min(dims, vectors.documents()));
    HEADSCOPE_CHECK(checkMemory(
        {.bytes =
             8 * (4 * smaller * smaller + 3 * static_cast<double>(vectors.documents()) * static_cast<double>(dims)),
         .work = fmt::format("the geometry of {} vectors of {} values", vectors.documents(), dims),
         .help = "use fewer documents or heads"}));
    std::vector<MatrixF> rows;
    LayerGeometry geometry;
    for (const std::int64_t head : heads)
    {
        const ConstMatrixView view = vectors.head(HeadIndex(head));
        rows.push_back(usableRows(view));
        geometry.heads.push_back(emptyOf(view, rows.back()));
        geometry.heads.back().head = head;
    }
    // Spectra of heads are small: one thread each. Neighbours take all threads themselves.
    std::vector<Status> outcomes(rows.size());
    parallelFor(numThreads, count, 1, [&](std::int64_t at, std::int64_t) {
        const auto i = static_cast<std::size_t>(at);
        JobContext inner(job.stopToken());
        if (rows[i].rows() > 0)
            outcomes[i] = measureShape(rows[i].view(), 1, inner, geometry.heads[i]);
    });
    for (Status& outcome : outcomes)
        HEADSCOPE_CHECK(std::move(outcome));
    JobContext inner(job.stopToken());
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].rows() > 0)
            HEADSCOPE_CHECK(measureDimension(rows[i].view(), seed, numThreads, inner, geometry.heads[i]));
    MatrixF together(vectors.documents(), dims);
    for (std::int64_t document = 0; document < vectors.documents(); ++document)
        for (std::int64_t i = 0; i < count; ++i)
            std::ranges::copy(vectors.vector(DocumentIndex(document), HeadIndex(heads[static_cast<std::size_t>(i)])),
                              together.row(document).begin() + i * vectors.dims());
    HEADSCOPE_TRY(geometry.full, vectorGeometry(together.view(), seed, numThreads, inner));
    return geometry;
}

} // namespace headscope

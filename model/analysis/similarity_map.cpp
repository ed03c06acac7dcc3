// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/similarity_map.h"

#include "model/base/parallel.h"
#include "model/kernels/distances.h"
#include "model/kernels/gemm.h"
#include "model/kernels/vector_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace headscope
{
namespace
{

constexpr std::int64_t kRowBlock = 128; // of the products that are looked at while in the second-level cache
constexpr std::int64_t kColumnBlock = 1024;

std::size_t sizeOf(std::int64_t count)
{
    return static_cast<std::size_t>(count);
}

/// First vector of a bin; of bin `bins`, the number of vectors.
std::int64_t binBegin(std::int64_t bin, std::int64_t count, std::int64_t bins)
{
    return bin * count / bins;
}

/// 1 / |v|, or 0 where v has no direction.
double directionScale(std::span<const float> v)
{
    const double square = squaredNorm(v.data(), static_cast<std::int64_t>(v.size()));
    return square > 0 && std::isfinite(square) ? 1 / std::sqrt(square) : 0.0;
}

/// Mean unit vector of each bin, in double; a row of NaN where a bin holds no direction.
MatrixD binMeans(ConstMatrixView vectors, std::int64_t bins, int numThreads)
{
    MatrixD means(bins, vectors.cols());
    parallelFor(numThreads, bins, 8, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t bin = begin; bin < end; ++bin)
        {
            const auto mean = means.row(bin);
            std::int64_t counted = 0;
            for (std::int64_t i = binBegin(bin, vectors.rows(), bins); i < binBegin(bin + 1, vectors.rows(), bins); ++i)
            {
                const auto v = vectors.row(i);
                const double scale = directionScale(v);
                counted += scale > 0 ? 1 : 0;
                for (std::size_t k = 0; scale > 0 && k < v.size(); ++k)
                    mean[k] += scale * static_cast<double>(v[k]);
            }
            for (double& value : mean) // 0 / 0 is the NaN that is wanted
                value /= static_cast<double>(counted);
        }
    });
    return means;
}

MatrixF meanMap(ConstMatrixView rows, ConstMatrixView columns, std::int64_t rowBins, std::int64_t columnBins,
                int numThreads)
{
    const MatrixD left = binMeans(rows, rowBins, numThreads);
    const MatrixD right = binMeans(columns, columnBins, numThreads);
    MatrixF map(rowBins, columnBins);
    parallelFor(numThreads, rowBins, 8, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t r = begin; r < end; ++r)
        {
            for (std::int64_t c = 0; c < columnBins; ++c)
            {
                const auto a = left.row(r);
                const auto b = right.row(c);
                double even = 0; // two chains of additions
                double odd = 0;
                std::size_t k = 0;
                for (; k + 1 < a.size(); k += 2)
                {
                    even += a[k] * b[k];
                    odd += a[k + 1] * b[k + 1];
                }
                if (k < a.size())
                    even += a[k] * b[k];
                map(r, c) = static_cast<float>(std::clamp(even + odd, -1.0, 1.0));
            }
        }
    });
    return map;
}

/// The vectors that have a direction, at length 1, with the bin of each.
struct UnitVectors
{
    MatrixF values;
    std::vector<std::int64_t> bin;
    std::vector<std::int64_t> begin; ///< [bins + 1] first of each bin among these
};

UnitVectors unitVectors(ConstMatrixView vectors, std::int64_t bins)
{
    UnitVectors units;
    std::vector<float> values;
    values.reserve(sizeOf(vectors.rows() * vectors.cols()));
    for (std::int64_t bin = 0; bin < bins; ++bin)
    {
        units.begin.push_back(static_cast<std::int64_t>(units.bin.size()));
        for (std::int64_t i = binBegin(bin, vectors.rows(), bins); i < binBegin(bin + 1, vectors.rows(), bins); ++i)
        {
            const auto v = vectors.row(i);
            const double scale = directionScale(v);
            if (scale == 0)
                continue;
            units.bin.push_back(bin);
            std::transform(v.begin(), v.end(), std::back_inserter(values),
                           [scale](float value) { return static_cast<float>(scale * static_cast<double>(value)); });
        }
    }
    units.begin.push_back(static_cast<std::int64_t>(units.bin.size()));
    units.values = MatrixF(units.begin.back(), vectors.cols(), std::move(values));
    return units;
}

/// Whole bins together until they make a block of rows; the cut follows from the data alone.
std::vector<std::int64_t> binBlocks(const UnitVectors& units, std::int64_t bins)
{
    std::vector<std::int64_t> blocks = {0};
    for (std::int64_t bin = 0; bin < bins; ++bin)
    {
        if (units.begin[sizeOf(bin + 1)] - units.begin[sizeOf(blocks.back())] >= kRowBlock || bin + 1 == bins)
            blocks.push_back(bin + 1);
    }
    return blocks;
}

MatrixF largestMap(ConstMatrixView rows, ConstMatrixView columns, std::int64_t rowBins, std::int64_t columnBins,
                   int numThreads, JobContext& job)
{
    const UnitVectors left = unitVectors(rows, rowBins);
    const UnitVectors right = unitVectors(columns, columnBins);
    const std::int64_t dims = rows.cols();
    const std::int64_t count = right.values.rows();
    const auto blocks = binBlocks(left, rowBins);
    constexpr float kNone = -std::numeric_limits<float>::infinity();
    MatrixF map(rowBins, columnBins);
    std::fill(map.values().begin(), map.values().end(), std::numeric_limits<float>::quiet_NaN());
    parallelForBlocks(numThreads, static_cast<std::int64_t>(blocks.size()) - 1, 1, [&](const Block& each, int) {
        if (job.stopRequested())
            return;
        const std::int64_t firstBin = blocks[sizeOf(each.index)];
        const std::int64_t endBin = blocks[sizeOf(each.index + 1)];
        MatrixF best(endBin - firstBin, count);
        std::fill(best.values().begin(), best.values().end(), kNone);
        std::vector<float> products(sizeOf(kRowBlock * kColumnBlock));
        for (std::int64_t begin = left.begin[sizeOf(firstBin)]; begin < left.begin[sizeOf(endBin)]; begin += kRowBlock)
        {
            const std::int64_t m = std::min(kRowBlock, left.begin[sizeOf(endBin)] - begin);
            for (std::int64_t column = 0; column < count; column += kColumnBlock)
            {
                const std::int64_t n = std::min(kColumnBlock, count - column);
                gemmNT(m, n, dims, 1.0F, left.values.row(begin).data(), dims, right.values.row(column).data(), dims,
                       0.0F, products.data(), n);
                for (std::int64_t i = 0; i < m; ++i)
                    maxInto(best.row(left.bin[sizeOf(begin + i)] - firstBin).subspan(sizeOf(column), sizeOf(n)),
                            std::span(products).subspan(sizeOf(i * n), sizeOf(n)));
            }
        }
        for (std::int64_t bin = firstBin; bin < endBin; ++bin)
        {
            const auto line = best.row(bin - firstBin);
            for (std::int64_t c = 0; c < columnBins; ++c)
            {
                float largest = kNone;
                for (std::int64_t j = right.begin[sizeOf(c)]; j < right.begin[sizeOf(c + 1)]; ++j)
                    largest = std::max(largest, line[sizeOf(j)]);
                if (largest > kNone)
                    map(bin, c) = std::clamp(largest, -1.0F, 1.0F);
            }
        }
    });
    return map;
}

} // namespace

Result<MatrixF> similarityMap(ConstMatrixView rows, ConstMatrixView columns, const SimilarityMapOptions& options,
                              int numThreads, JobContext& job)
{
    if (rows.cols() != columns.cols())
        return Error{ErrorCode::ShapeMismatch,
                     fmt::format("expected vectors of one size, found {} and {}", rows.cols(), columns.cols()),
                     {},
                     {}};
    if (options.rowBins < 1 || options.columnBins < 1)
        return Error{
            ErrorCode::WrongUse,
            fmt::format("expected at least one bin each way, found {} by {}", options.rowBins, options.columnBins),
            {},
            {}};
    HEADSCOPE_CHECK(job.checkStop());
    const std::int64_t rowBins = std::min(options.rowBins, rows.rows());
    const std::int64_t columnBins = std::min(options.columnBins, columns.rows());
    MatrixF map;
    if (rowBins > 0 && columnBins > 0)
        map = options.value == BinValue::Mean ? meanMap(rows, columns, rowBins, columnBins, numThreads)
                                              : largestMap(rows, columns, rowBins, columnBins, numThreads, job);
    HEADSCOPE_CHECK(job.checkStop());
    return map;
}

} // namespace headscope

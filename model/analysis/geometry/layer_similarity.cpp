// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/geometry/layer_similarity.h"

#include "model/analysis/heads/redundancy.h"
#include "model/base/free_memory.h"
#include "model/base/numbers/all_finite.h"
#include "model/base/parallel.h"
#include "model/data/matrix_rows.h"
#include "model/kernels/gemm_f64.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

namespace headscope
{
namespace
{

using Layers = std::span<const std::shared_ptr<const HeadVectors>>;

/// Documents at a time: a block of a layer's centred rows stays in the cache.
constexpr std::int64_t kDocuments = 256;

std::vector<std::int64_t> finiteDocuments(Layers layers, std::span<const std::int64_t> heads)
{
    std::vector<std::int64_t> documents;
    for (std::int64_t document = 0; document < layers.front()->documents(); ++document)
    {
        const bool isFinite = std::ranges::all_of(layers, [&](const auto& layer) {
            return std::ranges::all_of(heads, [&](std::int64_t head) {
                return allFinite(layer->vector(DocumentIndex(document), HeadIndex(head)));
            });
        });
        if (isFinite)
            documents.push_back(document);
    }
    return documents;
}

/// The vectors of the chosen heads of documents that are finite in all layers; not copied where that is all of them.
std::vector<std::shared_ptr<const HeadVectors>> usable(Layers layers, std::span<const std::int64_t> heads)
{
    const std::vector<std::int64_t> documents = finiteDocuments(layers, heads);
    std::vector<std::shared_ptr<const HeadVectors>> taken(layers.begin(), layers.end());
    for (auto& layer : taken)
    {
        if (std::ssize(documents) < layer->documents())
            layer = takeRows(layer, documents);
        if (std::ssize(heads) < layer->heads())
            layer = takeHeads(layer, {heads.begin(), heads.end()});
    }
    return taken;
}

/// A layer's vectors in double, minus their mean: [n, H D].
MatrixD centredRows(const HeadVectors& vectors, int numThreads)
{
    MatrixD centred(vectors.documents(), vectors.heads() * vectors.dims());
    const std::int64_t rows = centred.rows();
    parallelFor(numThreads, centred.cols(), vectors.dims(), [&](std::int64_t begin, std::int64_t end) {
        std::vector<double> mean(static_cast<std::size_t>(end - begin));
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t d = begin; d < end; ++d)
            {
                centred(i, d) = static_cast<double>(vectors.full(DocumentIndex(i))[static_cast<std::size_t>(d)]);
                mean[static_cast<std::size_t>(d - begin)] += centred(i, d);
            }
        for (double& value : mean)
            value /= static_cast<double>(rows);
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t d = begin; d < end; ++d)
                centred(i, d) -= mean[static_cast<std::size_t>(d - begin)];
    });
    return centred;
}

/// Adds |X_a^T X_b|^2 of one head a and each head of a layer b.
/// @param vectors  of layer a, not centred: the other side is
void addSquares(const HeadVectors& vectors, std::int64_t head, const MatrixD& centred, std::span<double> squares)
{
    const std::int64_t dims = vectors.dims();
    const std::int64_t width = centred.cols();
    const std::int64_t stride = vectors.heads() * dims;
    std::vector<double> product(static_cast<std::size_t>(dims * width), 0.0);
    for (std::int64_t begin = 0; begin < centred.rows(); begin += kDocuments)
        addProductInDouble(dims, width, std::min(kDocuments, centred.rows() - begin),
                           vectors.values().data() + begin * stride + head * dims, 1, stride,
                           centred.data() + begin * width, width, product.data(), width);
    for (std::int64_t row = 0; row < dims; ++row)
        for (std::int64_t column = 0; column < width; ++column)
        {
            const double value = product[static_cast<std::size_t>(row * width + column)];
            squares[static_cast<std::size_t>(column / dims)] += value * value;
        }
}

/// |X_a^T X_b|^2 of one head a and one head b of a layer.
/// @param vectors  of a, not centred
/// @param centred  layer of b
double squareOf(const HeadVectors& vectors, std::int64_t a, const HeadVectors& layer, std::int64_t b,
                const MatrixD& centred)
{
    const std::int64_t dims = vectors.dims();
    const std::int64_t stride = vectors.heads() * dims;
    std::vector<double> product(static_cast<std::size_t>(dims * layer.dims()), 0.0);
    addProductInDouble(dims, layer.dims(), centred.rows(), vectors.values().data() + a * dims, 1, stride,
                       centred.data() + b * layer.dims(), centred.cols(), product.data(), layer.dims());
    return std::inner_product(product.begin(), product.end(), product.begin(), 0.0);
}

/// n (n - 3) HSIC_1 from |X^T Y|^2, sum |x_i|^2 |y_i|^2 and the sums of squared lengths.
double hsic(double cross, double both, double first, double second, double n)
{
    return cross - both + first * second / ((n - 1) * (n - 2)) - 2 / (n - 2) * both;
}

/// CKA of every pair from the products and squared lengths of the units.
/// @param cross    [P, P]
/// @param lengths  [P, n] squared lengths of the centred rows
MatrixD ckaOf(const MatrixD& cross, const MatrixD& lengths, const std::vector<bool>& varying, int numThreads)
{
    const std::int64_t units = cross.rows();
    const auto n = static_cast<double>(lengths.cols());
    std::vector<double> sums;
    for (std::int64_t unit = 0; unit < units; ++unit)
        sums.push_back(std::accumulate(lengths.row(unit).begin(), lengths.row(unit).end(), 0.0));
    MatrixD cka(units, units);
    const auto value = [&](std::int64_t a, std::int64_t b) {
        const auto first = lengths.row(a);
        return hsic(cross(a, b), std::inner_product(first.begin(), first.end(), lengths.row(b).begin(), 0.0),
                    sums[static_cast<std::size_t>(a)], sums[static_cast<std::size_t>(b)], n);
    };
    parallelFor(numThreads, units, 1, [&](std::int64_t a, std::int64_t) {
        for (std::int64_t b = a; b < units; ++b)
            cka(a, b) = value(a, b);
    });
    std::vector<double> own;
    for (std::int64_t unit = 0; unit < units; ++unit)
        own.push_back(cka(unit, unit));
    for (std::int64_t a = 0; a < units; ++a)
        for (std::int64_t b = a; b < units; ++b)
        {
            const auto i = static_cast<std::size_t>(a);
            const auto j = static_cast<std::size_t>(b);
            const bool both = varying[i] && varying[j];
            cka(a, b) = !both    ? std::numeric_limits<double>::quiet_NaN()
                        : a == b ? 1.0
                                 : cka(a, b) / std::sqrt(own[i] * own[j]);
            cka(b, a) = cka(a, b);
        }
    return cka;
}

Status checkFits(Layers layers, std::int64_t documents, std::int64_t heads)
{
    if (documents < leastDocuments(CkaMethod::Debiased))
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected at least {} documents with finite vectors in all layers for the debiased "
                                 "CKA, found {}",
                                 leastDocuments(CkaMethod::Debiased), documents),
                     {},
                     {}};
    const auto width = static_cast<double>(heads * layers.front()->dims());
    const auto units = static_cast<double>(std::ssize(layers) * heads);
    const auto rows = static_cast<double>(documents);
    return checkMemory({.bytes = 16 * rows * width + 8 * rows * units + 16 * units * units,
                        .work = fmt::format("the similarity of {} heads over {} documents", units, documents),
                        .help = "use fewer layers (--layer) or documents (--documents)"});
}

/// The same of all heads of a layer together: the sums of theirs.
MatrixD sumsOfLayers(const MatrixD& ofHeads, std::int64_t heads, std::int64_t columnsOfOne)
{
    MatrixD sums(ofHeads.rows() / heads, ofHeads.cols() / columnsOfOne);
    for (std::int64_t i = 0; i < ofHeads.rows(); ++i)
        for (std::int64_t j = 0; j < ofHeads.cols(); ++j)
            sums(i / heads, j / columnsOfOne) += ofHeads(i, j);
    return sums;
}

} // namespace

Result<LayerSimilarity> layerSimilarity(Layers layers, std::span<const std::int64_t> heads, int numThreads,
                                        JobContext& job)
{
    const auto taken = usable(layers, heads);
    const std::int64_t documents = taken.front()->documents();
    const std::int64_t numHeads = std::ssize(heads);
    HEADSCOPE_CHECK(checkFits(layers, documents, numHeads));
    const std::int64_t dims = taken.front()->dims();
    MatrixD cross(std::ssize(taken) * numHeads, std::ssize(taken) * numHeads);
    MatrixD lengths(cross.rows(), documents);
    std::vector<bool> varying;
    for (std::int64_t b = 0; b < std::ssize(taken); ++b)
    {
        job.report("comparing heads", static_cast<std::uint64_t>(b * b), taken.size() * taken.size(),
                   "pairs of layers");
        const HeadVectors& second = *taken[static_cast<std::size_t>(b)];
        const MatrixD centred = centredRows(second, numThreads);
        for (std::int64_t head = 0; head < numHeads; ++head)
        {
            varying.push_back(rowsVary(second.head(HeadIndex(head))));
            for (std::int64_t i = 0; i < documents; ++i)
            {
                const auto row =
                    centred.row(i).subspan(static_cast<std::size_t>(head * dims), static_cast<std::size_t>(dims));
                lengths(b * numHeads + head, i) = std::inner_product(row.begin(), row.end(), row.begin(), 0.0);
            }
        }
        parallelFor(numThreads, (b + 1) * numHeads, 1, [&](std::int64_t unit, std::int64_t) {
            if (!job.stopRequested())
                addSquares(*taken[static_cast<std::size_t>(unit / numHeads)], unit % numHeads, centred,
                           cross.row(unit).subspan(static_cast<std::size_t>(b * numHeads),
                                                   static_cast<std::size_t>(numHeads)));
        });
        HEADSCOPE_CHECK(job.checkStop());
    }
    LayerSimilarity similarity;
    for (const auto& layer : taken)
        similarity.layers.push_back(layer->layer());
    similarity.stage = taken.front()->stage();
    similarity.heads.assign(heads.begin(), heads.end());
    similarity.documents = documents;
    similarity.headCka = ckaOf(cross, lengths, varying, numThreads);
    std::vector<bool> layersVary;
    for (std::size_t layer = 0; layer < taken.size(); ++layer)
    {
        const auto first = varying.begin() + static_cast<std::ptrdiff_t>(layer) * numHeads;
        layersVary.push_back(std::find(first, first + numHeads, true) != first + numHeads);
    }
    similarity.layerCka =
        ckaOf(sumsOfLayers(cross, numHeads, numHeads), sumsOfLayers(lengths, numHeads, 1), layersVary, numThreads);
    return similarity;
}

Result<std::vector<double>> similarityToHead(const HeadVectors& of, HeadIndex head,
                                             const std::shared_ptr<const HeadVectors>& layer, int numThreads,
                                             JobContext& job)
{
    // The head in front of those of the layer, over the documents where all are finite.
    std::vector<std::int64_t> documents;
    for (std::int64_t i = 0; i < layer->documents(); ++i)
        if (allFinite(of.vector(DocumentIndex(i), head)) && allFinite(layer->full(DocumentIndex(i))))
            documents.push_back(i);
    const std::array one = {layer};
    HEADSCOPE_CHECK(checkFits(one, std::ssize(documents), layer->heads() + 1));
    const auto taken = std::ssize(documents) < layer->documents() ? takeRows(layer, documents) : layer;
    std::vector<float> own;
    for (const std::int64_t document : documents)
    {
        const auto vector = of.vector(DocumentIndex(document), head);
        own.insert(own.end(), vector.begin(), vector.end());
    }
    const std::int64_t dims = taken->dims();
    const HeadVectors single(of.stage(), of.layer(), std::ssize(documents), 1, dims, std::move(own));
    const MatrixD centredOwn = centredRows(single, numThreads);
    const MatrixD centred = centredRows(*taken, numThreads);
    HEADSCOPE_CHECK(job.checkStop());
    const auto n = static_cast<double>(std::ssize(documents));
    const auto lengthsOf = [&](const MatrixD& rows, std::int64_t unit) {
        std::vector<double> lengths;
        for (std::int64_t i = 0; i < rows.rows(); ++i)
        {
            const auto row =
                rows.row(i).subspan(static_cast<std::size_t>(unit * dims), static_cast<std::size_t>(dims));
            lengths.push_back(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
        }
        return lengths;
    };
    const auto sumOf = [](const std::vector<double>& lengths) {
        return std::accumulate(lengths.begin(), lengths.end(), 0.0);
    };
    const auto both = [](const std::vector<double>& a, const std::vector<double>& b) {
        return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    };
    const std::vector<double> first = lengthsOf(centredOwn, 0);
    const double self = hsic(squareOf(single, 0, single, 0, centredOwn), both(first, first), sumOf(first), sumOf(first), n);
    std::vector<double> cka(static_cast<std::size_t>(taken->heads()));
    parallelFor(numThreads, taken->heads(), 1, [&](std::int64_t unit, std::int64_t) {
        double& value = cka[static_cast<std::size_t>(unit)];
        value = std::numeric_limits<double>::quiet_NaN();
        if (job.stopRequested() || !rowsVary(taken->head(HeadIndex(unit))) || !rowsVary(single.rows()))
            return;
        const std::vector<double> second = lengthsOf(centred, unit);
        const double other = hsic(squareOf(*taken, unit, *taken, unit, centred), both(second, second), sumOf(second),
                                  sumOf(second), n);
        const double cross = hsic(squareOf(single, 0, *taken, unit, centred), both(first, second), sumOf(first),
                                  sumOf(second), n);
        value = of.layer() == taken->layer() && unit == head.value() ? 1.0 : cross / std::sqrt(self * other);
    });
    HEADSCOPE_CHECK(job.checkStop());
    return cka;
}

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/probe/baseline_inputs.h"

#include "model/analysis/statistics/draws.h"
#include "model/base/size_of.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>

namespace headscope
{
namespace
{

/// Sums over the training rows of each part, and how many there are.
struct PartMeans
{
    MatrixD mean; ///< [parts, D]
    std::vector<std::int64_t> count;
};

PartMeans meansOf(const ProbeRows& rows, std::span<const std::int64_t> partOf)
{
    const std::int64_t parts = 1 + *std::max_element(partOf.begin(), partOf.end());
    PartMeans means{MatrixD(parts, rows.vectors.cols()), std::vector<std::int64_t>(sizeOf(parts))};
    for (const std::int64_t row : rows.train)
    {
        const std::int64_t part = partOf[static_cast<std::size_t>(rows.classes[sizeOf(row)])];
        const auto values = rows.vectors.row(row);
        const auto sum = means.mean.row(part);
        for (std::size_t d = 0; d < values.size(); ++d)
            sum[d] += values[d];
        ++means.count[sizeOf(part)];
    }
    for (std::int64_t part = 0; part < parts; ++part)
        for (double& each : means.mean.row(part))
            each /= static_cast<double>(std::max<std::int64_t>(1, means.count[sizeOf(part)]));
    return means;
}

std::vector<std::int64_t> itself(std::int64_t count)
{
    std::vector<std::int64_t> all(sizeOf(count));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

/// Number i of a standard normal distribution (Box & Muller).
double normal(const Draws& draws, std::uint64_t i)
{
    const auto uniform = [&draws](std::uint64_t k) {
        return (static_cast<double>(draws.bits(k) >> 11U) + 0.5) * 0x1p-53; // in (0, 1)
    };
    return std::sqrt(-2 * std::log(uniform(2 * i))) * std::cos(2 * std::numbers::pi * uniform(2 * i + 1));
}

/// What a document is to the control task: the mean of its rows, each less its head's mean.
struct DocumentMeans
{
    MatrixD mean;                      ///< [documents, D]
    std::vector<std::int64_t> placeOf; ///< [n] document of each row
    std::vector<bool> trains;          ///< [documents]
};

DocumentMeans documentMeans(const ProbeRows& rows)
{
    const MatrixF centred = withoutMeans(rows, itself(rows.numClasses));
    std::map<std::int32_t, std::int64_t> places;
    DocumentMeans result;
    for (const std::int32_t document : rows.documents)
        result.placeOf.push_back(places.try_emplace(document, std::ssize(places)).first->second);
    result.mean = MatrixD(std::ssize(places), rows.vectors.cols());
    result.trains.resize(places.size());
    std::vector<double> count(places.size());
    for (std::int64_t row = 0; row < centred.rows(); ++row)
    {
        const std::int64_t place = result.placeOf[sizeOf(row)];
        const auto values = centred.row(row);
        for (std::size_t d = 0; d < values.size(); ++d)
            result.mean.row(place)[d] += values[d];
        ++count[sizeOf(place)];
    }
    for (std::int64_t place = 0; place < result.mean.rows(); ++place)
        for (double& each : result.mean.row(place))
            each /= count[sizeOf(place)];
    for (const std::int64_t row : rows.train)
        result.trains[sizeOf(result.placeOf[sizeOf(row)])] = true;
    return result;
}

/// The nearest centre of each document; the lower one on ties.
std::vector<std::int64_t> nearestCentres(const MatrixD& documents, const MatrixD& centres)
{
    std::vector<std::int64_t> nearest;
    for (std::int64_t i = 0; i < documents.rows(); ++i)
    {
        double least = std::numeric_limits<double>::infinity();
        std::int64_t best = 0;
        for (std::int64_t c = 0; c < centres.rows(); ++c)
        {
            double distance = 0;
            for (std::int64_t d = 0; d < documents.cols(); ++d)
                distance += (documents(i, d) - centres(c, d)) * (documents(i, d) - centres(c, d));
            if (distance < least)
            {
                least = distance;
                best = c;
            }
        }
        nearest.push_back(best);
    }
    return nearest;
}

/// Cluster of each document: Lloyd's algorithm from drawn training documents, which alone move the centres.
std::vector<std::int64_t> clusters(const DocumentMeans& documents, std::int64_t wanted, std::uint64_t seed)
{
    constexpr int kRounds = 10;
    std::vector<std::int32_t> training;
    for (std::size_t i = 0; i < documents.trains.size(); ++i)
        if (documents.trains[i])
            training.push_back(static_cast<std::int32_t>(i));
    const auto drawn = permutedLabels(training, Draws(seed), 0);
    MatrixD centres(std::min(wanted, std::ssize(drawn)), documents.mean.cols());
    for (std::int64_t c = 0; c < centres.rows(); ++c)
        std::ranges::copy(documents.mean.row(drawn[sizeOf(c)]), centres.row(c).begin());
    std::vector<std::int64_t> nearest = nearestCentres(documents.mean, centres);
    for (int round = 0; round < kRounds; ++round)
    {
        MatrixD sums(centres.rows(), centres.cols());
        std::vector<double> count(sizeOf(centres.rows()));
        for (const std::int32_t place : training)
        {
            const std::int64_t c = nearest[static_cast<std::size_t>(place)];
            for (std::int64_t d = 0; d < centres.cols(); ++d)
                sums(c, d) += documents.mean(place, d);
            ++count[sizeOf(c)];
        }
        for (std::int64_t c = 0; c < centres.rows(); ++c)
            for (std::int64_t d = 0; d < centres.cols() && count[sizeOf(c)] > 0; ++d)
                centres(c, d) = sums(c, d) / count[sizeOf(c)];
        nearest = nearestCentres(documents.mean, centres);
    }
    return nearest;
}

} // namespace

std::uint64_t streamOf(std::uint64_t seed, std::uint64_t purpose)
{
    return Draws(seed).bits(purpose);
}

MatrixF withoutMeans(const ProbeRows& rows, std::span<const std::int64_t> partOf)
{
    const PartMeans means = meansOf(rows, partOf);
    MatrixF centred(rows.vectors.rows(), rows.vectors.cols());
    for (std::int64_t row = 0; row < centred.rows(); ++row)
    {
        const auto mean = means.mean.row(partOf[static_cast<std::size_t>(rows.classes[sizeOf(row)])]);
        const auto values = rows.vectors.row(row);
        std::transform(values.begin(), values.end(), mean.begin(), centred.row(row).begin(),
                       [](float value, double each) { return static_cast<float>(value - each); });
    }
    return centred;
}

MatrixF gaussianLike(const ProbeRows& rows, std::uint64_t seed)
{
    const PartMeans means = meansOf(rows, itself(rows.numClasses));
    MatrixD variance(rows.numClasses, rows.vectors.cols());
    for (const std::int64_t row : rows.train)
    {
        const auto k = static_cast<std::int64_t>(rows.classes[sizeOf(row)]);
        const auto values = rows.vectors.row(row);
        for (std::int64_t d = 0; d < variance.cols(); ++d)
        {
            const double off = values[sizeOf(d)] - means.mean(k, d);
            variance(k, d) += off * off / static_cast<double>(std::max<std::int64_t>(1, means.count[sizeOf(k)] - 1));
        }
    }
    const Draws draws(seed);
    MatrixF drawn(rows.vectors.rows(), rows.vectors.cols());
    for (std::int64_t row = 0; row < drawn.rows(); ++row)
    {
        const auto k = static_cast<std::int64_t>(rows.classes[sizeOf(row)]);
        for (std::int64_t d = 0; d < drawn.cols(); ++d)
            drawn(row, d) = static_cast<float>(means.mean(k, d) +
                                               std::sqrt(variance(k, d)) *
                                                   normal(draws, static_cast<std::uint64_t>(row * drawn.cols() + d)));
    }
    return drawn;
}

std::vector<std::int32_t> controlLabels(const ProbeRows& rows, std::uint64_t seed)
{
    const DocumentMeans documents = documentMeans(rows);
    const auto cluster = clusters(documents, rows.numClasses, streamOf(seed, 0));
    std::vector<std::int32_t> heads(sizeOf(rows.numClasses));
    std::iota(heads.begin(), heads.end(), 0);
    const Draws draws(streamOf(seed, 1));
    std::vector<std::vector<std::int32_t>> labelOf; // [cluster][head]
    for (std::int64_t c = 0; c < rows.numClasses; ++c)
        labelOf.push_back(permutedLabels(heads, draws, c));
    std::vector<std::int32_t> labels;
    for (std::size_t i = 0; i < rows.classes.size(); ++i)
        labels.push_back(
            labelOf[sizeOf(cluster[sizeOf(documents.placeOf[i])])][static_cast<std::size_t>(rows.classes[i])]);
    return labels;
}

CutRows randomCut(const ProbeRows& rows, std::uint64_t seed)
{
    std::map<std::int32_t, std::vector<std::int64_t>> rowsOf; // of each document, by class; -1: there is none
    std::vector<std::int32_t> order;
    for (std::int64_t row = 0; row < rows.vectors.rows(); ++row)
    {
        const std::int32_t document = rows.documents[sizeOf(row)];
        const auto [place, isNew] = rowsOf.try_emplace(document, sizeOf(rows.numClasses), -1);
        if (isNew)
            order.push_back(document);
        place->second[static_cast<std::size_t>(rows.classes[sizeOf(row)])] = row;
    }
    std::erase_if(order, [&rowsOf](std::int32_t document) {
        return std::ranges::find(rowsOf.at(document), std::int64_t{-1}) != rowsOf.at(document).end();
    });
    const std::int64_t dims = rows.vectors.cols();
    std::vector<std::int32_t> coordinates(sizeOf(rows.numClasses * dims));
    std::iota(coordinates.begin(), coordinates.end(), 0);
    coordinates = permutedLabels(coordinates, Draws(seed), 0);
    CutRows cut;
    cut.vectors = MatrixF(std::ssize(order) * rows.numClasses, dims);
    for (std::int64_t i = 0; i < std::ssize(order); ++i)
        for (std::int64_t k = 0; k < rows.numClasses; ++k)
        {
            const auto& parts = rowsOf.at(order[sizeOf(i)]);
            for (std::int64_t d = 0; d < dims; ++d)
            {
                const std::int64_t from = coordinates[sizeOf(k * dims + d)];
                cut.vectors(i * rows.numClasses + k, d) =
                    rows.vectors.row(parts[sizeOf(from / dims)])[sizeOf(from % dims)];
            }
            cut.classes.push_back(static_cast<std::int32_t>(k));
            cut.documents.push_back(order[sizeOf(i)]);
        }
    return cut;
}

} // namespace headscope

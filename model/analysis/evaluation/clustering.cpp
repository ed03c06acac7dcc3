// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/evaluation/clustering.h"

#include "model/analysis/statistics/draws.h"
#include "model/base/parallel.h"
#include "model/kernels/gemm_f64.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace headscope
{
namespace
{

constexpr int kMaxRounds = 100;
constexpr std::int64_t kRows = 256;   ///< whose products with the centres are held at once
constexpr std::int64_t kPadding = 16; ///< columns of a whole tile of the products

double squaredDistance(std::span<const float> row, std::span<const double> centre)
{
    double sum = 0;
    for (std::size_t d = 0; d < row.size(); ++d)
    {
        const double difference = static_cast<double>(row[d]) - centre[d];
        sum += difference * difference;
    }
    return sum;
}

void copyRow(std::span<const float> row, std::span<double> into)
{
    std::ranges::transform(row, into.begin(), [](float value) { return static_cast<double>(value); });
}

/// Gives each row its nearest centre: the one of least |c|^2 - 2 x c.
/// @return whether any row changed its cluster
bool assign(ConstMatrixView rows, const MatrixD& centres, std::vector<std::int32_t>& of)
{
    const std::int64_t clusters = centres.rows();
    const std::int64_t width = (clusters + kPadding - 1) / kPadding * kPadding;
    MatrixD turned(rows.cols(), width);
    std::vector<double> squares(static_cast<std::size_t>(clusters));
    for (std::int64_t c = 0; c < clusters; ++c)
        for (std::int64_t d = 0; d < rows.cols(); ++d)
        {
            turned(d, c) = centres(c, d);
            squares[static_cast<std::size_t>(c)] += centres(c, d) * centres(c, d);
        }
    bool changed = false;
    MatrixD products(kRows, width);
    for (std::int64_t begin = 0; begin < rows.rows(); begin += kRows)
    {
        const std::int64_t count = std::min(kRows, rows.rows() - begin);
        std::ranges::fill(products.values(), 0.0);
        addProductInDouble(count, width, rows.cols(), rows.row(begin).data(), rows.stride(), 1, turned.data(), width,
                           products.data(), width);
        for (std::int64_t i = 0; i < count; ++i)
        {
            std::int32_t nearest = 0;
            double least = std::numeric_limits<double>::infinity();
            for (std::int64_t c = 0; c < clusters; ++c)
                if (const double value = squares[static_cast<std::size_t>(c)] - 2 * products(i, c); value < least)
                {
                    least = value;
                    nearest = static_cast<std::int32_t>(c);
                }
            std::int32_t& mine = of[static_cast<std::size_t>(begin + i)];
            changed = changed || mine != nearest;
            mine = nearest;
        }
    }
    return changed;
}

void moveCentres(ConstMatrixView rows, const std::vector<std::int32_t>& of, MatrixD& centres)
{
    MatrixD sums(centres.rows(), centres.cols());
    std::vector<double> counts(static_cast<std::size_t>(centres.rows()));
    for (std::int64_t i = 0; i < rows.rows(); ++i)
    {
        const std::int32_t cluster = of[static_cast<std::size_t>(i)];
        ++counts[static_cast<std::size_t>(cluster)];
        const auto row = rows.row(i);
        const auto sum = sums.row(cluster);
        for (std::size_t d = 0; d < row.size(); ++d)
            sum[d] += static_cast<double>(row[d]);
    }
    for (std::int64_t c = 0; c < centres.rows(); ++c)
        if (counts[static_cast<std::size_t>(c)] > 0)
            std::ranges::transform(sums.row(c), centres.row(c).begin(),
                                   [count = counts[static_cast<std::size_t>(c)]](double sum) { return sum / count; });
}

double entropy(std::span<const double> counts, double total)
{
    double sum = 0;
    for (const double count : counts)
        if (count > 0)
            sum -= count / total * std::log(count / total);
    return sum;
}

double pairs(double count)
{
    return count * (count - 1) / 2;
}

} // namespace

Result<Clusters> clusterFrom(ConstMatrixView rows, std::span<const std::int64_t> start, const JobContext& job)
{
    MatrixD centres(std::ssize(start), rows.cols());
    for (std::int64_t c = 0; c < centres.rows(); ++c)
        copyRow(rows.row(start[static_cast<std::size_t>(c)]), centres.row(c));
    Clusters clusters;
    clusters.of.assign(static_cast<std::size_t>(rows.rows()), -1);
    while (clusters.iterations < kMaxRounds)
    {
        HEADSCOPE_CHECK(job.checkStop());
        ++clusters.iterations;
        if (!assign(rows, centres, clusters.of))
            break;
        moveCentres(rows, clusters.of, centres);
    }
    for (std::int64_t i = 0; i < rows.rows(); ++i)
        clusters.inertia += squaredDistance(rows.row(i), centres.row(clusters.of[static_cast<std::size_t>(i)]));
    return clusters;
}

std::vector<std::int64_t> startingRows(ConstMatrixView rows, std::int64_t clusters, std::int64_t run,
                                       std::uint64_t seed)
{
    const Draws draws(seed);
    const auto number = [&](std::int64_t centre) { return static_cast<std::uint64_t>(run * clusters + centre); };
    std::vector<std::int64_t> chosen = {draws.below(number(0), rows.rows())};
    std::vector<double> nearest(static_cast<std::size_t>(rows.rows()), std::numeric_limits<double>::infinity());
    std::vector<double> centre(static_cast<std::size_t>(rows.cols()));
    for (std::int64_t c = 1; c < clusters; ++c)
    {
        copyRow(rows.row(chosen.back()), centre);
        double total = 0;
        for (std::int64_t i = 0; i < rows.rows(); ++i)
        {
            double& least = nearest[static_cast<std::size_t>(i)];
            least = std::min(least, squaredDistance(rows.row(i), centre));
            total += least;
        }
        const double goal = std::ldexp(static_cast<double>(draws.bits(number(c)) >> 11U), -53) * total;
        double sum = 0;
        std::int64_t row = 0;
        for (; row < rows.rows() - 1; ++row)
        {
            sum += nearest[static_cast<std::size_t>(row)];
            if (sum > goal)
                break;
        }
        chosen.push_back(row);
    }
    return chosen;
}

Result<Clusters> clusterRows(ConstMatrixView rows, std::int64_t clusters, std::uint64_t seed, int numThreads,
                             JobContext& job, int runs)
{
    std::vector<Clusters> found(static_cast<std::size_t>(runs));
    parallelFor(numThreads, runs, 1, [&](std::int64_t run, std::int64_t) {
        if (auto one = clusterFrom(rows, startingRows(rows, clusters, run, seed), job))
            found[static_cast<std::size_t>(run)] = *std::move(one);
    });
    HEADSCOPE_CHECK(job.checkStop());
    return *std::ranges::min_element(found, {}, &Clusters::inertia);
}

ClusterAgreement clusterAgreement(std::span<const std::int32_t> classes, std::span<const std::int32_t> clusters,
                                  std::span<const std::int64_t> rows)
{
    const auto size = [](std::span<const std::int32_t> codes) {
        return codes.empty() ? 0 : std::int64_t{*std::ranges::max_element(codes)} + 1;
    };
    MatrixD table(size(classes), size(clusters));
    const auto count = [&](std::size_t row) { ++table(classes[row], clusters[row]); };
    if (rows.empty())
        for (std::size_t row = 0; row < classes.size(); ++row)
            count(row);
    for (const std::int64_t row : rows)
        count(static_cast<std::size_t>(row));
    std::vector<double> ofClass(static_cast<std::size_t>(table.rows()));
    std::vector<double> ofCluster(static_cast<std::size_t>(table.cols()));
    double both = 0;
    for (std::int64_t i = 0; i < table.rows(); ++i)
        for (std::int64_t j = 0; j < table.cols(); ++j)
        {
            ofClass[static_cast<std::size_t>(i)] += table(i, j);
            ofCluster[static_cast<std::size_t>(j)] += table(i, j);
            both += pairs(table(i, j));
        }
    const double total = std::accumulate(ofClass.begin(), ofClass.end(), 0.0);
    const double classEntropy = entropy(ofClass, total);
    const double clusterEntropy = entropy(ofCluster, total);
    const double joint = entropy(table.values(), total);
    ClusterAgreement agreement;
    agreement.homogeneity = classEntropy > 0 ? 1 - (joint - clusterEntropy) / classEntropy : 1;
    agreement.completeness = clusterEntropy > 0 ? 1 - (joint - classEntropy) / clusterEntropy : 1;
    const double sum = agreement.homogeneity + agreement.completeness;
    agreement.vMeasure = sum > 0 ? 2 * agreement.homogeneity * agreement.completeness / sum : 0;
    const auto sumOfPairs = [](const std::vector<double>& counts) {
        return std::accumulate(counts.begin(), counts.end(), 0.0,
                               [](double all, double one) { return all + pairs(one); });
    };
    const double classPairs = sumOfPairs(ofClass);
    const double clusterPairs = sumOfPairs(ofCluster);
    const double expected = total > 1 ? classPairs * clusterPairs / pairs(total) : 0;
    const double most = (classPairs + clusterPairs) / 2;
    agreement.adjustedRand = most > expected ? (both - expected) / (most - expected) : 1;
    return agreement;
}

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
// What the rows of a heatmap say.
#include "model/analysis/topics/topic_cells.h"

#include "model/base/size_of.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

namespace headscope
{
namespace
{

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// What one row says: mean, standard deviation, share of variance between topics, the topic it answers
/// to most, and how even the documents' part in it is.
void rowMoments(std::span<const double> cells, const Heatmap& heatmap, std::size_t row, HeatmapStatistics& result)
{
    double& mean = result.mean[row];
    double& sd = result.sd[row];
    double sum = 0;
    std::int64_t count = 0;
    std::vector<double> topicSum(heatmap.topicOrder.size());
    std::vector<std::int64_t> topicCount(heatmap.topicOrder.size());
    for (std::size_t t = 0; t < heatmap.topicOrder.size(); ++t)
    {
        for (auto column = sizeOf(heatmap.topicStart[t]); column < sizeOf(heatmap.topicStart[t + 1]); ++column)
        {
            if (std::isnan(cells[column]))
                continue;
            topicSum[t] += cells[column];
            ++topicCount[t];
        }
        sum += topicSum[t];
        count += topicCount[t];
    }
    mean = count > 0 ? sum / static_cast<double>(count) : kNaN;
    double all = 0;
    for (const double cell : cells)
        all += std::isnan(cell) ? 0.0 : (cell - mean) * (cell - mean);
    double between = 0;
    for (std::size_t t = 0; t < topicSum.size(); ++t)
    {
        const auto size = static_cast<double>(topicCount[t]);
        const auto at = static_cast<std::int64_t>(t);
        const double topicMean = topicCount[t] > 0 ? topicSum[t] / size : kNaN;
        result.topicMean(static_cast<std::int64_t>(row), at) = topicMean;
        result.topicCount(static_cast<std::int64_t>(row), at) = topicCount[t];
        if (topicCount[t] == 0)
            continue;
        between += size * (topicMean - mean) * (topicMean - mean);
        if (result.topTopic[row] < 0 || topicMean > result.topMean[row])
        {
            result.topTopic[row] = heatmap.topicOrder[t];
            result.topMean[row] = topicMean;
        }
    }
    sd = count > 0 ? std::sqrt(all / static_cast<double>(count)) : kNaN;
    const bool hasTopics = topicSum.size() > 1; // one has nothing between topics, and none to be told from
    result.eta2[row] = all > 0 && hasTopics ? between / all : kNaN;
    result.topTopic[row] = hasTopics ? result.topTopic[row] : -1;
    double positive = 0;
    double squares = 0;
    for (const double cell : cells)
    {
        positive += cell > 0 ? cell : 0.0;
        squares += cell > 0 ? cell * cell : 0.0;
    }
    result.evenness[row] = squares > 0 ? positive * positive / (squares * static_cast<double>(count)) : kNaN;
}

/// Ranks from 1; equal values share the mean of theirs.
std::vector<double> ranks(std::span<const double> values)
{
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> result(values.size());
    for (std::size_t begin = 0; begin < order.size();)
    {
        std::size_t end = begin + 1;
        while (end < order.size() && values[order[end]] == values[order[begin]])
            ++end;
        for (std::size_t i = begin; i < end; ++i)
            result[order[i]] = static_cast<double>(begin + end + 1) / 2;
        begin = end;
    }
    return result;
}

} // namespace

double spearman(std::span<const double> a, std::span<const double> b)
{
    const std::vector<double> x = ranks(a);
    const std::vector<double> y = ranks(b);
    const double mean = (static_cast<double>(x.size()) + 1) / 2;
    double xy = 0;
    double xx = 0;
    double yy = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
    {
        xy += (x[i] - mean) * (y[i] - mean);
        xx += (x[i] - mean) * (x[i] - mean);
        yy += (y[i] - mean) * (y[i] - mean);
    }
    return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : kNaN;
}

Result<HeatmapStatistics> heatmapStatistics(const TopicInput& input, const Heatmap& heatmap, int numThreads,
                                            JobContext& job)
{
    HEADSCOPE_CHECK(checkShapes(input));
    HEADSCOPE_TRY(const MatrixD cells, cellsOf(input, heatmap, numThreads, job));
    const auto rows = sizeOf(cells.rows());
    HeatmapStatistics result{std::vector<double>(rows),
                             std::vector<double>(rows),
                             std::vector<double>(rows),
                             std::vector<std::int32_t>(rows, -1),
                             std::vector<double>(rows, kNaN),
                             std::vector<double>(rows),
                             MatrixD(cells.rows() - 1, input.topics->documents()),
                             {},
                             MatrixD(cells.rows(), std::ssize(heatmap.topicOrder)),
                             Matrix<std::int64_t>(cells.rows(), std::ssize(heatmap.topicOrder))};
    std::fill(result.spearman.values().begin(), result.spearman.values().end(), kNaN);
    for (std::size_t row = 0; row < rows; ++row)
        rowMoments(cells.row(static_cast<std::int64_t>(row)), heatmap, row, result);
    for (std::int64_t head = 0; head < cells.rows() - 1; ++head)
    {
        double sum = 0;
        std::int64_t counted = 0;
        for (std::size_t t = 0; t < heatmap.topicOrder.size(); ++t)
        {
            std::vector<double> own;
            std::vector<double> full;
            for (std::int64_t column = heatmap.topicStart[t]; column < heatmap.topicStart[t + 1]; ++column)
            {
                if (std::isnan(cells(0, column)) || std::isnan(cells(1 + head, column)))
                    continue;
                full.push_back(cells(0, column));
                own.push_back(cells(1 + head, column));
            }
            const double correlation = spearman(own, full);
            result.spearman(head, heatmap.topicOrder[t]) = correlation;
            if (!std::isnan(correlation))
            {
                sum += correlation;
                ++counted;
            }
        }
        result.spearmanMean.push_back(counted > 0 ? sum / static_cast<double>(counted) : kNaN);
    }
    return result;
}

} // namespace headscope

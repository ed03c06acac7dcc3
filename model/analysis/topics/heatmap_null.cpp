// SPDX-License-Identifier: GPL-3.0-or-later
// What the rows of a heatmap would be if labels said nothing.
#include "model/analysis/statistics/draws.h"
#include "model/analysis/statistics/permutations.h"
#include "model/analysis/topics/centroid_cosines.h"
#include "model/analysis/topics/topic_cells.h"
#include "model/analysis/topics/topics.h"
#include "model/base/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headscope
{
namespace
{

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
/// Cosines of documents with topics that a row may have: 160 MB.
constexpr std::int64_t kMostCosines = 20'000'000;

/// What one assignment of topics to documents makes of a row.
struct RowNumbers
{
    double contrast = kNone;
    double eta2 = kNone;
    std::int32_t top = -1; ///< place of the topic with the largest mean
};

/// @param cosines  [M, T] documents with the topics shown
/// @param own      [M] place of each document's topic
RowNumbers numbersOf(const MatrixD& cosines, std::span<const std::int32_t> own)
{
    const auto topics = static_cast<std::size_t>(cosines.cols());
    std::vector<double> sums(topics);
    std::vector<double> counts(topics);
    double squares = 0;
    double contrast = 0;
    double contrasts = 0;
    for (std::int64_t i = 0; i < cosines.rows(); ++i)
    {
        const auto at = static_cast<std::size_t>(own[static_cast<std::size_t>(i)]);
        const auto row = cosines.row(i);
        const double value = row[at];
        if (std::isnan(value))
            continue;
        sums[at] += value;
        ++counts[at];
        squares += value * value;
        double others = 0;
        double count = 0;
        for (std::size_t topic = 0; topic < topics; ++topic)
        {
            if (topic == at || std::isnan(row[topic]))
                continue;
            others += row[topic];
            ++count;
        }
        if (count == 0)
            continue;
        contrast += value - others / count;
        ++contrasts;
    }
    RowNumbers numbers;
    numbers.contrast = contrasts > 0 ? contrast / contrasts : kNone;
    double sum = 0;
    double count = 0;
    double between = 0;
    for (std::size_t topic = 0; topic < topics; ++topic)
    {
        if (counts[topic] == 0)
            continue;
        sum += sums[topic];
        count += counts[topic];
        between += sums[topic] * sums[topic] / counts[topic];
        const auto top = static_cast<std::size_t>(std::max(numbers.top, 0));
        if (numbers.top < 0 || sums[topic] / counts[topic] > sums[top] / counts[top])
            numbers.top = static_cast<std::int32_t>(topic);
    }
    const double all = count > 0 ? squares - sum * sum / count : 0;
    numbers.eta2 = all > 0 ? (between - sum * sum / count) / all : kNone;
    return numbers;
}

/// The documents and topics of a heatmap, by places.
struct Places
{
    std::vector<std::int32_t> topicPlace; ///< [C] place among the topics shown, -1: not shown
    std::vector<std::int32_t> own;        ///< [M] place of the column's topic
    /// With centroids: all documents of the topics shown, the place of each one's topic, and of each column which of
    /// them it is.
    std::vector<std::int64_t> pool;
    std::vector<std::int32_t> poolCodes;
    std::vector<std::int64_t> columnInPool;
};

Places placesOf(const TopicInput& input, const Heatmap& heatmap)
{
    Places places;
    places.topicPlace.assign(static_cast<std::size_t>(input.topics->documents()), -1);
    for (std::size_t at = 0; at < heatmap.topicOrder.size(); ++at)
        places.topicPlace[static_cast<std::size_t>(heatmap.topicOrder[at])] = static_cast<std::int32_t>(at);
    for (const std::int32_t topic : heatmap.topic)
        places.own.push_back(places.topicPlace[static_cast<std::size_t>(topic)]);
    if (input.members == nullptr)
        return places;
    std::vector<std::int64_t> inPool(input.labels->codes.size(), -1);
    for (std::size_t document = 0; document < inPool.size(); ++document)
    {
        const std::int32_t code = input.labels->codes[document];
        if (code < 0 || places.topicPlace[static_cast<std::size_t>(code)] < 0)
            continue;
        inPool[document] = std::ssize(places.pool);
        places.pool.push_back(static_cast<std::int64_t>(document));
        places.poolCodes.push_back(places.topicPlace[static_cast<std::size_t>(code)]);
    }
    for (const std::int32_t document : heatmap.document)
        places.columnInPool.push_back(inPool[static_cast<std::size_t>(document)]);
    return places;
}

/// One row of the heatmap under any labels.
class NullRow
{
public:
    NullRow(const TopicInput& input, const Heatmap& heatmap, const Places& places, std::int64_t row, int numThreads)
        : m_places(places), m_topics(std::ssize(heatmap.topicOrder)),
          m_centroids(row == 0 ? input.fullDocuments : input.documents->head(HeadIndex(row - 1)), places.pool)
    {
        if (input.members != nullptr)
        {
            m_place.assign(places.pool.size(), -1);
            for (std::size_t i = 0; i < m_centroids.finite().size(); ++i)
                m_place[static_cast<std::size_t>(m_centroids.finite()[i])] = static_cast<std::int64_t>(i);
            return;
        }
        m_cosines = MatrixD(std::ssize(heatmap.document), m_topics);
        parallelFor(numThreads, m_cosines.rows(), 16, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i)
                for (std::int64_t topic = 0; topic < m_topics; ++topic)
                    m_cosines(i, topic) =
                        rowCosine(input, row, DocumentIndex(heatmap.document[static_cast<std::size_t>(i)]),
                                  heatmap.topicOrder[static_cast<std::size_t>(topic)]);
        });
    }

    /// @param draws  null: the labels as they are
    [[nodiscard]] RowNumbers numbers(const Draws* draws, std::int64_t b) const
    {
        if (m_places.pool.empty())
            return numbersOf(m_cosines, draws == nullptr ? m_places.own : permutedLabels(m_places.own, *draws, b));
        const auto codes = draws == nullptr ? m_places.poolCodes : permutedLabels(m_places.poolCodes, *draws, b);
        std::vector<std::int32_t> finiteCodes;
        for (const std::int64_t at : m_centroids.finite())
            finiteCodes.push_back(codes[static_cast<std::size_t>(at)]);
        const MatrixD all = m_centroids.compute(finiteCodes, m_topics);
        MatrixD cosines(std::ssize(m_places.columnInPool), m_topics);
        std::vector<std::int32_t> own;
        for (std::int64_t i = 0; i < cosines.rows(); ++i)
        {
            const auto inPool = static_cast<std::size_t>(m_places.columnInPool[static_cast<std::size_t>(i)]);
            own.push_back(codes[inPool]);
            const auto to = cosines.row(i);
            if (m_place[inPool] < 0)
                std::fill(to.begin(), to.end(), kNone);
            else
                std::copy_n(all.row(m_place[inPool]).begin(), m_topics, to.begin());
        }
        return numbersOf(cosines, own);
    }

private:
    const Places& m_places;
    std::int64_t m_topics = 0;
    CentroidCosines m_centroids;
    std::vector<std::int64_t> m_place; ///< [pool] row of the centroids' cosines, -1: not finite
    MatrixD m_cosines;
};

std::string whyNoNull(const Heatmap& heatmap, const NullOptions& options)
{
    if (options.permutations == 0)
        return "not asked for";
    if (heatmap.options.choice == HeatmapChoice::Best)
        return "the documents drawn are those nearest to their topics, which shuffled labels would not have chosen";
    if (heatmap.topicOrder.size() < 2)
        return "one topic has no other to be told from";
    if (std::ssize(heatmap.document) * std::ssize(heatmap.topicOrder) > kMostCosines)
        return fmt::format("{} documents with {} topics are too many for shuffles; take fewer topics",
                           heatmap.document.size(), heatmap.topicOrder.size());
    return {};
}

} // namespace

Result<HeatmapNull> heatmapNull(const TopicInput& input, const Heatmap& heatmap, const NullOptions& options,
                                int numThreads, JobContext& job)
{
    HEADSCOPE_CHECK(checkShapes(input));
    for (const std::int32_t topic : heatmap.topicOrder)
        HEADSCOPE_CHECK(checkTopic(input, topic));
    const auto rows = static_cast<std::size_t>(1 + input.documents->heads());
    HeatmapNull result{std::vector<double>(rows, kNone), std::vector<PermutationNull>(rows),
                       std::vector<PermutationNull>(rows), std::vector<double>(rows, kNone),
                       whyNoNull(heatmap, options)};
    if (std::ssize(heatmap.document) * std::ssize(heatmap.topicOrder) > kMostCosines)
        return result;
    const auto permutations = static_cast<std::size_t>(result.leftOut.empty() ? options.permutations : 0);
    const Places places = placesOf(input, heatmap);
    const Draws draws(options.seed);
    for (std::size_t row = 0; row < rows; ++row)
    {
        job.report("shuffling labels", row, rows, "rows");
        const NullRow one(input, heatmap, places, static_cast<std::int64_t>(row), numThreads);
        const RowNumbers seen = one.numbers(nullptr, 0);
        result.contrast[row] = seen.contrast;
        std::vector<RowNumbers> shuffled(permutations);
        parallelFor(numThreads, std::ssize(shuffled), 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t b = begin; b < end && !job.stopRequested(); ++b)
                shuffled[static_cast<std::size_t>(b)] = one.numbers(&draws, b);
        });
        HEADSCOPE_CHECK(job.checkStop());
        if (permutations == 0)
            continue;
        std::vector<double> contrasts;
        std::vector<double> eta2;
        double kept = 0;
        for (const RowNumbers& each : shuffled)
        {
            contrasts.push_back(each.contrast);
            eta2.push_back(each.eta2);
            kept += each.top >= 0 && each.top == seen.top ? 1 : 0;
        }
        result.ofContrast[row] = permutationNull(seen.contrast, std::move(contrasts));
        result.ofEta2[row] = permutationNull(seen.eta2, std::move(eta2));
        result.topTopicKept[row] = kept / static_cast<double>(permutations);
    }
    return result;
}

} // namespace headscope

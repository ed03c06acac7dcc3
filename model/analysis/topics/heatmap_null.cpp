// SPDX-License-Identifier: GPL-3.0-or-later
// What the rows of a heatmap would be if labels said nothing.
#include "model/analysis/statistics/draws.h"
#include "model/analysis/statistics/jackknife.h"
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
constexpr std::int64_t kMaxCosines = 20'000'000;
constexpr std::int64_t kMinForInterval = 10;
/// Of documents that are left out together where they belong to centroids.
constexpr std::int64_t kMaxGroups = 200;
constexpr std::int64_t kGroupDraw = std::int64_t{1} << 32; ///< no shuffle of labels has this number

/// What one assignment of topics to documents makes of a row.
struct RowNumbers
{
    double contrast = kNone;
    double eta2 = kNone;
    std::int32_t top = -1; ///< place of the topic with the largest mean
};

/// What each document is nearer to its own topic than to the others on average.
/// @param cosines  [M, T] documents with the topics shown
/// @param own      [M] place of each document's topic
/// @return  [M]; NaN where the own topic or all others have no cosine
std::vector<double> contrastsOf(const MatrixD& cosines, std::span<const std::int32_t> own)
{
    std::vector<double> contrasts(own.size(), kNone);
    for (std::int64_t i = 0; i < cosines.rows(); ++i)
    {
        const auto row = cosines.row(i);
        const auto mine = row.begin() + own[static_cast<std::size_t>(i)];
        double others = 0;
        double count = 0;
        for (auto cosine = row.begin(); cosine != row.end(); ++cosine)
        {
            if (cosine == mine || std::isnan(*cosine))
                continue;
            others += *cosine;
            ++count;
        }
        if (count > 0)
            contrasts[static_cast<std::size_t>(i)] = *mine - others / count;
    }
    return contrasts;
}

/// Sum and number of those that are finite.
struct FiniteSum
{
    explicit FiniteSum(std::span<const double> values)
    {
        for (const double value : values)
        {
            sum += std::isfinite(value) ? value : 0.0;
            count += std::isfinite(value) ? 1 : 0;
        }
    }
    [[nodiscard]] double mean() const { return count > 0 ? sum / count : kNone; }

    double sum = 0;
    double count = 0;
};

/// @param cosines, own  as of contrastsOf
RowNumbers numbersOf(const MatrixD& cosines, std::span<const std::int32_t> own)
{
    const auto topics = static_cast<std::size_t>(cosines.cols());
    std::vector<double> sums(topics);
    std::vector<double> counts(topics);
    double squares = 0;
    for (std::int64_t i = 0; i < cosines.rows(); ++i)
    {
        const auto at = static_cast<std::size_t>(own[static_cast<std::size_t>(i)]);
        const double value = cosines.row(i)[at];
        if (std::isnan(value))
            continue;
        sums[at] += value;
        ++counts[at];
        squares += value * value;
    }
    RowNumbers numbers;
    numbers.contrast = FiniteSum(contrastsOf(cosines, own)).mean();
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
        const Cells cells = cellsUnder(codes);
        return numbersOf(cells.cosines, cells.own);
    }

    /// The jackknife's, over documents; with centroids over groups of them where they are many.
    [[nodiscard]] Interval contrastInterval(double contrast, const Draws& draws, int numThreads,
                                            const JobContext& job) const
    {
        const std::vector<double> without =
            m_places.pool.empty() ? withoutEach() : withoutGroups(draws, numThreads, job);
        return std::ssize(without) < kMinForInterval ? Interval() : jackknifeInterval(contrast, without);
    }

private:
    /// The cosines of the columns with the topics, and where each one's own topic is.
    struct Cells
    {
        MatrixD cosines;
        std::vector<std::int32_t> own;
    };

    /// @param codes  [pool] places of the topics; the place behind the last one: not there
    [[nodiscard]] Cells cellsUnder(std::span<const std::int32_t> codes) const
    {
        std::vector<std::int32_t> finiteCodes;
        for (const std::int64_t at : m_centroids.finite())
            finiteCodes.push_back(codes[static_cast<std::size_t>(at)]);
        const MatrixD all = m_centroids.compute(finiteCodes, m_topics + 1);
        std::vector<std::size_t> there;
        for (const std::int64_t inPool : m_places.columnInPool)
            if (codes[static_cast<std::size_t>(inPool)] < m_topics)
                there.push_back(static_cast<std::size_t>(inPool));
        Cells cells{MatrixD(std::ssize(there), m_topics), {}};
        for (std::int64_t i = 0; i < cells.cosines.rows(); ++i)
        {
            const std::size_t inPool = there[static_cast<std::size_t>(i)];
            cells.own.push_back(codes[inPool]);
            const auto to = cells.cosines.row(i);
            if (m_place[inPool] < 0)
                std::fill(to.begin(), to.end(), kNone);
            else
                std::copy_n(all.row(m_place[inPool]).begin(), m_topics, to.begin());
        }
        return cells;
    }

    /// The contrast without each document that has one.
    [[nodiscard]] std::vector<double> withoutEach() const
    {
        const std::vector<double> contrasts = contrastsOf(m_cosines, m_places.own);
        const FiniteSum all(contrasts);
        std::vector<double> without;
        for (const double contrast : contrasts)
            if (std::isfinite(contrast) && all.count > 1)
                without.push_back((all.sum - contrast) / (all.count - 1));
        return without;
    }

    /// The contrast without each group of documents, which the centroids do without, too. Who is in a group is drawn.
    [[nodiscard]] std::vector<double> withoutGroups(const Draws& draws, int numThreads, const JobContext& job) const
    {
        const std::int64_t documents = std::ssize(m_places.pool);
        const std::int64_t groupSize = (documents + kMaxGroups - 1) / kMaxGroups;
        std::vector<double> without(static_cast<std::size_t>(documents / groupSize), kNone);
        std::vector<std::int32_t> groups;
        for (std::int64_t i = 0; i < documents; ++i)
            groups.push_back(static_cast<std::int32_t>(i % std::ssize(without)));
        groups = permutedLabels(groups, draws, kGroupDraw);
        parallelFor(numThreads, std::ssize(without), 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t group = begin; group < end && !job.stopRequested(); ++group)
            {
                std::vector<std::int32_t> codes = m_places.poolCodes;
                for (std::size_t i = 0; i < codes.size(); ++i)
                    if (groups[i] == group)
                        codes[i] = static_cast<std::int32_t>(m_topics);
                const Cells cells = cellsUnder(codes);
                without[static_cast<std::size_t>(group)] = FiniteSum(contrastsOf(cells.cosines, cells.own)).mean();
            }
        });
        return without;
    }

    const Places& m_places;
    std::int64_t m_topics = 0;
    CentroidCosines m_centroids;
    std::vector<std::int64_t> m_place; ///< [pool] row of the centroids' cosines, -1: not finite
    MatrixD m_cosines;
};

std::string whyNoNull(const Heatmap& heatmap, const NullOptions& options)
{
    if (options.permutations == 0)
        return "not requested";
    if (heatmap.options.choice == HeatmapChoice::Best)
        return "the sampled documents are the nearest to their topics, and permuted labels would not have selected "
               "them";
    if (heatmap.topicOrder.size() < 2)
        return "a single topic cannot be compared with others";
    if (std::ssize(heatmap.document) * std::ssize(heatmap.topicOrder) > kMaxCosines)
        return fmt::format("{} documents with {} topics are too many for permutations; use fewer topics",
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
    HeatmapNull result{std::vector<double>(rows, kNone),   std::vector<Interval>(rows),
                       std::vector<PermutationNull>(rows), std::vector<PermutationNull>(rows),
                       std::vector<double>(rows, kNone),   whyNoNull(heatmap, options)};
    if (std::ssize(heatmap.document) * std::ssize(heatmap.topicOrder) > kMaxCosines)
        return result;
    const auto permutations = static_cast<std::size_t>(result.leftOut.empty() ? options.permutations : 0);
    const Places places = placesOf(input, heatmap);
    const Draws draws(options.seed);
    for (std::size_t row = 0; row < rows; ++row)
    {
        job.report("permuting labels", row, rows, "rows");
        const NullRow one(input, heatmap, places, static_cast<std::int64_t>(row), numThreads);
        const RowNumbers seen = one.numbers(nullptr, 0);
        result.contrast[row] = seen.contrast;
        if (heatmap.options.choice != HeatmapChoice::Best && std::ssize(heatmap.document) >= kMinForInterval)
            result.contrastCi95[row] = one.contrastInterval(seen.contrast, draws, numThreads, job);
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

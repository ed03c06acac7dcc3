// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/topics/topics.h"

#include "model/analysis/topics/cluster_order.h"
#include "model/analysis/topics/topic_cells.h"
#include "model/base/free_memory.h"
#include "model/base/hash.h"
#include "model/base/parallel.h"
#include "model/base/random.h"
#include "model/base/size_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headscope
{
namespace
{

constexpr std::size_t kDefaultTopics = 8;
constexpr std::uint64_t kSampleStream = 0x686d;

Error shapeMismatch(std::string message)
{
    return {ErrorCode::ShapeMismatch, std::move(message), {}, {}};
}

Error invalid(std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message), {}, {}};
}

std::string nameOf(const LabelColumn& labels, std::int32_t code)
{
    return sizeOf(code) < labels.categories.size() ? labels.categories[sizeOf(code)] : std::to_string(code);
}

/// The most frequent categories, in label order.
std::vector<std::int32_t> defaultTopics(const LabelColumn& labels)
{
    std::vector<std::int32_t> topics = labels.byFrequency();
    const auto counts = labels.counts();
    std::erase_if(topics, [&](std::int32_t topic) { return counts[sizeOf(topic)] == 0; });
    topics.resize(std::min(topics.size(), kDefaultTopics));
    std::sort(topics.begin(), topics.end());
    return topics;
}

/// Larger first, NaN last, ties by lower document.
bool comesBefore(const std::pair<double, std::int32_t>& a, const std::pair<double, std::int32_t>& b)
{
    if (std::isnan(a.first) != std::isnan(b.first))
        return std::isnan(b.first);
    return a.first > b.first || (!(a.first < b.first) && a.second < b.second);
}

/// Puts documents of one topic with like cells together.
ClusterTree sortByClusters(const TopicInput& input, std::int32_t topic, std::vector<std::int32_t>& documents)
{
    MatrixD cells(static_cast<std::int64_t>(documents.size()), 1 + input.documents->heads());
    for (std::int64_t i = 0; i < cells.rows(); ++i)
        for (std::int64_t row = 0; row < cells.cols(); ++row)
            cells(i, row) = rowCosine(input, row, DocumentIndex(documents[sizeOf(i)]), topic);
    ClusterTree tree = clusterTree(cells);
    std::vector<std::int32_t> sorted;
    std::transform(tree.order.begin(), tree.order.end(), std::back_inserter(sorted),
                   [&documents](std::int64_t at) { return documents[sizeOf(at)]; });
    documents = std::move(sorted);
    return tree;
}

/// The documents of one topic in the order of their columns.
std::vector<std::int32_t> columnsOfTopic(const TopicInput& input, const HeatmapOptions& options, std::int32_t topic)
{
    std::vector<std::int32_t> documents;
    for (std::size_t i = 0; i < input.labels->codes.size(); ++i)
    {
        if (input.labels->codes[i] == topic)
            documents.push_back(static_cast<std::int32_t>(i));
    }
    const auto wanted = std::min(documents.size(), sizeOf(options.perTopic));
    const auto sortBy = [&](std::int64_t row) {
        std::vector<std::pair<double, std::int32_t>> scored;
        for (const std::int32_t document : documents)
            scored.emplace_back(rowCosine(input, row, DocumentIndex(document), topic), document);
        std::sort(scored.begin(), scored.end(), comesBefore);
        for (std::size_t i = 0; i < scored.size(); ++i)
            documents[i] = scored[i].second;
    };
    if (options.choice == HeatmapChoice::Best)
        sortBy(0);
    if (options.choice == HeatmapChoice::Sample)
    {
        const auto order = permutation(static_cast<std::int64_t>(documents.size()),
                                       CounterRandom(options.seed, kSampleStream + static_cast<std::uint64_t>(topic)));
        std::vector<std::int32_t> sample;
        for (std::size_t i = 0; i < wanted; ++i)
            sample.push_back(documents[sizeOf(order[i])]);
        documents = std::move(sample);
    }
    documents.resize(wanted);
    std::sort(documents.begin(), documents.end());
    if (options.order.by == ColumnOrder::By::Full)
        sortBy(0);
    else if (options.order.by == ColumnOrder::By::Head)
        sortBy(options.order.head.value() + 1);
    return documents;
}

/// The cells of a heatmap whose columns stand.
Status fillCells(const TopicInput& input, Heatmap& heatmap, int numThreads, JobContext& job)
{
    HEADSCOPE_TRY(const MatrixD cells, cellsOf(input, heatmap, numThreads, job));
    heatmap.values = MatrixF(cells.rows(), cells.cols());
    std::transform(cells.values().begin(), cells.values().end(), heatmap.values.values().begin(),
                   [](double cell) { return static_cast<float>(cell); });
    heatmap.inputHash = topicInputHash(input);
    return {};
}

} // namespace

Result<Heatmap> makeHeatmap(const TopicInput& input, const HeatmapOptions& options, int numThreads, JobContext& job)
{
    HEADSCOPE_CHECK(checkShapes(input));
    if (options.perTopic < 1)
        return Error{ErrorCode::WrongUse,
                     fmt::format("expected at least 1 document per topic, found {}", options.perTopic),
                     {},
                     {}};
    if (const HeadIndex head = options.order.head;
        options.order.by == ColumnOrder::By::Head && (head.value() < 0 || head.value() >= input.documents->heads()))
        return invalid(fmt::format("expected a head from 1 to {} to sort by, found {}", input.documents->heads(),
                                   shownNumber(head)));
    Heatmap heatmap;
    heatmap.stage = input.documents->stage();
    heatmap.layer = input.documents->layer();
    heatmap.options = options;
    heatmap.fullSource = input.fullSource;
    heatmap.topicSource = input.topicSource;
    heatmap.topicOrder = options.topics.empty() ? defaultTopics(*input.labels) : options.topics;
    heatmap.topicStart.push_back(0);
    for (const std::int32_t topic : heatmap.topicOrder)
    {
        HEADSCOPE_CHECK(checkTopic(input, topic));
        auto documents = columnsOfTopic(input, options, topic);
        if (options.order.by == ColumnOrder::By::Clusters)
            heatmap.columnTrees.push_back(sortByClusters(input, topic, documents));
        heatmap.document.insert(heatmap.document.end(), documents.begin(), documents.end());
        heatmap.topic.insert(heatmap.topic.end(), documents.size(), topic);
        heatmap.topicStart.push_back(static_cast<std::int64_t>(heatmap.document.size()));
        heatmap.topicNames.push_back(nameOf(*input.labels, topic));
    }
    if (heatmap.document.empty())
        return invalid(
            fmt::format("expected documents of these topics in label column \"{}\", found none", input.labels->name));
    HEADSCOPE_CHECK(fillCells(input, heatmap, numThreads, job));
    return heatmap;
}

Result<Heatmap> makeHeatmapLike(const TopicInput& input, const Heatmap& columns, int numThreads, JobContext& job)
{
    HEADSCOPE_CHECK(checkShapes(input));
    Heatmap heatmap = columns;
    heatmap.stage = input.documents->stage();
    heatmap.layer = input.documents->layer();
    heatmap.fullSource = input.fullSource;
    heatmap.topicSource = input.topicSource;
    for (const std::int32_t topic : heatmap.topicOrder)
        HEADSCOPE_CHECK(checkTopic(input, topic));
    for (const std::int32_t document : heatmap.document)
        if (document < 0 || document >= input.documents->documents())
            return invalid(fmt::format("expected the row of a document, below {}, found {}",
                                       input.documents->documents(), document));
    HEADSCOPE_CHECK(fillCells(input, heatmap, numThreads, job));
    return heatmap;
}

Result<TopicSimilarity> topicSimilarity(ConstMatrixView topics, const std::vector<std::string>& names, int numThreads)
{
    if (static_cast<std::int64_t>(names.size()) != topics.rows())
        return shapeMismatch(fmt::format("expected the names of {} topics, found {}", topics.rows(), names.size()));
    const auto pairs = static_cast<double>(topics.rows()) * static_cast<double>(topics.rows());
    HEADSCOPE_CHECK(checkMemory(
        {8.0 * pairs, fmt::format("the similarity of {} topics with each other", topics.rows()), "use fewer topics"}));
    TopicSimilarity similarity{names, MatrixD(topics.rows(), topics.rows()), {}};
    const auto lengths = vectorLengths(topics);
    parallelFor(numThreads, topics.rows(), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
        {
            for (std::int64_t j = i; j < topics.rows(); ++j)
            {
                const double value =
                    cosineOfLengths(topics.row(i), lengths[sizeOf(i)], topics.row(j), lengths[sizeOf(j)]);
                similarity.values(i, j) = i == j && !std::isnan(value) ? 1.0 : value;
                similarity.values(j, i) = similarity.values(i, j);
            }
        }
    });
    Xxh3 hash;
    for (std::int64_t row = 0; row < topics.rows(); ++row)
        hash.update(std::as_bytes(topics.row(row)));
    similarity.inputHash = hash.hex();
    return similarity;
}

} // namespace headscope

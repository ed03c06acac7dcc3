// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/topics.h"

#include "model/base/hash.h"
#include "model/base/parallel.h"
#include "model/base/random.h"
#include "model/kernels/distances.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headscope
{
namespace
{

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kDefaultTopics = 8;
constexpr std::uint64_t kSampleStream = 0x686d;

std::size_t sizeOf(std::int64_t count)
{
    return static_cast<std::size_t>(count);
}

Error shapeMismatch(std::string message)
{
    return {ErrorCode::ShapeMismatch, std::move(message), {}, {}};
}

Error invalid(std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message), {}, {}};
}

Status checkShapes(const TopicInput& input)
{
    HEADSCOPE_EXPECT(input.documents != nullptr && input.topics != nullptr && input.labels != nullptr,
                     return shapeMismatch("expected documents, topics and labels, found some missing"));
    const HeadVectors& documents = *input.documents;
    const HeadVectors& topics = *input.topics;
    if (topics.heads() != documents.heads() || topics.dims() != documents.dims())
    {
        return shapeMismatch(fmt::format("expected topic vectors of {} heads x {} numbers, found {} x {}",
                                         documents.heads(), documents.dims(), topics.heads(), topics.dims()));
    }
    if (static_cast<std::int64_t>(input.labels->codes.size()) != documents.documents())
    {
        return shapeMismatch(fmt::format("expected a label of each of {} documents, found {}", documents.documents(),
                                         input.labels->codes.size()));
    }
    if (input.fullDocuments.rows() != documents.documents() || input.fullTopics.rows() != topics.documents() ||
        input.fullDocuments.cols() != input.fullTopics.cols())
    {
        return shapeMismatch(
            fmt::format("expected full vectors [{}, F] of documents and [{}, F] of topics, found [{}, {}] and [{}, {}]",
                        documents.documents(), topics.documents(), input.fullDocuments.rows(),
                        input.fullDocuments.cols(), input.fullTopics.rows(), input.fullTopics.cols()));
    }
    return {};
}

Status checkTopic(const TopicInput& input, std::int32_t topic)
{
    if (topic >= 0 && topic < input.topics->documents())
        return {};
    const bool named = topic >= 0 && sizeOf(topic) < input.labels->categories.size();
    return invalid(fmt::format("expected a vector of each topic ({} are there), found none of topic {}{}",
                               input.topics->documents(), topic,
                               named ? fmt::format(" \"{}\"", input.labels->categories[sizeOf(topic)]) : ""));
}

std::string nameOf(const LabelColumn& labels, std::int32_t code)
{
    return sizeOf(code) < labels.categories.size() ? labels.categories[sizeOf(code)] : std::to_string(code);
}

/// Cosine of a document with a topic in one row of the heatmap: 0 the full vector, 1 + h a head.
double rowCosine(const TopicInput& input, std::int64_t row, std::int64_t document, std::int32_t topic)
{
    return row == 0 ? cosine(input.fullDocuments.row(document), input.fullTopics.row(topic))
                    : cosine(input.documents->vector(document, row - 1), input.topics->vector(topic, row - 1));
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
            scored.emplace_back(rowCosine(input, row, document, topic), document);
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
    if (options.sortBy >= -1)
        sortBy(options.sortBy + 1);
    return documents;
}

/// Cells [1 + H, M] in double.
Result<MatrixD> cellsOf(const TopicInput& input, const Heatmap& heatmap, int numThreads, JobContext& job)
{
    const std::int64_t rows = 1 + input.documents->heads();
    MatrixD cells(rows, static_cast<std::int64_t>(heatmap.document.size()));
    parallelFor(numThreads, cells.cols(), 16, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t column = begin; column < end && !job.stopRequested(); ++column)
        {
            for (std::int64_t row = 0; row < rows; ++row)
                cells(row, column) =
                    rowCosine(input, row, heatmap.document[sizeOf(column)], heatmap.topic[sizeOf(column)]);
        }
    });
    HEADSCOPE_CHECK(job.checkStop());
    return cells;
}

/// Mean, standard deviation and share of variance between topics of one row.
void rowMoments(std::span<const double> cells, const Heatmap& heatmap, double& mean, double& sd, double& eta2)
{
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
        if (topicCount[t] > 0)
            between += size * (topicSum[t] / size - mean) * (topicSum[t] / size - mean);
    }
    sd = count > 0 ? std::sqrt(all / static_cast<double>(count)) : kNaN;
    eta2 = all > 0 ? between / all : kNaN;
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

double cosine(std::span<const float> a, std::span<const float> b)
{
    const auto dims = static_cast<std::int64_t>(a.size());
    const double size = std::sqrt(squaredNorm(a.data(), dims)) * std::sqrt(squaredNorm(b.data(), dims));
    return size > 0 && std::isfinite(size) ? dotProduct(a.data(), b.data(), dims) / size : kNaN;
}

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

Result<Heatmap> makeHeatmap(const TopicInput& input, const HeatmapOptions& options, int numThreads, JobContext& job)
{
    HEADSCOPE_CHECK(checkShapes(input));
    if (options.perTopic < 1)
        return Error{ErrorCode::WrongUse,
                     fmt::format("expected at least 1 document per topic, found {}", options.perTopic),
                     {},
                     {}};
    if (options.sortBy < -2 || options.sortBy >= input.documents->heads())
        return invalid(fmt::format("expected a head from 1 to {} to sort by, found {}", input.documents->heads(),
                                   options.sortBy + 1));
    Heatmap heatmap;
    heatmap.stage = input.documents->stage();
    heatmap.layer = input.documents->layer();
    heatmap.options = options;
    heatmap.fullSource = input.fullSource;
    heatmap.topicOrder = options.topics.empty() ? defaultTopics(*input.labels) : options.topics;
    heatmap.topicStart.push_back(0);
    for (const std::int32_t topic : heatmap.topicOrder)
    {
        HEADSCOPE_CHECK(checkTopic(input, topic));
        const auto documents = columnsOfTopic(input, options, topic);
        heatmap.document.insert(heatmap.document.end(), documents.begin(), documents.end());
        heatmap.topic.insert(heatmap.topic.end(), documents.size(), topic);
        heatmap.topicStart.push_back(static_cast<std::int64_t>(heatmap.document.size()));
        heatmap.topicNames.push_back(nameOf(*input.labels, topic));
    }
    if (heatmap.document.empty())
        return invalid(
            fmt::format("expected documents of these topics in label column \"{}\", found none", input.labels->name));
    HEADSCOPE_TRY(const MatrixD cells, cellsOf(input, heatmap, numThreads, job));
    heatmap.values = MatrixF(cells.rows(), cells.cols());
    std::transform(cells.values().begin(), cells.values().end(), heatmap.values.values().begin(),
                   [](double cell) { return static_cast<float>(cell); });
    heatmap.inputHash = xxh3Hex(std::as_bytes(input.documents->values()));
    return heatmap;
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
                             MatrixD(cells.rows() - 1, input.topics->documents()),
                             {}};
    std::fill(result.spearman.values().begin(), result.spearman.values().end(), kNaN);
    for (std::size_t row = 0; row < rows; ++row)
        rowMoments(cells.row(static_cast<std::int64_t>(row)), heatmap, result.mean[row], result.sd[row],
                   result.eta2[row]);
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

Result<TopicSimilarity> topicSimilarity(ConstMatrixView topics, const std::vector<std::string>& names)
{
    if (static_cast<std::int64_t>(names.size()) != topics.rows())
        return shapeMismatch(fmt::format("expected the names of {} topics, found {}", topics.rows(), names.size()));
    TopicSimilarity similarity{names, MatrixD(topics.rows(), topics.rows())};
    for (std::int64_t i = 0; i < topics.rows(); ++i)
    {
        for (std::int64_t j = i; j < topics.rows(); ++j)
        {
            const double value = cosine(topics.row(i), topics.row(j));
            similarity.values(i, j) = i == j && !std::isnan(value) ? 1.0 : value;
            similarity.values(j, i) = similarity.values(i, j);
        }
    }
    return similarity;
}

Result<MatchResult> matchTopics(const TopicInput& input, const std::vector<std::int64_t>& k, int numThreads,
                                JobContext& job)
{
    HEADSCOPE_CHECK(checkShapes(input));
    if (k.empty() || *std::min_element(k.begin(), k.end()) < 1)
        return Error{ErrorCode::WrongUse, "expected numbers of nearest topics of at least 1", {}, {}};
    std::vector<std::int32_t> labelled;
    for (std::size_t i = 0; i < input.labels->codes.size(); ++i)
    {
        if (input.labels->codes[i] < 0)
            continue;
        HEADSCOPE_CHECK(checkTopic(input, input.labels->codes[i]));
        labelled.push_back(static_cast<std::int32_t>(i));
    }
    if (labelled.empty())
        return invalid(fmt::format("expected documents with a label in column \"{}\", found none", input.labels->name));
    const std::int64_t rows = 1 + input.documents->heads();
    const auto topics = static_cast<std::int32_t>(input.topics->documents());
    // Topics that come before each document's own; `topics` for a document without a direction.
    Matrix<std::int32_t> before(rows, static_cast<std::int64_t>(labelled.size()));
    parallelFor(numThreads, before.cols(), 8, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t at = begin; at < end && !job.stopRequested(); ++at)
        {
            const std::int32_t document = labelled[sizeOf(at)];
            const std::int32_t own = input.labels->codes[sizeOf(document)];
            for (std::int64_t row = 0; row < rows; ++row)
            {
                const double ownCosine = rowCosine(input, row, document, own);
                std::int32_t count = std::isnan(ownCosine) ? topics : 0;
                for (std::int32_t topic = 0; topic < topics && count < topics; ++topic)
                {
                    const double other = rowCosine(input, row, document, topic);
                    count += other > ownCosine || (other == ownCosine && topic < own) ? 1 : 0;
                }
                before(row, at) = count;
            }
        }
    });
    HEADSCOPE_CHECK(job.checkStop());
    MatchResult result;
    result.documents = before.cols();
    result.topics = topics;
    result.k = k;
    result.fullSource = input.fullSource;
    result.hits = Matrix<std::int64_t>(rows, static_cast<std::int64_t>(k.size()));
    result.share = MatrixD(rows, static_cast<std::int64_t>(k.size()));
    for (std::int64_t row = 0; row < rows; ++row)
    {
        for (std::int64_t column = 0; column < result.hits.cols(); ++column)
        {
            const std::int64_t limit = std::min<std::int64_t>(k[sizeOf(column)], topics);
            const auto counts = before.row(row);
            result.hits(row, column) =
                std::count_if(counts.begin(), counts.end(), [limit](std::int32_t count) { return count < limit; });
            result.share(row, column) =
                static_cast<double>(result.hits(row, column)) / static_cast<double>(result.documents);
        }
    }
    return result;
}

} // namespace headscope

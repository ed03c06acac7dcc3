// SPDX-License-Identifier: GPL-3.0-or-later
// Match in the top k, and what it is over shuffled labels.
#include "model/analysis/statistics/draws.h"
#include "model/analysis/statistics/permutations.h"
#include "model/analysis/topics/centroid_cosines.h"
#include "model/analysis/topics/topic_cells.h"
#include "model/analysis/topics/topics.h"
#include "model/base/free_memory.h"
#include "model/base/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace headscope
{
namespace
{

/// Labels of shuffles are kept so many at a time: 128 MB.
constexpr std::int64_t kMaxCodes = std::int64_t{1} << 25;

std::size_t placeOf(std::int64_t at)
{
    return static_cast<std::size_t>(at);
}

/// Documents that have a label.
Result<std::vector<std::int64_t>> labelledDocuments(const TopicInput& input)
{
    std::vector<std::int64_t> labelled;
    for (std::size_t i = 0; i < input.labels->codes.size(); ++i)
    {
        if (input.labels->codes[i] < 0)
            continue;
        HEADSCOPE_CHECK(checkTopic(input, input.labels->codes[i]));
        labelled.push_back(static_cast<std::int64_t>(i));
    }
    if (labelled.empty())
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected documents with a label in column \"{}\", found none", input.labels->name),
                     {},
                     {}};
    return labelled;
}

std::vector<std::int32_t> codesOf(const LabelColumn& labels, std::span<const std::int64_t> documents)
{
    std::vector<std::int32_t> codes;
    for (const std::int64_t document : documents)
        codes.push_back(labels.codes[placeOf(document)]);
    return codes;
}

ConstMatrixView documentsOf(const TopicInput& input, std::int64_t row)
{
    return row == 0 ? input.fullDocuments : input.documents->head(HeadIndex(row - 1));
}

ConstMatrixView topicsOf(const TopicInput& input, std::int64_t row)
{
    return row == 0 ? input.fullTopics : input.topics->head(HeadIndex(row - 1));
}

/// Topics that come before `own`: those of a larger cosine, or an equal one with a lower code. As many as there are
/// where `own` has no cosine.
std::int32_t countBefore(std::span<const double> cosines, std::size_t own)
{
    const auto topics = static_cast<std::int32_t>(cosines.size());
    std::int32_t count = std::isnan(cosines[own]) ? topics : 0;
    for (std::size_t topic = 0; topic < cosines.size() && count < topics; ++topic)
        count += cosines[topic] > cosines[own] || (cosines[topic] == cosines[own] && topic < own) ? 1 : 0;
    return count;
}

/// countBefore() of every topic at once.
/// @param order  room for as many numbers as there are topics
void ranksOf(std::span<const double> cosines, std::vector<std::int32_t>& order, std::vector<std::int32_t>& ranks)
{
    order.resize(cosines.size());
    ranks.assign(cosines.size(), static_cast<std::int32_t>(cosines.size()));
    std::iota(order.begin(), order.end(), 0);
    std::erase_if(order, [&](std::int32_t topic) { return std::isnan(cosines[placeOf(topic)]); });
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        const double x = cosines[placeOf(a)];
        const double y = cosines[placeOf(b)];
        return x > y || (x == y && a < b);
    });
    for (std::size_t at = 0; at < order.size(); ++at)
        ranks[placeOf(order[at])] = static_cast<std::int32_t>(at);
}

void cosinesWithTopics(std::span<const float> vector, ConstMatrixView topics, std::span<const double> topicLengths,
                       std::span<double> cosines)
{
    const double length = vectorLength(vector);
    for (std::size_t topic = 0; topic < cosines.size(); ++topic)
        cosines[topic] =
            cosineOfLengths(vector, length, topics.row(static_cast<std::int64_t>(topic)), topicLengths[topic]);
}

/// Topics that come before each document's own in one row, [labelled]; as many as there are topics for a document
/// without a direction, -1 for one that is not finite, or alone in its topic.
void topicsBefore(const TopicInput& input, std::int64_t row, std::span<const std::int64_t> labelled,
                  std::span<std::int32_t> before, int numThreads, const JobContext& job)
{
    const ConstMatrixView documents = documentsOf(input, row);
    const std::int64_t topics = input.topics->documents();
    if (input.members != nullptr)
    {
        const CentroidCosines centroids(documents, labelled);
        std::fill(before.begin(), before.end(), -1);
        std::vector<std::int64_t> compared;
        for (const std::int64_t at : centroids.finite())
            compared.push_back(labelled[placeOf(at)]);
        const auto codes = codesOf(*input.labels, compared);
        const MatrixD cosines = centroids.compute(codes, topics);
        for (std::size_t i = 0; i < codes.size(); ++i)
            if ((*input.members)(row, codes[i]) > 1)
                before[placeOf(centroids.finite()[i])] =
                    countBefore(cosines.row(static_cast<std::int64_t>(i)), placeOf(codes[i]));
        return;
    }
    const ConstMatrixView ofTopics = topicsOf(input, row);
    const auto topicLengths = vectorLengths(ofTopics);
    parallelFor(numThreads, std::ssize(labelled), 8, [&](std::int64_t begin, std::int64_t end) {
        std::vector<double> cosines(placeOf(topics));
        for (std::int64_t at = begin; at < end && !job.stopRequested(); ++at)
        {
            const std::int64_t document = labelled[placeOf(at)];
            const auto vector = documents.row(document);
            cosinesWithTopics(vector, ofTopics, topicLengths, cosines);
            before[placeOf(at)] = std::isfinite(vectorLength(vector))
                                      ? countBefore(cosines, placeOf(input.labels->codes[placeOf(document)]))
                                      : -1;
        }
    });
}

/// Counts, of each row, the documents whose own topic is among the first k.
/// @param result  its topics and k are known
void countHits(const Matrix<std::int32_t>& before, MatchResult& result)
{
    result.hits = Matrix<std::int64_t>(before.rows(), static_cast<std::int64_t>(result.k.size()));
    result.share = MatrixD(before.rows(), static_cast<std::int64_t>(result.k.size()));
    for (std::int64_t row = 0; row < before.rows(); ++row)
    {
        const auto counts = before.row(row);
        result.measured.push_back(
            std::count_if(counts.begin(), counts.end(), [](std::int32_t count) { return count >= 0; }));
        for (std::int64_t column = 0; column < result.hits.cols(); ++column)
        {
            const std::int64_t limit = std::min<std::int64_t>(result.k[placeOf(column)], result.topics);
            result.hits(row, column) = std::count_if(
                counts.begin(), counts.end(), [limit](std::int32_t count) { return count >= 0 && count < limit; });
            result.share(row, column) = result.measured.back() > 0 ? static_cast<double>(result.hits(row, column)) /
                                                                         static_cast<double>(result.measured.back())
                                                                   : std::numeric_limits<double>::quiet_NaN();
        }
    }
}

/// Hits of shuffled labels, [permutations, K], and the documents that were measured.
struct ShuffledHits
{
    Matrix<std::int64_t> hits;
    std::vector<std::int64_t> measured; ///< [permutations]
};

/// Adds the hits of some shuffles in one row, for topics with vectors of their own: every topic's rank is looked up.
/// @param codes  [shuffles, labelled]
/// @param first  the number of their first
void addNameHits(const TopicInput& input, std::int64_t row, std::span<const std::int64_t> labelled,
                 const Matrix<std::int32_t>& codes, std::int64_t first, std::span<const std::int64_t> limits,
                 ShuffledHits& all, int numThreads, const JobContext& job)
{
    const ConstMatrixView documents = documentsOf(input, row);
    const ConstMatrixView ofTopics = topicsOf(input, row);
    const auto topicLengths = vectorLengths(ofTopics);
    std::vector<Matrix<std::int64_t>> hits(placeOf(numThreads)); // whole numbers: any order gives the same
    std::vector<std::int64_t> measured(placeOf(numThreads));
    for (auto& each : hits)
        each = Matrix<std::int64_t>(codes.rows(), std::ssize(limits));
    parallelForBlocks(numThreads, std::ssize(labelled), 8, [&](const Block& block, int worker) {
        std::vector<double> cosines(topicLengths.size());
        std::vector<std::int32_t> order;
        std::vector<std::int32_t> ranks;
        Matrix<std::int64_t>& mine = hits[static_cast<std::size_t>(worker)];
        const auto topicOf = codes.view();
        for (std::int64_t at = block.begin; at < block.end && !job.stopRequested(); ++at)
        {
            const auto vector = documents.row(labelled[placeOf(at)]);
            if (!std::isfinite(vectorLength(vector)))
                continue;
            ++measured[static_cast<std::size_t>(worker)];
            cosinesWithTopics(vector, ofTopics, topicLengths, cosines);
            ranksOf(cosines, order, ranks);
            std::int64_t* hit = mine.data(); // [shuffles, limits]
            for (std::int64_t b = 0; b < codes.rows(); ++b)
            {
                const std::int32_t rank = ranks[placeOf(topicOf(b, at))];
                for (const std::int64_t limit : limits)
                    *hit++ += rank < limit ? 1 : 0;
            }
        }
    });
    const std::int64_t count = std::accumulate(measured.begin(), measured.end(), std::int64_t{0});
    for (std::int64_t b = 0; b < codes.rows(); ++b)
    {
        all.measured[placeOf(first + b)] = count;
        for (const Matrix<std::int64_t>& each : hits)
            for (std::int64_t k = 0; k < each.cols(); ++k)
                all.hits(first + b, k) += each(b, k);
    }
}

/// The same for centroids, which are made anew.
void addCentroidHits(const TopicInput& input, std::int64_t row, std::span<const std::int64_t> labelled,
                     const Matrix<std::int32_t>& codes, std::int64_t first, std::span<const std::int64_t> limits,
                     ShuffledHits& all, int numThreads, const JobContext& job)
{
    const CentroidCosines centroids(documentsOf(input, row), labelled);
    const auto& finite = centroids.finite();
    parallelFor(numThreads, codes.rows(), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t b = begin; b < end && !job.stopRequested(); ++b)
        {
            std::vector<std::int32_t> own;
            std::vector<std::int64_t> members(placeOf(input.topics->documents()));
            for (const std::int64_t at : finite)
            {
                own.push_back(codes(b, at));
                ++members[placeOf(own.back())];
            }
            const MatrixD cosines = centroids.compute(own, input.topics->documents());
            for (std::size_t i = 0; i < own.size(); ++i)
            {
                if (members[placeOf(own[i])] < 2)
                    continue;
                ++all.measured[placeOf(first + b)];
                const std::int32_t count = countBefore(cosines.row(static_cast<std::int64_t>(i)), placeOf(own[i]));
                for (std::size_t k = 0; k < limits.size(); ++k)
                    all.hits(first + b, static_cast<std::int64_t>(k)) += count < limits[k] ? 1 : 0;
            }
        }
    });
}

/// Labels of the documents in shuffles [first, last).
Matrix<std::int32_t> shuffledCodes(std::span<const std::int32_t> codes, const Draws& draws, std::int64_t first,
                                   std::int64_t last, int numThreads)
{
    Matrix<std::int32_t> shuffled(last - first, std::ssize(codes));
    parallelFor(numThreads, last - first, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t b = begin; b < end; ++b)
        {
            const auto one = permutedLabels(codes, draws, first + b);
            std::copy(one.begin(), one.end(), shuffled.row(b).begin());
        }
    });
    return shuffled;
}

} // namespace

namespace
{

/// @param together  rows that are computed at the same time
Status checkMatchMemory(const TopicInput& input, std::int64_t documents, int together)
{
    const std::int64_t topics = input.topics->documents();
    const double cosines = input.members == nullptr ? 0.0 : 8.0 * static_cast<double>(documents * topics);
    return checkMemory({cosines * together, fmt::format("the match of {} documents with {} topics", documents, topics),
                        "use fewer topics or documents, or topics by their names only"});
}

} // namespace

Result<MatchResult> matchTopics(const TopicInput& input, const std::vector<std::int64_t>& k, int numThreads,
                                JobContext& job)
{
    HEADSCOPE_CHECK(checkShapes(input));
    if (k.empty() || *std::min_element(k.begin(), k.end()) < 1)
        return Error{ErrorCode::WrongUse, "expected at least 1 nearest topic for the match", {}, {}};
    HEADSCOPE_TRY(const auto labelled, labelledDocuments(input));
    HEADSCOPE_CHECK(checkMatchMemory(input, std::ssize(labelled), 1));
    const std::int64_t rows = 1 + input.documents->heads();
    Matrix<std::int32_t> before(rows, std::ssize(labelled));
    for (std::int64_t row = 0; row < rows; ++row)
    {
        job.report("matching", static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(rows), "rows");
        topicsBefore(input, row, labelled, before.row(row), numThreads, job);
        HEADSCOPE_CHECK(job.checkStop());
    }
    MatchResult result;
    result.documents = before.cols();
    result.topics = input.topics->documents();
    if (input.members != nullptr)
    {
        const auto counts = input.labels->counts();
        result.topics = std::count_if(counts.begin(), counts.end(), [](std::int64_t count) { return count > 0; });
        result.alone = std::count(counts.begin(), counts.end(), 1);
    }
    result.k = k;
    result.fullSource = input.fullSource;
    result.inputHash = topicInputHash(input);
    countHits(before, result);
    return result;
}

Result<Matrix<PermutationNull>> matchNull(const TopicInput& input, const MatchResult& match, const NullOptions& options,
                                          int numThreads, JobContext& job)
{
    HEADSCOPE_CHECK(checkShapes(input));
    HEADSCOPE_TRY(const auto labelled, labelledDocuments(input));
    HEADSCOPE_CHECK(checkMatchMemory(input, std::ssize(labelled), numThreads));
    const std::int64_t rows = 1 + input.documents->heads();
    const std::vector<std::int32_t> codes = codesOf(*input.labels, labelled);
    std::vector<std::int64_t> limits;
    for (const std::int64_t k : match.k)
        limits.push_back(std::min(k, match.topics));
    std::vector<ShuffledHits> shuffled(placeOf(rows), {Matrix<std::int64_t>(options.permutations, std::ssize(limits)),
                                                       std::vector<std::int64_t>(placeOf(options.permutations))});
    const Draws draws(options.seed);
    const std::int64_t step = std::max<std::int64_t>(1, kMaxCodes / std::ssize(codes));
    for (std::int64_t first = 0; first < options.permutations; first += step)
    {
        const std::int64_t last = std::min(first + step, options.permutations);
        const auto some = shuffledCodes(codes, draws, first, last, numThreads);
        for (std::int64_t row = 0; row < rows; ++row)
        {
            job.report("permuting labels", static_cast<std::uint64_t>(first * rows + row),
                       static_cast<std::uint64_t>(options.permutations * rows), "");
            const auto add = input.members == nullptr ? addNameHits : addCentroidHits;
            add(input, row, labelled, some, first, limits, shuffled[placeOf(row)], numThreads, job);
            HEADSCOPE_CHECK(job.checkStop());
        }
    }
    Matrix<PermutationNull> nulls(rows, std::ssize(limits));
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t k = 0; k < nulls.cols(); ++k)
        {
            std::vector<double> shares;
            const ShuffledHits& of = shuffled[placeOf(row)];
            for (std::int64_t b = 0; b < options.permutations; ++b)
                shares.push_back(static_cast<double>(of.hits(b, k)) / static_cast<double>(of.measured[placeOf(b)]));
            nulls(row, k) = permutationNull(match.share(row, k), std::move(shares));
        }
    return nulls;
}

} // namespace headscope

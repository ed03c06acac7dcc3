// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/topics/topic_cells.h"

#include "model/base/hash.h"
#include "model/base/parallel.h"
#include "model/kernels/distances.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <utility>

namespace headscope
{
namespace
{

Error shapeMismatch(std::string message)
{
    return {ErrorCode::ShapeMismatch, std::move(message), {}, {}};
}

} // namespace

Status checkShapes(const TopicInput& input)
{
    HEADSCOPE_EXPECT(input.documents != nullptr && input.topics != nullptr && input.labels != nullptr,
                     return shapeMismatch("documents, topics or labels are missing"));
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
    if (input.members != nullptr &&
        (input.members->rows() != 1 + documents.heads() || input.members->cols() != topics.documents()))
        return shapeMismatch(fmt::format("expected the members of {} centroids in {} rows, found [{}, {}]",
                                         topics.documents(), 1 + documents.heads(), input.members->rows(),
                                         input.members->cols()));
    return {};
}

Status checkTopic(const TopicInput& input, std::int32_t topic)
{
    if (topic >= 0 && topic < input.topics->documents())
        return {};
    const auto at = static_cast<std::size_t>(topic);
    const bool named = topic >= 0 && at < input.labels->categories.size();
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("expected a vector for each topic, found {} vectors and none for topic {}{}",
                             input.topics->documents(), topic,
                             named ? fmt::format(" \"{}\"", input.labels->categories[at]) : ""),
                 {},
                 {}};
}

double vectorLength(std::span<const float> vector)
{
    return std::sqrt(squaredNorm(vector.data(), static_cast<std::int64_t>(vector.size())));
}

std::vector<double> vectorLengths(ConstMatrixView rows)
{
    std::vector<double> lengths;
    for (std::int64_t row = 0; row < rows.rows(); ++row)
        lengths.push_back(vectorLength(rows.row(row)));
    return lengths;
}

double cosineOfLengths(std::span<const float> a, double lengthA, std::span<const float> b, double lengthB)
{
    const double size = lengthA * lengthB;
    return size > 0 && std::isfinite(size) ? dotProduct(a.data(), b.data(), static_cast<std::int64_t>(a.size())) / size
                                           : std::numeric_limits<double>::quiet_NaN();
}

double cosine(std::span<const float> a, std::span<const float> b)
{
    return cosineOfLengths(a, vectorLength(a), b, vectorLength(b));
}

std::string topicInputHash(const TopicInput& input)
{
    Xxh3 hash;
    hash.update(std::as_bytes(input.documents->values()));
    hash.update(std::as_bytes(input.topics->values()));
    for (const ConstMatrixView& full : {input.fullDocuments, input.fullTopics})
        for (std::int64_t row = 0; row < full.rows(); ++row)
            hash.update(std::as_bytes(full.row(row)));
    hash.update(std::as_bytes(std::span(input.labels->codes)));
    return hash.hex();
}

double rowCosine(const TopicInput& input, std::int64_t row, DocumentIndex document, std::int32_t topic)
{
    const auto vector =
        row == 0 ? input.fullDocuments.row(document.value()) : input.documents->vector(document, HeadIndex(row - 1));
    const auto of =
        row == 0 ? input.fullTopics.row(topic) : input.topics->vector(DocumentIndex(topic), HeadIndex(row - 1));
    if (input.members == nullptr || input.labels->codes[document.index()] != topic)
        return cosine(vector, of);
    // The mean of the others of its label has the direction of n times the mean minus the document.
    const std::int64_t count = (*input.members)(row, topic);
    const double own = squaredNorm(vector.data(), std::ssize(vector));
    if (count < 2 || !std::isfinite(own))
        return std::numeric_limits<double>::quiet_NaN();
    double product = 0;
    double square = 0;
    for (std::size_t d = 0; d < vector.size(); ++d)
    {
        const double value = vector[d];
        const double others = static_cast<double>(count) * static_cast<double>(of[d]) - value;
        product += value * others;
        square += others * others;
    }
    const double length = std::sqrt(own * square);
    return length > 0 ? product / length : std::numeric_limits<double>::quiet_NaN();
}

Result<MatrixD> cellsOf(const TopicInput& input, const Heatmap& heatmap, int numThreads, JobContext& job)
{
    const std::int64_t rows = 1 + input.documents->heads();
    MatrixD cells(rows, static_cast<std::int64_t>(heatmap.document.size()));
    parallelFor(numThreads, cells.cols(), 16, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t column = begin; column < end && !job.stopRequested(); ++column)
        {
            for (std::int64_t row = 0; row < rows; ++row)
                cells(row, column) =
                    rowCosine(input, row, DocumentIndex(heatmap.document[static_cast<std::size_t>(column)]),
                              heatmap.topic[static_cast<std::size_t>(column)]);
        }
    });
    HEADSCOPE_CHECK(job.checkStop());
    return cells;
}

} // namespace headscope

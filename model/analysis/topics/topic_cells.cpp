// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/topics/topic_cells.h"

#include "model/base/parallel.h"

#include <fmt/format.h>

#include <cstddef>
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

double rowCosine(const TopicInput& input, std::int64_t row, DocumentIndex document, std::int32_t topic)
{
    return row == 0 ? cosine(input.fullDocuments.row(document.value()), input.fullTopics.row(topic))
                    : cosine(input.documents->vector(document, HeadIndex(row - 1)),
                             input.topics->vector(DocumentIndex(topic), HeadIndex(row - 1)));
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

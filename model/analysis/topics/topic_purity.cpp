// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/topics/topic_purity.h"

#include "model/analysis/neighbors/neighbors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace headscope
{
namespace
{

/// Documents with a label and a direction.
std::vector<std::int64_t> documentsThatCount(const HeadVectors& vectors, std::span<const std::int32_t> labels)
{
    std::vector<std::int64_t> documents;
    for (std::int64_t document = 0; document < vectors.documents(); ++document)
    {
        const auto all = vectors.full(DocumentIndex(document));
        if (labels[static_cast<std::size_t>(document)] >= 0 &&
            std::all_of(all.begin(), all.end(), [](float value) { return std::isfinite(value); }) &&
            std::any_of(all.begin(), all.end(), [](float value) { return value != 0.0F; }))
            documents.push_back(document);
    }
    return documents;
}

/// Mean over the documents of the share of all others that have the same label.
double chanceOf(const std::vector<std::int32_t>& codes)
{
    std::map<std::int32_t, double> counts;
    for (const std::int32_t code : codes)
        counts[code] += 1;
    const auto all = static_cast<double>(codes.size());
    double pairs = 0;
    for (const auto& [code, count] : counts)
        pairs += count * (count - 1);
    return pairs / (all * (all - 1));
}

} // namespace

Result<TopicPurity> topicPurity(const HeadVectors& vectors, std::span<const std::int32_t> labels, int neighbors,
                                int numThreads, JobContext& job)
{
    if (std::ssize(labels) != vectors.documents())
        return Error{
            ErrorCode::ShapeMismatch,
            fmt::format("expected a label for each of {} documents, found {}", vectors.documents(), labels.size()),
            {},
            {}};
    if (neighbors < 1)
        return Error{ErrorCode::WrongUse, fmt::format("expected at least 1 neighbour, found {}", neighbors), {}, {}};
    const auto documents = documentsThatCount(vectors, labels);
    if (documents.size() < 2)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected at least 2 labelled documents with vectors, found {}", documents.size()),
                     {},
                     {}};
    MatrixF rows(std::ssize(documents), vectors.heads() * vectors.dims());
    std::vector<std::int32_t> codes;
    for (std::int64_t i = 0; i < rows.rows(); ++i)
    {
        const std::int64_t document = documents[static_cast<std::size_t>(i)];
        std::ranges::copy(vectors.full(DocumentIndex(document)), rows.row(i).begin());
        codes.push_back(labels[static_cast<std::size_t>(document)]);
    }
    NeighborOptions options;
    options.k = std::min<std::int64_t>(neighbors, rows.rows() - 1);
    options.metric = Metric::Cosine;
    HEADSCOPE_TRY(const Neighbors found, findNeighbors(rows.view(), options, numThreads, job));

    std::int64_t same = 0;
    for (std::int64_t i = 0; i < rows.rows(); ++i)
    {
        for (const std::int32_t neighbor : found.indices.row(i))
            same += codes[static_cast<std::size_t>(neighbor)] == codes[static_cast<std::size_t>(i)] ? 1 : 0;
    }
    TopicPurity purity;
    purity.documents = rows.rows();
    purity.neighbors = found.k();
    purity.share = static_cast<double>(same) / static_cast<double>(rows.rows() * found.k());
    purity.chance = chanceOf(codes);
    return purity;
}

} // namespace headscope

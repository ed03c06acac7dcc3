// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/topics/prepared_topics.h"

#include "model/base/parallel.h"
#include "model/kernels/distances.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

/// One head of all rows, or all heads of a row as one vector.
struct Part
{
    std::int64_t begin = 0; ///< first number of it in a row of all heads
    std::int64_t dims = 0;
};

std::vector<Part> partsOf(const HeadVectors& vectors, bool whole)
{
    if (whole)
        return {{0, vectors.heads() * vectors.dims()}};
    std::vector<Part> parts;
    for (std::int64_t head = 0; head < vectors.heads(); ++head)
        parts.push_back({head * vectors.dims(), vectors.dims()});
    return parts;
}

std::span<const float> partOf(const HeadVectors& vectors, std::int64_t row, const Part& part)
{
    return vectors.full(DocumentIndex(row))
        .subspan(static_cast<std::size_t>(part.begin), static_cast<std::size_t>(part.dims));
}

bool finiteVector(std::span<const float> vector)
{
    return std::isfinite(squaredNorm(vector.data(), static_cast<std::int64_t>(vector.size())));
}

/// The rows without the mean of those that count, part by part.
std::shared_ptr<const HeadVectors> withoutMean(const HeadVectors& vectors, std::span<const std::int32_t> codes,
                                               bool whole, int numThreads)
{
    const std::vector<Part> parts = partsOf(vectors, whole);
    std::vector<float> values(vectors.values().begin(), vectors.values().end());
    const std::int64_t width = vectors.heads() * vectors.dims();
    parallelFor(numThreads, std::ssize(parts), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t at = begin; at < end; ++at)
        {
            const Part& part = parts[static_cast<std::size_t>(at)];
            std::vector<double> mean(static_cast<std::size_t>(part.dims));
            double count = 0;
            for (std::int64_t row = 0; row < vectors.documents(); ++row)
            {
                const auto vector = partOf(vectors, row, part);
                if ((!codes.empty() && codes[static_cast<std::size_t>(row)] < 0) || !finiteVector(vector))
                    continue;
                for (std::size_t d = 0; d < mean.size(); ++d)
                    mean[d] += static_cast<double>(vector[d]);
                ++count;
            }
            for (std::int64_t row = 0; count > 0 && row < vectors.documents(); ++row)
            {
                float* const vector = values.data() + row * width + part.begin;
                for (std::size_t d = 0; d < mean.size(); ++d)
                    vector[d] = static_cast<float>(static_cast<double>(vector[d]) - mean[d] / count);
            }
        }
    });
    return std::make_shared<const HeadVectors>(vectors.stage(), vectors.layer(), vectors.documents(), vectors.heads(),
                                               vectors.dims(), std::move(values));
}

} // namespace

ClassCentroids classCentroids(const HeadVectors& documents, const LabelColumn& labels, bool whole, int numThreads)
{
    const std::vector<Part> parts = partsOf(documents, whole);
    const auto classes = std::ssize(labels.categories);
    const std::int64_t width = documents.heads() * documents.dims();
    std::vector<float> values(static_cast<std::size_t>(classes * width));
    ClassCentroids centroids{nullptr, Matrix<std::int64_t>(std::ssize(parts), classes)};
    parallelFor(numThreads, std::ssize(parts), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t at = begin; at < end; ++at)
        {
            const Part& part = parts[static_cast<std::size_t>(at)];
            MatrixD sums(classes, part.dims);
            for (std::int64_t row = 0; row < documents.documents(); ++row)
            {
                const std::int32_t code = labels.codes[static_cast<std::size_t>(row)];
                const auto vector = partOf(documents, row, part);
                if (code < 0 || !finiteVector(vector))
                    continue;
                const auto sum = sums.row(code);
                for (std::size_t d = 0; d < vector.size(); ++d)
                    sum[d] += static_cast<double>(vector[d]);
                ++centroids.members(at, code);
            }
            for (std::int64_t code = 0; code < classes; ++code)
            {
                const auto count = static_cast<double>(std::max<std::int64_t>(centroids.members(at, code), 1));
                std::transform(sums.row(code).begin(), sums.row(code).end(), values.data() + code * width + part.begin,
                               [count](double sum) { return static_cast<float>(sum / count); });
            }
        }
    });
    centroids.vectors = std::make_shared<const HeadVectors>(documents.stage(), documents.layer(), classes,
                                                            documents.heads(), documents.dims(), std::move(values));
    return centroids;
}

Result<TopicVectorSet> prepareTopics(const TopicVectorSet& raw, const LabelColumn& labels,
                                     const TopicVectorChoice& choice, int numThreads, JobContext& job)
{
    for (const auto& documents : {raw.documents, raw.fullDocuments})
        if (documents->documents() != std::ssize(labels.codes))
            return Error{ErrorCode::ShapeMismatch,
                         fmt::format("expected a label of each of {} documents, found {}", documents->documents(),
                                     labels.codes.size()),
                         {},
                         {}};
    const bool names = choice.kind == TopicVectorKind::Names;
    if (names && (raw.topics == nullptr || raw.fullTopics == nullptr))
        return Error{ErrorCode::ShapeMismatch, "expected vectors of the topics' names, found none", {}, {}};
    TopicVectorSet ready = raw;
    ready.members = {};
    if (choice.centred)
    {
        job.report("centring", 0, 0);
        ready.documents = withoutMean(*raw.documents, labels.codes, false, numThreads);
        ready.fullDocuments = withoutMean(*raw.fullDocuments, labels.codes, true, numThreads);
        HEADSCOPE_CHECK(job.checkStop());
    }
    if (names && choice.centred)
    {
        ready.topics = withoutMean(*raw.topics, {}, false, numThreads);
        ready.fullTopics = withoutMean(*raw.fullTopics, {}, true, numThreads);
    }
    if (!names)
    {
        job.report("centroids", 0, 0);
        ClassCentroids full = classCentroids(*ready.fullDocuments, labels, true, numThreads);
        ClassCentroids heads = classCentroids(*ready.documents, labels, false, numThreads);
        ready.fullTopics = std::move(full.vectors);
        ready.topics = std::move(heads.vectors);
        std::vector<std::int64_t> members = std::move(full.members.values());
        members.insert(members.end(), heads.members.values().begin(), heads.members.values().end());
        ready.members = {1 + ready.documents->heads(), std::ssize(labels.categories), std::move(members)};
    }
    HEADSCOPE_CHECK(job.checkStop());
    return ready;
}

} // namespace headscope

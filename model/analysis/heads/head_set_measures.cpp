// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/head_set_measures.h"

#include "model/analysis/heads/head_sets.h"
#include "model/analysis/statistics/draws.h"
#include "model/analysis/statistics/permutations.h"
#include "model/base/parallel.h"
#include "model/kernels/distances.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>

namespace headscope
{
namespace
{

std::size_t sizeOf(std::int64_t count)
{
    return static_cast<std::size_t>(count);
}

Status checkSameHeads(const HeadVectors& documents, const HeadVectors& others, std::string_view what)
{
    if (documents.heads() == others.heads() && documents.dims() == others.dims())
        return {};
    return Error{ErrorCode::ShapeMismatch,
                 fmt::format("expected {} vectors of {} heads x {}, found {} x {}", what, documents.heads(),
                             documents.dims(), others.heads(), others.dims()),
                 {},
                 std::string(what)};
}

} // namespace

Result<HeadMatch> HeadMatch::create(const HeadVectors& documents, const HeadVectors& topics,
                                    std::span<const std::int32_t> labels, std::int64_t k, int numThreads,
                                    JobContext& job)
{
    HEADSCOPE_CHECK(checkSameHeads(documents, topics, "topics"));
    HeadMatch match;
    match.m_stage = documents.stage();
    match.m_heads = documents.heads();
    match.m_topics = topics.documents();
    match.m_k = k;
    std::vector<std::int64_t> rows;
    for (std::int64_t document = 0; document < documents.documents(); ++document)
    {
        const std::int32_t label = labels[sizeOf(document)];
        if (label < 0)
            continue;
        if (!allFinite(documents.full(DocumentIndex(document))))
        {
            ++match.m_leftOut;
            continue;
        }
        rows.push_back(document);
        match.m_label.push_back(label);
    }
    const auto n = static_cast<std::int64_t>(rows.size());
    const std::int64_t numTopics = match.m_topics;
    const std::int64_t dims = documents.dims();
    match.m_products.resize(sizeOf(match.m_heads * n * numTopics));
    match.m_documentSquares.resize(sizeOf(match.m_heads * n));
    match.m_topicSquares.resize(sizeOf(match.m_heads * numTopics));
    parallelFor(numThreads, match.m_heads, 1, [&](std::int64_t head, std::int64_t) {
        for (std::int64_t topic = 0; topic < numTopics; ++topic)
        {
            const double squares = squaredNorm(topics.vector(DocumentIndex(topic), HeadIndex(head)).data(), dims);
            match.m_topicSquares[sizeOf(head * numTopics + topic)] = std::isfinite(squares) ? squares : 0.0;
        }
        for (std::int64_t i = 0; i < n && !job.stopRequested(); ++i)
        {
            const auto vector = documents.vector(DocumentIndex(rows[sizeOf(i)]), HeadIndex(head));
            match.m_documentSquares[sizeOf(head * n + i)] = squaredNorm(vector.data(), dims);
            for (std::int64_t topic = 0; topic < numTopics; ++topic)
                if (match.m_topicSquares[sizeOf(head * numTopics + topic)] > 0)
                    match.m_products[sizeOf((head * n + i) * numTopics + topic)] =
                        dotProduct(vector.data(), topics.vector(DocumentIndex(topic), HeadIndex(head)).data(), dims);
        }
    });
    HEADSCOPE_CHECK(job.checkStop());
    return match;
}

void HeadMatch::addHead(std::int64_t head, double sign, Sums& sums) const
{
    const auto n = sizeOf(labelled());
    const auto numTopics = sizeOf(m_topics);
    sums.products.resize(n * numTopics);
    sums.documentSquares.resize(n);
    sums.documentDirections.resize(n);
    sums.topicSquares.resize(numTopics);
    sums.topicDirections.resize(numTopics);
    const std::int64_t one = sign > 0 ? 1 : -1;
    for (std::size_t topic = 0; topic < numTopics; ++topic)
    {
        const double squares = m_topicSquares[sizeOf(head) * numTopics + topic];
        sums.topicSquares[topic] += sign * squares;
        sums.topicDirections[topic] += squares > 0 ? one : 0;
    }
    const double* products = &m_products[sizeOf(head) * n * numTopics];
    for (std::size_t i = 0; i < n * numTopics; ++i)
        sums.products[i] += sign * products[i];
    for (std::size_t i = 0; i < n; ++i)
    {
        const double squares = m_documentSquares[sizeOf(head) * n + i];
        sums.documentSquares[i] += sign * squares;
        sums.documentDirections[i] += squares > 0 ? one : 0;
    }
}

std::vector<std::int32_t> HeadMatch::matchedOf(const Sums& sums, std::int64_t k) const
{
    return matchedOf(sums, m_label, k);
}

std::vector<std::int32_t> HeadMatch::matchedOf(const Sums& sums, std::span<const std::int32_t> labels,
                                               std::int64_t k) const
{
    const auto numTopics = sizeOf(m_topics);
    std::vector<double> lengths(numTopics);
    for (std::size_t topic = 0; topic < numTopics; ++topic)
        lengths[topic] = sums.topicDirections[topic] > 0 ? std::sqrt(std::max(0.0, sums.topicSquares[topic])) : 0.0;
    std::vector<std::int32_t> matched(m_label.size());
    std::vector<double> cosines(numTopics);
    for (std::size_t i = 0; i < m_label.size(); ++i)
    {
        if (sums.documentDirections[i] <= 0)
            continue;
        const double length = std::sqrt(std::max(0.0, sums.documentSquares[i]));
        for (std::size_t topic = 0; topic < numTopics; ++topic)
            cosines[topic] =
                lengths[topic] > 0 ? sums.products[i * numTopics + topic] / (length * lengths[topic]) : 0.0;
        const auto own = static_cast<std::size_t>(labels[i]);
        std::int64_t before = 0;
        for (std::size_t topic = 0; topic < numTopics; ++topic)
            before += cosines[topic] > cosines[own] || (cosines[topic] == cosines[own] && topic < own) ? 1 : 0;
        matched[i] = before < k ? 1 : 0;
    }
    return matched;
}

std::vector<std::int32_t> HeadMatch::matched(std::span<const std::int64_t> heads, std::int64_t k) const
{
    if (heads.empty())
        return std::vector<std::int32_t>(m_label.size());
    Sums sums;
    for (const std::int64_t head : heads)
        addHead(head, 1, sums);
    return matchedOf(sums, k);
}

bool HeadMatch::isCertain() const
{
    return m_k >= m_topics ||
           std::ranges::all_of(m_label, [this](std::int32_t label) { return label == m_label.front(); });
}

PermutationNull HeadMatch::nullOfAll(std::int64_t draws, std::uint64_t seed) const
{
    Sums sums;
    for (std::int64_t head = 0; head < m_heads; ++head)
        addHead(head, 1, sums);
    // Whether each topic is among the k nearest of each document does not depend on whose label it is.
    std::vector<std::vector<std::int32_t>> byTopic;
    for (std::int64_t topic = 0; topic < m_topics; ++topic)
        byTopic.push_back(
            matchedOf(sums, std::vector<std::int32_t>(m_label.size(), static_cast<std::int32_t>(topic)), m_k));
    const auto shareWith = [&](std::span<const std::int32_t> labels) {
        std::int64_t hits = 0;
        for (std::size_t i = 0; i < labels.size(); ++i)
            hits += byTopic[sizeOf(labels[i])][i];
        return shareOf(hits, labelled());
    };
    const Draws random(seed);
    std::vector<double> shares;
    for (std::int64_t draw = 0; draw < draws; ++draw)
        shares.push_back(shareWith(permutedLabels(m_label, random, draw)));
    return permutationNull(shareWith(m_label), std::move(shares));
}

std::int64_t HeadMatch::hits(std::span<const std::int64_t> heads, std::int64_t k) const
{
    return sumOf(matched(heads, k));
}

Result<std::vector<std::vector<std::int32_t>>> HeadMatch::scores(const std::vector<bool>& kept,
                                                                 std::span<const std::vector<std::int64_t>> flips,
                                                                 int numThreads, JobContext& job) const
{
    Sums base;
    for (const std::int64_t head : headsAfter(kept, {}))
        addHead(head, 1, base);
    std::vector<std::vector<std::int32_t>> scores(flips.size());
    parallelFor(numThreads, static_cast<std::int64_t>(flips.size()), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t flip = begin; flip < end && !job.stopRequested(); ++flip)
        {
            Sums sums = base;
            for (const std::int64_t head : flips[sizeOf(flip)])
                addHead(head, kept[sizeOf(head)] ? -1 : 1, sums);
            scores[sizeOf(flip)] =
                sums.products.empty() ? std::vector<std::int32_t>(m_label.size()) : matchedOf(sums, m_k);
        }
    });
    HEADSCOPE_CHECK(job.checkStop());
    return scores;
}

Result<std::vector<HeadSetScore>> HeadMatch::flipped(const std::vector<bool>& kept,
                                                     std::span<const std::vector<std::int64_t>> flips, int numThreads,
                                                     JobContext& job) const
{
    HEADSCOPE_TRY(const auto matches, scores(kept, flips, numThreads, job));
    std::vector<HeadSetScore> results;
    for (const auto& matched : matches)
    {
        const std::int64_t hits = sumOf(matched);
        results.push_back({shareOf(hits, labelled()), hits});
    }
    return results;
}

Result<HeadRetrieval> HeadRetrieval::create(const HeadVectors& documents, const HeadVectors& queries,
                                            std::vector<RelevantQuery> relevant, std::int64_t n, int numThreads,
                                            JobContext& job)
{
    HEADSCOPE_CHECK(checkSameHeads(documents, queries, "queries"));
    HeadRetrieval retrieval;
    retrieval.m_stage = documents.stage();
    retrieval.m_heads = documents.heads();
    retrieval.m_n = n;
    retrieval.m_queries = std::move(relevant);
    std::erase_if(retrieval.m_queries,
                  [&](const RelevantQuery& query) { return !allFinite(queries.full(DocumentIndex(query.query))); });
    if (retrieval.m_queries.empty())
        return Error{ErrorCode::InvalidArgument, "expected queries with relevant documents, found none", {}, {}};
    const std::int64_t numDocuments = documents.documents();
    for (std::int64_t document = 0; document < numDocuments; ++document)
    {
        retrieval.m_usable.push_back(allFinite(documents.full(DocumentIndex(document))));
        retrieval.m_leftOut += retrieval.m_usable.back() ? 0 : 1;
    }
    const std::int64_t numQueries = retrieval.queries();
    const std::int64_t dims = documents.dims();
    try
    {
        retrieval.m_products.resize(sizeOf(retrieval.m_heads * numQueries * numDocuments));
    }
    catch (const std::bad_alloc&)
    {
        return Error{ErrorCode::OutOfMemory,
                     fmt::format("the products of {} queries with {} documents by {} heads do not fit into memory",
                                 numQueries, numDocuments, retrieval.m_heads),
                     {},
                     {}};
    }
    retrieval.m_documentSquares.resize(sizeOf(retrieval.m_heads * numDocuments));
    parallelFor(numThreads, retrieval.m_heads, 1, [&](std::int64_t head, std::int64_t) {
        for (std::int64_t document = 0; document < numDocuments && !job.stopRequested(); ++document)
        {
            if (!retrieval.m_usable[sizeOf(document)])
                continue;
            const float* vector = documents.vector(DocumentIndex(document), HeadIndex(head)).data();
            retrieval.m_documentSquares[sizeOf(head * numDocuments + document)] = squaredNorm(vector, dims);
            for (std::int64_t q = 0; q < numQueries; ++q)
                retrieval.m_products[sizeOf((head * numQueries + q) * numDocuments + document)] =
                    static_cast<float>(dotProduct(
                        vector,
                        queries.vector(DocumentIndex(retrieval.m_queries[sizeOf(q)].query), HeadIndex(head)).data(),
                        dims));
        }
    });
    HEADSCOPE_CHECK(job.checkStop());
    return retrieval;
}

double HeadRetrieval::successOf(const RelevantQuery& query, std::span<const double> products,
                                std::span<const double> squares) const
{
    // The length of the query is the same for all documents and decides nothing.
    std::vector<std::pair<double, std::int64_t>> found;
    found.reserve(products.size());
    for (std::size_t document = 0; document < products.size(); ++document)
    {
        if (!m_usable[document] || static_cast<std::int64_t>(document) == query.self)
            continue;
        const double cosine = squares[document] > 0 ? products[document] / std::sqrt(squares[document]) : 0.0;
        found.emplace_back(-cosine, static_cast<std::int64_t>(document));
    }
    const auto count = std::min(found.size(), sizeOf(m_n));
    std::nth_element(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count), found.end());
    std::int64_t hits = 0;
    for (std::size_t i = 0; i < count; ++i)
        hits += std::count(query.relevant.begin(), query.relevant.end(), found[i].second);
    return shareOf(hits, static_cast<std::int64_t>(query.relevant.size()));
}

double HeadRetrieval::chance() const
{
    const std::int64_t usable = std::count(m_usable.begin(), m_usable.end(), true);
    double sum = 0;
    for (const RelevantQuery& query : m_queries)
    {
        const auto canBeFound = [&](std::int64_t document) {
            return document >= 0 && document != query.self && m_usable[sizeOf(document)];
        };
        const std::int64_t candidates = usable - (query.self >= 0 && m_usable[sizeOf(query.self)] ? 1 : 0);
        const std::int64_t there = std::count_if(query.relevant.begin(), query.relevant.end(), canBeFound);
        sum += shareOf(std::min(m_n, candidates), candidates) *
               shareOf(there, static_cast<std::int64_t>(query.relevant.size()));
    }
    return m_queries.empty() ? 0 : sum / static_cast<double>(m_queries.size());
}

Result<MatrixD> HeadRetrieval::successes(const std::vector<bool>& kept,
                                         std::span<const std::vector<std::int64_t>> flips, int numThreads,
                                         JobContext& job) const
{
    const auto numDocuments = m_usable.size();
    const auto numQueries = m_queries.size();
    const auto keptHeads = headsAfter(kept, {});
    const auto addTo = [&](std::int64_t head, double sign, std::size_t query, std::vector<double>& products,
                           std::vector<double>& squares) {
        const float* from = &m_products[(sizeOf(head) * numQueries + query) * numDocuments];
        const double* lengths = &m_documentSquares[sizeOf(head) * numDocuments];
        for (std::size_t document = 0; document < numDocuments; ++document)
        {
            products[document] += sign * from[document];
            squares[document] += sign * lengths[document];
        }
    };
    MatrixD success(static_cast<std::int64_t>(numQueries), static_cast<std::int64_t>(flips.size()));
    parallelFor(numThreads, success.rows(), 1, [&](std::int64_t begin, std::int64_t end) {
        std::vector<double> baseProducts(numDocuments);
        std::vector<double> baseSquares(numDocuments);
        for (std::int64_t query = begin; query < end && !job.stopRequested(); ++query)
        {
            std::fill(baseProducts.begin(), baseProducts.end(), 0.0);
            std::fill(baseSquares.begin(), baseSquares.end(), 0.0);
            for (const std::int64_t head : keptHeads)
                addTo(head, 1, sizeOf(query), baseProducts, baseSquares);
            for (std::size_t flip = 0; flip < flips.size(); ++flip)
            {
                auto products = baseProducts;
                auto squares = baseSquares;
                for (const std::int64_t head : flips[flip])
                    addTo(head, kept[sizeOf(head)] ? -1 : 1, sizeOf(query), products, squares);
                success(query, static_cast<std::int64_t>(flip)) =
                    successOf(m_queries[sizeOf(query)], products, squares);
            }
        }
    });
    HEADSCOPE_CHECK(job.checkStop());
    for (std::size_t flip = 0; flip < flips.size(); ++flip)
        for (std::int64_t query = 0; headsAfter(kept, flips[flip]).empty() && query < success.rows(); ++query)
            success(query, static_cast<std::int64_t>(flip)) = 0;
    return success;
}

Result<std::vector<HeadSetScore>> HeadRetrieval::flipped(const std::vector<bool>& kept,
                                                         std::span<const std::vector<std::int64_t>> flips,
                                                         int numThreads, JobContext& job) const
{
    HEADSCOPE_TRY(const MatrixD success, successes(kept, flips, numThreads, job));
    std::vector<HeadSetScore> scores(flips.size());
    for (std::size_t flip = 0; flip < flips.size(); ++flip)
    {
        for (std::int64_t query = 0; query < success.rows(); ++query)
            scores[flip].value += success(query, static_cast<std::int64_t>(flip));
        scores[flip].value /= static_cast<double>(success.rows());
    }
    return scores;
}

Result<std::vector<std::vector<std::int32_t>>> HeadRetrieval::scores(const std::vector<bool>& kept,
                                                                     std::span<const std::vector<std::int64_t>> flips,
                                                                     int numThreads, JobContext& job) const
{
    HEADSCOPE_TRY(const MatrixD success, successes(kept, flips, numThreads, job));
    std::vector<std::vector<std::int32_t>> scores(flips.size());
    for (std::size_t flip = 0; flip < flips.size(); ++flip)
        for (std::int64_t query = 0; query < success.rows(); ++query)
            scores[flip].push_back(
                static_cast<std::int32_t>(std::lround(kFullScore * success(query, static_cast<std::int64_t>(flip)))));
    return scores;
}

} // namespace headscope

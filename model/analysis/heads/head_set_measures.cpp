// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/head_set_measures.h"

#include "model/analysis/heads/head_sets.h"
#include "model/analysis/statistics/draws.h"
#include "model/analysis/statistics/permutations.h"
#include "model/base/free_memory.h"
#include "model/base/numbers/all_finite.h"
#include "model/base/parallel.h"
#include "model/base/size_of.h"
#include "model/kernels/distances.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope
{

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
    HEADSCOPE_CHECK(
        checkMemory({8.0 * static_cast<double>(match.m_heads) * static_cast<double>(n) * static_cast<double>(numTopics),
                     fmt::format("the match of {} documents with {} topics by {} {}", n, numTopics, match.m_heads,
                                 match.m_heads == 1 ? "head" : "heads"),
                     "use fewer topics, documents or heads"}));
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

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/heads/head_set_measures.h"
#include "model/analysis/heads/head_sets.h"
#include "model/base/free_memory.h"
#include "model/base/numbers/all_finite.h"
#include "model/base/parallel.h"
#include "model/base/size_of.h"
#include "model/kernels/distances.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <set>
#include <utility>

namespace headscope
{

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
    const std::int64_t numDocuments = documents.documents();
    for (std::int64_t document = 0; document < numDocuments; ++document)
    {
        retrieval.m_usable.push_back(hasDirection(documents.full(DocumentIndex(document))));
        retrieval.m_leftOut += retrieval.m_usable.back() ? 0 : 1;
    }
    for (RelevantQuery& query : retrieval.m_queries)
        std::erase_if(query.relevant, [&retrieval](std::int64_t document) {
            return document >= 0 && !retrieval.m_usable[sizeOf(document)];
        });
    std::erase_if(retrieval.m_queries, [&](const RelevantQuery& query) {
        return query.relevant.empty() || !hasDirection(queries.full(DocumentIndex(query.query)));
    });
    if (retrieval.m_queries.empty())
        return Error{ErrorCode::InvalidArgument, "expected queries with relevant documents, found none", {}, {}};
    const std::int64_t numQueries = retrieval.queries();
    const std::int64_t dims = documents.dims();
    HEADSCOPE_CHECK(checkMemory({4.0 * static_cast<double>(retrieval.m_heads) * static_cast<double>(numQueries) *
                                     static_cast<double>(numDocuments),
                                 fmt::format("the retrieval of {} documents for {} queries by {} {}", numDocuments,
                                             numQueries, retrieval.m_heads, retrieval.m_heads == 1 ? "head" : "heads"),
                                 "use fewer queries, documents or heads"}));
    retrieval.m_products.resize(sizeOf(retrieval.m_heads * numQueries * numDocuments));
    retrieval.m_documentSquares.resize(sizeOf(retrieval.m_heads * numDocuments));
    for (std::int64_t head = 0; head < retrieval.m_heads; ++head)
        for (const RelevantQuery& query : retrieval.m_queries)
            retrieval.m_queryPoints.push_back(
                hasDirection(queries.vector(DocumentIndex(query.query), HeadIndex(head))));
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

HeadRetrieval::Found HeadRetrieval::foundBy(const RelevantQuery& query, const Sums& sums) const
{
    if (sums.queryDirections == 0)
        return {};
    // The length of the query is the same for all documents and decides nothing.
    std::vector<std::pair<double, std::int64_t>> found;
    found.reserve(sums.products.size());
    for (std::size_t document = 0; document < sums.products.size(); ++document)
    {
        // Without a direction in any of these heads; what subtractions leave of its squares is rounding.
        if (sums.directions[document] == 0 || static_cast<std::int64_t>(document) == query.self)
            continue;
        const double square = sums.squares[document];
        const double cosine = square > 0 ? sums.products[document] / std::sqrt(square) : 0.0;
        found.emplace_back(-cosine, static_cast<std::int64_t>(document));
    }
    const auto count = std::min(found.size(), sizeOf(m_n));
    std::nth_element(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count), found.end());
    const auto isRelevant = [&query](std::int64_t document) {
        return std::ranges::find(query.relevant, document) != query.relevant.end();
    };
    Found result;
    for (std::size_t i = 0; i < count; ++i)
    {
        result.documents.push_back(found[i].second);
        result.hits += isRelevant(found[i].second) ? 1 : 0;
    }
    result.nextIsRelevant = count < found.size() && isRelevant(found[count].second);
    return result;
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

Status HeadRetrieval::search(std::int64_t from, std::int64_t to, const std::vector<bool>& kept,
                             std::span<const std::vector<std::int64_t>> flips, int numThreads, JobContext& job,
                             const FoundBy& take) const
{
    const auto numDocuments = m_usable.size();
    const auto numQueries = m_queries.size();
    const auto keptHeads = headsAfter(kept, {});
    const auto addTo = [&](std::int64_t head, int sign, std::size_t query, Sums& sums) {
        const auto first = static_cast<std::ptrdiff_t>((sizeOf(head) * numQueries + query) * numDocuments);
        const auto squares = m_documentSquares.begin() + static_cast<std::ptrdiff_t>(sizeOf(head) * numDocuments);
        const auto add = [sign](double sum, auto more) { return sum + sign * static_cast<double>(more); };
        std::transform(sums.products.begin(), sums.products.end(), m_products.begin() + first, sums.products.begin(),
                       add);
        std::transform(sums.squares.begin(), sums.squares.end(), squares, sums.squares.begin(), add);
        std::transform(sums.directions.begin(), sums.directions.end(), squares, sums.directions.begin(),
                       [sign](int count, double square) { return count + (square > 0 ? sign : 0); });
        sums.queryDirections += m_queryPoints[sizeOf(head) * numQueries + query] ? sign : 0;
    };
    parallelFor(numThreads, to - from, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t query = from + begin; query < from + end && !job.stopRequested(); ++query)
        {
            Sums base{std::vector<double>(numDocuments), std::vector<double>(numDocuments),
                      std::vector<int>(numDocuments), 0};
            for (const std::int64_t head : keptHeads)
                addTo(head, 1, sizeOf(query), base);
            for (std::size_t flip = 0; flip < flips.size(); ++flip)
            {
                Sums sums = base;
                for (const std::int64_t head : flips[flip])
                    addTo(head, kept[sizeOf(head)] ? -1 : 1, sizeOf(query), sums);
                take(query, flip, foundBy(m_queries[sizeOf(query)], sums));
            }
        }
    });
    return job.checkStop();
}

Result<MatrixD> HeadRetrieval::successes(const std::vector<bool>& kept,
                                         std::span<const std::vector<std::int64_t>> flips, int numThreads,
                                         JobContext& job) const
{
    MatrixD success(queries(), std::ssize(flips));
    HEADSCOPE_CHECK(search(0, queries(), kept, flips, numThreads, job,
                           [&](std::int64_t query, std::size_t flip, const Found& found) {
                               success(query, static_cast<std::int64_t>(flip)) =
                                   shareOf(found.hits, std::ssize(m_queries[sizeOf(query)].relevant));
                           }));
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

bool HeadRetrieval::findsItself() const
{
    return std::ranges::all_of(m_queries, [](const RelevantQuery& query) { return query.self >= 0; });
}

std::vector<HeadRetrieval::Without> HeadRetrieval::withoutEach(const RelevantQuery& query, const Found& found) const
{
    const auto wanted = std::ssize(query.relevant);
    const double value = shareOf(found.hits, wanted);
    std::vector<Without> changes = {{query.self, -value, -1}};
    const auto add = [&](std::int64_t document, std::int64_t hits, std::int64_t relevant) {
        if (relevant == 0)
            changes.push_back({document, -value, -1}); // nothing is left to find
        else
            changes.push_back({document, shareOf(hits, relevant) - value, 0});
    };
    const std::set<std::int64_t> relevant(query.relevant.begin(), query.relevant.end());
    const std::int64_t next = found.nextIsRelevant ? 1 : 0; // takes the place of a result that goes
    for (const std::int64_t document : found.documents)
    {
        const bool wasWanted = relevant.contains(document);
        add(document, found.hits + next - (wasWanted ? 1 : 0), wanted - (wasWanted ? 1 : 0));
    }
    for (const std::int64_t document : relevant)
        if (document >= 0 && document != query.self && m_usable[sizeOf(document)] &&
            std::ranges::find(found.documents, document) == found.documents.end())
            add(document, found.hits, wanted - 1);
    return changes;
}

Result<std::vector<std::vector<double>>> HeadRetrieval::leftOutValues(const std::vector<bool>& kept,
                                                                      std::span<const std::vector<std::int64_t>> flips,
                                                                      int numThreads, JobContext& job) const
{
    constexpr std::int64_t kTogether = 64; // queries whose changes are held at once
    const std::size_t sets = flips.size();
    std::vector<double> total(sets);
    std::vector<std::vector<double>> sums(sets, std::vector<double>(m_usable.size()));
    std::vector<std::vector<std::int64_t>> counts(sets, std::vector<std::int64_t>(m_usable.size()));
    for (std::int64_t from = 0; from < queries(); from += kTogether)
    {
        const std::int64_t to = std::min(queries(), from + kTogether);
        std::vector<std::vector<Without>> changes(sizeOf(to - from) * sets);
        MatrixD values(to - from, std::ssize(flips));
        HEADSCOPE_CHECK(search(from, to, kept, flips, numThreads, job,
                               [&](std::int64_t query, std::size_t flip, const Found& found) {
                                   const RelevantQuery& asking = m_queries[sizeOf(query)];
                                   values(query - from, static_cast<std::int64_t>(flip)) =
                                       shareOf(found.hits, std::ssize(asking.relevant));
                                   changes[sizeOf(query - from) * sets + flip] = withoutEach(asking, found);
                               }));
        for (std::size_t at = 0; at < changes.size(); ++at) // in one order, whatever the threads
        {
            const std::size_t set = at % sets;
            total[set] += values(static_cast<std::int64_t>(at / sets), static_cast<std::int64_t>(set));
            for (const Without& one : changes[at])
            {
                sums[set][sizeOf(one.document)] += one.sum;
                counts[set][sizeOf(one.document)] += one.count;
            }
        }
    }
    std::vector<std::vector<double>> values(sets);
    for (std::size_t set = 0; set < sets; ++set)
    {
        const bool isEmpty = headsAfter(kept, flips[set]).empty(); // finds nothing
        for (std::size_t document = 0; document < m_usable.size(); ++document)
            if (const std::int64_t left = queries() + counts[set][document]; m_usable[document])
                values[set].push_back(isEmpty    ? 0.0
                                      : left > 0 ? (total[set] + sums[set][document]) / static_cast<double>(left)
                                                 : std::numeric_limits<double>::quiet_NaN());
    }
    return values;
}

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/analysis/retrieval/voting.h"

#include "model/analysis/heads/head_sums.h"
#include "model/base/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

namespace headscope
{
namespace
{

/// Distances below this are taken as this: an exact match outvotes everything, but stays finite.
constexpr double kSmallestDistance = 1e-12;

double voteWeight(VotingStrategy strategy, std::int64_t rank, double distance, std::size_t listLength)
{
    switch (strategy)
    {
    case VotingStrategy::Distance:
        return 1.0 / std::max(distance, kSmallestDistance);
    case VotingStrategy::ReciprocalRank:
        return 1.0 / (60.0 + static_cast<double>(rank));
    case VotingStrategy::Borda:
        return static_cast<double>(static_cast<std::int64_t>(listLength) - rank);
    case VotingStrategy::Multirag:
    case VotingStrategy::Decay:
    case VotingStrategy::Split:
    case VotingStrategy::SplitWeighted:
    case VotingStrategy::Standard:
        break;
    }
    return std::ldexp(1.0, -static_cast<int>(std::min<std::int64_t>(rank, 1000)));
}

/// Writes the unit vector of `from`; zeros and false where it has no direction.
bool writeUnit(std::span<const float> from, std::span<double> to)
{
    double squares = 0;
    for (const float value : from)
        squares += double{value} * value;
    const double norm = std::sqrt(squares);
    const bool usable = std::isfinite(norm) && norm > 0;
    for (std::size_t i = 0; i < from.size(); ++i)
        to[i] = usable ? from[i] / norm : 0.0;
    return usable;
}

} // namespace

std::string votesText(VotingStrategy strategy, std::string_view unit, std::int64_t length)
{
    if (strategy == VotingStrategy::Standard)
        return "Cosine distance: distance between the full vectors; no head votes.";
    return fmt::format(
        "Votes: sum of {2} over the {0}s whose list contains the document. The list of a {0} has the "
        "{1} documents nearest to the query by that {0}{3}. Longer lists give other votes. Votes are not "
        "probabilities; compare them only within one query.",
        unit, length, votesOf(strategy),
        strategy == VotingStrategy::Distance ? "" : "; ranks in a list are counted from 0");
}

bool votesOnFullVectors(VotingStrategy strategy)
{
    return strategy == VotingStrategy::Split || strategy == VotingStrategy::SplitWeighted ||
           strategy == VotingStrategy::Standard;
}

bool votesByScore(VotingStrategy strategy)
{
    return strategy == VotingStrategy::Multirag || strategy == VotingStrategy::SplitWeighted;
}

CosineIndex::CosineIndex(ConstMatrixView vectors) : m_units(vectors.rows(), vectors.cols())
{
    for (std::int64_t i = 0; i < vectors.rows(); ++i)
        if (writeUnit(vectors.row(i), m_units.row(i)))
            m_placed.push_back(i);
}

NearestList CosineIndex::nearest(std::span<const float> query, std::int64_t n) const
{
    std::vector<double> unit(query.size());
    if (!writeUnit(query, unit))
        return {};
    std::vector<double> distances(static_cast<std::size_t>(m_units.rows()));
    for (const std::int64_t i : m_placed)
    {
        // |u - v|^2 / 2 keeps its digits where the vectors nearly agree; 1 - u.v does not.
        const auto row = m_units.row(i);
        double sum = 0;
        for (std::size_t k = 0; k < unit.size(); ++k)
        {
            const double difference = unit[k] - row[k];
            sum += difference * difference;
        }
        distances[static_cast<std::size_t>(i)] = sum / 2;
    }
    // Of its own: a list that had been as long as all documents would keep their memory.
    std::vector<std::int64_t> order = m_placed;
    const auto kept = static_cast<std::ptrdiff_t>(std::min(n, std::ssize(order)));
    std::partial_sort(order.begin(), order.begin() + kept, order.end(), [&distances](std::int64_t a, std::int64_t b) {
        const double da = distances[static_cast<std::size_t>(a)];
        const double db = distances[static_cast<std::size_t>(b)];
        return da != db ? da < db : a < b;
    });
    NearestList list{{order.begin(), order.begin() + kept}, {}};
    list.distances.reserve(list.documents.size());
    for (const std::int64_t document : list.documents)
        list.distances.push_back(distances[static_cast<std::size_t>(document)]);
    return list;
}

NearestList CosineIndex::nearestOthers(std::span<const float> query, std::int64_t n,
                                       std::optional<DocumentIndex> self) const
{
    if (!self)
        return nearest(query, n);
    NearestList list = nearest(query, n + 1);
    if (const auto at = std::ranges::find(list.documents, self->value()); at != list.documents.end())
    {
        list.distances.erase(list.distances.begin() + (at - list.documents.begin()));
        list.documents.erase(at);
    }
    const auto kept = std::min(list.documents.size(), static_cast<std::size_t>(n));
    list.documents.resize(kept);
    list.distances.resize(kept);
    return list;
}

Result<std::shared_ptr<const HeadVectors>> asSegments(const std::shared_ptr<const HeadVectors>& full,
                                                      std::int64_t heads)
{
    if (full->heads() == heads)
        return full;
    const std::int64_t length = full->heads() * full->dims();
    if (heads < 1 || length % heads != 0)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected full vectors that can be split evenly among {} heads, found {} dimensions",
                                 heads, length),
                     {},
                     {}};
    const auto values = full->values();
    return std::make_shared<const HeadVectors>(full->stage(), full->layer(), full->documents(), heads, length / heads,
                                               std::vector<float>(values.begin(), values.end()));
}

Result<std::vector<double>> headScores(const HeadVectors& vectors, int numThreads, JobContext& job)
{
    HEADSCOPE_TRY(const HeadSums sums, HeadSums::collect(vectors, {}, 1, numThreads, job));
    std::vector<double> scores;
    for (const HeadStatistics& statistics : sums.statistics(std::array<std::int64_t, 1>{0}))
        scores.push_back(statistics.score);
    return scores;
}

Result<std::vector<NearestList>> nearestByHeads(const HeadVectors& documents, std::span<const float> query,
                                                std::int64_t n, std::optional<DocumentIndex> self, int numThreads,
                                                JobContext& job)
{
    const auto dims = static_cast<std::size_t>(documents.dims());
    std::vector<NearestList> lists(static_cast<std::size_t>(documents.heads()));
    parallelFor(numThreads, documents.heads(), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t head = begin; head < end && !job.stopRequested(); ++head)
            lists[static_cast<std::size_t>(head)] =
                CosineIndex(documents.head(HeadIndex(head)))
                    .nearestOthers(query.subspan(static_cast<std::size_t>(head) * dims, dims), n, self);
    });
    HEADSCOPE_CHECK(job.checkStop());
    return lists;
}

Result<std::vector<std::vector<NearestList>>> nearestByHeads(const HeadVectors& documents, const HeadVectors& queries,
                                                             std::int64_t n, std::span<const std::int64_t> own,
                                                             int numThreads, JobContext& job)
{
    const auto heads = static_cast<std::size_t>(documents.heads());
    std::vector<std::vector<NearestList>> lists(static_cast<std::size_t>(queries.documents()),
                                                std::vector<NearestList>(heads));
    for (std::size_t head = 0; head < heads; ++head)
    {
        HEADSCOPE_CHECK(job.checkStop());
        job.report("searching", head, heads, "heads");
        const HeadIndex h(static_cast<std::int64_t>(head));
        const CosineIndex index(documents.head(h));
        parallelFor(numThreads, queries.documents(), 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t query = begin; query < end && !job.stopRequested(); ++query)
            {
                const auto at = static_cast<std::size_t>(query);
                const std::int64_t self = own.empty() ? -1 : own[at];
                lists[at][head] = index.nearestOthers(queries.vector(DocumentIndex(query), h), n,
                                                      self < 0 ? std::nullopt : std::optional(DocumentIndex(self)));
            }
        });
    }
    HEADSCOPE_CHECK(job.checkStop());
    return lists;
}

std::vector<RetrievedDocument> fuseVotes(VotingStrategy strategy, std::span<const NearestList> lists,
                                         std::span<const double> headWeights)
{
    HEADSCOPE_ASSERT(lists.size() == headWeights.size());
    std::vector<RetrievedDocument> met; // in the order of first meeting
    std::unordered_map<std::int64_t, std::size_t> place;
    std::size_t listLength = 0;
    for (std::size_t head = 0; head < lists.size(); ++head)
    {
        const NearestList& list = lists[head];
        listLength = std::max(listLength, list.documents.size());
        if (headWeights[head] == 0)
            continue;
        for (std::size_t rank = 0; rank < list.documents.size(); ++rank)
        {
            const auto [entry, isNew] = place.try_emplace(list.documents[rank], met.size());
            if (isNew)
                met.push_back({DocumentIndex(list.documents[rank]), 0, {}});
            const double weight = headWeights[head] * voteWeight(strategy, static_cast<std::int64_t>(rank),
                                                                 list.distances[rank], list.documents.size());
            RetrievedDocument& document = met[entry->second];
            document.votes += weight;
            document.byHead.push_back(
                {HeadIndex(static_cast<std::int64_t>(head)), static_cast<std::int64_t>(rank), weight});
        }
    }
    std::stable_sort(met.begin(), met.end(),
                     [](const RetrievedDocument& a, const RetrievedDocument& b) { return a.votes > b.votes; });
    if (met.size() > listLength)
        met.resize(listLength);
    return met;
}

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/find/search_documents.h"

#include "model/analysis/retrieval/retrieval_metrics.h"

#include <algorithm>
#include <utility>

namespace headscope::desktop
{
namespace
{

ConstMatrixView wholeRows(const HeadVectors& vectors)
{
    return {vectors.values().data(), vectors.documents(), vectors.heads() * vectors.dims()};
}

/// From rows of the candidates to the documents that they are.
void name(NearestList& list, const std::vector<std::int64_t>& candidates)
{
    for (std::int64_t& document : list.documents)
        document = candidates[static_cast<std::size_t>(document)];
}

/// Whether each part of a query has a direction.
std::vector<Pointing> partDirections(std::span<const float> query, std::int64_t parts)
{
    std::vector<Pointing> directions;
    const std::size_t length = query.size() / static_cast<std::size_t>(parts);
    for (std::size_t part = 0; part < static_cast<std::size_t>(parts); ++part)
        directions.push_back(directionOf(query.subspan(part * length, length)));
    return directions;
}

Result<QueryLists> ask(const SearchBase& base, std::span<const float> heads, std::span<const float> full,
                       std::optional<DocumentIndex> self, std::int64_t top, int numThreads, JobContext& job)
{
    const bool all = base.candidates.empty();
    if (!all && self)
    {
        const auto at = std::lower_bound(base.candidates.begin(), base.candidates.end(), self->value());
        const bool isCandidate = at != base.candidates.end() && *at == self->value();
        self = isCandidate ? std::optional(DocumentIndex(at - base.candidates.begin())) : std::nullopt;
    }
    const auto& segments = all ? base.segments : base.candidateSegments;
    QueryLists lists;
    lists.headDirections = partDirections(heads, base.heads->heads());
    if (segments != nullptr)
        lists.segmentDirections = partDirections(full, segments->heads());
    lists.fullDirection = directionOf(full);
    HEADSCOPE_TRY(lists.heads,
                  nearestByHeads(all ? *base.heads : *base.candidateHeads, heads, top, self, numThreads, job));
    if (segments != nullptr)
    {
        HEADSCOPE_TRY(lists.segments, nearestByHeads(*segments, full, top, self, numThreads, job));
    }
    lists.full = CosineIndex(wholeRows(all ? *base.full : *base.candidateFull)).nearestOthers(full, top, self);
    HEADSCOPE_CHECK(job.checkStop());
    if (!all)
    {
        for (auto* each : {&lists.heads, &lists.segments})
            for (NearestList& list : *each)
                name(list, base.candidates);
        name(lists.full, base.candidates);
    }
    return lists;
}

std::vector<RetrievedDocument> rank(const SearchBase& base, const QueryLists& lists, VotingStrategy strategy,
                                    const std::vector<double>& factors)
{
    if (strategy == VotingStrategy::Standard)
    {
        std::vector<RetrievedDocument> ranking;
        for (std::size_t i = 0; i < lists.full.documents.size(); ++i)
            ranking.push_back({DocumentIndex(lists.full.documents[i]), lists.full.distances[i], {}});
        return ranking;
    }
    const bool onFull = votesOnFullVectors(strategy);
    const auto& voters = onFull ? lists.segments : lists.heads;
    const auto& scores = onFull ? base.segmentScores : base.headScores;
    std::vector<double> weights(voters.size(), 1.0);
    for (std::size_t head = 0; head < weights.size(); ++head)
    {
        if (votesByScore(strategy))
            weights[head] = scores[head];
        if (factors.size() == weights.size())
            weights[head] *= factors[head];
    }
    return fuseVotes(strategy, voters, weights);
}

/// Whether a document can be found by a strategy.
bool canBeFound(const SearchBase& base, VotingStrategy strategy, std::int64_t document)
{
    const auto& rows = votesOnFullVectors(strategy) ? base.fullRows : base.headRows;
    return rows[static_cast<std::size_t>(document)];
}

/// Notes what has no direction for the query, of all that would vote.
void noteSilent(RankedDocuments& ranked, const QueryLists& query, const std::vector<double>& factors)
{
    const std::vector<Pointing> alone{query.fullDirection};
    const auto& directions = ranked.strategy == VotingStrategy::Standard ? alone
                             : votesOnFullVectors(ranked.strategy)       ? query.segmentDirections
                                                                         : query.headDirections;
    ranked.onFullVector = votesOnFullVectors(ranked.strategy);
    ranked.isAnswered = false;
    for (std::size_t voter = 0; voter < directions.size(); ++voter)
    {
        const bool isMuted = directions.size() > 1 && factors.size() == directions.size() && factors[voter] == 0;
        if (directions[voter] == Pointing::Points)
            ranked.isAnswered = true;
        else if (!isMuted)
        {
            ranked.silent.push_back(static_cast<std::int64_t>(voter));
            ranked.anyNotFinite = ranked.anyNotFinite || directions[voter] == Pointing::NotFinite;
        }
    }
}

/// Those of the relevant documents that can be found: the others are not expected.
std::vector<std::int64_t> findable(const SearchBase& base, VotingStrategy strategy, std::vector<std::int64_t> relevant)
{
    std::erase_if(relevant, [&](std::int64_t document) { return !canBeFound(base, strategy, document); });
    return relevant;
}

std::vector<std::int64_t> documentsOf(const std::vector<RetrievedDocument>& ranking)
{
    std::vector<std::int64_t> documents;
    for (const RetrievedDocument& result : ranking)
        documents.push_back(result.document.value());
    return documents;
}

void measureAll(RankedDocuments& ranked, const SearchBase& base, const MeasuredQueries& measured,
                std::span<const std::int32_t> labels, const std::vector<double>& factors)
{
    MeanRetrievalMetrics means;
    for (std::size_t query = 0; query < measured.lists.size(); ++query)
    {
        RankedDocuments one;
        one.strategy = ranked.strategy;
        noteSilent(one, measured.lists[query], factors);
        const auto relevant = findable(base, ranked.strategy, measured.relevant[query]);
        if (one.isAnswered && !relevant.empty())
            means.add(measureRanking(documentsOf(rank(base, measured.lists[query], ranked.strategy, factors)), relevant,
                                     labels));
    }
    ranked.meanMetrics = means.mean();
    ranked.measuredQueries = means.queries();
}

} // namespace

Result<std::shared_ptr<const SearchBase>> makeSearchBase(std::shared_ptr<const HeadVectors> heads,
                                                         std::shared_ptr<const HeadVectors> full,
                                                         const std::string& fullSource, std::int64_t modelHeads,
                                                         int numThreads, JobContext& job)
{
    auto base = std::make_shared<SearchBase>();
    base->heads = std::move(heads);
    base->full = std::move(full);
    base->fullSource = fullSource;
    const auto everyHead = allIndices(base->heads->heads());
    for (std::int64_t row = 0; row < base->full->documents(); ++row)
    {
        const DocumentIndex document(row);
        base->headRows.push_back(std::ranges::any_of(everyHead, [&](std::int64_t head) {
            return hasDirection(base->heads->vector(document, HeadIndex(head)));
        }));
        base->fullRows.push_back(hasDirection(base->full->full(document)));
    }
    HEADSCOPE_TRY(base->headScores, headScores(*base->heads, numThreads, job));
    if (auto segments = asSegments(base->full, modelHeads))
    {
        base->segments = std::move(*segments);
        HEADSCOPE_TRY(base->segmentScores, headScores(*base->segments, numThreads, job));
    }
    return std::shared_ptr<const SearchBase>(std::move(base));
}

std::shared_ptr<const SearchBase> withCandidates(const std::shared_ptr<const SearchBase>& base,
                                                 std::vector<std::int64_t> candidates)
{
    if (base->candidates == candidates)
        return base;
    auto some = std::make_shared<SearchBase>(*base);
    some->candidates = std::move(candidates);
    const auto part = [&some](const std::shared_ptr<const HeadVectors>& vectors) {
        return vectors == nullptr || some->candidates.empty() ? nullptr : takeRows(vectors, some->candidates);
    };
    some->candidateHeads = part(some->heads);
    some->candidateFull = part(some->full);
    some->candidateSegments = part(some->segments);
    return some;
}

Result<QueryLists> askDocument(const SearchBase& base, DocumentIndex document, const std::string& id, std::int64_t top,
                               int numThreads, JobContext& job)
{
    HEADSCOPE_TRY(QueryLists lists,
                  ask(base, base.heads->full(document), base.full->full(document), document, top, numThreads, job));
    lists.query = id;
    lists.document = document;
    return lists;
}

Result<QueryLists> askVectors(const SearchBase& base, const HeadVectors& heads, const HeadVectors& full,
                              const std::string& text, std::int64_t top, int numThreads, JobContext& job)
{
    HEADSCOPE_TRY(QueryLists lists,
                  ask(base, heads.full(DocumentIndex(0)), full.full(DocumentIndex(0)), {}, top, numThreads, job));
    lists.query = text;
    return lists;
}

std::shared_ptr<const RetrievalComparison>
compareStrategies(const SearchBase& base, const QueryLists& query, std::vector<std::int64_t> relevant,
                  const MeasuredQueries* measured, std::span<const std::int32_t> labels, const VoteOptions& options)
{
    RetrievalComparison comparison;
    comparison.origin = base.origin;
    comparison.query = query.query;
    comparison.document = query.document;
    comparison.relevant = std::move(relevant);
    comparison.candidates = static_cast<std::int64_t>(base.candidates.size());
    for (auto [ranked, strategy] :
         {std::pair(&comparison.first, options.first), std::pair(&comparison.second, options.second)})
    {
        ranked->strategy = strategy;
        ranked->results = rank(base, query, strategy, options.factors);
        noteSilent(*ranked, query, options.factors);
        const auto documents = base.candidates.empty() ? allIndices(base.heads->documents()) : base.candidates;
        ranked->notRanked = std::ranges::count_if(
            documents, [&, which = strategy](std::int64_t document) { return !canBeFound(base, which, document); });
    }
    return withMeasures(std::move(comparison), base, measured, labels, options.factors);
}

std::shared_ptr<const RetrievalComparison> withMeasures(RetrievalComparison comparison, const SearchBase& base,
                                                        const MeasuredQueries* measured,
                                                        std::span<const std::int32_t> labels,
                                                        const std::vector<double>& factors)
{
    for (RankedDocuments* ranked : {&comparison.first, &comparison.second})
    {
        const auto relevant = findable(base, ranked->strategy, comparison.relevant);
        if (!relevant.empty() && !ranked->results.empty())
            ranked->metrics = measureRanking(documentsOf(ranked->results), relevant, labels);
        if (measured != nullptr)
            measureAll(*ranked, base, *measured, labels, factors);
    }
    return std::make_shared<const RetrievalComparison>(std::move(comparison));
}

} // namespace headscope::desktop

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/retrieve_voters.h"

#include "model/analysis/retrieval/voting.h"
#include "model/base/numbers/all_finite.h"
#include "model/data/frame/text_table.h"
#include "model/data/head_ranges.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

namespace headscope::cli
{
namespace
{

/// Sets the weights of heads or groups that are not to vote to 0.
Status mute(const std::string& ranges, std::int64_t size, std::string_view option, std::vector<double>& weights)
{
    if (ranges.empty())
        return {};
    const auto muted = parseHeadRanges(ranges, std::ssize(weights) / size);
    if (!muted)
        return Error(muted.error()).atPlace(std::string(option));
    for (const std::int64_t each : *muted)
        for (std::int64_t member = 0; member < size; ++member)
            weights[static_cast<std::size_t>(each * size + member)] = 0;
    return {};
}

/// The factor that each head has by what was typed; 0: it does not vote.
Result<std::vector<double>> factorsOf(const commands::RetrieveCommand& command, const CacheInput& input,
                                      const HeadVectors& vectors)
{
    const std::int64_t groupSize = input.model().groupSize();
    std::vector<double> factors(static_cast<std::size_t>(vectors.heads()), 1.0);
    if (!command.weights.empty())
    {
        HEADSCOPE_TRY(factors, readHeadWeights(command.weights, vectors.heads(), groupSize));
    }
    HEADSCOPE_TRY(const auto heads, input.headsOf(vectors, command.input.heads));
    for (std::int64_t head = 0; head < vectors.heads(); ++head)
        if (!std::binary_search(heads.begin(), heads.end(), head))
            factors[static_cast<std::size_t>(head)] = 0;
    HEADSCOPE_CHECK(mute(command.muteGroups, groupSize, "--mute-groups", factors));
    HEADSCOPE_CHECK(mute(command.mute, 1, "--mute", factors));
    return factors;
}

/// Finds out where there is no direction.
/// @param heads  that vote
void findGaps(Voters& voters, const std::vector<std::int64_t>& heads, const CacheInput& input,
              const RetrievalQueries& queries)
{
    voters.documentGaps = gapsOf(*voters.documents, allIndices(voters.documents->documents()), heads);
    voters.queryGaps = gapsOf(*voters.queries, allIndices(voters.queries->documents()), heads);
    for (std::size_t at = 0; at < voters.documentGaps.rows.size(); ++at)
    {
        voters.ranked.push_back(voters.documentGaps.rows[at] == Pointing::Points);
        voters.leftOutDocuments.add(voters.documentGaps.rows[at],
                                    input.documents->ids[static_cast<std::size_t>(input.rows[at])]);
    }
    for (std::size_t at = 0; at < voters.queryGaps.rows.size(); ++at)
    {
        voters.asking.push_back(voters.queryGaps.rows[at] == Pointing::Points);
        voters.leftOutQueries.add(voters.queryGaps.rows[at], queries.ids[at]);
    }
}

/// Refuses queries of which none has a direction.
Status checkAsking(const Voters& voters, const commands::RetrieveCommand& command, const std::string& cache)
{
    if (voters.asking.empty() || voters.leftOutQueries.count() < std::ssize(voters.asking))
        return {};
    const bool isText = !command.query.empty();
    const char* why = voters.leftOutQueries.notFinite.empty() ? "zero" : "zero or not finite";
    if (!command.queries.empty())
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("expected queries with a direction, found only vectors that are {}", why),
                     command.queries,
                     {}};
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("{} has no direction and cannot be a query: its vectors are {}",
                             isText ? std::string("this text") : fmt::format("document \"{}\"", command.queryDocument),
                             voters.leftOutQueries.notFinite.empty() ? why : "not finite"),
                 cache, isText ? "--query" : "--query-document"};
}

/// "heads 2-3: 1 (zero); head 1: 2 (NaN or infinity)"; "" where there are none.
std::string gapsText(const VectorGaps& gaps, std::string_view unit)
{
    const std::string zero = byHead(gaps.zero, unit);
    const std::string notFinite = byHead(gaps.notFinite, unit);
    return fmt::format("{}{}{}", zero.empty() ? std::string() : "zero: " + zero,
                       zero.empty() || notFinite.empty() ? "" : "; ",
                       notFinite.empty() ? std::string() : "NaN or infinity: " + notFinite);
}

} // namespace

std::vector<std::string> Voters::notices() const
{
    std::vector<std::string> notices;
    const auto add = [&notices](std::string notice) {
        if (!notice.empty())
            notices.push_back(std::move(notice));
    };
    add(leftOutDocuments.notice("document", "documents"));
    add(leftOutQueries.notice("query", "queries"));
    if (documents->heads() == 1)
        return notices; // has said it all
    if (const std::string gaps = gapsText(documentGaps, name); !gaps.empty())
        notices.push_back(
            fmt::format("a {} does not rank documents in which its vector has no direction ({})", name, gaps));
    if (const std::string gaps = gapsText(queryGaps, name); !gaps.empty())
        notices.push_back(
            fmt::format("a {} does not vote for queries in which its vector has no direction ({})", name, gaps));
    return notices;
}

std::string Voters::text() const
{
    const auto numDocuments = std::ssize(ranked);
    const auto numQueries = std::ssize(asking);
    std::int64_t voting = 0;
    std::int64_t silent = 0; // have no direction in any document, or for any query
    for (std::size_t head = 0; head < weights.size(); ++head)
    {
        if (weights[head] == 0)
            continue;
        ++voting;
        const auto isDead = [head](const VectorGaps& gaps, std::int64_t rows) {
            return gaps.zero[head] + gaps.notFinite[head] == rows;
        };
        silent += isDead(documentGaps, numDocuments) || isDead(queryGaps, numQueries) ? 1 : 0;
    }
    std::vector<std::string> parts;
    if (leftOutDocuments.count() > 0)
        parts.push_back(fmt::format("{} of {} documents are ranked",
                                    withCommas(numDocuments - leftOutDocuments.count()), withCommas(numDocuments)));
    if (leftOutQueries.count() > 0)
        parts.push_back(fmt::format("{} of {} queries are searched", withCommas(numQueries - leftOutQueries.count()),
                                    withCommas(numQueries)));
    if (silent > 0)
        parts.push_back(fmt::format("{} of {} {}s vote", voting - silent, voting, name));
    return parts.empty() ? std::string()
                         : fmt::format("{}: the others have no direction (zero vectors, NaN or infinity).\n",
                                       fmt::join(parts, ", "));
}

Members Voters::leftOut() const
{
    NodeList silent;
    for (std::size_t head = 0; head < weights.size() && weights.size() > 1; ++head)
        if (documentGaps.zero[head] + documentGaps.notFinite[head] + queryGaps.zero[head] + queryGaps.notFinite[head] >
            0)
            silent.emplace_back(Members{{"head", shownNumber(HeadIndex(static_cast<std::int64_t>(head)))},
                                        {"documents_zero", documentGaps.zero[head]},
                                        {"documents_not_finite", documentGaps.notFinite[head]},
                                        {"queries_zero", queryGaps.zero[head]},
                                        {"queries_not_finite", queryGaps.notFinite[head]}});
    return {{"documents", leftOutDocuments.members()},
            {"queries", leftOutQueries.members()},
            {"voters", std::move(silent)}};
}

std::string voterName(VotingStrategy strategy, const HeadVectors& searched)
{
    return std::string(votesOnFullVectors(strategy) ? "piece" : unitName(searched.stage()));
}

Result<Voters> votersOf(const commands::RetrieveCommand& command, const CacheInput& input,
                        const SearchVectors& searched, const RetrievalQueries& queries, int numThreads, JobContext& job)
{
    const VotingStrategy strategy = command.retrieval.strategy;
    const bool standard = strategy == VotingStrategy::Standard;
    Voters voters;
    voters.name = standard ? std::string("full vector") : voterName(strategy, *searched.heads);
    voters.documents = searched.heads;
    voters.queries = queries.vectors.heads;
    if (votesOnFullVectors(strategy))
    {
        const std::int64_t parts = standard ? 1 : input.model().heads;
        auto segments = asSegments(searched.full, parts);
        if (!segments)
            return Error(segments.error()).atPlace("--strategy");
        voters.documents = std::move(*segments);
        HEADSCOPE_TRY(voters.queries, asSegments(queries.vectors.full, parts));
    }
    voters.weights = {1.0};
    if (!standard)
    {
        HEADSCOPE_TRY(voters.weights, factorsOf(command, input, *voters.documents));
    }
    std::vector<std::int64_t> voting;
    for (std::size_t head = 0; head < voters.weights.size(); ++head)
        if (voters.weights[head] != 0)
            voting.push_back(static_cast<std::int64_t>(head));
    findGaps(voters, voting, input, queries);
    HEADSCOPE_CHECK(checkAsking(voters, command, input.cache->path().string()));
    if (votesByScore(strategy))
    {
        HEADSCOPE_TRY(const auto scores, headScores(*voters.documents, numThreads, job));
        std::ranges::transform(voters.weights, scores, voters.weights.begin(), [](double factor, double score) {
            return factor == 0 ? 0.0 : factor * score; // a head that is zero everywhere has no score
        });
    }
    return voters;
}

} // namespace headscope::cli

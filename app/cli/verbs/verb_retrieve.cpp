// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine_process.h"
#include "app/cli/retrieve_metrics.h"
#include "app/cli/retrieve_voters.h"
#include "app/cli/verb.h"
#include "app/commands/retrieve_command.h"
#include "app/frames/frame_json.h"
#include "app/results/frame_output.h"
#include "app/results/provenance.h"
#include "model/analysis/retrieval/voting.h"
#include "model/data/frame/frame_text.h"
#include "model/data/results/retrieval_frame.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace headscope::cli
{
namespace
{

class RetrieveVerb : public VerbOf<commands::RetrieveCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(checkChoices(common));
        const VotingStrategy strategy = m_command.retrieval.strategy;
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_command.input, job));
        HEADSCOPE_CHECK(oneLayerAndStage(input, "retrieve"));
        HEADSCOPE_TRY(SearchVectors searched,
                      loadSearchVectors(*input.cache, input.layers.front(), input.stages.front(), job));
        HEADSCOPE_TRY(RetrievalQueries queries, loadQueries(input, searched, job));
        const bool itself = !m_command.queries.empty() && !queries.identity.empty() &&
                            queries.identity == input.cache->info().identity; // by contents: copies of a file, too
        const std::vector<std::int64_t> asking = itself ? allIndices(std::ssize(queries.ids)) : queries.sameAs;
        if (m_command.includeSelf)
            queries.sameAs.clear();
        else if (itself)
            queries.sameAs = allIndices(std::ssize(queries.ids));
        searched.heads = takeRows(searched.heads, input.rows);
        searched.full = takeRows(searched.full, input.rows);
        HEADSCOPE_TRY(const Voters voters, votersOf(m_command, input, searched, queries, common.numThreads(), job));
        HEADSCOPE_TRY(const auto rankings, rank(voters, input, queries, common, job));
        Answer answer;
        answer.notices = idNotices(*input.documents);
        const auto more = voters.notices();
        answer.notices.insert(answer.notices.end(), more.begin(), more.end());
        if (itself)
            answer.notices.push_back(m_command.includeSelf
                                         ? "the queries are the searched documents: each finds itself first"
                                         : "the queries are the searched documents: each is excluded from its own "
                                           "results and its own relevant set (--include-self includes it)");
        if (!queries.notice.empty())
            answer.notices.push_back(queries.notice);
        const Retrieved found{m_command, input, queries, asking, rankings, voters, common.seed};
        HEADSCOPE_CHECK(fill(answer, found, searched, common));
        if (found.byDocuments())
            HEADSCOPE_CHECK(addSameLabel(answer, found));
        answer.text += fmt::format("\n{}{}{}\n", voters.text(),
                                   votesText(strategy, voterName(strategy, *searched.heads), m_command.retrieval.top),
                                   m_command.weights.empty()
                                       ? std::string()
                                       : " Each vote is multiplied by the factor of its head from --weights.");
        return answer;
    }

private:
    [[nodiscard]] Status checkChoices(const CommonOptions& common) const
    {
        HEADSCOPE_CHECK(m_command.input.check());
        const int sources = (m_command.queries.empty() ? 0 : 1) + (m_command.queryDocument.empty() ? 0 : 1) +
                            (m_command.query.empty() ? 0 : 1);
        if (sources != 1)
            return wrongUse("--queries",
                            fmt::format("expected one of --queries, --query-document and --query, found {}",
                                        sources == 0 ? "none" : "several"));
        if (m_command.query.empty() != m_command.model.empty())
            return wrongUse(m_command.query.empty() ? "--query" : "--model",
                            "this option is missing: --query and --model go together");
        if (!m_command.prompt.empty() && m_command.query.empty())
            return wrongUse("--prompt", "this option needs --query");
        if (const std::string measures = measuresFile(m_command); !measures.empty())
            HEADSCOPE_CHECK(checkTableOutput(measures, common));
        return checkTableOutput(m_command.output, common);
    }

    [[nodiscard]] Result<RetrievalQueries> loadQueries(const CacheInput& input, const SearchVectors& searched,
                                                       JobContext& job) const
    {
        if (!m_command.queries.empty())
            return readQueries(m_command.queries, input.layers.front(), input.stages.front(), searched, job);
        if (!m_command.queryDocument.empty())
            return queryDocument(m_command.queryDocument, input, searched);
        return queryText(m_command.query, m_command.model, m_command.prompt, enginePath(), input, searched, job);
    }

    /// The ranking of every query, documents as rows of the cache.
    [[nodiscard]] Result<std::vector<Ranking>> rank(const Voters& voters, const CacheInput& input,
                                                    const RetrievalQueries& queries, const CommonOptions& common,
                                                    JobContext& job) const
    {
        const VotingStrategy strategy = m_command.retrieval.strategy;
        HEADSCOPE_TRY(const auto lists, nearestByHeads(*voters.documents, *voters.queries, m_command.retrieval.top,
                                                       ownDocuments(queries, input.rows), common.numThreads(), job));
        std::vector<Ranking> rankings;
        for (const auto& ofQuery : lists)
        {
            Ranking ranking = strategy == VotingStrategy::Standard ? asRanking(ofQuery.front())
                                                                   : fuseVotes(strategy, ofQuery, voters.weights);
            for (RetrievedDocument& found : ranking)
                found.document = DocumentIndex(input.rows[static_cast<std::size_t>(found.document.value())]);
            rankings.push_back(std::move(ranking));
        }
        return rankings;
    }

    /// Which of the searched documents every query is; -1: none.
    /// @param rows  of the cache that are searched, ascending
    [[nodiscard]] static std::vector<std::int64_t> ownDocuments(const RetrievalQueries& queries,
                                                                const std::vector<std::int64_t>& rows)
    {
        std::vector<std::int64_t> own;
        for (std::int64_t query = 0; query < queries.vectors.heads->documents(); ++query)
        {
            const std::int64_t row = queries.ownRow(static_cast<std::size_t>(query));
            const auto at = std::ranges::lower_bound(rows, row);
            own.push_back(row >= 0 && at != rows.end() && *at == row ? at - rows.begin() : -1);
        }
        return own;
    }

    [[nodiscard]] static Ranking asRanking(const NearestList& list)
    {
        Ranking ranking;
        for (std::size_t rank = 0; rank < list.documents.size(); ++rank)
            ranking.push_back({DocumentIndex(list.documents[rank]), list.distances[rank], {}});
        return ranking;
    }

    [[nodiscard]] Provenance provenanceOf(const CacheInput& input, const SearchVectors& searched,
                                          const RetrievalQueries& queries, const CommonOptions& common) const
    {
        Provenance provenance("retrieve", input, m_command.input);
        tell(provenance, common, {"strategy", "top", "include_self", "queries", "query_document", "query"});
        if (!m_command.model.empty())
            provenance.add("query_model", m_command.model);
        tell(provenance, common, {"prompt", "weights", "mute", "mute_groups", "relevant"});
        provenance.setInputHash(hashOfVectors(std::array{searched.heads.get(), searched.full.get(),
                                                         queries.vectors.heads.get(), queries.vectors.full.get()}));
        return provenance;
    }

    /// What was searched, and how.
    [[nodiscard]] std::string headingOf(VotingStrategy strategy, const SearchVectors& searched,
                                        std::int64_t pieces) const
    {
        if (!votesOnFullVectors(strategy))
            return fmt::format("{}; {}", headscope::headingOf(*searched.heads),
                               votingName(m_command.retrieval.strategy));
        const std::string how = strategy == VotingStrategy::Standard
                                    ? std::string("the nearest by cosine distance, without votes")
                                    : fmt::format("split into {} equal segments, which are not heads", pieces);
        return fmt::format("layer {}, full vectors: {}; {}: {}", searched.heads->layer().value(), searched.fullSource,
                           votingName(m_command.retrieval.strategy), how);
    }

    /// A query with its results, each with who voted for it.
    [[nodiscard]] static Node queryNode(const std::string& id, const Ranking& ranking, const DocumentSet& documents)
    {
        return Members{{"id", id},
                       {"results", listNode(ranking, [&documents](const RetrievedDocument& result) {
                            return Node(Members{{"document", result.document.value()},
                                                {"id", documents.ids[result.document.index()]},
                                                {"votes", result.votes},
                                                {"by_head", listNode(result.byHead, [](const HeadVote& vote) {
                                                     return Node(Members{{"head", shownNumber(vote.head)},
                                                                         {"rank", vote.rank},
                                                                         {"weight", vote.weight}});
                                                 })}});
                        })}};
    }

    /// The results of all queries below each other, ranks from 0.
    [[nodiscard]] static Frame foundFrame(const DocumentSet& documents, const RetrievalQueries& queries,
                                          const std::vector<Ranking>& rankings, bool distances)
    {
        Column::Texts asking;
        Column::Wholes ranks;
        std::vector<const RetrievedDocument*> results;
        for (std::size_t query = 0; query < rankings.size(); ++query)
            for (const RetrievedDocument& result : rankings[query])
            {
                asking.push_back(queries.ids[query]);
                ranks.push_back(&result - rankings[query].data());
                results.push_back(&result);
            }
        Frame frame(kRetrievedFrame);
        frame.add("query", std::move(asking));
        frame.add("rank", std::move(ranks));
        frame.add("document", columnValues(results, [](const auto* result) { return result->document.value(); }));
        frame.add("id", columnValues(results, [&documents](const auto* result) {
                      return documents.ids[result->document.index()];
                  }));
        frame.add(distances ? "cosine_distance" : "votes", columnValues(results, &RetrievedDocument::votes));
        addVoters(frame, results);
        return frame;
    }

    /// For people and papers: the first is the first; a document stays its row.
    [[nodiscard]] static Frame shownFrame(Frame frame, const std::string& voters, bool distances)
    {
        for (std::int64_t& rank : std::get<Column::Wholes>(frame.find("rank")->values))
            ++rank;
        frame.find("heads")->named(voters);
        if (distances)
            std::erase_if(frame.columns(), [](const Column& column) {
                return column.info->key == "heads" || column.info->key == "who";
            });
        return frame;
    }

    [[nodiscard]] Status fill(Answer& answer, const Retrieved& found, const SearchVectors& searched,
                              const CommonOptions& common) const
    {
        const CacheInput& input = found.input;
        const RetrievalQueries& queries = found.queries;
        const std::vector<Ranking>& rankings = found.rankings;
        const VotingStrategy strategy = m_command.retrieval.strategy;
        const bool distances = strategy == VotingStrategy::Standard;
        const std::string unit = voterName(strategy, *searched.heads);
        Json list = Json::array(); // one query after another: there may be many, each with all its voters
        for (std::size_t query = 0; query < rankings.size(); ++query)
            list.push_back(nodeJson(queryNode(queries.ids[query], rankings[query], *input.documents)));
        const Frame table = foundFrame(*input.documents, queries, rankings, distances);
        const Frame shown = shownFrame(table, unit + "s", distances);
        const Provenance provenance = provenanceOf(input, searched, queries, common);
        addMembers(*answer.json, {{"strategy", votingName(m_command.retrieval.strategy)},
                                  {"votes_are", distances ? "cosine distances" : "votes"},
                                  {"voters", distances ? Node() : Node(unit + "s")},
                                  {"self_left_out", !queries.sameAs.empty()},
                                  {"left_out", found.voters.leftOut()}});
        (*answer.json)["queries"] = std::move(list);
        answer.text = fmt::format("{}\n\n{}", headingOf(strategy, searched, input.model().heads), frameText(shown));
        if (!m_command.relevant.empty() || !queries.relevant.empty())
            HEADSCOPE_CHECK(addMeasures(answer, found, provenance));
        addMembers(*answer.json, {{"output", textOrNull(m_command.output)}});
        provenance.writeTo(*answer.json);
        if (m_command.output.empty())
            return {};
        const bool paper = std::filesystem::path(m_command.output).extension() == ".tex"; // holds what is printed
        return writeFrameFile(m_command.output, paper ? shown : table, provenance, {}, csvTexts(m_command.plainCsv));
    }
};

} // namespace

std::unique_ptr<Verb> makeRetrieveVerb()
{
    return std::make_unique<RetrieveVerb>();
}

} // namespace headscope::cli

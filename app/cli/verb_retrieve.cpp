// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/data_notices.h"
#include "app/cli/engine_process.h"
#include "app/cli/provenance.h"
#include "app/cli/result_table.h"
#include "app/cli/retrieval_input.h"
#include "app/cli/text_table.h"
#include "app/cli/verb.h"
#include "app/shell/command.h"
#include "model/analysis/retrieval_metrics.h"
#include "model/analysis/voting.h"
#include "model/base/parallel.h"
#include "model/data/head_ranges.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>

namespace headscope::cli
{
namespace
{

using Ranking = std::vector<RetrievedDocument>;

/// As app/INTERFACE.md names them.
Json metricsJson(const MeanRetrievalMetrics& means)
{
    const RetrievalMetrics mean = means.mean();
    return {{"queries", means.queries()},
            {"success", mean.success},
            {"success_ratio", mean.successRatio},
            {"category_ratio", mean.categoryRatio},
            {"weighted_success", mean.weightedSuccess},
            {"recall", mean.successRatio},
            {"ndcg", mean.ndcg},
            {"mrr", mean.reciprocalRank}};
}

class RetrieveVerb : public Verb
{
public:
    void addOptions(shell::Command& command) override
    {
        m_input.addCacheOptions(command, false);
        command.option("--label", m_input.label, "label column of the category measures (default: the only one)");
        command.option("--queries", m_queries, "a cache whose documents are the queries");
        command.option("--query-document", m_queryDocument, "id of a document to find others like it");
        command.option("--query", m_query, "a text; --model embeds it");
        command.option("--model", m_model, "the model of --query");
        command.option("--prompt", m_prompt, "text to put before that of --query");
        command.option("--strategy", m_strategy, "how heads vote (multirag)")
            .oneOf({"multirag", "decay", "distance", "split", "split-weighted", "standard", "rrf", "borda"});
        command.option("--top", m_top, "results, and the length of each head's list (10)");
        command.option("--weights", m_weights,
                       "JSON: a factor for each head, an object of head to factor, or {\"heads\", \"groups\"} of such");
        command.option("--mute", m_mute, "heads from 1 that do not vote");
        command.option("--mute-groups", m_muteGroups, "KV groups from 1 whose heads do not vote");
        command.option("--relevant", m_relevant, "JSONL of {\"id\", \"relevant\": [document ids]}");
        command.option("-o,--output", m_output, ".csv, .tex or .h5");
    }

    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(checkChoices(common));
        const VotingStrategy strategy = *votingFromName(m_strategy);
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_input, job));
        HEADSCOPE_CHECK(oneLayerAndStage(input, "retrieve"));
        HEADSCOPE_TRY(SearchVectors searched,
                      loadSearchVectors(*input.cache, input.layers.front(), input.stages.front(), job));
        HEADSCOPE_TRY(Queries queries, loadQueries(input, searched, job));
        searched.heads = takeRows(searched.heads, input.rows);
        searched.full = takeRows(searched.full, input.rows);
        HEADSCOPE_TRY(const auto rankings, rank(strategy, input, searched, queries, common, job));
        Answer answer;
        answer.notices = idNotices(*input.documents);
        const auto more = vectorNotices(*(votesOnFullVectors(strategy) ? searched.full : searched.heads),
                                        allIndices(std::ssize(input.rows)));
        answer.notices.insert(answer.notices.end(), more.begin(), more.end());
        if (!queries.notice.empty())
            answer.notices.push_back(queries.notice);
        HEADSCOPE_CHECK(fill(answer, input, searched, queries, rankings));
        return answer;
    }

private:
    [[nodiscard]] Status checkChoices(const CommonOptions& common) const
    {
        HEADSCOPE_CHECK(m_input.check());
        const int sources = (m_queries.empty() ? 0 : 1) + (m_queryDocument.empty() ? 0 : 1) + (m_query.empty() ? 0 : 1);
        if (sources != 1)
            return wrongUse("--queries",
                            fmt::format("expected one of --queries, --query-document and --query, found {}",
                                        sources == 0 ? "none" : "several"));
        if (m_query.empty() != m_model.empty())
            return wrongUse(m_query.empty() ? "--query" : "--model",
                            "expected --query and --model together, found one of them");
        if (!m_prompt.empty() && m_query.empty())
            return wrongUse("--prompt", "expected --query for it to stand before, found none");
        if (m_top < 1)
            return wrongUse("--top", fmt::format("expected a number from 1, found {}", m_top));
        return checkTableOutput(m_output, common);
    }

    [[nodiscard]] Result<Queries> loadQueries(const CacheInput& input, const SearchVectors& searched,
                                              JobContext& job) const
    {
        if (!m_queries.empty())
            return readQueries(m_queries, input.layers.front(), input.stages.front(), searched, job);
        if (!m_queryDocument.empty())
            return queryDocument(m_queryDocument, input, searched);
        return queryText(m_query, m_model, m_prompt, enginePath(), input, searched, job);
    }

    /// The factor of every head: its own, times the score where the strategy weighs by it.
    [[nodiscard]] Result<std::vector<double>> weightsOf(VotingStrategy strategy, const CacheInput& input,
                                                        const HeadVectors& vectors, const CommonOptions& common,
                                                        JobContext& job) const
    {
        const ModelInfo& model = input.model();
        std::vector<double> weights(static_cast<std::size_t>(vectors.heads()), 1.0);
        if (votesByScore(strategy))
        {
            HEADSCOPE_TRY(weights, headScores(vectors, common.numThreads(), job));
        }
        if (!m_weights.empty())
        {
            HEADSCOPE_TRY(const auto factors, readHeadWeights(m_weights, vectors.heads(), model.groupSize()));
            std::transform(weights.begin(), weights.end(), factors.begin(), weights.begin(), std::multiplies<>());
        }
        HEADSCOPE_TRY(const auto heads, input.headsOf(vectors, m_input.heads));
        for (std::int64_t head = 0; head < vectors.heads(); ++head)
            if (!std::binary_search(heads.begin(), heads.end(), head))
                weights[static_cast<std::size_t>(head)] = 0;
        if (!m_muteGroups.empty())
        {
            const auto muted = parseHeadRanges(m_muteGroups, vectors.heads() / model.groupSize());
            if (!muted)
                return Error(muted.error()).atPlace("--mute-groups");
            for (const std::int64_t group : *muted)
                for (std::int64_t member = 0; member < model.groupSize(); ++member)
                    weights[static_cast<std::size_t>(group * model.groupSize() + member)] = 0;
        }
        if (!m_mute.empty())
        {
            const auto muted = parseHeadRanges(m_mute, vectors.heads());
            if (!muted)
                return Error(muted.error()).atPlace("--mute");
            for (const std::int64_t head : *muted)
                weights[static_cast<std::size_t>(head)] = 0;
        }
        return weights;
    }

    /// The ranking of every query, documents as rows of the cache.
    [[nodiscard]] Result<std::vector<Ranking>> rank(VotingStrategy strategy, const CacheInput& input,
                                                    const SearchVectors& searched, const Queries& queries,
                                                    const CommonOptions& common, JobContext& job) const
    {
        const bool standard = strategy == VotingStrategy::Standard;
        const std::int64_t parts = standard ? 1 : input.model().heads;
        auto documents = searched.heads;
        auto asking = queries.vectors.heads;
        if (votesOnFullVectors(strategy))
        {
            auto segments = asSegments(searched.full, parts);
            if (!segments)
                return Error(segments.error()).atPlace("--strategy");
            documents = std::move(*segments);
            HEADSCOPE_TRY(asking, asSegments(queries.vectors.full, parts));
        }
        std::vector<double> weights = {1.0};
        if (!standard)
        {
            HEADSCOPE_TRY(weights, weightsOf(strategy, input, *documents, common, job));
        }
        std::vector<std::vector<NearestList>> lists(static_cast<std::size_t>(asking->documents()),
                                                    std::vector<NearestList>(weights.size()));
        for (std::size_t head = 0; head < weights.size(); ++head)
        {
            HEADSCOPE_CHECK(job.checkStop());
            job.report("searching", head, weights.size(), "heads");
            const auto h = static_cast<std::int64_t>(head);
            const CosineIndex index(documents->head(h));
            parallelFor(common.numThreads(), asking->documents(), 1, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t query = begin; query < end; ++query)
                    lists[static_cast<std::size_t>(query)][head] =
                        nearestOthers(index, asking->vector(query, h), input.rows, queries.sameAs);
            });
        }
        std::vector<Ranking> rankings;
        for (const auto& ofQuery : lists)
            rankings.push_back(standard ? asRanking(ofQuery.front()) : fuseVotes(strategy, ofQuery, weights));
        return rankings;
    }

    /// The nearest documents as rows of the cache, without the query itself.
    [[nodiscard]] NearestList nearestOthers(const CosineIndex& index, std::span<const float> query,
                                            const std::vector<std::int64_t>& rows, std::int64_t self) const
    {
        const auto at = std::lower_bound(rows.begin(), rows.end(), self);
        const bool searched = self >= 0 && at != rows.end() && *at == self;
        NearestList list = index.nearestOthers(query, m_top, searched ? at - rows.begin() : -1);
        for (std::int64_t& document : list.documents)
            document = rows[static_cast<std::size_t>(document)];
        return list;
    }

    [[nodiscard]] static Ranking asRanking(const NearestList& list)
    {
        Ranking ranking;
        for (std::size_t rank = 0; rank < list.documents.size(); ++rank)
            ranking.push_back({list.documents[rank], list.distances[rank], {}});
        return ranking;
    }

    /// Categories for the measures: the named column, the only one, or none.
    [[nodiscard]] Result<std::vector<std::int32_t>> categories(const CacheInput& input) const
    {
        if (m_input.label.empty() && input.documents->labels.size() != 1)
            return std::vector<std::int32_t>();
        HEADSCOPE_TRY(LabelColumn labels, chooseLabel(input, m_input.label));
        return std::move(labels.codes);
    }

    [[nodiscard]] Status measure(Answer& answer, const CacheInput& input, const Queries& queries,
                                 const std::vector<Ranking>& rankings) const
    {
        HEADSCOPE_TRY(const auto relevant, relevantRows(m_relevant, queries, *input.documents));
        HEADSCOPE_TRY(const auto codes, categories(input));
        MeanRetrievalMetrics means;
        for (std::size_t query = 0; query < rankings.size(); ++query)
        {
            const auto wanted = relevant.find(queries.ids[query]);
            if (wanted == relevant.end())
                continue;
            std::vector<std::int64_t> ranked;
            for (const RetrievedDocument& result : rankings[query])
                ranked.push_back(result.document);
            means.add(measureRanking(ranked, wanted->second, codes));
        }
        if (means.queries() == 0)
            return Error{
                ErrorCode::InvalidArgument, "expected relevant documents of these queries, found none", m_relevant, {}};
        if (means.queries() < static_cast<std::int64_t>(rankings.size()))
            answer.notices.push_back(fmt::format("{} of {} queries have no relevant documents and are not measured",
                                                 static_cast<std::int64_t>(rankings.size()) - means.queries(),
                                                 rankings.size()));
        const Json metrics = metricsJson(means);
        const auto last = [&metrics](const char* key) {
            const auto& values = metrics[key];
            return values.empty() ? std::string("-") : fmt::format("{:.4f}", values.back().get<double>());
        };
        answer.text += "\n" + factsText({{fmt::format("success ratio at {}", m_top), last("success_ratio")},
                                         {fmt::format("weighted success at {}", m_top), last("weighted_success")},
                                         {fmt::format("nDCG at {}", m_top), last("ndcg")},
                                         {"MRR", fmt::format("{:.4f}", metrics["mrr"].get<double>())}});
        (*answer.json)["metrics"] = metrics;
        return {};
    }

    [[nodiscard]] Provenance provenanceOf(const CacheInput& input, const SearchVectors& searched,
                                          const Queries& queries) const
    {
        Provenance provenance("retrieve", input, m_input);
        provenance.add("strategy", m_strategy);
        provenance.add("top", m_top);
        for (const auto& [name, value] :
             {std::pair("queries", &m_queries), std::pair("query_document", &m_queryDocument),
              std::pair("query", &m_query), std::pair("query_model", &m_model), std::pair("prompt", &m_prompt),
              std::pair("weights", &m_weights), std::pair("mute", &m_mute), std::pair("mute_groups", &m_muteGroups),
              std::pair("relevant", &m_relevant)})
            if (!value->empty())
                provenance.add(name, *value);
        provenance.setInputHash(hashOfVectors(std::array{searched.heads.get(), searched.full.get(),
                                                         queries.vectors.heads.get(), queries.vectors.full.get()}));
        return provenance;
    }

    [[nodiscard]] Status fill(Answer& answer, const CacheInput& input, const SearchVectors& searched,
                              const Queries& queries, const std::vector<Ranking>& rankings) const
    {
        const std::vector<std::string> header = {"query", "rank", "document", "id", "votes", "heads", "who"};
        ResultTable table(header); // of files: ranks and documents count from 0
        ResultTable shown(header); // for people: the first is the first; a document stays its row
        Json list = Json::array();
        for (std::size_t query = 0; query < rankings.size(); ++query)
        {
            Json results = Json::array();
            std::int64_t rank = 0;
            for (const RetrievedDocument& result : rankings[query])
            {
                const std::string& id = input.documents->ids[static_cast<std::size_t>(result.document)];
                Json votes = Json::array();
                std::vector<std::int64_t> voters;
                for (const HeadVote& vote : result.byHead)
                {
                    votes.push_back(
                        {{"head", shownNumber(HeadIndex(vote.head))}, {"rank", vote.rank}, {"weight", vote.weight}});
                    voters.push_back(vote.head);
                }
                for (ResultTable* each : {&table, &shown})
                    each->add({queries.ids[query], each == &shown ? rank + 1 : rank, result.document, id, result.votes,
                               static_cast<std::int64_t>(result.byHead.size()), formatHeadRanges(voters)});
                ++rank;
                results.push_back({{"document", result.document},
                                   {"id", id},
                                   {"votes", result.votes},
                                   {"by_head", std::move(votes)}});
            }
            list.push_back({{"id", queries.ids[query]}, {"results", std::move(results)}});
        }
        const Provenance provenance = provenanceOf(input, searched, queries);
        *answer.json = {{"strategy", m_strategy}, {"queries", std::move(list)}};
        const bool full = votesOnFullVectors(*votingFromName(m_strategy));
        answer.text = fmt::format("{}; {}{}{}\n\n{}", headingOf(*searched.heads), m_strategy,
                                  m_strategy == "standard" ? " (votes: distances)" : "",
                                  full ? "; full: " + searched.fullSource : std::string(), shown.text());
        if (!m_relevant.empty() || !queries.relevant.empty())
            HEADSCOPE_CHECK(measure(answer, input, queries, rankings));
        (*answer.json)["output"] = m_output.empty() ? Json() : Json(m_output);
        provenance.writeTo(*answer.json);
        return m_output.empty() ? Status() : table.write(m_output, "retrieve", provenance);
    }

    InputOptions m_input;
    std::string m_queries;
    std::string m_queryDocument;
    std::string m_query;
    std::string m_model;
    std::string m_prompt;
    std::string m_strategy = "multirag";
    std::int64_t m_top = 10;
    std::string m_weights;
    std::string m_mute;
    std::string m_muteGroups;
    std::string m_relevant;
    std::string m_output;
};

} // namespace

std::unique_ptr<Verb> makeRetrieveVerb()
{
    return std::make_unique<RetrieveVerb>();
}

} // namespace headscope::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cache_input.h"
#include "app/cli/pooling.h"
#include "app/cli/result_table.h"
#include "app/cli/text_table.h"
#include "app/cli/verb.h"
#include "model/analysis/intervals.h"
#include "model/analysis/topics.h"
#include "model/base/parallel.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace headscope::cli
{
namespace
{

/// One line of the answer: the full vector, a pooling of heads, or a head.
struct MatchRow
{
    std::string name;
    std::optional<std::int64_t> head;
    std::vector<std::int64_t> hits; ///< [K]
};

/// The interval of every number of hits that occurs: rows with equal hits have equal intervals.
std::map<std::int64_t, Interval> intervalsOf(const std::vector<MatchRow>& rows, std::int64_t documents,
                                             const CommonOptions& common)
{
    std::map<std::int64_t, Interval> intervals;
    for (const MatchRow& row : rows)
        for (const std::int64_t hits : row.hits)
            intervals[hits] = {};
    std::vector<std::pair<const std::int64_t, Interval>*> entries;
    for (auto& entry : intervals)
        entries.push_back(&entry);
    parallelFor(common.numThreads(), static_cast<std::int64_t>(entries.size()), 1,
                [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t i = begin; i < end; ++i)
                    {
                        auto& [hits, interval] = *entries[static_cast<std::size_t>(i)];
                        interval = bootstrapShare(hits, documents, common.seed);
                    }
                });
    return intervals;
}

std::vector<std::int64_t> hitsOf(const MatchResult& result, std::int64_t row)
{
    const auto hits = result.hits.row(row);
    return {hits.begin(), hits.end()};
}

class MatchVerb : public Verb
{
public:
    void addOptions(CLI::App& app) override
    {
        m_input.addCacheOptions(app, true);
        app.add_option("--k", m_k, "1,5,10: how many nearest topics count")->delimiter(',');
        app.add_option("--pool", m_pool,
                       "heads as one vector beside the full one: concat, mean, score (mean weighted by head scores), "
                       "best:K (the K heads that match most at the first k) or groups (mean of each KV group)");
        app.add_option("-o,--output", m_output, ".csv, .tex or .h5");
    }

    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_input.check());
        HEADSCOPE_CHECK(checkTableOutput(m_output, common));
        std::optional<Pooling> pooling;
        if (!m_pool.empty())
        {
            HEADSCOPE_TRY(pooling, poolingFromText(m_pool));
        }
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_input, job));
        HEADSCOPE_CHECK(oneLayerAndStage(input, "match"));
        HEADSCOPE_TRY(const TopicData data,
                      loadTopicData(input, m_input, input.layers.front(), input.stages.front(), job));
        HEADSCOPE_TRY(const auto heads, input.headsOf(*data.documents, m_input.heads));
        TopicInput topicInput{
            data.documents.get(), data.topics.vectors.get(), data.full.documents.matrix(), data.full.topics.matrix(),
            &data.labels,         data.full.documents.source};
        auto result = matchTopics(topicInput, m_k, common.numThreads(), job);
        if (!result)
            return std::move(result).error().inFile(m_input.cache);
        std::vector<MatchRow> rows = {{"full", {}, hitsOf(*result, 0)}};
        if (pooling)
        {
            HEADSCOPE_TRY(const PooledPair pooled, poolHeads(*pooling, data, input.model(), heads, *result, input.rows,
                                                             common.numThreads(), job));
            topicInput.documents = pooled.documents.get();
            topicInput.topics = pooled.topics.get();
            HEADSCOPE_TRY(const MatchResult match, matchTopics(topicInput, m_k, common.numThreads(), job));
            rows.push_back({m_pool, {}, hitsOf(match, 1)});
            m_pooledHeads = pooled.heads;
        }
        for (const std::int64_t head : heads)
            rows.push_back({fmt::format("{} {}", unitName(input.stages.front()), shownNumber(HeadIndex(head))), head,
                            hitsOf(*result, 1 + head)});
        return answerFor(*result, rows, common);
    }

private:
    [[nodiscard]] Result<Answer> answerFor(const MatchResult& result, const std::vector<MatchRow>& rows,
                                           const CommonOptions& common) const
    {
        const auto intervals = intervalsOf(rows, result.documents, common);
        std::vector<std::string> header = {"row"};
        for (const std::int64_t k : result.k)
        {
            header.push_back(fmt::format("top {}", k));
            header.push_back(fmt::format("low {}", k));
            header.push_back(fmt::format("high {}", k));
        }
        ResultTable table(header);
        Answer answer;
        Json& json = *answer.json;
        json = {{"documents", result.documents}, {"topics", result.topics}, {"k", result.k}};
        Json list = Json::array();
        for (const MatchRow& row : rows)
        {
            std::vector<ResultTable::Cell> cells = {row.name};
            Json object = Json::object();
            Json ci = Json::object();
            if (row.head)
                object["head"] = shownNumber(HeadIndex(*row.head));
            for (std::size_t k = 0; k < result.k.size(); ++k)
            {
                const std::string key = fmt::format("top{}", result.k[k]);
                const double share = static_cast<double>(row.hits[k]) / static_cast<double>(result.documents);
                const Interval& interval = intervals.at(row.hits[k]);
                object[key] = share;
                ci[key] = {interval.low, interval.high};
                cells.insert(cells.end(), {share, interval.low, interval.high});
            }
            object["ci95"] = std::move(ci);
            table.add(std::move(cells));
            if (row.head)
                list.push_back(std::move(object));
            else if (&row == &rows.front())
                json["full"] = std::move(object);
            else
                json["pool"] = pooledJson(std::move(object));
        }
        json["heads"] = std::move(list);
        json["output"] = m_output.empty() ? Json() : Json(m_output);
        if (!m_output.empty())
            HEADSCOPE_CHECK(table.write(m_output, "match"));
        answer.text = fmt::format("{} labelled documents, {} topics; full: {}; low and high: 95 % by bootstrap\n\n{}",
                                  withCommas(result.documents), result.topics, result.fullSource, table.text());
        return answer;
    }

    [[nodiscard]] Json pooledJson(Json shares) const
    {
        Json heads = Json::array();
        for (const std::int64_t head : m_pooledHeads)
            heads.push_back(shownNumber(HeadIndex(head)));
        Json object = {{"name", m_pool}, {"heads", heads}};
        object.update(shares);
        return object;
    }

    InputOptions m_input;
    std::vector<std::int64_t> m_k = {1, 5, 10};
    std::vector<std::int64_t> m_pooledHeads;
    std::string m_pool;
    std::string m_output;
};

} // namespace

std::unique_ptr<Verb> makeMatchVerb()
{
    return std::make_unique<MatchVerb>();
}

} // namespace headscope::cli

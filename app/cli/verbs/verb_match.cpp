// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/data_notices.h"
#include "app/cli/pooling.h"
#include "app/cli/verb.h"
#include "app/commands/match_command.h"
#include "app/results/cache_input.h"
#include "app/results/provenance.h"
#include "app/results/result_table.h"
#include "app/results/text_table.h"
#include "model/analysis/statistics/intervals.h"
#include "model/analysis/topics/topics.h"
#include "model/base/parallel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

namespace headscope::cli
{
namespace
{

/// One line of the answer: the full vector, a pooling of heads, or a head.
struct MatchRow
{
    std::string name;
    std::optional<std::int64_t> head;
    std::int64_t measured = 0;           ///< documents
    std::vector<std::int64_t> hits;      ///< [K]
    std::vector<std::int64_t> poolHeads; ///< of a pooling, 0-based
};

/// Hits and documents.
using Counts = std::pair<std::int64_t, std::int64_t>;

/// The interval of every share that occurs: rows with equal counts have equal intervals.
Result<std::map<Counts, Interval>> intervalsOf(const std::vector<MatchRow>& rows, const CommonOptions& common,
                                               const JobContext& job)
{
    std::map<Counts, Interval> intervals;
    for (const MatchRow& row : rows)
        for (const std::int64_t hits : row.hits)
            intervals[{hits, row.measured}] = {};
    std::vector<std::pair<const Counts, Interval>*> entries;
    for (auto& entry : intervals)
        entries.push_back(&entry);
    parallelFor(common.numThreads(), static_cast<std::int64_t>(entries.size()), 1,
                [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t i = begin; i < end && !job.stopRequested(); ++i)
                    {
                        auto& [counts, interval] = *entries[static_cast<std::size_t>(i)];
                        interval = bootstrapShare(counts.first, counts.second, common.seed);
                    }
                });
    HEADSCOPE_CHECK(job.checkStop());
    return intervals;
}

std::vector<std::int64_t> hitsOf(const MatchResult& result, std::int64_t row)
{
    const auto hits = result.hits.row(row);
    return {hits.begin(), hits.end()};
}

/// "top 10", or "top 10 (all 8 topics)" where there are no more topics.
std::string shownTop(std::int64_t k, std::int64_t topics)
{
    return fmt::format("top {}{}", k, k >= topics ? fmt::format(" (all {} topics)", topics) : std::string());
}

class MatchVerb : public VerbOf<commands::MatchCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_command.input.check());
        HEADSCOPE_CHECK(checkTableOutput(m_command.output, common));
        const bool allPools = m_command.pool == std::vector<std::string>{"all"};
        if (allPools)
            m_command.pool = {"concat", "mean", "score", "best:4", "groups"};
        std::vector<Pooling> poolings;
        for (const std::string& name : m_command.pool)
        {
            HEADSCOPE_TRY(poolings.emplace_back(), poolingFromText(name));
        }
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_command.input, job));
        HEADSCOPE_CHECK(oneLayerAndStage(input, "match"));
        HEADSCOPE_TRY(const TopicData data,
                      loadTopicData(input, m_command.input, input.layers.front(), input.stages.front(), job));
        HEADSCOPE_TRY(const auto heads, input.headsOf(*data.documents, m_command.input.heads));
        for (std::size_t i = 0; allPools && i < poolings.size(); ++i)
            if (poolings[i].kind == PoolingKind::Best && poolings[i].best > std::ssize(heads))
            {
                // A mask or --heads may leave fewer than the four that nobody asked for.
                poolings[i].best = std::ssize(heads);
                m_command.pool[i] = fmt::format("best:{}", poolings[i].best);
            }
        TopicInput topicInput = data.input();
        auto result = matchTopics(topicInput, m_command.k, common.numThreads(), job);
        if (!result)
            return std::move(result).error().inFile(m_command.input.cache);
        std::vector<MatchRow> rows = {{"full", {}, result->measured[0], hitsOf(*result, 0), {}}};
        for (std::size_t i = 0; i < poolings.size(); ++i)
        {
            HEADSCOPE_TRY(const PooledPair pooled, poolHeads(poolings[i], data, input.model(), heads, *result,
                                                             input.rows, common.numThreads(), job));
            topicInput.documents = pooled.documents.get();
            topicInput.topics = pooled.topics.get();
            HEADSCOPE_TRY(const MatchResult match, matchTopics(topicInput, m_command.k, common.numThreads(), job));
            rows.push_back({m_command.pool[i], {}, match.measured[1], hitsOf(match, 1), pooled.heads});
        }
        for (const std::int64_t head : heads)
            rows.push_back({fmt::format("{} {}", unitName(input.stages.front()), shownNumber(HeadIndex(head))),
                            head,
                            result->measured[static_cast<std::size_t>(1 + head)],
                            hitsOf(*result, 1 + head),
                            {}});
        Provenance provenance("match", input, m_command.input);
        provenance.add("k", fmt::format("{}", fmt::join(m_command.k, ",")));
        if (!m_command.pool.empty())
            provenance.add("pool", fmt::format("{}", fmt::join(m_command.pool, ",")));
        provenance.add("seed", static_cast<std::int64_t>(common.seed));
        provenance.setInputHash(result->inputHash);
        HEADSCOPE_TRY(Answer answer, answerFor(*result, rows, provenance, common, job));
        answer.text = headingOf(*data.documents) + "; " + answer.text;
        answer.notices = data.notices;
        const auto more = topicNotices(data);
        answer.notices.insert(answer.notices.end(), more.begin(), more.end());
        return answer;
    }

private:
    [[nodiscard]] Result<Answer> answerFor(const MatchResult& result, const std::vector<MatchRow>& rows,
                                           const Provenance& provenance, const CommonOptions& common,
                                           const JobContext& job) const
    {
        HEADSCOPE_TRY(const auto intervals, intervalsOf(rows, common, job));
        std::vector<std::string> header = {"row"};
        std::vector<std::string> shownHeader = {"row"};
        for (const std::int64_t k : result.k)
        {
            for (const char* name : {"top", "low", "high"})
                header.push_back(fmt::format("{} {}", name, k));
            shownHeader.insert(shownHeader.end(), {shownTop(k, result.topics), "low", "high"});
        }
        ResultTable table(header);
        ResultTable shown(shownHeader);
        Answer answer;
        Json& json = *answer.json;
        json = {{"documents", result.documents}, {"topics", result.topics}, {"k", result.k}};
        Json list = Json::array();
        Json pools = Json::array();
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
                const double share = row.measured > 0
                                         ? static_cast<double>(row.hits[k]) / static_cast<double>(row.measured)
                                         : std::numeric_limits<double>::quiet_NaN();
                const Interval& interval = intervals.at({row.hits[k], row.measured});
                object[key] = share;
                ci[key] = {interval.low, interval.high};
                cells.insert(cells.end(), {share, interval.low, interval.high});
            }
            object["ci95"] = std::move(ci);
            if (row.measured != result.documents)
                object["documents"] = row.measured;
            shown.add(cells);
            table.add(std::move(cells));
            if (row.head)
                list.push_back(std::move(object));
            else if (&row == &rows.front())
                json["full"] = std::move(object);
            else
                pools.push_back(pooledJson(row, object));
        }
        if (!pools.empty())
        {
            json["pool"] = pools.front();
            json["pools"] = std::move(pools);
        }
        json["heads"] = std::move(list);
        json["output"] = m_command.output.empty() ? Json() : Json(m_command.output);
        provenance.writeTo(json);
        if (!m_command.output.empty())
            HEADSCOPE_CHECK(table.write(m_command.output, "match", provenance, {}, csvTexts(m_command.plainCsv)));
        answer.text = fmt::format("{} labelled documents, {} topics; full: {}; low and high: 95 % by bootstrap\n\n{}",
                                  withCommas(result.documents), result.topics, result.fullSource, shown.text());
        return answer;
    }

    [[nodiscard]] static Json pooledJson(const MatchRow& row, const Json& shares)
    {
        Json heads = Json::array();
        for (const std::int64_t head : row.poolHeads)
            heads.push_back(shownNumber(HeadIndex(head)));
        Json object = {{"name", row.name}, {"heads", heads}};
        object.update(shares);
        return object;
    }
};

} // namespace

std::unique_ptr<Verb> makeMatchVerb()
{
    return std::make_unique<MatchVerb>();
}

} // namespace headscope::cli

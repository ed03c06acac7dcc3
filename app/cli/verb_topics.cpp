// SPDX-License-Identifier: GPL-3.0-or-later
// similarity and match: topics against topics, and against their documents.
#include "app/cli/cache_input.h"
#include "app/cli/text_table.h"
#include "app/cli/verb.h"
#include "model/analysis/topics.h"
#include "model/base/file.h"
#include "model/io/result_writer.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>

namespace headscope::cli
{
namespace
{

Status oneLayerAndStage(const CacheInput& input, std::string_view verb)
{
    if (input.layers.size() != 1 || input.stages.size() != 1)
        return wrongUse(input.layers.size() != 1 ? "--layer" : "--stage",
                        fmt::format("expected one for {}, found several", verb));
    return {};
}

/// Topics at least so similar become one, named after the most frequent of them.
std::map<std::string, std::string> mergedNames(const TopicSimilarity& similarity, const LabelColumn& labels,
                                               double threshold)
{
    std::map<std::string, std::string> names;
    std::vector<std::int32_t> target(similarity.names.size(), -1);
    for (const std::int32_t code : labels.byFrequency())
    {
        const auto at = static_cast<std::size_t>(code);
        if (target[at] < 0)
            target[at] = code;
        // Every topic still free that is near enough joins, and what is near to those.
        std::vector<std::int32_t> waiting = {code};
        while (!waiting.empty() && target[at] == code)
        {
            const std::int32_t next = waiting.back();
            waiting.pop_back();
            for (std::size_t other = 0; other < target.size(); ++other)
            {
                if (target[other] >= 0 || !(similarity.values(next, static_cast<std::int64_t>(other)) >= threshold))
                    continue;
                target[other] = code;
                waiting.push_back(static_cast<std::int32_t>(other));
            }
        }
    }
    for (std::size_t t = 0; t < target.size(); ++t)
    {
        if (target[t] >= 0 && static_cast<std::size_t>(target[t]) != t)
            names[similarity.names[t]] = similarity.names[static_cast<std::size_t>(target[t])];
    }
    return names;
}

class SimilarityVerb : public Verb
{
public:
    void addOptions(CLI::App& app) override
    {
        m_input.addCacheOptions(app, true);
        app.add_option("--merge", m_merge, "cosine from which topics become one: writes a label map to -o X.json");
        app.add_option("-o,--output", m_output, ".csv with the similarities, .json with the label map");
    }

    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_input.check());
        const bool map = std::filesystem::path(m_output).extension() == ".json";
        if (!m_output.empty() && !map && std::filesystem::path(m_output).extension() != ".csv")
            return wrongUse("-o", fmt::format("expected a name ending in .csv or .json, found \"{}\"", m_output));
        if (map && !m_merge)
            return wrongUse("--merge", "expected a threshold for the label map, found none");
        if (!m_output.empty())
            HEADSCOPE_CHECK(checkOutputPath(m_output, common.overwrite));
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_input, job));
        HEADSCOPE_CHECK(oneLayerAndStage(input, "similarity"));
        HEADSCOPE_TRY(const TopicData data,
                      loadTopicData(input, m_input, input.layers.front(), input.stages.front(), job));
        HEADSCOPE_TRY(const TopicSimilarity similarity, topicSimilarity(data.full.topics.matrix(), data.topics.names));
        const auto merged =
            m_merge ? mergedNames(similarity, data.labels, *m_merge) : std::map<std::string, std::string>();
        if (map)
            HEADSCOPE_CHECK(
                writeFileAtomically(m_output, Json(merged).dump(2, ' ', false, Json::error_handler_t::replace) + "\n"));
        else if (!m_output.empty())
            HEADSCOPE_CHECK(writeSimilarityCsv(m_output, similarity));
        return answerFor(similarity, merged, data.full.topics.source);
    }

private:
    [[nodiscard]] Answer answerFor(const TopicSimilarity& similarity, const std::map<std::string, std::string>& merged,
                                   const std::string& source) const
    {
        Json values = Json::array();
        std::vector<std::string> header = {"topic"};
        header.insert(header.end(), similarity.names.begin(), similarity.names.end());
        TextTable table(header);
        for (std::size_t t = 0; t < similarity.names.size(); ++t)
        {
            const auto row = similarity.values.row(static_cast<std::int64_t>(t));
            values.push_back(std::vector<double>(row.begin(), row.end()));
            std::vector<std::string> cells = {similarity.names[t]};
            for (const double value : row)
                cells.push_back(std::isfinite(value) ? fmt::format("{:.2f}", value) : "-");
            table.add(std::move(cells));
        }
        Answer answer;
        *answer.json = {{"topics", similarity.names}, {"values", values}, {"full", source}};
        if (m_merge)
            (*answer.json)["merged"] = merged;
        (*answer.json)["output"] = m_output.empty() ? Json() : Json(m_output);
        answer.text = fmt::format("cosines of {}\n\n{}", source, table.text());
        for (const auto& [from, to] : merged)
            answer.text += fmt::format("{} -> {}\n", from, to);
        return answer;
    }

    InputOptions m_input;
    std::optional<double> m_merge;
    std::string m_output;
};

class MatchVerb : public Verb
{
public:
    void addOptions(CLI::App& app) override
    {
        m_input.addCacheOptions(app, true);
        app.add_option("--k", m_k, "1,5,10: how many nearest topics count")->delimiter(',');
        app.add_option("--pool", m_pool, "comes with a later version");
    }

    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_input.check());
        if (!m_pool.empty())
            return wrongUse("--pool", "comes with a later version");
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_input, job));
        HEADSCOPE_CHECK(oneLayerAndStage(input, "match"));
        HEADSCOPE_TRY(const TopicData data,
                      loadTopicData(input, m_input, input.layers.front(), input.stages.front(), job));
        HEADSCOPE_TRY(const auto heads, input.headsOf(*data.documents, m_input.heads));
        const TopicInput topicInput{
            data.documents.get(), data.topics.vectors.get(), data.full.documents.matrix(), data.full.topics.matrix(),
            &data.labels,         data.full.documents.source};
        auto result = matchTopics(topicInput, m_k, common.numThreads(), job);
        if (!result)
            return std::move(result).error().inFile(m_input.cache);
        return answerFor(*result, heads, input.stages.front());
    }

private:
    [[nodiscard]] static Answer answerFor(const MatchResult& result, const std::vector<std::int64_t>& heads,
                                          Stage stage)
    {
        std::vector<std::string> header = {"row"};
        for (const std::int64_t k : result.k)
            header.push_back(fmt::format("top {}", k));
        TextTable table(header);
        const auto row = [&](std::int64_t at, const std::string& name, Json& object) {
            std::vector<std::string> cells = {name};
            for (std::size_t k = 0; k < result.k.size(); ++k)
            {
                const double share = result.share(at, static_cast<std::int64_t>(k));
                object[fmt::format("top{}", result.k[k])] = share;
                cells.push_back(fmt::format("{:.4f}", share));
            }
            table.add(std::move(cells));
        };
        Json full = Json::object();
        row(0, "full", full);
        Json list = Json::array();
        for (const std::int64_t head : heads)
        {
            Json object = {{"head", shownNumber(HeadIndex(head))}};
            row(1 + head, fmt::format("{} {}", unitName(stage), shownNumber(HeadIndex(head))), object);
            list.push_back(std::move(object));
        }
        Answer answer;
        *answer.json = {{"documents", result.documents},
                        {"topics", result.topics},
                        {"k", result.k},
                        {"full", full},
                        {"heads", list}};
        answer.text = fmt::format("{} labelled documents, {} topics; full: {}\n\n{}", withCommas(result.documents),
                                  result.topics, result.fullSource, table.text());
        return answer;
    }

    InputOptions m_input;
    std::vector<std::int64_t> m_k = {1, 5, 10};
    std::string m_pool;
};

} // namespace

std::unique_ptr<Verb> makeSimilarityVerb()
{
    return std::make_unique<SimilarityVerb>();
}

std::unique_ptr<Verb> makeMatchVerb()
{
    return std::make_unique<MatchVerb>();
}

} // namespace headscope::cli

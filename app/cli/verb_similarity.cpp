// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cache_input.h"
#include "app/cli/text_table.h"
#include "app/cli/verb.h"
#include "model/analysis/topic_merge.h"
#include "model/analysis/topics.h"
#include "model/base/file.h"
#include "model/io/result_writer.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace headscope::cli
{
namespace
{

class SimilarityVerb : public Verb
{
public:
    void addOptions(CLI::App& app) override
    {
        m_input.addCacheOptions(app, true);
        app.add_option("--merge", m_merge, "mean cosine from which topics become one: writes a label map to -o X.json");
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
        const TopicMerge merge = m_merge ? proposeMerge(similarity, *m_merge) : TopicMerge();
        if (map)
            HEADSCOPE_CHECK(writeFileAtomically(
                m_output, Json(merge.labelMap).dump(2, ' ', false, Json::error_handler_t::replace) + "\n"));
        else if (!m_output.empty())
            HEADSCOPE_CHECK(writeSimilarityCsv(m_output, similarity));
        return answerFor(similarity, merge, data.full.topics.source);
    }

private:
    [[nodiscard]] Answer answerFor(const TopicSimilarity& similarity, const TopicMerge& merge,
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
            (*answer.json)["merged"] = merge.labelMap;
        (*answer.json)["output"] = m_output.empty() ? Json() : Json(m_output);
        answer.text = fmt::format("cosines of {}\n\n{}", source, table.text());
        if (m_merge)
            answer.text +=
                fmt::format("\n{} topics become {} at {}\n", similarity.names.size(), merge.groups.size(), *m_merge);
        for (const auto& [from, to] : merge.labelMap)
            answer.text += from == to ? std::string() : fmt::format("{} -> {}\n", from, to);
        return answer;
    }

    InputOptions m_input;
    std::optional<double> m_merge;
    std::string m_output;
};

} // namespace

std::unique_ptr<Verb> makeSimilarityVerb()
{
    return std::make_unique<SimilarityVerb>();
}

} // namespace headscope::cli

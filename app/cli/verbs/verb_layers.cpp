// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verb.h"
#include "app/commands/layers_command.h"
#include "app/results/cache_input.h"
#include "app/results/layer_table.h"
#include "app/results/provenance.h"
#include "app/results/text_table.h"
#include "model/analysis/heads/layer_measures.h"
#include "model/base/hash.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace headscope::cli
{
namespace
{

class LayersVerb : public VerbOf<commands::LayersCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_command.input.check());
        HEADSCOPE_CHECK(checkTableOutput(m_command.output, common));
        if (m_command.neighbors < 1)
            return wrongUse("--neighbors", "expected at least 1");
        m_options = m_command.options(common.seed);
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_command.input, job));
        Answer answer;
        HEADSCOPE_TRY(const std::vector<std::int32_t> labels, labelsOf(input, answer));
        LayerList all;
        const std::size_t total = input.layers.size() * input.stages.size();
        for (const LayerIndex layer : input.layers)
        {
            for (const Stage stage : input.stages)
            {
                job.report("measuring", all.size(), total, "stages");
                JobContext inner(job.stopToken());
                HEADSCOPE_TRY(LayerMeasures one, measureOne(input, labels, layer, stage, common, inner));
                for (const std::string& sentence : one.missing)
                    answer.notices.push_back(
                        fmt::format("layer {} stage {}: {}", layer.value(), stageName(stage), sentence));
                all.push_back(std::make_shared<const LayerMeasures>(std::move(one)));
            }
        }
        const ResultTable table = layerTable(all);
        Provenance provenance("layers", input, m_command.input);
        provenance.add("c", m_options.probe.c);
        provenance.add("neighbors", std::int64_t{m_options.neighbors});
        provenance.add("seed", static_cast<std::int64_t>(common.seed));
        Json results = Json::array();
        for (const auto& each : all)
            results.push_back(layerJson(*each));
        *answer.json = {{"results", results}};
        provenance.writeTo(*answer.json);
        if (!m_command.output.empty())
        {
            HEADSCOPE_CHECK(table.write(m_command.output, "layers", provenance, {}, csvTexts(m_command.plainCsv)));
            (*answer.json)["output"] = m_command.output;
        }
        answer.text = fmt::format(
            "{} documents\n\n{}\nProbe accuracy: the head (stages 2 and 3: the segment) told from one of its vectors, "
            "with Wilson's 95 %\ninterval. Topic purity: share of a document's own label among its {} "
            "nearest, by the cosine of all heads\nor segments one after another. Redundancy: linear CKA, "
            "mean over their pairs.\n",
            withCommas(static_cast<std::int64_t>(input.rows.size())), table.text(), m_options.neighbors);
        return answer;
    }

private:
    /// Codes of the chosen documents, in their order; none without labels.
    [[nodiscard]] Result<std::vector<std::int32_t>> labelsOf(const CacheInput& input, Answer& answer) const
    {
        std::vector<std::int32_t> codes;
        if (input.documents->labels.empty() && m_command.input.label.empty())
            return codes;
        HEADSCOPE_TRY(const ChosenLabels chosen, loadLabels(input, m_command.input));
        answer.notices = chosen.notices;
        for (const std::int64_t row : input.rows)
            codes.push_back(chosen.labels.codes[static_cast<std::size_t>(row)]);
        return codes;
    }

    [[nodiscard]] Result<LayerMeasures> measureOne(const CacheInput& input, const std::vector<std::int32_t>& labels,
                                                   LayerIndex layer, Stage stage, const CommonOptions& common,
                                                   JobContext& job) const
    {
        HEADSCOPE_TRY(const auto vectors, input.cache->load(layer, stage, {}, job));
        HEADSCOPE_TRY(const auto heads, input.headsOf(*vectors, m_command.input.heads));
        const bool all = static_cast<std::int64_t>(input.rows.size()) == vectors->documents();
        const auto chosen = all ? vectors : takeRows(vectors, input.rows);
        auto measured =
            measureLayer(*chosen, heads, input.model().groupSize(), labels, m_options, common.numThreads(), job);
        if (!measured)
            return std::move(measured)
                .error()
                .inFile(m_command.input.cache)
                .atPlace(fmt::format("layer {} stage {}", layer.value(), stageName(stage)));
        return measured;
    }

    LayerOptions m_options;
};

} // namespace

std::unique_ptr<Verb> makeLayersVerb()
{
    return std::make_unique<LayersVerb>();
}

} // namespace headscope::cli

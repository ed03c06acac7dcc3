// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cache_input.h"
#include "app/cli/result_table.h"
#include "app/cli/text_table.h"
#include "app/cli/verb.h"
#include "model/analysis/pruning.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>

namespace headscope::cli
{
namespace
{

/// What an order of removing or adding gave, and what all heads together give.
struct Pruned
{
    double baseline = 0;
    std::vector<PruningStep> steps;
};

class PruneVerb : public Verb
{
public:
    void addOptions(CLI::App& app) override
    {
        m_input.addCacheOptions(app, true);
        app.add_option("--units", m_units, "heads (default) or groups: a key/value head with its query heads")
            ->check(CLI::IsMember({"heads", "groups"}));
        app.add_option("--measure", m_measure, "match1, match5 (default) or match10")
            ->check(CLI::IsMember({"match1", "match5", "match10", "probe", "retrieval"}));
        app.add_option("--order", m_order,
                       "single (default: each unit alone taken away), backward (greedy, one after another) or forward "
                       "(greedy, added one after another)")
            ->check(CLI::IsMember({"single", "backward", "forward"}));
        app.add_option("-o,--output", m_output, ".csv, .tex or .h5");
    }

    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_input.check());
        if (!m_measure.starts_with("match"))
            return wrongUse("--measure", fmt::format("\"{}\" comes with a later version; match1, match5 and match10 "
                                                     "are there",
                                                     m_measure));
        if (!m_input.heads.empty() && m_input.heads != "all")
            return wrongUse("--heads", "expected all heads, as units are taken away from the whole, found a choice");
        HEADSCOPE_CHECK(checkTableOutput(m_output, common));
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_input, job));
        HEADSCOPE_CHECK(oneLayerAndStage(input, "prune"));
        HEADSCOPE_TRY(const TopicData data,
                      loadTopicData(input, m_input, input.layers.front(), input.stages.front(), job));
        HEADSCOPE_CHECK(checkHeads(input, *data.documents));
        HEADSCOPE_TRY(const HeadMatch match, HeadMatch::create(*data.documents, *data.topics.vectors, data.labels.codes,
                                                               common.numThreads(), job));
        if (match.labelled() == 0)
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected documents with a label in column \"{}\", found none", data.labels.name),
                         m_input.cache,
                         {}};
        HEADSCOPE_TRY(const Pruned pruned, prune(match, input.model(), job));
        return answerFor(pruned, match, input.model());
    }

private:
    [[nodiscard]] bool byGroups() const { return m_units == "groups"; }
    [[nodiscard]] bool adds() const { return m_order == "forward"; }

    [[nodiscard]] Status checkHeads(const CacheInput& input, const HeadVectors& vectors) const
    {
        if (vectors.heads() != input.model().heads)
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected a stage of {} heads, found one kept uncut", input.model().heads),
                         m_input.cache, "--stage"};
        if (byGroups() && (input.model().kvHeads < 1 || input.model().heads % input.model().kvHeads != 0))
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected a number of key/value heads that divides {}, found {}",
                                     input.model().heads, input.model().kvHeads),
                         m_input.cache, "--units"};
        return {};
    }

    [[nodiscard]] Result<Pruned> prune(const HeadMatch& match, const ModelInfo& model, JobContext& job) const
    {
        std::int64_t k = 0;
        const std::string digits = m_measure.substr(std::string_view("match").size());
        std::from_chars(digits.data(), digits.data() + digits.size(), k);
        const PruningUnit unit = byGroups() ? PruningUnit::Groups : PruningUnit::Heads;
        Pruned pruned;
        pruned.baseline =
            static_cast<double>(match.hits(allIndices(match.heads()), k)) / static_cast<double>(match.labelled());
        if (m_order == "single")
        {
            pruned.steps = withoutEach(match, model, unit, k);
            return pruned;
        }
        HEADSCOPE_TRY(pruned.steps, adds() ? forwardSelection(match, model, unit, k, job)
                                           : backwardElimination(match, model, unit, k, job));
        pruned.steps.erase(pruned.steps.begin()); // the starting point
        return pruned;
    }

    [[nodiscard]] Result<Answer> answerFor(const Pruned& pruned, const HeadMatch& match, const ModelInfo& model) const
    {
        ResultTable table({adds() ? "added" : "removed", "value", "change", "parameters saved", "kv bytes saved"});
        Json steps = Json::array();
        for (const PruningStep& step : pruned.steps)
        {
            const std::int64_t unit = step.unit + 1;
            table.add({unit, step.value, step.value - pruned.baseline, step.parametersSaved, step.kvBytesSaved});
            Json object = {{"removed", adds() ? Json() : Json(unit)}};
            if (adds())
                object["added"] = unit;
            object.update(Json{{"value", step.value},
                               {"parameters_saved", step.parametersSaved},
                               {"kv_bytes_saved", step.kvBytesSaved}});
            steps.push_back(std::move(object));
        }
        if (!m_output.empty())
            HEADSCOPE_CHECK(table.write(m_output, "prune"));
        Answer answer;
        *answer.json = {{"units", m_units},
                        {"measure", m_measure},
                        {"order", m_order},
                        {"documents", match.labelled()},
                        {"baseline", pruned.baseline},
                        {"steps", std::move(steps)}};
        (*answer.json)["output"] = m_output.empty() ? Json() : Json(m_output);
        answer.text = fmt::format("{} labelled documents; {} of all heads: {:.4f}\n\n{}", withCommas(match.labelled()),
                                  m_measure, pruned.baseline, table.text());
        answer.text += "\nSaved in this layer: parameters of its attention, bytes of the key/value cache per token "
                       "at 2 bytes a number.\n";
        if (!byGroups() && model.groupSize() > 1)
            answer.text +=
                fmt::format("A single head saves no cache: {} heads share one key/value head.\n", model.groupSize());
        return answer;
    }

    InputOptions m_input;
    std::string m_units = "heads";
    std::string m_measure = "match5";
    std::string m_order = "single";
    std::string m_output;
};

} // namespace

std::unique_ptr<Verb> makePruneVerb()
{
    return std::make_unique<PruneVerb>();
}

} // namespace headscope::cli

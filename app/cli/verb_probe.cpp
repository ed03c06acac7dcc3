// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cache_input.h"
#include "app/cli/text_table.h"
#include "app/cli/verb.h"
#include "model/analysis/probe.h"
#include "model/base/file.h"
#include "model/base/hash.h"
#include "model/io/matrix_file.h"
#include "model/io/result_writer.h"
#include "viz/export/figures.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace headscope::cli
{
namespace
{

Json resultJson(const ProbeResult& result)
{
    Json heads = Json::array();
    for (const HeadScore& score : result.perHead)
        heads.push_back({{"head", shownNumber(HeadIndex(score.head))},
                         {"precision", score.precision},
                         {"recall", score.recall},
                         {"f1", score.f1}});
    Json confusion = Json::array();
    for (std::int64_t row = 0; row < result.confusion.rows(); ++row)
    {
        const auto counts = result.confusion.row(row);
        confusion.push_back(std::vector<std::int64_t>(counts.begin(), counts.end()));
    }
    Json stage;
    if (result.stage)
    {
        const std::string name(stageName(*result.stage));
        stage = name.size() == 1 ? Json(name[0] - '0') : Json(name);
    }
    return {{"stage", stage},
            {"layer", result.layer ? Json(*result.layer) : Json()},
            {"accuracy", result.accuracy},
            {"ci95", {result.ci95Low, result.ci95High}},
            {"macro_f1", result.macroF1},
            {"objective", result.objective},
            {"gradient", result.gradientNorm},
            {"iterations", result.iterations},
            {"seconds", result.seconds},
            {"within_group_error", result.withinGroupError},
            {"across_group_error", result.acrossGroupError},
            {"per_head", heads},
            {"confusion", confusion}};
}

Answer answerFor(const std::vector<ProbeResult>& results, const std::string& output)
{
    Json all = Json::array();
    TextTable table({"layer", "stage", "accuracy", "95 % interval", "macro F1", "within group", "across groups",
                     "iterations", "seconds"});
    for (const ProbeResult& result : results)
    {
        all.push_back(resultJson(result));
        table.add({result.layer ? std::to_string(*result.layer) : "-",
                   result.stage ? fmt::format("{} ({}s)", stageName(*result.stage), unitName(*result.stage)) : "-",
                   fmt::format("{:.4f}", result.accuracy),
                   fmt::format("{:.4f} to {:.4f}", result.ci95Low, result.ci95High),
                   fmt::format("{:.4f}", result.macroF1), fmt::format("{:.4f}", result.withinGroupError),
                   fmt::format("{:.4f}", result.acrossGroupError), std::to_string(result.iterations),
                   fmt::format("{:.2f}", result.seconds)});
    }
    const ProbeResult& first = results.front();
    Answer answer;
    *answer.json = {{"train", first.trainRows}, {"test", first.testRows}, {"classes", first.classes}, {"results", all}};
    if (!output.empty())
        (*answer.json)["output"] = output;
    answer.text = fmt::format("{} classes, {} rows to train, {} to test\n\n{}", first.classes,
                              withCommas(first.trainRows), withCommas(first.testRows), table.text());
    for (const ProbeResult& result : results)
    {
        if (!result.converged)
            answer.notices.push_back(
                fmt::format("a probe stopped after {} iterations before it had converged", result.iterations));
    }
    return answer;
}

Result<std::vector<std::int32_t>> readClasses(const std::string& source, std::int64_t rows)
{
    HEADSCOPE_TRY(const auto labels, readIntegers(source));
    if (static_cast<std::int64_t>(labels.size()) != rows)
        return Error{ErrorCode::ShapeMismatch,
                     fmt::format("expected one label for each of {} rows, found {}", rows, labels.size()),
                     source,
                     {}};
    constexpr std::int64_t kMostClasses = 100'000;
    std::vector<std::int32_t> classes;
    for (std::size_t i = 0; i < labels.size(); ++i)
    {
        if (labels[i] < 0 || labels[i] >= kMostClasses)
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected labels from 0 to {}, found {}", kMostClasses - 1, labels[i]), source,
                         fmt::format("row {}", i)};
        classes.push_back(static_cast<std::int32_t>(labels[i]));
    }
    return classes;
}

Result<std::vector<std::int64_t>> readTestRows(const std::string& source, std::int64_t rows)
{
    HEADSCOPE_TRY(auto tests, readIntegers(source));
    const auto bad = std::find_if(tests.begin(), tests.end(), [&](std::int64_t row) { return row < 0 || row >= rows; });
    if (bad != tests.end())
        return Error{ErrorCode::InvalidArgument, fmt::format("expected rows from 0 to {}, found {}", rows - 1, *bad),
                     source, fmt::format("entry {}", bad - tests.begin())};
    return tests;
}

class ProbeVerb : public Verb
{
public:
    void addOptions(CLI::App& app) override
    {
        m_input.addCacheOptions(app, false);
        m_input.addMatrixOptions(app, true);
        app.add_option("--c", m_options.c, "weight of the data against the penalty (1)");
        app.add_option("--test", m_options.testShare, "share that tests (0.2)");
        app.add_option("--train", m_options.trainRows, "rows to train at most (default: all others)");
        app.add_option("--split", m_split, "documents (default) or rows")->check(CLI::IsMember({"documents", "rows"}));
        app.add_flag("--control", m_options.control, "labels shuffled: accuracy must fall to chance");
        app.add_option("-o,--output", m_output, ".h5, .png, .pdf or .svg");
    }

    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_input.check());
        if (!m_output.empty())
        {
            const auto ending = std::filesystem::path(m_output).extension();
            m_picture = ending != ".h5" && ending != ".hdf5";
            if (const auto format = viz::figureFormat(m_output); m_picture && !format)
                return wrongUse(
                    "-o", fmt::format("expected a name ending in .h5, .png, .pdf or .svg, found \"{}\"", m_output));
            HEADSCOPE_CHECK(checkOutputPath(m_output, common.overwrite));
        }
        if (m_options.c <= 0)
            return wrongUse("--c", "expected a number above 0");
        m_options.seed = common.seed;
        m_options.split = m_split == "rows" ? ProbeSplit::Rows : ProbeSplit::Documents;
        ModelInfo model;
        std::vector<ProbeResult> results;
        if (m_input.vectors.empty())
        {
            HEADSCOPE_TRY(results, probeCache(common, model, job));
        }
        else
        {
            HEADSCOPE_TRY(results, probeMatrix(common, job));
            model.heads = results.front().classes;
            model.kvHeads = 1;
        }
        if (!m_output.empty())
            HEADSCOPE_CHECK(writeOutput(results, model, common));
        return answerFor(results, m_output);
    }

private:
    [[nodiscard]] Result<std::vector<ProbeResult>> probeCache(const CommonOptions& common, ModelInfo& model,
                                                              JobContext& job) const
    {
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_input, job));
        model = input.model();
        std::vector<ProbeResult> results;
        for (const LayerIndex layer : input.layers)
        {
            for (const Stage stage : input.stages)
            {
                HEADSCOPE_TRY(const auto vectors, input.cache->load(layer, stage, {}, job));
                HEADSCOPE_TRY(const auto heads, input.headsOf(*vectors, m_input.heads));
                const HeadPoints points = gatherPoints(*vectors, input.rows, heads);
                auto result =
                    probeHeads(points, heads, model.groupSize(), stage, layer, m_options, common.numThreads(), job);
                if (!result)
                    return std::move(result)
                        .error()
                        .inFile(m_input.cache)
                        .atPlace(fmt::format("layer {} stage {}", layer.value(), stageName(stage)));
                results.push_back(std::move(*result));
            }
        }
        return results;
    }

    [[nodiscard]] Result<std::vector<ProbeResult>> probeMatrix(const CommonOptions& common, JobContext& job)
    {
        if (m_input.labels.empty())
            return wrongUse("--labels", "expected the class of each row of --vectors, found none");
        HEADSCOPE_TRY(const HeadPoints points, readPoints(m_input.vectors));
        const std::int64_t rows = points.vectors.rows();
        HEADSCOPE_TRY(const auto classes, readClasses(m_input.labels, rows));
        std::vector<std::int64_t> tests;
        if (!m_input.testRows.empty())
        {
            HEADSCOPE_TRY(tests, readTestRows(m_input.testRows, rows));
        }
        m_options.split = ProbeSplit::Rows;
        ProbeInput input;
        input.rows = points.vectors.view();
        input.labels = classes;
        input.testRows = tests;
        auto result = runProbe(input, m_options, common.numThreads(), job);
        if (!result)
            return std::move(result).error().inFile(m_input.vectors);
        return std::vector<ProbeResult>{std::move(*result)};
    }

    [[nodiscard]] Status writeOutput(const std::vector<ProbeResult>& results, const ModelInfo& model,
                                     const CommonOptions& common) const
    {
        if (!m_picture)
            return writeProbe(m_output, results);
        viz::FigureOptions options;
        options.overwrite = common.overwrite;
        return viz::exportProbe(results, model, m_output, options);
    }

    InputOptions m_input;
    ProbeOptions m_options;
    std::string m_split = "documents";
    std::string m_output;
    bool m_picture = false;
};

} // namespace

std::unique_ptr<Verb> makeProbeVerb()
{
    return std::make_unique<ProbeVerb>();
}

} // namespace headscope::cli

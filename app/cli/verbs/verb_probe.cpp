// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/figure_files.h"
#include "app/cli/verb.h"
#include "app/commands/probe_command.h"
#include "app/frames/frame_json.h"
#include "app/results/cache_input.h"
#include "app/results/frame_output.h"
#include "app/results/probe_text.h"
#include "app/results/provenance.h"
#include "model/analysis/probe/probe.h"
#include "model/analysis/probe/probe_baselines.h"
#include "model/base/file_ending.h"
#include "model/base/hash.h"
#include "model/base/output/output_file.h"
#include "model/data/results/probe_frame.h"
#include "model/io/results/matrix_file.h"
#include "model/io/results/result_writer.h"
#include "viz/export/probe_figures.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <limits>

namespace headscope::cli
{
namespace
{

Answer answerFor(const std::vector<ProbeResult>& results, const ModelInfo& model, const std::string& output)
{
    const ProbeResult& first = results.front();
    Answer answer;
    addMembers(*answer.json,
               {{"train", first.trainRows},
                {"test", first.testRows},
                {"classes", first.classes},
                {"results", listNode(results, [](const ProbeResult& each) { return Node(probeResult(each)); })}});
    (*answer.json)["output"] = textJson(output);
    answer.text = probeText(results, model);
    answer.notices = probeNotices(results);
    return answer;
}

Result<std::vector<std::int32_t>> readClasses(const std::string& source, std::int64_t rows, JobContext& job)
{
    HEADSCOPE_TRY(const auto labels, readIntegers(source, job));
    if (static_cast<std::int64_t>(labels.size()) != rows)
        return Error{ErrorCode::ShapeMismatch,
                     fmt::format("expected one label for each of {} rows, found {}", rows, labels.size()),
                     source,
                     {}};
    // Each pair of classes has a cell in the confusion matrix; a number beyond the rows is an id, and no class.
    const std::int64_t most = std::min<std::int64_t>(rows, 4096);
    std::vector<std::int32_t> classes;
    for (std::size_t i = 0; i < labels.size(); ++i)
    {
        if (labels[i] < 0 || labels[i] >= most)
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected classes from 0 to {} for {} rows, found {}", most - 1, rows, labels[i]),
                         source, fmt::format("row {}", i)};
        classes.push_back(static_cast<std::int32_t>(labels[i]));
    }
    return classes;
}

Result<std::vector<std::int64_t>> readTestRows(const std::string& source, std::int64_t rows, JobContext& job)
{
    HEADSCOPE_TRY(auto tests, readIntegers(source, job));
    const auto bad = std::find_if(tests.begin(), tests.end(), [&](std::int64_t row) { return row < 0 || row >= rows; });
    if (bad != tests.end())
        return Error{ErrorCode::InvalidArgument, fmt::format("expected rows from 0 to {}, found {}", rows - 1, *bad),
                     source, fmt::format("entry {}", bad - tests.begin())};
    return tests;
}

class ProbeVerb : public VerbOf<commands::ProbeCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_command.input.check());
        if (!m_command.output.empty())
        {
            const auto ending = std::filesystem::path(m_command.output).extension();
            m_kind = hasHdf5Ending(m_command.output)        ? Output::Hdf5
                     : ending == ".csv" || ending == ".tex" ? Output::Table
                                                            : Output::Picture;
            if (m_kind == Output::Picture && !viz::figureFormat(m_command.output))
                return wrongUse(
                    "-o", fmt::format("expected a name ending in .h5, .csv, .tex, .png, .pdf or .svg, found \"{}\"",
                                      m_command.output));
            HEADSCOPE_CHECK(checkOutputPath(m_command.output, common.overwrite));
        }
        HEADSCOPE_CHECK(FigureFiles::check(m_command.output, m_command.figure, common, figureRecipe(common).inputs));
        m_options = m_command.probe;
        m_options.seed = common.seed;
        if (m_command.baselines == "on" && (m_command.probe.control || !m_command.input.vectors.empty()))
            return wrongUse("--baselines",
                            m_command.probe.control
                                ? "cannot be combined with --control: baselines need the true labels"
                                : "cannot be combined with --vectors: baselines need the documents of a cache");
        ModelInfo model;
        std::vector<ProbeResult> results;
        if (m_command.input.vectors.empty())
        {
            HEADSCOPE_TRY(results, probeCache(common, model, job));
        }
        else
        {
            HEADSCOPE_TRY(results, probeMatrix(common, job));
            model.heads = results.front().classes;
            model.kvHeads = 1;
        }
        addParameters(results);
        Answer answer = answerFor(results, model, m_command.output);
        m_provenance.writeTo(*answer.json);
        if (!m_command.output.empty())
            HEADSCOPE_CHECK(m_kind == Output::Picture ? writePicture(results, model, common, answer, job)
                                                      : writeTable(results));
        return answer;
    }

private:
    enum class Output
    {
        Hdf5,
        Table,
        Picture
    };

    [[nodiscard]] Result<std::vector<ProbeResult>> probeCache(const CommonOptions& common, ModelInfo& model,
                                                              JobContext& job)
    {
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_command.input, job));
        model = input.model();
        m_cache = input.cache;
        m_provenance = Provenance("probe", input, m_command.input);
        std::vector<ProbeResult> results;
        const std::size_t total = input.layers.size() * input.stages.size();
        const bool baselines = wantsBaselines(input, total);
        for (const LayerIndex layer : input.layers)
        {
            for (const Stage stage : input.stages)
            {
                // One layer and stage in memory at a time; a sweep reports itself, not each of its fits.
                JobContext inner(job.stopToken());
                JobContext& fitJob = total > 1 ? inner : job;
                HEADSCOPE_TRY(const auto points, pointsOf(input, layer, stage, common.numThreads(), fitJob));
                if (total > 1)
                    job.report("probing", results.size(), total, "probes");
                auto result = baselines
                                  ? probeHeadsWithBaselines(points.points, points.heads, model.groupSize(), stage,
                                                            layer, m_options, m_baselines, common.numThreads(), fitJob)
                                  : probeHeads(points.points, points.heads, model.groupSize(), stage, layer, m_options,
                                               common.numThreads(), fitJob);
                if (!result)
                    return std::move(result)
                        .error()
                        .inFile(m_command.input.cache)
                        .atPlace(fmt::format("layer {} stage {}", layer.value(), stageName(stage)));
                results.push_back(std::move(*result));
            }
        }
        return results;
    }

    /// Whether the baselines are asked for, or few enough numbers to be made unasked.
    [[nodiscard]] bool wantsBaselines(const CacheInput& input, std::size_t probes)
    {
        m_baselines.splits = static_cast<int>(m_command.splits);
        if (m_options.control || m_command.baselines != "auto")
            return !m_options.control && m_command.baselines == "on";
        const ModelInfo& model = input.model();
        return std::ssize(input.rows) * model.heads * model.headDim * static_cast<std::int64_t>(probes) <=
               kMaxBaselineNumbers;
    }

    struct ChosenPoints
    {
        HeadPoints points;
        std::vector<std::int64_t> heads;
    };

    [[nodiscard]] Result<ChosenPoints> pointsOf(const CacheInput& input, LayerIndex layer, Stage stage, int numThreads,
                                                JobContext& job) const
    {
        HEADSCOPE_TRY(const auto vectors, input.cache->load(layer, stage, {}, job));
        HEADSCOPE_TRY(auto heads, input.headsOf(*vectors, m_command.input.heads));
        return ChosenPoints{gatherPoints(*vectors, input.rows, heads, numThreads), std::move(heads)};
    }

    /// What the results were made with; of several the hash is that of their inputs' hashes.
    void addParameters(const std::vector<ProbeResult>& results)
    {
        addProbeOptions(m_provenance, m_options, m_command.input.testRows.empty());
        if (results.front().baselines)
            m_provenance.add("splits", std::int64_t{m_baselines.splits});
        std::string hashes;
        for (const ProbeResult& result : results)
            hashes += result.inputHash;
        m_provenance.setInputHash(results.size() == 1 ? hashes : xxh3Hex(std::as_bytes(std::span(hashes))));
    }

    [[nodiscard]] Result<std::vector<ProbeResult>> probeMatrix(const CommonOptions& common, JobContext& job)
    {
        m_provenance.add("verb", std::string("probe"));
        m_provenance.add("vectors", std::filesystem::path(m_command.input.vectors).filename().string());
        if (m_command.input.labels.empty())
            return wrongUse("--labels", "this option is missing: it names the class of each row of --vectors");
        HEADSCOPE_TRY(const HeadPoints points, readPoints(m_command.input.vectors, job));
        const std::int64_t rows = points.vectors.rows();
        HEADSCOPE_TRY(const auto classes, readClasses(m_command.input.labels, rows, job));
        std::vector<std::int64_t> tests;
        if (!m_command.input.testRows.empty())
        {
            HEADSCOPE_TRY(tests, readTestRows(m_command.input.testRows, rows, job));
        }
        m_options.split = ProbeSplit::Rows;
        ProbeInput input;
        input.rows = points.vectors.view();
        input.labels = classes;
        input.testRows = tests;
        auto result = runProbe(input, m_options, common.numThreads(), job);
        if (!result)
            return std::move(result).error().inFile(m_command.input.vectors);
        return std::vector<ProbeResult>{std::move(*result)};
    }

    [[nodiscard]] Status writeTable(const std::vector<ProbeResult>& results) const
    {
        if (m_kind == Output::Hdf5)
            return writeProbe(m_command.output, results);
        return writeFrameFile(m_command.output, probesFrame(results, {}, !m_command.output.ends_with(".tex")),
                              m_provenance, {}, csvTexts(m_command.plainCsv));
    }

    [[nodiscard]] Status writePicture(const std::vector<ProbeResult>& results, const ModelInfo& model,
                                      const CommonOptions& common, Answer& answer, JobContext& job) const
    {
        HEADSCOPE_TRY(FigureFiles files, FigureFiles::create(m_command.output, m_command.figure, common,
                                                             figureRecipe(common), m_provenance, m_cache.get(), job));
        HEADSCOPE_CHECK(files.draw(viz::figureOfProbe(results, model)));
        if (results.size() > 1 && results.front().baselines)
            answer.notices.emplace_back("a figure of several probes does not show the baselines; a table does "
                                        "(-o FILE.csv or FILE.tex)");
        return files.finish(answer, [&](const std::filesystem::path& path) {
            return writeFrameFile(path, probeNumbersFrame(results), m_provenance, {}, csvTexts(m_command.plainCsv));
        });
    }

    ProbeOptions m_options;
    ProbeBaselineOptions m_baselines;
    Provenance m_provenance;
    std::shared_ptr<CacheReader> m_cache; ///< null: of a plain matrix
    Output m_kind = Output::Picture;
};

} // namespace

std::unique_ptr<Verb> makeProbeVerb()
{
    return std::make_unique<ProbeVerb>();
}

} // namespace headscope::cli

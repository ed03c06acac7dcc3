// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cache_input.h"
#include "app/cli/text_table.h"
#include "app/cli/verb.h"
#include "model/analysis/make_map.h"
#include "model/base/file.h"
#include "model/io/cache_writer.h"
#include "model/io/matrix_file.h"
#include "model/io/result_writer.h"
#include "viz/export/figures.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <chrono>

namespace headscope::cli
{
namespace
{

struct TsneChoices
{
    InputOptions input;
    std::vector<double> perplexities = {30.0};
    int iterations = 750;
    double exaggeration = 12;
    int exaggerationIterations = 250;
    double lateExaggeration = 1;
    double learningRate = 0;
    double momentum = 0.8;
    double degreesOfFreedom = 1;
    bool autoStop = false;
    std::string metric = "euclidean";
    std::string init = "pca";
    std::string name = "map";
    std::string save;
    std::string output;
    std::string color = "head";
    std::string state;
    bool quality = false;
    bool aligned = false;
};

enum class OutputKind
{
    None,
    Hdf5,
    Csv,
    Picture,
};

Result<OutputKind> outputKind(const std::string& path)
{
    const auto ending = std::filesystem::path(path).extension().string();
    if (path.empty())
        return OutputKind::None;
    if (ending == ".h5" || ending == ".hdf5")
        return OutputKind::Hdf5;
    if (ending == ".csv")
        return OutputKind::Csv;
    if (ending == ".png" || ending == ".pdf" || ending == ".svg")
        return OutputKind::Picture;
    return wrongUse("-o", fmt::format("expected a name ending in .h5, .csv, .png, .pdf or .svg, found \"{}\"", path));
}

TsneOptions optionsFrom(const TsneChoices& choices, std::uint64_t seed)
{
    TsneOptions options;
    options.perplexities = choices.perplexities;
    options.iterations = choices.iterations;
    options.exaggeration = choices.exaggeration;
    options.exaggerationIterations = choices.exaggerationIterations;
    options.lateExaggeration = choices.lateExaggeration;
    options.learningRate = choices.learningRate;
    options.momentum = choices.momentum;
    options.degreesOfFreedom = choices.degreesOfFreedom;
    options.autoStop = choices.autoStop;
    options.metric = choices.metric == "cosine" ? Metric::Cosine : Metric::Euclidean;
    options.start = choices.init == "pca"      ? TsneStart::Pca
                    : choices.init == "random" ? TsneStart::Random
                                               : TsneStart::Given;
    options.seed = seed;
    return options;
}

/// The points of a map, and what they were taken from (nothing for a plain matrix).
struct Source
{
    HeadPoints points;
    Stage stage = Stage::HeadOutput;
    LayerIndex layer;
    ModelInfo model;
    std::optional<CacheInput> input;
    std::shared_ptr<const HeadVectors> vectors;
};

Result<Source> loadSource(const TsneChoices& choices, JobContext& job)
{
    Source source;
    if (!choices.input.vectors.empty())
    {
        HEADSCOPE_TRY(source.points, readPoints(choices.input.vectors));
        source.model.heads = 1;
        source.model.kvHeads = 1;
        source.model.name = choices.input.vectors;
        return source;
    }
    HEADSCOPE_TRY(CacheInput input, openCacheInput(choices.input, job));
    if (input.layers.size() != 1 || input.stages.size() != 1)
        return wrongUse(input.layers.size() != 1 ? "--layer" : "--stage", "expected one for a map, found several");
    source.layer = input.layers.front();
    source.stage = input.stages.front();
    HEADSCOPE_TRY(source.vectors, input.cache->load(source.layer, source.stage, {}, job));
    HEADSCOPE_TRY(const auto heads, input.headsOf(*source.vectors, choices.input.heads));
    source.points = gatherPoints(*source.vectors, input.rows, heads);
    source.model = input.model();
    source.input = std::move(input);
    return source;
}

Result<viz::PointColoring> coloringFor(const HeadMap& map, const Source& source, const std::string& color)
{
    const viz::HeadPalette palette(source.model);
    const QString unit = QString::fromStdString(std::string(unitName(source.stage)));
    if (color == "head")
        return viz::colorByHead(*map.points, palette, unit);
    if (color == "strength" && source.vectors)
        return viz::colorByStrength(*map.points, viz::strengthsOfPoints(*map.points, *source.vectors), palette, unit);
    const LabelColumn* label = source.input ? source.input->documents->label(color) : nullptr;
    if (label != nullptr)
        return viz::colorByLabel(*map.points, *label, viz::Theme::Light);
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("expected head, strength or the name of a label, found \"{}\"", color),
                 {},
                 "--color"};
}

Status writeOutput(const HeadMap& map, const Source& source, const TsneChoices& choices, OutputKind kind,
                   const CommonOptions& common, JobContext& job)
{
    switch (kind)
    {
    case OutputKind::None:
        return {};
    case OutputKind::Hdf5:
        return writeMapFile(choices.output, map, job);
    case OutputKind::Csv:
        return writeMapCsv(choices.output, map, source.input ? source.input->documents.get() : nullptr);
    case OutputKind::Picture:
        break;
    }
    HEADSCOPE_TRY(viz::PointColoring coloring, coloringFor(map, source, choices.color));
    viz::MapFigure figure{std::move(coloring), {}, {}, true, common.numThreads()};
    viz::FigureOptions options;
    options.overwrite = common.overwrite;
    return viz::exportMap(map, source.model, figure, choices.output, options);
}

class TsneVerb : public Verb
{
public:
    void addOptions(CLI::App& app) override
    {
        m_choices.input.addCacheOptions(app, false);
        m_choices.input.addMatrixOptions(app, false);
        app.add_option("--perplexity", m_choices.perplexities, "effective neighbours (30); 30,300: multiscale")
            ->delimiter(',');
        app.add_option("--iterations", m_choices.iterations, "iterations, exaggeration included (750)");
        app.add_option("--exaggeration", m_choices.exaggeration, "factor of the first iterations (12)");
        app.add_option("--exaggeration-iterations", m_choices.exaggerationIterations, "how many of them (250)");
        app.add_option("--late-exaggeration", m_choices.lateExaggeration, "factor afterwards (1)");
        app.add_option("--learning-rate", m_choices.learningRate, "0 (automatic: points / exaggeration, then / 3)");
        app.add_option("--momentum", m_choices.momentum, "share of the last step in the next (0.8)");
        app.add_option("--dof", m_choices.degreesOfFreedom,
                       "degrees of freedom of the kernel (1); less: finer clusters");
        app.add_flag("--auto-stop", m_choices.autoStop,
                     "end when the divergence hardly falls, at --iterations at the latest");
        app.add_option("--metric", m_choices.metric)->check(CLI::IsMember({"euclidean", "cosine"}));
        app.add_option("--init", m_choices.init, "pca, random or FILE.h5:/path");
        app.add_option("--name", m_choices.name, "name of the map below /maps (map)");
        app.add_option("--save", m_choices.save, "put the map into the cache under this name");
        app.add_option("-o,--output", m_choices.output, ".h5, .csv, .png, .pdf or .svg");
        app.add_option("--color", m_choices.color, "head, strength or a label, for pictures");
        app.add_option("--state", m_choices.state, "comes with a later version");
        app.add_flag("--quality", m_choices.quality, "comes with a later version");
        app.add_flag("--aligned", m_choices.aligned, "comes with a later version");
    }

    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        using Clock = std::chrono::steady_clock;
        const auto start = Clock::now();
        const auto secondsSince = [](Clock::time_point from) {
            return std::chrono::duration<double>(Clock::now() - from).count();
        };
        HEADSCOPE_TRY(const OutputKind kind, checkChoices(common));
        const TsneOptions options = optionsFrom(m_choices, common.seed);
        HEADSCOPE_CHECK(checkTsneOptions(options));
        MatrixF given;
        if (options.start == TsneStart::Given)
        {
            HEADSCOPE_TRY(given, readMatrix(m_choices.init));
        }
        HEADSCOPE_TRY(const Source source, loadSource(m_choices, job));
        const auto mapStart = Clock::now();
        TsneSeconds seconds;
        auto made = makeMap(
            source.points, source.stage, source.layer, options, common.numThreads(), job,
            [&seconds](const TsneState& state) { seconds = state.seconds(); },
            options.start == TsneStart::Given ? &given : nullptr);
        if (!made)
            return std::move(made).error().inFile(m_choices.input.cache.empty() ? m_choices.input.vectors
                                                                                : m_choices.input.cache);
        HeadMap map = std::move(*made);
        seconds.optimise = secondsSince(mapStart) - seconds.neighbors - seconds.affinities;
        map.name = m_choices.save.empty() ? m_choices.name : m_choices.save;
        HEADSCOPE_CHECK(writeOutput(map, source, m_choices, kind, common, job));
        if (!m_choices.save.empty())
            HEADSCOPE_CHECK(saveMap(m_choices.input.cache, map, common.overwrite, job));
        return answerFor(map, source, seconds, secondsSince(start));
    }

private:
    [[nodiscard]] Result<OutputKind> checkChoices(const CommonOptions& common) const
    {
        HEADSCOPE_CHECK(m_choices.input.check());
        if (m_choices.quality || m_choices.aligned || !m_choices.state.empty())
            return wrongUse(m_choices.quality   ? "--quality"
                            : m_choices.aligned ? "--aligned"
                                                : "--state",
                            "comes with a later version");
        for (const double perplexity : m_choices.perplexities)
        {
            if (!(perplexity >= 1))
                return wrongUse("--perplexity", fmt::format("expected a number from 1, found {}", perplexity));
        }
        if (!m_choices.save.empty() && m_choices.input.cache.empty())
            return wrongUse("--save", "expected a cache to save the map into, found plain vectors");
        HEADSCOPE_TRY(const OutputKind kind, outputKind(m_choices.output));
        if (kind != OutputKind::None)
            HEADSCOPE_CHECK(checkOutputPath(m_choices.output, common.overwrite));
        return kind;
    }

    [[nodiscard]] Answer answerFor(const HeadMap& map, const Source& source, const TsneSeconds& seconds,
                                   double total) const
    {
        const std::string output = !m_choices.output.empty() ? m_choices.output
                                   : m_choices.save.empty()  ? std::string()
                                                             : m_choices.input.cache;
        const auto& perplexities = map.options.perplexities;
        Answer answer;
        *answer.json = {{"points", map.xy.rows()},
                        {"dims", source.points.vectors.cols()},
                        {"perplexity", perplexities.size() == 1 ? Json(perplexities[0]) : Json(perplexities)},
                        {"iterations", map.iteration},
                        {"seconds",
                         {{"neighbors", seconds.neighbors},
                          {"affinities", seconds.affinities},
                          {"optimise", seconds.optimise},
                          {"total", total}}},
                        {"kl", map.kl},
                        {"hash", map.hash},
                        {"output", output.empty() ? Json() : Json(output)}};
        answer.text = factsText({
            {"points", fmt::format("{} of {} numbers", withCommas(map.xy.rows()), source.points.vectors.cols())},
            {"perplexity", fmt::format("{}", fmt::join(perplexities, ", "))},
            {"iterations", std::to_string(map.iteration)},
            {"seconds", fmt::format("{:.2f} (neighbours {:.2f}, affinities {:.2f}, iterations {:.2f})", total,
                                    seconds.neighbors, seconds.affinities, seconds.optimise)},
            {"KL", fmt::format("{:.4f}", map.kl)},
            {"hash", map.hash},
            {"output", output.empty() ? "none (-o FILE keeps the map)" : output},
        });
        if (map.leftOut > 0)
            answer.notices.push_back(fmt::format("{} vectors that hold NaN or infinity were left out", map.leftOut));
        return answer;
    }

    TsneChoices m_choices;
};

} // namespace

std::unique_ptr<Verb> makeTsneVerb()
{
    return std::make_unique<TsneVerb>();
}

} // namespace headscope::cli

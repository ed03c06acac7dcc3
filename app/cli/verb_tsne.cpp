// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/aligned_tsne.h"
#include "app/cli/tsne_answer.h"
#include "app/cli/tsne_run.h"
#include "app/cli/verb.h"
#include "app/shell/command.h"
#include "model/analysis/measure_map.h"
#include "model/base/clock.h"
#include "model/base/file.h"
#include "model/io/cache_writer.h"
#include "model/io/matrix_file.h"
#include "model/io/result_writer.h"
#include "viz/export/map_figures.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

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
    std::string palette = "standard";
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

Result<viz::PointColoring> coloringFor(const HeadMap& map, const TsneSource& source, const std::string& color,
                                       const std::string& labels)
{
    const viz::HeadPalette palette(source.model);
    const QString unit = QString::fromStdString(std::string(unitName(source.stage)));
    if (color == "head")
        return viz::colorByHead(*map.points, palette, unit);
    if (color == "strength" && source.vectors)
        return viz::colorByStrength(*map.points, viz::strengthsOfPoints(*map.points, *source.vectors), palette, unit);
    const LabelColumn* label = source.input ? source.input->documents->label(color) : nullptr;
    if (label != nullptr)
        return viz::colorByLabel(*map.points, *label, viz::Theme::Light, {},
                                 viz::paletteFromId(QString::fromStdString(labels)));
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("expected head, strength or the name of a label, found \"{}\"", color),
                 {},
                 "--color"};
}

Status writeOutput(const HeadMap& map, const TsneSource& source, const TsneChoices& choices, OutputKind kind,
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
    HEADSCOPE_TRY(viz::PointColoring coloring, coloringFor(map, source, choices.color, choices.palette));
    viz::MapFigure figure{std::move(coloring), {}, {}, true, common.numThreads()};
    viz::FigureOptions options;
    options.overwrite = common.overwrite;
    return viz::exportMap(map, source.model, figure, choices.output, options);
}

class TsneVerb : public Verb
{
public:
    void addOptions(shell::Command& command) override
    {
        m_choices.input.addCacheOptions(command, false);
        m_choices.input.addMatrixOptions(command, false);
        command.option("--perplexity", m_choices.perplexities, "effective neighbours (30); 30,300: multiscale")
            .separatedBy(',');
        command.option("--iterations", m_choices.iterations, "iterations, exaggeration included (750)");
        command.option("--exaggeration", m_choices.exaggeration, "factor of the first iterations (12)");
        command.option("--exaggeration-iterations", m_choices.exaggerationIterations, "how many of them (250)");
        command.option("--late-exaggeration", m_choices.lateExaggeration, "factor afterwards (1)");
        command.option("--learning-rate", m_choices.learningRate, "0 (automatic: points / exaggeration, then / 3)");
        command.option("--momentum", m_choices.momentum, "share of the last step in the next (0.8)");
        command.option("--dof", m_choices.degreesOfFreedom,
                       "degrees of freedom of the kernel (1); less: finer clusters");
        command.flag("--auto-stop", m_choices.autoStop,
                     "end when the divergence hardly falls, at --iterations at the latest");
        command.option("--metric", m_choices.metric).oneOf({"euclidean", "cosine"});
        command.option("--init", m_choices.init, "pca, random or FILE.h5:/path");
        command.option("--name", m_choices.name, "name of the map below /maps (map)");
        command.option("--save", m_choices.save, "put the map into the cache under this name");
        command.option("-o,--output", m_choices.output, ".h5, .csv, .png, .pdf or .svg");
        command.option("--color", m_choices.color, "head, strength or a label, for pictures");
        command
            .option("--palette", m_choices.palette,
                    "colours of labels: standard, colorblind, contrast or grey; shapes tell the others apart")
            .oneOf({"standard", "colorblind", "contrast", "grey"});
        command.option("--state", m_choices.state, "file that keeps the run: written on stop, read to go on");
        command.flag("--quality", m_choices.quality, "measure how far the map can be trusted");
        command.flag("--aligned", m_choices.aligned,
                     "a map of the full vector and one per head and stage, from a common start, aligned");
    }

    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        const auto start = Clock::now();
        HEADSCOPE_TRY(const OutputKind kind, checkChoices(common));
        const TsneOptions options = optionsFrom(m_choices, common.seed);
        HEADSCOPE_CHECK(checkTsneOptions(options));
        MatrixF given;
        if (options.start == TsneStart::Given)
        {
            HEADSCOPE_TRY(given, readMatrix(m_choices.init));
        }
        const MatrixF* from = options.start == TsneStart::Given ? &given : nullptr;
        const std::string& input = m_choices.input.cache.empty() ? m_choices.input.vectors : m_choices.input.cache;
        if (m_choices.aligned)
        {
            auto run = runAligned(m_choices.input, options, from, m_choices.quality, common.numThreads(), job);
            if (!run)
                return std::move(run).error().inFile(input);
            return finishAligned(*run, common, start, job);
        }
        HEADSCOPE_TRY(const TsneSource source, loadTsneSource(m_choices.input, job));
        auto run = runTsne(source, options, from, m_choices.state, common.numThreads(), job);
        if (!run)
            return run.error().code == ErrorCode::Cancelled ? std::move(run).error()
                                                            : std::move(run).error().inFile(input);
        HeadMap& map = run->map;
        if (m_choices.quality)
        {
            MapTrustOptions wanted;
            wanted.perplexities = options.perplexities;
            wanted.metric = options.metric;
            wanted.degreesOfFreedom = options.degreesOfFreedom;
            wanted.seed = options.seed;
            HEADSCOPE_TRY(map.trust,
                          measureMap(source.points.vectors.view(), map.xy.view(), wanted, common.numThreads(), job));
        }
        map.name = m_choices.save.empty() ? m_choices.name : m_choices.save;
        HEADSCOPE_CHECK(writeOutput(map, source, m_choices, kind, common, job));
        if (!m_choices.save.empty())
            HEADSCOPE_CHECK(saveMap(m_choices.input.cache, map, common.overwrite, job));
        return tsneAnswer(*run, source, m_choices.state, outputName(), secondsSince(start));
    }

private:
    [[nodiscard]] Result<OutputKind> checkChoices(const CommonOptions& common) const
    {
        HEADSCOPE_CHECK(m_choices.input.check());
        HEADSCOPE_CHECK(checkNumbers());
        if (m_choices.aligned && !m_choices.state.empty())
            return wrongUse("--state", "expected a single map, found --aligned, whose maps run beside each other");
        if (m_choices.aligned && m_choices.input.cache.empty())
            return wrongUse("--aligned", "expected a cache, whose heads and stages share their documents, found "
                                         "plain vectors");
        if (!m_choices.save.empty() && m_choices.input.cache.empty())
            return wrongUse("--save", "expected a cache to save the map into, found plain vectors");
        HEADSCOPE_TRY(const OutputKind kind, outputKind(m_choices.output));
        if (m_choices.aligned && kind != OutputKind::None && kind != OutputKind::Hdf5)
            return wrongUse(
                "-o", fmt::format("expected a name ending in .h5 for aligned maps, found \"{}\"", m_choices.output));
        if (kind != OutputKind::None)
            HEADSCOPE_CHECK(checkOutputPath(m_choices.output, common.overwrite));
        HEADSCOPE_CHECK(checkState());
        return kind;
    }

    /// Numbers that no data could make right, by the name of their option.
    [[nodiscard]] Status checkNumbers() const
    {
        for (const double perplexity : m_choices.perplexities)
        {
            if (!(perplexity >= 1))
                return wrongUse("--perplexity", fmt::format("expected a number from 1, found {}", perplexity));
        }
        for (const auto& [option, count] : {std::pair("--iterations", m_choices.iterations),
                                            std::pair("--exaggeration-iterations", m_choices.exaggerationIterations)})
        {
            if (count < 0)
                return wrongUse(option, fmt::format("expected a number of iterations from 0, found {}", count));
        }
        for (const auto& [option, factor] : {std::pair("--exaggeration", m_choices.exaggeration),
                                             std::pair("--late-exaggeration", m_choices.lateExaggeration)})
        {
            if (!(std::isfinite(factor) && factor > 0))
                return wrongUse(option, fmt::format("expected a factor above 0, found {}", factor));
        }
        return {};
    }

    /// A state file replaces itself without --overwrite, but never an input or the output.
    [[nodiscard]] Status checkState() const
    {
        if (m_choices.state.empty())
            return {};
        const auto plain = [](const std::string& path) { return std::filesystem::path(path).lexically_normal(); };
        if (!m_choices.output.empty() && plain(m_choices.output) == plain(m_choices.state))
            return wrongUse("--state", "expected another file than -o, found the same");
        const std::string& input = m_choices.input.cache.empty() ? m_choices.input.vectors : m_choices.input.cache;
        const std::array inputs = {std::filesystem::path(input.substr(0, input.find(":/")))};
        return checkOutputPath(m_choices.state, true, inputs);
    }

    [[nodiscard]] std::string outputName() const
    {
        return !m_choices.output.empty() ? m_choices.output
               : m_choices.save.empty()  ? std::string()
                                         : m_choices.input.cache;
    }

    Result<Answer> finishAligned(AlignedRun& run, const CommonOptions& common, Clock::time_point start,
                                 JobContext& job) const
    {
        run.set.name = m_choices.save.empty() ? m_choices.name : m_choices.save;
        if (!m_choices.output.empty())
            HEADSCOPE_CHECK(writeMapSetFile(m_choices.output, run.set, job));
        if (!m_choices.save.empty())
            HEADSCOPE_CHECK(saveMapSet(m_choices.input.cache, run.set, common.overwrite, job));
        return alignedAnswer(run, outputName(), secondsSince(start));
    }

    TsneChoices m_choices;
};

} // namespace

std::unique_ptr<Verb> makeTsneVerb()
{
    return std::make_unique<TsneVerb>();
}

} // namespace headscope::cli

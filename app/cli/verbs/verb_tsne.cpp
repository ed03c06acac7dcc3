// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verb.h"
#include "app/cli/verbs/aligned_tsne.h"
#include "app/cli/verbs/tsne_answer.h"
#include "app/cli/verbs/tsne_run.h"
#include "app/colorings/colorings.h"
#include "app/commands/tsne_command.h"
#include "app/results/result_table.h"
#include "model/analysis/maps/measure_map.h"
#include "model/base/clock.h"
#include "model/base/output/output_file.h"
#include "model/io/cache/cache_writer.h"
#include "model/io/results/matrix_file.h"
#include "model/io/results/result_writer.h"
#include "viz/export/map_figures.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <utility>

namespace headscope::cli
{
namespace
{

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

colorings::ColoringInput coloringInput(const std::shared_ptr<const PointIds>& points, const TsneSource& source,
                                       const std::string& labels)
{
    colorings::ColoringInput input;
    input.points = points;
    input.stage = source.stage;
    input.palette = viz::HeadPalette(source.model);
    input.labelPalette = viz::paletteFromId(QString::fromStdString(labels));
    if (source.input)
        input.documents = source.input->documents;
    if (source.vectors)
        input.strengths = [points, vectors = source.vectors] { return viz::strengthsOfPoints(*points, *vectors); };
    return input;
}

Status writeOutput(const HeadMap& map, const TsneSource& source, const commands::TsneCommand& choices, OutputKind kind,
                   const CommonOptions& common, JobContext& job)
{
    switch (kind)
    {
    case OutputKind::None:
        return {};
    case OutputKind::Hdf5:
        return writeMapFile(choices.output, map, job);
    case OutputKind::Csv:
        return writeMapCsv(choices.output, map, source.input ? source.input->documents.get() : nullptr,
                           csvTexts(choices.plainCsv));
    case OutputKind::Picture:
        break;
    }
    HEADSCOPE_TRY(viz::PointColoring coloring,
                  colorings::colorByWord(choices.color, coloringInput(map.points, source, choices.palette)));
    viz::MapFigure figure{std::move(coloring), {}, {}, true, common.numThreads()};
    viz::FigureOptions options;
    options.overwrite = common.overwrite;
    return viz::exportMap(map, source.model, figure, choices.output, options);
}

class TsneVerb : public VerbOf<commands::TsneCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        const auto start = Clock::now();
        HEADSCOPE_TRY(const OutputKind kind, checkChoices(common));
        const TsneOptions options = m_command.options(common.seed);
        HEADSCOPE_CHECK(checkTsneOptions(options));
        MatrixF given;
        if (options.start == TsneStart::Given)
        {
            HEADSCOPE_TRY(given, readMatrix(m_command.init, job));
        }
        const MatrixF* from = options.start == TsneStart::Given ? &given : nullptr;
        const std::string& input = m_command.input.file();
        if (m_command.aligned)
        {
            auto run = runAligned(m_command.input, options, from, m_command.quality, common.numThreads(), job);
            if (!run)
                return std::move(run).error().inFile(input);
            return finishAligned(*run, common, start, job);
        }
        HEADSCOPE_TRY(const TsneSource source, loadTsneSource(m_command.input, job));
        if (kind == OutputKind::Picture) // not found out after the whole run
            HEADSCOPE_CHECK(
                colorings::checkWord(m_command.color, coloringInput(std::make_shared<const PointIds>(source.points.ids),
                                                                    source, m_command.palette)));
        auto run = runTsne(source, options, from, m_command.state, common.numThreads(), job);
        if (!run)
            return run.error().code == ErrorCode::Cancelled ? std::move(run).error()
                                                            : std::move(run).error().inFile(input);
        HeadMap& map = run->map;
        if (m_command.quality)
        {
            MapTrustOptions wanted;
            wanted.perplexities = options.perplexities;
            wanted.metric = options.metric;
            wanted.degreesOfFreedom = options.degreesOfFreedom;
            wanted.seed = options.seed;
            HEADSCOPE_TRY(map.trust,
                          measureMap(source.points.vectors.view(), map.xy.view(), wanted, common.numThreads(), job));
        }
        map.name = m_command.save.empty() ? m_command.name : m_command.save;
        if (source.input)
            map.origin = source.input->cache->origin();
        HEADSCOPE_CHECK(writeOutput(map, source, m_command, kind, common, job));
        if (!m_command.save.empty())
            HEADSCOPE_CHECK(saveMap(m_command.input.cache, map, common.overwrite, job));
        return tsneAnswer(*run, source, m_command.state, outputName(), secondsSince(start));
    }

private:
    [[nodiscard]] Result<OutputKind> checkChoices(const CommonOptions& common) const
    {
        HEADSCOPE_CHECK(m_command.input.check());
        if (m_command.aligned && !m_command.state.empty())
            return wrongUse("--state", "expected a single map, found --aligned, whose maps run beside each other");
        if (m_command.aligned && m_command.input.cache.empty())
            return wrongUse("--aligned", "expected a cache, whose heads and stages share their documents, found "
                                         "plain vectors");
        if (!m_command.save.empty() && m_command.input.cache.empty())
            return wrongUse("--save", "expected a cache to save the map into, found plain vectors");
        HEADSCOPE_TRY(const OutputKind kind, outputKind(m_command.output));
        if (m_command.aligned && kind != OutputKind::None && kind != OutputKind::Hdf5)
            return wrongUse(
                "-o", fmt::format("expected a name ending in .h5 for aligned maps, found \"{}\"", m_command.output));
        if (kind != OutputKind::None)
            HEADSCOPE_CHECK(checkOutputPath(m_command.output, common.overwrite));
        if (!m_command.save.empty()) // the cache is replaced by one with the map in it
            HEADSCOPE_CHECK(checkOutputPath(m_command.input.cache, true));
        HEADSCOPE_CHECK(checkState());
        return kind;
    }

    /// A state file replaces itself without --overwrite, but never an input or the output.
    [[nodiscard]] Status checkState() const
    {
        if (m_command.state.empty())
            return {};
        if (sameFile(m_command.output, m_command.state))
            return wrongUse("--state", "expected another file than -o, found the same");
        const std::string& input = m_command.input.file();
        const std::array inputs = {std::filesystem::path(input.substr(0, input.find(":/")))};
        return checkOutputPath(m_command.state, true, inputs);
    }

    [[nodiscard]] std::string outputName() const
    {
        return !m_command.output.empty() ? m_command.output
               : m_command.save.empty()  ? std::string()
                                         : m_command.input.cache;
    }

    Result<Answer> finishAligned(AlignedRun& run, const CommonOptions& common, Clock::time_point start,
                                 JobContext& job) const
    {
        run.set.name = m_command.save.empty() ? m_command.name : m_command.save;
        if (!m_command.output.empty())
            HEADSCOPE_CHECK(writeMapSetFile(m_command.output, run.set, job));
        if (!m_command.save.empty())
            HEADSCOPE_CHECK(saveMapSet(m_command.input.cache, run.set, common.overwrite, job));
        return alignedAnswer(run, outputName(), secondsSince(start));
    }
};

} // namespace

std::unique_ptr<Verb> makeTsneVerb()
{
    return std::make_unique<TsneVerb>();
}

} // namespace headscope::cli

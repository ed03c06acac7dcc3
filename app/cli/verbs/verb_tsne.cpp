// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/figure_files.h"
#include "app/cli/maps/aligned_answer.h"
#include "app/cli/maps/seeds_answer.h"
#include "app/cli/maps/tsne_answer.h"
#include "app/cli/verb.h"
#include "app/cli/verbs/aligned_tsne.h"
#include "app/cli/verbs/seed_runs.h"
#include "app/cli/verbs/stored_map.h"
#include "app/cli/verbs/tsne_picture.h"
#include "app/cli/verbs/tsne_run.h"
#include "app/commands/tsne_command.h"
#include "app/results/frame_output.h"
#include "app/results/provenance.h"
#include "model/analysis/maps/measure_map.h"
#include "model/analysis/maps/measure_noise_floor.h"
#include "model/base/clock.h"
#include "model/base/fields/fields.h"
#include "model/base/file_ending.h"
#include "model/base/output/output_file.h"
#include "model/data/maps/map_text.h"
#include "model/io/cache/cache_writer.h"
#include "model/io/results/matrix_file.h"
#include "model/io/results/result_writer.h"

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
    if (hasHdf5Ending(path))
        return OutputKind::Hdf5;
    if (ending == ".csv")
        return OutputKind::Csv;
    if (ending == ".png" || ending == ".pdf" || ending == ".svg")
        return OutputKind::Picture;
    return wrongUse("-o", fmt::format("expected a name ending in .h5, .csv, .png, .pdf or .svg, found \"{}\"", path));
}

Status writeTable(const HeadMap& map, const TsneSource& source, const std::filesystem::path& target, bool plainCsv)
{
    return writeMapCsv(target, map, source.input ? source.input->documents.get() : nullptr, csvTexts(plainCsv));
}

class TsneVerb : public VerbOf<commands::TsneCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        const auto start = Clock::now();
        HEADSCOPE_TRY(const OutputKind kind, checkChoices(common));
        if (!m_command.map.empty())
            return drawStored(common, job);
        const TsneOptions options = m_command.options(common.seed);
        HEADSCOPE_CHECK(checkTsneOptions(options));
        MatrixF given;
        if (options.start == TsneStart::Given)
        {
            HEADSCOPE_TRY(given, readMatrix(m_command.startFile, job));
        }
        const MatrixF* from = options.start == TsneStart::Given ? &given : nullptr;
        const std::string& input = m_command.input.file();
        if (m_command.aligned)
        {
            auto run = runAligned(m_command.input, options, from, {m_command.quality, m_command.noiseFloor},
                                  common.numThreads(), job);
            if (!run)
                return std::move(run).error().inFile(input);
            return finishAligned(*run, common, start, job);
        }
        HEADSCOPE_TRY(TsneSource source, loadTsneSource(m_command.input, common.numThreads(), job));
        if (!source.input) // a caption names the matrix
            source.model.name =
                std::filesystem::path(recordedPath(fileOf(m_command.input.vectors), m_recorded)).filename().string();
        if (kind == OutputKind::Picture) // not found out after the whole run
        {
            HEADSCOPE_CHECK(checkPicture(source, m_command));
            HEADSCOPE_CHECK(checkLegend(source, options, common));
        }
        if (m_command.seeds > 1)
            return runSeveral(source, options, from, common, start, job);
        auto run = runTsne(source, options, from, m_command.state, common.numThreads(), job);
        if (!run)
            return run.error().code == ErrorCode::Cancelled ? std::move(run).error()
                                                            : std::move(run).error().inFile(input);
        HeadMap& map = run->map;
        if (m_command.quality)
        {
            HEADSCOPE_TRY(map.trust, trustOf(map, source, common.numThreads(), job));
        }
        if (m_command.noiseFloor > 0)
        {
            const NoiseFloorOptions twins = {.twins = m_command.noiseFloor, .seed = options.seed};
            HEADSCOPE_TRY(map.floor,
                          noiseFloor(source.points.vectors.view(), map, from, twins, common.numThreads(), job));
        }
        map.name = mapName();
        if (source.input)
            map.origin = source.input->cache->origin();
        if (kind == OutputKind::Hdf5)
            HEADSCOPE_CHECK(writeMapFile(m_command.output, map, job));
        if (kind == OutputKind::Csv)
            HEADSCOPE_CHECK(writeTable(map, source, m_command.output, m_command.plainCsv));
        if (!m_command.save.empty())
            HEADSCOPE_CHECK(saveMap(m_command.input.cache, map, common.overwrite, job));
        if (kind != OutputKind::Picture)
            return tsneAnswer(*run, source, m_command.state, outputName(), secondsSince(start));
        HEADSCOPE_TRY(FigureFiles files, writePicture(map, source, common, job));
        Answer answer = tsneAnswer(*run, source, m_command.state, outputName(), secondsSince(start));
        HEADSCOPE_CHECK(files.finish(answer, [&](const std::filesystem::path& path) {
            return writeTable(map, source, path, m_command.plainCsv);
        }));
        return answer;
    }

private:
    /// Refuses colours by a label with so many values that no figure holds their legend: before the run, with other
    /// places than those that it will find.
    [[nodiscard]] Status checkLegend(const TsneSource& source, const TsneOptions& options,
                                     const CommonOptions& common) const
    {
        constexpr std::size_t kFew = 40; // which fit every figure
        const LabelColumn* column = source.input ? source.input->documents->label(m_command.color) : nullptr;
        if (column == nullptr || column->categories.size() <= kFew)
            return {};
        HeadMap standIn = frameOfMap(source.points, source.stage, source.layer, options);
        standIn.xy = MatrixF(standIn.points->count(), 2);
        for (std::int64_t i = 0; i < standIn.xy.rows(); ++i)
        {
            standIn.xy(i, 0) = static_cast<float>(i % 97);
            standIn.xy(i, 1) = static_cast<float>(i / 97);
        }
        HEADSCOPE_TRY(const viz::Figure figure, mapPicture(standIn, source, m_command, common.numThreads()));
        if (auto fits = FigureFiles::checkFits(m_command.output, m_command.figure, common, figure); !fits)
            return Error{
                ErrorCode::InvalidArgument,
                fmt::format("expected a label whose values fit into a legend, found {} values of \"{}\" ({}); merge "
                            "labels with extract --label-map, or choose another colour or --preset",
                            column->categories.size(), column->name, fits.error().message),
                {},
                "--color"};
        return {};
    }

    /// The picture of --map.
    Result<Answer> drawStored(const CommonOptions& common, JobContext& job) const
    {
        HEADSCOPE_TRY(const StoredMap stored, loadStoredMap(m_command, common.numThreads(), job));
        HEADSCOPE_CHECK(checkPicture(stored.source, m_command));
        HEADSCOPE_TRY(FigureFiles files, writePicture(stored.map, stored.source, common, job));
        Answer answer = drawnAnswer(stored.map, stored.source.model, m_command.map, m_command.output);
        HEADSCOPE_CHECK(files.finish(answer, [&](const std::filesystem::path& path) {
            return writeTable(stored.map, stored.source, path, m_command.plainCsv);
        }));
        return answer;
    }

    Result<FigureFiles> writePicture(const HeadMap& map, const TsneSource& source, const CommonOptions& common,
                                     JobContext& job) const
    {
        Provenance provenance = source.input ? Provenance("tsne", *source.input, m_command.input) : Provenance();
        TsneOptions made = map.options; // of a stored map nobody typed them
        made.iterations = map.iteration;
        Fields rows;
        fields(rows, made);
        provenance.add(rows, {"perplexity", "affinities", "metric"});
        provenance.add("start", std::string(startText(map)));
        provenance.add(rows, {"iterations"});
        tell(provenance, common, {"color"});
        provenance.add(rows, {"seed"});
        provenance.setInputHash(map.inputHash);
        HEADSCOPE_TRY(FigureFiles files,
                      FigureFiles::create(m_command.output, m_command.figure, common, figureRecipe(common), provenance,
                                          source.input ? source.input->cache.get() : nullptr, job));
        HEADSCOPE_TRY(const viz::Figure figure, mapPicture(map, source, m_command, common.numThreads()));
        HEADSCOPE_CHECK(files.draw(figure));
        return files;
    }

    [[nodiscard]] Result<OutputKind> checkChoices(const CommonOptions& common) const
    {
        HEADSCOPE_CHECK(m_command.input.check());
        if (m_command.aligned && !m_command.state.empty())
            return wrongUse("--state", "cannot be combined with --aligned, which computes several maps at once");
        const bool several = m_command.seeds > 1;
        if (several && m_command.aligned)
            return wrongUse("--seeds", "cannot be combined with --aligned");
        if (several && !m_command.state.empty())
            return wrongUse("--state", "cannot be combined with --seeds, which computes several maps in turn");
        if (m_command.aligned && m_command.tsne.startJitter > 0)
            return wrongUse("--jitter", "cannot be combined with --aligned, whose maps share one initialization");
        if (m_command.aligned && m_command.input.cache.empty())
            return wrongUse("--aligned",
                            "this option needs a cache (heads and stages of the same documents), found plain vectors");
        if (!m_command.save.empty() && m_command.input.cache.empty())
            return wrongUse("--save", "this option needs a cache to save the map into, found plain vectors");
        if (m_command.noiseFloor > 0 && several)
            return wrongUse("--noise-floor", "cannot be combined with --seeds");
        if (m_command.noiseFloor > 0 && !m_command.state.empty())
            return wrongUse("--noise-floor",
                            "cannot be combined with --state: a run with a noise floor cannot be continued");
        HEADSCOPE_TRY(const OutputKind kind, outputKind(m_command.output));
        if (!m_command.map.empty() && kind != OutputKind::Picture)
            return wrongUse("--map", fmt::format("expected a figure file to write (-o FILE.pdf, .svg or .png), found "
                                                 "{}",
                                                 m_command.output.empty() ? "no -o" : m_command.output));
        for (const bool heads : {true, false})
            if ((heads ? !m_command.showHeads.empty() : m_command.panels != "none") && kind != OutputKind::Picture)
                return wrongUse(heads ? "--show-heads" : "--panels",
                                fmt::format("expected a figure file to write (-o FILE.pdf, .svg or .png), found {}",
                                            m_command.output.empty() ? "no -o" : m_command.output));
        if ((m_command.aligned || several) && kind != OutputKind::None && kind != OutputKind::Hdf5)
            return wrongUse("-o", fmt::format("expected a name ending in .h5 for {} maps, found \"{}\"",
                                              several ? "several" : "aligned", m_command.output));
        if (kind != OutputKind::None)
            HEADSCOPE_CHECK(checkOutputPath(m_command.output, common.overwrite));
        HEADSCOPE_CHECK(FigureFiles::check(m_command.output, m_command.figure, common, figureRecipe(common).inputs));
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
            return wrongUse("--state", "this file is already the output file of -o");
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

    [[nodiscard]] const std::string& mapName() const
    {
        return m_command.save.empty() ? m_command.name : m_command.save;
    }

    /// Maps of several seeds, and how far they agree.
    Result<Answer> runSeveral(const TsneSource& source, const TsneOptions& options, const MatrixF* given,
                              const CommonOptions& common, Clock::time_point start, JobContext& job) const
    {
        auto run =
            runSeeds(source, options, m_command.seeds, given, mapName(), m_command.quality, common.numThreads(), job);
        if (!run)
            return run.error().code == ErrorCode::Cancelled ? std::move(run).error()
                                                            : std::move(run).error().inFile(m_command.input.file());
        if (source.input)
        {
            for (HeadMap& map : run->maps)
                map.origin = source.input->cache->origin();
        }
        if (!m_command.output.empty())
            HEADSCOPE_CHECK(writeMapsFile(m_command.output, run->maps, job));
        if (!m_command.save.empty())
            HEADSCOPE_CHECK(saveMaps(m_command.input.cache, run->maps, common.overwrite, job));
        return seedsAnswer(*run, source, outputName(), secondsSince(start));
    }

    Result<Answer> finishAligned(AlignedRun& run, const CommonOptions& common, Clock::time_point start,
                                 JobContext& job) const
    {
        run.set.name = mapName();
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verb.h"
#include "app/cli/verbs/map_comparison.h"
#include "app/cli/verbs/stored_map.h"
#include "app/commands/quality_command.h"
#include "app/frames/frame_json.h"
#include "app/results/cache_input.h"
#include "app/results/trust_text.h"
#include "model/analysis/maps/measure_map.h"
#include "model/analysis/neighbors/neighbors.h"
#include "model/base/file_ending.h"
#include "model/base/output/output_file.h"
#include "model/data/frame/facts.h"
#include "model/data/frame/text_table.h"
#include "model/io/cache/cache_schema.h"
#include "model/io/cache/map_io.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "model/io/results/matrix_file.h"
#include "model/io/results/result_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>

namespace headscope::cli
{
namespace
{

/// The rows of a matrix with these numbers.
MatrixF takeMatrixRows(const MatrixF& all, const std::vector<std::int32_t>& rows)
{
    MatrixF some(std::ssize(rows), all.cols());
    for (std::int64_t i = 0; i < some.rows(); ++i)
        std::ranges::copy(all.row(rows[static_cast<std::size_t>(i)]), some.row(i).begin());
    return some;
}

class QualityVerb : public VerbOf<commands::QualityCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_command.input.check());
        if (!m_command.output.empty() && !hasHdf5Ending(m_command.output))
            return wrongUse("-o", fmt::format("expected a name ending in .h5, found \"{}\"", m_command.output));
        if (!m_command.labels.empty() && m_command.input.vectors.empty())
            return wrongUse("--labels", "this option needs --vectors (the classes of a cache are its heads)");
        if (!m_command.output.empty())
            HEADSCOPE_CHECK(checkOutputPath(m_command.output, common.overwrite));
        HEADSCOPE_TRY(MatrixF xy, readMatrix(m_command.map, job));
        Stage stage = Stage::HeadOutput;
        HEADSCOPE_TRY(const HeadPoints points, load(stage, common.numThreads(), job));
        const std::int64_t rows = points.vectors.rows();
        const bool mapOfAll =
            !m_command.input.vectors.empty() && points.leftOut > 0 && xy.rows() == rows + points.leftOut;
        if (xy.cols() != 2 || (xy.rows() != rows && !mapOfAll))
            return Error{ErrorCode::ShapeMismatch,
                         fmt::format("expected a map of shape [{}, 2], found [{}, {}]", rows, xy.rows(), xy.cols()),
                         m_command.map,
                         {}};
        if (mapOfAll)
            xy = takeMatrixRows(xy, points.ids.document);
        if (auto finite = checkFinite(xy.view()); !finite)
            return std::move(finite).error().inFile(m_command.map);
        HEADSCOPE_TRY(const std::vector<std::int32_t> classes, classesOf(points, job));
        HEADSCOPE_TRY(const TsneOptions made, parametersOfMap(job));
        MapTrustOptions options = MapTrustOptions::of(made);
        options.sample = m_command.sample;
        options.seed = common.seed;
        options.classes = classes;
        if (std::ssize(points.ids.head) == rows)
            options.heads = points.ids.head;
        PointTrust perPoint;
        auto trust = measureMap(points.vectors.view(), xy.view(), options, common.numThreads(), job,
                                m_command.output.empty() ? nullptr : &perPoint);
        if (!trust)
            return std::move(trust).error().inFile(m_command.map);
        if (!m_command.output.empty())
            HEADSCOPE_CHECK(writeQuality(m_command.output, perPoint.divergence, perPoint.kept, made.perplexities));
        Answer answer = answerFor(*trust, points, made, stage);
        if (!m_command.against.empty())
        {
            HEADSCOPE_TRY(const MapComparison against,
                          compareWith(m_command.map, m_command.against, common.numThreads(), job));
            addMembers(*answer.json, {{"against", againstMembers(against)}});
            answer.text += factsText(againstLines(against));
        }
        if (points.leftOut > 0)
            answer.notices.push_back(leftOutNotice(points, !m_command.input.vectors.empty()));
        return answer;
    }

private:
    /// The points of the map: those it names itself, else the choice of documents and heads.
    /// @param stage  is set to theirs, where they are of a cache
    [[nodiscard]] Result<HeadPoints> load(Stage& stage, int numThreads, JobContext& job) const
    {
        if (!m_command.input.vectors.empty())
            return readPoints(m_command.input.vectors, job);
        HEADSCOPE_TRY(std::optional<HeadMap> map, readNamedMap(m_command.map, job));
        if (map && map->points->head.empty())
            map.reset(); // its full vectors are no rows of head vectors
        InputOptions chosen = m_command.input;
        if (map && chosen.layer.empty() && chosen.stage.empty())
        {
            chosen.layer = std::to_string(map->layer.value());
            chosen.stage = stageName(map->stage);
        }
        if (chosen.layer.empty())
            chosen.layer = InputOptions().layer;
        if (chosen.stage.empty())
            chosen.stage = InputOptions().stage;
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(chosen, job));
        HEADSCOPE_CHECK(oneLayerAndStage(input, "quality"));
        HEADSCOPE_TRY(const auto vectors, input.cache->load(input.layers.front(), input.stages.front(), {}, job));
        HEADSCOPE_TRY(const auto heads, input.headsOf(*vectors, m_command.input.heads));
        stage = vectors->stage();
        HeadPoints points = gatherPoints(*vectors, input.rows, heads, numThreads);
        if (!map)
            return points;
        if (map->stage != vectors->stage() || map->layer != vectors->layer())
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected the layer and stage of the map, {} and {} (--layer, --stage), found {} "
                                     "and {}",
                                     map->layer.value(), stageName(map->stage), vectors->layer().value(),
                                     stageName(vectors->stage())),
                         m_command.map,
                         {}};
        if (map->points->document != points.ids.document || map->points->head != points.ids.head)
            return pointsOf(*map, *vectors);
        return points;
    }

    /// The vectors that a map names.
    [[nodiscard]] Result<HeadPoints> pointsOf(const HeadMap& map, const HeadVectors& vectors) const
    {
        if (!m_command.input.documents.empty() || !m_command.input.heads.empty())
            return Error{ErrorCode::InvalidArgument,
                         "--documents and --heads select other points than this map has; omit both options to use the "
                         "points of the map",
                         m_command.map,
                         {}};
        return pointsOfMap(map, vectors, m_command.map);
    }

    /// Classes of the points: heads, or what --labels says.
    [[nodiscard]] Result<std::vector<std::int32_t>> classesOf(const HeadPoints& points, JobContext& job) const
    {
        if (m_command.labels.empty())
            return points.ids.head;
        HEADSCOPE_TRY(const auto all, readIntegers(m_command.labels, job));
        const std::int64_t rows = points.vectors.rows() + points.leftOut;
        if (std::ssize(all) != rows)
            return Error{ErrorCode::ShapeMismatch,
                         fmt::format("expected {} labels, found {}", rows, all.size()),
                         m_command.labels,
                         {}};
        std::vector<std::int32_t> classes;
        for (const std::int32_t row : points.ids.document)
            classes.push_back(static_cast<std::int32_t>(all[static_cast<std::size_t>(row)]));
        return classes;
    }

    /// What the options say, else what the map was made with.
    [[nodiscard]] Result<TsneOptions> parametersOfMap(JobContext& job) const
    {
        TsneOptions made;
        HEADSCOPE_TRY(const ArraySource source, parseArraySource(m_command.map));
        constexpr std::string_view kPoints = "/xy";
        if (source.dataset.ends_with(kPoints))
        {
            HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(source.file, job));
            const std::string group = source.dataset.substr(0, source.dataset.size() - kPoints.size());
            made = readTsneOptions(file, group);
        }
        if (m_command.degreesOfFreedom)
            made.degreesOfFreedom = *m_command.degreesOfFreedom;
        if (!m_command.perplexities.empty())
            made.perplexities = m_command.perplexities;
        if (!m_command.metric.empty())
            made.metric = m_command.metric == metricName(Metric::Cosine) ? Metric::Cosine : Metric::Euclidean;
        if (made.degreesOfFreedom >= kMinDegrees && made.degreesOfFreedom <= kMaxDegrees)
            return made;
        return Error{ErrorCode::BadFormat,
                     fmt::format("expected degrees of freedom from {} to {}, found {}", kMinDegrees, kMaxDegrees,
                                 made.degreesOfFreedom),
                     m_command.map, "degrees_of_freedom"};
    }

    /// Of the nearest class means the share that is kept, with what chance and permuted classes keep.
    /// @param of  "heads", "segments" or "labels"
    static std::string classText(const MapTrust& trust, std::string_view of)
    {
        if (trust.classNeighbors == 0)
            return "fewer than three classes";
        const std::int64_t all = trust.classes * trust.classNeighbors;
        return fmt::format(
            "{:.4f} of the {} nearest of {} other class means preserved ({}: {} means x {} nearest; {} of {} "
            "preserved); with permuted means {:.4f} on average, 95% of the permutations up to {:.4f}, p {:.3f} ({} "
            "permutations); other maps of the same vectors preserve slightly more or fewer",
            trust.classesKept, trust.classNeighbors, trust.classes - 1, of, trust.classes, trust.classNeighbors,
            std::lround(trust.classesKept * static_cast<double>(all)), all, trust.classesNull.mean,
            trust.classesNull.high, trust.classesNull.p, trust.classesNull.permutations);
    }

    static Node classNode(const MapTrust& trust)
    {
        if (trust.classNeighbors == 0)
            return {};
        return Members{{"k", trust.classNeighbors},
                       {"classes", trust.classes},
                       {"kept", trust.classesKept},
                       // Of a class's k nearest means among the others, so many are kept by means in any order.
                       {"chance", static_cast<double>(trust.classNeighbors) / static_cast<double>(trust.classes - 1)},
                       {"null_mean", trust.classesNull.mean},
                       {"null_high", trust.classesNull.high},
                       {"p", trust.classesNull.p},
                       {"permutations", trust.classesNull.permutations}};
    }

    /// @param stage  of the points
    [[nodiscard]] Answer answerFor(const MapTrust& trust, const HeadPoints& points, const TsneOptions& made,
                                   Stage stage) const
    {
        const std::int64_t rows = points.vectors.rows();
        const auto within = keptWithinClasses(kTrustNeighbors, points.ids.head);
        const std::int64_t neighbors = affinityNeighbors(made.perplexities, rows);
        const std::string_view units = unitNames(std::array{stage});
        Facts facts;
        facts.add("points", rows);
        facts.add("left_out", points.leftOut);
        facts.add("perplexity", perplexityNode(made.perplexities),
                  fmt::format("{}", fmt::join(made.perplexities, ", ")));
        facts.member("metric", metricName(made.metric));
        if (made.degreesOfFreedom != 1.0)
            facts.add("degrees_of_freedom", made.degreesOfFreedom);
        else
            facts.member("degrees_of_freedom", made.degreesOfFreedom);
        facts.append(trustMembers(trust, neighbors));
        facts.append(trustLines(trust, rows, neighbors, within, units));
        facts.add("class_means", classNode(trust), classText(trust, m_command.labels.empty() ? units : "labels"));
        facts.member("knn10_within_heads", within ? Node(*within) : Node());
        facts.add("output", textOrNull(m_command.output));
        Answer answer;
        addMembers(*answer.json, facts.members());
        answer.text = facts.text();
        return answer;
    }
};

} // namespace

std::unique_ptr<Verb> makeQualityVerb()
{
    return std::make_unique<QualityVerb>();
}

} // namespace headscope::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cache_input.h"
#include "app/cli/text_table.h"
#include "app/cli/trust_text.h"
#include "app/cli/verb.h"
#include "app/shell/command.h"
#include "model/analysis/measure_map.h"
#include "model/analysis/neighbors.h"
#include "model/base/file.h"
#include "model/io/cache_schema.h"
#include "model/io/map_io.h"
#include "model/io/matrix_file.h"
#include "model/io/result_writer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace headscope::cli
{
namespace
{

/// "/maps/NAME/xy" as the map's name; nothing for other datasets.
std::string mapName(const std::string& dataset)
{
    constexpr std::string_view kBefore = "/maps/";
    constexpr std::string_view kAfter = "/xy";
    if (!dataset.starts_with(kBefore) || !dataset.ends_with(kAfter) || dataset.size() <= 9)
        return {};
    return dataset.substr(kBefore.size(), dataset.size() - kBefore.size() - kAfter.size());
}

/// The rows of a matrix with these numbers.
MatrixF takeMatrixRows(const MatrixF& all, const std::vector<std::int32_t>& rows)
{
    MatrixF some(std::ssize(rows), all.cols());
    for (std::int64_t i = 0; i < some.rows(); ++i)
        std::ranges::copy(all.row(rows[static_cast<std::size_t>(i)]), some.row(i).begin());
    return some;
}

class QualityVerb : public Verb
{
public:
    void addOptions(shell::Command& command) override
    {
        m_command = &command;
        m_input.addCacheOptions(command, false);
        m_input.addMatrixOptions(command, false);
        command.option("--map", m_map, "the map, [P, 2]: FILE.h5:/maps/NAME/xy or FILE.npy").required();
        command.option("--perplexity", m_perplexity, "of the probabilities that the divergence is taken from (30)");
        command.option("--dof", m_dof, "degrees of freedom of the map's kernel (default: as the map says, else 1)");
        command.option("--metric", m_metric, "of the data: euclidean or cosine (euclidean)")
            .oneOf({"euclidean", "cosine"});
        command.option("--sample", m_sample,
                       "points whose neighbours are looked at (default: all up to 20,000, else 2,000)");
        command.option("--labels", m_labels,
                       "classes whose means are compared, integers from 0, one per row of --vectors (of a cache: its "
                       "heads)");
        command.option("-o,--output", m_output, ".h5: what every point contributes");
    }

    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_input.check());
        if (!(m_perplexity >= 1))
            return wrongUse("--perplexity", fmt::format("expected a number from 1, found {}", m_perplexity));
        if (m_dof && !(*m_dof >= kFewestDegrees && *m_dof <= kMostDegrees))
            return wrongUse("--dof", fmt::format("expected a number from {} to {}, found {}", kFewestDegrees,
                                                 kMostDegrees, *m_dof));
        if (m_sample < 0)
            return wrongUse("--sample", fmt::format("expected a number of points, found {}", m_sample));
        const auto ending = std::filesystem::path(m_output).extension();
        if (!m_output.empty() && ending != ".h5" && ending != ".hdf5")
            return wrongUse("-o", fmt::format("expected a name ending in .h5, found \"{}\"", m_output));
        if (!m_labels.empty() && m_input.vectors.empty())
            return wrongUse("--labels", "expected --vectors beside it: the classes of a cache are its heads");
        if (!m_output.empty())
            HEADSCOPE_CHECK(checkOutputPath(m_output, common.overwrite));
        HEADSCOPE_TRY(MatrixF xy, readMatrix(m_map));
        HEADSCOPE_TRY(const HeadPoints points, load(job));
        const std::int64_t rows = points.vectors.rows();
        const bool mapOfAll = !m_input.vectors.empty() && points.leftOut > 0 && xy.rows() == rows + points.leftOut;
        if (xy.cols() != 2 || (xy.rows() != rows && !mapOfAll))
            return Error{ErrorCode::ShapeMismatch,
                         fmt::format("expected a map of shape [{}, 2], found [{}, {}]", rows, xy.rows(), xy.cols()),
                         m_map,
                         {}};
        if (mapOfAll)
            xy = takeMatrixRows(xy, points.ids.document);
        if (auto finite = checkFinite(xy.view()); !finite)
            return std::move(finite).error().inFile(m_map);
        HEADSCOPE_TRY(const std::vector<std::int32_t> classes, classesOf(points));
        MapTrustOptions options;
        options.perplexities = {m_perplexity};
        options.metric = m_metric == "cosine" ? Metric::Cosine : Metric::Euclidean;
        HEADSCOPE_TRY(options.degreesOfFreedom, degreesOfMap());
        options.sample = m_sample;
        options.seed = common.seed;
        options.classes = classes;
        PointTrust perPoint;
        auto trust = measureMap(points.vectors.view(), xy.view(), options, common.numThreads(), job,
                                m_output.empty() ? nullptr : &perPoint);
        if (!trust)
            return std::move(trust).error().inFile(m_map);
        if (!m_output.empty())
            HEADSCOPE_CHECK(writeQuality(m_output, perPoint.divergence, perPoint.kept, m_perplexity));
        Answer answer = answerFor(*trust, rows, points.leftOut, options.degreesOfFreedom);
        if (points.leftOut > 0)
            answer.notices.push_back(leftOutNotice(points, !m_input.vectors.empty()));
        return answer;
    }

private:
    /// The map with its layer, stage and points, where the file tells them.
    [[nodiscard]] Result<std::optional<HeadMap>> namedMap() const
    {
        HEADSCOPE_TRY(const ArraySource source, parseArraySource(m_map));
        const std::string name = mapName(source.dataset);
        if (name.empty())
            return std::optional<HeadMap>();
        HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(source.file));
        if (!file.has("/maps/" + name + "/document") || !file.has("/maps/" + name + "/head"))
            return std::optional<HeadMap>();
        HEADSCOPE_TRY(HeadMap map, readMapGroup(file, schema::nameFromStep(name)));
        return std::optional<HeadMap>(std::move(map));
    }

    /// The points of the map: those it names itself, else the choice of documents and heads.
    [[nodiscard]] Result<HeadPoints> load(JobContext& job) const
    {
        if (!m_input.vectors.empty())
            return readPoints(m_input.vectors);
        HEADSCOPE_TRY(const std::optional<HeadMap> map, namedMap());
        InputOptions chosen = m_input;
        if (map && !m_command->given("--layer") && !m_command->given("--stage"))
        {
            chosen.layer = std::to_string(map->layer.value());
            chosen.stage = stageName(map->stage);
        }
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(chosen, job));
        HEADSCOPE_CHECK(oneLayerAndStage(input, "quality"));
        HEADSCOPE_TRY(const auto vectors, input.cache->load(input.layers.front(), input.stages.front(), {}, job));
        HEADSCOPE_TRY(const auto heads, input.headsOf(*vectors, m_input.heads));
        HeadPoints points = gatherPoints(*vectors, input.rows, heads);
        if (!map)
            return points;
        if (map->stage != vectors->stage() || map->layer != vectors->layer())
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected the layer and stage of the map, {} and {} (--layer, --stage), found {} "
                                     "and {}",
                                     map->layer.value(), stageName(map->stage), vectors->layer().value(),
                                     stageName(vectors->stage())),
                         m_map,
                         {}};
        if (map->points->document != points.ids.document || map->points->head != points.ids.head)
            return pointsOf(*map, *vectors);
        return points;
    }

    /// The vectors that a map names.
    [[nodiscard]] Result<HeadPoints> pointsOf(const HeadMap& map, const HeadVectors& vectors) const
    {
        if (!m_input.documents.empty() || !m_input.heads.empty())
            return Error{ErrorCode::InvalidArgument,
                         "expected the documents and heads of the map (leave --documents and --heads out to take "
                         "them), found others",
                         m_map,
                         {}};
        HeadPoints points;
        points.ids = *map.points;
        points.vectors = MatrixF(points.ids.count(), vectors.dims());
        for (std::int64_t i = 0; i < points.ids.count(); ++i)
        {
            const std::int64_t document = points.ids.document[static_cast<std::size_t>(i)];
            const std::int64_t head = points.ids.head[static_cast<std::size_t>(i)];
            if (document < 0 || document >= vectors.documents() || head < 0 || head >= vectors.heads())
                return Error{ErrorCode::ShapeMismatch,
                             fmt::format("expected points of {} documents and {} heads, found document {} head {}",
                                         vectors.documents(), vectors.heads(), document, head),
                             m_map, fmt::format("point {}", i)};
            const auto vector = vectors.vector(document, head);
            std::copy(vector.begin(), vector.end(), points.vectors.row(i).begin());
        }
        HEADSCOPE_CHECK(checkFinite(points.vectors.view()));
        return points;
    }

    /// Classes of the points: heads, or what --labels says.
    [[nodiscard]] Result<std::vector<std::int32_t>> classesOf(const HeadPoints& points) const
    {
        if (m_labels.empty())
            return points.ids.head;
        HEADSCOPE_TRY(const auto all, readIntegers(m_labels));
        const std::int64_t rows = points.vectors.rows() + points.leftOut;
        if (std::ssize(all) != rows)
            return Error{
                ErrorCode::ShapeMismatch, fmt::format("expected {} labels, found {}", rows, all.size()), m_labels, {}};
        std::vector<std::int32_t> classes;
        for (const std::int32_t row : points.ids.document)
            classes.push_back(static_cast<std::int32_t>(all[static_cast<std::size_t>(row)]));
        return classes;
    }

    /// What --dof says, else what the map was made with.
    [[nodiscard]] Result<double> degreesOfMap() const
    {
        if (m_dof)
            return *m_dof;
        HEADSCOPE_TRY(const ArraySource source, parseArraySource(m_map));
        constexpr std::string_view kPoints = "/xy";
        if (!source.dataset.ends_with(kPoints))
            return 1.0;
        HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(source.file));
        const std::string group = source.dataset.substr(0, source.dataset.size() - kPoints.size());
        const double degrees = file.numberAttribute(group, "degrees_of_freedom").value_or(1.0);
        if (degrees >= kFewestDegrees && degrees <= kMostDegrees)
            return degrees;
        return Error{
            ErrorCode::BadFormat,
            fmt::format("expected degrees of freedom from {} to {}, found {}", kFewestDegrees, kMostDegrees, degrees),
            m_map, "degrees_of_freedom"};
    }

    [[nodiscard]] Answer answerFor(const MapTrust& trust, std::int64_t points, std::int64_t leftOut,
                                   double degrees) const
    {
        Answer answer;
        *answer.json = {
            {"points", points}, {"left_out", leftOut}, {"perplexity", m_perplexity}, {"degrees_of_freedom", degrees}};
        answer.json->update(trustJson(trust));
        (*answer.json)["class_means"] =
            trust.classNeighbors > 0 ? Json{{"k", trust.classNeighbors}, {"kept", trust.classesKept}} : Json();
        (*answer.json)["output"] = m_output.empty() ? Json() : Json(m_output);
        auto facts = trustFacts(trust, points);
        facts.insert(facts.begin(), {{"points", withCommas(points)},
                                     {"left out", withCommas(leftOut)},
                                     {"perplexity", fmt::format("{}", m_perplexity)}});
        if (degrees != 1.0)
            facts.insert(facts.begin() + 3, {"degrees of freedom", fmt::format("{}", degrees)});
        facts.emplace_back("class means", trust.classNeighbors > 0
                                              ? fmt::format("{:.4f} of the {} nearest kept ({})", trust.classesKept,
                                                            trust.classNeighbors, m_labels.empty() ? "heads" : "labels")
                                              : "fewer than three classes");
        facts.emplace_back("output", m_output.empty() ? "none" : m_output);
        answer.text = factsText(facts);
        return answer;
    }

    const shell::Command* m_command = nullptr; ///< says what was typed
    InputOptions m_input;
    std::string m_map;
    std::string m_labels;
    std::string m_output;
    double m_perplexity = 30;
    std::optional<double> m_dof;
    std::string m_metric = "euclidean";
    std::int64_t m_sample = 0;
};

} // namespace

std::unique_ptr<Verb> makeQualityVerb()
{
    return std::make_unique<QualityVerb>();
}

} // namespace headscope::cli

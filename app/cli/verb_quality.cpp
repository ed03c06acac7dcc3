// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cache_input.h"
#include "app/cli/text_table.h"
#include "app/cli/verb.h"
#include "model/analysis/affinities.h"
#include "model/analysis/map_quality.h"
#include "model/base/file.h"
#include "model/base/random.h"
#include "model/io/cache_schema.h"
#include "model/io/map_io.h"
#include "model/io/matrix_file.h"
#include "model/io/result_writer.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>
#include <set>

namespace headscope::cli
{
namespace
{

/// Up to this many points every point is looked at, above it a sample.
constexpr std::int64_t kAllPoints = 20'000;
constexpr std::int64_t kSample = 2'000;
/// Up to this many points every pair enters the correlation of distances, above it sampled pairs.
constexpr std::int64_t kAllPairs = 2'000;
constexpr std::int64_t kSampledPairs = 500'000;
constexpr std::int64_t kNeighbors = 10;
constexpr std::int64_t kClassNeighbors = 10; // of class means; half of the others where there are fewer

/// Pairs of different points, drawn by the seed; none stands for all of them.
Matrix<std::int64_t> chosenPairs(std::int64_t points, std::uint64_t seed)
{
    if (points <= kAllPairs)
        return {};
    const CounterRandom random(seed, 2);
    const auto count = static_cast<std::uint64_t>(points);
    Matrix<std::int64_t> pairs(kSampledPairs, 2);
    for (std::int64_t i = 0; i < kSampledPairs; ++i)
    {
        const auto at = static_cast<std::uint64_t>(2 * i);
        const std::uint64_t first = random.below(at, count);
        const std::uint64_t second = random.below(at + 1, count - 1);
        pairs(i, 0) = static_cast<std::int64_t>(first);
        pairs(i, 1) = static_cast<std::int64_t>(second + (second >= first ? 1 : 0));
    }
    return pairs;
}

/// "/maps/NAME/xy" as the map's name; nothing for other datasets.
std::string mapName(const std::string& dataset)
{
    constexpr std::string_view kBefore = "/maps/";
    constexpr std::string_view kAfter = "/xy";
    if (!dataset.starts_with(kBefore) || !dataset.ends_with(kAfter) || dataset.size() <= 9)
        return {};
    return dataset.substr(kBefore.size(), dataset.size() - kBefore.size() - kAfter.size());
}

/// What one comparison of vectors and map gives.
struct Measured
{
    ExactDivergence divergence;
    std::vector<double> kept; ///< [P] share of the 10 nearest
    NeighborhoodQuality sampled;
    double spearman = 0;
    std::int64_t classNeighbors = 0; ///< 0: fewer than three classes
    double classesKept = 0;
};

std::int64_t classCount(const std::vector<std::int32_t>& labels)
{
    std::set<std::int32_t> classes(labels.begin(), labels.end());
    classes.erase(classes.begin(), classes.lower_bound(0));
    return std::ssize(classes);
}

/// The rows of a matrix with these numbers.
MatrixF takeMatrixRows(const MatrixF& all, const std::vector<std::int32_t>& rows)
{
    MatrixF some(std::ssize(rows), all.cols());
    for (std::int64_t i = 0; i < some.rows(); ++i)
        std::ranges::copy(all.row(rows[static_cast<std::size_t>(i)]), some.row(i).begin());
    return some;
}

/// Drops the neighbours beyond the k nearest.
void keepNearest(Neighbors& neighbors, std::int64_t k)
{
    if (neighbors.k() <= k)
        return;
    Matrix<std::int32_t> indices(neighbors.points(), k);
    MatrixD squared(neighbors.points(), k);
    for (std::int64_t i = 0; i < neighbors.points(); ++i)
    {
        std::ranges::copy(neighbors.indices.row(i).first(static_cast<std::size_t>(k)), indices.row(i).begin());
        std::ranges::copy(neighbors.squared.row(i).first(static_cast<std::size_t>(k)), squared.row(i).begin());
    }
    neighbors.indices = std::move(indices);
    neighbors.squared = std::move(squared);
}

class QualityVerb : public Verb
{
public:
    void addOptions(CLI::App& app) override
    {
        m_input.addCacheOptions(app, false);
        m_input.addMatrixOptions(app, false);
        app.add_option("--map", m_map, "the map, [P, 2]: FILE.h5:/maps/NAME/xy or FILE.npy")->required();
        app.add_option("--perplexity", m_perplexity, "of the probabilities that the divergence is taken from (30)");
        app.add_option(
            "--sample", m_sample,
            fmt::format("points whose neighbours are looked at (default: all up to {}, else {})", kAllPoints, kSample));
        app.add_option("--labels", m_labels,
                       "classes whose means are compared, integers from 0, one per row of --vectors (of a cache: its "
                       "heads)");
        app.add_option("-o,--output", m_output, ".h5: what every point contributes");
    }

    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_input.check());
        if (!(m_perplexity >= 1))
            return wrongUse("--perplexity", fmt::format("expected a number from 1, found {}", m_perplexity));
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
        auto measured = measure(points.vectors.view(), xy.view(), classes, common, job);
        if (!measured)
            return std::move(measured).error().inFile(m_map);
        if (!m_output.empty())
            HEADSCOPE_CHECK(writeQuality(m_output, measured->divergence.perPoint, measured->kept, m_perplexity));
        Answer answer = answerFor(*measured, points.leftOut);
        if (points.leftOut > 0)
            answer.notices.push_back(leftOutNotice(points.leftOut, m_input.vectors.empty() ? std::vector<std::int64_t>()
                                                                                           : leftOutRows(points)));
        return answer;
    }

private:
    /// The points of the map: those it names itself, else the choice of documents and heads.
    [[nodiscard]] Result<HeadPoints> load(JobContext& job) const
    {
        if (!m_input.vectors.empty())
            return readPoints(m_input.vectors);
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_input, job));
        HEADSCOPE_CHECK(oneLayerAndStage(input, "quality"));
        HEADSCOPE_TRY(const auto vectors, input.cache->load(input.layers.front(), input.stages.front(), {}, job));
        HEADSCOPE_TRY(const auto heads, input.headsOf(*vectors, m_input.heads));
        HeadPoints points = gatherPoints(*vectors, input.rows, heads);
        HEADSCOPE_TRY(const ArraySource source, parseArraySource(m_map));
        const std::string name = mapName(source.dataset);
        if (name.empty())
            return points;
        HEADSCOPE_TRY(const Hdf5Reader file, Hdf5Reader::open(source.file));
        if (!file.has("/maps/" + name + "/document") || !file.has("/maps/" + name + "/head"))
            return points;
        HEADSCOPE_TRY(const HeadMap map, readMapGroup(file, schema::nameFromStep(name)));
        if (map.stage != vectors->stage() || map.layer != vectors->layer())
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected the layer and stage of the map, {} and {} (--layer, --stage), found {} "
                                     "and {}",
                                     map.layer.value(), stageName(map.stage), vectors->layer().value(),
                                     stageName(vectors->stage())),
                         m_map,
                         {}};
        if (map.points->document != points.ids.document || map.points->head != points.ids.head)
            return pointsOf(map, *vectors);
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

    /// The exact KL, and the share of its 10 nearest that every point keeps.
    [[nodiscard]] Result<ExactDivergence> divergenceAndKept(ConstMatrixView rows, ConstMatrixView xy,
                                                            std::span<const double> perplexities, int threads,
                                                            JobContext& job, std::vector<double>& kept) const
    {
        const std::int64_t points = rows.rows();
        const auto wanted = std::min(points - 1, static_cast<std::int64_t>(3 * m_perplexity));
        NeighborOptions options;
        options.k = std::min(points - 1, std::max(kNeighbors, wanted));
        HEADSCOPE_TRY(Neighbors neighbors, findNeighbors(rows, options, threads, job));
        options.k = std::min(points - 1, kNeighbors);
        HEADSCOPE_TRY(const Neighbors inMap, findNeighbors(xy, options, threads, job));
        kept = neighborsKept(neighbors, inMap, options.k);
        keepNearest(neighbors, wanted);
        HEADSCOPE_TRY(const auto affinities, neighborAffinities(neighbors, perplexities, threads, job));
        neighbors = {}; // hundreds of megabytes for many points
        return exactDivergence(affinities, xy, threads, job);
    }

    [[nodiscard]] Result<Measured> measure(ConstMatrixView rows, ConstMatrixView xy,
                                           const std::vector<std::int32_t>& classes, const CommonOptions& common,
                                           JobContext& job) const
    {
        const std::int64_t points = rows.rows();
        const int threads = common.numThreads();
        const std::array perplexities = {m_perplexity};
        HEADSCOPE_CHECK(checkPerplexities(perplexities, points));
        Measured measured;
        HEADSCOPE_TRY(measured.divergence, divergenceAndKept(rows, xy, perplexities, threads, job, measured.kept));
        const std::int64_t sample = m_sample > 0 ? m_sample : points > kAllPoints ? kSample : 0;
        HEADSCOPE_TRY(auto sampled, neighborhoodQuality(rows, xy, std::array<std::int64_t, 1>{kNeighbors},
                                                        sample >= points ? 0 : sample, common.seed, threads, job));
        measured.sampled = std::move(sampled.front());
        HEADSCOPE_TRY(measured.spearman, distanceCorrelation(rows, xy, chosenPairs(points, common.seed)));
        const std::int64_t numClasses = classCount(classes);
        if (numClasses >= 3)
        {
            measured.classNeighbors = std::min(kClassNeighbors, numClasses / 2);
            HEADSCOPE_TRY(measured.classesKept, classNeighborhoodKept(rows, xy, classes, measured.classNeighbors));
        }
        return measured;
    }

    [[nodiscard]] Answer answerFor(const Measured& measured, std::int64_t leftOut) const
    {
        const std::int64_t points = std::ssize(measured.kept);
        const double kept =
            std::accumulate(measured.kept.begin(), measured.kept.end(), 0.0) / static_cast<double>(points);
        const NeighborhoodQuality& sampled = measured.sampled;
        const bool withClasses = measured.classNeighbors > 0;
        Answer answer;
        *answer.json = {{"points", points},
                        {"left_out", leftOut},
                        {"perplexity", m_perplexity},
                        {"kl_exact", measured.divergence.kl},
                        {"knn10", kept},
                        {"trustworthiness", sampled.trustworthiness},
                        {"continuity", sampled.continuity},
                        {"spearman", measured.spearman},
                        {"class_means",
                         withClasses ? Json{{"k", measured.classNeighbors}, {"kept", measured.classesKept}} : Json()},
                        {"sampled", sampled.sampled},
                        {"output", m_output.empty() ? Json() : Json(m_output)}};
        const std::string looked =
            sampled.sampled < points ? fmt::format("a sample of {} points", withCommas(sampled.sampled)) : "all points";
        answer.text = factsText({
            {"points", withCommas(points)},
            {"left out", withCommas(leftOut)},
            {"KL, exact", fmt::format("{:.6f} (perplexity {}, all pairs)", measured.divergence.kl, m_perplexity)},
            {"10 nearest kept", fmt::format("{:.4f} (all points)", kept)},
            {"trustworthiness", fmt::format("{:.4f} (10 nearest, {})", sampled.trustworthiness, looked)},
            {"continuity", fmt::format("{:.4f} (10 nearest, {})", sampled.continuity, looked)},
            {"Spearman",
             fmt::format("{:.4f} (distances of {})", measured.spearman,
                         points <= kAllPairs ? std::string("all pairs") : withCommas(kSampledPairs) + " pairs")},
            {"class means", withClasses ? fmt::format("{:.4f} of the {} nearest kept ({})", measured.classesKept,
                                                      measured.classNeighbors, m_labels.empty() ? "heads" : "labels")
                                        : "fewer than three classes"},
            {"output", m_output.empty() ? "none" : m_output},
        });
        return answer;
    }

    InputOptions m_input;
    std::string m_map;
    std::string m_labels;
    std::string m_output;
    double m_perplexity = 30;
    std::int64_t m_sample = 0;
};

} // namespace

std::unique_ptr<Verb> makeQualityVerb()
{
    return std::make_unique<QualityVerb>();
}

} // namespace headscope::cli

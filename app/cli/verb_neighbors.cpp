// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cache_input.h"
#include "app/cli/text_table.h"
#include "app/cli/verb.h"
#include "model/analysis/neighbors.h"
#include "model/base/file.h"
#include "model/base/random.h"
#include "model/io/result_writer.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <limits>

namespace headscope::cli
{
namespace
{

/// Above this many points "auto" takes the approximate method (TsneOptions does the same).
constexpr std::int64_t kExactBelow = 100'000;

/// Share of the true neighbours among those found, over `count` rows chosen by the seed and searched
/// exactly. A neighbour counts when it is no farther than the last true one.
double checkedRecall(ConstMatrixView rows, const Neighbors& found, std::int64_t count, std::uint64_t seed,
                     int numThreads)
{
    auto chosen = permutation(rows.rows(), CounterRandom(seed, 1));
    chosen.resize(static_cast<std::size_t>(std::min(count, rows.rows())));
    const auto scales = found.metric == Metric::Cosine ? unitScales(rows, numThreads) : std::vector<double>();
    std::vector<double> distances(static_cast<std::size_t>(rows.rows()));
    std::int64_t right = 0;
    for (const std::int64_t row : chosen)
    {
        distancesToAll(rows, scales, row, distances);
        std::vector<double> others = distances;
        others[static_cast<std::size_t>(row)] = std::numeric_limits<double>::infinity();
        const auto last = others.begin() + (found.k() - 1);
        std::nth_element(others.begin(), last, others.end());
        for (std::int64_t rank = 0; rank < found.k(); ++rank)
            right += distances[static_cast<std::size_t>(found.indices(row, rank))] <= *last ? 1 : 0;
    }
    const auto all = static_cast<std::int64_t>(chosen.size()) * found.k();
    return all > 0 ? static_cast<double>(right) / static_cast<double>(all) : 1.0;
}

class NeighborsVerb : public Verb
{
public:
    void addOptions(CLI::App& app) override
    {
        m_input.addCacheOptions(app, false);
        m_input.addMatrixOptions(app, false);
        app.add_option("-k", m_options.k, "neighbours of each point (15)");
        app.add_option("--metric", m_metric)->check(CLI::IsMember({"euclidean", "cosine"}));
        app.add_option("--method", m_method)->check(CLI::IsMember({"auto", "exact", "approximate"}));
        app.add_option("--recall", m_options.recall, "share that the approximate method must find (0.99)");
        app.add_option("--check", m_check, "rows to search exactly as well, for the recall");
        app.add_option("-o,--output", m_output, ".h5");
    }

    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_input.check());
        if (m_options.k < 1)
            return wrongUse("-k", fmt::format("expected a number from 1, found {}", m_options.k));
        if (!(m_options.recall > 0 && m_options.recall <= 1))
            return wrongUse("--recall", "expected a share above 0 and at most 1");
        const auto ending = std::filesystem::path(m_output).extension();
        if (!m_output.empty() && ending != ".h5" && ending != ".hdf5")
            return wrongUse("-o", fmt::format("expected a name ending in .h5, found \"{}\"", m_output));
        if (!m_output.empty())
            HEADSCOPE_CHECK(checkOutputPath(m_output, common.overwrite));
        HEADSCOPE_TRY(const HeadPoints points, load(job));
        const std::int64_t rows = points.vectors.rows();
        const std::string file = m_input.cache.empty() ? m_input.vectors : m_input.cache;
        if (m_options.k >= rows)
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected k from 1 to {} for {} points, found {}", rows - 1, rows, m_options.k),
                         file, "-k"};
        m_options.metric = m_metric == "cosine" ? Metric::Cosine : Metric::Euclidean;
        m_options.seed = common.seed;
        m_options.method = m_method == "approximate" || (m_method == "auto" && rows > kExactBelow)
                               ? NeighborMethod::Approximate
                               : NeighborMethod::Exact;
        const auto start = std::chrono::steady_clock::now();
        auto found = findNeighbors(points.vectors.view(), m_options, common.numThreads(), job);
        if (!found)
            return std::move(found).error().inFile(file);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        std::optional<double> recall;
        if (m_check > 0)
            recall = checkedRecall(points.vectors.view(), *found, m_check, common.seed, common.numThreads());
        if (!m_output.empty())
            HEADSCOPE_CHECK(write(*found));
        return answerFor(*found, seconds, recall);
    }

private:
    [[nodiscard]] Result<HeadPoints> load(JobContext& job) const
    {
        if (!m_input.vectors.empty())
            return readPoints(m_input.vectors);
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_input, job));
        if (input.layers.size() != 1 || input.stages.size() != 1)
            return wrongUse(input.layers.size() != 1 ? "--layer" : "--stage",
                            "expected one for neighbours, found several");
        HEADSCOPE_TRY(const auto vectors, input.cache->load(input.layers.front(), input.stages.front(), {}, job));
        HEADSCOPE_TRY(const auto heads, input.headsOf(*vectors, m_input.heads));
        return gatherPoints(*vectors, input.rows, heads);
    }

    [[nodiscard]] Status write(const Neighbors& found) const
    {
        MatrixF distance(found.points(), found.k());
        for (std::int64_t point = 0; point < found.points(); ++point)
        {
            for (std::int64_t rank = 0; rank < found.k(); ++rank)
                distance(point, rank) = static_cast<float>(found.distance(point, rank));
        }
        return writeNeighbors(m_output, found.indices, distance, metricName(found.metric));
    }

    [[nodiscard]] Answer answerFor(const Neighbors& found, double seconds, std::optional<double> recall) const
    {
        const std::string method = found.method == NeighborMethod::Exact ? "exact" : "approximate";
        Answer answer;
        *answer.json = {{"points", found.points()},
                        {"k", found.k()},
                        {"metric", metricName(found.metric)},
                        {"method", method},
                        {"seconds", seconds}};
        if (recall)
            (*answer.json)["recall"] = *recall;
        (*answer.json)["output"] = m_output.empty() ? Json() : Json(m_output);
        answer.text = factsText({
            {"points", withCommas(found.points())},
            {"neighbours", std::to_string(found.k())},
            {"metric", std::string(metricName(found.metric))},
            {"method", method},
            {"seconds", fmt::format("{:.2f}", seconds)},
            {"recall", recall ? fmt::format("{:.4f}", *recall) : "not checked (--check N)"},
            {"output", m_output.empty() ? "none" : m_output},
        });
        return answer;
    }

    InputOptions m_input;
    NeighborOptions m_options;
    std::string m_metric = "euclidean";
    std::string m_method = "auto";
    std::int64_t m_check = 0;
    std::string m_output;
};

} // namespace

std::unique_ptr<Verb> makeNeighborsVerb()
{
    return std::make_unique<NeighborsVerb>();
}

} // namespace headscope::cli

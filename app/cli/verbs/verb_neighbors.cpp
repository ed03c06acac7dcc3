// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verb.h"
#include "app/commands/neighbors_command.h"
#include "app/frames/frame_json.h"
#include "app/results/cache_input.h"
#include "app/results/first_names.h"
#include "app/results/provenance.h"
#include "model/analysis/neighbors/neighbors.h"
#include "model/base/clock.h"
#include "model/base/file_ending.h"
#include "model/base/numbers/all_finite.h"
#include "model/base/output/output_file.h"
#include "model/data/frame/facts.h"
#include "model/data/frame/text_table.h"
#include "model/io/results/result_writer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>

namespace headscope::cli
{
namespace
{

class NeighborsVerb : public VerbOf<commands::NeighborsCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_command.input.check());
        if (!m_command.output.empty() && !hasHdf5Ending(m_command.output))
            return wrongUse("-o", fmt::format("expected a name ending in .h5, found \"{}\"", m_command.output));
        if (!m_command.output.empty())
            HEADSCOPE_CHECK(checkOutputPath(m_command.output, common.overwrite));
        HEADSCOPE_TRY(const HeadPoints points, load(common.numThreads(), job));
        const std::int64_t rows = points.vectors.rows();
        const std::string file = m_command.input.file();
        if (m_command.search.k >= rows)
            return Error{ErrorCode::InvalidArgument,
                         rows < 2 ? fmt::format("expected at least 2 finite vectors, found {}", rows)
                                  : fmt::format("expected k from 1 to {} for {} points, found {}", rows - 1, rows,
                                                m_command.search.k),
                         file, "-k"};
        NeighborOptions search = m_command.search;
        search.seed = common.seed;
        const auto start = Clock::now();
        auto found = findNeighbors(points.vectors.view(), search, common.numThreads(), job);
        if (!found)
            return std::move(found).error().inFile(file);
        const double seconds = secondsSince(start);
        std::optional<double> recall;
        if (m_command.check > 0)
        {
            HEADSCOPE_TRY(recall, measuredRecall(points.vectors.view(), *found, m_command.check, common.seed,
                                                 common.numThreads(), job));
        }
        if (!m_command.output.empty())
            HEADSCOPE_CHECK(write(*found, points));
        Answer answer = answerFor(*found, points.leftOut, seconds, recall);
        if (points.leftOut > 0)
            answer.notices.push_back(leftOutNotice(points, !m_command.input.vectors.empty()));
        if (const std::vector<std::int64_t> zero = zeroPoints(points); !zero.empty())
        {
            (*answer.json)["zero_vectors"] = zero.size();
            answer.notices.push_back(zeroNotice(points, zero));
        }
        return answer;
    }

private:
    [[nodiscard]] Result<HeadPoints> load(int numThreads, JobContext& job)
    {
        if (!m_command.input.vectors.empty())
        {
            m_heading = m_command.input.vectors;
            return readPoints(m_command.input.vectors, job);
        }
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_command.input, job));
        HEADSCOPE_CHECK(oneLayerAndStage(input, "neighbours"));
        HEADSCOPE_TRY(const auto vectors, input.cache->load(input.layers.front(), input.stages.front(), {}, job));
        HEADSCOPE_TRY(const auto heads, input.headsOf(*vectors, m_command.input.heads));
        m_heading = headingOf(*vectors);
        m_provenance = Provenance("neighbors", input, m_command.input);
        m_provenance->setInputHash(hashOfVectors(std::array{vectors.get()}));
        return gatherPoints(*vectors, input.rows, heads, numThreads);
    }

    /// Points without a direction, where distances are of directions.
    [[nodiscard]] std::vector<std::int64_t> zeroPoints(const HeadPoints& points) const
    {
        std::vector<std::int64_t> zero;
        for (std::int64_t point = 0; m_command.search.metric == Metric::Cosine && point < points.ids.count(); ++point)
            if (directionOf(points.vectors.view().row(point)) == Pointing::Zero)
                zero.push_back(point);
        return zero;
    }

    /// @param zero  points, at least one
    [[nodiscard]] std::string zeroNotice(const HeadPoints& points, const std::vector<std::int64_t>& zero) const
    {
        std::vector<std::string> named;
        for (const std::int64_t point : std::span(zero).first(std::min(kMostNamed, zero.size())))
            named.push_back(m_command.input.vectors.empty()
                                ? fmt::format("document {} head {}", points.ids.documentOf(point).value(),
                                              shownNumber(points.ids.headOf(point)))
                                : fmt::format("row {}", points.ids.documentOf(point).value()));
        return fmt::format("{} zero vectors have no direction: their cosine distance to every other vector is 1, so "
                           "their neighbours are only the first points, in order ({})",
                           withCommas(std::ssize(zero)), firstNames(named, zero.size()));
    }

    /// Rows of a matrix that were left out stand in the file all the same: index -1, distance NaN.
    [[nodiscard]] Status write(const Neighbors& found, const HeadPoints& points) const
    {
        const bool allRows = !m_command.input.vectors.empty();
        const std::int64_t rows = found.points() + (allRows ? points.leftOut : 0);
        Matrix<std::int32_t> index(rows, found.k());
        MatrixF distance(rows, found.k());
        std::fill(index.values().begin(), index.values().end(), -1);
        std::fill(distance.values().begin(), distance.values().end(), std::numeric_limits<float>::quiet_NaN());
        const auto rowOf = [&](std::int64_t point) {
            return allRows ? points.ids.document[static_cast<std::size_t>(point)] : static_cast<std::int32_t>(point);
        };
        for (std::int64_t point = 0; point < found.points(); ++point)
        {
            for (std::int64_t rank = 0; rank < found.k(); ++rank)
            {
                index(rowOf(point), rank) = rowOf(found.indices(point, rank));
                distance(rowOf(point), rank) = static_cast<float>(found.distance(point, rank));
            }
        }
        return writeNeighbors(m_command.output, index, distance, metricName(found.metric));
    }

    /// How many of the nearest were found: measured on points of their own, or by the search itself.
    void addRecall(Facts& facts, const Neighbors& found, std::optional<double> checked) const
    {
        const bool exact = found.method == NeighborMethod::Exact;
        if (!exact)
            facts.member("recall_asked", m_command.search.recall);
        if (checked)
        {
            const std::int64_t points = std::min(m_command.check, found.points());
            facts.add("recall", *checked,
                      fmt::format("{:.4f} ({} points searched exactly)", *checked, withCommas(points)));
            facts.member("checked", points);
        }
        else if (exact)
            facts.line("recall", "1 (all pairs are compared)");
        else
        {
            facts.add("recall", found.recall,
                      fmt::format("{:.4f} (minus two standard errors {:.4f}) on the {} points used to tune the search, "
                                  "{} requested (--check N measures other points)",
                                  found.recall, found.recallLow, withCommas(found.sampled), m_command.search.recall));
            facts.member("recall_sample", Members{{"points", found.sampled}, {"low", found.recallLow}});
        }
    }

    [[nodiscard]] Answer answerFor(const Neighbors& found, std::int64_t leftOut, double seconds,
                                   std::optional<double> checked) const
    {
        Facts facts;
        facts.add("points", found.points());
        facts.add("left_out", leftOut);
        facts.add("k", found.k(), "neighbours", std::to_string(found.k()));
        facts.add("metric", metricName(found.metric));
        facts.add("method", methodName(found.method));
        facts.add("seconds", seconds, fmt::format("{:.2f}", seconds));
        facts.member("multiply_adds", found.multiplyAdds);
        addRecall(facts, found, checked);
        facts.add("output", textOrNull(m_command.output));
        Answer answer;
        addMembers(*answer.json, facts.members());
        if (m_provenance)
            m_provenance->writeTo(*answer.json);
        answer.text = m_heading + "\n\n" + facts.text();
        return answer;
    }

    std::string m_heading;                  ///< whose neighbours
    std::optional<Provenance> m_provenance; ///< of vectors of a cache
};

} // namespace

std::unique_ptr<Verb> makeNeighborsVerb()
{
    return std::make_unique<NeighborsVerb>();
}

} // namespace headscope::cli

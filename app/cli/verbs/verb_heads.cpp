// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/data_notices.h"
#include "app/cli/verb.h"
#include "app/commands/heads_command.h"
#include "app/results/cache_input.h"
#include "app/results/heads_table.h"
#include "app/results/provenance.h"
#include "app/results/result_table.h"
#include "app/results/text_table.h"
#include "app/results/topic_loading.h"
#include "model/analysis/heads/head_report.h"
#include "model/analysis/heads/head_sums.h"
#include "model/analysis/heads/redundancy.h"
#include "model/analysis/topics/topics.h"
#include "model/data/key_sharing.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace headscope::cli
{
namespace
{

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr int kNeighbors = 10;

/// What the labels say of every head; NaN without labels.
struct TopicColumns
{
    HeadAnswers answers;
    std::vector<std::string> topTopic; ///< "" where there is none

    explicit TopicColumns(std::size_t heads) : topTopic(heads)
    {
        for (auto* column : {&answers.meanSimilarity, &answers.sdSimilarity, &answers.selectivity, &answers.followsFull,
                             &answers.match, &answers.evenness, &answers.topSimilarity})
            column->assign(heads, kNaN);
        answers.topTopic.assign(heads, -1);
    }
};

Json matrixJson(const MatrixD& matrix)
{
    Json rows = Json::array();
    for (std::int64_t i = 0; i < matrix.rows(); ++i)
    {
        const auto row = matrix.row(i);
        rows.push_back(std::vector<double>(row.begin(), row.end()));
    }
    return rows;
}

class HeadsVerb : public VerbOf<commands::HeadsCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_command.input.check());
        HEADSCOPE_CHECK(checkTableOutput(m_command.output, common));
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_command.input, job));
        HEADSCOPE_CHECK(oneLayerAndStage(input, "heads"));
        HEADSCOPE_TRY(const auto vectors, input.cache->load(input.layers.front(), input.stages.front(), {}, job));
        HEADSCOPE_TRY(const auto heads, input.headsOf(*vectors, m_command.input.heads));
        std::vector<std::int32_t> part(static_cast<std::size_t>(vectors->documents()), -1);
        for (const std::int64_t row : input.rows)
            part[static_cast<std::size_t>(row)] = 0;
        HEADSCOPE_TRY(const HeadSums sums, HeadSums::collect(*vectors, part, 1, common.numThreads(), job));
        const auto statistics = sums.statistics(std::array<std::int64_t, 1>{0});
        Answer answer;
        HEADSCOPE_TRY(const TopicColumns columns, topicColumns(input, *vectors, common, answer, job));
        if (answer.notices.empty())
            answer.notices = vectorNotices(*vectors, input.rows);
        HEADSCOPE_TRY(const auto redundancy, redundancyOf(input, vectors, heads, common, answer, job));
        ResultTable table = tableOf(input, *vectors, heads, statistics, columns, false);
        ResultTable shown = tableOf(input, *vectors, heads, statistics, columns, true);
        const std::string ending = std::filesystem::path(m_command.output).extension().string();
        const bool matrices = ending == ".h5" || ending == ".hdf5"; // whose heads stand in their order
        ResultTable sorted = table;
        if (!m_command.sort.empty())
        {
            HEADSCOPE_CHECK(sorted.sortBy(m_command.sort));
            HEADSCOPE_CHECK(shown.sortBy(m_command.sort));
        }
        fillJson(input, *vectors, heads, statistics, columns, redundancy, *answer.json);
        HeadPlanes planes;
        if (redundancy)
        {
            HEADSCOPE_TRY(planes, headPlanes(*redundancy, job));
        }
        if (redundancy)
            (*answer.json)["planes"] = {{"cka", matrixJson(planes.cka)},
                                        {"mean_cosine", matrixJson(planes.meanCosine)},
                                        {"neighbor_overlap", matrixJson(planes.neighborOverlap)}};
        Provenance provenance("heads", input, m_command.input);
        provenance.setInputHash(hashOfVectors(std::array{vectors.get()}));
        provenance.writeTo(*answer.json);
        if (!m_command.output.empty())
            HEADSCOPE_CHECK(writeOutput(matrices ? table : sorted, redundancy, planes, provenance));
        answer.text = fmt::format("{}; {} documents\n\n{}", headingOf(*vectors),
                                  withCommas(static_cast<std::int64_t>(input.rows.size())), shown.text());
        return answer;
    }

private:
    /// The columns that need labels; without labels or topic vectors a notice says so.
    [[nodiscard]] Result<TopicColumns> topicColumns(const CacheInput& input, const HeadVectors& vectors,
                                                    const CommonOptions& common, Answer& answer, JobContext& job) const
    {
        TopicColumns columns(static_cast<std::size_t>(vectors.heads()));
        std::string column; // none where there are no labels and none was asked for
        if (!input.documents->labels.empty() || !m_command.input.label.empty())
        {
            HEADSCOPE_TRY(const LabelColumn label, chooseLabel(input, m_command.input.label));
            column = label.name;
        }
        if (auto lack =
                lackOfTopics(*input.cache, column, vectors.layer(), vectors.stage(), "similarity and match are"))
        {
            answer.notices.push_back(std::move(*lack));
            return columns;
        }
        HEADSCOPE_TRY(const TopicData data,
                      loadTopicData(input, m_command.input, vectors.layer(), vectors.stage(), job));
        const TopicInput topics = data.input();
        answer.notices.insert(answer.notices.end(), data.notices.begin(), data.notices.end());
        const auto more = topicNotices(data);
        answer.notices.insert(answer.notices.end(), more.begin(), more.end());
        const auto counts = data.labels.counts();
        if (std::all_of(counts.begin(), counts.end(), [](std::int64_t count) { return count == 0; }))
        {
            answer.notices.emplace_back("none of these documents has a label: similarity and match are left out");
            return columns;
        }
        auto answers = headAnswers(topics, common.numThreads(), job);
        if (!answers)
            return std::move(answers).error().inFile(m_command.input.cache);
        columns.answers = std::move(*answers);
        for (std::size_t head = 0; head < columns.topTopic.size(); ++head)
            if (const std::int32_t top = columns.answers.topTopic[head]; top >= 0)
                columns.topTopic[head] = data.labels.categories[static_cast<std::size_t>(top)];
        return columns;
    }

    /// Nothing, with a notice, where there are too few documents to compare heads by.
    [[nodiscard]] static Result<std::optional<HeadRedundancy>>
    redundancyOf(const CacheInput& input, const std::shared_ptr<const HeadVectors>& vectors,
                 const std::vector<std::int64_t>& heads, const CommonOptions& common, Answer& answer, JobContext& job)
    {
        const auto chosen = takeHeads(takeRows(vectors, input.rows), heads);
        auto redundancy = headRedundancy(*chosen, kNeighbors, common.numThreads(), job);
        if (redundancy)
            return std::optional<HeadRedundancy>(std::move(*redundancy));
        if (redundancy.error().code != ErrorCode::InvalidArgument)
            return std::move(redundancy).error();
        answer.notices.push_back("redundancy is left out: " + redundancy.error().message);
        return std::optional<HeadRedundancy>();
    }

    [[nodiscard]] static std::int64_t groupNumber(const CacheInput& input, const HeadVectors& vectors,
                                                  std::int64_t head)
    {
        return vectors.heads() == input.model().heads ? shownNumber(input.model().groupOf(HeadIndex(head))) : 1;
    }

    /// @param forPeople  without numbers of groups where there are none to speak of
    [[nodiscard]] static ResultTable tableOf(const CacheInput& input, const HeadVectors& vectors,
                                             const std::vector<std::int64_t>& heads,
                                             const std::vector<HeadStatistics>& statistics, const TopicColumns& columns,
                                             bool forPeople)
    {
        const bool grouped = vectors.heads() == input.model().heads && hasKvGroups(input.model(), vectors.stage());
        return headsTable({vectors.stage(), statistics, &columns.answers, columns.topTopic}, input.model(), heads,
                          grouped || !forPeople);
    }

    void fillJson(const CacheInput& input, const HeadVectors& vectors, const std::vector<std::int64_t>& heads,
                  const std::vector<HeadStatistics>& statistics, const TopicColumns& columns,
                  const std::optional<HeadRedundancy>& redundancy, Json& json) const
    {
        Json list = Json::array();
        for (const std::int64_t head : heads)
        {
            const auto h = static_cast<std::size_t>(head);
            list.push_back({{"head", shownNumber(HeadIndex(head))},
                            {"group", groupNumber(input, vectors, head)},
                            {"mean_norm", statistics[h].meanNorm},
                            {"spread", statistics[h].spread},
                            {"score", statistics[h].score},
                            {"mean_similarity", columns.answers.meanSimilarity[h]},
                            {"sd_similarity", columns.answers.sdSimilarity[h]},
                            {"selectivity", columns.answers.selectivity[h]},
                            {"follows_full", columns.answers.followsFull[h]},
                            {"match", columns.answers.match[h]},
                            {"evenness", columns.answers.evenness[h]},
                            {"top_topic", columns.topTopic[h].empty() ? Json() : Json(columns.topTopic[h])},
                            {"top_similarity", columns.answers.topSimilarity[h]}});
        }
        json = {{"heads", std::move(list)}, {"redundancy", Json()}};
        if (redundancy)
            json["redundancy"] = {{"cka", matrixJson(redundancy->cka)},
                                  {"mean_cosine", matrixJson(redundancy->meanCosine)},
                                  {"neighbor_overlap", matrixJson(redundancy->neighborOverlap)}};
        json["output"] = m_command.output.empty() ? Json() : Json(m_command.output);
    }

    [[nodiscard]] Status writeOutput(const ResultTable& table, const std::optional<HeadRedundancy>& redundancy,
                                     const HeadPlanes& planes, const Provenance& provenance) const
    {
        if (!redundancy)
            return table.write(m_command.output, "heads", provenance, {}, csvTexts(m_command.plainCsv));
        const std::array matrices = {NamedMatrix{"redundancy/cka", &redundancy->cka},
                                     NamedMatrix{"redundancy/mean_cosine", &redundancy->meanCosine},
                                     NamedMatrix{"redundancy/neighbor_overlap", &redundancy->neighborOverlap},
                                     NamedMatrix{"plane/cka", &planes.cka},
                                     NamedMatrix{"plane/mean_cosine", &planes.meanCosine},
                                     NamedMatrix{"plane/neighbor_overlap", &planes.neighborOverlap}};
        return table.write(m_command.output, "heads", provenance, matrices);
    }
};

} // namespace

std::unique_ptr<Verb> makeHeadsVerb()
{
    return std::make_unique<HeadsVerb>();
}

} // namespace headscope::cli

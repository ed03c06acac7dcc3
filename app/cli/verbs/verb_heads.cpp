// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/data_notices.h"
#include "app/cli/figure_files.h"
#include "app/cli/verb.h"
#include "app/commands/heads_command.h"
#include "app/frames/frame_json.h"
#include "app/results/cache_input.h"
#include "app/results/frame_output.h"
#include "app/results/provenance.h"
#include "app/results/topic_loading.h"
#include "app/results/topics/heads_answer.h"
#include "model/analysis/heads/head_report.h"
#include "model/analysis/heads/head_sums.h"
#include "model/analysis/heads/redundancy.h"
#include "model/analysis/topics/topics.h"
#include "model/base/file_ending.h"
#include "model/data/frame/text_table.h"
#include "model/data/key_sharing.h"
#include "viz/export/heads/heads_figure.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace headscope::cli
{
namespace
{

/// What the labels say of every head; nothing without labels.
struct TopicColumns
{
    std::optional<HeadTopicStatistics> answers;
    std::vector<std::string> topTopic; ///< "" where there is none
    HeadNotes notes;

    [[nodiscard]] const HeadTopicStatistics* known() const { return answers ? &*answers : nullptr; }
};

class HeadsVerb : public VerbOf<commands::HeadsCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_command.input.check());
        const bool picture = viz::figureFormat(m_command.output).has_value();
        if (!picture)
            HEADSCOPE_CHECK(checkTableOutput(m_command.output, common, OutputKinds::TablesAndFigures));
        HEADSCOPE_CHECK(FigureFiles::check(m_command.output, m_command.figure, common, figureRecipe(common).inputs));
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
        const HeadRows rows{vectors->stage(), statistics, columns.known(), columns.topTopic};
        const bool grouped = vectors->heads() == input.model().heads && hasKvGroups(input.model(), vectors->stage());
        const Frame table = headsFrame(rows, input.model(), heads);
        HEADSCOPE_TRY(const Frame shown, shownFrame(table, grouped));
        HEADSCOPE_TRY(const Frame written, writtenFrame(table));
        const HeadRedundancy* likeness = redundancy ? &*redundancy : nullptr;
        Members result = headsResult(rows, columns.notes, table, likeness);
        result.emplace_back("output", textOrNull(m_command.output));
        HeadPlanes planes;
        if (redundancy)
        {
            HEADSCOPE_TRY(planes, headPlanes(*redundancy, job));
            result.emplace_back("planes", planesNode(planes));
        }
        const Provenance provenance = provenanceOf(input, *vectors, common);
        provenance.addTo(result);
        *answer.json = nodeJson(result);
        if (!m_command.output.empty() && !picture)
            HEADSCOPE_CHECK(writeOutput(m_command.output, written, redundancy, planes, provenance));
        if (columns.answers && !columns.answers->selectivityMissing.empty())
            answer.notices.push_back("selectivity is omitted: " + columns.answers->selectivityMissing);
        answer.text =
            fmt::format("{}; {} documents{}\n\n{}\n{}", headingOf(*vectors),
                        withCommas(static_cast<std::int64_t>(input.rows.size())),
                        columns.notes.vectorsText.empty() ? std::string() : "; topics: " + columns.notes.vectorsText,
                        headsText(shown, rows), headsLegend(rows, columns.notes, likeness));
        if (picture)
        {
            HeadReport report;
            report.stage = vectors->stage();
            report.layer = vectors->layer();
            report.documents = static_cast<std::int64_t>(input.rows.size());
            report.statistics = statistics;
            report.answers = columns.answers;
            report.topTopic = columns.topTopic;
            report.topicVectors = columns.notes.vectorsText;
            report.redundancy = redundancy;
            HEADSCOPE_CHECK(writePicture(report, input, heads, written, provenance, common, answer, job));
        }
        return answer;
    }

private:
    /// The rows as --sort wants them.
    [[nodiscard]] Result<Frame> sorted(Frame frame) const
    {
        if (!m_command.sort.empty())
            if (auto done = sortFrame(frame, m_command.sort); !done)
                return std::move(done).error().atPlace("--sort");
        return frame;
    }

    /// What is printed.
    /// @param grouped  whether heads share keys and values
    [[nodiscard]] Result<Frame> shownFrame(Frame frame, bool grouped) const
    {
        frame.find("group")->isMeaningless = !grouped;
        return sorted(std::move(frame));
    }

    /// What is written: beside matrices, whose heads stand in their order, in that order too.
    [[nodiscard]] Result<Frame> writtenFrame(Frame frame) const
    {
        return hasHdf5Ending(m_command.output) ? Result<Frame>(std::move(frame)) : sorted(std::move(frame));
    }

    [[nodiscard]] Provenance provenanceOf(const CacheInput& input, const HeadVectors& vectors,
                                          const CommonOptions& common) const
    {
        Provenance provenance("heads", input, m_command.input);
        provenance.setLabel(usedLabel(input, m_command.input.label));
        tell(provenance, common, {"cka", "selectivity", "follows", "permutations", "seed"});
        provenance.setInputHash(hashOfVectors(std::array{&vectors}));
        return provenance;
    }

    [[nodiscard]] Status writePicture(const HeadReport& report, const CacheInput& input,
                                      const std::vector<std::int64_t>& heads, const Frame& table,
                                      const Provenance& provenance, const CommonOptions& common, Answer& answer,
                                      JobContext& job) const
    {
        HEADSCOPE_TRY(FigureFiles files, FigureFiles::create(m_command.output, m_command.figure, common,
                                                             figureRecipe(common), provenance, input.cache.get(), job));
        HEADSCOPE_CHECK(files.draw(viz::figureOfHeads(report, input.model(), heads)));
        return files.finish(
            answer, [&](const std::filesystem::path& path) { return writeOutput(path, table, {}, {}, provenance); });
    }

    /// The columns that need labels; without labels or topic vectors a notice says so.
    [[nodiscard]] Result<TopicColumns> topicColumns(const CacheInput& input, const HeadVectors& vectors,
                                                    const CommonOptions& common, Answer& answer, JobContext& job) const
    {
        TopicColumns columns;
        columns.topTopic.resize(static_cast<std::size_t>(vectors.heads()));
        std::string column; // none where there are no labels and none was asked for
        if (!input.documents->labels.empty() || !m_command.input.label.empty())
        {
            HEADSCOPE_TRY(const LabelColumn label, chooseLabel(input, m_command.input.label));
            column = label.name;
        }
        if (auto lack = whyNoTopics(*input.cache, column, vectors.layer(), vectors.stage(), "similarity and match are",
                                    m_command.input.topics.kind))
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
            answer.notices.emplace_back("none of these documents has a label: similarity and match are omitted");
            return columns;
        }
        HeadAnswerOptions options = m_command.answers;
        options.seed = common.seed;
        auto answers = headAnswers(topics, options, common.numThreads(), job);
        if (!answers)
            return std::move(answers).error().inFile(m_command.input.cache);
        columns.answers = std::move(*answers);
        columns.notes.labels = labelPresence(data.labels);
        columns.notes.vectorsText = data.vectorsText;
        const HeadVectors& full = *data.full.documents.vectors;
        columns.notes.fullIsParts = full.stage() == vectors.stage() && full.layer() == vectors.layer();
        for (std::size_t head = 0; head < columns.topTopic.size(); ++head)
            if (const std::int32_t top = columns.answers->topTopic[head]; top >= 0)
                columns.topTopic[head] = data.labels.categories[static_cast<std::size_t>(top)];
        return columns;
    }

    /// Nothing, with a notice, where there are too few documents to compare heads by.
    [[nodiscard]] Result<std::optional<HeadRedundancy>> redundancyOf(const CacheInput& input,
                                                                     const std::shared_ptr<const HeadVectors>& vectors,
                                                                     const std::vector<std::int64_t>& heads,
                                                                     const CommonOptions& common, Answer& answer,
                                                                     JobContext& job) const
    {
        const auto chosen = takeHeads(takeRows(vectors, input.rows), heads);
        auto redundancy = headRedundancy(*chosen, {.cka = m_command.cka}, common.numThreads(), job);
        if (redundancy)
            return std::optional<HeadRedundancy>(std::move(*redundancy));
        if (redundancy.error().code != ErrorCode::InvalidArgument)
            return std::move(redundancy).error();
        answer.notices.push_back("redundancy is omitted: " + redundancy.error().message);
        return std::optional<HeadRedundancy>();
    }

    [[nodiscard]] Status writeOutput(const std::filesystem::path& path, const Frame& table,
                                     const std::optional<HeadRedundancy>& redundancy, const HeadPlanes& planes,
                                     const Provenance& provenance) const
    {
        if (!redundancy)
            return writeFrameFile(path, table, provenance, {}, csvTexts(m_command.plainCsv));
        const std::array matrices = {NamedMatrix{"redundancy/cka", &redundancy->cka},
                                     NamedMatrix{"redundancy/mean_cosine", &redundancy->meanCosine},
                                     NamedMatrix{"redundancy/neighbor_overlap", &redundancy->neighborOverlap},
                                     NamedMatrix{"plane/cka", &planes.cka},
                                     NamedMatrix{"plane/mean_cosine", &planes.meanCosine},
                                     NamedMatrix{"plane/neighbor_overlap", &planes.neighborOverlap}};
        std::vector<NamedMatrix> all(matrices.begin(), matrices.end());
        if (redundancy->method == CkaMethod::Debiased)
        {
            all.push_back({"redundancy/cka_low", &redundancy->ckaLow});
            all.push_back({"redundancy/cka_high", &redundancy->ckaHigh});
        }
        return writeFrameFile(path, table, provenance, all, csvTexts(m_command.plainCsv));
    }
};

} // namespace

std::unique_ptr<Verb> makeHeadsVerb()
{
    return std::make_unique<HeadsVerb>();
}

} // namespace headscope::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/data_notices.h"
#include "app/cli/figure_files.h"
#include "app/cli/verb.h"
#include "app/commands/heatmap_command.h"
#include "app/frames/frame_json.h"
#include "app/results/cache_input.h"
#include "app/results/frame_output.h"
#include "app/results/provenance.h"
#include "app/results/smallest_q.h"
#include "app/results/topics/heatmap_frame.h"
#include "model/analysis/heads/head_follows.h"
#include "model/analysis/topics/topics.h"
#include "model/base/file_ending.h"
#include "model/base/output/output_file.h"
#include "model/data/frame/text_table.h"
#include "model/io/results/result_writer.h"
#include "viz/color/kept_scale.h"
#include "viz/export/heatmap_figures.h"
#include "viz/heatmap/heatmap_scale.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>

namespace headscope::cli
{
namespace
{

/// "8" or names: category codes in column order. A number that is also a name is a name.
Result<std::vector<std::int32_t>> topicsFrom(const std::string& text, const LabelColumn& labels)
{
    std::vector<std::int32_t> codes;
    if (text.empty())
        return codes;
    const auto codeOf = [&](const std::string& name) {
        const auto at = std::find(labels.categories.begin(), labels.categories.end(), name);
        return at == labels.categories.end() ? -1 : static_cast<std::int32_t>(at - labels.categories.begin());
    };
    std::size_t number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed == std::errc{} && end == text.data() + text.size() && codeOf(text) < 0)
    {
        if (number < 1)
            return wrongUse("--topics", "expected a number of at least 1, or names, found 0");
        codes = labels.byFrequency();
        codes.resize(std::min(codes.size(), number));
        std::sort(codes.begin(), codes.end());
        return codes;
    }
    for (std::size_t begin = 0; begin <= text.size();)
    {
        // Names may hold commas themselves: the longest run of parts that is a name.
        std::size_t stop = std::min(text.find(',', begin), text.size());
        for (std::size_t longer = stop; longer < text.size();)
        {
            longer = std::min(text.find(',', longer + 1), text.size());
            if (codeOf(text.substr(begin, longer - begin)) >= 0)
                stop = longer;
        }
        const std::string name = text.substr(begin, stop - begin);
        const std::int32_t code = codeOf(name);
        if (code < 0)
            return Error{
                ErrorCode::InvalidArgument,
                fmt::format("expected topics among {}, found \"{}\"", fmt::join(labels.categories, ", "), name),
                {},
                "--topics"};
        codes.push_back(code);
        begin = stop + 1;
    }
    return codes;
}

/// One stage's heatmap with what its rows say.
struct Made
{
    Heatmap heatmap;
    HeatmapStatistics statistics;
    std::vector<std::int64_t> heads; ///< rows that tables show beside the full one
    std::vector<std::string> notices;
    HeatmapNull null;
    std::vector<Interval> spearmanCi95; ///< [H]
    std::string vectorsText;
};

/// Whether the full vector holds each row's segment.
bool holdsSegment(const Heatmap& heatmap)
{
    return heatmap.stage == Stage::OutputSegment;
}

std::vector<HeatmapLines> linesOf(const std::vector<Made>& made)
{
    std::vector<HeatmapLines> rows;
    for (const Made& each : made)
        rows.push_back({.heatmap = &each.heatmap,
                        .statistics = &each.statistics,
                        .heads = each.heads,
                        .null = &each.null,
                        .spearmanCi95 = each.spearmanCi95});
    addContrastRates(rows);
    return rows;
}

Json madeJson(const Made& made, const HeatmapLines& rows)
{
    const Heatmap& heatmap = made.heatmap;
    Json topics = Json::array();
    for (std::size_t t = 0; t < heatmap.topicNames.size(); ++t)
        topics.push_back(
            {{"name", heatmap.topicNames[t]}, {"documents", heatmap.topicStart[t + 1] - heatmap.topicStart[t]}});
    return {{"stage", nodeJson(stageNode(stageName(heatmap.stage)))},
            {"layer", heatmap.layer.value()},
            {"documents", heatmap.values.cols()},
            {"full", heatmap.fullSource},
            {"topic_vectors", made.vectorsText},
            {"topics", topics},
            {"rows", heatmapRowsJson(rows)},
            {"measures", heatmapMeasures(holdsSegment(heatmap))}};
}

/// What the rows say, of one heatmap or of several.
/// @param printed  for people, who shall not read what the line under the table warns of
Frame tableOf(const std::vector<Made>& made, bool printed)
{
    std::vector<HeatmapLines> rows = linesOf(made);
    for (HeatmapLines& each : rows)
        each.spearmanOfParts = !printed;
    return heatmapFrame(rows, made.size() > 1);
}

std::string headingText(const Heatmap& heatmap, const std::string& vectorsText)
{
    std::vector<std::string> counts;
    for (std::size_t t = 0; t < heatmap.topicNames.size(); ++t)
        counts.push_back(
            fmt::format("{}: {}", heatmap.topicNames[t], heatmap.topicStart[t + 1] - heatmap.topicStart[t]));
    return fmt::format("layer {}, stage {} ({}s): {} documents of {} topics ({}{}); topics are {}; full: {}\n",
                       heatmap.layer.value(), stageName(heatmap.stage), unitName(heatmap.stage), heatmap.values.cols(),
                       heatmap.topicNames.size(), fmt::join(counts, ", "),
                       heatmap.options.choice == HeatmapChoice::Best ? ": the nearest to their topic" : "", vectorsText,
                       heatmap.fullSource);
}

/// Topics with fewer documents than were asked for.
std::string fewerNotice(const Heatmap& heatmap)
{
    std::int64_t least = heatmap.options.perTopic;
    std::int64_t few = 0;
    for (std::size_t t = 0; t < heatmap.topicNames.size(); ++t)
    {
        const std::int64_t used = heatmap.topicStart[t + 1] - heatmap.topicStart[t];
        few += used < heatmap.options.perTopic ? 1 : 0;
        least = std::min(least, used);
    }
    return few == 0 ? std::string()
                    : fmt::format("{} of {} topics have fewer than {} documents (the smallest has {}): all of their "
                                  "documents are used",
                                  few, heatmap.topicNames.size(), heatmap.options.perTopic, least);
}

class HeatmapVerb : public VerbOf<commands::HeatmapCommand>
{
public:
    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_command.input.check());
        HEADSCOPE_CHECK(checkScale());
        HEADSCOPE_CHECK(FigureFiles::check(m_command.output, m_command.figure, common, figureRecipe(common).inputs));
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_command.input, job));
        HEADSCOPE_CHECK(checkChoices(input, common));
        std::vector<Made> made;
        for (const LayerIndex layer : input.layers)
        {
            for (const Stage stage : input.stages)
            {
                auto one = makeOne(input, layer, stage, common, job);
                if (!one)
                    return std::move(one).error().inFile(m_command.input.cache);
                made.push_back(std::move(*one));
            }
        }
        Answer answer;
        Json all = Json::array();
        const std::vector<HeatmapLines> lines = linesOf(made);
        for (const Made& each : made)
        {
            all.push_back(madeJson(each, lines[all.size()]));
            answer.text += headingText(each.heatmap, each.vectorsText);
            for (const std::string& notice : each.notices)
                if (std::find(answer.notices.begin(), answer.notices.end(), notice) == answer.notices.end())
                    answer.notices.push_back(notice);
        }
        const Provenance provenance = provenanceOf(made, input, common);
        answer.text +=
            '\n' + heatmapText(tableOf(made, true), made.front().null.leftOut.empty()) + '\n' +
            heatmapWords(made.front().null,
                         std::ranges::any_of(made, [](const Made& each) { return holdsSegment(each.heatmap); }));
        std::size_t rows = 0;
        for (const Made& each : made)
            rows += each.heads.size();
        answer.text += smallestQText(static_cast<std::int64_t>(rows),
                                     made.front().null.leftOut.empty() ? m_command.shuffles.permutations : 0);
        *answer.json = made.size() == 1 ? all[0] : Json{{"results", all}};
        (*answer.json)["output"] = textJson(m_command.output);
        provenance.writeTo(*answer.json);
        HEADSCOPE_CHECK(m_picture ? writePicture(made, input, provenance, common, answer, job)
                                  : writeOutput(made, input, provenance));
        return answer;
    }

private:
    [[nodiscard]] Status checkScale()
    {
        if (m_command.scale == "data" || m_command.scale == "zero")
            return {};
        viz::ScaleLimits limits;
        const char* const begin = m_command.scale.data();
        const char* const end = begin + m_command.scale.size();
        const auto [comma, lowFailed] = std::from_chars(begin, end, limits.low);
        bool read = lowFailed == std::errc{} && comma != end && *comma == ',';
        if (read)
        {
            const auto [stop, highFailed] = std::from_chars(comma + 1, end, limits.high);
            read = highFailed == std::errc{} && stop == end && std::isfinite(limits.low) &&
                   std::isfinite(limits.high) && limits.low < limits.high;
        }
        if (!read)
            return wrongUse("--scale", fmt::format("expected \"data\", \"zero\" or two limits such as -0.2,0.6, found "
                                                   "\"{}\"",
                                                   m_command.scale));
        m_limits = limits;
        return {};
    }

    [[nodiscard]] viz::ScaleChoice scaleOf(std::span<const std::shared_ptr<const Heatmap>> heatmaps) const
    {
        const viz::ScaleLimits limits = m_limits.value_or(viz::commonLimits(heatmaps));
        if (m_command.scale == "zero")
            return viz::aroundZero(limits);
        return {viz::ScaleChoice::Kind::Diverging, limits, (limits.low + limits.high) / 2};
    }

    [[nodiscard]] Status checkChoices(const CacheInput& input, const CommonOptions& common)
    {
        m_options = m_command.heatmap;
        m_options.seed = common.seed;
        HEADSCOPE_TRY(m_options.order, m_command.order(input.model().heads));
        if (m_command.output.empty())
            return {};
        const auto ending = std::filesystem::path(m_command.output).extension();
        m_latex = ending == ".tex";
        if (m_latex)
            return checkOutputPath(m_command.output, common.overwrite);
        if ((!m_command.input.heads.empty() && m_command.input.heads != "all") || input.mask)
            return wrongUse(input.mask ? "--mask" : "--heads",
                            "expected all heads for a figure or its cells, found a selection (tables accept one)");
        m_picture = !hasHdf5Ending(m_command.output) && ending != ".csv";
        if (m_picture && ending != ".png" && ending != ".pdf" && ending != ".svg")
            return wrongUse("-o",
                            fmt::format("expected a name ending in .h5, .csv, .tex, .png, .pdf or .svg, found \"{}\"",
                                        m_command.output));
        if (!m_picture && input.layers.size() * input.stages.size() > 1)
            return wrongUse("-o", "expected one layer and stage for a table, found several (figures accept several)");
        return checkOutputPath(m_command.output, common.overwrite);
    }

    [[nodiscard]] Result<Made> makeOne(const CacheInput& input, LayerIndex layer, Stage stage,
                                       const CommonOptions& common, JobContext& job)
    {
        HEADSCOPE_TRY(const TopicData data, loadTopicData(input, m_command.input, layer, stage, job, true));
        HEADSCOPE_TRY(m_options.topics, topicsFrom(m_command.topics, data.labels));
        const TopicInput topicInput = data.input();
        Made made;
        HEADSCOPE_TRY(made.heads, input.headsOf(*data.documents, m_command.input.heads));
        HEADSCOPE_TRY(made.heatmap, makeHeatmap(topicInput, m_options, common.numThreads(), job));
        HEADSCOPE_TRY(made.statistics, heatmapStatistics(topicInput, made.heatmap, common.numThreads(), job));
        HEADSCOPE_TRY(made.null, heatmapNull(topicInput, made.heatmap, {m_command.shuffles.permutations, common.seed},
                                             common.numThreads(), job));
        made.spearmanCi95 = followsIntervals(made.heatmap, common.numThreads(), job);
        HEADSCOPE_CHECK(job.checkStop());
        if (m_options.choice == HeatmapChoice::Best) // by the very cosines that are correlated
            std::ranges::fill(made.spearmanCi95, Interval());
        made.vectorsText = data.vectorsText;
        made.notices = data.notices;
        const auto more = topicNotices(data);
        made.notices.insert(made.notices.end(), more.begin(), more.end());
        if (std::string fewer = fewerNotice(made.heatmap); !fewer.empty())
            made.notices.push_back(std::move(fewer));
        return made;
    }

    [[nodiscard]] Provenance provenanceOf(const std::vector<Made>& made, const CacheInput& input,
                                          const CommonOptions& common) const
    {
        Provenance provenance("heatmap", input, m_command.input);
        provenance.setLabel(usedLabel(input, m_command.input.label));
        tell(provenance, common, {"topics"});
        provenance.add("topic_vectors_are", made.front().vectorsText);
        tell(provenance, common, {"permutations", "per_topic", "choose", "sort"});
        if (m_command.scale != "data")
            tell(provenance, common, {"scale"});
        if (m_options.choice == HeatmapChoice::Sample || m_command.shuffles.permutations > 0)
            tell(provenance, common, {"seed"});
        std::vector<std::string> hashes;
        for (const Made& each : made)
            hashes.push_back(each.heatmap.inputHash);
        provenance.setInputHash(fmt::format("{}", fmt::join(hashes, " ")));
        return provenance;
    }

    [[nodiscard]] Status writeOutput(const std::vector<Made>& made, const CacheInput& input,
                                     const Provenance& provenance) const
    {
        if (m_command.output.empty())
            return {};
        if (m_latex)
            return writeFrameFile(m_command.output, tableOf(made, false), provenance, {}, csvTexts(m_command.plainCsv));
        if (std::filesystem::path(m_command.output).extension() == ".csv")
            return writeHeatmapCsv(m_command.output, made.front().heatmap, *input.documents,
                                   csvTexts(m_command.plainCsv));
        return writeHeatmap(m_command.output, made.front().heatmap);
    }

    [[nodiscard]] Status writePicture(const std::vector<Made>& made, const CacheInput& input,
                                      const Provenance& provenance, const CommonOptions& common, Answer& answer,
                                      JobContext& job) const
    {
        std::vector<std::shared_ptr<const Heatmap>> shown;
        for (const Made& each : made)
            shown.push_back(std::make_shared<const Heatmap>(each.heatmap));
        HEADSCOPE_TRY(FigureFiles files, FigureFiles::create(m_command.output, m_command.figure, common,
                                                             figureRecipe(common), provenance, input.cache.get(), job));
        HEADSCOPE_CHECK(files.draw(viz::figureOfHeatmaps(shown, input.model(), scaleOf(shown))));
        return files.finish(answer, [&](const std::filesystem::path& path) {
            if (made.size() == 1)
                return writeHeatmapCsv(path, made.front().heatmap, *input.documents, csvTexts(m_command.plainCsv));
            return writeHeatmapsCsv(path, shown, made.front().heads, *input.documents, csvTexts(m_command.plainCsv));
        });
    }

    HeatmapOptions m_options;
    std::optional<viz::ScaleLimits> m_limits; ///< that --scale names
    bool m_picture = false;
    bool m_latex = false;
};

} // namespace

std::unique_ptr<Verb> makeHeatmapVerb()
{
    return std::make_unique<HeatmapVerb>();
}

} // namespace headscope::cli

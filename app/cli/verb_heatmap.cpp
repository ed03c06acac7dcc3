// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cache_input.h"
#include "app/cli/text_table.h"
#include "app/cli/verb.h"
#include "model/analysis/topics.h"
#include "model/base/file.h"
#include "model/data/head_ranges.h"
#include "model/io/result_writer.h"
#include "viz/export/figures.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

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
            return wrongUse("--topics", "expected a number from 1 or names, found 0");
        codes = labels.byFrequency();
        codes.resize(std::min(codes.size(), number));
        std::sort(codes.begin(), codes.end());
        return codes;
    }
    for (std::size_t begin = 0; begin <= text.size();)
    {
        const std::size_t stop = std::min(text.find(',', begin), text.size());
        const std::string name = text.substr(begin, stop - begin);
        const std::int32_t code = codeOf(name);
        if (code < 0)
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("expected topics of {}, found \"{}\"", fmt::join(labels.categories, ", "), name),
                         {},
                         "--topics"};
        codes.push_back(code);
        begin = stop + 1;
    }
    return codes;
}

std::string cell(double value)
{
    return std::isfinite(value) ? fmt::format("{:.3f}", value) : "-";
}

/// One stage's heatmap with what its rows say.
struct Made
{
    Heatmap heatmap;
    HeatmapStatistics statistics;
};

Json madeJson(const Made& made)
{
    const Heatmap& heatmap = made.heatmap;
    Json rows = Json::array();
    for (std::int64_t row = 0; row < heatmap.values.rows(); ++row)
    {
        const auto at = static_cast<std::size_t>(row);
        Json object = {{"row", row == 0 ? Json("full") : Json(shownNumber(HeadIndex(row - 1)))},
                       {"mean", made.statistics.mean[at]},
                       {"sd", made.statistics.sd[at]},
                       {"eta2", made.statistics.eta2[at]}};
        if (row > 0)
            object["spearman"] = made.statistics.spearmanMean[at - 1];
        rows.push_back(std::move(object));
    }
    Json topics = Json::array();
    for (std::size_t t = 0; t < heatmap.topicNames.size(); ++t)
        topics.push_back(
            {{"name", heatmap.topicNames[t]}, {"documents", heatmap.topicStart[t + 1] - heatmap.topicStart[t]}});
    const std::string stage(stageName(heatmap.stage));
    return {{"stage", stage.size() == 1 ? Json(stage[0] - '0') : Json(stage)},
            {"layer", heatmap.layer.value()},
            {"documents", heatmap.values.cols()},
            {"full", heatmap.fullSource},
            {"topics", topics},
            {"rows", rows}};
}

std::string madeText(const Made& made)
{
    const Heatmap& heatmap = made.heatmap;
    TextTable table({"row", "mean", "sd", "eta²", "spearman"});
    for (std::int64_t row = 0; row < heatmap.values.rows(); ++row)
    {
        const auto at = static_cast<std::size_t>(row);
        table.add({row == 0 ? "full" : fmt::format("{} {}", unitName(heatmap.stage), shownNumber(HeadIndex(row - 1))),
                   cell(made.statistics.mean[at]), cell(made.statistics.sd[at]), cell(made.statistics.eta2[at]),
                   row == 0 ? "-" : cell(made.statistics.spearmanMean[at - 1])});
    }
    return fmt::format("layer {}, stage {}: {} documents of {} topics; full: {}\n\n{}\n", heatmap.layer.value(),
                       stageName(heatmap.stage), heatmap.values.cols(), heatmap.topicNames.size(), heatmap.fullSource,
                       table.text());
}

class HeatmapVerb : public Verb
{
public:
    void addOptions(CLI::App& app) override
    {
        m_input.addCacheOptions(app, true);
        app.add_option("--topics", m_topics, "how many, or names (default: the 8 most frequent)");
        app.add_option("--per-topic", m_options.perTopic, "documents of each topic (120)");
        app.add_option("--choose", m_choose, "first (default), best or sample")
            ->check(CLI::IsMember({"first", "best", "sample"}));
        app.add_option("--sort", m_sort, "full (default), a head from 1, or none");
        app.add_option("-o,--output", m_output, ".h5, .csv, .png, .pdf or .svg");
    }

    Result<Answer> run(const CommonOptions& common, JobContext& job) override
    {
        HEADSCOPE_CHECK(m_input.check());
        HEADSCOPE_TRY(const CacheInput input, openCacheInput(m_input, job));
        HEADSCOPE_CHECK(checkChoices(input, common));
        std::vector<Made> made;
        for (const LayerIndex layer : input.layers)
        {
            for (const Stage stage : input.stages)
            {
                auto one = makeOne(input, layer, stage, common, job);
                if (!one)
                    return std::move(one).error().inFile(m_input.cache);
                made.push_back(std::move(*one));
            }
        }
        HEADSCOPE_CHECK(writeOutput(made, input, common));
        Answer answer;
        Json all = Json::array();
        for (const Made& each : made)
        {
            all.push_back(madeJson(each));
            answer.text += madeText(each);
        }
        *answer.json = made.size() == 1 ? all[0] : Json{{"results", all}};
        (*answer.json)["output"] = m_output.empty() ? Json() : Json(m_output);
        answer.text += m_output.empty() ? "" : fmt::format("written to {}\n", m_output);
        return answer;
    }

private:
    [[nodiscard]] Status checkChoices(const CacheInput& input, const CommonOptions& common)
    {
        m_options.seed = common.seed;
        m_options.choice = m_choose == "best"     ? HeatmapChoice::Best
                           : m_choose == "sample" ? HeatmapChoice::Sample
                                                  : HeatmapChoice::First;
        m_options.sortBy = m_sort == "none" ? -2 : -1;
        if (m_sort != "full" && m_sort != "none")
        {
            const auto head = parseHeadRanges(m_sort, input.model().heads);
            if (!head || head->size() != 1)
                return wrongUse("--sort", fmt::format("expected full, none or a head from 1, found \"{}\"", m_sort));
            m_options.sortBy = head->front();
        }
        if (m_output.empty())
            return {};
        const auto ending = std::filesystem::path(m_output).extension();
        m_picture = ending != ".h5" && ending != ".hdf5" && ending != ".csv";
        if (m_picture && ending != ".png" && ending != ".pdf" && ending != ".svg")
            return wrongUse(
                "-o", fmt::format("expected a name ending in .h5, .csv, .png, .pdf or .svg, found \"{}\"", m_output));
        if (!m_picture && input.layers.size() * input.stages.size() > 1)
            return wrongUse("-o", "expected one layer and stage for a table, found several (a picture takes them)");
        return checkOutputPath(m_output, common.overwrite);
    }

    [[nodiscard]] Result<Made> makeOne(const CacheInput& input, LayerIndex layer, Stage stage,
                                       const CommonOptions& common, JobContext& job)
    {
        HEADSCOPE_TRY(const TopicData data, loadTopicData(input, m_input, layer, stage, job));
        HEADSCOPE_TRY(m_options.topics, topicsFrom(m_topics, data.labels));
        const TopicInput topicInput{
            data.documents.get(), data.topics.vectors.get(), data.full.documents.matrix(), data.full.topics.matrix(),
            &data.labels,         data.full.documents.source};
        Made made;
        HEADSCOPE_TRY(made.heatmap, makeHeatmap(topicInput, m_options, common.numThreads(), job));
        HEADSCOPE_TRY(made.statistics, heatmapStatistics(topicInput, made.heatmap, common.numThreads(), job));
        return made;
    }

    [[nodiscard]] Status writeOutput(const std::vector<Made>& made, const CacheInput& input,
                                     const CommonOptions& common) const
    {
        if (m_output.empty())
            return {};
        if (m_picture)
        {
            std::vector<Heatmap> heatmaps;
            for (const Made& each : made)
                heatmaps.push_back(each.heatmap);
            viz::FigureOptions options;
            options.overwrite = common.overwrite;
            return viz::exportHeatmap(std::span<const Heatmap>(heatmaps), input.model(), m_output, options);
        }
        if (std::filesystem::path(m_output).extension() == ".csv")
            return writeHeatmapCsv(m_output, made.front().heatmap, *input.documents);
        return writeHeatmap(m_output, made.front().heatmap);
    }

    InputOptions m_input;
    HeatmapOptions m_options;
    std::string m_topics;
    std::string m_choose = "first";
    std::string m_sort = "full";
    std::string m_output;
    bool m_picture = false;
};

} // namespace

std::unique_ptr<Verb> makeHeatmapVerb()
{
    return std::make_unique<HeatmapVerb>();
}

} // namespace headscope::cli

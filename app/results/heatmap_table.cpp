// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/heatmap_table.h"

#include "model/analysis/statistics/permutations.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope
{

std::string topTopicOf(const Heatmap& heatmap, const HeatmapStatistics& statistics, std::size_t row)
{
    const auto topic = std::ranges::find(heatmap.topicOrder, statistics.topTopic[row]);
    return topic == heatmap.topicOrder.end()
               ? std::string()
               : heatmap.topicNames[static_cast<std::size_t>(topic - heatmap.topicOrder.begin())];
}

std::vector<std::vector<double>> contrastRates(std::span<const HeatmapLines> heatmaps)
{
    std::vector<double> p;
    for (const HeatmapLines& each : heatmaps)
        for (const std::int64_t head : each.heads)
            if (const auto row = static_cast<std::size_t>(head) + 1;
                each.null != nullptr && row < each.null->ofContrast.size())
                p.push_back(each.null->ofContrast[row].p);
    const auto q = benjaminiHochberg(p);
    std::size_t at = 0;
    std::vector<std::vector<double>> rates;
    for (const HeatmapLines& each : heatmaps)
    {
        rates.emplace_back(each.statistics->mean.size(), std::numeric_limits<double>::quiet_NaN());
        for (const std::int64_t head : each.heads)
            if (const auto row = static_cast<std::size_t>(head) + 1;
                each.null != nullptr && row < each.null->ofContrast.size())
                rates.back()[row] = q[at++];
    }
    return rates;
}

std::string heatmapWords(const HeatmapNull& null, bool fullHoldsSegment)
{
    std::string text = fmt::format(
        "mean, sd: of the cells, cosines of documents with their own topic. raw eta2: share of their variance between "
        "topics, which grows with topics that are near to every document; raw top topic: the one whose cells have the "
        "largest mean. Both are of the cells as they are; selectivity and top topic of `heads` are of the same cosines "
        "less each topic's mean over all documents.\ncontrast: mean cosine with the own topic minus that with the "
        "other topics shown. spearman: with the full row inside topics, mean over topics{}. low, high: 95 % by "
        "jackknife over documents{}. evenness: (sum c)^2 / (n sum c^2) over all n "
        "cells, negative ones as 0: 1 where all documents answer alike.\n",
        fullHoldsSegment ? "; - at stage 3, whose segments are parts of that full vector, which alone makes them "
                           "agree (`heads`: follows full, the part left out)"
                         : "",
        std::isfinite(null.contrastCi95.front().low)
            ? ""
            : " (none for fewer than ten documents, nor for those that were chosen as the nearest to their topics)");
    if (!null.leftOut.empty())
        return text + (null.leftOut == "not asked for" ? std::string() : "no p: " + null.leftOut + "\n");
    return text + fmt::format("contrast p: (1 + shuffles of the labels among these documents with a contrast at least "
                              "as large) / (1 + {}); contrast q: over all rows shown but the full one, of all stages "
                              "and layers together, after Benjamini and "
                              "Hochberg. null: mean over the shuffles. raw eta2 p: the "
                              "same of raw eta2. top topic kept: share of "
                              "shuffles with the same raw top topic. An interval says how far a number moves with "
                              "other documents, p whether it depends on the labels of these: the interval may hold the "
                              "null where p is small.\n",
                              null.ofContrast.front().permutations);
}

Json heatmapMeasures(bool fullHoldsSegment)
{
    return {{"eta2", "share of the variance of the cells, raw cosines with the own topic, that lies between topics"},
            {"top_topic", "topic whose cells have the largest mean (raw)"},
            {"p", "of contrast"},
            {"q",
             "of contrast, Benjamini-Hochberg over all rows shown but the full one, of all stages and layers together"},
            {"spearman", fullHoldsSegment ? "with the full vector, of which the segment is a part"
                                          : "with the full vector, inside topics"}};
}

ResultTable heatmapTable(std::span<const HeatmapLines> heatmaps, bool places)
{
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::string> header = {"row", "mean", "sd", "evenness", "spearman"};
    const bool intervals = !heatmaps.empty() && !heatmaps.front().spearmanCi95.empty();
    if (intervals)
        header.insert(header.end(), {"spearman low", "spearman high"});
    header.insert(header.end(), {"raw eta2", "raw top topic"});
    const bool nulls = !heatmaps.empty() && heatmaps.front().null != nullptr;
    if (nulls)
        header.insert(header.end(), {"top topic kept", "raw eta2 null", "raw eta2 p", "contrast", "contrast low",
                                     "contrast high", "contrast null", "contrast p", "contrast q"});
    if (places)
        header.insert(header.begin(), {"layer", "stage"});
    ResultTable table(header);
    for (const HeatmapLines& each : heatmaps)
    {
        const Heatmap& heatmap = *each.heatmap;
        const HeatmapStatistics& statistics = *each.statistics;
        // With one document a topic there is no variance inside topics to compare with.
        const bool isDefined = heatmap.values.cols() > std::ssize(heatmap.topicNames);
        const bool leaves = !each.spearmanOfParts && heatmap.stage == Stage::OutputSegment;
        const auto add = [&](std::size_t row) {
            std::vector<ResultTable::Cell> cells;
            if (places)
                cells = {heatmap.layer.value(), std::string(stageName(heatmap.stage))};
            cells.emplace_back(row == 0 ? std::string("full") : fmt::format("{} {}", unitName(heatmap.stage), row));
            const bool follows = row > 0 && !leaves;
            cells.insert(cells.end(), {statistics.mean[row], statistics.sd[row], statistics.evenness[row],
                                       follows ? statistics.spearmanMean[row - 1] : kNaN});
            if (intervals)
            {
                const Interval ci95 = follows ? each.spearmanCi95[row - 1] : Interval();
                cells.insert(cells.end(), {ci95.low, ci95.high});
            }
            cells.insert(cells.end(), {isDefined ? statistics.eta2[row] : kNaN, topTopicOf(heatmap, statistics, row)});
            if (nulls)
                cells.insert(cells.end(), {each.null->topTopicKept[row], isDefined ? each.null->ofEta2[row].mean : kNaN,
                                           isDefined ? each.null->ofEta2[row].p : kNaN, each.null->contrast[row],
                                           each.null->contrastCi95[row].low, each.null->contrastCi95[row].high,
                                           each.null->ofContrast[row].mean, each.null->ofContrast[row].p,
                                           row < each.q.size() ? each.q[row] : kNaN});
            table.add(std::move(cells));
        };
        add(0);
        for (const std::int64_t head : each.heads)
            if (static_cast<std::size_t>(head) + 1 < statistics.mean.size())
                add(static_cast<std::size_t>(head) + 1);
    }
    return table;
}

std::string heatmapText(const ResultTable& table, bool places, bool nulls)
{
    const auto part = [&](std::vector<std::string_view> columns) {
        if (places)
            columns.insert(columns.begin(), {"layer", "stage"});
        return table.columns(columns).text();
    };
    const std::string described = part({"row", "mean", "sd", "evenness", "spearman", "spearman low", "spearman high"});
    if (!nulls)
        return described + '\n' +
               part({"row", "contrast", "contrast low", "contrast high", "raw eta2", "raw top topic"});
    return described + '\n' +
           part({"row", "contrast", "contrast low", "contrast high", "contrast null", "contrast p", "contrast q",
                 "raw eta2", "raw eta2 null", "raw eta2 p", "raw top topic", "top topic kept"});
}

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/topic_merge.h"
#include "model/data/results/heatmap_panel.h"
#include "tests/ui/window_test.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

namespace headscope::test
{

/// A panel whose statistics order the heads differently: row h follows the full by h / H, is selective by
/// 1 - h / H, and its tree has the heads from the last to the first.
inline std::shared_ptr<const HeatmapPanel> samplePanel(Stage stage = Stage::HeadOutput, std::int64_t perTopic = 6)
{
    auto panel = std::make_shared<HeatmapPanel>();
    panel->heatmap = sampleHeatmap(stage, perTopic);
    const Heatmap& heatmap = *panel->heatmap;
    const std::int64_t rows = heatmap.values.rows();
    const std::int64_t topics = std::ssize(heatmap.topicOrder);
    HeatmapStatistics& said = panel->statistics;
    for (std::int64_t row = 0; row < rows; ++row)
    {
        const double share = static_cast<double>(row) / static_cast<double>(rows);
        said.mean.push_back(share);
        said.sd.push_back(0.1);
        said.eta2.push_back(1 - share);
        said.topTopic.push_back(0);
        said.topMean.push_back(share);
        said.evenness.push_back(0.5);
        if (row > 0)
            said.spearmanMean.push_back(share);
    }
    said.topicMean = MatrixD(rows, topics);
    said.topicCount = Matrix<std::int64_t>(rows, topics);
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t topic = 0; topic < topics; ++topic)
        {
            double sum = 0;
            for (std::int64_t column = topic * perTopic; column < (topic + 1) * perTopic; ++column)
                sum += static_cast<double>(heatmap.values(row, column));
            said.topicMean(row, topic) = sum / static_cast<double>(perTopic);
            said.topicCount(row, topic) = perTopic;
        }
    const std::int64_t heads = rows - 1;
    panel->heads.order.resize(static_cast<std::size_t>(heads));
    std::iota(panel->heads.order.rbegin(), panel->heads.order.rend(), 0);
    std::int64_t node = 0;
    for (std::int64_t head = 1; head < heads; ++head)
    {
        panel->heads.joins.push_back({node, head, static_cast<double>(head)});
        node = heads + head - 1;
    }
    return panel;
}

/// Four topics, two pairs of them alike.
inline std::shared_ptr<const TopicMergePath> sampleMergePath()
{
    auto path = std::make_shared<TopicMergePath>();
    path->similarity = {{"Cooking", "Astronomy", "History", "Music"},
                        MatrixD(4, 4, {1, .1, .2, .9, .1, 1, .8, .1, .2, .8, 1, .3, .9, .1, .3, 1}),
                        {}};
    path->joins = {{0, 3, 0.9}, {1, 2, 0.8}, {0, 1, 0.175}};
    path->order = {0, 3, 1, 2};
    path->source = "made up";
    return path;
}

inline std::shared_ptr<const TopicMatch> sampleMatch()
{
    auto match = std::make_shared<TopicMatch>();
    match->stage = Stage::OutputSegment;
    match->result.documents = 40;
    match->result.topics = 4;
    match->result.k = {1, 5, 10};
    match->result.share = MatrixD(33, 3);
    match->low = match->high = MatrixD(33, 3);
    for (std::int64_t row = 0; row < 33; ++row)
    {
        match->result.measured.push_back(row == 4 ? 38 : 40);
        for (std::int64_t k = 0; k < 3; ++k)
        {
            match->result.share(row, k) =
                std::min(1.0, 0.2 + 0.01 * static_cast<double>(row) + 0.2 * static_cast<double>(k));
            match->low(row, k) = match->result.share(row, k) - 0.05;
            match->high(row, k) = std::min(1.0, match->result.share(row, k) + 0.05);
        }
    }
    return match;
}

} // namespace headscope::test

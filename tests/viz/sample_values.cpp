// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/viz/sample_values.h"

#include "model/base/random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>

namespace headscope::test
{

ModelInfo sampleModel(std::int64_t heads, std::int64_t kvHeads)
{
    ModelInfo info;
    info.name = "sample-model";
    info.family = "mistral";
    info.layers = 32;
    info.heads = heads;
    info.kvHeads = kvHeads;
    info.headDim = 64;
    info.modelDim = 64 * heads;
    return info;
}

HeadMap sampleMap(std::int64_t documents, std::int64_t heads)
{
    const CounterRandom random(11);
    HeadMap map;
    auto points = std::make_shared<PointIds>();
    map.xy = MatrixF(documents * heads, 2);
    const double radius = 3.4 * std::sqrt(static_cast<double>(heads));
    for (std::int64_t i = 0; i < documents * heads; ++i)
    {
        const std::int64_t head = i % heads;
        points->document.push_back(static_cast<std::int32_t>(i / heads));
        points->head.push_back(static_cast<std::int32_t>(head));
        // A sunflower of cluster centres: any number of heads, none on another.
        const double turn = 2.399963 * static_cast<double>((head * 7 + 3) % heads);
        const double out =
            radius * std::sqrt((static_cast<double>((head * 7 + 3) % heads) + 0.5) / static_cast<double>(heads));
        const auto counter = static_cast<std::uint64_t>(2 * i);
        map.xy(i, 0) = static_cast<float>(out * std::cos(turn) + random.normal(counter));
        map.xy(i, 1) = static_cast<float>(out * std::sin(turn) + random.normal(counter + 1));
    }
    map.points = points;
    map.stage = Stage::OutputSegment;
    map.layer = LayerIndex(31);
    map.iteration = 750;
    map.kl = 2.5173;
    map.hash = "0123456789abcdef0123456789abcdef";
    return map;
}

Heatmap sampleHeatmap(std::int64_t heads, std::int64_t topics, std::int64_t perTopic)
{
    static const std::array kNames = {"Health, Nutrition, Diet, Medicine", "Politics, Conflict, International Affairs",
                                      "Sport", "Technology"};
    const CounterRandom random(5);
    Heatmap heatmap;
    heatmap.stage = Stage::OutputSegment;
    heatmap.layer = LayerIndex(31);
    heatmap.options.perTopic = perTopic;
    heatmap.values = MatrixF(1 + heads, topics * perTopic);
    for (std::int64_t topic = 0; topic < topics; ++topic)
    {
        heatmap.topicOrder.push_back(static_cast<std::int32_t>(topic));
        heatmap.topicNames.emplace_back(kNames[static_cast<std::size_t>(topic) % kNames.size()]);
        heatmap.topicStart.push_back(topic * perTopic);
    }
    heatmap.topicStart.push_back(topics * perTopic);
    for (std::int64_t column = 0; column < topics * perTopic; ++column)
    {
        heatmap.document.push_back(static_cast<std::int32_t>(column));
        heatmap.topic.push_back(static_cast<std::int32_t>(column / perTopic));
        const double place = static_cast<double>(column % perTopic) / static_cast<double>(perTopic);
        heatmap.values(0, column) = static_cast<float>(0.75 - 0.4 * place);
        for (std::int64_t head = 0; head < heads; ++head)
        {
            const double base = 0.3 + 0.35 * std::sin(2.1 * static_cast<double>(head));
            const double noise = 0.12 * random.normal(static_cast<std::uint64_t>(column * heads + head));
            heatmap.values(1 + head, column) = static_cast<float>(std::clamp(base + noise, -1.0, 1.0));
        }
    }
    heatmap.fullSource = "the model's embedding";
    return heatmap;
}

ProbeResult sampleProbe(std::int64_t heads, std::int64_t kvHeads, Stage stage)
{
    ProbeResult result;
    result.stage = stage;
    result.layer = 31;
    result.classes = heads;
    result.trainRows = 800 * heads;
    result.testRows = 200 * heads;
    result.confusion = Matrix<std::int64_t>(heads, heads);
    const std::int64_t members = heads / kvHeads;
    std::int64_t right = 0;
    for (std::int64_t head = 0; head < heads; ++head)
    {
        const std::int64_t inGroup = (head / members) * members + (head + 1) % members;
        const std::int64_t lost = 5 + (head * 11) % 40;
        result.confusion(head, head) += 200 - lost - 3;
        result.confusion(head, inGroup) += lost;
        result.confusion(head, (head + 7) % heads) += 3;
        right += result.confusion(head, head);
        const double recall = static_cast<double>(result.confusion(head, head)) / 200;
        result.perHead.push_back({head, recall, recall, recall});
    }
    result.accuracy = static_cast<double>(right) / static_cast<double>(result.testRows);
    result.ci95Low = result.accuracy - 0.004;
    result.ci95High = result.accuracy + 0.004;
    result.macroF1 = result.accuracy - 0.002;
    result.withinGroupError = 0.11;
    result.acrossGroupError = 1 - result.accuracy - 0.11;
    result.converged = true;
    result.iterations = 120;
    return result;
}

} // namespace headscope::test

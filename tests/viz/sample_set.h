// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map_set.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace headscope::test
{

/// An aligned set: full, then `heads` heads of stages 1 and 3 of layer 5; documents in four round
/// clusters that every map shares, each map with a wobble of its own.
inline std::shared_ptr<HeadMapSet> sampleSet(std::int64_t documents = 80, std::int64_t heads = 6)
{
    auto set = std::make_shared<HeadMapSet>();
    set->hash = "0123";
    set->fullSource = "made up";
    set->start = MatrixF(documents, 2);
    const auto add = [&](const std::string& name, Stage stage, std::int64_t head, double wobble) {
        HeadMap map;
        map.name = name;
        map.stage = stage;
        map.layer = LayerIndex(5);
        map.iteration = 750;
        map.kl = 1.5;
        auto points = std::make_shared<PointIds>();
        map.xy = MatrixF(documents, 2);
        for (std::int64_t i = 0; i < documents; ++i)
        {
            points->document.push_back(static_cast<std::int32_t>(i));
            if (head >= 0)
                points->head.push_back(static_cast<std::int32_t>(head));
            const auto number = static_cast<double>(i);
            const double turn = 2.399963 * number; // golden angle: an even disc
            const double radius = 2 * std::sqrt(number / static_cast<double>(documents)) + wobble;
            map.xy(i, 0) = static_cast<float>((i % 2 == 0 ? -5 : 5) + radius * std::cos(turn + wobble));
            map.xy(i, 1) = static_cast<float>((i % 4 < 2 ? -4 : 4) + radius * std::sin(turn + wobble));
        }
        map.points = std::move(points);
        set->maps.push_back({std::move(map), 1 - 0.5 * wobble});
    };
    add("full", Stage::OutputSegment, -1, 0);
    for (const Stage stage : {Stage::HeadOutput, Stage::OutputSegment})
        for (std::int64_t head = 0; head < heads; ++head)
            add(std::string(stage == Stage::HeadOutput ? "s1_h0" : "s3_h0") + std::to_string(head), stage, head,
                0.1 * static_cast<double>(head + 1));
    return set;
}

} // namespace headscope::test

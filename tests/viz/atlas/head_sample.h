// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/model_info.h"
#include "model/data/results/head_measures.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace headscope::test
{

[[nodiscard]] inline ModelInfo modelOf(std::int64_t layers, std::int64_t heads, std::int64_t kvHeads)
{
    ModelInfo info;
    info.name = "sample-model";
    info.layers = layers;
    info.heads = heads;
    info.kvHeads = kvHeads;
    return info;
}

/// Made-up measures of all heads: some with intervals and chance, one with both signs, clusters.
[[nodiscard]] inline std::shared_ptr<const HeadMeasures> sampleMeasures(std::int64_t layers, std::int64_t heads,
                                                                        Stage stage = Stage::HeadOutput)
{
    auto all = std::make_shared<HeadMeasures>();
    all->stage = stage;
    all->layers = layers;
    all->heads = heads;
    all->measures = placeMeasures(stage, layers, heads);
    const auto add = [&](const char* key, auto value, double half) -> HeadMeasure& {
        HeadMeasure measure = measureOf(key, stage, layers, heads);
        measure.count = 192;
        measure.source = "stage 1 of this cache";
        if (half > 0)
        {
            measure.low = measure.high = noValues(layers, heads);
            measure.intervalMethod = "jackknife by document";
        }
        for (std::int64_t l = 0; l < layers; ++l)
            for (std::int64_t h = 0; h < heads; ++h)
            {
                const double depth =
                    static_cast<double>(l) / static_cast<double>(std::max<std::int64_t>(1, layers - 1));
                const double place = std::fmod(0.618 * static_cast<double>(h + 1) + 0.37 * static_cast<double>(l), 1.0);
                measure.value(l, h) = value(depth, place);
                if (half > 0)
                {
                    measure.low(l, h) = measure.value(l, h) - half;
                    measure.high(l, h) = measure.value(l, h) + half;
                }
            }
        all->measures.push_back(std::move(measure));
        return all->measures.back();
    };
    add(
        "mean_norm", [](double depth, double place) { return 0.4 + 3 * depth * depth + place * (0.5 + depth); }, 0.05);
    add(
        "spread", [](double depth, double place) { return 0.1 + 0.6 * place * (1 - 0.5 * depth); }, 0);
    add(
        "cka_layer", [](double depth, double place) { return 0.5 * place - 0.2 + 0.2 * depth; }, 0);
    HeadMeasure& match = add(
        "match", [](double depth, double place) { return 0.1 + 0.6 * depth * place; }, 0.06);
    match.chance = 1.0 / 12;
    match.p = match.q = noValues(layers, heads);
    for (double& p : match.p.values())
        p = 0.004;
    for (double& q : match.q.values())
        q = 0.031;
    match.nullMethod = "labels permuted among the documents";
    if (stage != Stage::HeadOutput)
        return all;
    add(
        "first_token", [](double depth, double place) { return place > 0.4 ? 0.6 + 0.35 * depth : 0.2 * place; }, 0.02);
    add(
        "previous_token", [](double depth, double place) { return place > 0.8 ? 0.7 * (1 - depth) : 0.05; }, 0.02);
    HeadMeasure& pattern = add(
        "pattern", [](double depth, double place) { return place > 0.4   ? 1.0
                                                           : depth > 0.5 ? 2.0
                                                                         : 3.0; }, 0);
    pattern.groups = true;
    pattern.groupNames = {"First token +0.7 sd", "Previous token -1.1 sd", "First token -1.3 sd"};
    return all;
}

} // namespace headscope::test

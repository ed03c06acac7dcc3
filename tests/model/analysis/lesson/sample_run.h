// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/random.h"
#include "model/data/attention/attention_run.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

namespace headscope::test
{

/// Sizes of a made-up run.
struct SampleRunSizes
{
    std::int64_t heads = 9;
    std::int64_t kvHeads = 3;
    std::int64_t headDim = 16;
    std::int64_t tokens = 12;
    bool causal = true;
};

/// A run with queries, keys and values drawn at random in one layer, and the outputs that attention makes of them.
inline std::shared_ptr<AttentionRun> sampleRun(const SampleRunSizes& sizes = {})
{
    auto run = std::make_shared<AttentionRun>();
    run->maker = AttentionMaker::Stored;
    run->storedName = "sample";
    run->origin.hash = "sample";
    run->causal = sizes.causal;
    run->model.name = "sample-model";
    run->model.family = sizes.causal ? "llama" : "bert";
    run->model.layers = 4;
    run->model.heads = sizes.heads;
    run->model.kvHeads = sizes.kvHeads;
    run->model.headDim = sizes.headDim;
    for (std::int64_t t = 0; t < sizes.tokens; ++t)
    {
        run->ids.push_back(static_cast<std::int32_t>(100 + t));
        run->tokens.push_back(" word" + std::to_string(t + 1));
        run->text += (t > 0 ? " word" : "word") + std::to_string(t + 1);
    }
    for (std::int64_t layer = 0; layer < run->model.layers; ++layer)
        run->layers.emplace_back(layer);
    auto vectors = std::make_shared<LayerVectors>();
    vectors->layer = LayerIndex(2);
    const auto drawn = [&](std::int64_t heads, std::uint64_t stream) {
        MatrixF matrix(sizes.tokens, heads * sizes.headDim);
        const CounterRandom random(7, stream);
        for (std::size_t i = 0; i < matrix.values().size(); ++i)
            matrix.values()[i] = static_cast<float>(random.normal(i));
        return matrix;
    };
    vectors->q = drawn(sizes.heads, 1);
    vectors->k = drawn(sizes.kvHeads, 2);
    vectors->v = drawn(sizes.kvHeads, 3);
    vectors->z = MatrixF(sizes.tokens, sizes.heads * sizes.headDim);
    const std::int64_t members = sizes.heads / sizes.kvHeads;
    for (std::int64_t token = 0; token < sizes.tokens; ++token)
        for (std::int64_t head = 0; head < sizes.heads; ++head)
        {
            const std::int64_t keys = sizes.causal ? token + 1 : sizes.tokens;
            std::vector<double> weights;
            double sum = 0;
            for (std::int64_t key = 0; key < keys; ++key)
            {
                double score = 0;
                for (std::int64_t d = 0; d < sizes.headDim; ++d)
                    score += static_cast<double>(vectors->q(token, head * sizes.headDim + d)) *
                             static_cast<double>(vectors->k(key, head / members * sizes.headDim + d));
                weights.push_back(std::exp(score / std::sqrt(static_cast<double>(sizes.headDim))));
                sum += weights.back();
            }
            for (std::int64_t d = 0; d < sizes.headDim; ++d)
            {
                double mixed = 0;
                for (std::int64_t key = 0; key < keys; ++key)
                    mixed += weights[static_cast<std::size_t>(key)] / sum *
                             static_cast<double>(vectors->v(key, head / members * sizes.headDim + d));
                vectors->z(token, head * sizes.headDim + d) = static_cast<float>(mixed);
            }
        }
    run->vectors.push_back(vectors);
    return run;
}

} // namespace headscope::test

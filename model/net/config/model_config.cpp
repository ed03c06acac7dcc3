// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/config/model_config.h"

#include <fmt/format.h>

#include <cmath>

namespace headscope
{

void checkModelConfig(const ModelConfig& config, const std::function<std::string(std::string_view)>& fieldOf,
                      std::vector<Error>& problems)
{
    const auto report = [&](std::string_view field, std::string message) {
        problems.push_back({ErrorCode::BadFormat, std::move(message), {}, fieldOf(field)});
    };
    const auto demandRange = [&](std::string_view field, std::int64_t value, std::int64_t low, std::int64_t high) {
        if (value < low || value > high)
            report(field, fmt::format("expected {} to {}, found {}", low, high, value));
    };
    const bool rotary = config.traits().positions == PositionScheme::Rotary;
    // Sizes beyond these are no model, but would still be allocated.
    demandRange("layers", config.layers, 1, 1024);
    demandRange("heads", config.heads, 1, 1024);
    demandRange("kvHeads", config.kvHeads, 1, 1024);
    demandRange("headDim", config.headDim, 1, 1024);
    demandRange("modelDim", config.modelDim, 1, 65536);
    demandRange("mlpDim", config.mlpDim, 1, 1 << 20);
    demandRange("vocabulary", config.vocabulary, 0, 1 << 21);
    demandRange("maxPositions", config.maxPositions, 1, 1 << 26);
    if (config.kvHeads >= 1 && config.heads % config.kvHeads != 0)
        report("kvHeads",
               fmt::format("expected a divisor of the {} query heads, found {}", config.heads, config.kvHeads));
    if (rotary && config.headDim % 2 != 0)
        report("headDim", fmt::format("expected an even number, found {}", config.headDim));
    const auto demandPositive = [&](std::string_view field, double value) {
        if (!std::isfinite(value) || value <= 0)
            report(field, fmt::format("expected a finite number above 0, found {}", value));
    };
    demandPositive("normEps", config.normEps);
    if (config.traits().tokenTypes)
        demandRange("tokenTypes", config.tokenTypes, 1, 1 << 16);
    if (!rotary)
        return;
    demandPositive("theta", config.rope.theta);
    if (config.rope.scaling == RopeScaling::None)
        return;
    demandPositive("factor", config.rope.factor);
    if (config.rope.scaling == RopeScaling::Llama3)
    {
        demandPositive("originalPositions", config.rope.originalPositions);
        if (!(config.rope.highFrequencyFactor > config.rope.lowFrequencyFactor))
            report("highFrequencyFactor", fmt::format("expected more than low_freq_factor {}, found {}",
                                                      config.rope.lowFrequencyFactor, config.rope.highFrequencyFactor));
    }
    if (config.rope.scaling == RopeScaling::Yarn)
    {
        demandPositive("originalPositions", config.rope.originalPositions);
        demandPositive("betaFast", config.rope.betaFast);
        demandPositive("betaSlow", config.rope.betaSlow);
        demandPositive("attentionFactor", config.rope.attentionFactor);
    }
}

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/config/model_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headscope
{
namespace
{

using ReportField = std::function<void(std::string_view field, std::string message)>;

void demandPositive(const ReportField& report, std::string_view field, double value)
{
    if (!std::isfinite(value) || value <= 0)
        report(field, fmt::format("expected a finite number above 0, found {}", value));
}

void checkFactors(const ReportField& report, std::string_view field, const std::vector<double>& factors,
                  std::int64_t wanted)
{
    if (std::ssize(factors) != wanted)
        return report(field, fmt::format("expected {} numbers, one per pair of rotated dimensions, found {}", wanted,
                                         factors.size()));
    for (const double factor : factors)
        demandPositive(report, field, factor);
}

void checkRope(const ReportField& report, const ModelConfig& config, const RopeConfig& rope)
{
    const std::int64_t dims = config.rotaryDim(rope);
    if (!(rope.partial > 0 && rope.partial <= 1))
        report("partial", fmt::format("expected a number above 0, at most 1, found {}", rope.partial));
    else if (rope.partial != 1 && (dims < 2 || dims % 2 != 0))
        report("partial", fmt::format("expected an even number of rotated dimensions, found {}", dims));
    demandPositive(report, "theta", rope.theta);
    if (rope.scaling == RopeScaling::None)
        return;
    demandPositive(report, "factor", rope.factor);
    if (rope.scaling == RopeScaling::Llama3 && !(rope.highFrequencyFactor > rope.lowFrequencyFactor))
        report("highFrequencyFactor", fmt::format("expected more than low_freq_factor {}, found {}",
                                                  rope.lowFrequencyFactor, rope.highFrequencyFactor));
    if (rope.scaling != RopeScaling::Linear && rope.scaling != RopeScaling::Dynamic && rope.scaling != RopeScaling::Ntk)
        demandPositive(report, "originalPositions", rope.originalPositions);
    if (rope.scaling == RopeScaling::Yarn)
    {
        demandPositive(report, "betaFast", rope.betaFast);
        demandPositive(report, "betaSlow", rope.betaSlow);
    }
    demandPositive(report, "attentionFactor", rope.attentionFactor);
    if (rope.scaling != RopeScaling::LongRope || rope.factorsInTensors)
        return;
    checkFactors(report, "shortFactors", rope.shortFactors, dims / 2);
    checkFactors(report, "longFactors", rope.longFactors, dims / 2);
}

} // namespace

double ModelConfig::scoreScale() const
{
    return 1.0 / std::sqrt(queryScalar > 0 ? queryScalar : static_cast<double>(headDim));
}

std::optional<Activation> activationFromName(std::string_view name)
{
    constexpr std::array<std::pair<std::string_view, Activation>, 6> kKnown = {
        {{"silu", Activation::Silu},
         {"swish", Activation::Silu},
         {"gelu", Activation::Gelu},
         {"gelu_new", Activation::GeluTanh},
         {"gelu_fast", Activation::GeluTanh},
         {"gelu_pytorch_tanh", Activation::GeluTanh}}};
    const auto* const known = std::ranges::find(kKnown, name, &std::pair<std::string_view, Activation>::first);
    return known == kKnown.end() ? std::nullopt : std::optional(known->second);
}

void checkModelConfig(const ModelConfig& config, const std::function<std::string(std::string_view)>& fieldOf,
                      std::vector<Error>& problems)
{
    const ReportField report = [&](std::string_view field, std::string message) {
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
    demandPositive(report, "normEps", config.normEps);
    if (config.traits().tokenTypes)
        demandRange("tokenTypes", config.tokenTypes, 0, 1 << 16);
    if (config.paddingPosition)
        demandRange("paddingPosition", *config.paddingPosition, 0, config.maxPositions - 2);
    if (config.traits().queryScalar)
        demandPositive(report, "queryScalar", config.queryScalar);
    if (!std::isfinite(config.softcap) || config.softcap < 0)
        report("softcap", fmt::format("expected a finite number, not below 0, found {}", config.softcap));
    if (!rotary)
        return;
    checkRope(report, config, config.rope);
    if (config.windowedRope)
        checkRope(report, config, *config.windowedRope);
}

} // namespace headscope

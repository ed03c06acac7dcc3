// SPDX-License-Identifier: GPL-3.0-or-later
// The rotary embedding's part of config.json.
#include "model/formats/tensor_info.h"
#include "model/net/config/config_json.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace headscope
{
namespace
{

double yarnScale(double factor, double mscale)
{
    return factor <= 1 ? 1.0 : 0.1 * mscale * std::log(factor) + 1.0;
}

void readYarn(JsonFields& fields, ModelConfig& config)
{
    RopeConfig& rope = config.rope;
    rope.betaFast = fields.number("beta_fast", 32);
    rope.betaSlow = fields.number("beta_slow", 1);
    rope.truncate = fields.boolean("truncate", true);
    const double mscale = fields.number("mscale", 0);
    const double mscaleAll = fields.number("mscale_all_dim", 0);
    const double usual = mscale != 0 && mscaleAll != 0
                             ? yarnScale(rope.factor, mscale) / yarnScale(rope.factor, mscaleAll)
                             : yarnScale(rope.factor, 1);
    rope.attentionFactor = fields.number("attention_factor", usual);
}

/// The length a model was trained for. transformers prefers the one of config.json itself.
double trainedLength(const JsonFields& outer, const JsonFields& scaling, std::optional<double> absent)
{
    constexpr std::string_view kKey = "original_max_position_embeddings";
    JsonFields from = outer.find(kKey) ? outer : scaling;
    return from.number(kKey, absent);
}

/// @param outer  the fields of config.json itself
void readScaling(JsonFields& fields, const JsonFields& outer, ModelConfig& config)
{
    const std::string legacy = fields.text("type", "default");
    const std::string type = fields.text("rope_type", legacy);
    RopeConfig& rope = config.rope;
    if (type == "default")
        return;
    const std::map<std::string_view, RopeScaling> known = {{"linear", RopeScaling::Linear},
                                                           {"dynamic", RopeScaling::Dynamic},
                                                           {"llama3", RopeScaling::Llama3},
                                                           {"yarn", RopeScaling::Yarn}};
    const auto found = known.find(type);
    if (found == known.end())
    {
        fields.report(ErrorCode::Unsupported, "rope_type",
                      fmt::format("expected default, linear, dynamic, llama3 or yarn, found {}", printableName(type)));
        return;
    }
    rope.scaling = found->second;
    rope.factor = fields.number("factor", std::nullopt);
    if (rope.scaling == RopeScaling::Llama3)
    {
        rope.lowFrequencyFactor = fields.number("low_freq_factor", std::nullopt);
        rope.highFrequencyFactor = fields.number("high_freq_factor", std::nullopt);
        rope.originalPositions = trainedLength(outer, fields, std::nullopt);
    }
    if (rope.scaling == RopeScaling::Yarn)
    {
        rope.originalPositions = trainedLength(outer, fields, static_cast<double>(config.maxPositions));
        readYarn(fields, config);
    }
}

} // namespace

void readRope(JsonFields& fields, ModelConfig& config)
{
    config.rope.theta = fields.number("rope_theta", 10000);
    double partial = fields.number("partial_rotary_factor", 1);
    for (const std::string_view key : {"rope_scaling", "rope_parameters"})
    {
        const auto object = fields.find(key);
        if (!object)
            continue;
        if (!object->isObject())
        {
            fields.report(ErrorCode::BadFormat, key,
                          fmt::format("expected an object, found {}", jsonKindName(object->kind())));
            continue;
        }
        JsonFields inner = fields.inner(key, *object);
        for (const auto& [name, value] : object->members())
            if (value.isObject())
                inner.report(ErrorCode::Unsupported, name,
                             "expected one rotary embedding for all layers, found separate ones for some");
        config.rope.theta = inner.number("rope_theta", config.rope.theta);
        partial = inner.number("partial_rotary_factor", partial);
        readScaling(inner, fields, config);
    }
    if (partial != 1)
        fields.report(ErrorCode::Unsupported, "partial_rotary_factor",
                      fmt::format("expected rotation of whole heads (1), found {}", partial));
}

} // namespace headscope

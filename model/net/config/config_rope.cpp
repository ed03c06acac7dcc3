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

void readYarn(JsonFields& fields, RopeConfig& rope)
{
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

/// transformers takes the factor from the two lengths, where config.json itself has the original one.
void readLongRope(JsonFields& fields, const JsonFields& outer, const ModelConfig& config, RopeConfig& rope)
{
    const auto longest = static_cast<double>(config.maxPositions);
    rope.originalPositions = trainedLength(outer, fields, longest);
    rope.factor = longest / rope.originalPositions;
    if (!outer.find("original_max_position_embeddings"))
        rope.factor = fields.number("factor", rope.factor);
    const double usual = rope.factor <= 1 || rope.originalPositions <= 1
                             ? 1.0
                             : std::sqrt(1 + std::log(rope.factor) / std::log(rope.originalPositions));
    rope.attentionFactor = fields.number("attention_factor", usual);
    rope.shortFactors = fields.numbers("short_factor");
    rope.longFactors = fields.numbers("long_factor");
    for (const std::string_view key : {"short_mscale", "long_mscale"})
        if (fields.find(key))
            fields.report(ErrorCode::Unsupported, key, "this option is not supported");
}

/// @param outer  the fields of config.json itself
/// @param rope   of which config has its lengths
void readScaling(JsonFields& fields, const JsonFields& outer, const ModelConfig& config, RopeConfig& rope)
{
    const std::string legacy = fields.text("type", "default");
    const std::string type = fields.text("rope_type", legacy);
    if (type == "default")
        return;
    const std::map<std::string_view, RopeScaling> known = {
        {"linear", RopeScaling::Linear}, {"dynamic", RopeScaling::Dynamic},   {"llama3", RopeScaling::Llama3},
        {"yarn", RopeScaling::Yarn},     {"longrope", RopeScaling::LongRope}, {"su", RopeScaling::LongRope},
        {"ntk", RopeScaling::Ntk}};
    const auto found = known.find(type);
    if (found == known.end() || (found->second == RopeScaling::Ntk && !config.traits().ntkScaling))
    {
        fields.report(
            ErrorCode::Unsupported, "rope_type",
            fmt::format("expected default, linear, dynamic, llama3, yarn or longrope, found {}", printableName(type)));
        return;
    }
    rope.scaling = found->second;
    if (rope.scaling == RopeScaling::LongRope)
        return readLongRope(fields, outer, config, rope);
    rope.factor = fields.number("factor", std::nullopt);
    if (rope.scaling == RopeScaling::Llama3)
    {
        rope.lowFrequencyFactor = fields.number("low_freq_factor", std::nullopt);
        rope.highFrequencyFactor = fields.number("high_freq_factor", std::nullopt);
        rope.originalPositions = trainedLength(outer, fields, std::nullopt);
    }
    if (rope.scaling == RopeScaling::Ntk && fields.find("mixed_b"))
        fields.report(ErrorCode::Unsupported, "mixed_b", "this option is not supported");
    if (rope.scaling == RopeScaling::Yarn)
    {
        rope.originalPositions = trainedLength(outer, fields, static_cast<double>(config.maxPositions));
        readYarn(fields, rope);
    }
}

/// @param rope  with what counts where the object is silent
void readOne(JsonFields& fields, const JsonFields& outer, const ModelConfig& config, RopeConfig& rope)
{
    rope.theta = fields.number("rope_theta", rope.theta);
    rope.partial = fields.number("partial_rotary_factor", rope.partial);
    readScaling(fields, outer, config, rope);
}

/// rope_scaling or rope_parameters: one for all layers, or one of each kind of them.
void readEntry(JsonFields& fields, const JsonFields& outer, ModelConfig& config)
{
    bool ofKinds = false;
    for (const auto& [name, value] : fields.object().members())
    {
        if (!value.isObject())
            continue;
        ofKinds = true;
        JsonFields inner = fields.inner(name, value, KeyTable::Rope);
        if (!config.windowedRope)
            fields.report(ErrorCode::Unsupported, name,
                          "expected one rotary embedding for all layers, found separate ones for some");
        else if (name == "full_attention")
            readOne(inner, outer, config, config.rope);
        else if (name == "sliding_attention")
            readOne(inner, outer, config, *config.windowedRope);
        else
            fields.report(ErrorCode::Unsupported, printableName(name),
                          "expected full_attention or sliding_attention, found layers of another kind");
    }
    if (!ofKinds)
        readOne(fields, outer, config, config.rope);
}

} // namespace

std::vector<std::pair<std::string, JsonView>> ropeObjects(const JsonView& entry)
{
    std::vector<std::pair<std::string, JsonView>> found;
    for (const auto& [name, value] : entry.members())
        if (value.isObject())
            found.emplace_back(": " + printableName(name), value);
    if (found.empty())
        found.emplace_back("", entry);
    return found;
}

void readRope(JsonFields& fields, ModelConfig& config)
{
    const FamilyTraits& traits = config.traits();
    config.rope.theta = fields.number(traits.keys.theta, traits.theta);
    config.rope.partial = fields.number(traits.keys.partial, traits.rotaryShare);
    if (const std::string_view key = traits.keys.windowedTheta; !key.empty())
        config.windowedRope = RopeConfig{.theta = fields.number(key, traits.windowedTheta)};
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
        JsonFields inner = fields.inner(key, *object, KeyTable::Rope);
        readEntry(inner, fields, config);
    }
    if (config.rope.partial != 1 && !traits.partialRotary)
        fields.report(ErrorCode::Unsupported, "partial_rotary_factor",
                      fmt::format("expected rotation of whole heads (1), found {}", config.rope.partial));
}

} // namespace headscope

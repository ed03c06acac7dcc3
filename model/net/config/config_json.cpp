// SPDX-License-Identifier: GPL-3.0-or-later
// config.json of Hugging Face repositories, in the schemas of transformers 4 and 5.
#include "model/net/config/config_json.h"

#include "model/formats/tensor_info.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace headscope
{
namespace
{

/// Windows of the layers that config.json names.
void readListedWindows(JsonFields& fields, ModelConfig& config)
{
    const std::size_t numLayers = config.windows.size();
    if (!fields.boolean("use_sliding_window", false))
        return;
    const std::int64_t window = fields.isNull("sliding_window") ? 0 : fields.integer("sliding_window", 4096);
    const std::int64_t first = fields.integer("max_window_layers", 28);
    for (std::size_t i = 0; i < numLayers; ++i)
        config.windows[i] = static_cast<std::int64_t>(i) >= first ? window : 0;
    const auto types = fields.find("layer_types");
    if (!types)
        return;
    if (types->size() != numLayers)
    {
        fields.report(ErrorCode::BadFormat, "layer_types",
                      fmt::format("expected {} entries, one per layer, found {}", numLayers, types->size()));
        return;
    }
    std::size_t layer = 0;
    for (const JsonView& type : types->elements())
    {
        const std::string name(type.asString().value_or(""));
        if (name != "sliding_attention" && name != "full_attention")
            fields.report(ErrorCode::Unsupported, "layer_types",
                          fmt::format("expected sliding_attention or full_attention, found {}", printableName(name)));
        config.windows[layer++] = name == "sliding_attention" ? window : 0;
    }
}

void readWindows(JsonFields& fields, ModelConfig& config)
{
    const auto numLayers = static_cast<std::size_t>(std::clamp<std::int64_t>(config.layers, 0, 1024));
    config.windows.assign(numLayers, 0);
    switch (config.traits().window)
    {
    case WindowRule::None:
        return;
    case WindowRule::AllLayers:
    {
        // The class's own default when the key is missing is 4096; null switches the window off.
        const std::int64_t window = fields.isNull("sliding_window") ? 0 : fields.integer("sliding_window", 4096);
        return config.windows.assign(numLayers, window);
    }
    case WindowRule::ListedLayers:
        return readListedWindows(fields, config);
    }
}

/// Causal families look back only, unless the configuration or the model's own published code says otherwise.
void readDirection(JsonFields& fields, ModelConfig& config)
{
    config.causal = config.traits().direction == Direction::Causal;
    if (!config.causal)
    {
        for (const std::string_view key : {"is_decoder", "add_cross_attention"})
            if (fields.boolean(key, false))
                fields.report(ErrorCode::Unsupported, key, "expected false (an encoder), found true");
        return;
    }
    std::string code;
    if (const auto map = fields.find("auto_map"))
        if (const auto name = map->find("AutoModel"))
            code = name->asString().value_or("");
    if (code.starts_with("modeling_qwen.") || code.starts_with("modeling_gritlm"))
        config.causal = false;
    else if (code.find("idir") != std::string::npos && !fields.find("use_bidirectional_attention") &&
             !fields.find("is_causal"))
        fields.report(ErrorCode::Unsupported, "auto_map",
                      fmt::format("expected a model of transformers, found code of its own whose attention is "
                                  "bidirectional ({})",
                                  printableName(code)));
    else if (!code.empty() && !fields.find("is_causal"))
        config.warnings.push_back(
            fmt::format("config.json refers to its own code, {}, which is not run: the model is computed as plain {}",
                        printableName(code), familyName(config.family)));
    const bool bidirectional = fields.boolean("use_bidirectional_attention", false);
    config.causal = fields.boolean("is_causal", config.causal && !bidirectional);
    if (bidirectional && config.causal)
        fields.report(ErrorCode::BadFormat, "is_causal",
                      "expected false where use_bidirectional_attention is true, found true");
    if (config.causal || config.windows.empty())
        return;
    bool windowed = false;
    for (std::int64_t& window : config.windows)
        windowed = std::exchange(window, 0) > 0 || windowed;
    if (!windowed)
        return;
    if (!config.traits().windowNeedsCausality)
        config.warnings.emplace_back("the sliding window is not used, because attention is bidirectional");
    else
        fields.report(ErrorCode::Unsupported, "use_sliding_window",
                      "expected false where attention is bidirectional, found true");
}

void readHeadShape(JsonFields& fields, ModelConfig& config)
{
    const bool keys = config.traits().headShapeKeys;
    const std::optional<std::int64_t> usual = config.traits().headDim;
    config.headDim = usual.value_or(config.heads > 0 ? config.modelDim / config.heads : 0);
    if (keys)
        config.headDim = fields.integer("head_dim", config.headDim);
    if (!(keys && fields.find("head_dim")) && !usual && config.heads > 0 && config.modelDim % config.heads != 0)
        fields.report(ErrorCode::BadFormat, "num_attention_heads",
                      fmt::format("expected a divisor of hidden_size {}{}, found {}", config.modelDim,
                                  keys ? " (head_dim is absent)" : "", config.heads));
}

void readActivation(JsonFields& fields, const FamilyTraits& traits)
{
    const bool silu = traits.mlp == MlpKind::SwiGlu;
    const std::string_view expected = silu ? "silu" : "gelu";
    const std::string found = fields.text("hidden_act", expected);
    if (found != expected && !(silu && found == "swish"))
        fields.report(ErrorCode::Unsupported, "hidden_act",
                      fmt::format("expected {}, found {}", expected, printableName(found)));
}

void readPositions(JsonFields& fields, ModelConfig& config)
{
    if (config.traits().positions == PositionScheme::Rotary)
        return readRope(fields, config);
    const std::string positions = fields.text("position_embedding_type", "absolute");
    if (positions != "absolute")
        fields.report(ErrorCode::Unsupported, "position_embedding_type",
                      fmt::format("expected absolute, found {}", printableName(positions)));
}

/// What the traits of the family leave to config.json; refuses what it asks for beyond them.
void readChoices(JsonFields& fields, ModelConfig& config)
{
    const FamilyTraits& traits = config.traits();
    config.kvHeads = traits.headShapeKeys ? fields.integer("num_key_value_heads", config.heads) : config.heads;
    config.normEps = fields.number(traits.normEpsKey, traits.normEps);
    if (traits.tokenTypes)
        config.tokenTypes = fields.integer("type_vocab_size", 2);
    readHeadShape(fields, config);
    readActivation(fields, traits);
    if (fields.find("attention_bias"))
        config.attentionBias = fields.boolean("attention_bias", false);
    if (fields.find("mlp_bias"))
        config.mlpBias = fields.boolean("mlp_bias", false);
    for (const std::string_view key : {"attn_logit_softcapping", "logit_softcapping", "attention_chunk_size"})
        if (fields.find(key))
            fields.report(ErrorCode::Unsupported, key, "expected no such option, found one");
    readPositions(fields, config);
    readWindows(fields, config);
    readDirection(fields, config);
}

std::optional<ModelFamily> readFamily(JsonFields& fields)
{
    std::string architecture;
    if (const auto list = fields.find("architectures"); list && list->size() > 0)
        architecture = (*list->elements().begin()).asString().value_or("");
    std::string type = fields.text("model_type", "");
    std::vector<std::string_view> known;
    for (const FamilyTraits& traits : modelFamilies())
    {
        known.push_back(traits.name);
        const std::string_view prefix = traits.classPrefix;
        const bool byType = type == traits.name;
        const bool byClass =
            architecture == std::string(prefix) + "Model" || architecture.starts_with(std::string(prefix) + "For");
        if (byType && !architecture.empty() && !byClass)
        {
            fields.report(
                ErrorCode::Unsupported, "architectures",
                fmt::format("expected {0}Model or {0}For..., found {1}", prefix, printableName(architecture)));
            return traits.family;
        }
        if (byType || (type.empty() && byClass))
            return traits.family;
    }
    const bool named = !type.empty() || !architecture.empty();
    fields.report(named ? ErrorCode::Unsupported : ErrorCode::BadFormat, "model_type",
                  fmt::format("expected {}, found {}", namesOr(known),
                              named ? printableName(type.empty() ? architecture : type) : "nothing"));
    return std::nullopt;
}

std::string jsonFieldOf(const ModelConfig& config, std::string_view field)
{
    static const std::map<std::string_view, std::string_view> names = {
        {"layers", "num_hidden_layers"},
        {"heads", "num_attention_heads"},
        {"kvHeads", "num_key_value_heads"},
        {"headDim", "head_dim"},
        {"modelDim", "hidden_size"},
        {"mlpDim", "intermediate_size"},
        {"vocabulary", "vocab_size"},
        {"maxPositions", "max_position_embeddings"},
        {"tokenTypes", "type_vocab_size"},
        {"theta", "rope_theta"},
        {"highFrequencyFactor", "high_freq_factor"},
        {"originalPositions", "original_max_position_embeddings"},
        {"betaFast", "beta_fast"},
        {"betaSlow", "beta_slow"},
        {"attentionFactor", "attention_factor"}};
    if (field == "normEps")
        return std::string(config.traits().normEpsKey);
    const auto found = names.find(field);
    return std::string(found == names.end() ? field : found->second);
}

ModelConfig readConfig(const JsonView& root, std::vector<Error>& problems)
{
    ModelConfig config;
    JsonFields fields(root, "", problems);
    if (!root.isObject())
    {
        fields.report(ErrorCode::BadFormat, "", fmt::format("expected an object, found {}", jsonKindName(root.kind())));
        return config;
    }
    const auto family = readFamily(fields);
    if (!family)
        return config;
    config.family = *family;
    config.layers = fields.integer("num_hidden_layers", std::nullopt);
    config.heads = fields.integer("num_attention_heads", std::nullopt);
    config.modelDim = fields.integer("hidden_size", std::nullopt);
    config.mlpDim = fields.integer("intermediate_size", std::nullopt);
    config.vocabulary = fields.integer("vocab_size", std::nullopt);
    config.maxPositions = fields.integer("max_position_embeddings", std::nullopt);
    // Missing fields were told above; their zeros would only be told again.
    const bool complete = problems.empty();
    if (fields.find("quantization_config"))
        fields.report(ErrorCode::Unsupported, "quantization_config",
                      "expected weights stored as numbers, found a quantised checkpoint; use the original or a GGUF "
                      "file");
    readChoices(fields, config);
    if (complete)
        checkModelConfig(
            config, [&](std::string_view field) { return jsonFieldOf(config, field); }, problems);
    return config;
}

} // namespace

ModelConfig modelConfigFromJson(const JsonView& root, std::string_view file, std::vector<Error>& allProblems)
{
    std::vector<Error> problems;
    ModelConfig config = readConfig(root, problems);
    const auto say = [&config](const std::vector<std::string>& notices) {
        config.warnings.insert(config.warnings.end(), notices.begin(), notices.end());
    };
    say(keyNotices(KeyTable::Config, root, "config.json"));
    for (const char* key : {"rope_scaling", "rope_parameters"})
        if (const auto rope = root.isObject() ? root.find(key) : std::nullopt)
            say(keyNotices(KeyTable::Rope, *rope, fmt::format("config.json: {}", key)));
    for (Error& problem : problems)
        allProblems.push_back(std::move(problem).inFile(file));
    return config;
}

} // namespace headscope

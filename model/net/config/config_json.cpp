// SPDX-License-Identifier: GPL-3.0-or-later
// config.json of Hugging Face repositories, in the schemas of transformers 4 and 5.
#include "model/net/config/config_json.h"

#include "model/formats/tensor_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace headscope
{
namespace
{

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

void readActivation(JsonFields& fields, ModelConfig& config)
{
    const std::string_view key = config.traits().keys.activation;
    config.activation = config.traits().activation;
    if (key.empty())
        return;
    const std::string found = fields.text(key, activationName(config.traits().activation));
    const auto known = activationFromName(found);
    if (!known)
        return fields.report(ErrorCode::Unsupported, key,
                             fmt::format("expected silu, gelu or gelu_pytorch_tanh, found {}", printableName(found)));
    config.activation = *known;
}

/// What scores are divided and bent by.
void readScores(JsonFields& fields, ModelConfig& config)
{
    const FamilyTraits& traits = config.traits();
    constexpr std::string_view kCap = "attn_logit_softcapping";
    config.queryScalar = traits.queryScalar ? fields.number("query_pre_attn_scalar", traits.queryScalar)
                                            : static_cast<double>(config.headDim);
    if (traits.softcap)
        config.softcap = fields.isNull(kCap) ? 0 : fields.number(kCap, traits.softcap);
    else if (fields.find(kCap))
        fields.report(ErrorCode::Unsupported, kCap, "this option is not supported");
    for (const std::string_view key : {"logit_softcapping", "attention_chunk_size"})
        if (fields.find(key))
            fields.report(ErrorCode::Unsupported, key, "this option is not supported");
}

void readPositions(JsonFields& fields, ModelConfig& config)
{
    if (config.traits().positions == PositionScheme::Rotary)
        return readRope(fields, config);
    const FamilyTraits& traits = config.traits();
    config.paddingPosition = traits.paddingPosition;
    if (traits.paddingPosition && !traits.keys.padding.empty())
        config.paddingPosition = fields.integer(traits.keys.padding, traits.paddingPosition);
    const std::string positions = fields.text("position_embedding_type", "absolute");
    if (positions != "absolute")
        fields.report(ErrorCode::Unsupported, "position_embedding_type",
                      fmt::format("expected absolute, found {}", printableName(positions)));
}

/// What the traits of the family leave to config.json; refuses what it asks for beyond them.
void readChoices(JsonFields& fields, ModelConfig& config)
{
    const FamilyTraits& traits = config.traits();
    config.normWeightsFromOne = traits.normWeightsFromOne;
    config.kvHeads = traits.headShapeKeys ? fields.integer("num_key_value_heads", config.heads) : config.heads;
    config.normEps = traits.keys.normEps.empty() ? traits.normEps : fields.number(traits.keys.normEps, traits.normEps);
    if (traits.tokenTypes)
    {
        config.tokenTypes = fields.integer("type_vocab_size", traits.tokenTypeRows);
        if (config.tokenTypes == 0 && !traits.tokenTypesOptional)
            fields.report(ErrorCode::BadFormat, "type_vocab_size", "expected 1 to 65536, found 0");
    }
    if (traits.parallelResidual)
        config.parallelResidual = fields.boolean("use_parallel_residual", true);
    readHeadShape(fields, config);
    readActivation(fields, config);
    if (fields.find("attention_bias"))
        config.attentionBias = fields.boolean("attention_bias", false);
    if (fields.find("mlp_bias"))
        config.mlpBias = fields.boolean("mlp_bias", false);
    if (fields.find("norm_bias"))
        config.normBias = fields.boolean("norm_bias", false);
    readScores(fields, config);
    readPositions(fields, config);
    readWindows(fields, config);
    readDirection(fields, config);
}

/// Refuses what a family's files may ask for and is not computed.
void readDemands(JsonFields& fields, const FamilyTraits& traits)
{
    for (const auto& [key, value] : traits.demands)
    {
        const auto found = fields.find(key);
        if (!found)
            continue;
        std::string text(found->asString().value_or("another value"));
        if (const auto flag = found->asBool())
            text = *flag ? "true" : "false";
        else if (const auto number = found->asDouble())
            text = fmt::format("{}", *number);
        if (text != value)
            fields.report(ErrorCode::Unsupported, key,
                          fmt::format("expected {}, found {}", value, printableName(text)));
    }
}

/// What config.json says of the embedding of a text, beside the files of sentence-transformers.
void readHints(JsonFields& fields, ModelConfig& config)
{
    EmbeddingHints& hints = config.embedding;
    hints.otherPooling = config.traits().otherPooling;
    hints.includePrompt = !fields.boolean("is_mask_instruction", false);
    hints.endToken = fields.boolean("add_eos", false);
    const std::string_view key = config.traits().keys.pooling;
    const std::string pooling = key.empty() ? "" : fields.text(key, "");
    if (pooling == "avg")
        hints.pooling = Pooling::Mean;
    else if (pooling == "cls")
        hints.pooling = Pooling::First;
    else if (pooling == "last")
        hints.pooling = Pooling::Last;
    else if (!pooling.empty())
        hints.otherPooling = printableName(pooling);
}

/// Whether an entry of `architectures` is a class of the family.
bool isClassOf(const FamilyTraits& traits, std::string_view architecture)
{
    const std::string prefix(traits.classPrefix);
    return architecture == prefix + "Model" || architecture == traits.modelClass ||
           architecture == prefix + "LMHeadModel" || architecture.starts_with(prefix + "For");
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
        const bool byType = type == traits.name;
        const bool byClass = isClassOf(traits, architecture);
        if (byType && !architecture.empty() && !byClass)
        {
            fields.report(ErrorCode::Unsupported, "architectures",
                          fmt::format("expected {0}Model or {0}For..., found {1}", traits.classPrefix,
                                      printableName(architecture)));
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
    const ConfigKeys& keys = config.traits().keys;
    const std::map<std::string_view, std::string_view> names = {
        {"layers", keys.layers},
        {"heads", keys.heads},
        {"kvHeads", "num_key_value_heads"},
        {"headDim", "head_dim"},
        {"modelDim", keys.modelDim},
        {"mlpDim", keys.mlpDim},
        {"vocabulary", "vocab_size"},
        {"maxPositions", keys.maxPositions},
        {"tokenTypes", "type_vocab_size"},
        {"paddingPosition", keys.padding},
        {"normEps", keys.normEps},
        {"queryScalar", "query_pre_attn_scalar"},
        {"softcap", "attn_logit_softcapping"},
        {"theta", keys.theta},
        {"partial", keys.partial},
        {"highFrequencyFactor", "high_freq_factor"},
        {"originalPositions", "original_max_position_embeddings"},
        {"betaFast", "beta_fast"},
        {"betaSlow", "beta_slow"},
        {"attentionFactor", "attention_factor"},
        {"shortFactors", "short_factor"},
        {"longFactors", "long_factor"}};
    const auto found = names.find(field);
    return std::string(found == names.end() ? field : found->second);
}

/// The object of config.json with the keys of the network: itself as a rule.
std::optional<JsonView> networkObject(const JsonView& root, const FamilyTraits& traits)
{
    if (traits.configObject.empty())
        return root;
    const auto object = root.find(traits.configObject);
    return object && object->isObject() ? object : std::nullopt;
}

void readNetwork(JsonFields& fields, ModelConfig& config)
{
    const FamilyTraits& traits = config.traits();
    const ConfigKeys& keys = traits.keys;
    config.layers = fields.integer(keys.layers, std::nullopt);
    config.heads = fields.integer(keys.heads, std::nullopt);
    config.modelDim = fields.integer(keys.modelDim, std::nullopt);
    config.mlpDim = fields.integer(keys.mlpDim, traits.mlpTimes > 0 ? std::optional(traits.mlpTimes * config.modelDim)
                                                                    : std::nullopt);
    config.vocabulary = fields.integer("vocab_size", std::nullopt);
    config.maxPositions = fields.integer(keys.maxPositions, std::nullopt);
}

ModelConfig readConfig(const JsonView& root, std::vector<Error>& problems)
{
    ModelConfig config;
    JsonFields outer(root, KeyTable::Config, "", problems);
    if (!root.isObject())
    {
        outer.report(ErrorCode::BadFormat, "", fmt::format("expected an object, found {}", jsonKindName(root.kind())));
        return config;
    }
    const auto family = readFamily(outer);
    if (!family)
        return config;
    config.family = *family;
    const FamilyTraits& traits = config.traits();
    const auto network = networkObject(root, traits);
    if (!network)
    {
        outer.report(ErrorCode::BadFormat, traits.configObject, "expected an object with the options of the network");
        return config;
    }
    JsonFields fields =
        traits.configObject.empty() ? outer : outer.inner(traits.configObject, *network, KeyTable::Config);
    readNetwork(fields, config);
    // Missing fields were told above; their zeros would only be told again.
    const bool complete = problems.empty();
    if (fields.find("quantization_config"))
        fields.report(ErrorCode::Unsupported, "quantization_config",
                      "expected weights stored as numbers, found a quantised checkpoint; use the original or a GGUF "
                      "file");
    readChoices(fields, config);
    readDemands(outer, traits);
    readHints(outer, config);
    if (complete)
        checkModelConfig(
            config, [&](std::string_view field) { return jsonFieldOf(config, field); }, problems);
    return config;
}

/// What an object with the keys of a network asks for and is not done.
void addNotices(const JsonView& object, const std::string& file, std::vector<std::string>& warnings)
{
    const auto say = [&warnings](const std::vector<std::string>& notices) {
        warnings.insert(warnings.end(), notices.begin(), notices.end());
    };
    say(keyNotices(KeyTable::Config, object, file));
    for (const std::string key : {"rope_scaling", "rope_parameters"})
        if (const auto rope = object.isObject() ? object.find(key) : std::nullopt)
            for (const auto& [place, part] : ropeObjects(*rope))
                say(keyNotices(KeyTable::Rope, part, fmt::format("{}: {}{}", file, key, place)));
}

} // namespace

ModelConfig modelConfigFromJson(const JsonView& root, std::string_view file, std::vector<Error>& allProblems)
{
    std::vector<Error> problems;
    ModelConfig config = readConfig(root, problems);
    addNotices(root, "config.json", config.warnings);
    const std::string_view inner = config.traits().configObject;
    if (const auto network = root.isObject() && !inner.empty() ? networkObject(root, config.traits()) : std::nullopt)
        addNotices(*network, fmt::format("config.json: {}", inner), config.warnings);
    for (Error& problem : problems)
        allProblems.push_back(std::move(problem).inFile(file));
    return config;
}

} // namespace headscope

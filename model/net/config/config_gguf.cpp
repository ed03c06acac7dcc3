// SPDX-License-Identifier: GPL-3.0-or-later
// The configuration in a GGUF file's metadata.
#include "model/formats/gguf.h"
#include "model/net/config/model_config.h"
#include "model/net/config/tensor_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

namespace headscope
{
namespace
{

/// Reads "{arch}.key" and remembers everything that is wrong.
class Keys
{
public:
    Keys(const GgufMetadata& metadata, std::string architecture, std::vector<Error>& problems)
        : m_metadata(metadata), m_architecture(std::move(architecture)), m_problems(problems)
    {}

    [[nodiscard]] std::string full(std::string_view key) const { return m_architecture + "." + std::string(key); }
    /// The integers of an array; none where the key is absent or holds one value.
    std::vector<std::int64_t> integers(std::string_view key)
    {
        const auto found = m_metadata.values().find(full(key));
        if (found == m_metadata.values().end() || found->second.type != GgufType::Array)
            return {};
        m_read.insert(full(key));
        return take(key, m_metadata.integers(full(key)), std::optional(std::vector<std::int64_t>()));
    }
    std::int64_t integer(std::string_view key, std::optional<std::int64_t> absent)
    {
        return take(key, m_metadata.integer(full(key)), absent);
    }
    double number(std::string_view key, std::optional<double> absent)
    {
        return take(key, m_metadata.number(full(key)), absent);
    }
    bool boolean(std::string_view key, bool absent)
    {
        return take(key, m_metadata.boolean(full(key)), std::optional(absent));
    }
    std::string_view text(std::string_view key, std::string_view absent)
    {
        return take(key, m_metadata.string(full(key)), std::optional(absent));
    }
    void report(ErrorCode code, std::string_view key, std::string message)
    {
        m_problems.push_back({code, std::move(message), {}, full(key)});
    }
    /// Keys of the architecture that nothing has asked for and that may change vectors.
    [[nodiscard]] std::vector<std::string> unread() const
    {
        constexpr std::array<std::string_view, 7> kIrrelevant = {"pooling_type", // sentence_files
                                                                 "final_logit_softcapping",
                                                                 "classifier.output_labels",
                                                                 "tensor_data_layout",
                                                                 "mm.tokens_per_image",
                                                                 "rope.scaling.finetuned",
                                                                 "rope.scaling.original_context_length"};
        std::vector<std::string> keys;
        for (const auto& [key, value] : m_metadata.values())
            if (key.starts_with(m_architecture + ".") && !key.starts_with(m_architecture + ".dense_") &&
                !m_read.contains(key) &&
                std::ranges::find(kIrrelevant, key.substr(m_architecture.size() + 1)) == kIrrelevant.end())
                keys.push_back(key);
        return keys;
    }

private:
    template <class T>
    T take(std::string_view key, Result<std::optional<T>> found, std::optional<T> absent)
    {
        m_read.insert(full(key));
        if (!found)
            m_problems.push_back(std::move(found).error());
        else if (*found)
            return **found;
        else if (!absent)
            report(ErrorCode::BadFormat, key, "this key is missing");
        return absent.value_or(T{});
    }

    const GgufMetadata& m_metadata;
    std::string m_architecture;
    std::vector<Error>& m_problems;
    std::set<std::string> m_read;
};

/// Refuses what would change the numbers of yarn scaling otherwise than computed here.
void demandYarnDefaults(Keys& keys)
{
    const auto demand = [&keys](std::string_view key, double usual) {
        if (const double found = keys.number(key, usual); found != usual)
            keys.report(ErrorCode::Unsupported, key, fmt::format("expected {}, found {}", usual, found));
    };
    demand("rope.scaling.yarn_ext_factor", 1);
    demand("rope.scaling.yarn_attn_factor", 1);
    demand("rope.scaling.yarn_log_multiplier", 0);
}

/// longrope, whose factors are tensors. The file does not say more of it.
void readLongRope(Keys& keys, ModelConfig& config)
{
    RopeConfig& rope = config.rope;
    rope.scaling = RopeScaling::LongRope;
    rope.factorsInTensors = true;
    if (const std::string_view type = keys.text("rope.scaling.type", "longrope"); type != "longrope" && type != "none")
        keys.report(ErrorCode::Unsupported, "rope.scaling.type",
                    fmt::format("expected none or longrope together with the factors, found {}", printableName(type)));
    const auto longest = static_cast<double>(config.maxPositions);
    rope.originalPositions = keys.number("rope.scaling.original_context_length", longest);
    rope.attentionFactor = keys.number("rope.scaling.attn_factor", 1);
    rope.factor = rope.originalPositions > 0 ? longest / rope.originalPositions : 0;
}

void readScaling(Keys& keys, ModelConfig& config)
{
    RopeConfig& rope = config.rope;
    const std::string_view type = keys.text("rope.scaling.type", "none");
    rope.factor = keys.number("rope.scaling.factor", keys.number("rope.scale_linear", 1));
    if (type == "linear" || (type == "none" && rope.factor != 1))
        rope.scaling = RopeScaling::Linear;
    else if (type == "yarn")
    {
        rope.scaling = RopeScaling::Yarn;
        rope.originalPositions =
            keys.number("rope.scaling.original_context_length", static_cast<double>(config.maxPositions));
        rope.betaFast = keys.number("rope.scaling.yarn_beta_fast", 32);
        rope.betaSlow = keys.number("rope.scaling.yarn_beta_slow", 1);
        const double usual = rope.factor > 1 ? 0.1 * std::log(rope.factor) + 1 : 1.0;
        rope.attentionFactor = usual * keys.number("rope.scaling.attn_factor", 1);
        demandYarnDefaults(keys);
    }
    else if (type != "none")
        keys.report(ErrorCode::Unsupported, "rope.scaling.type",
                    fmt::format("expected none, linear or yarn, found {}", printableName(type)));
}

/// Windows of all layers but every n-th, by its n or layer by layer.
void readPatternWindows(Keys& keys, std::int64_t window, ModelConfig& config)
{
    constexpr std::string_view kKey = "attention.sliding_window_pattern";
    const FamilyTraits& traits = config.traits();
    const std::vector<std::int64_t> flags = keys.integers(kKey);
    if (!flags.empty() && flags.size() != config.windows.size())
        return keys.report(
            ErrorCode::BadFormat, kKey,
            fmt::format("expected {} truth values, one per layer, found {}", config.windows.size(), flags.size()));
    const std::int64_t pattern = flags.empty() ? keys.integer(kKey, traits.windowPattern) : traits.windowPattern;
    if (pattern < 1)
        return keys.report(ErrorCode::BadFormat, kKey,
                           fmt::format("expected an integer of 1 or more, found {}", pattern));
    const std::int64_t full = traits.windowPatternFirst ? 0 : pattern - 1;
    for (std::size_t i = 0; i < config.windows.size(); ++i)
    {
        const bool isFull = flags.empty() ? static_cast<std::int64_t>(i) % pattern == full : flags[i] == 0;
        config.windows[i] = isFull ? 0 : window;
    }
}

/// Mistral models usually have a window; their files call themselves llama and may not say it.
void noteMissingWindow(const GgufMetadata& metadata, ModelConfig& config)
{
    auto named = metadata.string("general.name");
    std::string name(named && *named ? **named : std::string_view());
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (name.find("mistral") != std::string::npos)
        config.warnings.emplace_back("the file sets no sliding window, so none is used; Mistral models usually have "
                                     "one of 4096 tokens, and longer texts then differ");
}

void readWindows(Keys& keys, ModelConfig& config, const GgufMetadata& metadata)
{
    constexpr std::string_view kKey = "attention.sliding_window";
    const FamilyTraits& traits = config.traits();
    config.windows.assign(static_cast<std::size_t>(std::clamp<std::int64_t>(config.layers, 0, 1024)), 0);
    const bool pattern = traits.window == WindowRule::EveryNth;
    const bool every = traits.ggufWindowInEvery || traits.window == WindowRule::AllLayers;
    const std::int64_t window = keys.integer(kKey, pattern ? traits.windowTokens : 0);
    if (window == 0 && traits.ggufWindowInEvery)
        noteMissingWindow(metadata, config);
    if (window <= 0)
        return;
    if (!pattern && !every)
        return keys.report(
            ErrorCode::Unsupported, kKey,
            fmt::format("expected no sliding window (the file does not say which layers have one), found {}", window));
    if (!config.causal && traits.wideWindow != WideWindow::Halved)
        config.warnings.emplace_back("the sliding window is not used, because attention is bidirectional");
    else if (pattern)
        readPatternWindows(keys, window, config);
    else
        std::ranges::fill(config.windows, window);
}

/// The family of an architecture's name; reports one that is not known.
const FamilyTraits* findFamily(std::string_view architecture, std::vector<Error>& problems)
{
    std::vector<std::string_view> known;
    for (const FamilyTraits& traits : modelFamilies())
        for (const std::string_view name : {traits.gguf, traits.ggufBidirectional})
        {
            if (name.empty())
                continue;
            if (name == architecture)
                return &traits;
            known.push_back(name);
        }
    problems.push_back({ErrorCode::Unsupported,
                        fmt::format("expected {}, found {}", namesOr(known), printableName(architecture)),
                        {},
                        "general.architecture"});
    return nullptr;
}

std::string_view epsKey(const ModelConfig& config)
{
    return config.traits().normKind == NormKind::Layer ? "attention.layer_norm_epsilon"
                                                       : "attention.layer_norm_rms_epsilon";
}

void readActivation(Keys& keys, ModelConfig& config)
{
    constexpr std::string_view kKey = "hidden_activation";
    const std::string_view name = keys.text(kKey, activationName(config.traits().activation));
    const auto known = activationFromName(name);
    if (!known)
        keys.report(ErrorCode::Unsupported, kKey,
                    fmt::format("expected silu, gelu or gelu_pytorch_tanh, found {}", printableName(name)));
    config.activation = known.value_or(config.traits().activation);
}

/// Which numbers of a head are rotated, and by what.
void readRotary(Keys& keys, ModelConfig& config, const TensorDirectory& tensors)
{
    const FamilyTraits& traits = config.traits();
    config.rope.theta = keys.number("rope.freq_base", 10000);
    if (!traits.keys.windowedTheta.empty())
        config.windowedRope = RopeConfig{.theta = keys.number("rope.freq_base_swa", traits.windowedTheta)};
    const std::int64_t dims = keys.integer("rope.dimension_count", config.headDim);
    if (dims < config.headDim && traits.partialRotary && dims > 0)
        // A little more, so that the product with Dh is not below the whole number.
        config.rope.partial = std::nextafter(static_cast<double>(dims) / static_cast<double>(config.headDim), 1.0);
    else if (dims != config.headDim)
        keys.report(ErrorCode::Unsupported, "rope.dimension_count",
                    fmt::format("expected {}, found {}", config.headDim, dims));
    const std::string longFactors = tensorName({TensorRole::RopeLongFactors}, config.family, TensorNaming::Gguf);
    if (tensors.find(longFactors) != nullptr)
        readLongRope(keys, config);
    else
        readScaling(keys, config);
}

void readSizes(Keys& keys, ModelConfig& config)
{
    const FamilyTraits& traits = config.traits();
    config.layers = keys.integer("block_count", std::nullopt);
    config.heads = keys.integer("attention.head_count", std::nullopt);
    config.kvHeads = keys.integer("attention.head_count_kv", config.heads);
    config.modelDim = keys.integer("embedding_length", std::nullopt);
    config.mlpDim = keys.integer("feed_forward_length", std::nullopt);
    config.maxPositions = keys.integer("context_length", std::nullopt);
    config.normEps = keys.number(epsKey(config), std::nullopt);
    config.headDim = keys.integer("attention.key_length", config.heads > 0 ? config.modelDim / config.heads : 0);
    if (traits.wideQueryLayers > 0 && config.layers == traits.wideQueryLayers && config.heads > 0)
        config.queryScalar = static_cast<double>(config.modelDim) / static_cast<double>(config.heads);
    else
        config.queryScalar = static_cast<double>(config.headDim);
    if (traits.parallelResidual)
        config.parallelResidual = keys.boolean("use_parallel_residual", true);
    if (traits.softcap)
        config.softcap = keys.number("attn_logit_softcapping", *traits.softcap);
    readActivation(keys, config);
}

/// A field of ModelConfig by the key that it was read from.
std::string keyOf(const Keys& keys, const ModelConfig& config, std::string_view field)
{
    static const std::map<std::string_view, std::string_view> kNames = {
        {"layers", "block_count"},           {"heads", "attention.head_count"},  {"kvHeads", "attention.head_count_kv"},
        {"headDim", "attention.key_length"}, {"modelDim", "embedding_length"},   {"mlpDim", "feed_forward_length"},
        {"vocabulary", "vocab_size"},        {"maxPositions", "context_length"}, {"theta", "rope.freq_base"},
        {"factor", "rope.scaling.factor"}};
    if (field == "normEps")
        return keys.full(epsKey(config));
    const auto found = kNames.find(field);
    return keys.full(found == kNames.end() ? field : found->second);
}

ModelConfig readConfig(const GgufFile& gguf, std::vector<Error>& problems)
{
    ModelConfig config;
    const auto architecture = gguf.metadata.requiredString("general.architecture");
    if (!architecture)
    {
        problems.push_back(architecture.error());
        return config;
    }
    const FamilyTraits* family = findFamily(*architecture, problems);
    if (family == nullptr)
        return config;
    config.family = family->family;
    config.permutedHeads = family->ggufInterleaved;

    Keys keys(gguf.metadata, std::string(*architecture), problems);
    const bool isBidirectional =
        *architecture == family->ggufBidirectional || family->direction == Direction::Bidirectional;
    config.causal = keys.boolean("attention.causal", !isBidirectional);
    readSizes(keys, config);
    const bool complete = problems.empty();
    if (const auto tokens = gguf.metadata.strings("tokenizer.ggml.tokens"); tokens && *tokens != nullptr)
        config.vocabulary = static_cast<std::int64_t>((*tokens)->size());
    config.vocabulary = keys.integer("vocab_size", config.vocabulary);

    const auto demand = [&](std::string_view key, std::int64_t expected) {
        if (const std::int64_t found = keys.integer(key, expected); complete && found != expected)
            keys.report(ErrorCode::Unsupported, key, fmt::format("expected {}, found {}", expected, found));
    };
    demand("attention.value_length", config.headDim);
    demand("expert_count", 0);
    if (complete && family->positions == PositionScheme::Rotary)
        readRotary(keys, config, gguf.tensors);
    readWindows(keys, config, gguf.metadata);
    const auto* const types =
        gguf.tensors.find(tensorName({TensorRole::EmbedTypes}, config.family, TensorNaming::Gguf));
    config.tokenTypes = types != nullptr && !types->shape.empty() ? types->shape.front() : 0; // there may be no table
    for (const std::string& key : keys.unread())
        config.warnings.push_back(fmt::format("{}: unknown, and not applied", printableName(key)));
    if (complete)
        checkModelConfig(
            config, [&](std::string_view field) { return keyOf(keys, config, field); }, problems);
    return config;
}

} // namespace

ModelConfig modelConfigFromGguf(const GgufFile& gguf, std::vector<Error>& allProblems)
{
    std::vector<Error> problems;
    ModelConfig config = readConfig(gguf, problems);
    const std::string file = gguf.tensors.files.empty() ? "" : gguf.tensors.files.front().path.filename().string();
    for (Error& problem : problems)
        allProblems.push_back(std::move(problem).inFile(file));
    return config;
}

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
// The configuration in a GGUF file's metadata.
#include "model/formats/gguf.h"
#include "model/net/config/model_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

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

private:
    template <class T>
    T take(std::string_view key, Result<std::optional<T>> found, std::optional<T> absent)
    {
        if (!found)
            m_problems.push_back(std::move(found).error());
        else if (*found)
            return **found;
        else if (!absent)
            report(ErrorCode::BadFormat, key, "expected the key, found none");
        return absent.value_or(T{});
    }

    const GgufMetadata& m_metadata;
    std::string m_architecture;
    std::vector<Error>& m_problems;
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

void readWindows(Keys& keys, ModelConfig& config, const GgufMetadata& metadata)
{
    config.windows.assign(static_cast<std::size_t>(std::clamp<std::int64_t>(config.layers, 0, 1024)), 0);
    const std::int64_t window = keys.integer("attention.sliding_window", 0);
    if (window > 0 && !config.traits().ggufWindowInEvery)
        keys.report(ErrorCode::Unsupported, "attention.sliding_window",
                    fmt::format("expected none (the file does not say which layers have it), found {}", window));
    else if (window > 0 && config.causal)
        std::ranges::fill(config.windows, window);
    if (window > 0 || !config.traits().ggufWindowInEvery)
        return;
    auto named = metadata.string("general.name");
    std::string name(named && *named ? **named : std::string_view());
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (name.find("mistral") != std::string::npos)
        config.warnings.emplace_back("the file sets no sliding window, so none is used; Mistral models usually have "
                                     "one of 4096 tokens, and longer texts then differ");
}

/// The family of an architecture's name; reports one that is not known.
const FamilyTraits* findFamily(std::string_view architecture, std::vector<Error>& problems)
{
    std::vector<std::string_view> known;
    for (const FamilyTraits& traits : modelFamilies())
    {
        if (traits.gguf.empty())
            continue;
        if (traits.gguf == architecture)
            return &traits;
        known.push_back(traits.gguf);
    }
    problems.push_back({ErrorCode::Unsupported,
                        fmt::format("expected {}, found {}", namesOr(known), printableName(architecture)),
                        {},
                        "general.architecture"});
    return nullptr;
}

void readSizes(Keys& keys, ModelConfig& config)
{
    config.layers = keys.integer("block_count", std::nullopt);
    config.heads = keys.integer("attention.head_count", std::nullopt);
    config.kvHeads = keys.integer("attention.head_count_kv", config.heads);
    config.modelDim = keys.integer("embedding_length", std::nullopt);
    config.mlpDim = keys.integer("feed_forward_length", std::nullopt);
    config.maxPositions = keys.integer("context_length", std::nullopt);
    config.normEps = keys.number("attention.layer_norm_rms_epsilon", std::nullopt);
    config.headDim = keys.integer("attention.key_length", config.heads > 0 ? config.modelDim / config.heads : 0);
    config.causal = keys.boolean("attention.causal", config.traits().direction == Direction::Causal);
    config.rope.theta = keys.number("rope.freq_base", 10000);
    config.activation = config.traits().activation;
}

/// A field of ModelConfig by the key that it was read from.
std::string keyOf(const Keys& keys, std::string_view field)
{
    static const std::map<std::string_view, std::string_view> kNames = {{"layers", "block_count"},
                                                                        {"heads", "attention.head_count"},
                                                                        {"kvHeads", "attention.head_count_kv"},
                                                                        {"headDim", "attention.key_length"},
                                                                        {"modelDim", "embedding_length"},
                                                                        {"mlpDim", "feed_forward_length"},
                                                                        {"vocabulary", "vocab_size"},
                                                                        {"maxPositions", "context_length"},
                                                                        {"normEps", "attention.layer_norm_rms_epsilon"},
                                                                        {"theta", "rope.freq_base"},
                                                                        {"factor", "rope.scaling.factor"}};
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
    demand("rope.dimension_count", config.headDim);
    demand("expert_count", 0);
    readScaling(keys, config);
    readWindows(keys, config, gguf.metadata);
    if (complete)
        checkModelConfig(
            config, [&keys](std::string_view field) { return keyOf(keys, field); }, problems);
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

// SPDX-License-Identifier: GPL-3.0-or-later
// Which tokens a token sees, as config.json says it.
#include "model/formats/tensor_info.h"
#include "model/net/config/config_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace headscope
{
namespace
{

/// The layers' own words for their windows, where there are some.
void readLayerTypes(JsonFields& fields, std::int64_t window, ModelConfig& config)
{
    const std::size_t numLayers = config.windows.size();
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

/// null switches the window off; where the key is missing, the default of the class counts.
std::int64_t readWindow(JsonFields& fields, const FamilyTraits& traits)
{
    return fields.isNull(traits.keys.window) ? 0 : fields.integer(traits.keys.window, traits.windowTokens);
}

/// Windows of the layers that config.json names.
void readListedWindows(JsonFields& fields, ModelConfig& config)
{
    if (!fields.boolean("use_sliding_window", false))
        return;
    const std::int64_t window = readWindow(fields, config.traits());
    const std::int64_t first = fields.integer("max_window_layers", 28);
    for (std::size_t i = 0; i < config.windows.size(); ++i)
        config.windows[i] = static_cast<std::int64_t>(i) >= first ? window : 0;
    readLayerTypes(fields, window, config);
}

/// Windows of all layers but every n-th, unless config.json lists them.
void readPatternWindows(JsonFields& fields, ModelConfig& config)
{
    const FamilyTraits& traits = config.traits();
    const std::int64_t window = readWindow(fields, traits);
    const std::int64_t pattern = fields.integer(traits.keys.windowPattern, traits.windowPattern);
    if (pattern < 1)
        return fields.report(ErrorCode::BadFormat, traits.keys.windowPattern,
                             fmt::format("expected an integer of 1 or more, found {}", pattern));
    const std::int64_t full = traits.windowPatternFirst ? 0 : pattern - 1;
    for (std::size_t i = 0; i < config.windows.size(); ++i)
        config.windows[i] = static_cast<std::int64_t>(i) % pattern == full ? 0 : window;
    readLayerTypes(fields, window, config);
}

std::string lowerCase(std::string_view text)
{
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
}

/// A word for attention in both directions in the name of a class or module of the model's own.
bool saysBidirectional(std::string_view code)
{
    constexpr std::array<std::string_view, 4> kWords = {"bidir", "encoder", "noncausal", "non_causal"};
    const std::string lower = lowerCase(code);
    return std::ranges::any_of(kWords, [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

/// Refuses keys that are not known and seem to ask for attention in both directions.
void refuseUnknownDirections(JsonFields& fields)
{
    for (const auto& [key, value] : fields.object().members())
    {
        // "causal" is read of NomicBERT alone.
        if ((isReadKey(KeyTable::Config, key) && key != "causal") || value.kind() != JsonKind::Bool)
            continue;
        const std::string name = lowerCase(key);
        const bool on = value.asBool().value_or(false);
        if ((name.find("bidir") != std::string::npos && on) || (name.find("causal") != std::string::npos && !on))
            fields.report(ErrorCode::Unsupported, printableName(key),
                          "this option seems to request bidirectional attention, which is not supported here");
    }
}

/// What the model's own published code says of the direction; true where it says bidirectional.
bool readOwnCode(JsonFields& fields, ModelConfig& config)
{
    std::string code;
    if (const auto map = fields.find("auto_map"))
        if (const auto name = map->find("AutoModel"))
            code = name->asString().value_or("");
    if (code.starts_with("modeling_qwen.") || code.starts_with("modeling_gritlm"))
        return true;
    if (saysBidirectional(code) && !fields.find("use_bidirectional_attention") && !fields.find("is_causal"))
        fields.report(
            ErrorCode::Unsupported, "auto_map",
            fmt::format("expected a model class of transformers, found custom code with bidirectional attention ({})",
                        printableName(code)));
    else if (!code.empty() && !fields.find("is_causal"))
        config.warnings.push_back(
            fmt::format("config.json refers to custom code, {}, which is not run: the model is computed as plain {}",
                        printableName(code), familyName(config.family)));
    return false;
}

/// A family whose attention is bidirectional whatever config.json says must not be told otherwise by it.
void readBidirectional(JsonFields& fields, const ModelConfig& config)
{
    for (const std::string_view key : {"is_decoder", "add_cross_attention"})
        if (fields.boolean(key, false))
            fields.report(ErrorCode::Unsupported, key, "expected false (an encoder), found true");
    const std::string_view family = familyName(config.family);
    if (fields.boolean("is_causal", false))
        fields.report(ErrorCode::Unsupported, "is_causal",
                      fmt::format("expected false in a {} model, found true", family));
    if (!fields.boolean("use_bidirectional_attention", true))
        fields.report(ErrorCode::Unsupported, "use_bidirectional_attention",
                      fmt::format("expected true in a {} model, found false", family));
}

/// What becomes of windows where attention is bidirectional.
void fitWideWindows(JsonFields& fields, ModelConfig& config)
{
    if (config.traits().wideWindow == WideWindow::Halved)
        return;
    bool windowed = false;
    for (std::int64_t& window : config.windows)
        windowed = std::exchange(window, 0) > 0 || windowed;
    if (!windowed)
        return;
    if (config.traits().wideWindow == WideWindow::None)
        config.warnings.emplace_back("the sliding window is not used, because attention is bidirectional");
    else if (config.traits().window == WindowRule::ListedLayers)
        fields.report(ErrorCode::Unsupported, "use_sliding_window",
                      "expected false where attention is bidirectional, found true");
    else
        fields.report(ErrorCode::Unsupported, "sliding_window",
                      "expected null where attention is bidirectional, found a window");
}

} // namespace

void readWindows(JsonFields& fields, ModelConfig& config)
{
    const auto numLayers = static_cast<std::size_t>(std::clamp<std::int64_t>(config.layers, 0, 1024));
    config.windows.assign(numLayers, 0);
    switch (config.traits().window)
    {
    case WindowRule::None:
        return;
    case WindowRule::AllLayers:
        return config.windows.assign(numLayers, readWindow(fields, config.traits()));
    case WindowRule::ListedLayers:
        return readListedWindows(fields, config);
    case WindowRule::EveryNth:
        return readPatternWindows(fields, config);
    }
}

/// Causal families look back only, unless the configuration or the model's own published code says otherwise.
void readDirection(JsonFields& fields, ModelConfig& config)
{
    config.causal = config.traits().direction == Direction::Causal;
    if (config.causal)
    {
        config.causal = !readOwnCode(fields, config);
        const bool bidirectional = fields.boolean("use_bidirectional_attention", false);
        config.causal = fields.boolean("is_causal", config.causal && !bidirectional);
        if (bidirectional && config.causal)
            fields.report(ErrorCode::BadFormat, "is_causal",
                          "expected false where use_bidirectional_attention is true, found true");
        if (config.causal)
            refuseUnknownDirections(fields);
    }
    else
        readBidirectional(fields, config);
    if (!config.causal)
        fitWideWindows(fields, config);
}

} // namespace headscope

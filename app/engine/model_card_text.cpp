// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/model_card_text.h"

#include "model/base/escape_controls.h"
#include "model/base/text/bytes_text.h"
#include "model/data/key_sharing.h"
#include "model/net/run/stream_costs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace headscope::engine
{
namespace
{

/// "1,234,567"
std::string grouped(std::uint64_t number)
{
    auto text = std::to_string(number);
    for (auto place = static_cast<std::ptrdiff_t>(text.size()) - 3; place > 0; place -= 3)
        text.insert(static_cast<std::size_t>(place), 1, ',');
    return text;
}

std::string row(std::string_view name, std::string_view value)
{
    return fmt::format("  {:<11} {}\n", name, escapeControls(value, LineBreaks::Shown));
}

std::string headsText(const ModelInfo& info)
{
    const std::string heads = fmt::format("{} of size {}", info.heads, info.headDim);
    switch (keySharing(info))
    {
    case KeySharing::Groups:
        return fmt::format("{}, in {} KV groups of {}", heads, info.kvHeads, info.groupSize());
    case KeySharing::One:
        return heads + ", all with one KV head";
    case KeySharing::Own:
    case KeySharing::Unknown:
        break;
    }
    return heads;
}

std::string attentionText(const ModelCard& card)
{
    const std::set<std::int64_t> windows(card.windows.begin(), card.windows.end());
    std::string text = card.causal ? "causal" : "bidirectional";
    for (const auto window : windows)
    {
        if (window == 0)
            continue;
        const auto layers = std::count(card.windows.begin(), card.windows.end(), window);
        text += card.causal ? fmt::format(", window of {} tokens", window)
                            : fmt::format(", window of {} tokens to either side", window / 2);
        if (layers < static_cast<std::ptrdiff_t>(card.windows.size()))
            text += fmt::format(" in {} of {} layers", layers, card.windows.size());
    }
    return text;
}

std::string poolingText(const ModelCard& card)
{
    if (!card.sentence.otherPooling.empty())
        return card.sentence.otherPooling + " (not supported; --pooling last, mean or first gives other vectors)";
    constexpr std::array<std::string_view, 3> kNames = {"last token", "first token", "mean of all tokens"};
    return fmt::format("{}{}", kNames[static_cast<std::size_t>(card.defaultPooling())],
                       card.sentence.pooling ? "" : " (the model sets none; --pooling changes it)");
}

/// What makes the sentence embedding, and what is not touched by it.
std::string embeddingText(const ModelCard& card)
{
    const EmbeddingPlan& plan = card.sentence.embedding;
    if (!plan.any())
        return fmt::format("not computed: {}", plan.notDone);
    return fmt::format("{} values: pooled hidden state, {}; head vectors do not change", plan.dims(card.info.modelDim),
                       plan.words());
}

std::string typesText(const ModelCard& card)
{
    std::string text;
    for (const auto& [type, count] : card.dtypes)
        text += fmt::format("{}{} ({:.3g}%)", text.empty() ? "" : ", ", type,
                            100.0 * static_cast<double>(count) /
                                static_cast<double>(std::max<std::uint64_t>(card.parameters, 1)));
    return text;
}

} // namespace

std::string modelCardJson(const OpenedModel& model)
{
    const auto& card = model.card;
    nlohmann::ordered_json object;
    object["family"] = card.info.family;
    object["layers"] = card.info.layers;
    object["heads"] = card.info.heads;
    object["kv_heads"] = card.info.kvHeads;
    object["head_dim"] = card.info.headDim;
    object["model_dim"] = card.info.modelDim;
    object["vocabulary"] = card.info.vocabulary;
    object["dtype"] = card.dtype;
    object["parameters"] = card.parameters;
    object["files"] = nlohmann::ordered_json::array();
    for (const auto& file : card.files)
    {
        object["files"].push_back({{"name", file.name}, {"bytes", file.bytes}});
        if (!file.sha256.empty())
            object["files"].back()["sha256"] = file.sha256;
    }
    object["adapter"] = card.adapter.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(card.adapter);
    object["tokenizer"] = model.tokenizer.kind();
    object["tokenizer_sha256"] = model.tokenizer.sha256();
    const bool offered = card.sentence.otherPooling.empty();
    object["pooling"] = offered ? poolingName(card.defaultPooling()) : card.sentence.otherPooling;
    object["embedding"] = card.sentence.pooling.has_value() || !offered;
    object["eos"] = model.tokenizer.endRule();
    object["modules"] = card.sentence.modules;
    object["sentence_embedding"] =
        card.sentence.embedding.any()
            ? nlohmann::ordered_json{{"modules", card.sentence.embedding.words()},
                                     {"dims", card.sentence.embedding.dims(card.info.modelDim)}}
            : nlohmann::ordered_json();
    object["max_tokens"] = card.defaultMaxTokens();
    object["prompts"] = nlohmann::ordered_json::object();
    for (const NamedPrompt& prompt : card.sentence.prompts)
        object["prompts"][prompt.name] = prompt.text;
    object["default_prompt"] = card.sentence.defaultPrompt.empty()
                                   ? nlohmann::ordered_json()
                                   : nlohmann::ordered_json(card.sentence.defaultPrompt);
    object["memory"] = {
        {"weights", card.memory.weights}, {"peak", card.memory.peak}, {"streamed", card.memory.streamed}};
    object["warnings"] = card.warnings;
    return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string modelCardText(const OpenedModel& model)
{
    const auto& card = model.card;
    const auto& info = card.info;
    std::string text = escapeControls(info.name, LineBreaks::Shown) + '\n';
    std::string_view name;
    text += row("family", fmt::format("{}, {} parameters", info.family, grouped(card.parameters)));
    text += row("layers", fmt::format("{}", info.layers));
    text += row("heads", headsText(info));
    text += row("hidden size", fmt::format("{}, MLP {}", info.modelDim, card.mlpDim));
    text += row("attention", attentionText(card));
    text +=
        row("positions", fmt::format("{}, {}", grouped(static_cast<std::uint64_t>(card.maxPositions)), card.positions));
    text += row("weights", typesText(card));
    if (!card.adapter.empty())
        text += row("adapter", card.adapter);
    text += row("tokenizer", fmt::format("{}, {} tokens", model.tokenizer.kind(),
                                         grouped(static_cast<std::uint64_t>(info.vocabulary))));
    text += row("end token", model.tokenizer.endRule());
    text += row("pooling", poolingText(card));
    if (!card.sentence.modules.empty())
        text += row("modules", fmt::format("{}", fmt::join(card.sentence.modules, ", ")));
    if (card.sentence.embedding.any() || !card.sentence.embedding.notDone.empty())
        text += row("embedding", embeddingText(card));
    text += row("max tokens",
                fmt::format("{} of a text{}", grouped(static_cast<std::uint64_t>(card.defaultMaxTokens())),
                            card.sentence.maxSequenceLength ? "" : " (the model sets none; --max-tokens changes it)"));
    name = "prompts";
    for (const NamedPrompt& prompt : card.sentence.prompts)
    {
        const bool always = prompt.name == card.sentence.defaultPrompt;
        text += row(name, fmt::format("{}: \"{}\"{}", prompt.name, prompt.text, always ? ", before every text" : ""));
        name = "";
    }
    std::string memory = fmt::format("about {} for a run of all layers, {} of this for weights",
                                     bytesText(card.memory.peak), bytesText(card.memory.weights));
    if (card.memory.streamed < card.memory.peak)
        memory +=
            fmt::format("; --memory {} or more reads layers from disk in turn", mebibytesText(card.memory.streamed));
    text += row("memory", memory);
    name = "files";
    for (const auto& file : card.files)
    {
        text += row(name, fmt::format("{} ({})", file.name, bytesText(file.bytes)));
        name = "";
    }
    name = "warnings";
    for (const auto& warning : card.warnings)
    {
        text += row(name, warning);
        name = "";
    }
    return text;
}

} // namespace headscope::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/model_card_text.h"

#include "model/base/escape_controls.h"
#include "model/base/text/bytes_text.h"
#include "model/data/key_sharing.h"
#include "model/net/run/stream_costs.h"

#include <fmt/format.h>
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
        text += fmt::format(", window of {} tokens", window);
        if (layers < static_cast<std::ptrdiff_t>(card.windows.size()))
            text += fmt::format(" in {} of {} layers", layers, card.windows.size());
    }
    return text;
}

std::string typesText(const ModelCard& card)
{
    std::string text;
    for (const auto& [type, count] : card.dtypes)
        text += fmt::format("{}{} ({:.3g} %)", text.empty() ? "" : ", ", type,
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
    object["tokenizer"] = model.tokenizer.kind();
    object["tokenizer_sha256"] = model.tokenizer.sha256();
    object["pooling"] = poolingName(card.defaultPooling());
    object["embedding"] = card.sentence.pooling.has_value();
    object["eos"] = model.tokenizer.endRule();
    object["max_tokens"] = card.defaultMaxTokens();
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
    text += row("family", fmt::format("{}, {} parameters", info.family, grouped(card.parameters)));
    text += row("layers", fmt::format("{}", info.layers));
    text += row("heads", headsText(info));
    text += row("hidden size", fmt::format("{}, MLP {}", info.modelDim, card.mlpDim));
    text += row("attention", attentionText(card));
    text +=
        row("positions", fmt::format("{}, {}", grouped(static_cast<std::uint64_t>(card.maxPositions)), card.positions));
    text += row("weights", typesText(card));
    text += row("tokenizer", fmt::format("{}, {} tokens", model.tokenizer.kind(),
                                         grouped(static_cast<std::uint64_t>(info.vocabulary))));
    text += row("end token", model.tokenizer.endRule());
    text += row("pooling",
                fmt::format("{}{}",
                            card.defaultPooling() == Pooling::Mean    ? "mean of all tokens"
                            : card.defaultPooling() == Pooling::First ? "first token"
                                                                      : "last token",
                            card.sentence.pooling ? "" : " (a default: the model sets none; --pooling changes it)"));
    text += row("max tokens",
                fmt::format("{} of a text{}", grouped(static_cast<std::uint64_t>(card.defaultMaxTokens())),
                            card.sentence.maxSequenceLength ? "" : " (the model sets none; --max-tokens changes it)"));
    std::string memory = fmt::format("about {} for a run of all layers, {} of this for weights",
                                     bytesText(card.memory.peak), bytesText(card.memory.weights));
    if (card.memory.streamed < card.memory.peak)
        memory +=
            fmt::format("; --memory {} or more reads layers from disk in turn", mebibytesText(card.memory.streamed));
    text += row("memory", memory);
    std::string_view name = "files";
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

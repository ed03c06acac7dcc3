// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/inspect/model_card_text.h"

#include "app/engine/inspect/model_asks.h"
#include "app/frames/frame_json.h"
#include "model/base/escape_controls.h"
#include "model/base/text/bytes_text.h"
#include "model/data/frame/text_table.h"
#include "model/data/key_sharing.h"
#include "model/net/run/stream_costs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace headscope::engine
{
namespace
{

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
        return heads + ", all sharing one KV head";
    case KeySharing::Own:
    case KeySharing::Unknown:
        break;
    }
    return heads;
}

/// What is read beside the files that have digests, by their paths in the folder.
std::vector<std::string> otherFilesRead(const OpenedModel& model)
{
    std::vector<std::filesystem::path> places = sentenceFiles(model.files);
    if (!model.files.isGguf())
        for (const char* name : {"added_tokens.json", "special_tokens_map.json"})
            places.push_back(model.files.folder / name);
    std::vector<std::string> names;
    for (const std::filesystem::path& path : places)
    {
        std::error_code ignored;
        if (std::filesystem::is_regular_file(path, ignored))
            names.push_back(path.lexically_relative(model.files.root).generic_string());
    }
    return names;
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
    object["adapter"] = textJson(card.adapter);
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
    object["asks"] = linesJson(modelAsks(model));
    return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string modelCardText(const OpenedModel& model)
{
    const auto& card = model.card;
    const auto& info = card.info;
    std::string text = escapeControls(info.name, LineBreaks::Shown) + '\n';
    std::string_view name;
    text += row("family",
                fmt::format("{}, {} parameters", info.family, withCommas(static_cast<std::int64_t>(card.parameters))));
    text += row("layers", fmt::format("{}", info.layers));
    text += row("heads", headsText(info));
    text += row("hidden size", fmt::format("{}", info.modelDim));
    text += row("weights", typesText(card));
    std::string memory = fmt::format("about {} for a run of all layers, including {} for weights",
                                     bytesText(card.memory.peak), bytesText(card.memory.weights));
    if (card.memory.streamed < card.memory.peak)
        memory += fmt::format("; with --memory {} or more, layers are read from disk one at a time",
                              mebibytesText(card.memory.streamed));
    text += row("memory", memory);
    name = "files";
    for (const auto& file : card.files)
    {
        text += row(name, fmt::format("{} ({})", file.name, bytesText(file.bytes)));
        name = "";
    }
    if (const auto others = otherFilesRead(model); !others.empty())
        text += row("also read", fmt::format("{}", fmt::join(others, ", ")));
    for (const auto& [title, line] : modelAsks(model))
        text += row(title, line);
    return text;
}

} // namespace headscope::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/inspect/cache_card.h"

#include "app/engine/inspect/model_card_text.h"
#include "app/frames/frame_json.h"
#include "model/base/escape_controls.h"
#include "model/base/text/bytes_text.h"
#include "model/data/key_sharing.h"
#include "model/data/last_layer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <string_view>

namespace headscope::engine
{
namespace
{

std::string_view storeName(NumberType type)
{
    switch (type)
    {
    case NumberType::F16:
        return "f16";
    case NumberType::Bf16:
        return "bf16";
    case NumberType::F32:
        return "f32";
    case NumberType::F64:
        return "f64";
    default:
        return "integer";
    }
}

std::string row(std::string_view name, std::string_view value)
{
    return fmt::format("  {:<11} {}\n", name, escapeControls(value, LineBreaks::Shown));
}

/// The column of labels that topic vectors belong to, one name each.
std::vector<std::string> topicColumns(const CacheInfo& info)
{
    std::vector<std::string> names;
    for (const auto& topics : info.topics)
        names.push_back(topics.column);
    return names;
}

std::string listed(const std::vector<std::string>& names)
{
    return names.empty() ? std::string("none") : fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

std::string cacheCardJson(const CacheInfo& info)
{
    const auto& model = info.header.model;
    nlohmann::ordered_json object;
    object["format"] = "headscope-cache";
    object["version"] = info.version;
    object["model"] = model.name;
    object["family"] = model.family;
    object["layers"] = model.layers;
    object["heads"] = model.heads;
    object["kv_heads"] = model.kvHeads;
    object["head_dim"] = model.headDim;
    object["model_dim"] = model.modelDim;
    object["vocabulary"] = model.vocabulary;
    object["documents"] = info.documents;
    object["truncated"] = info.header.truncated;
    object["pooling"] = info.header.pooling;
    object["last_layer"] =
        hasFinalNorm(model) ? nlohmann::ordered_json(model.lastLayerRaw ? "raw" : "normed") : nlohmann::ordered_json();
    object["ablated"] = textJson(model.changes.ablated);
    object["ablation"] = textJson(model.changes.ablation);
    object["reference"] = textJson(model.changes.reference);
    object["regrouped_from"] = model.changes.regroupedFrom != 0 ? nlohmann::ordered_json(model.changes.regroupedFrom)
                                                                : nlohmann::ordered_json();
    object["changed"] = textJson(model.changes.words(model.kvHeads));
    object["eos"] = info.header.eos;
    object["modules"] = textJson(info.header.embedding.modules);
    object["labels"] = info.labels;
    object["embeddings"] = nlohmann::ordered_json::array();
    for (const auto& vectors : info.embeddings)
        object["embeddings"].push_back({{"layer", vectors.layer.value()},
                                        {"stage", std::string(stageName(vectors.stage))},
                                        {"heads", vectors.heads},
                                        {"dims", vectors.dims},
                                        {"dtype", std::string(storeName(vectors.type))}});
    object["topics"] = topicColumns(info);
    object["topic_template"] = info.header.topicTemplate;
    object["sample"] = info.header.sample;
    object["maps"] = info.maps;
    object["checksums"] = info.hasChecksums;
    object["bytes"] = info.fileBytes;
    object["created"] = info.header.created;
    object["command"] = info.header.command;
    object["asks"] = linesJson(info.header.asks);
    object["warnings"] = info.notices;
    return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string cacheCardText(const CacheInfo& info, const std::filesystem::path& path)
{
    const auto& model = info.header.model;
    std::string text =
        fmt::format("{}: cache of version {}, {}\n", path.filename().string(), info.version, bytesText(info.fileBytes));
    text += row("model", model.family.empty() ? model.name : fmt::format("{} ({})", model.name, model.family));
    text += row("sizes", fmt::format("{} layers, {}; head dimension {}, hidden size {}", model.layers,
                                     headsAndGroups(model), model.headDim, model.modelDim));
    if (model.changes.any())
        text += row("changed", model.changes.words(model.kvHeads));
    text += row("documents",
                fmt::format("{}{}{}", info.documents, info.hasTexts ? ", with their texts" : "",
                            info.header.truncated > 0 ? fmt::format(", {} truncated", info.header.truncated) : ""));
    text += row("labels", listed(info.labels));
    std::string_view name = "vectors";
    for (const auto& vectors : info.embeddings)
    {
        text += row(name, fmt::format("layer {} stage {}{}{}: {} {} of size {}, {}", vectors.layer.value(),
                                      stageName(vectors.stage), vectors.finalNorm.empty() ? "" : " ", vectors.finalNorm,
                                      vectors.heads,
                                      vectors.heads == 1 ? "vector" : std::string(unitName(vectors.stage)) + "s",
                                      vectors.dims, storeName(vectors.type)));
        name = "";
    }
    text += row("topics", listed(topicColumns(info)) + (info.header.topicTemplate.empty()
                                                            ? std::string()
                                                            : fmt::format(", as \"{}\"", info.header.topicTemplate)));
    text += row("maps", listed(info.maps));
    text += row("pooling", info.header.pooling.empty() ? "not known" : info.header.pooling);
    if (!info.header.embedding.modules.empty())
        text += row("embedding", info.header.embedding.modules);
    if (!info.header.command.empty())
        text += row("made by", fmt::format("{} ({})", info.header.command, info.header.created));
    name = "warnings";
    for (const auto& notice : info.notices)
    {
        text += row(name, notice);
        name = "";
    }
    return text + asksText(info.header);
}

} // namespace headscope::engine

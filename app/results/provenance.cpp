// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/provenance.h"

#include "app/frames/frame_json.h"
#include "model/base/assert.h"
#include "model/base/fields/fields.h"
#include "model/base/hash.h"
#include "model/data/last_layer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace headscope
{

Provenance::Provenance(std::string verb, const CacheInput& input, const InputOptions& options)
{
    add("verb", std::move(verb));
    add("cache", input.cache->path().filename().string());
    if (!input.model().name.empty())
        add("model", input.model().name);
    m_changed = input.model().changes.words(input.model().kvHeads);
    if (!m_changed.empty())
        add("changed", m_changed);
    if (!input.model().changes.reference.empty())
        add("reference", input.model().changes.reference);
    if (input.layers.size() == 1)
        add("layer", input.layers.front().value());
    if (input.stages.size() == 1)
        add("stage", std::string(stageName(input.stages.front())));
    const LayerIndex last(input.model().layers - 1);
    if (std::ranges::find(input.layers, last) != input.layers.end() &&
        std::ranges::find(input.stages, Stage::OutputSegment) != input.stages.end() && hasFinalNorm(input.model()))
        add("last_layer", std::string(input.model().lastLayerRaw ? "raw" : "normed"));
    InputOptions typed = options;
    Fields rows;
    typed.declareCache(rows, true);
    fields(rows, typed.topics);
    add(rows, {"heads", "mask", "documents", "label", "label_map"});
    if (options.topics != TopicVectorChoice())
        add(rows, {"topic_vectors", "center"});
}

void Provenance::add(const Fields& rows, std::initializer_list<std::string_view> names)
{
    for (const std::string_view name : names)
    {
        const Field* told = nullptr;
        for (const Field& row : rows.rows())
        {
            if (row.recordName() == name && (told == nullptr || row.isFor(kCommandUse)))
                told = &row;
        }
        HEADSCOPE_ASSERT(told != nullptr);
        if (auto value = told->recordValue())
            add(std::string(name), std::move(*value));
    }
}

void Provenance::setLabel(const std::string& name)
{
    const auto is = [](const auto& parameter) { return parameter.first == "label"; };
    if (!name.empty() && std::ranges::none_of(m_parameters, is))
        add("label", name);
}

Members Provenance::facts() const
{
    Members facts;
    for (const auto& [name, value] : m_parameters)
        std::visit([&, &key = name](const auto& each) { facts.emplace_back(key, each); }, value);
    return facts;
}

void Provenance::addTo(Members& result) const
{
    result.emplace_back("changed", textOrNull(m_changed));
    result.emplace_back("parameters", facts());
    result.emplace_back("input_hash", m_inputHash);
}

void Provenance::writeTo(nlohmann::ordered_json& json) const
{
    Members members;
    addTo(members);
    addMembers(json, members);
}

std::vector<std::string> Provenance::lines() const
{
    std::vector<std::string> lines;
    for (const auto& [name, value] : m_parameters)
        lines.push_back(
            std::visit([&key = name](const auto& each) { return fmt::format("{}: {}", key, each); }, value));
    if (!m_inputHash.empty())
        lines.push_back("input hash: " + m_inputHash);
    return lines;
}

std::string hashOfVectors(std::span<const HeadVectors* const> all)
{
    Xxh3 hash;
    for (const HeadVectors* each : all)
        hash.update(std::as_bytes(each->values()));
    return hash.hex();
}

} // namespace headscope

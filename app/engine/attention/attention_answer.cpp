// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/attention/attention_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope::engine
{
namespace
{

using Json = nlohmann::ordered_json;

Json numberOrNull(double value)
{
    return std::isfinite(value) ? Json(value) : Json();
}

/// What the span gets of attention that is spread evenly, per layer: windows differ.
Json evenMass(const AttentionJob& job, const ModelConfig& config)
{
    Json list = Json::array();
    for (const std::int64_t layer : job.shapes.layers)
        list.push_back(numberOrNull(job.textOf(config, LayerIndex(layer)).evenSpanMass()));
    return list;
}

} // namespace

Json attentionJson(const AttentionJob& job, const ModelConfig& config, const std::vector<AttentionTable>& tables)
{
    Json object = {{"tokens", job.shapes.tokens},
                   {"layers", job.shapes.layers.size()},
                   {"heads", job.shapes.heads},
                   {"truncated", job.truncated}};
    if (!job.statistics)
        return object;
    Json statistics = {{"layers", job.shapes.layers}};
    for (const AttentionTable& table : tables)
    {
        Json rows = Json::array();
        for (std::int64_t layer = 0; layer < table.values.rows(); ++layer)
        {
            Json row = Json::array();
            for (const double value : table.values.row(layer))
                row.push_back(numberOrNull(value));
            rows.push_back(std::move(row));
        }
        statistics[table.name] = std::move(rows);
    }
    if (job.span)
        statistics["span_even"] = evenMass(job, config);
    object["statistics"] = std::move(statistics);
    return object;
}

std::string attentionText(const AttentionJob& job, const std::vector<AttentionTable>& tables)
{
    std::string text = fmt::format("{:>5}  {:>4}", "layer", "head");
    for (const AttentionTable& table : tables)
        text += "  " + table.name;
    text += '\n';
    for (std::size_t layer = 0; layer < job.shapes.layers.size(); ++layer)
        for (HeadIndex head; head.value() < job.shapes.heads; ++head)
        {
            text += fmt::format("{:>5}  {:>4}", job.shapes.layers[layer], shownNumber(head));
            for (const AttentionTable& table : tables)
            {
                const double value = table.values(static_cast<std::int64_t>(layer), head.value());
                text += fmt::format("  {:>{}}", std::isfinite(value) ? fmt::format("{:.4f}", value) : "-",
                                    table.name.size());
            }
            text += '\n';
        }
    return text;
}

} // namespace headscope::engine

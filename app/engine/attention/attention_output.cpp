// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/attention/attention_output.h"

#include "app/engine/ablation/ablation_json.h"
#include "app/frames/frame_json.h"
#include "model/base/text/one_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope::engine
{
namespace
{

using Json = nlohmann::ordered_json;

Json numberOrNull(double value)
{
    return std::isfinite(value) ? Json(value) : Json();
}

/// [Ls][H] of what `of` makes of a value.
template <class Of>
Json cellsJson(const MatrixD& values, const Of& of)
{
    Json rows = Json::array();
    for (std::int64_t layer = 0; layer < values.rows(); ++layer)
    {
        Json row = Json::array();
        for (std::int64_t head = 0; head < values.cols(); ++head)
            row.push_back(of(values(layer, head), layer, head));
        rows.push_back(std::move(row));
    }
    return rows;
}

/// What the span gets of attention that is spread evenly, per layer: windows differ.
Json evenMass(const AttentionJob& job, const ModelConfig& config)
{
    Json list = Json::array();
    for (const std::int64_t layer : job.shapes.layers)
        list.push_back(numberOrNull(job.textOf(config, LayerIndex(layer)).evenSpanMass()));
    return list;
}

Json rowsJson(const MatrixD& matrix)
{
    Json rows = Json::array();
    for (std::int64_t row = 0; row < matrix.rows(); ++row)
        rows.push_back(std::vector<double>(matrix.row(row).begin(), matrix.row(row).end()));
    return rows;
}

/// Of the rollouts the row of the token that the flow leads to; a file has all of them.
Json pathsJson(const AttentionPaths& paths)
{
    const auto rowOf = [&](const MatrixD& matrix) {
        const auto row = matrix.row(paths.flowOf);
        return std::vector<double>(row.begin(), row.end());
    };
    Json distances = Json::array();
    for (const MatrixD& layer : paths.distances)
        distances.push_back(rowsJson(layer));
    return {{"token", paths.flowOf},
            {"rollout", rowOf(paths.rollout)},
            {"rollout_without_first", rowOf(paths.rolloutWithoutFirst)},
            {"flow", paths.flow.empty() ? Json() : Json(paths.flow)},
            {"distances", std::move(distances)}};
}

/// What the columns are, and what they are not.
/// @param even  what even weights put on the span
std::string measuresText(const std::vector<AttentionTable>& tables, const std::string& even)
{
    const auto has = [&tables](std::string_view name) {
        return std::ranges::any_of(tables, [name](const AttentionTable& table) { return table.name == name; });
    };
    std::string text =
        "Values are means over the tokens of a text. entropy: entropy of a token's weights in nats, smoothed; "
        "entropy_causal: the same, relative to uniform weights; raw: not smoothed.\nfirst_token, previous_token, "
        "self_token: weight on these tokens; confidence: largest weight of a token; largest: largest of all weights.\n";
    if (has("span_mass"))
        text +=
            fmt::format("span_mass: weight of the query tokens on the span; uniform weights would put {} on it. Most "
                        "heads give more weight to spans that are longer, closer or contain the first token.\n",
                        even);
    if (has("induction"))
        text += "induction: weight on the tokens that follow earlier occurrences of the same token; duplicate_token: "
                "weight on these occurrences.\n";
    return text + "These values show where a head attends in this text, not what it takes from there or what effect it "
                  "has. Other texts give other values.\n";
}

/// "0.1765", or where windows differ "0.1765 (layers 0, 2), 0.2500 (layer 1)"; "": no span is asked for.
std::string evenText(const AttentionJob& job, const ModelConfig& config)
{
    if (!job.span)
        return {};
    std::vector<std::pair<std::string, std::vector<std::int64_t>>> masses;
    for (const std::int64_t layer : job.shapes.layers)
    {
        const std::string mass = fmt::format("{:.4f}", job.textOf(config, LayerIndex(layer)).evenSpanMass());
        const auto known = std::ranges::find(masses, mass, &std::pair<std::string, std::vector<std::int64_t>>::first);
        if (known == masses.end())
            masses.push_back({mass, {layer}});
        else
            known->second.push_back(layer);
    }
    if (masses.size() == 1)
        return masses.front().first;
    std::string text;
    for (const auto& [mass, layers] : masses)
        text += fmt::format("{}{} (layer{} {})", text.empty() ? "" : ", ", mass, layers.size() == 1 ? "" : "s",
                            fmt::join(layers, ", "));
    return text;
}

std::string statisticsText(const AttentionJob& job, const ModelConfig& config,
                           const std::vector<AttentionTable>& tables)
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
    return text + '\n' + measuresText(tables, evenText(job, config));
}

/// What reaches the token that the flow leads to, a row a token.
std::string pathsText(const AttentionJob& job, const AttentionPaths& paths)
{
    std::string text = fmt::format("{:>5}  {:>8}  {:>13}  {:>8}  text\n", "token", "rollout", "without_first", "flow");
    for (std::int64_t t = 0; t < job.shapes.tokens; ++t)
    {
        const auto at = static_cast<std::size_t>(t);
        text += fmt::format("{:>5}  {:>8.4f}  {:>13.4f}  {:>8}  {}\n", t, paths.rollout(paths.flowOf, t),
                            paths.rolloutWithoutFirst(paths.flowOf, t),
                            paths.flow.empty() ? "-" : fmt::format("{:.4f}", paths.flow[at]),
                            tokenOnOneLine(job.origin.tokens[at]));
    }
    return text +
           "rollout: mean of the heads plus the residual stream, multiplied over the layers. without_first: the same, "
           "with the\nfirst token excluded and each head's weights renormalized, so that a head that mostly attends to "
           "the first token\ncounts as much as any other. The distances between heads (--json, -o) are Jensen-Shannon "
           "divergences of rows\nsmoothed as 0.999 a + 0.001 / T, summed over the tokens.\n";
}

} // namespace

Json attentionJson(const AttentionJob& job, const ModelConfig& config, const AttentionFindings& found)
{
    Json object = {{"tokens", job.shapes.tokens},
                   {"layers", job.shapes.layers.size()},
                   {"heads", job.shapes.heads},
                   {"truncated", job.truncated}};
    addAblation(object, job.ablation.heads, job.ablation.changes.ablation,
                job.ablation.changes.regroupedFrom == 0 ? 0 : job.ablation.kvHeads,
                job.ablation.changes.words(job.ablation.kvHeads));
    object["reference"] = textJson(job.ablation.changes.reference);
    const std::int64_t regroupedFrom = job.ablation.changes.regroupedFrom;
    object["regrouped_from"] = regroupedFrom == 0 ? Json() : Json(regroupedFrom);
    if (found.paths)
        object["paths"] = pathsJson(*found.paths);
    if (!job.statistics)
        return object;
    Json statistics = {{"layers", job.shapes.layers}};
    for (const AttentionTable& table : found.tables)
        statistics[table.name] =
            cellsJson(table.values, [](double value, std::int64_t, std::int64_t) { return numberOrNull(value); });
    if (job.span)
        statistics["span_even"] = evenMass(job, config);
    object["statistics"] = std::move(statistics);
    return object;
}

Json intervalsJson(const std::vector<AttentionTable>& low, const std::vector<AttentionTable>& high)
{
    Json object = Json::object();
    for (std::size_t i = 0; i < low.size(); ++i)
        object[low[i].name] = cellsJson(low[i].values, [&](double value, std::int64_t layer, std::int64_t head) {
            return std::isfinite(value) ? Json{value, high[i].values(layer, head)} : Json();
        });
    return object;
}

std::string attentionText(const AttentionJob& job, const ModelConfig& config, const AttentionFindings& found)
{
    std::string text = found.tables.empty() ? std::string() : statisticsText(job, config, found.tables);
    if (found.paths)
        text += (text.empty() ? "" : "\n") + pathsText(job, *found.paths);
    return text;
}

} // namespace headscope::engine

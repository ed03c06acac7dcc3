// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/atlas/atlas_table.h"

#include "model/data/last_layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace headscope::desktop
{
namespace
{

/// A column of the table.
struct AtlasColumn
{
    std::string name;
    const MatrixD* values = nullptr;
    bool whole = false;
};

std::vector<AtlasColumn> columnsOf(const HeadMeasures& measures)
{
    std::vector<AtlasColumn> columns;
    for (const HeadMeasure& measure : measures.measures)
    {
        if (measure.kind == MeasureKind::Place)
            continue;
        columns.push_back({measure.key, &measure.value, measure.groups});
        const std::pair<const char*, const MatrixD*> company[] = {
            {"low", &measure.low}, {"high", &measure.high}, {"p", &measure.p}, {"q", &measure.q}};
        for (const auto& [name, values] : company)
            if (!values->empty())
                columns.push_back({fmt::format("{} {}", measure.key, name), values, false});
    }
    return columns;
}

} // namespace

ResultTable atlasTable(const HeadMeasures& measures, const ModelInfo& info)
{
    const std::vector<AtlasColumn> columns = columnsOf(measures);
    const std::int64_t members = info.groupSize();
    const bool grouped = members > 1 && members < info.heads;
    std::vector<std::string> header = {"layer", measures.stage == Stage::HeadOutput ? "head" : "segment"};
    if (grouped)
        header.emplace_back("kv group");
    for (const AtlasColumn& column : columns)
        header.push_back(column.name);
    ResultTable table(std::move(header));
    for (std::int64_t layer = 0; layer < measures.layers; ++layer)
        for (std::int64_t head = 0; head < measures.heads; ++head)
        {
            if (std::ranges::none_of(measures.measures, [&](const HeadMeasure& each) {
                    return each.kind != MeasureKind::Place && each.has(layer, head);
                }))
                continue;
            std::vector<ResultTable::Cell> row = {layer, head + 1};
            if (grouped)
                row.emplace_back(head / members + 1);
            for (const AtlasColumn& column : columns)
                row.emplace_back((*column.values)(layer, head));
            table.add(std::move(row));
        }
    return table;
}

Provenance atlasProvenance(const HeadMeasures& measures, const ModelInfo& model, const std::string& cache)
{
    Provenance provenance;
    provenance.add("cache", cache);
    provenance.add("stage", std::string(stageName(measures.stage)));
    if (const auto note = finalNormNote(model, LayerIndex(model.layers - 1), measures.stage); !note.empty())
        provenance.add("last_layer", fmt::format("stage 3 stands {}", note));
    for (const HeadMeasure& measure : measures.measures)
    {
        if (measure.kind == MeasureKind::Place)
            continue;
        std::string text = measure.definition;
        if (measure.count > 0)
            text += measure.allCount > measure.count
                        ? fmt::format(" n = {} of {} {}.", measure.count, measure.allCount, measure.counted)
                        : fmt::format(" n = {} {}.", measure.count, measure.counted);
        if (!measure.intervalMethod.empty())
            text += fmt::format(" Intervals (95 %): {}.", measure.intervalMethod);
        if (!measure.nullMethod.empty())
            text += fmt::format(" p: {}.", measure.nullMethod);
        if (measure.chance == measure.chance)
            text += fmt::format(" Chance: {:.4g}.", measure.chance);
        provenance.add(measure.key, fmt::format("{} From: {}.", text, measure.source));
    }
    return provenance;
}

} // namespace headscope::desktop

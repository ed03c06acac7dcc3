// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/results/atlas_frame.h"

#include "model/data/frame/place_columns.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

using enum Facet;

// clang-format off
constexpr ColumnInfo kAtlasColumns[] = {
    kLayerColumn,
    {"head", "Head", "", "Index of the head or segment (from 1)", "", Shown::Index, "segment"},
    {"kv_group", "KV group", "", "Index of the KV group (from 1); heads in a group share a KV head", "", Shown::Index},
    {"measure", "Measure", "", "One of the measures of heads; each is defined in the header of the file",
     "The largest and smallest values among hundreds of heads would be less extreme on other documents"},
};
constexpr Slot kFile[] = {{"layer"}, {"head"}, {"kv_group"}, {"measure"}, {"measure", Low, {}, 0, true},
    {"measure", High, {}, 0, true}, {"measure", P, {}, 0, true}, {"measure", Q, {}, 0, true}};
// clang-format on

} // namespace

constinit const FrameInfo kAtlasFrame = {.key = "atlas", .columns = kAtlasColumns, .file = kFile};

Frame atlasFrame(const HeadMeasures& measures, const ModelInfo& info)
{
    std::vector<const HeadMeasure*> shown;
    for (const HeadMeasure& measure : measures.measures)
        if (measure.kind != MeasureKind::Place)
            shown.push_back(&measure);
    using Place = std::pair<std::int64_t, std::int64_t>;
    std::vector<Place> places;
    for (std::int64_t layer = 0; layer < measures.layers; ++layer)
        for (std::int64_t head = 0; head < measures.heads; ++head)
            if (std::ranges::any_of(shown, [&](const HeadMeasure* each) { return each->has(layer, head); }))
                places.emplace_back(layer, head);
    const auto cells = [&places](const MatrixD& values) {
        return columnValues(places, [&values](const Place& at) { return values(at.first, at.second); });
    };
    const std::int64_t members = info.groupSize();
    Frame frame(kAtlasFrame);
    frame.add("layer", columnValues(places, &Place::first));
    frame.add("head", columnValues(places, [](const Place& at) { return at.second + 1; }))
        .named(measures.stage == Stage::HeadOutput ? "" : "segment");
    if (members > 1 && members < info.heads)
        frame.add("kv_group", columnValues(places, [members](const Place& at) { return at.second / members + 1; }));
    for (const HeadMeasure* each : shown)
    {
        Column& column = frame.add("measure", cells(each->value)).named(each->key);
        for (const auto& [facet, values] :
             {std::pair(Low, &each->low), std::pair(High, &each->high), std::pair(P, &each->p), std::pair(Q, &each->q)})
            if (!values->empty())
                column.set(facet, cells(*values));
    }
    return frame;
}

} // namespace headscope

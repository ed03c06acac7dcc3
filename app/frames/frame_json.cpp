// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/frames/frame_json.h"

#include "app/frames/json_path.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace headscope
{
namespace
{

Json numberOrNull(double value)
{
    return std::isfinite(value) ? Json(value) : Json();
}

Json valueAt(const Column& column, std::size_t row)
{
    if (const auto* reals = std::get_if<Column::Reals>(&column.values))
        return numberOrNull((*reals)[row]);
    if (const auto* nodes = std::get_if<NodeList>(&column.values))
        return nodeJson((*nodes)[row]);
    if (const auto* texts = std::get_if<Column::Texts>(&column.values))
    {
        const std::string& text = (*texts)[row];
        return column.info->shown == Shown::Stage ? nodeJson(stageNode(text)) : textJson(text);
    }
    const std::int64_t whole = std::get<Column::Wholes>(column.values)[row];
    if (whole == kNoCount)
        return {};
    return column.info->shown == Shown::Flag ? Json(whole > 0) : Json(whole);
}

Json facetAt(const FrameCell& cell, std::size_t row)
{
    const Column& column = *cell.column;
    const auto end = [&](Facet facet) { return numberOrNull(column.at(facet, row)); };
    switch (cell.slot.facet)
    {
    case Facet::Value:
        return valueAt(column, row);
    case Facet::Span:
    case Facet::Range:
        return std::isfinite(column.at(Facet::Low, row)) ? Json{end(Facet::Low), end(Facet::High)} : Json();
    case Facet::Ends:
        return {end(Facet::Low), end(Facet::High)};
    case Facet::IntervalMethod:
        return textJson(column.intervalMethod[row]);
    case Facet::NullMethod:
        return textJson(column.nullMethod[row]);
    default:
        return numberOrNull(column.at(cell.slot.facet, row));
    }
}

struct ToJson
{
    Json operator()(std::monostate) const { return {}; }
    Json operator()(double value) const { return numberOrNull(value); }
    Json operator()(const Interval& interval) const
    {
        return std::isfinite(interval.low) ? Json{interval.low, interval.high} : Json();
    }
    Json operator()(const MatrixD& matrix) const
    {
        Json rows = Json::array();
        for (std::int64_t row = 0; row < matrix.rows(); ++row)
            rows.push_back(std::vector<double>(matrix.row(row).begin(), matrix.row(row).end()));
        return rows;
    }
    Json operator()(const Frame& frame) const { return frameJson(frame); }
    Json operator()(const Members& members) const
    {
        Json object = Json::object();
        addMembers(object, members);
        return object;
    }
    Json operator()(const NodeList& list) const
    {
        Json array = Json::array();
        for (const Node& node : list)
            array.push_back(nodeJson(node));
        return array;
    }
    template <class T>
    Json operator()(const T& value) const
    {
        return value;
    }
};

} // namespace

Json textJson(const std::string& text)
{
    return text.empty() ? Json() : Json(text);
}

Json nodeJson(const Node& result)
{
    return std::visit(ToJson(), result.value);
}

Json linesJson(const FactLines& lines)
{
    Json list = Json::array();
    for (const auto& [name, text] : lines)
        list.push_back({{"name", name}, {"text", text}});
    return list;
}

void addMembers(Json& object, const Members& members)
{
    for (const auto& [name, node] : members)
        object[name] = nodeJson(node);
}

Json frameJson(const Frame& frame)
{
    std::vector<std::pair<FrameCell, JsonPath>> cells; // paths are made once, not in every row
    const std::vector<FrameCell> all = jsonCells(frame);
    for (const FrameCell& cell : all)
    {
        const bool isObject = std::ranges::any_of(all, [&cell](const FrameCell& other) {
            return other.column == cell.column && other.slot.facet != Facet::Value && other.slot.header.empty();
        });
        cells.emplace_back(cell, jsonPath(frame.about(), cell.slot, ownHeader(cell.slot, *cell.column), isObject));
    }
    Json rows = Json::array();
    for (std::size_t row = 0; row < static_cast<std::size_t>(frame.rows()); ++row)
    {
        Json object = Json::object();
        for (const auto& [cell, path] : cells)
        {
            Json value = facetAt(cell, row);
            if (cell.slot.isOptional && value.is_null())
                continue;
            Json* place = &object;
            for (const std::string& name : path)
                place = &(*place)[name];
            *place = std::move(value);
        }
        rows.push_back(std::move(object));
    }
    return rows;
}

} // namespace headscope

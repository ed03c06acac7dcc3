// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/frames/frame_json.h"
#include "app/frames/json_path.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace headscope
{
namespace
{

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

Error expected(std::string_view what, const Json& found)
{
    constexpr std::size_t kMost = 40;
    return {ErrorCode::BadFormat,
            fmt::format("expected {}, found {}", what,
                        found.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, kMost)),
            {},
            {}};
}

/// The value that a path leads to; null: there is none.
const Json* valueAt(const Json& object, const JsonPath& path)
{
    const Json* at = &object;
    for (const std::string& name : path)
    {
        if (!at->is_object())
            return nullptr;
        const auto found = at->find(name);
        if (found == at->end())
            return nullptr;
        at = &*found;
    }
    return at;
}

Result<double> realIn(const Json& json)
{
    if (!json.is_null() && !json.is_number())
        return expected("a number or null", json);
    return json.is_null() ? kNone : json.get<double>();
}

Status addText(Column::Texts& texts, const Json& json)
{
    if (json.is_number_integer()) // Shown::Stage
        texts.push_back(std::to_string(json.get<std::int64_t>()));
    else if (json.is_null() || json.is_string())
        texts.push_back(json.is_null() ? std::string() : json.get<std::string>());
    else
        return expected("a string or null", json);
    return {};
}

Status addValue(Column& column, const Json& json)
{
    if (auto* texts = std::get_if<Column::Texts>(&column.values))
        return addText(*texts, json);
    if (auto* wholes = std::get_if<Column::Wholes>(&column.values))
    {
        if (json.is_boolean())
            wholes->push_back(json.get<bool>() ? 1 : 0);
        else if (json.is_null() || json.is_number_integer())
            wholes->push_back(json.is_null() ? kNoCount : json.get<std::int64_t>());
        else
            return expected("an integer or null", json);
        return {};
    }
    if (auto* nodes = std::get_if<NodeList>(&column.values))
    {
        HEADSCOPE_TRY(nodes->emplace_back(), nodeFrom(json, {}));
        return {};
    }
    HEADSCOPE_TRY(const double value, realIn(json));
    std::get<Column::Reals>(column.values).push_back(value);
    return {};
}

Status addInterval(Column& column, const Json& json)
{
    if (!json.is_null() && !(json.is_array() && json.size() == 2))
        return expected("[low, high] or null", json);
    for (const auto& [facet, end] : {std::pair(Facet::Low, std::size_t{0}), std::pair(Facet::High, std::size_t{1})})
    {
        HEADSCOPE_TRY(const double value, json.is_null() ? Result<double>(kNone) : realIn(json[end]));
        column.numbers(facet).push_back(value);
    }
    return {};
}

Status addFacet(Column& column, Facet facet, const Json& json)
{
    switch (facet)
    {
    case Facet::Value:
        return addValue(column, json);
    case Facet::Span:
    case Facet::Ends:
    case Facet::Range:
        return addInterval(column, json);
    case Facet::IntervalMethod:
        return addText(column.intervalMethod, json);
    case Facet::NullMethod:
        return addText(column.nullMethod, json);
    default:
        break;
    }
    HEADSCOPE_TRY(const double value, realIn(json));
    column.numbers(facet).push_back(value);
    return {};
}

Column::Values noValues(Shown shown)
{
    if (isWhole(shown))
        return Column::Wholes();
    if (isText(shown))
        return Column::Texts();
    return shown == Shown::Tree ? Column::Values(NodeList()) : Column::Values(Column::Reals());
}

/// A slot of the description that the rows of a list have.
struct ReadSlot
{
    std::string_view column;
    Facet facet = Facet::Value;
    JsonPath path;
    bool isOptional = false;
};

/// The slots that the first row has: its columns, and of these their facets.
std::vector<ReadSlot> slotsOf(const Json& row, const FrameInfo& about)
{
    std::vector<ReadSlot> slots;
    for (const Slot& slot : possibleJsonSlots(about))
    {
        const auto column = row.find(std::string(slot.column));
        ReadSlot read{slot.column, slot.facet,
                      jsonPath(about, slot, ownHeader(slot, Column()), column != row.end() && column->is_object()),
                      slot.isOptional};
        if (slot.isOptional || valueAt(row, read.path) != nullptr)
            slots.push_back(std::move(read));
    }
    const auto hasValue = [&slots](const ReadSlot& slot) {
        return std::ranges::any_of(slots, [&slot](const ReadSlot& other) {
            return other.column == slot.column && other.facet == Facet::Value;
        });
    };
    std::erase_if(slots, [&](const ReadSlot& slot) { return !hasValue(slot); });
    return slots;
}

/// Takes what a row has of a slot.
Status addSlot(Column& column, const ReadSlot& slot, const Json& row)
{
    const Json* value = valueAt(row, slot.path);
    if (value == nullptr && !slot.isOptional)
        return expected("the members of the first row", row);
    return addFacet(column, slot.facet, value == nullptr ? Json() : *value);
}

bool isMatrix(const Json& json)
{
    return !json.empty() && std::ranges::all_of(json, [&json](const Json& row) {
        return row.is_array() && row.size() == json.front().size() &&
               std::ranges::all_of(row, [](const Json& value) { return value.is_number_float() || value.is_null(); });
    });
}

Result<Node> listFrom(const Json& json, std::span<const NamedFrame> tables, const std::string& place);

Result<Node> nodeAt(const Json& json, std::span<const NamedFrame> tables, const std::string& place)
{
    if (json.is_array())
        return listFrom(json, tables, place);
    if (json.is_boolean())
        return Node(json.get<bool>());
    if (json.is_number_unsigned())
        return Node(json.get<std::uint64_t>());
    if (json.is_number_integer())
        return Node(json.get<std::int64_t>());
    if (json.is_number())
        return Node(json.get<double>());
    if (json.is_string())
        return Node(json.get<std::string>());
    if (!json.is_object())
        return Node();
    Members members;
    for (const auto& [name, value] : json.items())
    {
        const std::string inner = place.empty() ? name : fmt::format("{}.{}", place, name);
        if (const auto table = std::ranges::find(tables, std::string_view(name), &NamedFrame::name);
            table != tables.end())
        {
            HEADSCOPE_TRY(Frame frame, frameFrom(value, *table->about, inner));
            members.emplace_back(name, std::move(frame));
            continue;
        }
        HEADSCOPE_TRY(Node node, nodeAt(value, tables, inner));
        members.emplace_back(name, std::move(node));
    }
    return Node(std::move(members));
}

Result<Node> listFrom(const Json& json, std::span<const NamedFrame> tables, const std::string& place)
{
    if (json.size() == 2 && json[0].is_number_float() && json[1].is_number_float())
        return Node(Interval{json[0].get<double>(), json[1].get<double>()});
    if (isMatrix(json))
    {
        MatrixD matrix(std::ssize(json), std::ssize(json.front()));
        for (std::int64_t row = 0; row < matrix.rows(); ++row)
            for (std::int64_t col = 0; col < matrix.cols(); ++col)
            {
                const Json& value = json[static_cast<std::size_t>(row)][static_cast<std::size_t>(col)];
                matrix(row, col) = value.is_null() ? kNone : value.get<double>();
            }
        return Node(std::move(matrix));
    }
    NodeList list;
    for (const Json& each : json)
    {
        HEADSCOPE_TRY(Node node, nodeAt(each, tables, fmt::format("{}[{}]", place, list.size())));
        list.push_back(std::move(node));
    }
    return Node(std::move(list));
}

} // namespace

Result<Node> nodeFrom(const Json& json, std::span<const NamedFrame> tables)
{
    return nodeAt(json, tables, {});
}

Result<Frame> frameFrom(const Json& rows, const FrameInfo& about, std::string_view place)
{
    if (!rows.is_array() || !std::ranges::all_of(rows, [](const Json& row) { return row.is_object(); }))
        return expected("a list of objects", rows).atPlace(place);
    Frame frame(about);
    if (rows.empty())
        return frame;
    const std::vector<ReadSlot> slots = slotsOf(rows.front(), about);
    for (const ColumnInfo& info : about.columns)
        if (std::ranges::find(slots, info.key, &ReadSlot::column) != slots.end())
            frame.add(info.key, noValues(info.shown));
    std::vector<Column*> columns; // [slots]
    for (const ReadSlot& slot : slots)
        columns.push_back(frame.find(slot.column));
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t i = 0; i < slots.size(); ++i)
            if (Status added = addSlot(*columns[i], slots[i], rows[row]); !added)
                return std::move(added).error().atPlace(
                    fmt::format("{}[{}].{}", place, row, fmt::join(slots[i].path, ".")));
    return frame;
}

} // namespace headscope

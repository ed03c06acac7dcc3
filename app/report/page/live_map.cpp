// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/page/live_map.h"

#include "model/base/assert.h"
#include "model/base/text/one_line.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

namespace headscope::report
{
namespace
{

constexpr std::size_t kQuotationCharacters = 160;
constexpr double kSteps = 65535;

bool hasPlace(const LiveMap& map, std::size_t point)
{
    return std::isfinite(map.x[point]) && std::isfinite(map.y[point]);
}

/// The smallest square around all places.
struct Square
{
    double left = 0;
    double bottom = 0;
    double side = 1;

    static Square around(const LiveMap& map);
    /// How far a place lies along a side that begins at `from`, 0..65535.
    [[nodiscard]] std::uint16_t step(double place, double from) const
    {
        return static_cast<std::uint16_t>(std::lround(std::clamp((place - from) / side, 0.0, 1.0) * kSteps));
    }
};

Square Square::around(const LiveMap& map)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    double left = kInfinity;
    double right = -kInfinity;
    double bottom = kInfinity;
    double top = -kInfinity;
    for (std::size_t point = 0; point < map.x.size(); ++point)
    {
        if (!hasPlace(map, point))
            continue;
        left = std::min<double>(left, map.x[point]);
        right = std::max<double>(right, map.x[point]);
        bottom = std::min<double>(bottom, map.y[point]);
        top = std::max<double>(top, map.y[point]);
    }
    if (left > right) // no point has a place
        return {};
    const double side = std::max(right - left, top - bottom);
    return {left, bottom, side > 0 ? side : 1};
}

void appendLittleEndian(std::vector<std::byte>& bytes, std::uint32_t number, std::size_t width)
{
    for (std::size_t i = 0; i < width; ++i)
        bytes.push_back(static_cast<std::byte>(number >> (8 * i)));
}

ScriptText placesText(const LiveMap& map, const Square& square)
{
    std::vector<std::byte> bytes;
    bytes.reserve(map.x.size() * 4);
    for (std::size_t point = 0; point < map.x.size(); ++point)
    {
        if (!hasPlace(map, point))
            continue;
        appendLittleEndian(bytes, square.step(map.x[point], square.left), 2);
        appendLittleEndian(bytes, square.step(map.y[point], square.bottom), 2);
    }
    return scriptBase64(bytes);
}

/// Codes that count: each number so many times, from 0 up, and again from 0 behind the last.
struct CountedCodes
{
    std::int64_t each = 0;
    std::int64_t of = 0;

    [[nodiscard]] std::int64_t code(std::int64_t place) const { return place / each % of; }
};

/// None where the codes are not like that, or so few that it saves nothing.
std::optional<CountedCodes> countedCodes(std::span<const std::int32_t> codes)
{
    constexpr std::size_t kFew = 64;
    if (codes.size() < kFew || std::ranges::max(codes) < 0)
        return std::nullopt;
    const auto run = std::ranges::find_if(codes, [&codes](std::int32_t code) { return code != codes.front(); });
    const CountedCodes counted{run - codes.begin(), std::int64_t{std::ranges::max(codes)} + 1};
    for (std::size_t i = 0; i < codes.size(); ++i)
        if (codes[i] != counted.code(static_cast<std::int64_t>(i)))
            return std::nullopt;
    return counted;
}

/// Codes, -1 or more: how they count, else in the fewest bytes that hold them all.
ScriptText codesData(std::span<const std::int32_t> codes)
{
    const auto raised = [](std::int32_t code) { return static_cast<std::uint32_t>(std::max(code, -1) + 1); };
    std::uint32_t largest = 0;
    for (const std::int32_t code : codes)
        largest = std::max(largest, raised(code));
    const std::size_t width = largest <= 0xFF ? 1 : largest <= 0xFFFF ? 2 : 4;
    if (const auto counted = countedCodes(codes))
        return ScriptText::format(R"({{"width":{},"count":{},"each":{},"of":{}}})", width, codes.size(), counted->each,
                                  counted->of);
    std::vector<std::byte> bytes;
    bytes.reserve(codes.size() * width);
    for (const std::int32_t code : codes)
        appendLittleEndian(bytes, raised(code), width);
    return ScriptText::format(R"({{"width":{},"data":"{}"}})", width, scriptBase64(bytes));
}

/// The codes of those points that have a place.
std::vector<std::int32_t> placedCodes(const LiveMap& map, const std::vector<std::int32_t>& codes)
{
    std::vector<std::int32_t> placed;
    placed.reserve(codes.size());
    for (std::size_t point = 0; point < codes.size(); ++point)
        if (hasPlace(map, point))
            placed.push_back(codes[point]);
    return placed;
}

/// A JSON list of what `write` makes of each item.
template <class Items, class Write>
ScriptText listData(const Items& items, Write write)
{
    ScriptText list("[");
    bool isFirst = true;
    for (const auto& item : items)
    {
        if (!std::exchange(isFirst, false))
            list += ",";
        list += write(item);
    }
    return list + "]";
}

ScriptText colorData(const MapColor& color)
{
    return ScriptText::format(R"("light":"#{:06x}","dark":"#{:06x}")", color.light & 0xFFFFFFU, color.dark & 0xFFFFFFU);
}

ScriptText categoryData(const MapCategory& category)
{
    return ScriptText::format(R"({{"name":{},{}}})", scriptText(category.name), colorData(category.color));
}

ScriptText headData(const MapHead& head)
{
    return ScriptText::format(R"({{"name":{},"group":{},{}}})", scriptText(head.name), head.group,
                              colorData(head.color));
}

ScriptText columnData(const MapColumn& column)
{
    return ScriptText::format(R"({{"name":{},"categories":{},"codes":{}}})", scriptText(column.name),
                              listData(column.categories, categoryData), codesData(column.codes));
}

} // namespace

std::int64_t pointsLeftOut(const LiveMap& map)
{
    std::int64_t count = 0;
    for (std::size_t point = 0; point < map.x.size(); ++point)
        count += hasPlace(map, point) ? 0 : 1;
    return count;
}

std::string quotation(std::string_view text)
{
    return beginningOnOneLine(text, kQuotationCharacters);
}

ScriptText documentsData(const MapDocuments& documents)
{
    HEADSCOPE_ASSERT(documents.quotations.empty() || documents.quotations.size() == documents.ids.size());
    const auto quoted = [](const std::string& text) { return scriptText(quotation(text)); };
    return ScriptText::format(R"({{"ids":{},"quotations":{},"columns":{}}})", listData(documents.ids, scriptText),
                              listData(documents.quotations, quoted), listData(documents.columns, columnData));
}

ScriptText mapData(const LiveMap& map)
{
    HEADSCOPE_ASSERT(map.y.size() == map.x.size() && map.head.size() == map.x.size() &&
                     map.document.size() == map.x.size());
    const Square square = Square::around(map);
    return ScriptText::format(R"({{"title":{},"rowWord":{},"square":[{},{},{}],"places":"{}","head":{},"document":{},)"
                              R"("heads":{},"groups":{}}})",
                              scriptText(map.title), scriptText(map.rowWord), square.left, square.bottom, square.side,
                              placesText(map, square), codesData(placedCodes(map, map.head)),
                              codesData(placedCodes(map, map.document)), listData(map.heads, headData),
                              listData(map.groups, categoryData));
}

} // namespace headscope::report

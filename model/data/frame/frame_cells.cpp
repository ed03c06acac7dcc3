// SPDX-License-Identifier: GPL-3.0-or-later
// What lists of slots mean for a frame: which cells its outputs show, under which headers.
#include "model/data/frame/frame.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace headscope
{
namespace
{

constexpr std::array kTableFacets{Facet::Value, Facet::Low, Facet::High,  Facet::Null,
                                  Facet::P,     Facet::Q,   Facet::Chance};
constexpr std::array kJsonFacets{Facet::Value, Facet::Chance, Facet::Span, Facet::IntervalMethod,
                                 Facet::P,     Facet::Q,      Facet::Null, Facet::NullMethod};

/// Whether any list of the description names a column.
bool isNamed(const FrameInfo& about, std::string_view key)
{
    const auto names = [key](Slots slots) { return std::ranges::find(slots, key, &Slot::column) != slots.end(); };
    return names(about.json) || names(about.file) || names(about.paper) || std::ranges::any_of(about.texts, names);
}

/// Cells of a list, each once.
class CellList
{
public:
    explicit CellList(const Frame& frame) : m_frame(frame) {}

    /// @param group  slots of one column
    void add(Slots group)
    {
        for (const Column& column : m_frame.columns())
            if (column.info->key == group.front().column)
                for (const Slot& slot : group)
                    m_cells.push_back({&column, slot});
    }
    /// The facet of a column where it has one that is not here yet.
    void addMissing(const Column& column, Facet facet)
    {
        const bool isHere = std::ranges::any_of(
            m_cells, [&](const FrameCell& cell) { return cell.column == &column && cell.slot.facet == facet; });
        if (column.has(facet) && !isHere)
            m_cells.push_back({&column, {column.info->key, facet}});
    }
    /// The columns that no list names.
    void addRest(std::span<const Facet> facets)
    {
        for (const Column& column : m_frame.columns())
            if (!isNamed(m_frame.about(), column.info->key))
                for (const Facet facet : facets)
                    addMissing(column, facet);
    }
    void addValues()
    {
        for (const Column& column : m_frame.columns())
            addMissing(column, Facet::Value);
    }
    [[nodiscard]] std::vector<FrameCell> taken() && { return std::move(m_cells); }

private:
    const Frame& m_frame;
    std::vector<FrameCell> m_cells;
};

std::vector<FrameCell> cellsOf(const Frame& frame, Slots slots, std::span<const Facet> facets)
{
    CellList cells(frame);
    for (std::size_t begin = 0; begin < slots.size();)
    {
        const Slot& slot = slots[begin];
        const auto isOther = [&slot](const Slot& other) { return other.column != slot.column; };
        const auto group = slots.subspan(begin);
        const auto size = static_cast<std::size_t>(std::ranges::find_if(group, isOther) - group.begin());
        if (slot.column == kRest.column)
            cells.addRest(facets);
        else if (slot.column == kValues.column)
            cells.addValues();
        else if (namesColumn(slot))
            cells.add(group.first(size));
        begin += size;
    }
    return std::move(cells).taken();
}

/// Every column with its facets.
std::vector<FrameCell> allCells(const Frame& frame, std::span<const Facet> facets)
{
    CellList cells(frame);
    for (const Column& column : frame.columns())
        for (const Facet facet : facets)
            cells.addMissing(column, facet);
    return std::move(cells).taken();
}

/// Every slot that a list may mean.
std::vector<Slot> possibleSlots(const FrameInfo& about, Slots list, std::span<const Facet> facets)
{
    std::vector<Slot> slots;
    const auto addMissing = [&slots](std::string_view key, Facet facet) {
        if (std::ranges::none_of(slots, [&](const Slot& slot) { return slot.column == key && slot.facet == facet; }))
            slots.push_back({key, facet});
    };
    for (const Slot& slot : list)
        if (namesColumn(slot))
            slots.push_back(slot);
    const bool hasValues = std::ranges::find(list, kValues.column, &Slot::column) != list.end();
    const bool hasRest = std::ranges::find(list, kRest.column, &Slot::column) != list.end();
    for (const ColumnInfo& info : about.columns)
    {
        if (hasValues)
            addMissing(info.key, Facet::Value);
        if (list.empty() || (hasRest && !isNamed(about, info.key)))
            for (const Facet facet : facets)
                addMissing(info.key, facet);
    }
    return slots;
}

/// Whether a row stands before another one in the order of a column.
bool isBefore(const FrameCell& cell, std::size_t a, std::size_t b)
{
    if (cell.column->isMeaningless)
        return false;
    if (const auto* texts = std::get_if<Column::Texts>(&cell.column->values); texts && cell.slot.facet == Facet::Value)
        return (*texts)[a] < (*texts)[b];
    const double x = cell.column->at(cell.slot.facet, a);
    const double y = cell.column->at(cell.slot.facet, b);
    return std::isfinite(x) && (!std::isfinite(y) || x > y);
}

} // namespace

std::vector<FrameCell> cellsOf(const Frame& frame, Slots slots)
{
    auto cells = slots.empty() ? allCells(frame, kTableFacets) : cellsOf(frame, slots, kTableFacets);
    std::erase_if(cells, [](const FrameCell& cell) {
        return cell.column->info->shown == Shown::Tree || (cell.slot.isOptional && !cell.column->has(cell.slot.facet));
    });
    return cells;
}

std::vector<FrameCell> fileCells(const Frame& frame)
{
    return cellsOf(frame, frame.about().file);
}

std::vector<FrameCell> paperCells(const Frame& frame)
{
    return frame.about().paper.empty() ? fileCells(frame) : cellsOf(frame, frame.about().paper);
}

std::vector<FrameCell> jsonCells(const Frame& frame)
{
    auto cells =
        frame.about().json.empty() ? allCells(frame, kJsonFacets) : cellsOf(frame, frame.about().json, kJsonFacets);
    std::erase_if(cells, [](const FrameCell& cell) { return !cell.column->has(cell.slot.facet); });
    return cells;
}

std::vector<Slot> possibleFileSlots(const FrameInfo& about)
{
    auto slots = possibleSlots(about, about.file, kTableFacets);
    std::erase_if(slots, [&about](const Slot& slot) { return about.find(slot.column)->shown == Shown::Tree; });
    return slots;
}

std::vector<Slot> possibleJsonSlots(const FrameInfo& about)
{
    return possibleSlots(about, about.json, kJsonFacets);
}

bool namesColumn(const Slot& slot)
{
    return slot.column != kRest.column && slot.column != kNextGroup.column && slot.column != kValues.column;
}

std::string ownHeader(const Slot& slot, const Column& column)
{
    std::string header(slot.header);
    if (const std::size_t at = header.find("{}"); at != std::string::npos)
        header.replace(at, 2, column.header);
    return header;
}

std::string headerOf(const FrameCell& cell, char blank)
{
    constexpr std::array<std::string_view, 12> kFacets = {
        "", "low", "high", "null", "p", "q", "chance", "", "", "", "interval method", "null method"};
    std::string header = ownHeader(cell.slot, *cell.column);
    if (header.empty())
    {
        header = cell.column->header.empty() ? std::string(cell.slot.column) : cell.column->header;
        if (const std::string_view facet = kFacets[static_cast<std::size_t>(cell.slot.facet)]; !facet.empty())
            header += fmt::format(" {}", facet);
        if (!cell.column->header.empty())
            return header; // a name of the data
    }
    std::ranges::replace_if(
        header, [](char c) { return c == '_' || c == ' '; }, blank);
    return header;
}

Status sortFrame(Frame& frame, std::string_view header)
{
    const std::vector<FrameCell> cells = fileCells(frame);
    const auto found = std::ranges::find_if(cells, [header](const FrameCell& cell) {
        return headerOf(cell) == header || (cell.slot.facet == Facet::Value && cell.slot.column == header);
    });
    if (found == cells.end())
        return Error{
            ErrorCode::WrongUse,
            fmt::format("expected a column of {}, found \"{}\"",
                        fmt::join(columnValues(cells, [](const FrameCell& cell) { return headerOf(cell); }), ", "),
                        header),
            {},
            {}};
    std::vector<std::size_t> order(static_cast<std::size_t>(frame.rows()));
    for (std::size_t row = 0; row < order.size(); ++row)
        order[row] = row;
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return isBefore(*found, a, b); });
    frame.take(order);
    return {};
}

} // namespace headscope

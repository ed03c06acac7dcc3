// SPDX-License-Identifier: GPL-3.0-or-later
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

template <class T>
void takeRows(std::vector<T>& values, std::span<const std::size_t> order)
{
    if (values.empty())
        return;
    std::vector<T> taken;
    taken.reserve(order.size());
    for (const std::size_t row : order)
        taken.push_back(values[row]);
    values = std::move(taken);
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

const ColumnInfo* FrameInfo::find(std::string_view columnKey) const
{
    const auto found = std::ranges::find(columns, columnKey, &ColumnInfo::key);
    return found == columns.end() ? nullptr : &*found;
}

Column::Reals& Column::numbers(Facet facet)
{
    return const_cast<Reals&>(std::as_const(*this).numbers(facet));
}

const Column::Reals& Column::numbers(Facet facet) const
{
    HEADSCOPE_ASSERT(facet >= Facet::Low && facet <= Facet::Chance);
    return facets[static_cast<std::size_t>(facet) - 1];
}

bool Column::has(Facet facet) const
{
    switch (facet)
    {
    case Facet::Value:
        return true;
    case Facet::Span:
    case Facet::Ends:
        return !numbers(Facet::Low).empty();
    case Facet::IntervalMethod:
        return !intervalMethod.empty();
    case Facet::NullMethod:
        return !nullMethod.empty();
    default:
        return !numbers(facet).empty();
    }
}

bool Column::isText() const
{
    return info->shown == Shown::Flag ||
           !(std::holds_alternative<Reals>(values) || std::holds_alternative<Wholes>(values));
}

std::size_t Column::rows() const
{
    return std::visit([](const auto& each) { return each.size(); }, values);
}

double Column::at(Facet facet, std::size_t row) const
{
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (facet != Facet::Value)
        return numbers(facet).empty() ? kNone : numbers(facet)[row];
    if (const auto* wholes = std::get_if<Wholes>(&values))
        return (*wholes)[row] == kNoCount ? kNone : static_cast<double>((*wholes)[row]);
    const auto* reals = std::get_if<Reals>(&values);
    return reals == nullptr ? kNone : (*reals)[row];
}

Column& Column::set(Facet facet, Reals given)
{
    HEADSCOPE_ASSERT(given.size() == rows());
    numbers(facet) = std::move(given);
    return *this;
}

Column& Column::set(Facet facet, double ofAllRows)
{
    return set(facet, Reals(rows(), ofAllRows));
}

Column& Column::interval(std::span<const Interval> intervals)
{
    return set(Facet::Low, columnValues(intervals, &Interval::low))
        .set(Facet::High, columnValues(intervals, &Interval::high));
}

Column& Column::interval(std::span<const Interval> intervals, Texts methods)
{
    HEADSCOPE_ASSERT(methods.size() == rows());
    intervalMethod = std::move(methods);
    return interval(intervals);
}

Column& Column::interval(std::span<const Interval> intervals, std::string_view methodOfAllRows)
{
    return interval(intervals, Texts(rows(), std::string(methodOfAllRows)));
}

Column& Column::null(std::span<const PermutationNull> nulls)
{
    return set(Facet::Null, columnValues(nulls, &PermutationNull::mean))
        .set(Facet::P, columnValues(nulls, &PermutationNull::p));
}

Column& Column::null(std::span<const PermutationNull> nulls, Texts methods)
{
    HEADSCOPE_ASSERT(methods.size() == rows());
    nullMethod = std::move(methods);
    return null(nulls);
}

Column& Column::null(std::span<const PermutationNull> nulls, std::string_view methodOfAllRows)
{
    return null(nulls, Texts(rows(), std::string(methodOfAllRows)));
}

Column& Column::named(std::string headerOfTables)
{
    header = std::move(headerOfTables);
    return *this;
}

std::int64_t Frame::rows() const
{
    return m_columns.empty() ? 0 : static_cast<std::int64_t>(m_columns.front().rows());
}

const Column* Frame::find(std::string_view key) const
{
    const auto found = std::ranges::find(m_columns, key, [](const Column& column) { return column.info->key; });
    return found == m_columns.end() ? nullptr : &*found;
}

Column* Frame::find(std::string_view key)
{
    return const_cast<Column*>(std::as_const(*this).find(key));
}

Column& Frame::add(std::string_view key, Column::Values values)
{
    const ColumnInfo* info = m_about->find(key);
    HEADSCOPE_ASSERT(info != nullptr);
    const Shown shown = info->shown;
    const std::size_t kind = isWhole(shown) ? 1 : isText(shown) ? 2 : shown == Shown::List ? 3 : 0;
    HEADSCOPE_ASSERT(values.index() == kind);
    Column column;
    column.info = info;
    column.values = std::move(values);
    HEADSCOPE_ASSERT(m_columns.empty() || column.rows() == m_columns.front().rows());
    return m_columns.emplace_back(std::move(column));
}

void Frame::take(std::span<const std::size_t> order)
{
    for (Column& column : m_columns)
    {
        std::visit([order](auto& values) { takeRows(values, order); }, column.values);
        for (Column::Reals& numbers : column.facets)
            takeRows(numbers, order);
        takeRows(column.intervalMethod, order);
        takeRows(column.nullMethod, order);
    }
}

const Node* Node::find(std::string_view name) const
{
    const auto* members = std::get_if<Members>(&value);
    if (members == nullptr)
        return nullptr;
    const auto found =
        std::ranges::find(*members, name, [](const auto& member) { return std::string_view(member.first); });
    return found == members->end() ? nullptr : &found->second;
}

const Node& Node::at(std::string_view path) const
{
    static const Node kNone;
    const std::size_t dot = path.find('.');
    const Node* node = find(path.substr(0, dot));
    if (node == nullptr)
        return kNone;
    return dot == std::string_view::npos ? *node : node->at(path.substr(dot + 1));
}

std::vector<FrameCell> cellsOf(const Frame& frame, Slots slots)
{
    auto cells = slots.empty() ? allCells(frame, kTableFacets) : cellsOf(frame, slots, kTableFacets);
    std::erase_if(cells, [](const FrameCell& cell) {
        return cell.column->info->shown == Shown::List || (cell.slot.isOptional && !cell.column->has(cell.slot.facet));
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
    std::erase_if(slots, [&about](const Slot& slot) { return about.find(slot.column)->shown == Shown::List; });
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
    constexpr std::array<std::string_view, 11> kFacets = {
        "", "low", "high", "null", "p", "q", "chance", "", "", "interval method", "null method"};
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

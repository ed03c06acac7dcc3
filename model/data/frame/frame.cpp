// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/frame/frame.h"

#include <algorithm>
#include <charconv>

namespace headscope
{
namespace
{

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
    case Facet::Range:
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

Frame::Frame(const FrameInfo& about) : m_about(&about) {}

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
    const std::size_t kind = isWhole(shown) ? 1 : isText(shown) ? 2 : shown == Shown::Tree ? 3 : 0;
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

Node stageNode(std::string_view name)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size())
        return number;
    return textOrNull(name);
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

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/frame/facts.h"

#include "model/data/frame/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace headscope
{
namespace
{

std::string textOf(const Node& value)
{
    if (const auto* text = std::get_if<std::string>(&value.value))
        return *text;
    if (const auto* whole = std::get_if<std::int64_t>(&value.value))
        return withCommas(*whole);
    if (const auto* real = std::get_if<double>(&value.value))
        return fmt::format("{}", *real);
    HEADSCOPE_ASSERT(std::holds_alternative<std::monostate>(value.value));
    return "none";
}

} // namespace

void Facts::add(std::string_view key, const Node& value)
{
    add(key, value, textOf(value));
}

void Facts::add(std::string_view key, Node value, std::string text)
{
    std::string name(key);
    std::ranges::replace(name, '_', ' ');
    add(key, std::move(value), name, std::move(text));
}

void Facts::add(std::string_view key, Node value, std::string_view name, std::string text)
{
    member(key, std::move(value));
    line(name, std::move(text));
}

void Facts::append(Members members)
{
    std::ranges::move(members, std::back_inserter(m_members));
}

void Facts::append(FactLines lines)
{
    std::ranges::move(lines, std::back_inserter(m_lines));
}

std::string Facts::text() const
{
    return factsText(m_lines);
}

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
// A list of fields: how a row is added, and found.
#include "model/base/assert.h"
#include "model/base/fields/field_target.h"
#include "model/base/fields/fields.h"
#include "model/base/text/split_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

namespace headscope
{

Field& Fields::flag(std::string_view names, bool& value, std::string about)
{
    return add({}, names, &value, std::move(about)).only(kCommandUse);
}

std::vector<std::reference_wrapper<const Field>> Fields::used(unsigned who) const&
{
    std::vector<std::reference_wrapper<const Field>> found;
    for (const Field& row : m_rows)
    {
        if (row.isFor(who))
            found.emplace_back(row);
    }
    return found;
}

void Fields::require(std::string_view key)
{
    const auto found = std::ranges::find(m_rows, key, &Field::key);
    HEADSCOPE_ASSERT(found != m_rows.end());
    found->isRequired = true;
}

void Fields::requireAll()
{
    for (Field& row : m_rows)
        row.isRequired = true;
}

Field* Fields::find(std::string_view name)
{
    const auto found = std::ranges::find_if(
        m_rows, [name](const Field& row) { return std::ranges::find(row.names, name) != row.names.end(); });
    return found == m_rows.end() ? nullptr : &*found;
}

const Field* Fields::ofKey(std::string_view key) const
{
    const auto found = std::ranges::find(m_rows, key, &Field::key);
    return found == m_rows.end() ? nullptr : &*found;
}

Field& Fields::add(std::string_view key, std::string_view names, FieldTarget target, std::string about)
{
    Field row;
    row.key = key;
    row.names = splitText(names, ',');
    row.target = target;
    row.about = std::move(about);
    row.usual = fmt::format("{}", fmt::join(valueWords(target), " "));
    if (const auto* choice = std::get_if<FieldChoice>(&target))
        row.words = choice->typedWords();
    if (row.names.empty())
        row.uses &= ~static_cast<unsigned>(kCommandUse);
    return m_rows.emplace_back(std::move(row));
}

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/documents/label_builder.h"

#include <utility>

namespace headscope
{

void LabelColumnBuilder::add(const std::string& value)
{
    const auto next = static_cast<std::int32_t>(m_numbers.size());
    m_codes.push_back(value.empty() ? -1 : m_numbers.try_emplace(value, next).first->second);
}

LabelColumn LabelColumnBuilder::column(std::string name, std::size_t begin, std::size_t end) const
{
    LabelColumn column{std::move(name), {}, {}};
    std::vector<std::int32_t> sorted(m_numbers.size()); // place among the categories, by number
    for (const auto& [text, number] : m_numbers)
    {
        sorted[static_cast<std::size_t>(number)] = static_cast<std::int32_t>(column.categories.size());
        column.categories.push_back(text);
    }
    column.codes.reserve(end - begin);
    for (std::size_t i = begin; i < end; ++i)
        column.codes.push_back(m_codes[i] < 0 ? -1 : sorted[static_cast<std::size_t>(m_codes[i])]);
    return column;
}

} // namespace headscope

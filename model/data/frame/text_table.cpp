// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/frame/text_table.h"

#include "model/base/assert.h"
#include "model/base/escape_controls.h"
#include "model/base/utf8.h"

#include <algorithm>

namespace headscope
{
namespace
{

bool isNumber(const std::string& cell)
{
    return cell.empty() || cell == "-" ||
           (cell.find_first_of("0123456789") != std::string::npos &&
            cell.find_first_not_of("0123456789.,+-eE% ") == std::string::npos);
}

} // namespace

TextTable::TextTable(std::vector<std::string> header, std::vector<std::int64_t> widths) : m_widths(std::move(widths))
{
    m_widths.resize(header.size());
    m_rows.push_back(std::move(header));
}

void TextTable::add(std::vector<std::string> cells)
{
    HEADSCOPE_ASSERT(cells.size() == m_rows.front().size());
    for (std::string& cell : cells)
        cell = escapeControls(cell, LineBreaks::Shown); // before widths are counted
    m_rows.push_back(std::move(cells));
}

std::string TextTable::text() const
{
    const std::size_t columns = m_rows.front().size();
    std::vector<std::size_t> widths(m_widths.begin(), m_widths.end());
    std::vector<bool> right(columns, m_rows.size() > 1);
    for (std::size_t r = 0; r < m_rows.size(); ++r)
    {
        for (std::size_t c = 0; c < columns; ++c)
        {
            widths[c] = std::max(widths[c], countCharacters(m_rows[r][c]));
            right[c] = right[c] && (r == 0 || isNumber(m_rows[r][c]));
        }
    }
    std::string text;
    for (const auto& row : m_rows)
    {
        std::string line;
        for (std::size_t c = 0; c < columns; ++c)
        {
            const std::string padding(widths[c] - countCharacters(row[c]), ' ');
            line += c > 0 ? "  " : "";
            line += right[c] ? padding + row[c] : row[c] + padding;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

std::string factsText(const std::vector<std::pair<std::string, std::string>>& facts)
{
    std::size_t width = 0;
    for (const auto& [name, value] : facts)
        width = std::max(width, countCharacters(name));
    std::string text;
    for (const auto& [name, value] : facts)
        text += name + std::string(width - countCharacters(name) + 2, ' ') + escapeControls(value, LineBreaks::Shown) +
                '\n';
    return text;
}

std::string withCommas(std::int64_t number)
{
    std::string digits = std::to_string(number);
    for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3)
        digits.insert(static_cast<std::size_t>(at), 1, ',');
    return digits;
}

} // namespace headscope

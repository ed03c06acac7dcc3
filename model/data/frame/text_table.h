// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace headscope
{

/// A table for people: columns aligned by characters, numbers to the right, two blanks between.
class TextTable
{
public:
    /// @param widths  of columns, at least; empty: as wide as their cells
    explicit TextTable(std::vector<std::string> header, std::vector<std::int64_t> widths = {});
    /// A row of as many cells as the header.
    void add(std::vector<std::string> cells);
    /// All rows, each with its line end; a column is aligned right where every cell is a number.
    [[nodiscard]] std::string text() const;

private:
    std::vector<std::vector<std::string>> m_rows;
    std::vector<std::int64_t> m_widths; ///< [columns] at least
};

/// "name  value" lines with the values under each other.
[[nodiscard]] std::string factsText(const std::vector<std::pair<std::string, std::string>>& facts);

/// A number with thousands separated: 12,345.
[[nodiscard]] std::string withCommas(std::int64_t number);

} // namespace headscope

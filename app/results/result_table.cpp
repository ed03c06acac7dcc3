// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/result_table.h"

#include "app/shell/wrong_use.h"
#include "model/base/assert.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope
{
namespace
{

constexpr std::array kColumns = {ColumnInfo{"number", "Number", "", "A real number"},
                                 ColumnInfo{"count", "Count", "", "A whole number", "", Shown::Count},
                                 ColumnInfo{"text", "Text", "", "A text", "", Shown::Text}};
constexpr FrameInfo kTable = {.key = "table", .columns = kColumns};

/// A column of real numbers that are all missing is one of whole numbers as soon as one comes.
void becomeWhole(Column& column)
{
    const auto* reals = std::get_if<Column::Reals>(&column.values);
    if (reals == nullptr)
        return;
    HEADSCOPE_ASSERT(std::ranges::none_of(*reals, [](double value) { return std::isfinite(value); }));
    column.values = Column::Wholes(reals->size(), kNoCount);
    column.info = kTable.find("count");
}

void addCell(Column& column, ResultTable::Cell& cell)
{
    if (auto* text = std::get_if<std::string>(&cell))
    {
        if (column.rows() == 0)
        {
            column.values = Column::Texts();
            column.info = kTable.find("text");
        }
        return std::get<Column::Texts>(column.values).push_back(std::move(*text));
    }
    if (const auto* whole = std::get_if<std::int64_t>(&cell))
    {
        becomeWhole(column);
        return std::get<Column::Wholes>(column.values).push_back(*whole);
    }
    const double real = std::get<double>(cell);
    if (auto* wholes = std::get_if<Column::Wholes>(&column.values))
    {
        HEADSCOPE_ASSERT(!std::isfinite(real));
        return wholes->push_back(kNoCount);
    }
    std::get<Column::Reals>(column.values).push_back(real);
}

} // namespace

ResultTable::ResultTable(std::vector<std::string> header) : m_frame(kTable)
{
    for (std::string& name : header)
        m_frame.add("number", Column::Reals()).named(std::move(name));
}

void ResultTable::add(std::vector<Cell> cells)
{
    HEADSCOPE_ASSERT(cells.size() == m_frame.columns().size());
    for (std::size_t column = 0; column < cells.size(); ++column)
        addCell(m_frame.columns()[column], cells[column]);
}

ResultTable ResultTable::columns(std::span<const std::string_view> names) const
{
    ResultTable chosen({});
    for (const std::string_view name : names)
    {
        const auto found = std::ranges::find(m_frame.columns(), name, &Column::header);
        HEADSCOPE_ASSERT(found != m_frame.columns().end());
        chosen.m_frame.columns().push_back(*found);
    }
    return chosen;
}

Status ResultTable::sortBy(const std::string& column)
{
    auto sorted = sortFrame(m_frame, column);
    return sorted ? Status() : Status(std::move(sorted).error().atPlace("--sort"));
}

Status ResultTable::write(const std::filesystem::path& target, const std::string& group, const Provenance& provenance,
                          std::span<const NamedMatrix> matrices, CsvTexts texts) const
{
    return writeFrameFile(target, m_frame, provenance, matrices, texts, group);
}

} // namespace headscope

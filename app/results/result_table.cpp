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

/// A column of numbers becomes one of texts, with what is shown of them, as soon as a text comes ("no test").
void becomeText(Column& column)
{
    if (std::holds_alternative<Column::Texts>(column.values))
        return;
    Column::Texts texts;
    for (std::vector<std::string>& row : shownTable({FrameCell{&column, {}}}).rows)
        texts.push_back(std::move(row.front()));
    column.values = std::move(texts);
    column.info = kTable.find("text");
}

void addNumber(Column& column, const ResultTable::Cell& cell)
{
    const auto* whole = std::get_if<std::int64_t>(&cell);
    if (whole != nullptr)
        becomeWhole(column);
    if (auto* wholes = std::get_if<Column::Wholes>(&column.values))
    {
        HEADSCOPE_ASSERT(whole != nullptr || !std::isfinite(std::get<double>(cell)));
        return wholes->push_back(whole != nullptr ? *whole : kNoCount);
    }
    std::get<Column::Reals>(column.values).push_back(std::get<double>(cell));
}

void addCell(Column& column, ResultTable::Cell& cell)
{
    if (auto* text = std::get_if<std::string>(&cell))
    {
        becomeText(column);
        return std::get<Column::Texts>(column.values).push_back(std::move(*text));
    }
    if (!std::holds_alternative<Column::Texts>(column.values))
        return addNumber(column, cell);
    Column number{.info = kTable.find("number"), .values = Column::Reals()};
    addNumber(number, cell);
    becomeText(number);
    std::get<Column::Texts>(column.values).push_back(std::move(std::get<Column::Texts>(number.values).front()));
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

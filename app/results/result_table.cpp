// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/results/result_table.h"

#include "app/results/provenance.h"
#include "app/results/text_table.h"
#include "app/shell/wrong_use.h"
#include "model/base/assert.h"
#include "model/base/output/output_file.h"
#include "model/io/hdf5/hdf5_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace headscope::results
{
namespace
{

using shell::wrongUse;

/// A real number with four digits after the point; by its exponent where these would hold none of its own.
std::string shown(double value)
{
    if (!std::isfinite(value))
        return "-";
    return value != 0 && std::abs(value) < 5e-5 ? fmt::format("{:.3e}", value) : fmt::format("{:.4f}", value);
}

/// ".csv" of X.csv and of X.CSV.
std::string endingOf(const std::filesystem::path& target)
{
    std::string ending = target.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

std::string shownCell(const ResultTable::Cell& cell)
{
    if (const auto* text = std::get_if<std::string>(&cell))
        return *text;
    if (const auto* number = std::get_if<std::int64_t>(&cell))
        return std::to_string(*number);
    return shown(std::get<double>(cell));
}

CsvText csvCell(const ResultTable::Cell& cell, CsvTexts texts)
{
    if (const auto* text = std::get_if<std::string>(&cell))
        return csvField(*text, texts);
    if (const auto* number = std::get_if<std::int64_t>(&cell))
        return CsvText::format("{}", *number);
    const double value = std::get<double>(cell);
    return std::isfinite(value) ? CsvText::format("{}", value) : CsvText();
}

template <class T>
std::span<const std::byte> bytesOf(const std::vector<T>& values)
{
    return std::as_bytes(std::span(values));
}

template <class T>
std::vector<T> columnOf(const std::vector<std::vector<ResultTable::Cell>>& rows, std::size_t column)
{
    std::vector<T> values;
    for (const auto& row : rows)
        values.push_back(std::get<T>(row[column]));
    return values;
}

} // namespace

void ResultTable::add(std::vector<Cell> cells)
{
    HEADSCOPE_ASSERT(cells.size() == m_header.size());
    m_rows.push_back(std::move(cells));
}

ResultTable ResultTable::columns(std::span<const std::string_view> names) const
{
    std::vector<std::size_t> places;
    std::vector<std::string> header;
    for (const std::string_view name : names)
    {
        const auto found = std::find(m_header.begin(), m_header.end(), name);
        HEADSCOPE_ASSERT(found != m_header.end());
        places.push_back(static_cast<std::size_t>(found - m_header.begin()));
        header.emplace_back(name);
    }
    ResultTable chosen(std::move(header));
    for (const auto& row : m_rows)
    {
        std::vector<Cell> cells;
        for (const std::size_t place : places)
            cells.push_back(row[place]);
        chosen.add(std::move(cells));
    }
    return chosen;
}

std::vector<std::vector<std::string>> ResultTable::shownCells() const
{
    std::vector<std::vector<std::string>> all = {m_header};
    for (const auto& row : m_rows)
        std::transform(row.begin(), row.end(), std::back_inserter(all.emplace_back()), shownCell);
    return all;
}

std::vector<bool> ResultTable::numericColumns() const
{
    std::vector<bool> numeric(m_header.size(), true);
    for (std::size_t column = 0; column < m_header.size() && !m_rows.empty(); ++column)
        numeric[column] = !std::holds_alternative<std::string>(m_rows.front()[column]);
    return numeric;
}

std::string ResultTable::text() const
{
    TextTable table(m_header);
    auto cells = shownCells();
    for (std::size_t row = 1; row < cells.size(); ++row)
        table.add(std::move(cells[row]));
    return table.text();
}

CsvText ResultTable::csv(CsvTexts texts) const
{
    CsvText csv;
    for (const std::string& name : m_header)
        csv += (csv.empty() ? Literal("") : Literal(",")) + csvField(name, texts);
    csv += "\n";
    for (const auto& row : m_rows)
    {
        for (std::size_t column = 0; column < row.size(); ++column)
            csv += (column > 0 ? Literal(",") : Literal("")) + csvCell(row[column], texts);
        csv += "\n";
    }
    return csv;
}

LatexText ResultTable::latex() const
{
    LatexText latex("\\begin{tabular}{");
    for (std::size_t column = 0; column < m_header.size(); ++column)
        latex += !m_rows.empty() && std::holds_alternative<std::string>(m_rows.front()[column]) ? Literal("l")
                                                                                                : Literal("r");
    latex += "}\n\\toprule\n";
    for (std::size_t column = 0; column < m_header.size(); ++column)
        latex += (column > 0 ? Literal(" & ") : Literal("")) + latexSentence(m_header[column]);
    latex += " \\\\\n\\midrule\n";
    for (const auto& row : m_rows)
    {
        for (std::size_t column = 0; column < row.size(); ++column)
            latex += (column > 0 ? Literal(" & ") : Literal("")) + latexCell(shownCell(row[column]));
        latex += " \\\\\n";
    }
    return latex + "\\bottomrule\n\\end{tabular}\n";
}

LatexText ResultTable::latexFile() const
{
    const LatexText table = latex();
    return "% \\usepackage{booktabs,graphicx} in the preamble\n" + latexEngineComment(table) +
           "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n" + table + "}\n";
}

Status ResultTable::write(const std::filesystem::path& target, const std::string& group, const Provenance& provenance,
                          std::span<const NamedMatrix> matrices, CsvTexts texts) const
{
    const std::string ending = endingOf(target);
    if (ending == ".csv")
        return writeCsvFile(target, csv(texts));
    if (ending != ".tex")
        return writeHdf5(target, group, provenance, matrices);
    LatexText comments;
    for (const std::string& line : provenance.lines())
        comments += latexComment(line);
    return writeLatexFile(target, latexFile() + comments);
}

Status ResultTable::sortBy(const std::string& column)
{
    const auto found = std::find(m_header.begin(), m_header.end(), column);
    if (found == m_header.end())
        return wrongUse("--sort",
                        fmt::format("expected a column of {}, found \"{}\"", fmt::join(m_header, ", "), column));
    const auto at = static_cast<std::size_t>(found - m_header.begin());
    std::stable_sort(m_rows.begin(), m_rows.end(), [at](const auto& a, const auto& b) {
        if (const auto* text = std::get_if<std::string>(&a[at]))
            return *text < std::get<std::string>(b[at]);
        if (const auto* number = std::get_if<std::int64_t>(&a[at]))
            return *number > std::get<std::int64_t>(b[at]);
        const double x = std::get<double>(a[at]);
        const double y = std::get<double>(b[at]);
        return std::isfinite(x) && (!std::isfinite(y) || x > y);
    });
    return {};
}

Status ResultTable::writeHdf5(const std::filesystem::path& target, const std::string& group,
                              const Provenance& provenance, std::span<const NamedMatrix> matrices) const
{
    HEADSCOPE_TRY(Hdf5Writer file, Hdf5Writer::create(target));
    HEADSCOPE_CHECK(file.makeGroup("/" + group));
    const std::array rows = {static_cast<std::int64_t>(m_rows.size())};
    for (std::size_t column = 0; column < m_header.size() && !m_rows.empty(); ++column)
    {
        std::string name = m_header[column];
        std::replace(name.begin(), name.end(), ' ', '_');
        const std::string dataset = fmt::format("/{}/{}", group, name);
        const Cell& first = m_rows.front()[column];
        if (std::holds_alternative<std::string>(first))
            HEADSCOPE_CHECK(file.writeStrings(dataset, columnOf<std::string>(m_rows, column)));
        else if (std::holds_alternative<std::int64_t>(first))
            HEADSCOPE_CHECK(
                file.write(dataset, rows, NumberType::I64, bytesOf(columnOf<std::int64_t>(m_rows, column))));
        else
            HEADSCOPE_CHECK(file.write(dataset, rows, NumberType::F64, bytesOf(columnOf<double>(m_rows, column))));
    }
    for (const NamedMatrix& matrix : matrices)
    {
        const std::array shape = {matrix.values->rows(), matrix.values->cols()};
        HEADSCOPE_CHECK(file.write(fmt::format("/{}/{}", group, matrix.name), shape, NumberType::F64,
                                   bytesOf(matrix.values->values())));
    }
    for (const auto& [name, value] : provenance.parameters())
        HEADSCOPE_CHECK(std::visit(
            [&, &key = name](const auto& each) { return file.setAttribute("/" + group, key, each); }, value));
    if (!provenance.inputHash().empty())
        HEADSCOPE_CHECK(file.setAttribute("/" + group, "input_hash", provenance.inputHash()));
    return file.publish();
}

bool isTextTable(const std::filesystem::path& target)
{
    const std::string ending = endingOf(target);
    return ending == ".csv" || ending == ".tex";
}

Status checkTableOutput(const std::string& output, const CommonOptions& common)
{
    if (output.empty())
        return {};
    const auto ending = std::filesystem::path(output).extension();
    if (ending != ".csv" && ending != ".tex" && ending != ".h5" && ending != ".hdf5")
        return wrongUse("-o", fmt::format("expected a name ending in .csv, .tex or .h5, found \"{}\"", output));
    return checkOutputPath(output, common.overwrite);
}

} // namespace headscope::results

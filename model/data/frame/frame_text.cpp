// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/frame/frame_text.h"

#include "model/base/text/fixed_text.h"
#include "model/base/text/wrapped_text.h"
#include "model/data/frame/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope
{
namespace
{

std::string shownNumber(double value, Shown shown)
{
    if (!std::isfinite(value))
        return "-";
    const bool isTiny = shown != Shown::Fixed && value != 0 && std::abs(value) < 5e-5;
    return isTiny ? fmt::format("{:.3e}", value) : fixedText(value, 4);
}

/// A text or a flag; methods too.
bool isTextCell(const FrameCell& cell)
{
    return cell.slot.facet == Facet::IntervalMethod || cell.slot.facet == Facet::NullMethod ||
           (cell.slot.facet == Facet::Value && cell.column->isText());
}

std::string textAt(const FrameCell& cell, std::size_t row)
{
    const Column& column = *cell.column;
    if (cell.slot.facet != Facet::Value)
    {
        const Column::Texts& methods =
            cell.slot.facet == Facet::IntervalMethod ? column.intervalMethod : column.nullMethod;
        return methods.empty() ? std::string() : methods[row];
    }
    if (column.info->shown == Shown::Flag)
        return column.at(Facet::Value, row) > 0 ? "yes" : "";
    return std::get<Column::Texts>(column.values)[row];
}

std::string shownAt(const FrameCell& cell, std::size_t row)
{
    const Column& column = *cell.column;
    if (isTextCell(cell))
        return textAt(cell, row);
    const auto number = [&](Facet facet) {
        const double value = column.at(facet, row);
        return facet == Facet::Value && isWhole(column.info->shown) && std::isfinite(value)
                   ? std::to_string(std::get<Column::Wholes>(column.values)[row])
                   : shownNumber(value, column.info->shown);
    };
    const std::string low = cell.slot.facet < Facet::Span ? std::string() : number(Facet::Low);
    switch (cell.slot.facet)
    {
    case Facet::Span:
        return fmt::format("{} [{}]", number(Facet::Value), low == "-" ? low : low + ", " + number(Facet::High));
    case Facet::Ends:
        return low == "-" ? low
                          : fmt::format("{} to {}", fixedText(column.at(Facet::Low, row), 4),
                                        fixedText(column.at(Facet::High, row), 4));
    case Facet::Range:
        return low == "-" ? low
                          : fmt::format("[{}, {}]", fixedText(column.at(Facet::Low, row), 4),
                                        fixedText(column.at(Facet::High, row), 4));
    default:
        return number(cell.slot.facet);
    }
}

CsvText csvAt(const FrameCell& cell, std::size_t row, CsvTexts texts)
{
    if (isTextCell(cell))
        return csvField(textAt(cell, row), texts);
    const double value = cell.column->at(cell.slot.facet, row);
    if (!std::isfinite(value))
        return {};
    if (const auto* wholes = std::get_if<Column::Wholes>(&cell.column->values);
        wholes && cell.slot.facet == Facet::Value)
        return CsvText::format("{}", (*wholes)[row]);
    return CsvText::format("{}", value);
}

CsvText csvFact(const Node& node, CsvTexts texts)
{
    if (const auto* text = std::get_if<std::string>(&node.value))
        return csvField(*text, texts);
    if (const auto* whole = std::get_if<std::int64_t>(&node.value))
        return CsvText::format("{}", *whole);
    const auto* real = std::get_if<double>(&node.value);
    return real != nullptr && std::isfinite(*real) ? CsvText::format("{}", *real) : CsvText();
}

std::size_t rowsOf(const std::vector<FrameCell>& cells)
{
    return cells.empty() ? 0 : cells.front().column->rows();
}

std::string textOf(const std::vector<FrameCell>& cells)
{
    ShownTable shown = shownTable(cells);
    for (std::size_t c = 0; c < cells.size(); ++c)
    {
        const auto& [column, slot] = cells[c];
        const bool isTest = slot.facet == Facet::P || slot.facet == Facet::Q;
        for (std::vector<std::string>& row : shown.rows)
            if (column->isMeaningless)
                row[c] = "-";
            else if (isTest && !column->noTest.empty() && row[c] == "-")
                row[c] = column->noTest;
    }
    TextTable table(std::move(shown.header),
                    columnValues(cells, [](const FrameCell& cell) { return cell.slot.width; }));
    for (std::vector<std::string>& row : shown.rows)
        table.add(std::move(row));
    return table.text();
}

} // namespace

ShownTable shownTable(const std::vector<FrameCell>& cells)
{
    ShownTable table;
    table.rows.resize(rowsOf(cells));
    for (const FrameCell& cell : cells)
    {
        table.header.push_back(headerOf(cell));
        table.isNumeric.push_back(table.rows.empty() || !isTextCell(cell));
        for (std::size_t row = 0; row < table.rows.size(); ++row)
            table.rows[row].push_back(shownAt(cell, row));
    }
    return table;
}

std::string frameText(const Frame& frame, Slots slots)
{
    return textOf(cellsOf(frame, slots));
}

std::string columnSentences(const ColumnInfo& info)
{
    return info.caution.empty() ? fmt::format("{}.", info.definition)
                                : fmt::format("{}. {}.", info.definition, info.caution);
}

std::string columnWords(const FrameInfo& about, Slots slots)
{
    std::string text;
    for (const Slot& slot : slots)
    {
        std::string name(slot.header.empty() ? slot.column : slot.header);
        std::ranges::replace(name, '_', ' ');
        text +=
            wrappedText(fmt::format("{}: {}", name, columnSentences(*about.find(slot.column))), {.indent = 2}) + '\n';
    }
    return text;
}

std::string frameText(const Frame& frame)
{
    if (frame.about().texts.empty())
        return textOf(paperCells(frame));
    std::string text;
    for (const Slots& slots : frame.about().texts)
        text += (text.empty() ? "" : "\n") + frameText(frame, slots);
    return text;
}

CsvText frameCsv(const Frame& frame, CsvTexts texts, const Members& leading, bool header)
{
    CsvText line;
    CsvText before; // what stands before each row
    for (const auto& [name, node] : leading)
    {
        line += csvField(name, texts) + ",";
        before += csvFact(node, texts) + ",";
    }
    const std::vector<FrameCell> cells = fileCells(frame);
    for (const FrameCell& cell : cells)
        line += (&cell == &cells.front() ? Literal("") : Literal(",")) +
                csvField(headerOf(cell, frame.about().fileBlank), texts);
    CsvText csv = header ? line + "\n" : CsvText();
    for (std::size_t row = 0; row < rowsOf(cells); ++row)
    {
        csv += before;
        for (const FrameCell& cell : cells)
            csv += (&cell == &cells.front() ? Literal("") : Literal(",")) + csvAt(cell, row, texts);
        csv += "\n";
    }
    return csv;
}

LatexText frameLatex(const Frame& frame)
{
    const ShownTable table = shownTable(paperCells(frame));
    const auto line = [](const std::vector<std::string>& texts, auto escape) {
        LatexText latex;
        for (const std::string& text : texts)
            latex += (&text == &texts.front() ? Literal("") : Literal(" & ")) + escape(text);
        return latex + " \\\\\n";
    };
    LatexText latex("\\begin{tabular}{");
    for (const bool isNumeric : table.isNumeric)
        latex += isNumeric ? Literal("r") : Literal("l");
    latex += "}\n\\toprule\n" + line(table.header, latexSentence) + "\\midrule\n";
    for (const std::vector<std::string>& row : table.rows)
        latex += line(row, latexCell);
    return latex + "\\bottomrule\n\\end{tabular}\n";
}

LatexText frameLatexFile(const Frame& frame)
{
    const LatexText table = frameLatex(frame);
    return "% \\usepackage{booktabs,graphicx} in the preamble\n" + latexEngineComment(table) +
           "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n" + table + "}\n";
}

} // namespace headscope

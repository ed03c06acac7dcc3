// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report/report_latex.h"
#include "model/data/frame/frame_text.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope::cli
{
namespace
{

/// Floats fill their pages; many of a section stand before the next one, which goes on on the same page where none is
/// left over.
constexpr Literal kFloats = R"(\renewcommand{\topfraction}{0.95}
\renewcommand{\bottomfraction}{0.95}
\renewcommand{\textfraction}{0.05}
\renewcommand{\floatpagefraction}{0.75}
\setcounter{topnumber}{4}
\setcounter{bottomnumber}{4}
\setcounter{totalnumber}{8}
\setlength{\LTcapwidth}{\textwidth}
\makeatletter
\def\fps@figure{!htbp}
\newcommand{\floatsuptohere}{\par
  \begingroup\let\@elt\relax\edef\@tempa{\@botlist\@deferlist}\expandafter\endgroup
  \ifx\@tempa\@empty\else\clearpage\fi}
\makeatother
)";

/// A table at its own size, or as large as the page allows.
constexpr Literal kFitTable = R"(\newsavebox{\fitbox}
\newcommand{\fittable}[1]{%
  \sbox{\fitbox}{\input{#1}}%
  \ifdim\wd\fitbox>\textwidth\sbox{\fitbox}{\resizebox{\textwidth}{!}{\usebox{\fitbox}}}\fi
  \ifdim\dimexpr\ht\fitbox+\dp\fitbox\relax>0.85\textheight
    \resizebox*{!}{0.85\textheight}{\usebox{\fitbox}}\else\usebox{\fitbox}\fi}
)";

LatexText itemsText(std::span<const std::string> sentences)
{
    if (sentences.empty())
        return {};
    LatexText text("\\begin{itemize}\n");
    for (const std::string& sentence : sentences)
        text += "  \\item " + latexSentence(sentence) + "\n";
    return text + "\\end{itemize}\n";
}

// Of the page below, in points and lines; letters of \footnotesize are so wide on average.
constexpr double kTextWidth = 489;
constexpr double kLetter = 4.3;
constexpr double kBetweenColumns = 8;
constexpr std::size_t kMaxRows = 48;

using Cells = std::vector<std::vector<std::string>>;

/// Columns that say what a row is of, which stand in front of every part of a table.
bool saysWhatARowIs(std::string_view name)
{
    constexpr std::array<std::string_view, 8> kNames = {"head",  "segment", "group",    "layer",
                                                        "stage", "cache",   "strategy", "removed"};
    return std::ranges::find(kNames, name) != kNames.end();
}

/// The words of a header in two lines, as narrow as they can be; of one word the second is empty.
std::pair<std::string_view, std::string_view> twoLines(std::string_view header)
{
    std::pair<std::string_view, std::string_view> best = {header, {}};
    for (std::size_t at = header.find(' '); at != std::string_view::npos; at = header.find(' ', at + 1))
        if (std::max(at, header.size() - at - 1) < std::max(best.first.size(), best.second.size()))
            best = {header.substr(0, at), header.substr(at + 1)};
    return best;
}

/// Points of the widest cell.
double widthOf(const Cells& cells, std::size_t column)
{
    const auto header = twoLines(cells.front()[column]);
    std::size_t most = std::max(header.first.size(), header.second.size());
    for (const auto& row : std::span(cells).subspan(1))
        most = std::max(most, row[column].size());
    return kLetter * static_cast<double>(most) + kBetweenColumns;
}

/// Columns that are not torn apart: a number with its interval, null and q.
std::vector<std::vector<std::size_t>> togetherOf(const std::vector<std::size_t>& columns,
                                                 const std::vector<FrameCell>& slots)
{
    std::vector<std::vector<std::size_t>> together;
    for (const std::size_t column : columns)
        if (together.empty() || slots[together.back().front()].column != slots[column].column)
            together.push_back({column});
        else
            together.back().push_back(column);
    return together;
}

/// The columns of a table, part by part, each as wide as the page at most. Those without any value are left out.
std::vector<std::vector<std::size_t>> columnParts(const Cells& cells, const std::vector<FrameCell>& slots)
{
    std::vector<std::size_t> keys;
    std::vector<std::size_t> others;
    for (std::size_t column = 0; column < cells.front().size(); ++column)
    {
        const bool isEmpty = std::all_of(cells.begin() + 1, cells.end(), [column](const auto& row) {
            return row[column] == "-" || row[column].empty();
        });
        if (isEmpty)
            continue;
        const bool isKey = others.empty() && (keys.empty() || saysWhatARowIs(cells.front()[column]));
        (isKey ? keys : others).push_back(column);
    }
    const auto widthTogether = [&cells](const std::vector<std::size_t>& columns) {
        double width = 0;
        for (const std::size_t column : columns)
            width += widthOf(cells, column);
        return width;
    };
    const double keyWidth = widthTogether(keys);
    std::vector<std::vector<std::size_t>> parts = {keys};
    double width = keyWidth;
    for (const auto& together : togetherOf(others, slots))
    {
        const double more = widthTogether(together);
        if (width + more > kTextWidth && parts.back().size() > keys.size())
        {
            parts.push_back(keys);
            width = keyWidth;
        }
        parts.back().insert(parts.back().end(), together.begin(), together.end());
        width += more;
    }
    return parts;
}

/// A row of LaTeX: these columns of it.
/// @param textOf  the cell of a column
template <class TextOf>
LatexText lineOf(const std::vector<std::size_t>& columns, TextOf textOf)
{
    LatexText line;
    for (const std::size_t column : columns)
        line += (column == columns.front() ? Literal("") : Literal(" & ")) + textOf(column);
    return line + " \\\\\n";
}

/// A header in at most two lines, in line with its numbers.
LatexText headerText(std::string_view header, bool isNumeric)
{
    const auto [first, second] = twoLines(header);
    if (second.empty())
        return latexSentence(header);
    return (isNumeric ? Literal("\\begin{tabular}[b]{@{}r@{}}") : Literal("\\begin{tabular}[b]{@{}l@{}}")) +
           latexSentence(first) + "\\\\" + latexSentence(second) + "\\end{tabular}";
}

/// A table over as many pages as it needs, its columns in parts below each other where they are too many for one page.
/// Every page and part says which table it continues.
LatexText longTableText(const ReportTable& table, const Cells& cells, const std::vector<bool>& numeric,
                        const std::vector<std::vector<std::size_t>>& parts)
{
    const std::vector<FrameCell> columns = paperCells(table.rows);
    LatexText text("\\begingroup\\footnotesize\\setlength{\\tabcolsep}{4pt}\n");
    for (const auto& part : parts)
    {
        const bool isFirst = &part == &parts.front();
        LatexText alignment;
        for (const std::size_t column : part)
            alignment += numeric[column] ? Literal("r") : Literal("l");
        const LatexText header =
            "\\toprule\n" +
            lineOf(part, [&](std::size_t column) { return headerText(cells.front()[column], numeric[column]); }) +
            "\\midrule\n";
        const auto continued = [&part](Literal what) {
            return LatexText::format("\\multicolumn{{{}}}{{l}}{{\\tablename~\\thetable, ", part.size()) + what +
                   "}\\\\\n";
        };
        if (!isFirst)
            text += "\\addtocounter{table}{-1}\n"; // it has no number of its own
        text += "\\begin{longtable}{" + alignment + "}\n";
        text += isFirst ? "\\caption{" + latexSentence(table.caption) + "}\\\\\n" : continued("further columns");
        text += header + "\\endfirsthead\n" +
                continued(isFirst ? Literal("continued") : Literal("further columns, continued")) + header +
                "\\endhead\n\\bottomrule\n\\endfoot\n";
        for (std::size_t row = 1; row < cells.size(); ++row)
            text += lineOf(part, [&](std::size_t column) {
                const LatexText cell = latexCell(cells[row][column]);
                return isGrey(table, columns[column], row - 1) ? "\\textcolor[gray]{0.45}{" + cell + "}" : cell;
            });
        text += "\\end{longtable}\n";
    }
    return text + "\\endgroup\n";
}

LatexText tableText(const ReportTable& table)
{
    const std::vector<FrameCell> slots = paperCells(table.rows);
    const ShownTable shown = shownTable(slots);
    Cells cells = {shown.header};
    cells.insert(cells.end(), shown.rows.begin(), shown.rows.end());
    if (cells.size() > 1)
    {
        const auto parts = columnParts(cells, slots);
        const bool isWhole = parts.front().size() == cells.front().size();
        if (parts.size() > 1 || cells.size() > kMaxRows || !isWhole || !table.grey.empty())
            return longTableText(table, cells, shown.isNumeric, parts);
    }
    return LatexText::format("\\begin{{table}}[htbp]\n  \\centering\n  \\caption{{{}}}\n  \\fittable{{tables/{}.tex}}\n"
                             "\\end{{table}}\n",
                             latexSentence(table.caption), latexName(table.id));
}

LatexText sectionText(const ReportSection& section)
{
    LatexText text =
        LatexText::format("\n\\section{{{}}}\n", latexSentence(section.heading)) + itemsText(section.claims);
    for (const ReportPart* figure : section.figures)
        text.append("\\input{{figures/{}.tex}}\n", latexName(figure->item.id));
    for (const ReportTable& table : section.tables)
        text += tableText(table);
    for (const ReportPart* part : section.others)
        if (!part->leftOut.empty())
            text.append("\\paragraph{{Omitted}} {}: {}\n", latexSentence(part->item.id), latexSentence(part->leftOut));
    // Few floats find their places in the next section; many would drift away from what is said of them.
    constexpr std::size_t kMany = 4;
    return section.figures.size() + section.tables.size() < kMany ? text : text + "\\floatsuptohere\n";
}

} // namespace

LatexText reportLatex(std::span<const ReportSection> sections, const std::string& title, const std::string& footer)
{
    LatexText text("\\documentclass[10pt,a4paper]{article}\n"
                   "\\usepackage{iftex}\n"
                   "\\ifPDFTeX\\usepackage[utf8]{inputenc}\\usepackage[T1]{fontenc}\\else\\usepackage{fontspec}\\fi\n"
                   "\\usepackage[hmargin=19mm,top=14mm,bottom=16mm,includefoot=false]{geometry}\n"
                   "\\usepackage{lmodern,booktabs,color,flafter,graphicx,longtable}\n"
                   "\\graphicspath{{figures/}}\n");
    text += kFloats;
    text += kFitTable;
    text.append("\\title{{{}}}\n\\author{{}}\n\\date{{}}\n\\begin{{document}}\n\\maketitle\n\\noindent {}\n",
                latexSentence(title), latexSentence(footer));
    for (const ReportSection& section : sections)
        text += sectionText(section);
    return latexEngineComment(text) + text + "\\end{document}\n";
}

} // namespace headscope::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report/report_latex.h"

#include "app/results/latex_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace headscope::cli
{
namespace
{

/// A table at its own size, or as large as the page allows.
constexpr const char* kFitTable = R"(\newsavebox{\fitbox}
\newcommand{\fittable}[1]{%
  \sbox{\fitbox}{\input{#1}}%
  \ifdim\wd\fitbox>\textwidth\sbox{\fitbox}{\resizebox{\textwidth}{!}{\usebox{\fitbox}}}\fi
  \ifdim\dimexpr\ht\fitbox+\dp\fitbox\relax>0.85\textheight
    \resizebox*{!}{0.85\textheight}{\usebox{\fitbox}}\else\usebox{\fitbox}\fi}
)";

std::string itemsText(std::span<const std::string> sentences)
{
    if (sentences.empty())
        return {};
    std::string text = "\\begin{itemize}\n";
    for (const std::string& sentence : sentences)
        text += "  \\item " + latexSentence(sentence) + "\n";
    return text + "\\end{itemize}\n";
}

std::string tableText(const ReportTable& table)
{
    return fmt::format("\\begin{{table}}[htbp]\n  \\centering\n  \\caption{{{}}}\n  \\fittable{{tables/{}.tex}}\n"
                       "\\end{{table}}\n",
                       latexSentence(table.caption), table.id);
}

std::string sectionText(const ReportSection& section)
{
    std::string text = fmt::format("\n\\section{{{}}}\n", latexSentence(section.heading)) + itemsText(section.claims);
    for (const ReportPart* figure : section.figures)
        text += fmt::format("\\input{{figures/{}.tex}}\n", figure->item.id);
    for (const ReportTable& table : section.tables)
        text += tableText(table);
    for (const ReportPart* part : section.others)
        if (!part->leftOut.empty())
            text += fmt::format("\\paragraph{{Left out}} {}: {}\n", latexSentence(part->item.id),
                                latexSentence(part->leftOut));
    return text + "\\clearpage\n";
}

} // namespace

std::string reportLatex(std::span<const ReportSection> sections, const std::string& title, const std::string& footer)
{
    std::string text =
        "\\documentclass[10pt,a4paper]{article}\n"
        "\\usepackage{iftex}\n"
        "\\ifPDFTeX\\usepackage[utf8]{inputenc}\\usepackage[T1]{fontenc}\\else\\usepackage{fontspec}\\fi\n"
        "\\usepackage[hmargin=19mm,top=14mm,bottom=16mm,includefoot=false]{geometry}\n"
        "\\usepackage{lmodern,booktabs,flafter,graphicx}\n"
        "\\graphicspath{{figures/}}\n"
        "\\makeatletter\\def\\fps@figure{!htbp}\\makeatother % where their section is\n";
    text += kFitTable;
    text += fmt::format("\\title{{{}}}\n\\author{{}}\n\\date{{}}\n\\begin{{document}}\n\\maketitle\n\\noindent {}\n",
                        latexSentence(title), latexSentence(footer));
    for (const ReportSection& section : sections)
        text += sectionText(section);
    return latexEngineComment(text) + text + "\\end{document}\n";
}

} // namespace headscope::cli

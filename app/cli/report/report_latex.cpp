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
    return fmt::format(
        "\\begin{{table}}[htbp]\n  \\centering\n  \\caption{{{}}}\n  "
        "\\adjustbox{{max width=\\textwidth,max totalheight=0.8\\textheight}}{{\\input{{tables/{}.tex}}}}"
        "\n\\end{{table}}\n",
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
    std::string text = "\\documentclass[10pt,a4paper]{article}\n"
                       "\\usepackage[utf8]{inputenc}\n"
                       "\\usepackage[T1]{fontenc}\n"
                       "\\usepackage[margin=19mm]{geometry}\n"
                       "\\usepackage{adjustbox,booktabs,graphicx}\n"
                       "\\graphicspath{{figures/}}\n";
    text += fmt::format("\\title{{{}}}\n\\author{{}}\n\\date{{}}\n\\begin{{document}}\n\\maketitle\n",
                        latexSentence(title));
    for (const ReportSection& section : sections)
        text += sectionText(section);
    return text + fmt::format("\\noindent {}\n\\end{{document}}\n", latexSentence(footer));
}

} // namespace headscope::cli

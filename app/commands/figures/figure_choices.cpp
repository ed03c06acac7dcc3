// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/figures/figure_choices.h"

#include "app/commands/figures/annotation_text.h"
#include "model/base/fields/fields.h"
#include "model/data/figures/figure_paper.h"

namespace headscope::commands
{

void FigureChoices::declare(Fields& table)
{
    table.option("--preset", preset, "for pictures: width and size of text for one place; none is 171.45 mm wide")
        .oneOf(presetWords("none"));
    table.option("--text", text, "for pictures: letters as text, or as shapes that need no font")
        .oneOf({"text", "outlines"});
    table.flag(
        "--recipe", recipe,
        "for pictures: beside FILE.pdf also its numbers (.csv), its recipe (.json) and a figure of LaTeX (.tex)");
    table.option("--also", also, "for pictures: the same one in other formats, beside it (pdf, png, svg)")
        .oneOf({"pdf", "png", "svg"})
        .separatedBy(',')
        .valueName("FORMAT,...")
        .defaultMeans("none");
    declareAnnotate(table, annotate);
}

void declareAnnotate(Fields& table, std::vector<std::string>& annotate)
{
    table
        .option("--annotate", annotate,
                "for pictures: what is written onto it: \"label X,Y TEXT\", \"arrow X,Y X,Y TEXT\" (its tip last), "
                "\"box X,Y X,Y TEXT\"; places are shares of the figure from its top left corner, or map:X,Y; "
                "several: --annotate A B")
        .checkedBy(annotationFault, "label 0.5,0.1 Text")
        .valueName("WORDS")
        .defaultMeans("nothing");
}

} // namespace headscope::commands

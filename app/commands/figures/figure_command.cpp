// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/figures/figure_command.h"

#include "app/commands/figures/figure_choices.h"
#include "app/commands/value_checks.h"
#include "model/base/fields/fields.h"
#include "model/data/figures/figure_paper.h"

namespace headscope::commands
{

void FigureCommand::declare(Fields& table)
{
    table
        .option(
            "RECIPE", recipes,
            "recipe (.json), or a figure (.pdf, .svg, .png) that has one inside; several become panels of one figure")
        .required()
        .valueName("RECIPE.json|FIGURE.pdf|svg|png");
    table.option("-o,--output", output, "the figure: .png, .pdf or .svg").required().valueName("FILE");
    table.option("--input", inputs, "a file that the figure was made from, where it lies now; several: --input A B")
        .valueName("PATH");
    table.option("--preset", preset, "width and size of text for another place; recipe: as it was made")
        .oneOf(presetWords("recipe"));
    table.option("--text", text, "letters as text, or as shapes that need no font; recipe: as it was made")
        .oneOf({"recipe", "text", "outlines"});
    table.flag("--recipe", files,
               "beside FILE.pdf also its numbers (.csv, of panels FILE-a.csv ...), its recipe (.json) and a figure of "
               "LaTeX (.tex)");
    table.option("--columns", columns, "of several panels: how many stand in a row; auto: as made before, else as fit")
        .checkedBy(autoOrCountFault, "2")
        .valueName("N");
    table
        .option("--letters", letters,
                "of several panels: their letters in parentheses, plain, or none; auto: as made before, else in "
                "parentheses")
        .oneOf({"auto", "paren", "plain", "none"});
    table
        .option("--share", share,
                "of several panels: one legend where all have the same, one colour scale of all heatmaps, both, none; "
                "auto: as made before, else a legend")
        .oneOf({"auto", "legend", "scale", "all", "none"});
    declareAnnotate(table, annotate);
}

} // namespace headscope::commands

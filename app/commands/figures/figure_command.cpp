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
        .option("RECIPE", recipes,
                "recipe (.json), or a figure that contains one (.pdf, .svg, .png); several become panels of one figure")
        .required()
        .valueName("RECIPE.json|FIGURE.pdf|svg|png");
    table.option("-o,--output", output, "the figure: .png, .pdf or .svg").required().valueName("FILE");
    table
        .option(
            "--input", inputs,
            "current path of a file that the figure was made from, or of the model that was run; several: --input A B")
        .valueName("PATH");
    table.option("--preset", preset, "page format (width and text size); recipe: the format stored in the recipe")
        .oneOf(presetWords("recipe"));
    table
        .option("--text", text,
                "keep text as text, or convert it to outlines that need no font; recipe: as in the recipe")
        .oneOf({"recipe", "text", "outlines"});
    table.flag("--recipe", files,
               "also write the values (.csv; for panels FILE-a.csv ...), the recipe (.json) and a LaTeX figure (.tex) "
               "next to FILE.pdf");
    table.option("--columns", columns, "number of panels per row; auto: as in the recipe, or as many as fit")
        .checkedBy(autoOrCountFault, "2")
        .valueName("N");
    table
        .option("--letters", letters,
                "letters of panels: in parentheses, plain, or none; auto: as in the recipe, or in parentheses")
        .oneOf({"auto", "paren", "plain", "none"});
    table
        .option("--share", share,
                "what panels share: a legend (if identical in all), a colour scale (for all heatmaps), both, or "
                "neither; auto: as in the recipe, or a legend")
        .oneOf({"auto", "legend", "scale", "all", "none"});
    declareAnnotate(table, annotate);
}

} // namespace headscope::commands

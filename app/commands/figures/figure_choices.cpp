// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/figures/figure_choices.h"

#include "app/commands/figures/annotation_text.h"
#include "model/base/fields/fields.h"
#include "model/data/figures/figure_paper.h"

namespace headscope::commands
{

void FigureChoices::declare(Fields& table)
{
    table.option("--preset", preset, "for pictures: width and text size for a venue; none: 171.45 mm wide")
        .oneOf(presetWords("none"));
    table.option("--text", text, "for pictures: keep text as text, or convert it to outlines that need no font")
        .oneOf({"text", "outlines"});
    table
        .option("--palette", palette,
                "for pictures: colours of labels and heads; labels of similar colours also differ in shape")
        .oneOf(paletteWords());
    table.flag(
        "--recipe", recipe,
        "for pictures: also write the values (.csv), the recipe (.json) and a LaTeX figure (.tex) next to FILE.pdf");
    table.option("--also", also, "for pictures: also write the same figure in other formats (pdf, png, svg)")
        .oneOf({"pdf", "png", "svg"})
        .separatedBy(',')
        .valueName("FORMAT,...")
        .defaultMeans("none");
    declareAnnotate(table, annotate);
    table.option("--caption", caption, "for pictures: caption in the file and in the LaTeX figure")
        .valueName("TEXT")
        .defaultMeans("what the figure shows, and its settings");
}

std::vector<std::string> paletteWords()
{
    return {"standard", "colorblind", "contrast", "grey"};
}

void declareAnnotate(Fields& table, std::vector<std::string>& annotate)
{
    table
        .option("--annotate", annotate,
                "for pictures: annotations: \"label X,Y TEXT\", \"arrow X,Y X,Y TEXT\" (the tip is the second "
                "position), \"box X,Y X,Y TEXT\"; positions are fractions of the figure from its top left corner, or "
                "map:X,Y; several: --annotate A B")
        .checkedBy(annotationFault, "label 0.5,0.1 Text")
        .valueName("WORDS")
        .defaultMeans("nothing");
}

} // namespace headscope::commands

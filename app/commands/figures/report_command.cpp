// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/figures/report_command.h"

#include "app/commands/figures/figure_choices.h"
#include "app/commands/input_options.h"
#include "app/commands/value_checks.h"
#include "model/base/fields/fields.h"
#include "model/data/figures/figure_paper.h"

namespace headscope::commands
{

void ReportCommand::declare(Fields& table)
{
    table.option("CACHE", cache, "cache of head vectors (.h5)").valueName("CACHE");
    table
        .option("--model", model,
                "instead of CACHE: a model with which the head vectors of --documents are extracted first")
        .valueName("MODEL");
    table.option("--documents", documents, "with --model: a file of texts, in any format that `extract` reads")
        .valueName("FILE");
    table.option("--layers", layers, "with --model: layers to extract: last, all, or numbers from 0 such as 0,15,20-31")
        .checkedBy(layersFault, "0,20-31")
        .valueName("LAYERS");
    table.option("-o,--output", output, "folder to create for the report: report.html, report.tex, figures, tables")
        .required()
        .valueName("FOLDER");
    table
        .option("--layer", layer, "layer for the figures and tables that show only one layer: last, or a number from 0")
        .checkedBy(layerFault, "0,3")
        .valueName("LAYER");
    table.option("--compare", compare, "another cache, or the same cache at another layer, to compare with")
        .valueName("CACHE2");
    table.option("--compare-layer", compareLayer, "layer of CACHE2: last, or a number from 0")
        .checkedBy(layerFault, "0,3")
        .valueName("LAYER");
    labelFields(table, label, labelMap);
    table
        .option("--circuits", circuits,
                ".h5 files that contributions, composition or lens has written: a figure each (several, with commas)")
        .separatedBy(',')
        .valueName("FILE,...");
    table.option("--preset", preset, "venue that sets the width of the figures").oneOf(presetWords("none"));
    table.option("--palette", palette, "colours of labels and heads, in the figures and on the page")
        .oneOf(paletteWords());
    table.option("--title", title, "title of the report").valueName("TEXT").defaultMeans("the cache's model");
}

} // namespace headscope::commands

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/tsne_command.h"

#include "app/commands/value_checks.h"
#include "model/base/fields/fields.h"

#include <utility>

namespace headscope::commands
{
void TsneCommand::declare(Fields& table)
{
    input.declareCache(table, false);
    input.declareMatrix(table, false);
    fields(table, tsne);
    table.find("--init")->orText(startFile).checkedBy(startFault, "random");
    table
        .option("--seeds", seeds,
                "number of maps to compute from jittered initializations, to measure their agreement (the jitter is "
                "0.01 unless --jitter is above 0)")
        .within(1, 100);
    table.option("--name", name, "name of the map within the group /maps").valueName("NAME");
    table.option("--save", save, "save the map in the cache under this name").valueName("NAME");
    table.option("-o,--output", output, ".h5, .csv, .png, .pdf or .svg").valueName("FILE");
    declarePlainCsv(table, plainCsv);
    table
        .option("--color", color,
                "for pictures: colour by head, by strength (the norm of the vectors), or by a label or number")
        .valueName("WHAT");
    table.option("--show-heads", showHeads, "for pictures: only these heads of the map, with axes fitted to them")
        .valueName("1-4,9");
    table.option("--panels", panels, "for pictures: one panel per head, all with the same axes")
        .oneOf({"none", "heads"});
    table
        .option("--inset", inset,
                "for pictures: enlarge a part of the map in a corner of the figure: the area of some heads (heads:3), "
                "or a rectangle given by two corners (X,Y,X,Y)")
        .checkedBy(insetFault, "heads:1-3")
        .valueName("PART")
        .defaultMeans("none");
    figure.declare(table);
    table
        .option("--state", state, "file that stores the run: written when the run is stopped, read to continue the run")
        .valueName("FILE");
    table.flag("--quality", quality, "measure neighbourhood preservation and the exact divergence");
    table
        .option("--noise-floor", noiseFloor,
                "number of comparison maps of the same vectors with noise of 1e-4 added; conclusions need at least 3; "
                "0: none")
        .countFrom(0);
    table.flag("--aligned", aligned,
               "compute aligned maps from a common initialization: one of the full vector, and one per head (at stages "
               "2 and 3 per segment)");
    table.option("--map", map, "draw this map of the cache's vectors instead of computing one: FILE.h5:/maps/NAME/xy")
        .valueName("MAP");
}

TsneOptions TsneCommand::options(std::uint64_t seed) const
{
    TsneOptions options = tsne;
    options.seed = seed;
    if (options.start == TsneStart::Random)
        options.startJitter = 0;
    else if (seeds > 1 && options.startJitter == 0)
        options.startJitter = kSeedsJitter;
    return options;
}

void TsneCommand::setOptions(const TsneOptions& options)
{
    tsne = options;
    tsne.seed = TsneOptions().seed;
    if (tsne.start == TsneStart::Given)
        tsne.start = TsneStart::Pca;
}

void TsneCommand::setStart(std::string file)
{
    tsne.start = TsneStart::Given;
    startFile = std::move(file);
}

} // namespace headscope::commands

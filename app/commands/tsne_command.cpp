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
                "so many maps from jittered starts (0.01 unless --jitter says more), and how far they agree")
        .within(1, 100);
    table.option("--name", name, "name of the map below /maps").valueName("NAME");
    table.option("--save", save, "put the map into the cache under this name").valueName("NAME");
    table.option("-o,--output", output, ".h5, .csv, .png, .pdf or .svg").valueName("FILE");
    declarePlainCsv(table, plainCsv);
    table.option("--color", color, "head, strength or a label, for pictures").valueName("WHAT");
    table.option("--palette", palette, "colours of labels; shapes tell apart those that not all eyes do")
        .oneOf({"standard", "colorblind", "contrast", "grey"});
    table.option("--show-heads", showHeads, "for pictures: these heads of the whole map, its axes fitted to them")
        .valueName("1-4,9");
    table.option("--panels", panels, "for pictures: one panel a head, all with the same axes").oneOf({"none", "heads"});
    table
        .option("--inset", inset,
                "for pictures: a part of the map, enlarged in a corner: heads:3,5, or two of its corners on the map, "
                "X,Y,X,Y")
        .checkedBy(insetFault, "heads:1-3")
        .valueName("PART")
        .defaultMeans("none");
    figure.declare(table);
    table.option("--state", state, "file that keeps the run: written on stop, read to go on").valueName("FILE");
    table.flag("--quality", quality, "measure how many neighbours the map keeps, and its exact divergence");
    table
        .option("--noise-floor", noiseFloor,
                "maps of the same vectors with noise of 1e-4, to compare with; a verdict takes 3; 0: none")
        .countFrom(0);
    table.flag(
        "--aligned", aligned,
        "a map of the full vector and one per head, at stages 2 and 3 per segment, from a common start, aligned");
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

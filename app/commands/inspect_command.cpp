// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/inspect_command.h"

#include "model/base/fields/fields.h"

namespace headscope::commands
{

void InspectCommand::declare(Fields& table)
{
    table
        .option("CACHE", path,
                "cache (.h5, or multi-head retrieval JSON), or a model: a folder, one of its files, a .gguf file")
        .required()
        .valueName("MODEL|CACHE");
    table
        .option("--figure", figure,
                "for a cache: draw a layer with its sizes and the places where stages 1 to 3 are measured")
        .valueName("FILE.pdf|svg|png");
    table.option("--layer", layer, "layer that --figure draws").countFrom(0).defaultMeans("the last in the cache");
    table.flag("--hashes", hashes,
               "for a model, with --json: also print the SHA-256 of every file; reads each file completely");
    paper.declare(table);
}

} // namespace headscope::commands

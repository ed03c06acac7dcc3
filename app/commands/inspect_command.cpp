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
                "of a cache: figure of a layer with its sizes and the places where stages 1 to 3 are measured")
        .valueName("FILE.pdf|svg|png");
    table.option("--layer", layer, "layer of that figure").countFrom(0).defaultMeans("the last in the cache");
    table.flag("--hashes", hashes, "of a model, with --json: the SHA-256 of every file; reads each file completely");
    paper.declare(table);
}

} // namespace headscope::commands

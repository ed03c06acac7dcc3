// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/neighbors_command.h"

#include "model/base/fields/fields.h"

namespace headscope::commands
{

void NeighborsCommand::declare(Fields& table)
{
    input.declareCache(table, false);
    input.declareMatrix(table, false);
    fields(table, search);
    table.option("--check", check, "number of rows that are also searched exactly, to measure the recall")
        .countFrom(0)
        .defaultMeans("none");
    table.option("-o,--output", output, ".h5").valueName("FILE");
}

} // namespace headscope::commands

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/neighbors_command.h"

#include "model/base/fields/fields.h"

namespace headscope::commands
{

void NeighborsCommand::declare(Fields& table)
{
    input.declareCache(table, false);
    input.declareMatrix(table, false);
    table.option("-k", k, "neighbours of each point").countFrom(1);
    table.option("--metric", metric, "distance between vectors").oneOf({"euclidean", "cosine"});
    table.option("--method", method, "auto: exact up to 100,000 points").oneOf({"auto", "exact", "approximate"});
    table.option("--recall", recall, "share of true neighbours that the approximate method aims at, on a sample")
        .within(NumberRange{0, 1, true});
    table.option("--check", check, "rows to search exactly as well, for the recall").countFrom(0).defaultMeans("none");
    table.option("-o,--output", output, ".h5").valueName("FILE");
}

} // namespace headscope::commands

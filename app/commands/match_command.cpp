// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/match_command.h"

#include "app/commands/value_checks.h"
#include "model/base/fields/fields.h"

namespace headscope::commands
{

void MatchCommand::declare(Fields& table)
{
    input.declareCache(table, true);
    fields(table, input.topics);
    fields(table, match);
    table
        .option("--pool", pool,
                "ways to combine heads into one vector, which is compared with the full vector: concat, mean (adds "
                "vectors whose axes are unrelated), score (mean weighted by head scores), best:K (the K heads with the "
                "highest match at the first k), groups (mean of each KV group); separate several by commas; all: every "
                "way, with best:4")
        .checkedBy(poolFault, "best:4")
        .separatedBy(',')
        .valueName("NAME,...");
    fields(table, shuffles);
    table.option("-o,--output", output, ".csv, .tex, .h5, .png, .pdf or .svg").valueName("FILE");
    declarePlainCsv(table, plainCsv);
    figure.declare(table);
}

} // namespace headscope::commands

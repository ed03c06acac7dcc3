// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/match_command.h"

#include "app/commands/value_checks.h"
#include "app/shell/option_table.h"

namespace headscope::commands
{

void MatchCommand::declare(shell::OptionTable& table)
{
    input.declareCache(table, true);
    table.option("--k", k, "how many nearest topics count").countFrom(1).separatedBy(',');
    table
        .option("--pool", pool,
                "heads as one vector beside the full one: concat, mean, score (mean weighted by head scores), best:K "
                "(the K heads that match most at the first k), groups (mean of each KV group); several with commas, "
                "or all of them (best:4)")
        .checkedBy(poolFault, "best:4")
        .separatedBy(',')
        .valueName("NAME,...");
    table.option("-o,--output", output, ".csv, .tex or .h5").valueName("FILE");
    declarePlainCsv(table, plainCsv);
}

} // namespace headscope::commands

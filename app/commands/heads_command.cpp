// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/heads_command.h"

#include "app/commands/value_checks.h"
#include "app/shell/option_table.h"

namespace headscope::commands
{

void HeadsCommand::declare(shell::OptionTable& table)
{
    input.declareCache(table, true);
    table.option("--sort", sort, "column to sort the table by, from the largest")
        .checkedBy(headColumnFault, "mean norm")
        .valueName("COLUMN")
        .defaultMeans("head");
    table.option("-o,--output", output, ".csv, .tex, or .h5 with the redundancy and maps of the heads")
        .valueName("FILE");
    declarePlainCsv(table, plainCsv);
}

} // namespace headscope::commands

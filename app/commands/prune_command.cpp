// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/prune_command.h"

#include "app/shell/option_table.h"

namespace headscope::commands
{

void PruneCommand::declare(shell::OptionTable& table)
{
    input.declareCache(table, true);
    table.option("--units", units, "what is taken away; a group is a key/value head with its query heads")
        .oneOf({"heads", "groups"});
    table
        .option("--measure", measure,
                "match1, match5, match10, probe (the label told from the heads that stay) or retrieval (success ratio; "
                "needs --relevant)")
        .oneOf({"match1", "match5", "match10", "probe", "retrieval"})
        .valueName("MEASURE");
    table
        .option("--order", order,
                "single (each unit alone taken away), backward (greedy, one after another) or forward (greedy, added "
                "one after another)")
        .oneOf({"single", "backward", "forward"})
        .valueName("ORDER");
    table.option("--queries", queries, "retrieval: a cache whose documents ask")
        .valueName("FILE")
        .defaultMeans("documents of CACHE");
    table.option("--relevant", relevant, "retrieval: JSONL of {\"id\", \"relevant\": [document ids]}")
        .valueName("FILE");
    table.option("--top", top, "retrieval: results that count").countFrom(1);
    table.option("--save-mask", saveMask, "JSON file for the heads that stay; --mask FILE takes it in other verbs")
        .valueName("FILE");
    table.option("--keep", keep, "units that stay in the mask").countFrom(1).defaultMeans("the fewest as good as all");
    table.option("-o,--output", output, ".csv, .tex or .h5").valueName("FILE");
    declarePlainCsv(table, plainCsv);
}

} // namespace headscope::commands

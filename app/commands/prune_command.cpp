// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/prune_command.h"

#include "model/base/fields/fields.h"
#include "model/data/results/importance_options.h"

namespace headscope::commands
{

void PruneCommand::declare(Fields& table)
{
    input.declareCache(table, true);
    unitsField(table, units, "what is taken away; a group is a key/value head with its query heads").only(kCommandUse);
    table
        .option("--measure", measure,
                "match1, match5, match10, probe (accuracy of a probe for the label) or retrieval (recall at --top by "
                "cosine; needs --relevant), of the vectors of the heads that stay")
        .oneOf({"match1", "match5", "match10", "probe", "retrieval"})
        .valueName("MEASURE");
    table
        .option("--order", order,
                "single (each unit alone taken away), backward (greedy, one after another) or forward (greedy, added "
                "one after another)")
        .oneOf({"single", "backward", "forward"})
        .valueName("ORDER");
    table
        .option("--search", search,
                "greedy (the order alone) or all (beside it the best of all subsets of every size; at most 12 units)")
        .oneOf({"greedy", "all"})
        .valueName("SEARCH");
    table
        .option("--validate", validate,
                "halves (the order is also chosen on one half of the documents and judged on the other, 100 times, of "
                "a probe 20) or "
                "none")
        .oneOf({"halves", "none"})
        .valueName("HOW");
    table.option("--queries", queries, "retrieval: a cache whose documents ask")
        .valueName("FILE")
        .defaultMeans("documents of CACHE");
    table.option("--relevant", relevant, "retrieval: JSONL of {\"id\", \"relevant\": [document ids]}")
        .valueName("FILE");
    table.option("--top", top, "retrieval: results that count").countFrom(1);
    table
        .option("--save-mask", saveMask,
                "JSON file for the heads that stay, with --search all the best subset; --mask FILE takes it in other "
                "verbs")
        .valueName("FILE");
    table.option("--keep", keep, "units that stay in the mask")
        .countFrom(1)
        .defaultMeans("the fewest with a value no lower than all");
    table.option("-o,--output", output, ".csv, .tex, .h5, .png, .pdf or .svg").valueName("FILE");
    declarePlainCsv(table, plainCsv);
    figure.declare(table);
    table.footer(
        "With --order single each change has a p by sign flips. It has no test where fewer than 6 documents change, "
        "since no p could fall below 0.05. Where few documents change, a p near 1 does not show that nothing is "
        "lost.");
}

} // namespace headscope::commands

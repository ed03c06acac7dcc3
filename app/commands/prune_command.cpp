// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/prune_command.h"

#include "model/base/fields/fields.h"
#include "model/data/results/importance_options.h"

namespace headscope::commands
{

std::string measureName(const std::string& measure)
{
    constexpr std::string_view kMatch = "match";
    return measure.starts_with(kMatch) ? "match at " + measure.substr(kMatch.size()) : measure;
}

void PruneCommand::declare(Fields& table)
{
    input.declareCache(table, true);
    unitsField(table, units, "unit that is removed; a group is a KV head with its query heads").only(kCommandUse);
    table
        .option(
            "--measure", measure,
            "what is measured: auto (match5, or match1 for at most 5 topics), match1, match5, match10, probe "
            "(accuracy of a probe for the label) or retrieval (recall at --top by cosine; needs --relevant), each on "
            "the vectors of the remaining heads")
        .oneOf({"auto", "match1", "match5", "match10", "probe", "retrieval"})
        .valueName("MEASURE");
    table
        .option("--order", order,
                "single (remove each unit on its own), backward (greedy: remove one after another) or forward (greedy: "
                "add one after another)")
        .oneOf({"single", "backward", "forward"})
        .valueName("ORDER");
    table
        .option("--search", search,
                "greedy (only the order) or all (also the best subset of every size; at most 12 units)")
        .oneOf({"greedy", "all"})
        .valueName("SEARCH");
    table
        .option("--validate", validate,
                "halves (also choose the order on one half of the documents and evaluate it on the other, 100 times; "
                "20 times for a probe) or none")
        .oneOf({"halves", "none"})
        .valueName("HOW");
    table.option("--queries", queries, "for retrieval: a cache of query documents")
        .valueName("FILE")
        .defaultMeans("documents of CACHE");
    table
        .option("--relevant", relevant,
                "for retrieval: JSONL file with {\"id\", \"relevant\": [document ids]} on each line")
        .valueName("FILE");
    table.option("--top", top, "for retrieval: number of results to take into account").countFrom(1);
    table
        .option("--save-mask", saveMask,
                "JSON file for the remaining heads (with --search all: the heads of the best subset); other verbs read "
                "it with --mask FILE")
        .valueName("FILE");
    table.option("--keep", keep, "number of units in the mask")
        .countFrom(1)
        .defaultMeans("the smallest number of units that together score at least as high as all units");
    table.option("-o,--output", output, ".csv, .tex, .h5, .png, .pdf or .svg").valueName("FILE");
    declarePlainCsv(table, plainCsv);
    figure.declare(table);
    table.footer("With --order single, each change has a p value from a sign-flip test. If fewer than 6 documents "
                 "change, there is no test, because p could not fall below 0.05. If few documents change, a p near 1 "
                 "does not rule out a loss.");
}

} // namespace headscope::commands

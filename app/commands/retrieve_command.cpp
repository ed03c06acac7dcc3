// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/retrieve_command.h"

#include "app/commands/value_checks.h"
#include "model/base/fields/fields.h"

namespace headscope::commands
{

void RetrieveCommand::declare(Fields& table)
{
    input.declareCache(table, false);
    table.option("--label", input.label, "label column for the category measures")
        .valueName("NAME")
        .defaultMeans("the only one");
    table.option("--queries", queries, "a cache whose documents are the queries").valueName("FILE");
    table
        .option("--query-document", queryDocument,
                "id of a query document, as the cache stores it, for example paper-12 or a row number such as 12 if "
                "the texts had no ids")
        .valueName("ID");
    table.option("--query", query, "a query text; --model embeds it");
    table.option("--model", model, "model that embeds --query").valueName("MODEL");
    table.option("--prompt", prompt, "text to put before the text of --query");
    fields(table, retrieval);
    table
        .option("--weights", weights,
                "JSON file with weights of the votes: a factor for each head, an object that maps heads to factors, or "
                "{\"heads\", \"groups\"} with such values")
        .valueName("FILE");
    table.option("--mute", mute, "heads, counted from 1, whose votes are ignored")
        .checkedBy(headsFault, "1-4,9")
        .valueName("HEADS");
    table.option("--mute-groups", muteGroups, "KV groups, counted from 1, in which the votes of all heads are ignored")
        .checkedBy(headsFault, "1-4,9")
        .valueName("GROUPS");
    table.option("--relevant", relevant, "JSONL file with {\"id\", \"relevant\": [document ids]} on each line")
        .valueName("FILE");
    table.flag("--include-self", includeSelf,
               "if the queries are documents of the searched cache: let a query find itself; otherwise it is excluded");
    table.option("-o,--output", output, ".csv, .tex or .h5").valueName("FILE");
    declarePlainCsv(table, plainCsv);
}

} // namespace headscope::commands

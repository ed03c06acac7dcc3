// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/measures/evaluate_command.h"

#include "model/base/fields/fields.h"

#include <algorithm>

namespace headscope::commands
{

bool EvaluateCommand::takes(std::string_view units) const
{
    return std::ranges::find(of, units) != of.end();
}

void EvaluateCommand::declare(Fields& table)
{
    input.declareCache(table, true);
    table
        .option("--qrels", qrels,
                "retrieval: relevant documents of queries, by their ids, in the layout of TREC (query 0 document "
                "grade) or BEIR (query document grade, with tabs)")
        .valueName("FILE");
    table.option("--queries", queries, "a cache whose documents are the queries of --qrels")
        .valueName("FILE")
        .defaultMeans("the documents of CACHE, each excluded from its own results");
    table.option("-k,--k", k, "number of results that the measures of retrieval count").countFrom(1);
    table
        .option("--pairs", pairs,
                "similarity: a document, another one and a number on each line, with tabs or commas between them")
        .valueName("FILE");
    table.option("--of", of, "vectors that are evaluated; all others are compared with the full vector")
        .oneOf({"full", "layers", "groups", "heads"})
        .separatedBy(',')
        .valueName("LIST");
    table.option("--bootstrap", bootstrap, "resamples of the intervals").within(100, 100000);
    table.option("--sort", sort, "column to sort each task's table by, largest value first")
        .valueName("COLUMN")
        .defaultMeans("the task's first measure");
    table.option("-o,--output", output, ".csv, .tex or .h5").valueName("FILE");
    declarePlainCsv(table, plainCsv);
    table.footer(
        "With --label, or without --qrels and --pairs, documents are clustered and classified by their labels. "
        "Several layers and stages are evaluated one after another.");
}

} // namespace headscope::commands

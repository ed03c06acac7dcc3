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
                "for retrieval: the ids of each query's relevant documents, in TREC format (query 0 document grade) or "
                "BEIR format (query document grade, separated by tabs)")
        .valueName("FILE");
    table.option("--queries", queries, "a cache whose documents are the queries of --qrels")
        .valueName("FILE")
        .defaultMeans("the documents of CACHE, each excluded from its own results");
    table.option("-k,--k", k, "number of results that the retrieval measures take into account").countFrom(1);
    table
        .option("--pairs", pairs,
                "for similarity: two document ids and a number on each line, separated by tabs or commas")
        .valueName("FILE");
    table
        .option("--of", of,
                "vectors to evaluate, which are compared with the full vector; votes: for retrieval, rankings by the "
                "votes of the heads (retrieve --strategy)")
        .oneOf({"full", "layers", "groups", "heads", "votes"})
        .separatedBy(',')
        .valueName("LIST");
    table
        .option("--others", others,
                "caches of the same documents, for example with another pooling, whose full vectors are evaluated, too")
        .separatedBy(',')
        .valueName("FILES");
    table.option("--bootstrap", bootstrap, "number of bootstrap resamples for the intervals").within(100, 100000);
    table.option("--sort", sort, "column to sort each task's table by, largest value first")
        .valueName("COLUMN")
        .defaultMeans("the task's first measure");
    table.option("-o,--output", output, ".csv, .tex or .h5").valueName("FILE");
    declarePlainCsv(table, plainCsv);
    table.footer(
        "If --label is given, or neither --qrels nor --pairs, documents are clustered and classified by their labels. "
        "Several layers and stages are evaluated one after another.");
}

} // namespace headscope::commands

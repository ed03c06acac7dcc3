// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/attention/importance_command.h"

#include "app/commands/run/run_fields.h"
#include "app/commands/value_checks.h"
#include "model/base/fields/fields.h"
#include "model/data/results/importance_options.h"

namespace headscope::commands
{

void ImportanceCommand::declare(Fields& table)
{
    modelField(table, model);
    table.option("documents", inputs, ".jsonl .json .csv .tsv .txt, also .gz and .zst; a folder; a cache (.h5)")
        .required()
        .documents();
    table.option("--rows", rows, "if DOCS is a cache: rows whose texts and labels are used, such as 0-99,120")
        .valueName("ROWS")
        .defaultMeans("all");
    table
        .option("-o,--output", output,
                "output file: a table (.csv), all values of all masks (.h5), or the JSON that --json prints")
        .valueName("FILE.csv|.h5|.json");
    layersField(table, layers, "layers whose heads are ablated: last, all, or numbers from 0 such as 0,15,20-31");
    unitsField(table, units, "unit that is ablated: single heads, or KV groups").only(kCommandUse);
    ablationField(table, ablation).only(kCommandUse);
    referenceField(table, reference, "documents over which the mean is computed, in any format that DOCS may have");
    table
        .option("--masks", masks,
                "number of random sets of heads for the least-squares fit; all sets if there are fewer")
        .countFrom(1)
        .defaultMeans("ten for each head or group");
    declareDocuments(table);
    TextRun::fields(table, "texts");
    table.footer("The model is run once for every document and every set of heads: without each head, with each head "
                 "alone, and with the random sets. Layers below the first ablated one are computed once.");
}

void ImportanceCommand::declareDocuments(Fields& table)
{
    table
        .option("--label", label,
                "label column for the match: how often the name of a document's label is the nearest name. The same "
                "heads are ablated for documents and names. '': only cosines are measured")
        .valueName("NAME")
        .defaultMeans("the only label column");
    table.option("--topics", topics, "topic names: one per line, or JSON")
        .valueName("FILE")
        .defaultMeans("the labels of the documents");
    topicTemplateField(table, topicTemplate, "template for a label's name; {} is the name");
    columnFields(table, textColumn, idColumn);
    separatorField(table, separator);
    chosenFields(table, lines, limit, sample);
}

} // namespace headscope::commands

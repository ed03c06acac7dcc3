// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/attention/importance_command.h"

#include "app/commands/extract_command.h"
#include "app/commands/value_checks.h"
#include "model/base/fields/fields.h"

namespace headscope::commands
{

void ImportanceCommand::declare(Fields& table)
{
    table.option("model", model, "a model folder, one of its files, or a .gguf file").required().valueName("MODEL");
    table.option("documents", inputs, ".jsonl .json .csv .tsv .txt, also .gz and .zst; a folder; a cache (.h5)")
        .required()
        .valueName("DOCS");
    table.option("--rows", rows, "of a cache, whose texts and labels are taken: rows 0-99,120")
        .valueName("ROWS")
        .defaultMeans("all");
    table.option("-o,--output", output, "the file to write: a table, all values of all masks, or what --json prints")
        .valueName("FILE.csv|.h5|.json");
    table.option("--layers,--layer", layers, "layers whose heads take part: last, all, or numbers from 0: 0,15,20-31")
        .checkedBy(layersFault, "0,20-31")
        .valueName("LIST");
    table.option("--units", units, "what is switched off together: single heads, or KV groups")
        .oneOf({"heads", "groups"});
    table
        .option("--ablation", ablation,
                "what the outputs of heads that are off are set to: zero, or each one's mean over all tokens of a "
                "reference")
        .oneOf({"zero", "mean"});
    table.option("--reference", reference, "documents of that mean, of any kind that DOCS may be")
        .valueName("DOCS")
        .defaultMeans("the first 1000 documents of the run");
    table
        .option("--masks", masks,
                "random sets of heads that are kept, for the least squares; all sets, where there are no more of them")
        .countFrom(1)
        .defaultMeans("ten for each head or group");
    declareDocuments(table);
    table
        .option("--max-tokens", maxTokens,
                "cut texts to so many tokens; auto: the maximum in the model's files, else 4096")
        .checkedBy(autoOrCountFault, "77")
        .valueName("auto|N");
    table
        .option("--pooling", pooling,
                "the token that is kept, or the mean of all; auto: as the model's files say, else last (BERT: mean)")
        .oneOf({"auto", "last", "mean", "first"});
    encode.declare(table);
    table.option("--prompt", prompt, "text to put before every document and topic name");
    table.option("--device", device, "where to compute").valueName("auto|cpu|cuda[:N]");
    table.footer("The model is run once for every document and every set of heads: without each head, with each alone, "
                 "and with the random sets. Layers below the first one with a head off are not computed again.");
}

void ImportanceCommand::declareDocuments(Fields& table)
{
    table
        .option("--label", label,
                "label column: how often a document's own label is the nearest of its names, all run through the same "
                "model without the heads; '': only cosines are measured")
        .valueName("NAME")
        .defaultMeans("the first label column");
    table.option("--topics", topics, "topic names, one a line or JSON")
        .valueName("FILE")
        .defaultMeans("the labels of the documents");
    table.option("--topic-template", topicTemplate, "text that a label's name stands in, {} is the name")
        .checkedBy(templateFault, "Text about {}.")
        .valueName("TEXT")
        .defaultMeans("the name alone");
    table.option("--text-column", textColumn, "column of the texts; of nested JSON such as body.text")
        .valueName("NAME");
    table.option("--id-column", idColumn, "column of the ids; '': documents are numbered")
        .valueName("NAME")
        .defaultMeans("id, or the row number");
    declareSeparator(table, separator);
    table.flag("--lines", lines, "each line of a .txt is a document");
    table.option("--limit", limit, "only the first N documents").countFrom(1).defaultMeans("all");
    table.option("--sample", sample, "N of the documents, chosen by the seed").countFrom(1).defaultMeans("all");
}

} // namespace headscope::commands

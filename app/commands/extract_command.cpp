// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/extract_command.h"

#include "app/commands/value_checks.h"
#include "app/shell/option_table.h"

namespace headscope::commands
{

void ExtractCommand::declare(shell::OptionTable& table)
{
    table.option("model", model, "a model folder, one of its files, or a .gguf file").required().valueName("MODEL");
    table.option("documents", inputs, ".jsonl .json .csv .tsv .txt, also .gz and .zst; a folder; - for JSONL on stdin")
        .required()
        .valueName("DOCS");
    table.option("-o,--output", output, "the cache to write").required().valueName("CACHE.h5");
    declareDocuments(table);
    declareModel(table);
    table.footer("An extraction that is stopped keeps nothing: it begins anew.");
}

void ExtractCommand::declareDocuments(shell::OptionTable& table)
{
    table.option("--text-column", textColumn, "column of the texts").valueName("NAME");
    table.option("--id-column", idColumn, "column of the ids; '': documents are numbered")
        .valueName("NAME")
        .defaultMeans("id, or the row number");
    table.option("--label-columns", labelColumns, "columns of the labels; '': none; \\, is a comma inside a name")
        .valueName("A,B")
        .defaultMeans("text columns of at most 100 values");
    table.option("--label-map", labelMap, "JSON object of old label to new").valueName("FILE");
    table.flag("--lines", lines, "each line of a .txt is a document");
    table.option("--limit", limit, "only the first N documents").countFrom(1).defaultMeans("all");
    table.option("--sample", sample, "N of the documents, chosen by the seed").countFrom(1).defaultMeans("all");
    table.option("--topics", topics, "topic names, one a line or JSON")
        .valueName("FILE")
        .defaultMeans("the categories of each label column");
    table.option("--label", label, "label column that --topics belongs to").valueName("NAME");
}

void ExtractCommand::declareModel(shell::OptionTable& table)
{
    table.option("--stages,--stage", stages, "stages to keep: 1, 2, 3, contribution")
        .checkedBy(stagesFault, "2,contribution")
        .valueName("LIST");
    table.option("--layers,--layer", layers, "layers to keep: last, all, or numbers from 0: 0,15,20-31")
        .checkedBy(layersFault, "0,20-31")
        .valueName("LIST");
    table.option("--max-tokens", maxTokens, "cut texts to so many tokens; auto: as the model was made for")
        .checkedBy(autoOrCountFault, "77")
        .valueName("auto|N");
    table.option("--pooling", pooling, "token that is kept; auto: as the model's files say")
        .oneOf({"auto", "last", "mean", "first"});
    encode.declare(table);
    table.option("--prompt", prompt, "text to put before every document and topic name");
    table.option("--device", device, "where to compute").valueName("auto|cpu|cuda[:N]");
    table.option("--dtype", dtype, "numbers to compute with; auto: f32").valueName("auto|f32");
    table
        .option("--memory", memory,
                "stay within so many bytes (k, M, G: times 1024): layers are read from disk again for every batch of "
                "documents")
        .checkedBy(bytesFault, "3G")
        .valueName("BYTES");
    table.option("--store", store, "numbers to store").oneOf({"f32", "f16", "bf16"});
    table.option("--shard-mb", shardMb, "megabytes of a shard").within(1, 1 << 20);
    table.flag("--resume", resume, "comes with a later version").hidden();
    table.option("--range", range, "comes with a later version").hidden();
}

} // namespace headscope::commands

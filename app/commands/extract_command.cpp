// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/extract_command.h"

#include "app/commands/run/run_fields.h"
#include "app/commands/value_checks.h"
#include "model/base/fields/fields.h"

#include <array>

namespace headscope::commands
{
namespace
{

constexpr std::array kDuplicateWords = {FieldWord{"error", "an error"}, FieldWord{"suffix", "are numbered"}};
constexpr std::array kListWords = {FieldWord{"first", "the first"}, FieldWord{"joined", "all, joined"}};
constexpr std::array kLastLayerWords = {FieldWord{"normed", "after the final norm"},
                                        FieldWord{"raw", "raw, before the final norm"}};
constexpr std::array kDtypeWords = {FieldWord{"auto", "auto: f32"}, FieldWord{"f32", "f32"}};
constexpr std::array kStoreWords = {FieldWord{"f32", "f32"}, FieldWord{"f16", "f16"}, FieldWord{"bf16", "bf16"}};

} // namespace

void ExtractCommand::declare(Fields& table)
{
    modelField(table, model);
    table.option("documents", inputs, ".jsonl .json .csv .tsv .txt, also .gz and .zst; a folder; - for JSONL on stdin")
        .valueName("DOCS");
    table.option("-o,--output", output, "the cache to write").valueName("CACHE.h5");
    table
        .option("--into", into,
                "a cache to add documents, layers, stages or topic names to, in place of -o: what it lacks is computed")
        .valueName("CACHE.h5");
    declareDocuments(table);
    declareModel(table);
    table.footer(
        "One of -o and --into is needed. An extraction that is stopped keeps what is done in CACHE.h5.shards: the same "
        "command goes on there.");
}

void ExtractCommand::declareDocuments(Fields& table)
{
    columnFields(table, textColumn, idColumn);
    table
        .option("--duplicate-ids", duplicateIds,
                "an id that an earlier document has: an error, or -2, -3 and so on behind it")
        .among(kDuplicateWords)
        .label("Repeated ids", "An id that an earlier document has ends the extraction, or gets -2, -3 and so on.");
    table
        .option("--label-columns", labelColumns,
                "columns of the labels, of nested JSON such as labels.section; '': none; \\, is a comma inside a name")
        .valueName("A,B")
        .defaultMeans("text columns of at most 100 values");
    table
        .option(
            "--number-columns", numberColumns,
            "columns of numbers, kept as labels are but without topic vectors; in a table of semicolons 3,14 is 3.14")
        .valueName("A,B")
        .defaultMeans("none; with --into those of the cache");
    table
        .option("--label-lists", labelLists,
                "the label of a list of texts: its first, or all with commas between them; categories.1 is the second "
                "of the list categories")
        .among(kListWords)
        .label("Lists of labels", "Where a label is a list of texts: the first of them, or all as one label.");
    table.option("--label-map", labelMap, "JSON object of old label to new")
        .valueName("FILE")
        .label("Rename labels", "A JSON object of old label to new; null makes a label none.")
        .leastMeans("as they are")
        .file();
    separatorField(table, separator);
    declareChosen(table);
}

void ExtractCommand::declareChosen(Fields& table)
{
    chosenFields(table, lines, limit, sample);
    table.option("--topics", topics, "topic names, one a line or JSON")
        .valueName("FILE")
        .defaultMeans("the categories of each label column")
        .label("Topic names", "A file of names, one a line or JSON; the model runs over them as over documents.")
        .leastMeans("from the labels")
        .file();
    topicTemplateField(table, topicTemplate,
                       "text that a topic's name stands in, {} is the name: a decoder's state at a name of one token "
                       "is that of any first token");
    table.option("--label", label, "label column that --topics belongs to")
        .valueName("NAME")
        .label("Topics belong to", "The label column of the topic names, where there are several.")
        .leastMeans("the only label column");
}

void ExtractCommand::declareModel(Fields& table)
{
    table.option("--stages,--stage", stages, "stages to keep: 1, 2, 3, contribution")
        .checkedBy(stagesFault, "2,contribution")
        .valueName("LIST")
        .defaultMeans("1,2,3; with --into those of the cache");
    table.option("--layers,--layer", layers, "layers to keep: last, all, or numbers from 0: 0,15,20-31")
        .checkedBy(layersFault, "0,20-31")
        .valueName("LIST")
        .defaultMeans("last; with --into those of the cache");
    maxTokensField(table, maxTokens, "texts");
    poolingField(table, pooling);
    table
        .option("--last-layer", lastLayer,
                "stage 3 of the last layer: after the model's final norm, or raw, before it, like that of the others")
        .among(kLastLayerWords)
        .label("Stage 3, last layer", "A decoder norms its last layer’s output once more: raw is before that, like the "
                                      "stage 3 of all other layers. An encoder has no such norm.");
    encode.declare(table);
    declareComputing(table);
}

void ExtractCommand::declareComputing(Fields& table)
{
    promptField(table, prompt);
    deviceField(table, device);
    table.option("--dtype", dtype, "numbers that matrices are multiplied in; auto: f32")
        .valueName("auto|f32|bf16|f16")
        .label("Numbers", "What is computed with.")
        .offersWords(kDtypeWords);
    table
        .option("--memory", memory,
                "stay within so many bytes (k, M, G: times 1024): layers are read from disk again for every batch of "
                "documents")
        .checkedBy(bytesFault, "3G")
        .valueName("BYTES")
        .label("Memory limit", "Such as 2500M or 3G: layers are read from disk in turn. On the CPU alone.")
        .leastMeans("none");
    table.option("--store", store, "numbers to store")
        .among(kStoreWords)
        .label("Stored numbers", "Half the size with 16 bits; f16 has finer steps, bf16 the larger range.");
    table.option("--shard-mb", shardMb, "megabytes of a shard")
        .within(1, 1 << 20)
        .label("Shard", "Megabytes that are written at once on the way to the cache.");
    table.flag("--no-resume", noResume, "begin anew; else a run that was interrupted goes on where it was");
    table.flag("--resume", resume, "go on where an interrupted run was; always so without --no-resume").hidden();
    table.option("--range", range, "only documents A to B-1 of the inputs, counted from 0; merge puts ranges together")
        .checkedBy(rangeFault, "0:1000")
        .valueName("A:B")
        .defaultMeans("all");
    ablation.declare(table);
}

void MergeCommand::declare(Fields& table)
{
    table
        .option("parts", parts,
                "caches of all ranges of one run, as extract --range makes them, or folders of them; or caches of one "
                "model with other documents, or with other layers and stages of the same")
        .required()
        .valueName("PART.h5|FOLDER");
    table.option("-o,--output", output, "the cache to write").required().valueName("CACHE.h5");
    table.footer("The parts stay where they are.");
}

void StatusCommand::declare(Fields& table)
{
    table.option("path", path, "a folder with the caches of ranges, or the cache that an extraction writes")
        .required()
        .valueName("FOLDER|CACHE.h5");
    table.footer("Nothing is written or held up.");
}

} // namespace headscope::commands

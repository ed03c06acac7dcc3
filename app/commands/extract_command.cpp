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
constexpr std::array kDtypeWords = {FieldWord{"auto", "auto: f32"}, FieldWord{"f32", "f32"}};
constexpr std::array kStoreWords = {FieldWord{"f32", "f32"}, FieldWord{"f16", "f16"}, FieldWord{"bf16", "bf16"}};

} // namespace

void ExtractCommand::declare(Fields& table)
{
    modelField(table, model);
    table.option("documents", inputs, ".jsonl .json .csv .tsv .txt, also .gz and .zst; a folder; - for JSONL on stdin")
        .documents();
    table.option("-o,--output", output, "the cache to write").valueName("CACHE.h5");
    table
        .option("--into", into,
                "a cache to add documents, layers, stages or topic names to, instead of -o: only what is missing is "
                "computed")
        .valueName("CACHE.h5");
    declareDocuments(table);
    declareModel(table);
    table.footer("One of -o and --into is required. A stopped extraction saves its progress in CACHE.h5.shards; the "
                 "same command continues it.");
}

void ExtractCommand::declareDocuments(Fields& table)
{
    columnFields(table, textColumn, idColumn);
    table
        .option("--duplicate-ids", duplicateIds,
                "if an earlier document has the same id: stop with an error, or append -2, -3 and so on")
        .among(kDuplicateWords)
        .label("Repeated ids",
               "If an earlier document has the same id: stop with an error, or append -2, -3 and so on.");
    table
        .option("--label-columns", labelColumns,
                "label columns; labels.section names a field of nested JSON; '': none; \\, is a comma within a name")
        .valueName("A,B")
        .defaultMeans("text columns with at most 100 values");
    table
        .option("--number-columns", numberColumns,
                "columns of numbers, saved like labels but without topic vectors; in a file separated by semicolons, "
                "3,14 is read as 3.14")
        .valueName("A,B")
        .defaultMeans("none; with --into the number columns of the cache");
    table
        .option("--label-lists", labelLists,
                "if a label is a list of texts: use its first text, or all of them joined by commas; categories.1 is "
                "the second text of the list categories")
        .among(kListWords)
        .label("Lists of labels", "If a label is a list of texts: use the first one, or join all into one label.");
    table.option("--label-map", labelMap, "JSON object that maps old labels to new ones")
        .valueName("FILE")
        .label("Rename labels", "A JSON object that maps old labels to new ones; null removes a label.")
        .leastMeans("unchanged")
        .file();
    separatorField(table, separator);
    declareChosen(table);
}

void ExtractCommand::declareChosen(Fields& table)
{
    chosenFields(table, lines, limit, sample);
    table.option("--topics", topics, "file of topic names: one per line, or JSON")
        .valueName("FILE")
        .defaultMeans("the categories of each label column")
        .label("Topic names",
               "A file of names: one per line, or JSON. Each name is embedded in the same way as a document.")
        .leastMeans("from the labels")
        .file();
    topicTemplateField(table, topicTemplate,
                       "template for a topic name; {} is the name. In a decoder, a one-token name is a first token, "
                       "and all first tokens have nearly the same state");
    table.option("--label", label, "label column that the --topics belong to")
        .valueName("NAME")
        .label("Topics belong to", "The label column of the topic names, if there are several columns.")
        .leastMeans("the only label column");
}

void ExtractCommand::declareModel(Fields& table)
{
    table.option("--stages,--stage", stages, "stages to extract: 1, 2, 3 or contribution")
        .checkedBy(stagesFault, "2,contribution")
        .valueName("LIST")
        .defaultMeans("1,2,3; with --into, the stages that the cache has");
    table.option("--layers,--layer", layers, "layers to extract: last, all, or numbers from 0 such as 0,15,20-31")
        .checkedBy(layersFault, "0,20-31")
        .valueName("LIST")
        .defaultMeans("last; with --into the layers of the cache");
    VectorRun::fields(table, "texts");
    declareComputing(table);
}

void ExtractCommand::declareComputing(Fields& table)
{
    table.option("--dtype", dtype, "compute precision; auto: f32")
        .valueName("auto|f32|bf16|f16")
        .label("Compute precision",
               "Precision of matrix products. Half precision needs a GPU; bf16 also runs on a CPU with AMX.")
        .offersWords(kDtypeWords);
    table
        .option("--memory", memory,
                "memory limit in bytes (k, M and G are powers of 1024); layers are then read from disk again for every "
                "batch of documents")
        .checkedBy(bytesFault, "3G")
        .valueName("BYTES")
        .label("Memory limit",
               "A limit such as 2500M or 3G. Layers are then read from disk one after another. CPU only.")
        .leastMeans("none");
    table.option("--store", store, "storage precision")
        .among(kStoreWords)
        .label("Storage precision",
               "Precision of the saved vectors. 16 bits halve the size. f16 has finer steps, bf16 a larger range.");
    table.option("--shard-mb", shardMb, "size of a shard in megabytes")
        .within(1, 1 << 20)
        .label("Shard", "Megabytes written at once during extraction.");
    table.flag("--no-resume", noResume, "start over; otherwise an interrupted run continues");
    table.flag("--resume", resume, "continue an interrupted run, as happens without --no-resume").hidden();
    table.option("--range", range, "only documents A to B-1 of the inputs, counted from 0; merge joins the ranges")
        .checkedBy(rangeFault, "0:1000")
        .valueName("A:B")
        .defaultMeans("all");
    ablation.declare(table);
}

void MergeCommand::declare(Fields& table)
{
    table
        .option("parts", parts,
                "caches to merge: all ranges of one run (extract --range), or folders of these ranges; caches of one "
                "model with different documents; or caches with different layers and stages of the same documents")
        .required()
        .valueName("PART.h5|FOLDER");
    table.option("-o,--output", output, "the cache to write").required().valueName("CACHE.h5");
    table.footer("The merged files are not changed.");
}

void StatusCommand::declare(Fields& table)
{
    table.option("path", path, "a folder with the caches of ranges, or the cache that an extraction is writing")
        .required()
        .valueName("FOLDER|CACHE.h5");
    table.footer("Nothing is written, and running extractions are not blocked.");
}

} // namespace headscope::commands

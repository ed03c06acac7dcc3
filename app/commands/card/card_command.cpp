// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/card/card_command.h"

#include "app/commands/value_checks.h"
#include "model/base/fields/fields.h"

#include <array>

namespace headscope::commands
{
namespace
{

constexpr std::array kFormatWords = {FieldWord{"pdf", "pdf: one page of A4"}, FieldWord{"png", "png"},
                                     FieldWord{"svg", "svg"}};

} // namespace

void CardCommand::declare(Fields& table)
{
    table.option("CACHE", input.cache, "cache of head vectors (.h5), or multi-head retrieval JSON");
    table.option("--layer", input.layer, "last, a number from 0, or all")
        .checkedBy(layerFault, "0,3")
        .valueName("LAYER")
        .defaultMeans("last; with --all every layer of the cache");
    table.option("--head", head, "head from 1").countFrom(1).valueName("HEAD").defaultMeans("1");
    table.flag("--all", all, "a card for every head: -o is a folder of cards with an index");
    table.option("--sort", sort, "with --all: column of the index to sort by, largest value first")
        .valueName("COLUMN")
        .defaultMeans("layer and head");
    table.option("--format", format, "with --all: kind of file of each card").among(kFormatWords);
    table.option("--documents", input.documents, "rows 0-99,120 or label=value")
        .checkedBy(rowsFault, "label=it's a, b")
        .valueName("ROWS")
        .defaultMeans("all");
    labelFields(table, input.label, input.labelMap);
    fields(table, input.topics);
    table.option("--ends", ends, "proportion of the documents at each end of a direction").within(0.001, 0.5);
    table
        .option("--model", model,
                "model of the cache, to be run: adds what the head writes, what it reads and its "
                "composition partners")
        .valueName("MODEL");
    table.option("--run-documents", runDocuments, "documents of the cache that --model is run on, drawn with the seed")
        .within(1, 100'000);
    table.flag("--ablate", ablate, "with --model: also run it without the heads, which takes minutes for each layer");
    table.option("--importance", importance, "results of headscope importance (.json), for the drop in the full model")
        .valueName("FILE");
    table.option("-o,--output", output, ".png, .pdf or .svg; .csv, .tex or .h5; with --all a folder")
        .valueName("FILE|FOLDER");
    declarePlainCsv(table, plainCsv);
    figure.declare(table);
}

} // namespace headscope::commands

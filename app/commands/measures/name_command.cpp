// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/measures/name_command.h"

#include "model/base/fields/fields.h"
#include "model/data/results/head_results.h"

#include <array>

namespace headscope::commands
{
namespace
{

constexpr std::array kMethodWords = {
    FieldWord{"textspan", "textspan: chosen texts are removed from vectors and texts (Gandelsman et al. 2024)"},
    FieldWord{"somp", "somp: simultaneous orthogonal matching pursuit (Tropp et al. 2006)"}};

} // namespace

void NameCommand::declare(Fields& table)
{
    input.declareCache(table, false);
    table
        .option("--texts", texts,
                "texts to choose from: a cache of their vectors (.h5), or with --model a file of documents (.jsonl, "
                ".csv, .txt with a text on each line)")
        .valueName("FILE")
        .defaultMeans("the topic names of --label");
    table.option("--model", model, "model that embeds --texts").valueName("MODEL");
    table.option("--prompt", prompt, "text to put before each text of --texts");
    table.option("--label", input.label, "label column whose topic names are the texts")
        .valueName("NAME")
        .defaultMeans("the only one");
    table.option("--steps", steps, "number of texts that are chosen for a head").countFrom(1);
    table.option("--method", method, kMethodWords, "how texts are chosen");
    table.option("--rank", rank, "of textspan: principal directions of the head that texts are projected on")
        .countFrom(1);
    table
        .option("--permutations", permutations,
                "permutations of the texts' vectors, value by value within each dimension, for p; 0: none")
        .within(0, kMaxPermutations);
    table.option("-o,--output", output, ".csv, .tex or .h5").valueName("FILE");
    declarePlainCsv(table, plainCsv);
}

} // namespace headscope::commands

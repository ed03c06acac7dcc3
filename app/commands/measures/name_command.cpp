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
    FieldWord{"textspan",
              "textspan: the direction of each chosen text is removed from vectors and texts (Gandelsman et al. 2024)"},
    FieldWord{"somp", "somp: simultaneous orthogonal matching pursuit (Tropp et al. 2006)"}};

} // namespace

void NameCommand::declare(Fields& table)
{
    input.declareCache(table, false);
    table
        .option("--texts", texts,
                "texts to choose from: a cache of their vectors (.h5), or, with --model, a file of texts (.jsonl, "
                ".csv, or .txt with one text per line)")
        .valueName("FILE")
        .defaultMeans("the topic names of --label");
    table.option("--model", model, "model that embeds --texts").valueName("MODEL");
    table.option("--prompt", prompt, "text to put before each text of --texts");
    table.option("--label", input.label, "label column whose topic names are the texts to choose from")
        .valueName("NAME")
        .defaultMeans("the only one");
    table.option("--steps", steps, "number of texts to choose for each head").countFrom(1);
    table.option("--method", method, kMethodWords, "how texts are chosen");
    table
        .option("--rank", rank,
                "for textspan: number of principal directions of the head onto which texts are projected")
        .countFrom(1);
    table
        .option("--permutations", permutations,
                "number of permutations for p; each permutes the values of the texts' vectors within every dimension; "
                "0: none")
        .within(0, kMaxPermutations);
    table.option("-o,--output", output, ".csv, .tex or .h5").valueName("FILE");
    declarePlainCsv(table, plainCsv);
}

} // namespace headscope::commands

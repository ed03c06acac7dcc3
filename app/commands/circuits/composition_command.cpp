// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/circuits/composition_command.h"

#include "app/commands/circuits/circuits_command.h"
#include "app/commands/run/run_fields.h"
#include "model/base/fields/fields.h"
#include "model/base/text/split_text.h"

#include <array>

namespace headscope::commands
{
namespace
{

constexpr std::array kBaselineWords = {
    FieldWord{"random", "random: 1 / sqrt(Dm), the root mean square of a score under random rotations, is subtracted"},
    FieldWord{"none", "none: nothing is subtracted"}};

std::string kindsFault(const std::string& text)
{
    for (const std::string& kind : splitText(text, ','))
        if (kind != "q" && kind != "k" && kind != "v")
            return "expected q, k and v separated by commas, found \"" + text + '"';
    return text.empty() ? "expected q, k and v separated by commas, found none" : "";
}

} // namespace

void CompositionCommand::declare(Fields& table)
{
    modelField(table, model);
    table
        .option("-o,--output", output,
                "output file: the listed pairs (.csv), the scores of all pairs (.h5), or the JSON that --json prints")
        .valueName("FILE.csv|.h5|.json");
    table.option("--kinds", kinds, "inputs of the later head: q for queries, k for keys, v for values")
        .checkedBy(kindsFault, "q,k")
        .valueName("LIST");
    table.option("--baseline", baseline, "value that is subtracted from the listed scores").among(kBaselineWords);
    table.option("--top", top, "number of pairs to list, highest scores first").countFrom(1);
    table
        .option("--directions", directions,
                "for the .h5 file: two layers, the earlier first, whose directions are compared with each other")
        .checkedBy(layerPairFault, "3,7")
        .valueName("A,B");
    table.footer("Only the weight matrices of attention are read, layer by layer; no text is run. Scores show what a "
                 "head could read from an earlier head, not what it reads in a text.");
}

} // namespace headscope::commands

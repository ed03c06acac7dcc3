// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/circuits/lens_command.h"

#include "app/commands/run/run_fields.h"
#include "app/commands/value_checks.h"
#include "model/base/fields/fields.h"

namespace headscope::commands
{

void LensCommand::declare(Fields& table)
{
    modelField(table, model);
    inputsField(table);
    table
        .option("-o,--output", output,
                "output file: a row for each listed token (.csv), the lists of every document (.h5), or the JSON that "
                "--json prints")
        .valueName("FILE.csv|.h5|.json");
    layersField(table, layers, "layers of the heads: last, all, or numbers from 0");
    table.option("--heads", heads, "heads from 1, for example 1-4,9")
        .checkedBy(headsFault, "1-4,9")
        .valueName("HEADS")
        .defaultMeans("all");
    table.option("--top", top, "number of tokens in each list").within(1, 1000);
    table.flag("--center", center, "subtract the mean over the documents from what a head adds, before it is decoded");
    table
        .option("--document", document,
                "id of the document whose lists are shown; the mean is still taken over all documents")
        .valueName("ID");
    table.flag("--weights", weights, "decode only the weights of the heads, without documents");
    table.option("--token", token,
                 "with --weights: a text whose tokens the heads take as input, as queries and as keys");
    table.flag("--copied", copied,
               "with --weights: count the tokens whose own logit is among the ten highest when the head reads them");
    documentFields(table);
    table.footer("Logits come from the output head, or from the token embeddings if the files have no output head; the "
                 "output says which. The output head was trained to predict tokens, not to explain embeddings, so the "
                 "lists are only a reading aid.");
}

} // namespace headscope::commands

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/similarity_command.h"

#include "model/base/fields/fields.h"

namespace headscope::commands
{

void SimilarityCommand::declare(Fields& table)
{
    input.declareCache(table, true);
    fields(table, input.topics);
    table.option("--merge", merge, "mean cosine from which topics become one: writes a label map to -o X.json")
        .within(-1, 2);
    table
        .option("-o,--output", output,
                ".csv, .tex or .h5 with the similarities, .png, .pdf or .svg of them, .json with the label map")
        .valueName("FILE");
    declarePlainCsv(table, plainCsv);
    figure.declare(table);
}

} // namespace headscope::commands

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/similarity_command.h"

#include "model/base/fields/fields.h"
#include "model/data/documents/topic_merge.h"

namespace headscope::commands
{

void SimilarityCommand::declare(Fields& table)
{
    input.declareCache(table, true);
    fields(table, input.topics);
    mergeField(table, merge);
    table
        .option("-o,--output", output,
                ".csv, .tex or .h5 (the similarities), .png, .pdf or .svg (a figure), or .json (the label map)")
        .valueName("FILE");
    declarePlainCsv(table, plainCsv);
    figure.declare(table);
}

} // namespace headscope::commands

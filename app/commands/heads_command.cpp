// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/heads_command.h"

#include "app/commands/value_checks.h"
#include "model/base/fields/fields.h"

namespace headscope::commands
{

void HeadsCommand::declare(Fields& table)
{
    input.declareCache(table, true);
    ckaField(table, cka,
             "estimator of the linear CKA between heads; the biased estimate is too high when there are few documents");
    fields(table, answers);
    fields(table, input.topics);
    table.option("--sort", sort, "column to sort the table by, largest value first")
        .checkedBy(headColumnFault, "mean norm")
        .valueName("COLUMN")
        .defaultMeans("head");
    table.option("-o,--output", output, ".csv, .tex, .h5 (with redundancy and maps of the heads), .png, .pdf or .svg")
        .valueName("FILE");
    declarePlainCsv(table, plainCsv);
    figure.declare(table);
}

} // namespace headscope::commands
